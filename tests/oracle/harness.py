"""Run one script through the reference (`lmp`) and through Everlet, and compare what both wrote.

    case = load_case(path)                       one YAML file, see tests/cases/README.md
    ref = run_lmp(case.full_script(), case.files, cache)
    our = run_everlet(case.full_script(), case.files, folder, device="serial")
    compare(our, ref, Tolerances())

A Result holds the thermo tables and the dump frames, both read from the written files: log and dump formats are part
of what is compared.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import yaml

from tests.oracle.reference import launch

COLUMNS = "step atoms temp pe ke etotal evdwl press pxx pyy pzz pxy pxz pyz vol lx ly lz"
DUMP = "forces.dump"
FORCES_NOW = """thermo_modify norm no format float %.17g
dump forces all custom 1 {dump} id type xu yu zu fx fy fz
dump_modify forces sort id format float %.17g
fix 1 all nve
run 0
"""
LOG = "run.log"

# Columns of one family share a scale: pxy of a cubic crystal or ke + pe near zero are differences of large numbers,
# and a tolerance relative to the difference would test round-off of the reference, not our answer.
PRESSURES = {"Press", "Pxx", "Pyy", "Pzz", "Pxy", "Pxz", "Pyz"}
ENERGIES = {"PotEng", "KinEng", "TotEng", "E_vdwl", "E_pair", "Enthalpy", "E_tail"}
FAMILIES = (PRESSURES, ENERGIES)


@dataclass
class Case:
    """One YAML case: a script up to its run, the run commands, and how closely the two codes must agree."""

    name: str
    script: str
    run: str
    every: int
    variants: list[dict[str, str]]
    files: dict[str, str] = field(default_factory=dict)
    start: float = 1e-12
    later: float = 1e-9
    force: float = 0.0
    columns: str = COLUMNS
    refused: dict[str, str] = field(default_factory=dict)
    mixed: float = 1e-5
    forces: list[str] = field(default_factory=list)
    energy: float = 0.0
    differences: list[str] = field(default_factory=list)

    def refuses(self, variant: dict[str, str]) -> bool:
        return any(variant.get(key) == value for key, value in self.refused.items())

    def full_script(self, before: str = "") -> str:
        """The script with output at full precision; `before` is put in front of it."""
        output = [
            f"thermo_style custom {self.columns}",
            "thermo_modify format float %.17g",
            f"thermo {self.every}",
            f"dump forces all custom {self.every} {DUMP} id type xu yu zu fx fy fz",
            "dump_modify forces sort id format float %.17g",
        ]
        return "\n".join([before, self.script, *output, self.run]).strip() + "\n"


@dataclass
class Tolerances:
    """Relative: `start` for the first thermo row and dump frame, `later` for the rest (None: not compared)."""

    start: float = 1e-12
    later: float | None = 1e-9
    first_force: float | None = None  # forces of the first frame, when it differs from `start`
    first_pressure: float | None = None  # pressures of the first row, likewise
    force_scale: float = 0.0  # size of a force where all of them cancel
    energy_scale: float = 0.0  # size of the energy where its parts cancel
    forces: tuple[str, ...] = ()  # columns that are sums of forces: first_force is for their first row too
    differences: tuple[str, ...] = ()  # columns that are differences of energies


@dataclass
class Result:
    """What one run wrote: a thermo table per run command, dump frames by step."""

    thermo: list[dict[str, np.ndarray]]
    frames: dict[int, dict[str, np.ndarray]]
    log: str


KEYS = {"about", "script", "run", "every", "variants", "files", "start", "later", "force", "columns", "refused", "mixed",
        "forces", "energy", "differences"}


def load_case(path: Path) -> Case:
    """Read a YAML case; misspelt keys are refused, so that no tolerance or variant is lost."""
    data = yaml.safe_load(path.read_text())
    unknown = set(data) - KEYS
    if unknown:
        raise ValueError(f"{path.name}: unknown keys {sorted(unknown)}, known {sorted(KEYS)}")
    return Case(
        name=path.stem,
        script=data["script"],
        run=data.get("run", "run 100"),
        every=int(data.get("every", 50)),
        variants=data.get("variants", []),
        files=data.get("files", {}),
        start=float(data.get("start", 1e-12)),
        later=float(data.get("later", 1e-9)),
        force=float(data.get("force", 0.0)),
        columns=data.get("columns", COLUMNS),
        refused=data.get("refused", {}),
        mixed=float(data.get("mixed", 1e-5)),
        forces=data.get("forces", []),
        energy=float(data.get("energy", 0.0)),
        differences=data.get("differences", []),
    )


def parse_log(text: str) -> list[dict[str, np.ndarray]]:
    """Thermo tables of a log in the usual format: a line that starts with Step, rows, `Loop time of`."""
    tables: list[dict[str, np.ndarray]] = []
    names: list[str] | None = None
    rows: list[list[float]] = []
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == "Step":
            names, rows = words, []
        elif line.startswith("Loop time of") and names is not None:
            table = np.array(rows, dtype=float).reshape(len(rows), len(names))
            tables.append({name: table[:, i] for i, name in enumerate(names)})
            names = None
        elif names is not None:
            with contextlib.suppress(ValueError):  # warnings and fix output may stand between the rows
                values = [float(word) for word in words]
                if len(values) == len(names):
                    rows.append(values)
    return tables


def parse_dump(text: str) -> dict[int, dict[str, np.ndarray]]:
    """Frames of a `dump custom` file by step, rows in order of id."""
    frames: dict[int, dict[str, np.ndarray]] = {}
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        if lines[at].strip() != "ITEM: TIMESTEP":
            raise ValueError(f"dump line {at + 1}: expected ITEM: TIMESTEP, found '{lines[at]}'")
        step, atoms = int(lines[at + 1]), int(lines[at + 3])
        header = lines[at + 8]
        if not header.startswith("ITEM: ATOMS "):
            raise ValueError(f"dump line {at + 9}: expected ITEM: ATOMS, found '{header}'")
        names = header.split()[2:]
        body = lines[at + 9 : at + 9 + atoms]
        values = np.array([line.split() for line in body], dtype=float).reshape(atoms, len(names))
        values = values[np.argsort(values[:, names.index("id")], kind="stable")]
        frames[step] = {name: values[:, i] for i, name in enumerate(names)}
        at += 9 + atoms
    return frames


def read_result(folder: Path) -> Result:
    """The log and, if there is one, the dump that a run left in `folder`."""
    log = (folder / LOG).read_text()
    dump = folder / DUMP
    return Result(parse_log(log), parse_dump(dump.read_text()) if dump.exists() else {}, log)


def write_files(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)


HARMLESS = "Using largest cutoff for"  # what styles with dispersion of all images say whatever is given


def run_lmp(script: str, files: dict[str, str], cache: Path, args: tuple[str, ...] = (), allowed: str = "") -> Result:
    """Run the reference, or take its earlier result from `cache` (one folder per content of script, files and args).

    Warnings count as errors, but for those with the words `allowed` in them.
    """
    key = hashlib.sha256(repr((script, sorted(files.items()), args)).encode()).hexdigest()[:20]
    done = cache / key
    if not done.exists():
        folder = cache / f"{key}.{uuid.uuid4().hex[:8]}"  # another test worker may be running the same script
        write_files(folder, files | {"in.script": script})
        process = launch(folder, ["-nocite", "-in", "in.script", "-log", LOG, "-screen", "none", *args])
        log = (folder / LOG).read_text() if (folder / LOG).exists() else ""
        complaints = [line for line in log.splitlines() if line.startswith(("ERROR", "WARNING"))]
        complaints = [line for line in complaints if (not allowed or allowed not in line) and HARMLESS not in line]
        if process.returncode or complaints:
            raise RuntimeError(f"the reference refuses the script: {complaints}\n{process.stderr}\n{log[-2000:]}")
        with contextlib.suppress(OSError):  # the other worker was first
            folder.rename(done)
    return read_result(done)


@contextlib.contextmanager
def working_in(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run_everlet(script: str, files: dict[str, str], folder: Path, device: str = "serial",
                precision: str = "double", threads: int = 0) -> Result:
    """Run a script in this process, in `folder`, and read what it wrote there."""
    from everlet import Simulation

    write_files(folder, files)
    with working_in(folder):
        simulation = Simulation(device=device, threads=threads, precision=precision, screen="none")
        simulation.commands(f"log {LOG}\n{script}\nlog none\n")
    return read_result(folder)


def _scale(table: dict[str, np.ndarray], name: str) -> np.ndarray:
    family = next((f for f in FAMILIES if name in f), {name})
    return np.max([np.abs(table[member]) for member in table if member in family], axis=0)


def compare_thermo(our: Result, ref: Result, tolerance: Tolerances) -> list[str]:
    """Differences between the thermo tables, one line each."""
    if len(our.thermo) != len(ref.thermo):
        return [f"{len(our.thermo)} thermo tables, the reference has {len(ref.thermo)}"]
    wrong: list[str] = []
    for number, (mine, theirs) in enumerate(zip(our.thermo, ref.thermo, strict=True)):
        if list(mine) != list(theirs):
            wrong.append(f"table {number}: columns {list(mine)}, the reference has {list(theirs)}")
            continue
        if not np.array_equal(mine["Step"], theirs["Step"]):
            wrong.append(f"table {number}: steps {mine['Step']}, the reference has {theirs['Step']}")
            continue
        for name, expected in theirs.items():
            error = np.abs(mine[name] - expected)
            scale = _scale(theirs, name)
            if name in ENERGIES or name in tolerance.differences:
                scale = np.maximum(scale, tolerance.energy_scale)
            for row, step in enumerate(theirs["Step"]):
                limit = tolerance.start if number == 0 and row == 0 else tolerance.later
                if number == 0 and row == 0 and name in PRESSURES and tolerance.first_pressure is not None:
                    limit = tolerance.first_pressure
                if number == 0 and row == 0 and name in tolerance.forces and tolerance.first_force is not None:
                    limit = tolerance.first_force
                if limit is not None and not error[row] <= limit * scale[row]:
                    relative = error[row] / scale[row] if scale[row] else np.inf
                    wrong.append(f"table {number} step {int(step)} {name}: {mine[name][row]!r}, reference "
                                 f"{expected[row]!r}, relative error {relative:.2e} > {limit:g}")
    return wrong


def compare_frames(our: Result, ref: Result, tolerance: Tolerances) -> list[str]:
    """Differences between dumped positions (relative to their extent) and forces (relative to the largest force)."""
    if list(our.frames) != list(ref.frames):
        return [f"dump steps {list(our.frames)}, the reference has {list(ref.frames)}"]
    wrong: list[str] = []
    # the forces of a perfect lattice cancel; the largest force of the run says what they are made of
    largest = max((np.max(np.abs([f[c] for c in ("fx", "fy", "fz")])) for f in ref.frames.values()), default=0.0)
    largest = max(largest, tolerance.force_scale)
    for number, (step, theirs) in enumerate(ref.frames.items()):
        mine = our.frames[step]
        if list(mine) != list(theirs) or not np.array_equal(mine["id"], theirs["id"]):
            wrong.append(f"dump step {step}: columns or atom ids differ: {list(mine)} and {list(theirs)}, "
                         f"{len(mine['id'])} and {len(theirs['id'])} atoms")
            continue
        if not np.array_equal(mine["type"], theirs["type"]):
            changed = theirs["id"][mine["type"] != theirs["type"]].astype(int)
            wrong.append(f"dump step {step}: types differ for atoms {changed[:8]} ({len(changed)} in all)")
        extent = np.max(np.abs([theirs[c] for c in ("xu", "yu", "zu")]))
        for name in ("xu", "yu", "zu", "fx", "fy", "fz"):
            isforce = name.startswith("f")
            limit = tolerance.start if number == 0 else tolerance.later
            if number == 0 and isforce and tolerance.first_force is not None:
                limit = tolerance.first_force
            if limit is None:
                continue
            error = np.abs(mine[name] - theirs[name])
            scale = largest if isforce else extent
            at = int(np.argmax(error)) if np.all(np.isfinite(error)) else int(np.argmin(np.isfinite(error)))
            if not error[at] <= limit * scale:
                wrong.append(f"dump step {step} {name} of atom {int(theirs['id'][at])}: {mine[name][at]!r}, reference "
                             f"{theirs[name][at]!r}, error {error[at] / scale if scale else np.inf:.2e} of the "
                             f"{'largest force' if isforce else 'extent'} > {limit:g}")
    return wrong


def compare_said(our: Result, ref: Result, tolerance: Tolerances) -> list[str]:
    """Differences between the log lines that scripts printed with the prefix `SAY `.

    Numbers in them may come from any step: with tolerance.later None only the other words are compared.
    """
    limit = np.inf if tolerance.later is None else tolerance.later
    mine, theirs = ([line for line in r.log.splitlines() if line.startswith("SAY ")] for r in (our, ref))
    if len(mine) != len(theirs):
        return [f"{len(mine)} printed lines, the reference has {len(theirs)}: {mine} and {theirs}"]
    return [f"printed '{a}', the reference '{b}'" for a, b in zip(mine, theirs, strict=True)
            if not same_text(a, b, limit)]


def same_text(a: str, b: str, limit: float) -> bool:
    """Equal word by word; numbers may differ by `limit`, relative."""
    mine, theirs = a.split(), b.split()
    return len(mine) == len(theirs) and all(_same_word(x, y, limit) for x, y in zip(mine, theirs, strict=True))


def _same_word(a: str, b: str, limit: float) -> bool:
    if a == b:
        return True
    try:
        error, size = abs(float(a) - float(b)), abs(float(b))
        return bool(np.isinf(limit) or error <= limit * size)
    except ValueError:
        return False


def compare(our: Result, ref: Result, tolerance: Tolerances | None = None) -> None:
    """AssertionError that lists where two results differ."""
    tolerance = tolerance or Tolerances()
    wrong = [line for part in (compare_thermo, compare_frames, compare_said) for line in part(our, ref, tolerance)]
    if wrong:
        more = f"\n… and {len(wrong) - 12} more" if len(wrong) > 12 else ""
        raise AssertionError("differs from the reference:\n" + "\n".join(wrong[:12]) + more)
