"""What documents say of the code is so: files and names exist, pictures show the layers and the step, tables are whole."""

from __future__ import annotations

import io
import re
import tokenize
from functools import cache
from pathlib import Path

import pytest

from everlet.run import phases

ROOT = Path(__file__).parents[2]
OWN = {"ARCHITECTURE.md", "contracts.md", "adding.md"}  # pages about the code itself
PAGES = sorted((ROOT / "docs").glob("*.md"))
ABOUT = [page for page in PAGES if page.name in OWN]
FOLDERS = ("everlet", "tests", "examples", "everlet_formats", "docs", "benchmarks")
CODE = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?<![\w/.<*-])((?:[\w.-]+/)*[\w-]+\.(?:py|md|yaml|toml))\b")
MADE = {"my.py", "file.py", "file.yaml", "mace.py"}  # a user's, or of other programs


@cache
def names() -> frozenset[str]:
    """Every word of the code: names, and words of strings."""
    found: set[str] = set()
    for path in CODE:
        found |= set(re.findall(r"\w+", path.read_text()))
    return frozenset(found)


@cache
def paths() -> tuple[str, ...]:
    kept = (path.relative_to(ROOT) for folder in (*FOLDERS, ".ci") for path in (ROOT / folder).rglob("*"))
    return (*(f"/{path.name}" for path in ROOT.iterdir()), *(f"/{path}" for path in kept))


def exists(name: str) -> bool:
    """A file or folder of the repository that is called so, in whatever folder."""
    return any(path.endswith(f"/{name.strip('/')}") for path in paths())


def ticked(page: Path) -> list[str]:
    return re.findall(r"`([^`\n]+)`", BLOCK.sub("", page.read_text()))


@pytest.mark.parametrize("page", ABOUT, ids=lambda p: p.name)
def test_files_and_names_exist(page: Path) -> None:
    wrong = []
    for text in ticked(page):
        if re.search(r"[<>*…|]|^make |^pip |^everlet |^\.venv", text) and "(" not in text:
            continue
        if "/" in text and re.fullmatch(r"[\w./-]+", text):
            wrong += [text] if "." in text and not exists(text) else []
            continue
        if re.fullmatch(r"[\w-]+\.\w{2,4}", text) and FILE.fullmatch(text):
            wrong += [text] if not exists(text) else []
            continue
        wrong += [f"{word} of {text}" for word in re.findall(r"[A-Za-z_]\w{2,}", text) if word not in names()]
    assert not wrong, "\n".join(wrong)


def test_files_that_pages_name_exist() -> None:
    wrong = []
    for page in (*PAGES, *sorted(ROOT.glob("*.md"))):
        for text in ticked(page):
            for name in FILE.findall(text):
                if "/" in name and name.split("/")[0] in FOLDERS and not exists(name):
                    wrong.append(f"{page.name}: {name}")
    assert not wrong, "\n".join(wrong)


def test_files_that_comments_name_exist() -> None:
    """Comments and docstrings of the package send readers to files that are there."""
    wrong = []
    for path in CODE:
        if path.is_relative_to(ROOT / "everlet"):
            for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
                if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and '"""' in token.string[:5]):
                    wrong += [f"{path.relative_to(ROOT)}:{token.start[0]}: {name}" for name in FILE.findall(token.string)
                              if not exists(name) and name.split("/")[-1].lower() not in MADE and name.upper() != name]
    assert not wrong, "\n".join(wrong)


def test_the_picture_of_a_step_shows_all_phases() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text().partition("## One step")[2]
    block = BLOCK.search(text)
    assert block, "docs/ARCHITECTURE.md no longer shows a step"
    shown = re.findall(r"^(\w+) ", block.group(0), re.MULTILINE)
    assert shown == [phase.__name__ for phase in phases.STEP]
    words = {word for phase in phases.STEP for word in phase.__code__.co_consts if isinstance(word, str)}
    missing = {word for word in words if re.fullmatch(r"\w+_\w+", word) and word not in block.group(0)}
    assert not missing, f"hooks that the picture does not name: {missing}"


@pytest.mark.parametrize("page", [*PAGES, *sorted((ROOT / "docs" / "notebook").glob("*.md"))], ids=lambda p: p.name)
def test_tables_are_whole(page: Path) -> None:
    """All rows of a table have the columns of its head, and nothing but an empty line ends it."""
    wrong, columns = [], 0
    for number, line in enumerate(BLOCK.sub(lambda found: "\n" * found.group(0).count("\n"), page.read_text()).splitlines(), 1):
        cells = len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", lambda found: found.group(0).replace("\\|", ""), line)))
        if not line.startswith("|"):
            wrong += [f"{page.name}:{number}: a line right below a table"] if columns and line.strip() else []
            columns = 0
        elif columns and cells != columns:
            wrong.append(f"{page.name}:{number}: {cells - 1} columns, the table has {columns - 1}")
        else:
            columns = cells
    assert not wrong, "\n".join(wrong)
