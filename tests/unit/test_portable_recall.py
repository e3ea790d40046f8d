"""Texts of kernels that were made before: taken only where all that they depend on is as it was."""

# mypy: ignore-errors
# ruff: noqa: F821

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import everlet
from everlet import settings
from everlet.portable import Kernel, cache, f64, portable, programs, recall, trust
from everlet.portable.kernels import Program

FACTOR = 2.0
WIDTH = 3


@portable
def helper(x):
    return FACTOR * x


@portable
def body(i, x: f64[:, WIDTH]):
    x[i, 0] = helper(x[i, 1])


@portable
def shared_by_two(i, x: f64[:]):
    x[i] = twice(x[i]) + once(x[i])


@portable
def twice(x):
    return once(once(x))


@portable
def once(x):
    return x + 1.0


@portable
def with_static(i, x: f64[:]):
    x[i] = x[i] * STATIC


@portable
def both(i, x: f64[:]):
    x[i] = first(x[i]) + second(x[i])


def three() -> int:
    return 3


@portable
def calls(i, x: f64[:, three()]):
    x[i, 0] = 1.0


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An empty cache of this test's own, and sources that count as old."""
    monkeypatch.setattr(recall, "JUST", -(10**18))
    monkeypatch.setitem(settings.STARTED, "EVERLET_CACHE", str(tmp_path / "kernels"))
    forget()
    yield tmp_path / "kernels"
    forget()


def forget() -> None:
    for known in (cache.directory, cache.shared, trust._secret, recall.rules):
        known.cache_clear()


def made(kernel: Kernel, target: str = "cpu") -> bool:
    """Whether the text was made, and not recalled; either way it is what would be made."""
    program = Program(kernel, target)
    anew, recalled = program.made, program.text
    program.path  # noqa: B018  keeps it
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recall, "key", lambda *args: "")
        assert Program(kernel, target).text == recalled
    return anew


@pytest.mark.parametrize("target", ["cpu", "plain", "opencl"])
def test_a_text_is_made_once(store: Path, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert made(Kernel(body), target) and not made(Kernel(body), target)
    assert made(Kernel(shared_by_two), target) and not made(Kernel(shared_by_two), target)
    path = Program(Kernel(body), target).path
    monkeypatch.setattr(programs, "flatten", lambda *args: pytest.fail("made again"))
    assert Program(Kernel(body), target).path == path


def test_whatever_changes_it_has_it_made_again(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert made(Kernel(body))
    with monkeypatch.context() as patch:
        patch.setitem(globals(), "FACTOR", 3.0)
        assert made(Kernel(body)) and "3.0" in Program(Kernel(body), "cpu").text
    with monkeypatch.context() as patch:
        patch.setitem(globals(), "FACTOR", 2)  # as large, another type
        assert made(Kernel(body))
    with monkeypatch.context() as patch:
        patch.setitem(globals(), "helper", portable(helper.body, "def helper(x):\n    return FACTOR + x\n"))
        assert made(Kernel(body))
    with monkeypatch.context() as patch:
        patch.setitem(globals(), "helper", once)
        assert made(Kernel(body))
    with monkeypatch.context() as patch:
        patch.setitem(globals(), "WIDTH", 4)
        patch.setattr(body, "_annotations", None)
        assert made(Kernel(body))
    with monkeypatch.context() as patch:
        patch.setattr(recall, "rules", lambda: "another compiler")
        assert made(Kernel(body))
    assert made(Kernel(body, precision="single")) and made(Kernel(body, layouts=(("x", "column"),)))
    assert made(Kernel(body, width=16)) and made(Kernel(body), "opencl")
    assert made(Kernel(with_static, statics=(("STATIC", 2),))) and made(Kernel(with_static, statics=(("STATIC", 2.0),)))
    monkeypatch.setattr(body, "_annotations", None)
    assert not made(Kernel(body))


def test_one_function_and_two_of_the_same_text_are_told_apart(store: Path) -> None:
    """A function that is called twice is in a text once."""
    same, other = (portable(once.body, once.text()) for _ in range(2))
    assert made(Kernel(both, statics=(("first", same), ("second", same))))
    assert made(Kernel(both, statics=(("first", same), ("second", other))))
    assert not made(Kernel(both, statics=(("first", other), ("second", other))))


def test_what_cannot_be_described_is_made_each_time(store: Path) -> None:
    assert made(Kernel(calls)) and made(Kernel(calls))
    assert not list(store.glob("t_calls_*"))


def test_a_text_or_its_note_that_was_touched_is_made_again(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(place: Path, content: bytes) -> None:
        place.write_bytes(content)
        assert made(Kernel(body)) and not made(Kernel(body))

    assert made(Kernel(body))
    (note,), (text,) = store.glob("t_body_*"), store.glob("k_body_*.py")
    whole = note.read_bytes()
    for content in (b"", b"nonsense", b"\xff\xfe", whole[:40], whole[:-1], b"k_none.py" + whole):
        spoiled(note, content)
    for content in (b"", text.read_bytes().replace(b"2.0", b"3.0")):
        spoiled(text, content)
    program = Program(Kernel(body), "cpu")
    with monkeypatch.context() as patch:  # sealed by somebody else
        patch.setattr(trust, "_secret", lambda place: b"theirs")
        assert made(Kernel(body))
    assert Program(Kernel(body), "cpu").text == program.text


COUNT = """
import sys
from everlet.portable import Kernel, f64, portable
from everlet.portable.kernels import Program
@portable
def body(i, x: f64[:]):
    x[i] = 2.0 * x[i]
program = Program(Kernel(body), "plain")
program.path
print(program.text.count("# other"))
"""


def test_a_changed_compiler_has_texts_made_again(store: Path, tmp_path: Path) -> None:
    """In another process, whose sources are not those that made the text."""
    root = Path(everlet.__file__).parent
    copy = tmp_path / "copy" / "everlet"
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns("__pycache__"))
    script = tmp_path / "script.py"
    script.write_text(COUNT)
    time.sleep(2.1)  # files that were just written are not trusted to be those that were imported

    def said() -> str:
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True,
                              env={**settings.STARTED, "PYTHONPATH": str(copy.parent), "EVERLET_CACHE": str(store)})
        return done.stdout.strip()

    assert said() == "0" and len(list(store.glob("t_body_*"))) == 1
    assert said() == "0" and len(list(store.glob("t_body_*"))) == 1
    place = copy / "portable" / "language" / "flatten.py"
    place.write_text(place.read_text().replace('texts.append("@device\\n"', 'texts.append("# other\\n@device\\n"'))
    assert said() == "1" and len(list(store.glob("t_body_*"))) == 1  # nothing is remembered yet
    time.sleep(2.1)
    assert said() == "1" and len(list(store.glob("t_body_*"))) == 2


def test_sources_that_change_under_a_process_have_nothing_remembered(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has imported one text and would name what it makes by another."""
    monkeypatch.setattr(recall, "IMPORTED", [(*recall.IMPORTED[0][:-1], 1), *recall.IMPORTED[1:]])
    forget()
    assert made(Kernel(body)) and made(Kernel(body)) and not list(store.glob("t_*"))
