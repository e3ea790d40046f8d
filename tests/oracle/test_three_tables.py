"""pair style threebody/table against the reference, and what it refuses."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.harness import Case, Tolerances, compare, run_everlet, run_lmp, working_in
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)
from tests.oracle.test_potentials import diamond


def section(name: str, n: int, alike: bool, seed: int, lopsided: float = 0.0) -> str:
    """Random rows that are the same with j and k exchanged, but for `lopsided`: as the reference reads them."""
    low, high = 1.9, 3.1
    rows = 0.3 * np.random.default_rng(seed).normal(size=(n, n, 2 * n, 4))
    lines = [name, f"N {n} rmin {low} rmax {high}", ""]
    for a, b, t in product(range(n), range(n), range(2 * n)):
        if b < a and alike:
            continue
        e, of_j, of_k, across = rows[a, b, t] if a < b else rows[b, a, t][[0, 2, 1, 3]]
        of_k = of_j if a == b else of_k
        e += lopsided * (a > b)
        first, second = (low + (high - low) * k / (n - 1) for k in (a, b))
        lines.append(f"{len(lines) - 2} {first:.10g} {second:.10g} {(t + 0.5) * 90.0 / n:.10g} {-of_j} {-of_k} {of_j} {across} "
                     f"{of_k} {-across} {e}")
    return "\n".join(lines) + "\n\n"


def files(way: str = "linear", cut: float = 3.0, lopsided: float = 0.0, head: str = "N 5") -> dict[str, str]:
    entries = [f"{a} {b} {c} {cut if a == b else 3.05} three.table {'S' if b == c else 'U'} {way} 5"
               for a, b, c in product("AB", repeat=3)]
    table = "# rows\n\n" + section("S", 6, True, 1) + section("U", 5, False, 2, lopsided).replace("N 5", head)
    return {"two.3b": "\n".join(entries) + "\n", "three.table": table}


def case() -> Case:
    one = diamond("threebody/table", "two.3b", "A B", 5.2)
    one.files.update(files())
    return one


@pytest.mark.parametrize("device", ["reference", "serial"])
def test_the_reference(device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    one = case()
    found = run_everlet(one.full_script(), one.files, tmp_path, device=device)
    compare(found, run_lmp(one.full_script(), one.files, cache), Tolerances(1e-11, 1e-10))


@pytest.mark.parametrize("change, message", [
    ({"way": "spline"}, "are linear, found 'spline'"), ({"cut": -1.0}, "cutoff is -1"),
    ({"lopsided": 0.1}, "tables of A A B and A B A differ"), ({"head": "N 1"}, "N 1 rmin"), ({"head": "M 5"}, "is not N"),
    ({"head": "N 7"}, "ends where|a row has"),
])
def test_refused(change: dict[str, object], message: str, tmp_path: Path) -> None:
    for name, text in files(**change).items():  # type: ignore[arg-type]
        (tmp_path / name).write_text(text)
    sim = Simulation(device="reference", log="none", screen="none")
    with working_in(tmp_path), pytest.raises(InputError, match=message):
        sim.commands(diamond("threebody/table", "two.3b", "A B", 5.2).script + "\nrun 0\n")
