"""One script through the reference and through Everlet: thermo tables, and all text files that it writes, number by number.

    differences(script, folder) -> lines, empty if both agree
    both_tables(folder, script) -> thermo tables of both, ours first; same_tables looks at their numbers
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from everlet import Simulation
from tests.oracle.harness import parse_log, working_in
from tests.oracle.reference import lmp

START, LATER = 1e-10, 1e-8


def differences(script: str, folder: Path, start: float = START, later: float = LATER) -> list[str]:
    theirs, mine = folder / "reference", folder / "ours"
    theirs.mkdir(parents=True)
    mine.mkdir()
    log = lmp(theirs, script)
    with working_in(mine):
        sim = Simulation(device="serial", screen="none", tune=False)
        try:
            sim.commands(f"log run.log\n{script}\nlog none\n")
        finally:
            sim.close()
    found = _tables(parse_log(log), parse_log((mine / "run.log").read_text()), start, later)
    names = {path.name for path in theirs.iterdir() if not path.name.startswith("in.")}
    others = {path.name for path in mine.iterdir() if not path.name.startswith("run.")}
    found += [f"only one has {name}" for name in sorted(names ^ others)]
    for name in sorted(names & others):
        found += [f"{name}, {line}" for line in _texts((theirs / name).read_text(), (mine / name).read_text(), start, later)]
    return found


def both_tables(folder: Path, script: str) -> tuple[list[dict[str, np.ndarray]], list[dict[str, np.ndarray]]]:
    theirs = parse_log(lmp(folder, script))
    with working_in(folder):
        sim = Simulation(device="serial", log="log.ours", screen="none")
        sim.commands(script)
        sim.close()
    return parse_log((folder / "log.ours").read_text()), theirs


def through_files(folder: Path, script: str, style: str, words: str, more: str = "",
                  ready: str = "") -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Numbers of atoms in the reference, and what they are in Everlet behind its data file, in the reference behind ours, and
    in Everlet behind a restart file. style: commands before read_data; more: behind it; ready: before the reference's dumps."""
    form = f"write_dump all custom {{}}.dump {words} modify sort id format float %.17g\n"
    with working_in(folder):
        lmp(folder, f"{script}{more}write_data ref.data\n{ready}{form.format('ref')}")
        sim = Simulation(screen="none", device="serial")
        sim.commands(f"{style}read_data ref.data nocoeff\n{more}write_data our.data\nwrite_restart our.restart\n"
                     + form.format("our"))
        lmp(folder, f"{style}read_data our.data\n{more}{ready}{form.format('back')}", "in.back")
        sim.commands(f"clear\nread_restart our.restart\n{more}{form.format('again')}")
        sim.close()
    found = {name: np.loadtxt(folder / f"{name}.dump", skiprows=9) for name in ("ref", "our", "back", "again")}
    return found.pop("ref"), found


def same_through_files(*arguments: Any) -> None:
    wanted, found = through_files(*arguments)
    for name, values in found.items():
        np.testing.assert_allclose(values, wanted, rtol=1e-14, err_msg=name)


def same_tables(ours: list[dict[str, np.ndarray]], theirs: list[dict[str, np.ndarray]], share: float = 1e-9,
                but: str = "") -> None:
    """All columns, but those whose names begin so, agree: within 1e-9, or `share` of the largest number or of 1."""
    for mine, wanted in zip(ours, theirs, strict=True):
        for word, values in wanted.items():
            if not (but and word.startswith(but)):
                size = max(1.0, np.abs(values).max())
                np.testing.assert_allclose(mine[word], values, rtol=1e-9, atol=share * size, err_msg=word)


def _tables(theirs: list[dict[str, np.ndarray]], mine: list[dict[str, np.ndarray]], start: float, later: float) -> list[str]:
    if [list(table) for table in theirs] != [list(table) for table in mine]:
        return ["the tables have other columns"]
    found = []
    for run, (one, other) in enumerate(zip(theirs, mine, strict=True)):
        for name, wanted in one.items():
            if len(wanted) != len(other[name]):
                found.append(f"run {run} {name}: {len(wanted)} and {len(other[name])} rows")
                continue
            size = np.abs(wanted).max(initial=1e-6)
            for row, (a, b) in enumerate(zip(wanted, other[name], strict=True)):
                if not abs(a - b) <= (later if run or row else start) * size and not (np.isnan(a) and np.isnan(b)):
                    found.append(f"run {run} row {row} {name}: {a!r} and {b!r}")
    return found


def _texts(theirs: str, mine: str, start: float, later: float) -> list[str]:
    """Words that are no numbers are the same, numbers near each other; a few digits count as they are."""
    one, other, frames = theirs.splitlines(), mine.splitlines(), 0
    if len(one) != len(other):
        return [f"{len(one)} and {len(other)} lines"]
    found = []
    for number, (a, b) in enumerate(zip(one, other, strict=True), 1):
        frames += "TIMESTEP" in a
        if a != b and not _near(a.split(), b.split(), later if frames > 1 else start):
            found.append(f"line {number}: {a!r} and {b!r}")
    return found[:3]


def _near(one: list[str], other: list[str], tolerance: float) -> bool:
    if len(one) != len(other):
        return False
    for a, b in zip(one, other, strict=True):
        try:
            x, y = float(a), float(b)
        except ValueError:
            if a != b:
                return False
            continue
        short = 1e-5 * abs(x) if len(a) < 10 else 0.0  # the last of six digits
        if not abs(x - y) <= tolerance * max(abs(x), 1.0) + short:
            return False
    return True
