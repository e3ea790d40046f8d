"""Reactive force field: energies follow from bond orders, which follow from distances, and from charges.

    pair_style reaxff CONTROL|NULL [keyword value …]        (controls.py)
    pair_coeff * * FFIELD El1 El2 …                         NULL: no element

E = bonds + lone pairs + over- and undercoordination + angles + penalties + coalition + torsions + conjugation + hydrogen bonds
    + van der Waals + Coulomb + polarisation       (van Duin et al. 2001; Chenoweth et al., J. Phys. Chem. A 112, 1040 (2008))

Units are real. Charges are those of the atoms; a fix (qeq/reaxff, qeq/shielded, …) finds them.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.reaxff.controls import read_controls
from everlet.forces.manybody.reaxff.ffield import ChargeNumbers, ForceField, read_ffield
from everlet.forces.manybody.reaxff.numbers import PAIR_FIELDS, Numbers, ReaxParameters
from everlet.forces.manybody.reaxff.scheme import reaxff_scheme
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.registry import Registry

CHARGE_FIXES = ("qeq", "acks2")  # how names of fixes begin that find charges


@pair_style("reaxff", "reax/c")
class ReaxFF(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = reaxff_scheme
    of_kernels = ReaxParameters
    files = ("FFIELD",)
    terms = 14
    field: ForceField

    def configure(self, args: list[str]) -> None:
        self.controls = read_controls(args)
        self.args, self.setting = list(args), {}

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        field = read_ffield(args[2], self.controls.lgvdw)
        self.rows = field.rows(names, args[2])
        self.field, self.names, self.lines = field, names, [args]
        self.warnings += field.warnings

    def charge_numbers(self) -> ChargeNumbers:
        """For fixes that find charges; after pair_coeff."""
        if not self.names:
            raise InputError("pair style reaxff has no force field yet", "give pair_coeff * * FFIELD and elements before")
        return self.field.charge_numbers(self.rows)

    def init(self) -> None:
        system = self.system
        self.need_elements("FFIELD and elements")
        self.need_units("real")
        if "q" not in system.atoms.fields:
            raise InputError("pair style reaxff needs charges, and atoms have none", "use atom_style charge or full")
        self.need_newton()
        if self.controls.checkqeq and not any(fix.style.startswith(CHARGE_FIXES) for fix in system.fixes.values()):
            raise InputError("pair style reaxff needs a fix that finds charges, and there is none",
                             "use fix ID all qeq/reaxff 1 0.0 10.0 1.0e-6 reaxff, or say 'checkqeq no'")
        self.made = Numbers(self.field, self.rows, self.controls)
        n, high = system.ntypes, self.field.general["high"]
        self.fields, self.table_array = PAIR_FIELDS, self.made.pairs()
        self.cutoffs, self.offset = np.where(self.made.there, high, 0.0), np.zeros((n + 1, n + 1))
        self.beyond = max(self.controls.hbond, 2.0 * self.controls.bond, high) - high
        self.max_cutoff = high + self.beyond
        self.pairs = {}

    def state(self) -> dict[str, Any]:
        return {"style": self.name, "args": self.args, "lines": self.lines}
