"""Computes over neighbours on several ranks: the same numbers as on one, and trajectories that do not know of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import parse_dump, parse_log
from tests.oracle.test_nearby import LJ, METAL, METALS, SYSTEMS, script
from tests.scripts import crystal

PARTS = "dump 2 all custom 10 parts.%.dump id c_pe c_st[4] c_ct[2]\ndump_modify 2 format float %.17g\n"
TWICE = "variable twice atom 2*c_pe\ndump 4 all custom 10 twice.dump id v_twice\ndump_modify 4 sort id format float %.17g\n"
PLACES = "dump 3 all custom 10 places.dump id x y z vx vy vz\ndump_modify 3 sort id format float %.17g\n"
SCRIPTS = {name: (script(system, pair, r) + PARTS + TWICE + PLACES + "run 30\n", {}) for name, system, pair, r in (
    ("tilted", SYSTEMS["tilted"], LJ, 1.7), ("tiny", SYSTEMS["tiny"], LJ, 1.7), ("slab", SYSTEMS["slab"], LJ, 1.7),
    ("flat", SYSTEMS["flat"], LJ, 1.7), ("metal", METAL, METALS["hybrid"], 4.0))}


def without(text: str) -> str:
    """The script without the computes and what uses them."""
    kept = [line for line in text.splitlines() if "c_" not in line and not line.startswith((
        "compute", "variable", "dump 4", *(f"dump_modify {k}" for k in (1, 2, 4))))]
    return "\n".join(kept).replace("dump_modify 3", "thermo 10\ndump_modify 3") + "\n"


def frames(place: Path, pattern: str, step: int) -> dict[int, np.ndarray]:
    """Rows of all files of a step, by ID."""
    found = {}
    for path in sorted(place.glob(pattern)):
        frame = parse_dump(path.read_text())[step]
        found |= {int(id): np.array(row) for id, *row in np.array(list(frame.values())).T}
    return found


@pytest.mark.parametrize("counts", [(3,), pytest.param((2,), marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(counts: tuple[int, ...], tmp_path: Path) -> None:
    alone = run_scripts(1, SCRIPTS, tmp_path)
    for ranks in counts:
        for name, place in run_scripts(ranks, SCRIPTS, tmp_path).items():
            mine, theirs = (parse_log((folder / "run.log").read_text())[0] for folder in (place, alone[name]))
            assert len(mine["Step"]) == 4
            for word, values in theirs.items():
                np.testing.assert_allclose(mine[word], values, rtol=1e-9, atol=1e-9, err_msg=f"{name} {ranks} {word}")
            for pattern in ("values.dump", "parts.*.dump", "twice.dump"):
                for step in (0, 30):
                    some, others = (frames(folder, pattern, step) for folder in (place, alone[name]))
                    assert sorted(some) == sorted(others)
                    size = max(np.abs(row).max() for row in others.values())
                    for id, row in others.items():
                        np.testing.assert_allclose(some[id], row, rtol=0, atol=1e-10 * size, err_msg=f"{name} {ranks} {id}")
            assert len(list(place.glob("parts.*.dump"))) == ranks


def test_trajectories_are_the_same_without_them(tmp_path: Path) -> None:
    chosen = {name: SCRIPTS[name] for name in ("tilted", "metal")}
    plain = {f"{name}-plain": (without(text), files) for name, (text, files) in chosen.items()}
    places = run_scripts(2, chosen | plain, tmp_path)
    for name in chosen:
        mine, theirs = ((places[one] / "places.dump").read_text() for one in (name, f"{name}-plain"))
        assert mine.count("TIMESTEP") == 4 and mine == theirs


ARRANGED = crystal("0 6 0 4 0 4", "fcc 0.8", types=2) + """
group third id 3:300:3
set group third type 2
mass * 1.0
velocity all create 1.2 4928459 loop all
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
compute a all adf 18 1 1 2 0.5 1.3 0.9 1.6 * * * 0 1.5 0 1.5
compute o all orientorder/atom nnn NULL degrees 1 6 components 6 cutoff 1.5
compute c all coord/atom cutoff 1.5 group third
compute d all coord/atom orientorder o 0.3
compute s all chunk/atom bin/sphere 3 2 2 0 2 5
compute p all property/chunk s count
compute t all chunk/atom type
compute h all temp/chunk t temp com yes
compute m all msd average yes
compute b all born/matrix
compute r all reduce sum c_c c_d
fix 1 all nve
thermo_style custom step temp c_r[1] c_r[2] c_p[3] c_m[4] c_a[5][2] c_a[9][4] c_b[1] c_b[9] c_h c_h[1][1]
thermo_modify format float %.17g
thermo 20
run 40
"""


def test_arrangements(tmp_path: Path) -> None:
    """Numbers of ghosts come from their owners whenever they are asked for."""
    one, two = (run_scripts(ranks, {"arranged": (ARRANGED, {})}, tmp_path)["arranged"] for ranks in (1, 2))
    wanted, found = (parse_log((place / "run.log").read_text())[0] for place in (one, two))
    for word, values in wanted.items():
        np.testing.assert_allclose(found[word], values, rtol=1e-9, atol=1e-9, err_msg=word)
