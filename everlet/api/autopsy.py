"""Why a run broke: the steps behind the last copy of the recorder again, one by one, until the first sign of it.

    lines = Autopsy(recorder, request…).report()

Signs, at the first step where one holds: a position, velocity or force that is no number; an atom that its force moves by
more than PUSHED of the mean distance in one step; one that is as fast as FAST of it in a step. If there is none, the atom
that is nearest to it. The force on that atom is then taken apart by differences of the parts of the energy; what is left of
it is that of fixes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from everlet.api.record import Record
from everlet.api.recorder import Copy
from everlet.errors import EverletError
from everlet.io.restart import write_restart
from everlet.run.outputs import Visit
from everlet.script.registry import command
from everlet.script.words import without_files
from everlet.session import Session

PUSHED, FAST = 0.02, 0.1  # of the mean distance
NUDGE = 1e-6  # of it, for differences of energies
PARTS = {"evdwl": "pair", "ecoul": "charges of pair", "elong": "kspace", "ebond": "bond", "eangle": "angle",
         "edihed": "dihedral", "eimp": "improper"}
WRITING = ("print", "python", "reaxff/bonds", "reaxff/species")  # fixes that only write
AROUND = 3.0  # mean distances: what is written of the surroundings


@dataclass
class Frame:
    """The worst of a step: how far, in mean distances, a force and a velocity move an atom in a step."""

    step: int
    pushed: float
    fast: float
    by_force: int  # ids
    by_speed: int
    broken: int  # id of an atom with numbers that are none, or 0

    @property
    def sign(self) -> tuple[int, str]:
        """The atom that shows a sign, and which; 0 if none does."""
        if self.broken:
            return self.broken, "has a position, velocity or force that is no number"
        if self.pushed > PUSHED:
            return self.by_force, f"is pushed by {self.pushed:.2g} of the mean distance in one step"
        return (self.by_speed, f"moves by {self.fast:.2g} of the mean distance in one step") if self.fast > FAST else (0, "")


class Autopsy:
    """copied: the state to begin at; lines: what was run between it and the run that broke at step `last`."""

    def __init__(self, copied: Copy, lines: list[str], last: int, make: Callable[[], Session], folder: Path):
        self.last, self.make, self.folder, self.ramp = last, make, folder, copied.ramp
        self.state = replace(copied.state, after=tuple(line for text in copied.state.after for line in quiet(text)))
        self.lines = [line for text in lines for line in quiet(text)]
        if copied.until > copied.state.step and lines:  # the run that it was taken in has ended
            self.lines.insert(0, f"run {copied.until - copied.state.step}")
        self.frames: list[Frame] = []
        self.distance = 1.0

    def session(self, restart: str = "") -> Session:
        """At the beginning of the run that broke; a restart file, if one is named, gets the state that it comes from."""
        session = self.make()
        self.state.put(session, Record())
        if restart:
            write_restart(session.system, restart)
        session.commands("\n".join(self.lines), "the flight recorder")
        system = session.system
        self.distance = (system.need_box().volume / system.natoms) ** (1.0 / system.dimension)
        return session

    def run(self, session: Session, steps: int) -> None:
        """So many steps, as in the run that broke."""
        begin, end = self.ramp
        ramp = {"start": begin, "stop": end} if begin <= session.system.step and session.system.step + steps <= end > 0 else {}
        session.run(steps, post=False, **ramp)  # type: ignore[arg-type]

    def look(self, session: Session) -> None:
        """Note the worst of this step."""
        system, atoms = session.system, session.system.atoms
        ids, x, v, f = (atoms.read(name) for name in ("id", "x", "v", "f"))
        with np.errstate(all="ignore"):
            pushed = np.sqrt((f[:, :3] ** 2).sum(1)) / system.masses_of() * system.units.ftm2v * system.dt**2 / self.distance
            fast = np.sqrt((v[:, :3] ** 2).sum(1)) * system.dt / self.distance
            broken = ~np.isfinite(pushed + fast + x[:, :3].sum(1))
        first = int(ids[np.argmax(broken)]) if broken.any() else 0
        pushed, fast = np.where(broken, 0.0, pushed), np.where(broken, 0.0, fast)
        self.frames.append(Frame(system.step, float(pushed.max()), float(fast.max()), int(ids[np.argmax(pushed)]),
                                 int(ids[np.argmax(fast)]), first))

    def _seen(self, session: Session) -> None:
        """At least one frame."""
        if not self.frames:
            self.look(session)

    def report(self) -> list[str]:
        """What is known of the failure, in lines."""
        self.folder.mkdir(exist_ok=True)
        restart = str(self.folder / "before.restart")
        session = self.session(restart)
        begin = session.system.step
        session.outputs.visits.append(Visit(begin - 1, 1, lambda: self.look(session), energy=False))
        try:
            self.run(session, 0)
            self._seen(session)
            if not self.frames[0].sign[0]:
                self.run(session, max(self.last - begin + 1, 1))
        except EverletError:
            self._seen(session)  # the first forces may be what fails
        lost = [str(one) for one in session.system.lost[:1]]
        session.close(False)
        sign = next((frame for frame in self.frames if frame.sign[0]), None)
        script = self._script(restart, max(self.last - begin + 1, 1))
        if sign is None:
            worst = max(self.frames, key=lambda frame: max(frame.pushed / PUSHED, frame.fast / FAST))
            about = [f"no sign of it in forces and velocities before; lost was {lost[0]}"] if lost else \
                [f"no sign of it in the steps before: the strongest push was on atom {worst.by_force} at step {worst.step}"]
            return ["flight recorder:", *about, self._written(restart, script)]
        atom, what = sign.sign
        usual = float(np.median([frame.pushed for frame in self.frames if frame.step <= sign.step]))
        lines = [f"flight recorder: the first sign is at step {sign.step}: atom {atom} {what}"
                 + (f" (usual: {usual:.2g})" if sign.step > begin and not sign.broken else "")]
        try:
            lines += self.about(atom, sign.step - 1 if sign.broken and sign.step > begin else sign.step)
        except EverletError as error:
            lines.append(f"the forces on it cannot be told apart: {error.cause}")
        return [*lines, self._written(restart, script)]

    def about(self, atom: int, step: int) -> list[str]:
        """Near whom an atom is at a step, and what pushes it."""
        session = self.session()
        self.run(session, 0)
        if step > session.system.step:
            self.run(session, step - session.system.step)
        session.commands("thermo_modify norm no")
        system, x, f, ids, kinds = session.system, *(session.gather(name) for name in ("x", "f", "id", "type"))
        place = int(np.searchsorted(ids, atom))
        apart = system.need_box().nearest(x[:, :3] - x[place, :3])
        away = np.sqrt((apart**2).sum(1))
        away[place] = np.inf
        near = int(np.argmin(away))
        self._surroundings(np.flatnonzero(away < AROUND * self.distance), place, apart, f, ids, kinds)
        lines = [f"it is of type {kinds[place]}; nearest to it is atom {ids[near]} (type {kinds[near]}), {away[near]:.4g} away"]
        force = f[place, :3].astype(float)
        size = float(np.sqrt(force @ force))
        if not np.isfinite(size) or size == 0.0:
            return lines
        fixes = [fix for fix in system.fixes.values() if fix.overrides("post_force")]
        parts = self._parts(session, x, place, force / size)
        rest = size - sum(parts.values())
        if fixes and abs(rest) > 1e-3 * size:
            parts["fixes"] = rest
        name, most = max(parts.items(), key=lambda one: abs(one[1]))
        told = f"fix {', '.join(fix.id for fix in fixes)}" if name == "fixes" else _style(system, name)
        return [*lines, f"the force on it is {size:.4g}, of which {most:.4g} are of {told}"]

    def _parts(self, session: Session, x: np.ndarray, place: int, way: np.ndarray) -> dict[str, float]:
        """Of the force along a direction, by differences of energies."""
        step = NUDGE * self.distance
        energies = []
        for side in (-1.0, 1.0):
            moved = x.copy()
            moved[place, :3] += side * step * way
            session.set_array("x", moved)
            energies.append(np.array([session.thermo_value(word) for word in PARTS]))
        slopes = (energies[0] - energies[1]) / (2.0 * step)
        return {name: float(slope) for name, slope in zip(PARTS, slopes, strict=True) if np.isfinite(slope)}

    def _surroundings(self, rows: np.ndarray, place: int, apart: np.ndarray, f: np.ndarray, ids: np.ndarray, kinds: np.ndarray
                      ) -> None:
        """An xyz file of the atom, which is at the origin, and what is around it."""
        picked = [place, *rows.tolist()]
        with open(self.folder / "around.xyz", "w", encoding="utf-8") as file:
            file.write(f'{len(picked)}\nProperties=species:S:1:pos:R:3:forces:R:3:id:I:1 pbc="F F F"\n')
            for row in picked:
                numbers = " ".join(f"{value:.8g}" for value in (*apart[row], *f[row, :3]))
                file.write(f"{kinds[row]} {numbers} {ids[row]}\n")

    def _script(self, restart: str, steps: int) -> Path:
        """A script that makes the steps again."""
        path = self.folder / "in.replay"
        dump = shlex.quote(str(self.folder / "replay.dump"))
        lines = [*self.state.before, f"read_restart {shlex.quote(restart)}", *self.state.after, *self.lines, "thermo 1",
                 "thermo_modify lost error", f"dump recorder all custom 1 {dump} id type x y z vx vy vz fx fy fz",
                 f"run {steps}"]
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        return path

    def _written(self, restart: str, script: Path) -> str:
        around = self.folder / "around.xyz"
        near = f"{around} (the atom at the origin), " if around.exists() else ""
        return (f"written: {near}{restart} (step {self.state.step}); "
                f"these steps again, by plain Python: everlet run {script} --device reference")


def quiet(line: str) -> list[str]:
    """A line without what it would write; none if it does nothing else."""
    words = line.split()
    says = command.says(words[0])
    if says.shows or says.unplanned:
        return []
    if words[0] == "fix" and len(words) > 3:
        return [] if words[3].startswith(WRITING) else [" ".join(["fix", *without_files(words[1:])])]
    return [line]


def _style(system: Any, part: str) -> str:
    """A part of the energy with the style that it is of."""
    kind = PARTS[part].split()[-1]
    style = {"pair": system.pair, "kspace": system.kspace}.get(kind, system.bonded.get(kind))
    return f"{PARTS[part]}_style {style.name}" if style is not None else part
