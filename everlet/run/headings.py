"""What the log says besides numbers: the banner, how lists are made, what a run or a minimisation is set up with, the time.

Programs that read logs of the reference find their lines here in the same form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everlet.run.minimisers.base import min_style

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine

REFERENCE = "22 Jul 2025"  # the release of the reference whose script language this is


def setting_up(engine: Engine, minimiser: str) -> str:
    """The lines before the memory line; minimiser: its style, or nothing for a run."""
    system = engine.system
    lines = [f"Setting up {f'{minimiser} style minimization' if minimiser else 'Verlet run'} ...",
             f"  Unit style    : {system.units.name}", f"  Current step  : {system.step}"]
    lines += [] if minimiser else [f"  Time step     : {system.dt:g}"]
    lines += [f"  Device        : {_device(engine)}", *_time_left(engine)]
    return "\n".join([*lines, *(min_style[minimiser].heading(engine.min_settings) if minimiser else [])])


def what_there_is(engine: Engine) -> dict[str, Any]:
    """Styles in use by kind, masses and labels of types, and files of dumps: for programs that read the log."""
    system, pair = engine.system, engine.system.pair
    styles = {"atom": [system.atom_style.name], "pair": [] if pair is None else [pair.name, *(
        sub.name for sub in pair.sub_styles)]}
    styles |= {kind: [one.name] for kind, one in (*system.bonded.items(), ("kspace", system.kspace)) if one is not None}
    styles |= {"fix": [one.style for one in system.fixes.values()], "compute": [one.style for one in system.computes.values()]}
    labels = {str(number): label for label, number in system.type_labels.items()}
    return {"styles": styles, "masses": [float(mass) for mass in system.masses[1:]], "labels": labels,
            "boundary": system.need_box().boundary, "dumps": [str(one.path) for one in system.dumps.values()]}


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


def banner(version: str) -> str:
    """The first lines of a log: who writes it, and the release whose scripts it runs, as readers of logs look for it."""
    return f"Everlet {version}\nLAMMPS ({REFERENCE}) is the release whose scripts it runs"


def neighbor_lines(engine: Engine) -> str:
    """How neighbour lists are made; empty without any."""
    lists, settings, system = engine.lists, engine.neighbor, engine.system
    if lists is None or system.pair is None:
        return ""
    rows = [(f"pair {system.pair.name}", f"{lists.kind}, newton {'on' if system.newton else 'off'}")] if lists.rows else []
    lines = ["Neighbor list info ...",
             f"  update: every = {settings.every} steps, delay = {settings.delay} steps, check = "
             f"{'yes' if settings.check else 'no'}",
             f"  max neighbors/atom: {settings.one}, page size: {settings.page}",
             f"  master list distance cutoff = {lists.radius:.8g}",
             f"  ghost atom cutoff = {lists.ghost_cutoff:.8g}",
             f"  {len(rows)} neighbor lists, perpetual/occasional/extra = {len(rows)} 0 0"]
    for count, (name, attributes) in enumerate(rows, 1):
        lines += [f"  ({count}) {name}, perpetual", f"      attributes: {attributes}"]
    return "\n".join(lines)


def memory_line(megabytes: list[float]) -> str:
    """Megabytes of each rank; a table of thermo output follows this line."""
    least, mean, most = min(megabytes), sum(megabytes) / len(megabytes), max(megabytes)
    return f"Per MPI rank memory allocation (min/avg/max) = {least:.4g} | {mean:.4g} | {most:.4g} Mbytes"


def wall_time(seconds: float) -> str:
    """The last line of a log."""
    minutes, rest = divmod(int(seconds), 60)
    return f"Total wall time: {minutes // 60}:{minutes % 60:02d}:{rest:02d}"
