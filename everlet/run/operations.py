"""The fixes, computes and the pair style of an engine: added, replaced and removed by name."""

from __future__ import annotations

from typing import Any

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, unknown
from everlet.fixes.base import Fix, fix_style
from everlet.forces.pair.base import pair_style
from everlet.run.planning import Planner
from everlet.state.host_side import side
from everlet.state.system import System

SUFFIXES = ("/kk/host", "/kk/device", "/kk", "/omp", "/opt", "/gpu", "/intel")  # of accelerated variants


class Operations:
    """What an engine has in common with its script: operations by name."""

    system: System
    planner: Planner
    pair_side: Any

    def tell(self) -> None:
        """Lines that fixes have for the log."""
        raise NotImplementedError

    def add_fix(self, id: str, group: str, style: str, args: list[str]) -> Fix:
        """A fix with the id of another one takes its place in the order of fixes, if it is of the same style."""
        system, before = self.system, self.system.fixes.get(id)
        if before is not None and before.style != style:
            raise InputError(f"fix '{id}' exists already and is of style {before.style}", f"use unfix {id} first")
        self.planner.forget()
        if before is not None:
            before.remove()
        fix = self._style(fix_style, style)(side(system, style), id, group, args)
        fix.style = style
        kept = system.kept_fixes.pop(id, None)  # from a restart file
        if kept is not None and kept[0] == style:
            fix.restore(kept[1])
        system.fixes[id] = fix
        self.tell()
        return fix

    def remove_fix(self, id: str) -> None:
        if id not in self.system.fixes:
            raise unknown("fix", id, self.system.fixes)
        self.system.fixes.pop(id).remove()

    def add_compute(self, id: str, group: str, style: str, args: list[str]) -> Compute:
        if id in self.system.computes:
            raise InputError(f"compute '{id}' exists already", "choose another id, or remove it with uncompute")
        compute = self._style(compute_style, style)(side(self.system, style), id, group, args)
        compute.style = style
        kept = self.system.kept_computes.pop(id, None)  # from a restart file
        if kept is not None and kept[0] == style:
            compute.restore(kept[1])
        self.system.computes[id] = compute
        return compute

    def remove_compute(self, id: str) -> None:
        if id not in self.system.computes:
            raise unknown("compute", id, self.system.computes)
        self.system.computes.pop(id).remove()

    def set_pair(self, style: str, args: list[str]) -> None:
        """Choose the pair style; the same style again keeps its coefficients."""
        self.system.evaluator = None
        if style == "none":
            self.system.pair = None
            return
        made = self._style(pair_style, style)
        self.pair_side = side(self.system, style)
        if type(self.system.pair) is made:
            self.system.pair.configure(args)
        else:
            self.system.pair = made(self.system, args)

    def _style(self, registry: Any, name: str) -> Any:
        """A style by name; accelerator suffixes name the same style here."""
        if name not in registry:
            for suffix in SUFFIXES:
                if name.endswith(suffix) and name.removesuffix(suffix) in registry:
                    return registry[name.removesuffix(suffix)]
        return registry[name]

