"""runs.fix: fixes of a batch, with numbers for each system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everlet.errors import InputError, unknown, whole_number
from everlet.fixes.base import Fix
from everlet.fixes.integrators.nve import NVE
from everlet.fixes.members.base import MemberFix
from everlet.fixes.members.deform import MemberDeform
from everlet.fixes.members.langevin import MemberLangevin
from everlet.fixes.members.npt import MemberNPT
from everlet.fixes.members.nvt import MemberNVT

if TYPE_CHECKING:
    from everlet.api.batch import Batch

Numbers = Any  # one number, a list with one for each system, or a tuple of two of these: at the beginning and end of a run


class Handle:
    """A fix of a batch."""

    def __init__(self, batch: Batch, fix: Fix, arguments: dict[str, Any]):
        self._batch, self._fix, self.name, self.arguments = batch, fix, fix.id, arguments

    def kept(self) -> dict[str, Any]:
        """What it remembers of each system, in rows."""
        return self._fix.keep() if isinstance(self._fix, MemberFix) else {}

    def put(self, kept: dict[str, Any]) -> None:
        if kept and isinstance(self._fix, MemberFix):
            self._fix.put(kept)

    @property
    def id(self) -> str:
        return self._fix.id

    def remove(self) -> None:
        """Take it out of the batch."""
        self._batch.engine.remove_fix(self._fix.id)
        del self._batch.fix._made[self._fix.id]
        self._batch.engine.changed()

    def __repr__(self) -> str:
        return f"<fix {self.id} of a batch>"


class Fixes:
    """Methods make fixes: each system has its own thermostat, and numbers may be lists with one for each system."""

    def __init__(self, batch: Batch):
        self._batch = batch
        self._made: dict[str, Handle] = {}

    def _add(self, fix: Fix, **arguments: Any) -> Handle:
        system = self._batch.engine.system
        before = system.fixes.pop(fix.id, None)
        if before is not None:
            before.remove()
        system.fixes[fix.id] = fix
        fix.style = fix.id
        self._batch.engine.changed()
        handle = self._made[fix.id] = Handle(self._batch, fix, arguments)
        return handle

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # of Python
            raise AttributeError(name)
        near = unknown("fix of a batch", name, [word for word in vars(type(self)) if not word.startswith("_")])
        raise AttributeError(f"{near.cause}: {near.remedy}")

    def nve(self) -> Handle:
        """Velocity Verlet: constant energy."""
        return self._add(NVE(self._batch.engine.system, "nve", "all", []))

    def nvt(self, temp: Numbers, damp: Numbers, tchain: int = 3, tloop: int = 1, drag: float = 0.0) -> Handle:
        """Velocity Verlet with a Nosé–Hoover chain for each system."""
        return self._add(MemberNVT(self._batch.engine.system, "nvt", temp, damp, whole_number(tchain, "tchain"),
                                   whole_number(tloop, "tloop"), drag), temp=temp, damp=damp, tchain=tchain, tloop=tloop,
                         drag=drag)

    def langevin(self, temp: Numbers, damp: Numbers, seed: int | None = None) -> Handle:
        """Drag and noise, which depends on the seed, the number of a system and an atom's place in it; nve moves atoms."""
        seed = self._batch.seed if seed is None else whole_number(seed, "the seed")
        return self._add(MemberLangevin(self._batch.engine.system, "langevin", temp, damp, seed), temp=temp, damp=damp,
                         seed=seed)

    def npt(self, temp: Numbers, damp: Numbers, press: Numbers, pdamp: Numbers, couple: str = "iso") -> Handle:
        """A Nosé–Hoover chain and a barostat for each system: edges grow together, by one pressure."""
        if couple != "iso":
            raise InputError(f"fix npt of a batch cannot couple '{couple}'", "use couple='iso', "
                             "or run each system in a Simulation")
        return self._add(MemberNPT(self._batch.engine.system, "npt", temp, damp, press, pdamp), temp=temp, damp=damp,
                         press=press, pdamp=pdamp)

    def deform(self, x: Numbers = 0.0, y: Numbers = 0.0, z: Numbers = 0.0) -> Handle:
        """Edges grow at rates of strain per time, L = L0 (1 + rate t) since a run began, about their middles; atoms follow."""
        return self._add(MemberDeform(self._batch.engine.system, "deform", (x, y, z)), x=x, y=y, z=z)

    def __iter__(self) -> Any:
        return iter(list(self._made.values()))
