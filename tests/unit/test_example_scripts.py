"""Every script of the folders of examples/ runs, shortened, and is in the index."""

from __future__ import annotations

import re
import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.oracle.harness import parse_log

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*/in.*"))
PROGRAMS = sorted([*(EXAMPLES / "python").glob("*.py"), *(EXAMPLES / "fit").glob("fit_*.py")])
SHORT = dict(steps=20, every=10, rounds=2, most=5, points=2)
SMALL = {"in.water": dict(n=4), "in.crack": dict(n=15), "in.cascade": dict(n=4)}


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(EXAMPLES / request.param.parent.name, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here" / request.param.name


def run(*words: str) -> int:
    from everlet.cli import main

    return main(list(words)) or 0


@pytest.mark.parametrize("folder", SCRIPTS, indirect=True, ids=name)
def test_script(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = folder.read_text()
    for command in re.findall(r"^#   everlet (potential .*)$", text, re.MULTILINE):
        assert run(*command.split()) == 0
    for program in re.findall(r"^#   python (\S+)$", text, re.MULTILINE):
        monkeypatch.setattr("sys.argv", [program, "30"])
        monkeypatch.syspath_prepend(str(folder.parent))
        runpy.run_path(program, run_name="__main__")
    values = SHORT | SMALL.get(folder.name, {})
    words = [word for key, value in values.items() for word in ("-var", key, str(value))]
    words += ["--allow-python"] * ("--allow-python" in text)
    assert run("-in", folder.name, *words, "-log", "log.short", "-screen", "none", "--device", "serial") == 0
    tables = parse_log(Path("log.short").read_text())
    assert tables and all(np.isfinite(column).all() for table in tables for column in table.values())


@pytest.mark.parametrize("folder", PROGRAMS, indirect=True, ids=name)
def test_program(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", [folder.name, "30"])
    monkeypatch.syspath_prepend(str(folder.parent))
    runpy.run_path(folder.name, run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_two_lines_tell_what_a_script_is(path: Path) -> None:
    first, second, *_ = path.read_text().splitlines()
    assert first.startswith("# ") and second.startswith("# ") and len(first) > 40


def test_index_names_every_example() -> None:
    index = (EXAMPLES / "README.md").read_text()
    missing = [name(path) for path in SCRIPTS + PROGRAMS if f"({name(path)})" not in index]
    assert not missing and len(SCRIPTS) >= 40
    for target in re.findall(r"\]\(([^)]+)\)", index):
        assert (EXAMPLES / target).exists(), target


def test_pictures_are_small() -> None:
    pictures = [*(EXAMPLES / "pictures").glob("*.png"), *(EXAMPLES / "pictures").glob("*.svg")]
    assert pictures and all(path.stat().st_size < 60_000 for path in pictures)


def test_histograms_of_windows_are_joined() -> None:
    """Exact histograms give back the energy that they were made of."""
    wham = runpy.run_path(str(EXAMPLES / "free_energy" / "free_energy.py"))["wham"]
    x, places = np.linspace(-1.9, 1.9, 77), np.linspace(-1.5, 1.5, 13)
    energy = 4.0 * (x**2 - 1.0) ** 2
    shares = np.exp(-energy - 10.0 * (x - places[:, None]) ** 2)
    found = wham(x, 1e4 * shares / shares.sum(axis=1, keepdims=True), places)
    np.testing.assert_allclose(found, energy - energy.min(), atol=1e-6)
