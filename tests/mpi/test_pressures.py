"""Stresses about centres and pressures in shells do not depend on the number of ranks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.mpi.ranks import run_scripts
from tests.oracle.test_centroid import COMPUTES, mixture
from tests.oracle.test_shells import SCRIPT

SHELLS = SCRIPT.format(mass=1.5) + "".join(
    f'fix {name} all ave/time 1 1 1 c_{name}[*] mode vector file {name}.txt format " %.15g"\n' for name in "sck") + "run 0\n"


def numbers(path: Path) -> np.ndarray:
    return np.array([float(word) for line in path.read_text().splitlines() if line[0].isdigit() for word in line.split()])


def test_three_ranks_agree_with_one(tmp_path: Path) -> None:
    scripts = {"centres": (f"log run.log\n{mixture(tmp_path)}{COMPUTES}", {}), "shells": (f"log run.log\n{SHELLS}", {})}
    alone, three = (run_scripts(ranks, scripts, tmp_path) for ranks in (1, 3))
    for name, files in (("centres", ["out.dump"]), ("shells", ["s.txt", "c.txt", "k.txt"])):
        for file in files:
            wanted, found = (numbers(places[name] / file) for places in (alone, three))
            np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())
