"""pair style sw/angle/table against the reference, and what it refuses."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.harness import Case, Tolerances, compare, run_everlet, run_lmp, working_in
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)
from tests.oracle.test_potentials import diamond

NUMBERS = "2.1683 2.0951 1.80 21.0 1.20 -0.333333333333 7.049556277 0.6022245584 4.0 0.0 0.0"


def section(name: str, rows: int, last: float = 180.0) -> str:
    """Energies of an angle, of which one is like that of sw, and forces per degree."""
    theta = np.linspace(0.0, last, rows)
    x = np.radians(theta)
    if name == "ONE":
        energy, slope = 20.0 * (np.cos(x) + 1 / 3) ** 2, -40.0 * (np.cos(x) + 1 / 3) * np.sin(x)
    else:
        energy, slope = 5.0 + 3.0 * np.sin(2.0 * x) + x * x, 6.0 * np.cos(2.0 * x) + 2.0 * x
    lines = [f"{k + 1} {t:.15g} {e:.15g} {-d * np.pi / 180.0:.15g}"
             for k, (t, e, d) in enumerate(zip(theta, energy, slope, strict=True))]
    return "\n".join([name, f"N {rows}", "", *lines, ""])


def files(way: str, other: str = "TWO", nodes: int = 120, last: float = 180.0) -> dict[str, str]:
    entries = [f"{a} {b} {c} {NUMBERS}\nangles.table {'ONE' if b == c else other if b == 'A' else 'TWO'} {way} {nodes}"
               for a, b, c in product("AB", repeat=3)]
    return {"two.sw": "\n".join(entries) + "\n", "angles.table": section("ONE", 181) + "\n" + section("TWO", 91, last)}


def case(way: str) -> Case:
    one = diamond("sw/angle/table", "two.sw", "A B", 5.431)
    one.files.update(files(way))
    return one


@pytest.mark.parametrize("way, device", [("linear", "serial"), ("spline", "reference")])
def test_the_reference(way: str, device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    one = case(way)
    found = run_everlet(one.full_script(), one.files, tmp_path, device=device)
    compare(found, run_lmp(one.full_script(), one.files, cache), Tolerances(1e-11, 1e-10))


@pytest.mark.parametrize("change, message", [
    ({"way": "cubic"}, "'cubic' is no way"), ({"nodes": 1}, "1 nodes"), ({"other": "ONE"}, "A A B and A B A differ"),
    ({"last": 170.0}, "0 to 180 degrees"),
])
def test_refused(change: dict[str, object], message: str, tmp_path: Path) -> None:
    given = files(**({"way": "linear"} | change))  # type: ignore[arg-type]
    for name, text in given.items():
        (tmp_path / name).write_text(text)
    sim = Simulation(device="reference", log="none", screen="none")
    with working_in(tmp_path), pytest.raises(InputError, match=message):
        sim.commands(diamond("sw/angle/table", "two.sw", "A B", 5.431).script + "\nrun 0\n")
