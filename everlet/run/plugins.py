"""Plugins: a user's Python file with styles of its own, written with `from everlet import Fix, fix_style` and so on."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from typing import Any

from everlet.computes.base import compute_style
from everlet.errors import EverletError, InputError
from everlet.fixes.base import fix_style
from everlet.forces.bonded.base import STYLES
from everlet.forces.pair.base import pair_style
from everlet.registry import Registry

KINDS: dict[str, Registry[Any]] = {"pair style": pair_style, **{registry.kind: registry for registry in STYLES.values()},
                                   "fix": fix_style, "compute": compute_style}


def load_plugin(path: str) -> list[str]:
    """Run the file, so that its styles are registered; gives warnings."""
    before = _known()
    changed = _register(path, before)
    if not changed:
        return [f"plugin '{path}' registers no style; a potential is a class under @pair_style(\"name\"), a fix one under "
                "@fix_style(\"name\")"]
    return [f"plugin '{path}' replaces the {kind} '{name}'" for kind, name in changed
            if name in before[kind] and before[kind][name].__module__.startswith("everlet.")]


def new_styles(path: str) -> list[tuple[str, str]]:
    """Run the file; the kinds and names of the styles it added or replaced."""
    return _register(path, _known())


def _known() -> dict[str, dict[str, type]]:
    return {kind: {name: registry[name] for name in registry} for kind, registry in KINDS.items()}


def _register(path: str, before: dict[str, dict[str, type]]) -> list[tuple[str, str]]:
    """Run the file; the kinds and names of the styles it added or replaced."""
    place = Path(path)
    if not place.is_file():
        raise InputError(f"there is no plugin file '{path}'", "give the path of a Python file")
    spec = importlib.util.spec_from_file_location(place.stem, place)
    if spec is None or spec.loader is None:
        raise InputError(f"'{path}' is not a Python file", "a plugin is a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(place.stem, module)
    try:
        spec.loader.exec_module(module)
    except EverletError as error:
        error.where = error.where or path
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"plugin '{path}' failed{_line(error, path)}: {type(error).__name__}: {error}",
                         "a plugin must run as a plain Python file: python " + path) from error
    return [(kind, name) for kind, registry in KINDS.items() for name in registry
            if before[kind].get(name) is not registry[name]]


def _line(error: BaseException, path: str) -> str:
    """` in line N` of the plugin, where it is known."""
    if isinstance(error, SyntaxError):
        return ""  # its text says it
    places = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(path)]
    return f" in line {places[-1]}" if places else ""
