"""Tables of numbers read by compiled loops: every number to its last bit, and what they cannot read is left to others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.io import dump_files, sections
from everlet.io.tables import number_table


@pytest.mark.parametrize("form", ["%r", "%.16e", "%.17g", "%g", "%.3f", "%.12e", "%.8f"])
def test_every_bit(form: str) -> None:
    rng = np.random.default_rng(4711)
    x = (rng.normal(size=4000) * 10.0 ** rng.integers(-12, 12, 4000)).tolist()
    x += [0.0, -0.0, 1.0, 0.1, 0.3, 1e22, 1e23, 5e-324, 1.7e308, 9007199254740993.0, 0.5, 2.0**-30, 1e-7, 123456789012345680.0]
    texts = [form % value for value in x]
    found = number_table(texts, 1)
    assert found is not None
    expected = np.array([float(text) for text in texts])
    assert found[:, 0].tobytes() == expected.tobytes()


@pytest.mark.parametrize("text", ["9007199254740993", "9007199254740993e-5", "1.00000000000000011102230246251565", "1e5", "+7",
                                  "1.", ".5", "-.5e-3", "0.1E+2", "1e-26", "1e400", "nan", "-inf", "00012",
                                  "0.000000000000000000000001", "4503599627370497.5", "4503599627370496.5",
                                  "9007199254740992.5e-1"])
def test_odd_numbers(text: str) -> None:
    found = number_table([f" {text}\t7 # 8"], 2)
    assert found is not None and found[0, 1] == 7
    assert found[0, 0].tobytes() == np.float64(float(text)).tobytes()


def test_lines() -> None:
    found = number_table(["", "1 2 3", "  ", "# none", "4 5 6\r", ""], 3)
    assert found is not None and found.tolist() == [[1, 2, 3], [4, 5, 6]]
    found = number_table(["1 2\n", "\n", "3 4\n", "5 6"], 2)
    assert found is not None and found.tolist() == [[1, 2], [3, 4], [5, 6]]
    found = number_table(["1 Ar 3 x", "2 Kr 4"], 3, wanted=(0, 2), more=True)
    assert found is not None and found[:, [0, 2]].tolist() == [[1, 3], [2, 4]]


@pytest.mark.parametrize("line", ["1 2", "1 2 3 4", "1 2 x", "1 2 3-4", "1 2 .", "1 2 1e", "1 2 --3", "1 2 3e5.5"])
def test_what_is_wrong_is_left_to_others(line: str) -> None:
    assert number_table(["1 2 3", line], 3) is None


def test_large_sections_and_frames(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Read by the loops, and what is wrong is named as in small ones."""
    monkeypatch.setattr(sections, "MANY", 2)
    monkeypatch.setattr(dump_files, "MANY", 2)
    parts = sections.Parts("file", "title")
    good = sections.Section("Atoms", "", 7, ["", "1 2.5 # first", "2 0.1", ""])
    monkeypatch.setattr(np, "loadtxt", None)  # not asked
    assert parts.table(good, 2, 2, "id x").tolist() == [[1, 2.5], [2, 0.1]]
    monkeypatch.undo()
    monkeypatch.setattr(sections, "MANY", 2)
    monkeypatch.setattr(dump_files, "MANY", 2)
    with pytest.raises(InputError, match="line 10: expected a number, found 'x'"):
        parts.table(sections.Section("Atoms", "", 7, ["", "1 2.5", "2 x"]), 2, 2, "id x")
    with pytest.raises(InputError, match="ends after 2 of 3 lines"):
        parts.table(good, 3, 2, "id x")
    head = "ITEM: TIMESTEP\n5\nITEM: NUMBER OF ATOMS\n3\nITEM: ATOMS id element x\n"
    path = tmp_path / "a.dump"
    path.write_text(head + "1 Ar 0.5\n3 Kr 1e-3\n2 7 -2\n" + head + "1 Ar 0.5\n2 Ar\n")
    frames = dump_files.frames([str(path)])
    frame = next(frames)
    assert frame.column("x").tolist() == [0.5, 1e-3, -2] and frame.column("id").tolist() == [1, 3, 2]
    with pytest.raises(InputError, match="column element has words that are not numbers"):
        frame.column("element")
    with pytest.raises(InputError, match="ends where an atom should be"):
        next(frames)
    path.write_text(head + "1 Ar 0.5\n2 Ar\n3 Ar 1\n")
    with pytest.raises(InputError, match="fewer than 3 words"):
        next(dump_files.frames([str(path)]))
