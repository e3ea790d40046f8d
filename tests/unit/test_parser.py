"""Lines, words, substitution, and the reader's way through files."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from everlet.errors import InputError
from everlet.io.log import Log
from everlet.portable.spaces import Serial
from everlet.script.boolean import is_true
from everlet.script.parser import Script
from everlet.script.words import logical_lines, split, substitute, without_comment
from everlet.state.host_side import base_name
from everlet.state.system import System
from tests.tables import rows


class Lines(Log):
    """A log that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__("none")
        self.lines: list[str] = []

    def write(self, text: str) -> None:
        self.lines += text.splitlines()


@pytest.fixture
def sim() -> SimpleNamespace:
    made = SimpleNamespace(system=System(Serial()), log=Lines(), options={}, space="serial", before=lambda line: None,
                           did=lambda name: None)
    Script(made)
    return made


def said(sim: SimpleNamespace, text: str) -> list[str]:
    sim.script.text(text, "in.test")
    return sim.log.lines


def test_logical_lines() -> None:
    text = 'a &\n b\n# c\nprint """x\ny"""\nlast & \n more'
    assert list(logical_lines(text)) == [(1, "a  b"), (3, "# c"), (4, 'print """x\ny"""'), (6, "last  more")]


def test_lines_must_end() -> None:
    with pytest.raises(InputError, match="continued line"):
        list(logical_lines("print a &"))
    with pytest.raises(InputError, match="triple quotes"):
        list(logical_lines('print """a\n'))


def test_comments_and_quotes() -> None:
    assert without_comment('print "a # b" # c') == 'print "a # b" '
    assert without_comment("# don't") == ""
    with pytest.raises(InputError, match="double quotes"):
        without_comment('print "a')
    with pytest.raises(InputError, match="single quotes"):
        without_comment("print a'b")


def test_words() -> None:
    assert split("""a "b c" 'd "e"' \"\"\"f 'g' "h" \"\"\"""") == ["a", "b c", 'd "e"', """f 'g' "h" """]
    assert split('x ""') == ["x", ""]
    with pytest.raises(InputError, match="followed by a blank"):
        split('"a"b')


def test_substitution(sim: SimpleNamespace) -> None:
    variables = sim.script.variables
    variables.define(["x", "index", "7"])
    variables.define(["third", "equal", "1/3"])
    assert substitute("$x${x}$(v_x+1) ${third}", variables) == "778 0.333333333333333"
    assert substitute("$(1/3) $(1/3:%6.3f)|", variables) == "0.33333333333333331483  0.333|"
    assert substitute("'$x' \"${x}\" $x", variables) == "'$x' \"${x}\" 7"


