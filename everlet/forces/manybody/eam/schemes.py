"""Ways to do the work of embedded-atom styles, on neighbour lists.

Every step: rows are shortened to the atoms within the cutoff, densities added up (on a GPU in the same loop), embedded, and
the slopes of the embedding sent to ghosts; then the loop of pair styles makes the forces. CPUs with narrow registers have
loops of their own for densities and forces (staged_loops.py).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody import short_loops as loops
from everlet.forces.manybody.eam import staged_loops
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.pair.schemes.lists import Full, Half, ListScheme, team_shape
from everlet.neighbor.ahead import narrow
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.manybody.eam.embedded import EmbeddedParameters

embedded_scheme: Registry[type[Scheme]] = Registry("scheme of embedded-atom styles")

SEGMENT = 256  # entries of a row that a core does at a time


class ShortRows:
    """The neighbours within the cutoff, at every step anew: rows in the same places as those of the list, and as
    many entries behind the last.
    """

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        self.system, self.neighbor, self.parameters = system, neighbor, parameters
        self.neigh = self.count = View(0, np.int32, system.space)

    @property
    def kernel(self) -> Kernel:
        near = self.neighbor
        ahead = 4 if self.system.space.many_threads else 1
        statics = (*(s for s in self.parameters.statics if s[0] in ("MANY", "NP")), ("AHEAD", ahead), ("DENSE", near.dense),
                   ("PAD", near.pad), ("NARROW", narrow(self.system.space)))
        return Kernel(loops.shorten, 0, self.system.precision, self.parameters.fields, statics=statics)

    def reserve(self) -> None:
        near, space = self.neighbor, self.system.space
        if self.neigh.shape[0] != near.neigh.shape[0]:
            self.neigh = View(near.neigh.shape[0], np.int32, space)
        if self.count.shape[0] != near.count.shape[0]:
            self.count = View(near.count.shape[0], np.int32, space)

    def fill(self) -> None:
        near, atoms, par, space = self.neighbor, self.system.atoms, self.parameters, self.system.space
        self.reserve()
        parallel_for(space, atoms.n, self.kernel, atoms.view("x"), atoms.view("type"), near.neigh, near.count, near.first,
                     near.si, near.sk, par.table, par.kinds, near.filler, self.neigh, self.count)


class Embedded(ListScheme):
    """What full and half lists share."""

    embedded = communicates = True
    parameters: EmbeddedParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.short = ShortRows(system, neighbor, parameters)
        self.rho = View(0, np.float64, system.space)

    @property
    def at_once(self) -> bool:
        """Rows are shortened while densities are added up. Lanes of a CPU that are not near would compute them in vain,
        unless it packs those that are near first.
        """
        if not self.system.space.many_threads:
            return self.staged
        team, ahead = team_shape(self.system.space, self.system.atoms.n, self.team)
        return team * ahead <= self.neighbor.pad  # all lanes must make the same steps

    @property
    def staged(self) -> bool:
        """Rows are done in stages; with them goes no choice between branches and masks."""
        return narrow(self.system.space) and self.system.precision == "double" and self.options.branch is None

    def _stages(self, body: Any, *functions: str) -> Kernel:
        par = self.parameters
        found = {**dict(super().kernel(False).statics), **par.stages, "SEGMENT": SEGMENT}
        names = (*functions, "MANY", "NP", "FULL", "NEWTON", "SLOTS", "DENSE", "SEGMENT", "PREFETCH",
                 *(("ADD",) if "pair" in functions else ()))
        statics = tuple((name, found[name]) for name in names)
        return Kernel(body, 0, self.system.precision, par.fields, statics=statics, league=True)

    def kernel(self, tally: bool, energy: bool = True) -> Kernel:
        if self.staged and not tally:
            return self._stages(staged_loops.staged_force, "approach", "pair")
        return super().kernel(tally, energy)

    @property
    def _density(self) -> Kernel:
        if self.staged:
            made = self._stages(staged_loops.staged_density, "approach", "density")
            return replace(made, statics=(*made.statics, ("PAD", self.neighbor.pad), ("NARROW", True)))
        force = self.kernel(False)
        wanted = ("FULL", "NEWTON", "AHEAD", "FIXED", "SLOTS", "DENSE")
        statics = (*self.parameters.density, *(s for s in force.statics if s[0] in wanted), ("SHORTEN", self.at_once),
                   ("PAD", self.neighbor.pad), ("NARROW", False))
        return Kernel(loops.density_loop, 0, self.system.precision, self.parameters.fields, force.team, statics,
                      fast=force.fast, carveout=force.carveout)

    def _embed(self, tally: bool) -> Kernel:
        statics = (*self.parameters.embed, ("EV", tally))
        return Kernel(loops.embed_loop, 1 if tally else 0, self.system.precision, self.parameters.fields, statics=statics)

    def rows(self) -> tuple[View, View]:
        return self.short.neigh, self.short.count

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        system, par = self.system, self.parameters
        rows = system.atoms.view("x").shape[0]
        if self.rho.shape[0] != rows:
            self.rho, self.slope = (View(rows, np.float64, system.space) for _ in range(2))
        if self.fixed.used:
            self.fixed.update()
        if self.at_once:
            self.short.reserve()
        else:
            self.short.fill()
        self.densities(comm)
        arguments = system.atoms.view("type"), self.rho, par.table, par.data, par.kinds, self.slope
        if tally is not None:
            tally.reduce(system.space, system.atoms.n, self._embed(True), *arguments)
        else:
            parallel_for(system.space, system.atoms.n, self._embed(False), *arguments)
        comm.forward_values(system, f"slope{self.label}", self.slope)
        self.forces(tally)

    def densities(self, comm: SerialComm) -> None:
        """The density at every owned atom."""
        raise NotImplementedError

    def atom_value(self, name: str) -> View:
        """The density at an atom, and the slope of its embedding energy."""
        return {"rho": self.rho, "fp": self.slope}[name]

    def density_arguments(self, sums: View | ScatterView) -> tuple[Any, ...]:
        near, short = self.neighbor, self.short
        rows = (near.neigh, near.count) if self.at_once else self.rows()  # whole rows are read, and shortened
        return *self.arguments(sums, rows), near.filler, short.neigh, short.count


@embedded_scheme("full")
class EmbeddedFull(Embedded, Full):
    def densities(self, comm: SerialComm) -> None:
        self.launch(self._density, None, *self.density_arguments(self.rho))


@embedded_scheme("half")
class EmbeddedHalf(Embedded, Half):
    def densities(self, comm: SerialComm) -> None:
        self.add_up(self._density, None, self.rho, self.density_arguments)
        if self.system.newton:
            comm.reverse_values(self.system, f"density{self.label}", self.rho)
