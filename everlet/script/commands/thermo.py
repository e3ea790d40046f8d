"""thermo, thermo_style, thermo_modify: what is printed during a run."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, integer
from everlet.io.thermo_modify import modify
from everlet.script.registry import NOTHING, command


@command("thermo", changes=NOTHING, light=True, shows=True)
def thermo(sim: Any, args: list[str]) -> None:
    """thermo N | v_NAME: a row every N steps, or at the steps that an equal-style variable gives, one after the other; 0: only
    at the beginning and end of a run."""
    arguments(args, 1, 1, "thermo N | thermo v_NAME")
    sim.thermo.variable = ""
    if args[0].startswith("v_"):
        if sim.variables.style(args[0][2:]) != "equal":
            raise InputError(f"thermo {args[0]}: the variable is not of style equal", "use an equal-style variable")
        sim.thermo.variable = args[0][2:]
        return
    every = integer(args[0], "a number of steps")
    if every < 0:
        raise InputError(f"a number of steps cannot be negative: {every}",
                         "thermo 0 prints the first and last step only")
    sim.thermo.every = every


@command("thermo_style", changes=NOTHING, light=True, shows=True)
def thermo_style(sim: Any, args: list[str]) -> None:
    """thermo_style one|multi|yaml, or thermo_style custom WORD ..."""
    arguments(args, 1, None, "thermo_style one|multi|yaml|custom WORD ...")
    modified = sim.thermo.modified
    sim.thermo.set_style(args[0], args[1:])
    if modified:
        sim.log.warning("a new thermo_style takes back all thermo_modify settings")


@command("thermo_modify", changes=NOTHING, light=True)
def thermo_modify(sim: Any, args: list[str]) -> None:
    """thermo_modify OPTION VALUE ... (see io/thermo_modify.py)"""
    arguments(args, 1, None, "thermo_modify OPTION VALUE ...")
    modify(sim.thermo, args, sim.log)
