"""The rooms of the house: imports point downwards only, files stay short, every room has a place in the order."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "everlet"
FILES = sorted(PACKAGE.rglob("*.py"))
LONGEST = 400
ON_UNTYPED_LIBRARIES = {"everlet.portable.backends.cpu.*", "everlet.portable.simd.*", "everlet.forces.models.edges",
                        "everlet.ase.calculator"}
TYPES_IN_CIRCLES = 12  # a style and its scheme, an engine and its parts …: may become fewer


def read_order() -> list[str]:
    """Rooms from low to high, as the first picture of docs/ARCHITECTURE.md gives them: a floor in each line, the lowest last.

    Of rooms on one floor, the later may import from the earlier: registry from errors.
    """
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text()
    block = re.search(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert block, "docs/ARCHITECTURE.md no longer shows the order of the layers"
    return [name for line in reversed(block.group(1).splitlines()) for name in line.partition("|")[0].split()]


ORDER = read_order()


def room(module: str) -> str:
    """The first name below the package: everlet.forces.pair.base -> forces."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def level(name: str) -> int | None:
    return ORDER.index(name) if name in ORDER else None


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, types: bool = True) -> list[tuple[int, str]]:
    """(line, module) of every import of the package, wherever it stands. types: also those for annotations alone."""
    found, tree = [], ast.parse(path.read_text())
    for branch in [] if types else [node for node in ast.walk(tree) if isinstance(node, ast.If)]:
        if ast.unparse(branch.test) == "TYPE_CHECKING":
            branch.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: relative import; write the full name"
            if node.module == "everlet":  # from everlet import state
                found += [(node.lineno, f"everlet.{alias.name}") for alias in node.names]
            elif node.module:  # from everlet.fixes.rigid import kernels
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                found += [(node.lineno, name if name in MODULES else node.module) for name in inner]
    return [(line, name) for line, name in found if name.split(".")[0] == "everlet"]


MODULES = {module_name(path): path for path in FILES}


def circles(types: bool) -> list[list[str]]:
    """Sets of modules each of which imports, by others of the set, itself: Tarjan's strongly connected components."""
    uses = {name: sorted({other for _, other in imports(path, types) if other in MODULES and other != name})
            for name, path in MODULES.items()}
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in uses[name]:
            if other not in number:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            at = stack.index(name)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for name in uses:
        if name not in number:
            visit(name)
    return [one for one in found if len(one) > 1]


def test_no_circles() -> None:
    """Of imports that are carried out, those inside of functions too. Parts may name the type of what they are parts of."""
    assert circles(types=False) == []
    assert len(circles(types=True)) <= TYPES_IN_CIRCLES


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_downwards(path: Path) -> None:
    here = room(module_name(path))
    if not here:
        return  # everlet/__init__.py gathers the public names from every room
    own = level(here)
    wrong = []
    for line, name in imports(path):
        there = room(name)
        if there == here or name == "everlet":
            continue
        other = level(there)
        if own is None or other is None or other >= own:
            wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}: {there} is not below {here}")
    assert not wrong, "\n".join(wrong)


def test_every_room_has_a_place() -> None:
    rooms = {p.name for p in PACKAGE.iterdir() if p.is_dir() and any(p.glob("*.py"))}
    rooms |= {p.stem for p in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    missing = sorted(name for name in rooms if level(name) is None)
    assert not missing, f"docs/ARCHITECTURE.md does not place {missing} in the order of layers"


def test_files_stay_short() -> None:
    long = {str(p.relative_to(ROOT)): n for p in FILES if (n := len(p.read_text().splitlines())) > LONGEST}
    assert not long, f"over {LONGEST} lines, two ideas in one file? {long}"


def test_nobody_asks_which_communicator_it_has():
    """What differs between one rank and several is a method or an attribute of it."""
    found = [path for path in PACKAGE.rglob("*.py") if path.parent.name != "comm"
             and re.search(r"isinstance\([^)]*\b\w*Comm\b", path.read_text())]
    assert not found


def test_nobody_looks_whether_a_style_has_parts():
    """`sub_styles` is declared where all pair styles are."""
    found = [path for path in PACKAGE.rglob("*.py") if re.search(r"attr\(\w+, \"(subs|sub_styles)\"", path.read_text())]
    assert not found


def test_types_are_checked_in_every_file() -> None:
    """What no type checker can read, text of kernels, is marked @portable; nothing else is left out."""
    hidden = [str(path.relative_to(ROOT)) for path in FILES if re.search("^ *# mypy:", path.read_text(), re.MULTILINE)]
    assert not hidden, f"mark kernels with @portable, give types to the rest, and delete '# mypy:' in {hidden}"

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    relaxed = {name for one in settings["overrides"] for name in one["module"] if name.startswith("everlet")}
    assert settings["strict"] and relaxed <= ON_UNTYPED_LIBRARIES  # which may become fewer


@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed")
def test_names_of_host_code_are_known() -> None:
    """Kernels use names that the compiler puts in, so their files do not ask ruff for unknown ones; other code has none."""
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--ignore-noqa", "--no-cache", "--select=F821"]
    told = json.loads(subprocess.run([*ruff, "--output-format=json", str(PACKAGE)], capture_output=True, text=True).stdout)
    found = {(one["filename"], one["location"]["row"]) for one in told}
    kernels = {(name, row) for name in {name for name, _ in found} for node in ast.walk(ast.parse(Path(name).read_text()))
               if isinstance(node, ast.FunctionDef) and any(getattr(one, "id", "") == "portable" for one in node.decorator_list)
               for row in range(node.lineno, (node.end_lineno or 0) + 1)}
    assert found and not sorted(found - kernels)
