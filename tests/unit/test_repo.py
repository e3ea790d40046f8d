"""Promises of the repository itself: what a newcomer types works from here, and on any machine."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import everlet
from everlet.cli import main

ROOT = Path(__file__).parents[2]
SKIPPED = {"build", "dist", "__pycache__"}
TEXT = {".py", ".md", ".toml", ".json", ".svg", ".yaml", ".yml", ".txt", ".cfg", ".data", ""}
# but /opt/rocm, where AMD's packages put their libraries on every machine
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|farm|root|home|tmp|Users|opt(?!/rocm\b)|mnt)/\w")


def texts() -> list[Path]:
    """Every text file of the repository, results of benchmarks too."""
    found = []
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        made = any(p in SKIPPED or p.endswith(".egg-info") or (p[0] == "." and p != ".ci") for p in parts[:-1])
        made = made or path.name == ".git"  # of a second working tree, whose .git is a file
        if not made and path.is_file() and (path.suffix in TEXT or path.name.startswith("in.")):
            found.append(path)
    return found


def test_readme_starts_with_the_two_commands() -> None:
    start = "\n".join((ROOT / "README.md").read_text().splitlines()[:15])
    assert "make demo" in start and "make test" in start


def test_checks_run_the_tests_of_the_readme() -> None:
    assert {"make test", "make test-more"} <= set((ROOT / ".ci" / "run").read_text().splitlines())
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {"demo", "test", "test-more", "test-all", "lint", "clean"} <= set(targets)


def test_no_absolute_paths_of_a_machine() -> None:
    wrong = []
    for path in texts():
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if MACHINE_PATH.search(line) and path != Path(__file__):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    assert not wrong, "\n".join(wrong)


def test_extras() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {"cuda12", "cuda13", "mpi", "test"} <= set(project["optional-dependencies"])
    assert "MIT" in (ROOT / "LICENSE").read_text()


def test_one_version(capsys: pytest.CaptureFixture[str]) -> None:
    """It stands in everlet/version.py; packages are built with it, the command says it, and documents know it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert settings["project"]["dynamic"] == ["version"] and "version" not in settings["project"]
    assert settings["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "everlet.version.__version__"}
    assert main(["--version"]) == 0 and capsys.readouterr().out == f"everlet {everlet.__version__}\n"
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == everlet.__version__ and citation["license"] == "MIT"
    assert f"\n## {everlet.__version__}\n" in (ROOT / "CHANGELOG.md").read_text()
    written = [path for path in sorted((ROOT / "everlet").rglob("*.py"))
               if f'"{everlet.__version__}"' in path.read_text() and "version" in path.read_text()]
    assert [path.name for path in written] == ["version.py"]


def test_nothing_is_tracked_that_is_ignored() -> None:
    """Results of runs, caches and logs that slipped in."""
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("no working tree of git")
    found = subprocess.run(["git", "ls-files", "--cached", "--ignored", "--exclude-standard"], cwd=ROOT, capture_output=True,
                           text=True)
    assert found.stdout == "", found.stdout


def test_links_lead_somewhere() -> None:
    wrong = []
    for page in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                wrong.append(f"{page.relative_to(ROOT)}: {target}")
    assert not wrong, "\n".join(wrong)
