"""Computes: quantities of the present state. One style per file, registered with `@compute_style("name")`.

A compute says in `gives` what it offers, and makes it in `scalar()`, `vector()`, `array()` (a table), `peratom()` (rows of
this rank's atoms) or `local()`. Whoever needs a value at a step says so before (run/outputs.py): energy and virial exist only
at such steps.
"""

from __future__ import annotations

from typing import ClassVar

from everlet.errors import InputError, no_arguments
from everlet.registry import Registry
from everlet.state.atom_styles import need_field
from everlet.state.continuing import ARGUMENTS, GROUP
from everlet.state.operation import ENERGY, Operation
from everlet.state.system import System

compute_style: Registry[type[Compute]] = Registry("compute style", "everlet.computes")


class Compute(Operation):
    """Base of all computes.

    uses          what forces must have been computed with: ENERGY, VIRIAL, … (state/operation.py)
    copies_scale  for `everlet check`: of two copies of a system its extensive values are twice as large, all others the same;
                  False where that does not hold, such as for a centre of mass
    """

    what, letter = "compute", "c"
    must_match = (GROUP, ARGUMENTS)  # what was at the beginning stays so when steps are counted anew
    uses: tuple[str, ...] = ()
    copies_scale = True
    refreshes = False  # `dump_modify refresh` may give it new reference values

    def needs(self, step: int) -> tuple[str, ...]:
        return self.uses

    def setup(self) -> None:
        """Before the first step of a run; forces are known."""

    def unset(self) -> None:
        """What it has counted in `setup` may be otherwise now: between runs it is counted when asked for."""

    def refresh(self) -> None:
        """Take the present values as the reference, if it `refreshes`."""

    def check_tally(self) -> None:
        """Energy and virial are computed only on steps that ask for them, and virials alone if nobody asks for energies."""
        system, energy = self.system, ENERGY in self.uses
        system.fresh.need()
        if (system.energies_tallied if energy else system.tallied) != system.step:
            what = "energies, which were" if energy else "virials, which were"
            raise InputError(f"compute {self.id} needs {what} not computed at step {system.step}",
                             "use it at a step with thermo output, or after run 0")


class OfKind(Compute):
    """Base of computes without arguments, of atoms that have the field `needed`."""

    name: ClassVar[str]
    needed: ClassVar[str]

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "compute", self.name)
        need_field(system.atoms, self.needed, f"compute {self.name}")
