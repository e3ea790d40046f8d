"""How steps are made (the command run_style)."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, unknown
from everlet.script.registry import command
from everlet.state.levels import RUN_STYLES, Levels, drop_levels


@command("run_style")
def run_style(sim: Any, args: list[str]) -> None:
    """run_style verlet                    all forces have the timestep
    run_style respa N n1 ... n(N-1) [PART LEVEL ...]     N levels of steps: n1 of the first make one of the second, …

    PART LEVEL: bond angle dihedral improper pair kspace M; inner M R1 R2, middle M R3 R4 and outer M in place of pair, which
    divide pair forces by distance; hybrid M1 M2 ... in place of pair, levels of sub-styles.
    """
    arguments(args, 1, None, "run_style verlet | respa N n1 n2 ... [PART LEVEL ...]")
    style, _, suffix = args[0].partition("/")
    if args[0] == "verlet/split":
        raise InputError("run_style verlet/split is not available: one partition does all of a step", "use run_style verlet")
    if style not in RUN_STYLES or suffix not in ("", "kk", "omp", "intel"):
        raise unknown("run_style", args[0], RUN_STYLES)
    if style == "verlet":
        arguments(args, 1, 1, "run_style verlet")
        sim.system.levels = None
        drop_levels(sim.system)
        return
    sim.system.levels = Levels.parse(args[1:])
