"""Plugins: a user's Python file with styles of its own, written with `from everlet import Fix, fix_style` and so on, and what
every plugin must hold. Those of installed packages: installed.py."""

from __future__ import annotations

import ast
import inspect
import re
import traceback
from collections.abc import Callable
from typing import Any

from everlet.computes.base import Compute, compute_style
from everlet.dumps.base import Dump, dump_style
from everlet.errors import InputError
from everlet.fixes.base import Fix, fix_style
from everlet.forces.bonded.base import STYLES, LinkStyle
from everlet.forces.kspace.base import KspaceStyle, kspace_style
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.portable import Portable
from everlet.registry import Registry
from everlet.run.minimisers.base import Minimiser, min_style
from everlet.state.operation import Gives
from everlet.state.regions import Region, region_style
from everlet.usercode import LOADED, run_file

# what a plugin may bring, and the class that it is one of; commands are functions (script/registry.py adds them)
KINDS: dict[str, Registry[Any]] = {
    "pair style": pair_style, **{registry.kind: registry for registry in STYLES.values()}, "k-space style": kspace_style,
    "fix": fix_style, "compute": compute_style, "dump style": dump_style, "region style": region_style, "minimiser": min_style}
BASES: dict[str, type | None] = {
    "pair style": PairStyle, **{registry.kind: LinkStyle for registry in STYLES.values()}, "k-space style": KspaceStyle,
    "fix": Fix, "compute": Compute, "dump style": Dump, "region style": Region, "minimiser": Minimiser, "command": None}
Known = dict[str, dict[str, Any]]
EXAMPLES: dict[type, str] = {tuple: '("x",)', dict: "dict(k=energy, sigma=length)", Gives: "Gives(scalar=EXTENSIVE)"}
TWO = {"pair": "the force divided by r, and the energy", "bond": "the force divided by r, and the energy"}


def load_plugin(path: str, say: Callable[[str], object] = str, warn: Callable[[str], object] = str) -> dict[str, list[str]]:
    """Run the file, so that its styles are registered; their names by kind, for the log and the caller."""
    before = known()
    found = _register(path, before)
    if not found:
        warn(f"plugin '{path}' registers no style; a potential is a class under @pair_style(\"name\"), a fix one under "
             '@fix_style("name")')
        return {}
    say(f"Plugin '{path}': {listed(by_kind(found))}")
    for kind, name in replaced(found, before):
        warn(f"plugin '{path}' replaces the {kind} '{name}'")
    return by_kind(found)


def new_styles(path: str) -> list[tuple[str, str]]:
    """Run the file; the kinds and names of the styles it added or replaced."""
    return _register(path, known())


def by_kind(found: list[tuple[str, str]]) -> dict[str, list[str]]:
    return {kind: [name for one, name in found if one == kind] for kind in dict(found)}


def listed(styles: dict[str, list[str]]) -> str:
    """For people: `pair style gupta, fix tether`."""
    return ", ".join(f"{kind} {name}" for kind, names in styles.items() for name in names)


def known() -> Known:
    """All styles that there are now."""
    return {kind: registry.own() for kind, registry in KINDS.items()}


def added(before: Known) -> list[tuple[str, str]]:
    """Kinds and names of styles that were added or replaced since."""
    return [(kind, name) for kind, items in known().items() for name, item in items.items()
            if before[kind].get(name) is not item]


def replaced(found: list[tuple[str, str]], before: Known) -> list[tuple[str, str]]:
    """Those of them that have taken the place of one of ours."""
    return [(kind, name) for kind, name in found
            if name in before[kind] and before[kind][name].__module__.startswith("everlet.")]


def _register(path: str, before: Known) -> list[tuple[str, str]]:
    """Run the file; the kinds and names of the styles it added or replaced."""
    run_file(path, "plugin file")
    found = added(before)
    for kind, name in found:
        declared(f"plugin '{path}': the {kind} '{name}'", KINDS[kind].own()[name], BASES[kind])
    return found


def declared(what: str, item: Any, base: type | None) -> None:
    """A style is a class of its base, and what it declares is of the kind that the base has there; a command is a function."""
    if base is None:
        _function(what, item)
        return
    if not (inspect.isclass(item) and issubclass(item, base)):
        raise InputError(f"{what} is not a class of {base.__name__}", f"write class Mine({base.__name__}): below the decorator")
    for key, value in vars(item).items():
        usual = getattr(base, key, None)
        if (not key.startswith("__") and isinstance(usual, (bool, int, float, str, tuple, dict, Gives))
                and not isinstance(value, (type(usual), property))):
            raise InputError(f"{what}: {key} = {value!r} is not of the type {type(usual).__name__}",
                             f"write for instance {key} = {EXAMPLES.get(type(usual), repr(usual))}")
    formulas = {key for one in item.__mro__ for key, kind in vars(one).get("__annotations__", {}).items()
                if "Portable" in str(kind)}
    for key in sorted(formulas & vars(item).keys()):
        formula = vars(item)[key]
        if inspect.isfunction(formula):
            raise InputError(f"{what}: {key} is a plain function",
                             f"write @portable above it, and def {key}(r2, p) without self")
        known = key in TWO and isinstance(formula, Portable)
        returns = [node.value for node in ast.walk(formula.tree()) if isinstance(node, ast.Return)] if known else []
        if any(isinstance(value, (ast.BinOp, ast.Attribute, ast.Constant, ast.Name)) for value in returns):
            raise InputError(f"{what}: {key} returns one value", f"return two: {TWO[key]}")


def _function(what: str, item: Any) -> None:
    try:
        inspect.signature(item).bind("sim", ["args"])
    except (TypeError, ValueError):
        raise InputError(f"{what} is not a function of a simulation and a list of words",
                         "write def mine(sim, args): below the decorator") from None


def blamed(error: BaseException) -> InputError | None:
    """An unforeseen error that a plugin has made, with its file and line; None if no plugin had a part in it."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{frame.filename}, line {frame.lineno}, in {frame.name}" for frame in frames if frame.filename in LOADED]
    what = f"{type(error).__name__}: {error}"
    if lines:
        return InputError(f"plugin {lines[-1]}: {what}", "correct the plugin; everlet check FILE.py tests it")
    if isinstance(error, AttributeError) and _place(type(error.obj)):  # `self` of a plugin is not what its base makes of it
        return InputError(f"plugin {_place(type(error.obj))}: {what}",
                          "does its __init__ call super().__init__ with all of its own arguments?")
    called = re.match(r"([\w.]+)\(\) (takes|missing|got)", str(error)) if isinstance(error, TypeError) else None
    for module in LOADED.values() if called else ():
        method: Any = module
        for part in called[1].split(".") if called else ():
            method = getattr(method, part, None)
        if _place(method):
            return InputError(f"plugin {_place(method)}: {what}", "give it the parameters that its base class has")
    return None


def _place(item: Any) -> str:
    """File and line of a class or function of a plugin; empty for any other."""
    module = next((one for one in LOADED.values() if getattr(item, "__module__", None) == one.__name__), None)
    if module is None or not (inspect.isclass(item) or inspect.isfunction(item)):
        return ""
    try:
        line = inspect.getsourcelines(item)[1]
    except (OSError, TypeError):
        return str(module.__file__)
    return f"{module.__file__}, line {line}"
