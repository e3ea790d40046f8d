"""Commands of long-range solvers: kspace_style, kspace_modify.

    kspace_style ewald|pppm|pppm/tip4p ACCURACY         relative to the force of two elementary charges one Angstrom apart
    kspace_style none
    kspace_modify KEYWORD VALUE(s) ...                  see forces/kspace/settings.py
"""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments
from everlet.forces.kspace.base import kspace_style as styles
from everlet.script.parser import missing_style
from everlet.script.registry import command
from everlet.state.host_side import base_name


@command("kspace_style")
def kspace_style(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, "kspace_style ewald|pppm|pppm/tip4p ACCURACY, or none")
    system, name = sim.system, args[0]
    if name == "none":
        system.kspace = None
        return
    if base_name(name) not in styles:
        raise missing_style("kspace", name, styles)
    system.kspace = sim._style(styles, name)(system, args[1:])


@command("kspace_modify")
def kspace_modify(sim: Any, args: list[str]) -> None:
    if sim.system.kspace is None:
        raise InputError("there is no k-space style yet", "use kspace_style first")
    sim.system.kspace.settings.modify(args)
