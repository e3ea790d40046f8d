"""Checks of a user's styles, each kind by what can be known of it without a second program to compare with.

    everlet check my.py

    pair styles                the force is the slope of the energy, on every backend (check_formulas.py)
    bonded styles              the same of bonds, angles, dihedrals and impropers (check_links.py)
    fixes                      the same on every backend, exact restarts, and all that it declares (check_fixes.py)
    computes                   the same on every backend and in any order of atoms, and what it declares (check_computes.py)

A learned potential is named with its class, or by the words of its pair style: everlet check my.py:Model (check_models.py).
"""

from __future__ import annotations

from collections.abc import Callable

from everlet.errors import InputError
from everlet.run.plugins import KINDS, new_styles
from everlet.tools.check_computes import check_compute
from everlet.tools.check_fixes import check_fix
from everlet.tools.check_formulas import check_pair
from everlet.tools.check_links import check_link
from everlet.tools.check_system import Report

CHECKS: dict[str, Callable[[str, Callable[[str], None]], bool]] = {
    "pair style": check_pair, "bond style": check_link("bond"), "angle style": check_link("angle"),
    "dihedral style": check_link("dihedral"), "improper style": check_link("improper"), "fix": check_fix,
    "compute": check_compute}


def check_plugin(path: str, out: Callable[[str], None] = print) -> bool:
    """Check all styles of a file (everlet check FILE); False if one of them is wrong."""
    found = new_styles(path)
    if not found:
        raise InputError(f"'{path}' registers no new style",
                         'decorate a class of PairStyle, BondStyle, Fix or Compute: @pair_style("name"), …; '
                         f"a learned potential is checked by: everlet check {path}:CLASS")
    return all([_checked(kind, name, out) for kind, name in found])


def _checked(kind: str, name: str, out: Callable[[str], None]) -> bool:
    """Whatever a style raises is a line of the report, with its place."""
    if kind not in CHECKS:
        out(f"{kind} {name}: is registered; there are no checks of this kind")
        return True
    report, good = Report(KINDS[kind][name], out), list[bool]()
    return report.attempt(f"{kind} {name}", lambda: good.append(CHECKS[kind](name, out))) and good[0]
