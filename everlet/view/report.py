"""The page of a run: what ran where, thermo output with means and errors, drift, structure and motion of atoms, time, warnings,
whom to cite, and its trajectory in three dimensions."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from everlet.errors import InputError
from everlet.io.sections import read_parts
from everlet.io.stages import stage
from everlet.io.trajectories import TrajectoryFrame, read_frames
from everlet.view import charts, page
from everlet.view.charts import Curve, chart
from everlet.view.citations import cited
from everlet.view.history import History, Run
from everlet.view.scene import MOST, Scene, of_mass
from everlet.view.seeds import seeded
from everlet.view.statistics import SETTLING, mean, running_mean, slope
from everlet.view.structure import FRAMES, Displacements, Distances

FIRST = ("temp", "etotal", "pe", "press")  # of columns, in this order; then all others
CONSERVED = ("econserve", "etotal")
MOST_WARNINGS = 50


@dataclass
class Atoms:
    """What a trajectory has told."""

    scene: Scene
    distances: Distances
    displacements: Displacements = field(default_factory=Displacements)
    note: str = ""


def made(history: History, trajectory: Path | None = None, data: Path | None = None, most: int = MOST,
         policy: str = page.POLICY, live: bool = False) -> str:
    """The page; `data`: a data file whose bonds are shown; `most`: bytes for frames; live: it is renewed (server.py)."""
    parts = [f"<h1>{html.escape(history.script.get('name') or history.path.name)}</h1>", _facts(history)]
    parts += [f"<p class='error'>{html.escape(text)}</p>" for text in history.errors]
    atoms = watched(history, trajectory, data, most) if trajectory is not None else None
    if atoms is not None:
        scene = atoms.scene.packed()
        parts.append(f"<h2>Atoms</h2>{page.player(scene)}<p class='facts'>{html.escape(atoms.note)}</p>")
    parts.append(thermo(history))
    parts.append(_structure(history, atoms) if atoms is not None else "")
    parts.append(speed(history))
    if history.warnings:
        shown = "".join(f"<p class='warning'>{html.escape(text)}</p>" for text in history.warnings[:MOST_WARNINGS])
        parts.append(f"<h2>Warnings ({len(history.warnings)})</h2>{shown}")
    parts.append(_input(history))
    papers = [[what, paper] for what, paper in cited(history.setup.get("styles", {}))]
    if papers:
        parts.append(f"<h2>To cite</h2>{page.table(['for', 'paper'], papers)}")
    scripts = ("page.js", *(("player.js",) if atoms is not None else ()), *(("live.js",) if live else ()))
    title = f"Everlet: {history.script.get('name') or history.path.name}"
    return page.page(title, f"<main>{''.join(parts)}</main>", scripts, policy)


def _facts(history: History) -> str:
    start, run = history.start, history.runs[-1] if history.runs else Run()
    versions = ", ".join(f"{name} {number}" for name, number in start.get("versions", {}).items())
    count = sum(int(one.summary.get("steps", 0)) for one in history.runs)
    styles, ranks = history.setup.get("styles", {}), "rank" if start.get("ranks", 1) == 1 else "ranks"
    return page.facts({
        "log": history.path.name, "atoms": str(run.begin.get("atoms") or run.summary.get("atoms") or ""),
        "runs": f"{len(history.runs)}, {count} steps in all",
        "timestep": f"{run.begin.get('timestep', '')} {history.unit('dt')}", "units": history.units_name,
        "styles": "; ".join(f"{kind} {', '.join(dict.fromkeys(names))}" for kind, names in styles.items()
                            if names and kind not in ("compute", "atom")),
        "device": f"{start.get('device', '')}, {start.get('precision', '')} precision, {start.get('ranks', 1)} {ranks}"
                  if "device" in start else "",
        "version": str(start.get("version", "")), "with": versions, "warnings": str(len(history.warnings)),
        "seeds": "; ".join(seeded(history.script.get("text", "")))})


def _time(history: History) -> tuple[str, float]:
    """The label of simulated time and the factor from steps; steps themselves where it is not known or changes."""
    steps = {float(run.begin.get("timestep") or 0.0) for run in history.runs}
    if len(steps) == 1 and (one := steps.pop()) > 0.0:
        return f"time ({history.unit('dt')})" if history.unit("dt") else "time", one
    return "steps", 1.0


def thermo(history: History) -> str:
    """Plots of all columns over steps, and a table of their means."""
    series = history.series() if history.runs else []
    runs = [history.runs[number] for number in series if history.runs[number].rows]
    words = dict.fromkeys(word for run in runs for row in run.rows for word in row)
    every = {word: [run.columns.get(word, np.full(len(run.rows), np.nan)) for run in runs]
             for word in dict.fromkeys([word for word in (*FIRST, *words) if word in words])}
    plots = []
    for word, parts in every.items():
        values = np.concatenate(parts)
        steps = np.concatenate(every["step"]) if "step" in every else np.arange(float(len(values)))
        if word == "step" or constant(values):
            continue
        curves = [Curve(history.heading(word), steps, values, thin=len(values) > charts.MOST_POINTS)]
        if len(values) >= 10:
            curves.append(Curve("running mean", steps, np.concatenate([running_mean(part) for part in parts])))
        plots.append(chart(history.heading(word), curves, "step" if "step" in every else "row", history.unit(word)))
    note = (f"<p class='facts'>Runs {series[0] + 1} to {series[-1] + 1} of {len(history.runs)}: before and after them steps "
            "are counted anew.</p>" if len(series) < len(history.runs) else "")
    return (f"<h2>Thermodynamic output</h2>{note}<div class='plots'>{''.join(plots)}</div>{_means(history)}{_drift(history)}"
            if plots or runs else "")


def constant(values: np.ndarray) -> bool:
    """Nothing that a plot could show."""
    known = values[np.isfinite(values)]
    return len(known) < 2 or bool(np.ptp(known) == 0.0)


def _longest(history: History) -> Run:
    return max(history.runs, key=lambda run: len(run.rows), default=Run())


def _means(history: History) -> str:
    longest, rows = _longest(history), []
    for word, values in longest.columns.items():
        found = mean(values)
        if word != "step" and found.count and not (constant(values) and found.value == 0.0):
            error = "too few rows" if np.isnan(found.error) else f"{found.error:.2g}"
            rows.append([history.heading(word), f"{found.value:.8g}", error, f"{found.deviation:.3g}", history.unit(word)])
    if not rows:
        return ""
    table = page.table(["quantity", "mean", "error", "deviation", "unit"], rows)
    return (f"<h3>Means of run {history.runs.index(longest) + 1}</h3>{table}<p class='facts'>Of {len(longest.rows)} rows "
            f"without the first {SETTLING:.0%}; errors of blocks, one standard deviation.</p>")


def _drift(history: History) -> str:
    columns, (label, factor) = _longest(history).columns, _time(history)
    word = next((word for word in CONSERVED if word in columns), "")
    if not word or "step" not in columns or len(columns[word]) < 3:
        return ""
    kept = slice(int(SETTLING * len(columns["step"])), None)
    time, values = columns["step"][kept] * factor, columns[word][kept]
    rise, offset = slope(time, values)
    scatter = float(np.std(values - rise * time - offset))
    per = label.replace("time (", "").rstrip(")") if factor != 1.0 else "step"
    meant = (" A thermostat or barostat changes it: thermo_style custom … econserve shows what is conserved."
             if word != "econserve" and _coupled(history) else "")
    return (f"<p>Drift of {history.heading(word)}: {rise:.3g} {history.unit(word)} per {per}, with a scatter of {scatter:.3g} "
            f"about the line.{meant}</p>")


def _coupled(history: History) -> bool:
    return any(name.startswith(("nvt", "npt", "nph", "langevin", "temp/", "press/"))
               for name in history.setup.get("styles", {}).get("fix", []))


def names_of_types(history: History) -> list[str]:
    """Labels of the script; else elements that have the masses of types, where masses are those of elements."""
    labels = history.setup.get("labels", {})
    return [labels.get(str(number)) or of_mass(mass, history.units) or f"type {number}"
            for number, mass in enumerate(history.setup.get("masses", []), 1)]


def watched(history: History, path: Path, data: Path | None, most: int) -> Atoms:
    """Read a trajectory once, for all that is made of it."""
    units = history.units
    dimension = int(history.runs[-1].begin.get("dimension", 3)) if history.runs else 3
    scene = Scene(names_of_types(history), bonds_of(history, data), units.label("length") if units is not None else "",
                  dimension, most)
    atoms = Atoms(scene, Distances(dimension))
    for number, frame in enumerate(_frames(path)):
        stage(f"frame {number + 1} of {path.name}")
        for name, arrow in (("speed", frame.velocities), ("force", frame.forces)):
            if arrow is not None:
                frame.values[name] = np.linalg.norm(arrow, axis=1)
        scene.add(frame)
        atoms.displacements.add(frame)
    for frame in scene.frames[len(scene.frames) // 2:][-FRAMES:]:
        atoms.distances.add(frame)
    few = f", every {scene.every} of them so that the page stays small" if scene.every > 1 else ""
    atoms.note = f"{path.name}: {scene.seen} frames{few}. Drag to turn, shift and drag to move, wheel to zoom."
    return atoms


def _frames(path: Path) -> Iterator[TrajectoryFrame]:
    """Of a file; of a name with *, of all such files by number."""
    paths = [path]
    if "*" in path.name:
        paths = sorted(path.parent.glob(path.name), key=lambda one: (len(one.name), one.name))
    if not paths or not all(one.is_file() for one in paths):
        raise InputError(f"there is no trajectory '{path}'", "give a file that a dump has written")
    for one in paths:
        yield from read_frames(one)


def bonds_of(history: History, data: Path | None) -> np.ndarray | None:
    """Bonds of the data file that is given, or that the script reads."""
    lines = [line.split() for line in history.script.get("text", "").splitlines()]
    named = [history.folder / line[1] for line in lines if line[:1] == ["read_data"] and len(line) > 1]
    path = data or next((one for one in reversed(named) if one.is_file()), None)
    if path is None:
        return None
    section = next((one for one in read_parts(str(path)).sections if one.name == "Bonds"), None)
    return None if section is None else np.array([[int(word) for word in text.split()[2:4]] for _, text in section.rows])


def _structure(history: History, atoms: Atoms) -> str:
    label, factor = _time(history)
    length = f" ({atoms.scene.length})" if atoms.scene.length else ""
    r, g = atoms.distances.result()
    lag, squares = atoms.displacements.result()
    plots = [chart("Radial distribution function", [Curve("g(r)", r, g)], f"r{length}", "g", zero=True) if len(r) else "",
             chart("Mean squared displacement", [Curve("MSD", lag * factor, squares)], label,
                   f"{atoms.scene.length}²" if atoms.scene.length else "", zero=True) if len(lag) else ""]
    note = ""
    if len(lag) > 3:
        rise, _ = slope(lag[len(lag) // 2:] * factor, squares[len(lag) // 2:])
        unit = f"{atoms.scene.length}²/{history.unit('dt')}" if factor != 1.0 else "per step"
        note = f"<p class='facts'>The second half of the displacements rises as 2 d D t with D = " \
               f"{rise / (2 * atoms.scene.dimension):.3g} {unit}, if atoms diffuse.</p>"
    return f"<h2>Structure and motion</h2><div class='plots'>{''.join(plots)}</div>{note}" if any(plots) else ""


def speed(history: History) -> str:
    """Where time went, and neighbours of the last run that has ended."""
    done = [run.summary for run in history.runs if run.summary]
    if not done:
        return ""
    rows = [[str(number), str(one.get("atoms", "")), str(one.get("steps", "")), f"{one.get('seconds', 0.0):.4g}",
             f"{one['steps'] / one['seconds']:.4g}" if one.get("seconds") else "",
             f"{one['steps'] * one['atoms'] / one['seconds'] / 1e6:.4g}" if one.get("seconds") else ""]
            for number, one in enumerate(done, 1)][-20:]
    last = max(done, key=lambda one: one.get("seconds") or 0.0)
    sections = {name: float(value) for name, value in last.get("sections", {}).items() if value}
    rest = float(last.get("seconds") or 0.0) - sum(sections.values())
    sections |= {"Other": rest} if sections and rest > 0.0 and "Other" not in sections else {}
    neighbours = last.get("neighbors") or 0
    counts = page.facts({
        "neighbours": f"{neighbours:.0f}, {neighbours / last['atoms']:.4g} of each atom" if last.get("atoms") else "",
        "ghost atoms": f"{last.get('ghosts', 0):.0f}", "lists built": f"{last.get('builds', 0):.0f} times in "
        f"{last.get('steps', 0)} steps", "dangerous builds": f"{last.get('dangerous', 0):.0f}"
        if last.get("check", True) else "not checked"})
    head = ["run", "atoms", "steps", "seconds", "steps/s", "million atom-steps/s"]
    return f"<h2>Time</h2>{page.table(head, rows)}{charts.bar(sections)}<h3>Neighbours</h3>{counts}"


def _input(history: History) -> str:
    text = history.script.get("text", "")
    if not text:
        return ""
    rest = "" if history.script.get("whole", True) else "<p class='facts'>Only its beginning: it is long.</p>"
    return f"<h2>Input</h2><pre>{html.escape(text)}</pre>{rest}"
