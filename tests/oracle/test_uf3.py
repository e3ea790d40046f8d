"""pair style uf3 against the reference: made-up files of two elements, knots at equal and at other distances.

The published file is among the files of test_potentials.py and test_shares.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.oracle.harness import COLUMNS, Case, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_cases import DEVICES, MIXED, cache  # noqa: F401  (a fixture)

HEAD = "#UF3 POT UNITS: metal DATE: today AUTHOR: nobody CITATION:"
PAIRS, ANGLES = 5.0, 3.5  # cutoffs


def knots(low: float, high: float, intervals: int, even: bool, rng: np.random.Generator) -> np.ndarray:
    inner = np.linspace(low, high, intervals + 1)
    if not even:
        inner[1:-1] += rng.uniform(-0.3, 0.3, intervals - 1) * (high - low) / intervals
    return np.concatenate([[low] * 3, inner, [high] * 3])


def line(values: np.ndarray) -> str:
    return " ".join(map(repr, values.tolist()))


def made_up(even: bool, low: float = 0.0, elements: str = "AB", seed: int = 1) -> str:
    """A file of splines that end smoothly. `low`: where those of angles begin."""
    rng, word, lines = np.random.default_rng(seed), "uk" if even else "nk", list[str]()
    unlike = [(a, b) for k, a in enumerate(elements) for b in elements[k:]]
    for a, b in unlike:
        t = knots(0.0, PAIRS, 11, even, rng)
        c = np.concatenate([rng.normal(0.0, 0.05, len(t) - 7), np.zeros(3)])
        lines += [HEAD, f"2B {a} {b} 0 3 {word}", f"{PAIRS} {len(t)}", line(t), f"{len(c)}", line(c), "#"]
    for centre in elements:
        for a, b in unlike:
            first = knots(low, ANGLES, 6, even, rng)
            axes = first, first if a == b else knots(low, ANGLES, 7, even, rng), knots(low, 2.0 * ANGLES, 9, even, rng)
            shape = [len(t) - 4 for t in axes]
            c = rng.normal(0.0, 0.02, shape)
            c[-3:] = c[:, -3:] = c[:, :, -3:] = 0.0
            if a == b:
                c = 0.5 * (c + c.transpose(1, 0, 2))
            lines += [HEAD, f"3B {centre} {a} {b} 0 3 {word}", f"{2 * ANGLES} {ANGLES} {ANGLES} "
                      + " ".join(str(len(t)) for t in axes[::-1]), *(line(t) for t in axes[::-1]),
                      " ".join(map(str, shape)), *(line(row) for row in c.reshape(-1, shape[2])), "#"]
    return "\n".join(lines) + "\n"


KINDS = {"even": (made_up(True), "3", "A B"), "uneven": (made_up(False), "3", "B A"), "pairs": (made_up(False), "2", "A B"),
         "begins": (made_up(True, 1.4), "3", "B B")}


def case(bodies: str, elements: str) -> Case:
    lines = ["units metal", "lattice bcc 3.1", "region box block 0 4 0 3 0 3", "create_box 2 box", "create_atoms 1 box",
             "mass 1 40.0", "mass 2 50.0", "set group all type/fraction 2 0.4 991",
             "displace_atoms all random 0.15 0.15 0.15 2377", f"pair_style uf3 {bodies}",
             f"pair_coeff * * my.uf3 {elements}", "velocity all create 300.0 87287", "neighbor 1.0 bin", "fix 1 all nve",
             "timestep 0.0002"]
    return Case("uf3", "\n".join(lines), "run 6", 3, [], columns=COLUMNS)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", KINDS)
def test_made_up_files_agree_with_the_reference(kind: str, device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    text, bodies, elements = KINDS[kind]
    one, files = case(bodies, elements), {"my.uf3": text}
    expected = run_lmp(one.full_script(), files, cache)
    compare(run_everlet(one.full_script(), files, tmp_path / "run", device=device), expected, Tolerances(1e-11, 1e-10))


def test_threads_and_mixed_precision(cache: Path, tmp_path: Path) -> None:  # noqa: F811
    one, files = case("3", "A B"), {"my.uf3": KINDS["even"][0]}
    expected = run_lmp(one.full_script(), files, cache)
    compare(run_everlet(one.full_script(), files, tmp_path / "threads", device="cpu", threads=2), expected,
            Tolerances(1e-11, 1e-10))
    compare(run_everlet(one.full_script(), files, tmp_path / "mixed", device="serial", precision="mixed"), expected, MIXED)
