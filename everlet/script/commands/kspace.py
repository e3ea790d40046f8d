"""Commands of long-range solvers: kspace_style, kspace_modify.

    kspace_style ewald|pppm|pppm/tip4p ACCURACY         relative to the force of two elementary charges one Angstrom apart
    kspace_style none
    kspace_modify KEYWORD VALUE(s) ...                  see forces/kspace/settings.py
"""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments
from everlet.forces.kspace.base import kspace_style as styles
from everlet.script.registry import command

OTHERS = ("ewald/disp", "ewald/disp/dipole", "ewald/dipole", "ewald/dipole/spin", "ewald/electrode", "msm", "msm/cg",
          "msm/dielectric", "pppm/cg", "pppm/disp", "pppm/disp/tip4p", "pppm/disp/dielectric", "pppm/dipole",
          "pppm/dipole/spin", "pppm/dielectric", "pppm/electrode", "pppm/stagger", "pppm/conp",
          "scafacos", "zero")


@command("kspace_style")
def kspace_style(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, "kspace_style ewald|pppm|pppm/tip4p ACCURACY, or none")
    system, name = sim.system, args[0]
    if name == "none":
        system.kspace = None
        return
    if name in OTHERS:
        raise InputError(f"k-space style {name} is not available", f"use {', '.join(styles)} or none")
    system.kspace = sim._style(styles, name)(system, args[1:])


@command("kspace_modify")
def kspace_modify(sim: Any, args: list[str]) -> None:
    if sim.system.kspace is None:
        raise InputError("there is no k-space style yet", "use kspace_style first")
    sim.system.kspace.settings.modify(args)
