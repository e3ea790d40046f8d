"""Plugins of installed packages: styles that pip brings.

    [project.entry-points."everlet.plugins"]
    tethers = "my_package.styles"             a module that registers styles when it is imported, or
    metals = "my_package.metals:register"     a function that does

They are loaded when a style or command is asked for that is not known, or when all are listed; never before. One that fails is
left out, with all that it had registered, and so is one that would take the place of a style of ours: `everlet info plugins`
says why.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

from everlet.errors import EverletError, InputError
from everlet.registry import LOADING, Registry
from everlet.run.plugins import BASES, KINDS, added, by_kind, declared, known, listed, replaced
from everlet.usercode import LOADED

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "everlet.plugins"


@dataclass
class Plugin:
    """One entry point: what it has brought, or why not."""

    name: str
    place: str  # module:function
    package: str  # and its version
    styles: dict[str, list[str]] = field(default_factory=dict)
    failure: str = ""

    def __str__(self) -> str:
        told = f"failed: {self.failure}" if self.failure else listed(self.styles) or "registers no style"
        return f"{self.name} ({self.place}, {self.package}): {told}"


class Installed:
    """Those of this environment; loaded once."""

    def __init__(self) -> None:
        self.plugins: list[Plugin] = []
        self._begun = False

    def load(self) -> None:
        if self._begun:
            return
        with LOADING:
            if self._begun:
                return
            self._begun = True  # modules of plugins ask for styles, too
            from importlib.metadata import entry_points  # late: its import takes longer than most others

            for point in entry_points(group=GROUP):
                self.plugins.append(_loaded(point))

    def forget(self) -> None:
        """Look again at the next question: for tests."""
        self.plugins, self._begun = [], False

    def report(self) -> str:
        """For people."""
        self.load()
        return "plugins of installed packages: " + ("".join(f"\n  {one}" for one in self.plugins) or "none")


def _loaded(point: EntryPoint) -> Plugin:
    dist = point.dist
    plugin = Plugin(point.name, point.value, f"{dist.name} {dist.version}" if dist is not None else "unknown package")
    before = known()
    try:
        found = point.load()
        if not isinstance(found, ModuleType):
            found()
        _remember(point)
        brought = added(before)
        for kind, name in brought:
            declared(f"the {kind} '{name}'", KINDS[kind].own()[name], BASES[kind])
        if taken := replaced(brought, before):
            raise InputError(f"it would replace our {listed(by_kind(taken))}", "give them other names")
        plugin.styles = by_kind(brought)
    except (Exception, SystemExit) as error:  # whatever a package does wrong: others work without it
        for kind, registry in KINDS.items():
            registry.restore(before[kind])
        plugin.failure = error.cause if isinstance(error, EverletError) else f"{type(error).__name__}: {error}"
    return plugin


def _remember(point: EntryPoint) -> None:
    """Errors in its files are its own (plugins.blamed)."""
    top = point.module.partition(".")[0]
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == top and getattr(module, "__file__", None):
            LOADED[str(module.__file__)] = module


INSTALLED = Installed()


def brings(kind: str, registry: Registry[Any]) -> None:
    """Plugins may bring styles of this kind."""
    KINDS[kind] = registry
    registry.more = INSTALLED.load


for _kind, _registry in list(KINDS.items()):
    brings(_kind, _registry)
