"""pair style local/density: several densities of several types, also where they leave the points of their energies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.harness import COLUMNS, Case, Tolerances, compare, run_everlet, run_lmp, working_in
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)

PARTS = [("2.0 4.0", "1", "1 2", (0.0, 40.0)), ("1.5 3.5", "2", "1", (4.0, 12.0)), ("0.0 3.2", "1 2", "2", (-1.0, 5.0))]


def made_up(count: int = 3, points: int = 21) -> str:
    rng = np.random.default_rng(7)
    lines = ["made up", "of nothing", f"{count} {points}"]
    for ends, central, others, (low, high) in PARTS[:count]:
        lines += ["", ends, central, others, f"{low} {high} {(high - low) / (points - 1)}"]
        lines += [f"{one:.17g}" for one in rng.uniform(-1.0, 1.0, points)]
    return "\n".join(lines) + "\n\n"


def case(count: int) -> Case:
    lines = ["units metal", "lattice fcc 4.1", "region box prism 0 3 0 2 0 2 0.5 0 0", "create_box 2 box", "create_atoms 1 box",
             "mass * 30.0", "set group all type/fraction 2 0.4 4711", "displace_atoms all random 0.2 0.2 0.2 2377",
             "pair_style local/density", "pair_coeff * * my.ld", "velocity all create 600.0 87287", "neighbor 1.0 bin",
             "fix 1 all nve", "timestep 0.0005"]
    return Case("local/density", "\n".join(lines), "run 20", 10, [], {"my.ld": made_up(count)}, columns=COLUMNS)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("device", ["serial", "cpu"])
@pytest.mark.parametrize("scheme, newton", [("full", "on"), ("half", "on"), ("half", "off")])
def test_agrees_with_the_reference(count: int, device: str, scheme: str, newton: str, cache: Path,  # noqa: F811
                                   tmp_path: Path) -> None:
    one = case(count)
    expected = run_lmp(one.full_script(), one.files, cache, allowed="local density potentials")
    found = run_everlet(one.full_script(f"package everlet scheme {scheme}\nnewton {newton}"), one.files, tmp_path / "run",
                        device=device)
    compare(found, expected, Tolerances(1e-11, 1e-10))


@pytest.mark.parametrize("old, new, message", [
    ("3 21", "0 21", "0 densities"), ("2.0 4.0", "4.0 2.0", "R2 is more"), ("\n1 2\n", "\n1 3\n", "types go from 1 to 2"),
    ("40.0 2.0", "40.0 1.0", "do not agree"), ("made up", "2 21", "1 words|2 words|number")])
def test_files_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = made_up().replace(old, new, 1) if old != "made up" else made_up().replace("0.0 40.0 2.0\n", "", 1)
    (tmp_path / "my.ld").write_text(text)
    with pytest.raises(EverletError, match=message), working_in(tmp_path):
        Simulation(device="reference", log="none", screen="none").commands(
            "units metal\nregion box block 0 9 0 9 0 9\ncreate_box 2 box\nmass * 1\npair_style local/density\n"
            "pair_coeff * * my.ld\n")
