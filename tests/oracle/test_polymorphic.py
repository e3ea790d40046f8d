"""pair style polymorphic with smooth functions on fine tables, where the ways to interpolate agree."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.harness import COLUMNS, Case, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)
from tests.slopes import check_slopes

POINTS = 6001
CUTS = {(0, 0): 3.1, (1, 1): 3.6, (0, 1): 3.3}
XI = {(0, 0): 1.0, (1, 1): 0.0, (0, 1): 0.7}


def made_up(eta: int, points: int = POINTS) -> str:
    """Two elements; functions go to 0 at their cutoffs with their slopes."""
    pairs, far, x_max = list(CUTS), max(CUTS.values()), 40.0
    turns, orders = np.linspace(-1.0, 1.0, points), np.linspace(0.0, x_max, points)
    lines = [f"# UNITS: metal\n2 {eta}\n1 1.0 A\n2 2.0 B\n{points} {points} {points} {x_max}"]
    lines += [f"{CUTS[pair]} {XI[pair]}" for pair in pairs]
    tables = []
    for scale, rate in ((4.0, 1.5), (0.9, 1.0), (0.5, 0.4)):  # U V W
        for n, pair in enumerate(pairs):
            r = np.linspace(0.0, CUTS[pair], points)
            tables.append(scale * (1.0 + 0.1 * n) * np.exp(-rate * r) * (CUTS[pair] - r) ** 4)
    stretch = np.linspace(-far, far, points)
    tables += [np.exp(0.1 * (1 + n) * stretch) for n in range(8 if eta == 3 else 3)]
    tables += [0.3 + 0.05 * n + (turns + 0.3 + 0.02 * n) ** 2 for n, _ in enumerate(product((0, 1), repeat=3))]
    tables += [np.sqrt(1.0 + (0.7 + 0.2 * n) * orders) * (1 if eta == 1 else 0.2) for n in range(3)]
    lines += ["\n".join(f"{one:.17g}" for one in table) for table in tables]
    return "\n".join(lines) + "\n"


def case(eta: int) -> Case:
    lines = ["units metal", "lattice diamond 4.6", "region box block 0 2 0 2 0 2", "create_box 2 box", "create_atoms 1 box",
             "mass * 30.0", "set group all type/fraction 2 0.5 993", "displace_atoms all random 0.1 0.1 0.1 2377",
             "pair_style polymorphic", f"pair_coeff * * my{eta}.poly B A", "velocity all create 600.0 87287",
             "neighbor 1.0 bin", "fix 1 all nve", "timestep 0.0002"]
    return Case(f"my{eta}.poly", "\n".join(lines), "run 10", 5, [], {f"my{eta}.poly": made_up(eta)}, columns=COLUMNS)


@pytest.mark.parametrize("eta", [0, 1, 3])
@pytest.mark.parametrize("device", ["serial", "cpu"])
def test_smooth_tables_agree_with_the_reference(eta: int, device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    one = case(eta)
    expected = run_lmp(one.full_script(), one.files, cache)
    compare(run_everlet(one.full_script(), one.files, tmp_path / "run", device=device), expected, Tolerances(1e-9, 1e-8))


@pytest.mark.parametrize("eta", [0, 1, 3])
def test_forces_are_slopes(eta: int, tmp_path: Path) -> None:
    """Also of coarse tables, where the reference jumps."""
    (tmp_path / "my.poly").write_text(made_up(eta, 60))
    lines = case(eta).script.replace(f"my{eta}.poly", str(tmp_path / "my.poly"))
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(f"{lines}\nthermo_style custom step pe\nrun 0\n")
    check_slopes(sim, ((3, 0), (17, 2)), 1e-6)
    sim.close()


@pytest.mark.parametrize("old, new, message", [
    ("2 0\n", "2 2\n", "eta is 2"), ("1 1.0 A", "1 A", "number mass name"), ("3.1 1.0\n", "3.1\n", "r_c xi"),
    ("40.0\n", "0.0\n", "more than 0"), ("2 2.0 B", "2 2.0 C", "no element 'B'")])
def test_files_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "my.poly").write_text(made_up(0, 8).replace(old, new, 1))
    lines = case(0).script.replace("my0.poly", str(tmp_path / "my.poly"))
    with pytest.raises(EverletError, match=message):
        Simulation(device="reference", log="none", screen="none").commands(lines)
