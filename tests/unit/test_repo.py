"""Promises of the repository itself: what a newcomer types works from here, and on any machine."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SKIPPED = {"build", "dist", "__pycache__"}
TEXT = {".py", ".md", ".toml", ".json", ".svg", ".yaml", ".yml", ".txt", ".cfg", ".data", ""}
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|farm|root|home|tmp|Users|opt|mnt)/\w")


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
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M)
    assert {"demo", "test", "test-more", "test-all", "lint", "clean"} <= set(targets)


def test_no_absolute_paths_of_a_machine() -> None:
    wrong = []
    for path in texts():
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if MACHINE_PATH.search(line) and path != Path(__file__):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    assert not wrong, "\n".join(wrong)


def test_extras_and_version() -> None:
    import everlet

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == everlet.__version__
    assert {"cuda12", "cuda13", "mpi", "test"} <= set(project["optional-dependencies"])
    assert "MIT" in (ROOT / "LICENSE").read_text()


def test_links_lead_somewhere() -> None:
    wrong = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                wrong.append(f"{page.relative_to(ROOT)}: {target}")
    assert not wrong, "\n".join(wrong)
