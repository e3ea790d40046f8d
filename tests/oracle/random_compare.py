"""Run a random script here and in the reference, and say how they differ.

    found = compare_script(case, folder)
    found.kind     agree, both refuse, only ours refuses, only the reference refuses, crash, differ
    found.lines    what differs, or the two error messages
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.harness import parse_dump, working_in, write_files
from tests.oracle.random_scripts import Script, Sizes
from tests.oracle.reference import launch

START, LATER = 1e-10, 1e-9
LONGEST = 60  # seconds
PRESSURES = {"Press", "Pxx", "Pyy", "Pzz", "Pxy", "Pxz", "Pyz", "c_pp", "c_pp[1]", "c_pp[4]"}
ENERGIES = {"PotEng", "KinEng", "TotEng", "E_vdwl", "E_pair", "E_tail", "Enthalpy", "c_ep", "c_eg", "v_e", "Econserve",
            "E_coul", "E_long", "E_bond", "E_angle", "E_dihed", "E_impro", "E_mol"}
LENGTHS = {"Lx", "Ly", "Lz", "Xlo", "Xhi", "Ylo", "Yhi", "Zlo", "Zhi", "Xy", "Xz", "Yz", "v_l", "Avecx", "Bvecx",
           "Bvecy", "Cvecy", "Cvecz"}
FORCES = {"Fmax", "Fnorm"}
TEMPERATURES = {"Temp", "c_tg"}
Table = dict[str, np.ndarray]


@dataclass
class Found:
    kind: str
    lines: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)  # what was compared


def run_reference(text: str, files: dict[str, str], folder: Path) -> str:
    """Empty, or the line with which the reference gives up."""
    write_files(folder, files | {"in.script": text})
    try:
        status = launch(folder, ["-nocite", "-in", "in.script", "-log", "run.log", "-screen", "none"], LONGEST).returncode
    except subprocess.TimeoutExpired:
        return f"no end after {LONGEST} seconds"
    if not status:
        return ""
    log = (folder / "run.log").read_text() if (folder / "run.log").exists() else ""
    errors = [line for line in log.splitlines() if line.startswith("ERROR")]
    return errors[-1] if errors else f"ended with status {status}"


def run_ours(text: str, files: dict[str, str], folder: Path) -> str:
    """Empty, or our error."""
    write_files(folder, files)
    with working_in(folder):
        simulation = Simulation(device="serial", screen="none", tune=False)
        try:
            simulation.commands(f"log run.log\n{text}\nlog none\n")
        except EverletError as error:
            return str(error)
        finally:
            simulation.close()
    return ""


def tables(log: str) -> list[Table]:
    """Thermo tables of any style (one, custom, multi, yaml), one for each run."""
    found: list[Table] = []
    names: list[str] = []
    rows: list[list[float]] = []
    for line in log.splitlines():
        words = line.split()
        if line.startswith("Loop time of"):
            if names:
                block = np.array(rows, float).reshape(len(rows), len(names))
                found.append({name: block[:, k] for k, name in enumerate(names)})
            names, rows = [], []
        elif words[:1] == ["Step"]:
            names, rows = words, []
        elif line.startswith("keywords:"):
            names, rows = [word.strip(" '\"") for word in line[line.index("[") + 1 : line.rindex("]")].split(",")
                           if word.strip()], []
        elif line.startswith("  - ["):
            rows.append([float(word) for word in line[5 : line.rindex("]")].split(",") if word.strip()])
        elif line.startswith("------------ Step"):
            names = ["Step"]
            rows.append([float(words[2])])
        elif names and re.match(r"\w+\s+= ", line):
            pairs = re.findall(r"(\w+)\s+=\s+(\S+)", line)
            names += [name for name, _ in pairs]
            rows[-1] += [float(value) for _, value in pairs]
        elif names and len(words) == len(names):
            try:
                rows.append([float(word) for word in words])
            except ValueError:
                continue
    return found


def scale_of(table: Table, name: str, sizes: Sizes) -> np.ndarray:
    family = next((f for f in (PRESSURES, ENERGIES, LENGTHS, FORCES, TEMPERATURES) if name in f), {name})
    scale = np.max([np.abs(table[member]) for member in table if member in family], axis=0)
    least = sizes.force if name in FORCES else sizes.temperature if name in TEMPERATURES else 0.0
    return np.maximum(scale, max(least, sizes.least) if name.startswith("c_rr") else least)


def compare_logs(ours: str, theirs: str, sizes: Sizes, later: float = LATER) -> list[str]:
    mine, reference = tables(ours), tables(theirs)
    if len(mine) != len(reference):
        return [f"{len(mine)} thermo tables, the reference has {len(reference)}"]
    wrong = []
    for at, (a, b) in enumerate(zip(mine, reference, strict=True)):
        if list(a) != list(b) or len(a["Step"]) != len(b["Step"]):
            wrong.append(f"table {at}: {list(a)} and {list(b)}, {len(a['Step'])} and {len(b['Step'])} rows")
            continue
        for name in b:
            if "Lost atoms" in theirs and name in (*TEMPERATURES, "v_e"):
                continue  # the reference keeps the degrees of freedom that it counted at the run's begin
            if at and name in ("Nbuild", "Ndanger"):
                continue  # the reference counts on in runs without a set-up (pre no)
            limit = np.full(len(b[name]), later)
            if at == 0:
                limit[:1] = START
            bad = ~(np.abs(a[name] - b[name]) <= limit * scale_of(b, name, sizes))
            bad &= ~(np.isnan(a[name]) & np.isnan(b[name])) & (a[name] != b[name])
            if bad.any():
                row = int(np.argmax(bad))
                wrong.append(f"table {at} row {row} {name}: {a[name][row]!r}, reference {b[name][row]!r}")
    return wrong


def compare_dump(ours: Path, theirs: Path, sizes: Sizes, later: float = LATER) -> list[str]:
    mine, reference = (parse_dump(path.read_text()) for path in (ours, theirs))
    if list(mine) != list(reference):
        return [f"{ours.name}: steps {list(mine)}, reference {list(reference)}"]
    wrong = []
    for step, b in reference.items():
        a = mine[step]
        if list(a) != list(b) or not np.array_equal(a["id"], b["id"]):
            wrong.append(f"{ours.name} step {step}: {len(a['id'])} and {len(b['id'])} atoms, or other ids or columns")
            continue
        other = np.any([a[i] != b[i] for i in ("ix", "iy", "iz")], axis=0)  # on a face, seen inside or outside
        for name in b:
            kind = name[0] if name[0] in "vf" else "x" if name[0] in "xyz" else name
            family = [n for n in b if (n[0] in "xyz" if kind == "x" else n[0] == kind)] if len(kind) == 1 else [name]
            if kind == "x" and "s" in name:
                family = [name]
            least = {"f": sizes.force, "v": sizes.speed}.get(kind, 0.0)
            scale = max(least, *(float(np.abs(b[n]).max(initial=0.0)) for n in family))
            bad = ~(np.abs(a[name] - b[name]) <= later * scale)
            if "xu" in b and name in ("x", "y", "z", "ix", "iy", "iz", "xs"):
                bad &= ~other
            if bad.any():
                row = int(np.argmax(bad))
                wrong.append(f"{ours.name} step {step} {name}: {bad.sum()} of {len(bad)} atoms, first {int(b['id'][row])}: "
                             f"{a[name][row]!r}, reference {b[name][row]!r}")
    return wrong


def data_rows(path: Path) -> dict[str, np.ndarray]:
    """Sections Atoms and Velocities by id, and the numbers of the box."""
    found: dict[str, list[list[float]]] = {"box": [], "Atoms": [], "Velocities": []}
    section = ""
    for line in path.read_text().splitlines()[1:]:
        words = line.split("#")[0].split()
        if words and words[0][0].isalpha():
            section = " ".join(words)
        elif words and section in found:
            found[section].append([float(word) for word in words])
        elif words and not section and words[-1] in ("xhi", "yhi", "zhi", "yz"):
            found["box"].append([float(word) for word in words if not word[0].isalpha()])
    for name in ("Atoms", "Velocities"):
        found[name].sort()
    return {name: np.array([x for row in rows for x in row]) for name, rows in found.items()}


def compare_data(ours: Path, theirs: Path) -> list[str]:
    mine, reference = data_rows(ours), data_rows(theirs)
    wrong = []
    for name, b in reference.items():
        a = mine[name]
        if a.shape != b.shape or not (np.abs(a - b) <= LATER * np.abs(b).max(initial=0.0)).all():
            wrong.append(f"{ours.name}: section {name} differs")
    return wrong


def compare_script(case: Script, folder: Path, later: float = LATER) -> Found:
    """`later`: relative tolerance of all but the first row."""
    text, files, sizes = case.text, case.files, case.sizes
    ours, theirs = folder / "ours", folder / "reference"
    their_error = run_reference(text, files, theirs)
    try:
        our_error = run_ours(text, files, ours)
    except Exception as error:  # anything but an EverletError is a fault of ours
        return Found("crash", [repr(error), their_error])
    if our_error or their_error:
        kind = "both refuse" if our_error and their_error else "only ours refuses" if our_error \
            else "only the reference refuses"
        return Found(kind, [our_error, their_error])
    wrong = compare_logs((ours / "run.log").read_text(), (theirs / "run.log").read_text(), sizes, later)
    for name in ("final.dump", "t.dump", "final.data"):
        if (theirs / name).exists() != (ours / name).exists():
            wrong.append(f"{name} is written by one only")
        elif (theirs / name).exists():
            wrong += compare_data(ours / name, theirs / name) if name.endswith("data") \
                else compare_dump(ours / name, theirs / name, sizes, later)
    return Found("differ" if wrong else "agree", wrong)
