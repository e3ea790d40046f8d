"""Commands of minimisations: minimize, min_style, min_modify."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, integer, number
from everlet.run.minimisers.base import Limits
from everlet.run.minimisers.minimisation import check_style, minimise
from everlet.run.minimisers.settings import Settings
from everlet.script.registry import NOTHING, command

USAGE = "minimize ETOL FTOL MAXITER MAXEVAL"


@command("minimize", changes=NOTHING, runs=True, stored=True)
def minimize(sim: Any, args: list[str]) -> None:
    """minimize ETOL FTOL MAXITER MAXEVAL: move atoms downhill until energy or forces hardly change, or a limit is met.

    ETOL is a relative change of the energy, FTOL a force (force units); MAXITER iterations, MAXEVAL evaluations of forces.
    """
    arguments(args, 4, 4, USAGE)
    sim.system.need_box()
    energy, force = number(args[0], "an energy tolerance"), number(args[1], "a force tolerance")
    iterations, evaluations = integer(args[2], "a number of iterations"), integer(args[3], "a number of evaluations")
    if energy < 0.0 or force < 0.0:
        raise InputError(f"tolerances of minimize cannot be negative: {args[0]} {args[1]}", "give 0 for no such criterion")
    if iterations < 0 or evaluations < 0:
        raise InputError(f"limits of minimize cannot be negative: {args[2]} {args[3]}", f"usage: {USAGE}")
    minimise(sim, Limits(energy, force, iterations, evaluations))


@command("min_style", changes=NOTHING)
def min_style(sim: Any, args: list[str]) -> None:
    """min_style cg|sd|hftn|fire|quickmin: how minimize goes downhill; settings of min_modify go back to their defaults."""
    arguments(args, 1, 1, "min_style cg|sd|hftn|fire|quickmin")
    check_style(args[0])
    sim.min_settings = Settings(style=args[0])


@command("min_modify", changes=NOTHING)
def min_modify(sim: Any, args: list[str]) -> None:
    """min_modify [dmax D] [line backtrack|quadratic|forcezero] [norm two|max|inf] and, for fire, [integrator] [tmax] …"""
    arguments(args, 2, None, "min_modify WORD VALUE ...")
    sim.min_settings.modify(args)
