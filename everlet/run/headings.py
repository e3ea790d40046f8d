"""What the log says when a run or a minimisation is set up: units, step, device, time limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everlet.run.minimisers.base import min_style

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine


def setting_up(engine: Engine, minimiser: str) -> str:
    """The lines before the memory line; minimiser: its style, or nothing for a run."""
    system = engine.system
    lines = [f"Setting up {f'{minimiser} style minimization' if minimiser else 'Verlet run'} ...",
             f"  Unit style    : {system.units.name}", f"  Current step  : {system.step}"]
    lines += [] if minimiser else [f"  Time step     : {system.dt:g}"]
    lines += [f"  Device        : {_device(engine)}", *_time_left(engine)]
    return "\n".join([*lines, *(min_style[minimiser].heading(engine.min_settings) if minimiser else [])])


def _device(engine: Engine) -> str:
    space, scheme = engine.space, engine.system.scheme
    threads = f" using {space.threads}" if space.threads < space.most else ""
    pairs = f"{scheme} list" if scheme in ("half", "full") else f"scheme {scheme}"
    return f"{space}{threads}, {engine.precision} precision, {pairs}, newton {'on' if engine.system.newton else 'off'}"


def _time_left(engine: Engine) -> list[str]:
    """A line about the time limit, if there is one."""
    left = engine.stopping.remaining()
    minutes, seconds = divmod(max(left, 0.0), 60.0)
    return [f"  Walltime left : {int(minutes) // 60}:{int(minutes) % 60:02d}:{seconds:05.2f}"] if left else []
