"""`make test` and `make test-more` have each usual test once, and the table that divides them is true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests import selection

ROOT, TESTS = Path(__file__).parents[2], Path(__file__).parents[1]


def test_both_together_are_the_usual_tests() -> None:
    """What plain pytest runs, with the mark `more` and without it."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]["addopts"]
    usual = options[options.index("-m") + 1]
    makefile = (ROOT / "Makefile").read_text()
    assert re.findall(r"^USUAL := (.*)$", makefile, re.MULTILINE) == [usual]
    for target, mark in (("test", "not more"), ("test-more", "more")):
        recipe = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
        assert len(recipe) == 1 and f'$(PYTEST) -m "$(USUAL) and {mark}"' in recipe[0]


def test_first_line_that_fits_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "deciding", selection.deciding.__wrapped__)  # without memory
    monkeypatch.setattr(selection, "LINES", [("unit/test_a.py", "test_x", "^serial"),
                                             ("unit/test_a.py", "test_*", selection.NONE),
                                             ("mpi/*", "*", "^(?!threads)")])
    assert selection.stays("unit/test_a.py", "test_x", "serial-1") and not selection.stays("unit/test_a.py", "test_x", "cpu")
    assert not selection.stays("unit/test_a.py", "test_y", "serial") and not selection.stays("unit/test_a.py", "test_y", "")
    assert selection.stays("mpi/test_b.py", "test_y", "") and not selection.stays("mpi/test_b.py", "test_y", "threads-3")
    assert selection.stays("unit/test_b.py", "test_y", "threads")


def test_every_line_of_the_table_divides_tests(request: pytest.FixtureRequest) -> None:
    """Each decides about a test, and leaves some of them in `make test` unless it says that none stays: a test that got
    another name or other parameters would leave `make test` unseen.
    """
    found = request.config.stash[selection.FOUND]
    files = {path.relative_to(TESTS).as_posix() for path in TESTS.glob("*/test_*.py")}
    if not files <= {path for path, _, _ in found}:
        pytest.skip("only a part of the tests was collected: it says nothing about the table")
    decided = {selection.deciding(path, name) for path, name, _ in found}
    staying = {selection.deciding(path, name) for path, name, parameters in found if selection.stays(path, name, parameters)}
    assert [line for line in selection.LINES if line not in decided] == []
    assert [line for line in selection.LINES if line[2] != selection.NONE and line not in staying] == []
