"""Formulas of a user's Python class, as LAMMPS calls them."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from everlet.errors import InputError, arguments
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.recorded import RecordedStyle
from everlet.portable.language import words
from everlet.portable.language.autodiff import Recorded, Tape, explain
from everlet.usercode import run_file

USAGE = "pair_coeff * * MODULE.CLASS NAME ... (one for each type, or NULL)"
MATH = SimpleNamespace(**{**vars(math), **words.VOCABULARY, "fabs": words.magnitude})


@pair_style("python")
class PythonPair(RecordedStyle):
    """F/r and E are what compute_force(rsq, itype, jtype) and compute_energy of a class give.

    pair_style python r_c                         r_c: length
    pair_coeff * * MODULE.CLASS NAME ...          the names of types that the class knows; NULL: types that it is not for

    The functions are called once for each pair of types, with a recorded distance^2: they may use arithmetic, math and
    the words of everlet.portable, but no `if` that depends on the distance. What they do is compiled for every device.
    """

    stored = shiftable = False

    def coeff(self, args: list[str]) -> None:
        arguments(args, 3 + self.system.ntypes, 3 + self.system.ntypes, USAGE)
        if args[:2] != ["*", "*"]:
            raise InputError("pair_coeff of pair style python is for all types at once", USAGE)
        module, _, name = args[2].rpartition(".")
        path = module.replace(".", "/") + ".py"
        if not module or not Path(path).is_file():
            raise InputError(f"there is no Python file '{path}' with a class {name}", USAGE)
        self.system.check_code(f"pair_style python {args[2]}", path)
        made = run_file(path, "file of pair potentials")
        if not isinstance(getattr(made, name, None), type):
            raise InputError(f"'{path}' has no class {name}", USAGE)
        for word, value in list(vars(made).items()):  # its functions of numbers become words of kernels
            if value is math:
                setattr(made, word, MATH)
        one = getattr(made, name)()
        one.check_units(self.system.units.name)
        self.formulas, self.explicit = [], {}
        known = [(k, kind) for k, kind in enumerate(args[3:], 1) if kind != "NULL"]
        for k, kind in known:
            one.map_coeff(kind, k)
        for i, _ in known:
            for j, _ in known:
                if i <= j:
                    self.set_formula([(i, j)], (one, i, j), self.setting["cut"])

    def record(self, formula: Any, tape: Tape, r2: Recorded) -> tuple[Recorded, Recorded]:
        one, i, j = formula
        try:
            return tape.lift(one.compute_force(r2, i, j)), tape.lift(one.compute_energy(r2, i, j))
        except (InputError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise explain(error, one.compute_force, ()) from None
