"""Variables: styles, redefinition, next."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from everlet.errors import InputError
from everlet.portable import Serial
from everlet.script.variables import Variables
from everlet.state.system import System


@pytest.fixture
def variables() -> Variables:
    return Variables(SimpleNamespace(system=System(Serial())))


def test_index_from_the_command_line_wins(variables: Variables) -> None:
    variables.set_index("x", ["8"])
    variables.define("x index 1 2".split())
    assert variables.text("x") == "8" and variables.evaluate("x") == 8.0
    with pytest.raises(InputError, match="exists with style index"):
        variables.define("x equal 3".split())


def test_next(variables: Variables) -> None:
    variables.define("a index 1 2".split())
    variables.define("b index x".split())
    assert not variables.next(["a", "b"])
    assert variables.text("a") == "2" and "b" not in variables
    variables.define("c loop 3".split())
    with pytest.raises(InputError, match="same style"):
        variables.next(["a", "c"])
    variables.define("d equal 1".split())
    with pytest.raises(InputError, match="no next value"):
        variables.next(["d"])


@pytest.mark.parametrize("words, expected", [
    ("loop 3", ["1", "2", "3"]), ("loop 2 4", ["2", "3", "4"]), ("loop 8 10 pad", ["08", "09", "10"]),
    ("loop -1 1", ["-1", "0", "1"]), ("uloop 2", ["1", "2"]), ("index a b", ["a", "b"]),
])
def test_stepped_styles(variables: Variables, words: str, expected: list[str]) -> None:
    variables.define(["x", *words.split()])
    found = [variables.text("x")]
    while variables.next(["x"]):
        found.append(variables.text("x"))
    assert found == expected and "x" not in variables


def test_file(variables: Variables, tmp_path: Path) -> None:
    path = tmp_path / "values.txt"
    path.write_text("one\n# no\n\ntwo words  # c\n")
    variables.define(["f", "file", str(path)])
    assert variables.text("f") == "one" and variables.next(["f"]) and variables.text("f") == "two words"
    with pytest.raises(InputError, match="cannot read"):
        variables.define(["g", "file", str(tmp_path / "none")])


def test_other_styles(variables: Variables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVERLET_TEST", "here")
    variables.define("e getenv EVERLET_TEST".split())
    variables.define("n getenv EVERLET_NOT_SET".split())
    assert variables.text("e") == "here" and variables.text("n") == ""
    variables.define("p equal 3.14159".split())
    variables.define("f format p %8.3f".split())
    assert variables.text("f") == "   3.142" and variables.evaluate("f") == 3.142
    variables.define("i internal 4.5".split())
    variables.set_internal("i", 1.5)
    assert variables.formula("v_i*2") == 3
    variables.define(["s", "string", "a b"])
    variables.define(["s", "string", "c"])
    assert variables.text("s") == "c"
    for _ in range(2):  # a loop that is over has deleted its variable
        variables.define(["s", "delete"])
        assert "s" not in variables


def test_formulas_see_rounded_values(variables: Variables) -> None:
    """The reference passes v_name through 15 digits; thermo output and other direct uses see all digits."""
    variables.define("y equal 1/3".split())
    assert variables.formula("v_y*2") == 2 * 0.333333333333333
    assert variables.evaluate("y") == 1 / 3


@pytest.mark.parametrize("words, message", [
    ("x", "expected 2 or more"), ("x foo 1", "unknown variable style"), ("x world a b", "2 values for 1 partitions"),
    ("x vector [a]", "expected a number"),
        ("x atomfile nosuch", "cannot read"), ("x timer 3", "expected 0"),
        ("a-b index 1", "letters, digits"), ("x index", "expected 1 or more"),
    ("x loop 5 3", "no values"), ("x loop 0", "no values"), ("x loop a", "expected an integer"),
    ("x string a b", "expected 1"),
    ("x delete all", "expected 0"), ("x format y %g", "unknown variable 'y'"), ("x internal a", "expected a number"),
])
def test_definition_errors(variables: Variables, words: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        variables.define(words.split())
    assert message in str(caught.value)


def test_value_errors(variables: Variables) -> None:
    variables.define("a equal v_b+1".split())
    variables.define("b equal v_a+1".split())
    with pytest.raises(InputError, match="depends on itself: a -> b -> a"):
        variables.evaluate("a")
    variables.define("s index hello".split())
    with pytest.raises(InputError, match="'hello', which is not a number"):
        variables.formula("v_s+1")
    variables.define("p atom x".split())
    for use in (variables.evaluate, variables.text):
        with pytest.raises(InputError, match="one value per atom"):
            use("p")