@pytest.mark.parametrize("text, message", rows("""
$ -> not followed
${a -> missing }
$(1 -> missing )
${nope} -> 'nope' is not defined
$name -> 'n' is not defined
$(1:%d) -> does not suit
$(1+) -> unexpected end
"""))
def test_substitution_errors(sim: SimpleNamespace, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        substitute(text, sim.script.variables)
    assert message in str(caught.value)


def test_errors_name_the_place(sim: SimpleNamespace, tmp_path: Path) -> None:
    inner = tmp_path / "inner.in"
    inner.write_text("print ok\nprint a b\n")
    with pytest.raises(InputError) as caught:
        said(sim, f"\ninclude {inner}")
    assert caught.value.where == f"{inner}:2: print a b\n  from in.test:2: include {inner}"
    with pytest.raises(InputError) as caught:
        said(sim, "print a\n\nunits &\n  foo")
    assert caught.value.where == "in.test:3: units   foo"


def test_unknown_commands(sim: SimpleNamespace) -> None:
    with pytest.raises(InputError, match="unknown command 'prnt'") as caught:
        said(sim, "prnt a")
    assert "did you mean print" in caught.value.remedy
    with pytest.raises(InputError, match="LAMMPS command 'kim' is not available in Everlet yet"):
        said(sim, "kim init a b")
    sim.script.text("region b block 0 1 0 1 0 1\ncreate_box 1 b")
    for line, name in (("fix 1 all poems 1", "fix style 'poems'"), ("pair_style lcbop/omp", "pair style 'lcbop"),
                       ("compute 1 all saed 1", "compute style 'saed'")):
        with pytest.raises(InputError, match=f"LAMMPS {name}.*not available in Everlet yet"):
            said(sim, line)
    with pytest.raises(InputError, match="unknown fix style 'nvee'"):
        said(sim, "fix 1 all nvee")


def test_jump_label_next(sim: SimpleNamespace) -> None:
    text = """
    variable i loop 2
    label outer
    variable j index a b
    label inner
    print "$i $j"
    next j
    jump SELF inner
    next i
    jump SELF outer
    print end"""
    assert said(sim, text) == ["1 a", "1 b", "2 a", "2 b", "end"]


def test_missing_label(sim: SimpleNamespace) -> None:
    with pytest.raises(InputError, match="label 'there' was not found"):
        said(sim, "jump SELF there")


def test_quit_leaves_all_files(sim: SimpleNamespace, tmp_path: Path) -> None:
    inner = tmp_path / "inner.in"
    inner.write_text("print one\nquit 3\nprint two\n")
    assert said(sim, f"include {inner}\nprint three") == ["one"]
    assert sim.script.status == 3


def test_include_circle(sim: SimpleNamespace, tmp_path: Path) -> None:
    path = tmp_path / "circle.in"
    path.write_text(f"include {path}\n")
    with pytest.raises(InputError, match="include each other"):
        sim.script.file(str(path))
    assert sim.script.frames == []


@pytest.mark.parametrize("text, expected", [
    ("1 < 2 == 1", True), ("1 == 1 < 2", True), ("1 || 0 && 0", True), ("1 |^ 1", False), ("!0", True), ("!5", False),
    ("! 1 == 0", True), ("a/b == a/b", True), ("a_b != a_c", True), ("(a == b) == 0", True), ("-1 < 1e-3", True),
    ("(1<2)&&!(2<1)", True), ("abc == abd", False),
])
def test_tests(text: str, expected: bool) -> None:
    assert is_true(text) is expected


@pytest.mark.parametrize("text", ["", "a", "a < b", "a == 1", "1 = 1", "1 + 1 == 2", "(1==1", "1abc == 1abc",
                                  "1==1 then",
                                  "'a b' == 'a b'", "!a"])
def test_wrong_tests(text: str) -> None:
    with pytest.raises(InputError):
        is_true(text)


@pytest.mark.parametrize("line, message", rows("""
if 1==1 print a -> expected 'then'
if 1==0 then 'print a' elif 1==1 -> 'elif' needs
if 1==0 then 'print a' else -> 'else' must
if 1==1 then else 'print a' -> no command
print -> expected 1 or more arguments
print a file -> stands alone
print a foo b -> option of print
echo loud -> unknown echo style
shell cat x -> refused
partition yes 2 print a -> counted from 1 to 1
jump -> expected 1 to 2
label -> expected 1
next nope -> unknown variable 'nope'
package foo -> unknown package
suffix fast -> unknown suffix
timer timeout -> timer timeout needs a value
plugin unload x -> not available
log a b -> option of log
run 1 -> no simulation box
special_bonds lj/coul 0 0 2 -> factors are 0 to 1
special_bonds ember -> unknown word of special_bonds
special_bonds lj 0 0 -> needs three factors
bond_style harmonic -> has no bonds
timestep x -> a time step
reset_timestep -1 -> negative
info nonsense -> info category
include nosuch.in -> cannot read script
"""))
def test_command_errors(sim: SimpleNamespace, line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        said(sim, line)
    assert message in str(caught.value)
    assert caught.value.where == f"in.test:1: {line}"


def test_time_follows_the_reference(sim: SimpleNamespace) -> None:
    sim.script.text("timestep 0.1\nreset_timestep 50")
    assert sim.system.time == pytest.approx(5.0)
    sim.script.text("reset_timestep 100 time 3.5\ntimestep 0.2")
    assert sim.system.time == 3.5
    sim.script.text("reset_timestep 10")
    assert sim.system.time == 0.0


def test_print_to_files(sim: SimpleNamespace, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    said(sim, f"print a file {path} screen no\nprint b append {path}")
    assert path.read_text() == "a\nb\n" and sim.log.lines == ["b"]


def test_base_names() -> None:
    names = {"lj/cut/omp": "lj/cut", "nve/kk/host": "nve", "eam/alloy": "eam/alloy", "gpu": "gpu"}
    assert {name: base_name(name) for name in names} == names
