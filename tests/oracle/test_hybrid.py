"""Hybrid pair styles against the reference: files of many-body styles beside pairs, two and three types."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.oracle.harness import COLUMNS, Case, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_cases import DEVICES, MIXED, cache  # noqa: F401  (a fixture)

LIMITS = Tolerances(1e-11, 1e-9)
SINGLE = replace(MIXED, start=1e-5)  # energies of sub-styles may cancel
# With the usual seed one pair of this case is 3e-7 Angstrom, less than float32 can tell, inside the cutoff of CuNi.eam.alloy,
# where the force of that file falls from 0.01 eV/Angstrom to 0 at once.
SEEDS = {"scaled": 2378}
METAL, SILICON, TANTALUM = "fcc 3.7", "diamond 5.0", "bcc 3.316"
# name: lattice, types, lines
MIXTURES = {
    "eam+lj": (METAL, 2, """
        pair_style hybrid eam/alloy lj/cut 5.5
        pair_coeff * * eam/alloy Cu_mishin1.eam.alloy Cu NULL
        pair_coeff 1 2 lj/cut 0.2 2.4
        pair_coeff 2 2 lj/cut 0.05 2.6 6.0"""),
    "eam-override": (METAL, 3, """
        pair_style hybrid lj/cut 4.5 eam/alloy morse 5.0
        pair_coeff * * eam/alloy CuNi.eam.alloy Cu Ni Ni
        pair_coeff 1 3 lj/cut 0.2 2.4
        pair_coeff 3 3 morse 0.3 1.5 2.6"""),
    "eam-pure": (METAL, 3, """
        pair_style hybrid eam lj/cut 5.5
        pair_coeff 1 1 eam Cu_u3.eam
        pair_coeff 2 2 eam Ni_u3.eam
        pair_coeff 1*2 3 lj/cut 0.1 2.4
        pair_coeff 3 3 none"""),
    "two-eam": (METAL, 2, """
        pair_style hybrid eam/alloy eam/fs lj/cut 5.5
        pair_coeff * * eam/alloy Cu_mishin1.eam.alloy Cu NULL
        pair_coeff * * eam/fs Al_mm.eam.fs NULL Al
        pair_coeff 1 2 lj/cut 0.2 2.4"""),
    "sw+lj": (SILICON, 2, """
        pair_style hybrid sw lj/cut 5.0
        pair_coeff * * sw Si.sw Si NULL
        pair_coeff 1 2 lj/cut 0.05 2.0
        pair_coeff 2 2 lj/cut 0.02 2.1"""),
    "sw-pairs": (SILICON, 3, """
        pair_style hybrid sw threebody off lj/cut 4.0
        pair_coeff 1 1 sw GaN.sw Ga N NULL
        pair_coeff 2 2 sw GaN.sw Ga N NULL
        pair_coeff 1 2 lj/cut 0.05 2.0
        pair_coeff * 3 lj/cut 0.02 2.1"""),
    "sw-override": (SILICON, 3, """
        pair_style hybrid sw lj/cut 4.0
        pair_coeff * * sw GaN.sw Ga N N
        pair_coeff 1 3 lj/cut 0.05 2.0
        pair_coeff 2*3 3 lj/cut 0.02 2.1"""),
    "tersoff+lj+zbl": (SILICON, 3, """
        pair_style hybrid/overlay tersoff lj/cut 5.0 zbl 1.0 2.0
        pair_coeff * * tersoff SiC.tersoff Si C NULL
        pair_coeff 1*2 3 lj/cut 0.05 2.0
        pair_coeff 3 3 lj/cut 0.02 2.1
        pair_coeff 1 1 zbl 14 14
        pair_coeff 1 2 zbl 14 6
        pair_coeff 2 2 zbl 6 6"""),
    "eam-overlay": (METAL, 2, """
        pair_style hybrid/overlay eam/alloy lj/cut 5.0 zbl 1.0 2.4
        pair_coeff * * eam/alloy CuNi.eam.alloy Cu Ni
        pair_coeff 1 2 lj/cut 0.05 2.0
        pair_coeff * * zbl 29 29"""),
    "two-lj": (METAL, 2, """
        pair_style hybrid/overlay lj/cut 5.0 lj/cut 4.0
        pair_coeff * * lj/cut 1 0.2 2.4
        pair_coeff 1 2 lj/cut 2 0.1 2.2
        pair_coeff 2 2 lj/cut 2 0.3 2.0
        pair_modify shift yes
        pair_modify pair lj/cut 2 shift no"""),
    "scaled": (METAL, 3, """
        pair_style hybrid/scaled 0.3 eam/alloy -0.5 lj/cut 5.0 1.0 lj/cut 4.5 0.0 morse 3.0
        pair_coeff * * eam/alloy CuNi.eam.alloy Cu Ni NULL
        pair_coeff * * lj/cut 1 0.02 2.4
        pair_coeff * * lj/cut 2 0.05 2.3
        pair_coeff 1 3 morse 0.1 1.5 2.6"""),
    "scaled-sw": (SILICON, 2, """
        pair_style hybrid/scaled 0.25 sw 0.75 tersoff
        pair_coeff * * sw Si.sw Si Si
        pair_coeff * * tersoff Si.tersoff Si Si"""),
    "snap+zbl": (TANTALUM, 2, """
        pair_style hybrid/overlay zbl 4.0 4.8 snap lj/cut 5.0
        pair_coeff 1 1 zbl 73 73
        pair_coeff * 2 lj/cut 0.02 2.4
        pair_coeff * * snap Ta06A.snapcoeff Ta06A.snapparam Ta NULL"""),
}
HALF = [name for name, (_, _, lines) in MIXTURES.items() if not any(word in lines for word in ("sw", "tersoff", "snap"))]


def case(name: str) -> Case:
    """Three snapshots of a small warm crystal with its types at random."""
    lattice, types, pair = MIXTURES[name]
    lines = ["units metal", f"lattice {lattice}", "region box block 0 4 0 3 0 3", f"create_box {types} box",
             "create_atoms 1 box", *(f"set group all type/fraction {k} {1 / k:.4f} {991 + k}" for k in range(2, types + 1)),
             *(f"mass {k} {50 + 10 * k}" for k in range(1, types + 1)),
             f"displace_atoms all random 0.1 0.1 0.1 {SEEDS.get(name, 2377)}",
             *(line.strip() for line in pair.strip().splitlines()), "velocity all create 600.0 87287", "neighbor 1.0 bin",
             "fix 1 all nve", "timestep 0.0002"]
    return Case(name, "\n".join(lines), "run 10", 5, [], columns=COLUMNS)


def agrees(name: str, before: str, cache: Path, folder: Path, limits: Tolerances = LIMITS, device: str = "serial",  # noqa: F811
           threads: int = 0, precision: str = "double") -> None:
    one = case(name)
    expected = run_lmp(one.full_script(), {}, cache)
    compare(run_everlet(one.full_script(before), {}, folder, device, precision, threads), expected, limits)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", MIXTURES)
def test_full_lists(name: str, device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    agrees(name, "package everlet scheme full", cache, tmp_path, device=device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", HALF)
def test_half_lists(name: str, device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    agrees(name, "package everlet scheme half", cache, tmp_path / "on", device=device)
    agrees(name, "package everlet scheme half\nnewton off", cache, tmp_path / "off", device=device)


@pytest.mark.parametrize("name", ["eam+lj", "tersoff+lj+zbl", "scaled", "snap+zbl"])
def test_threads_and_mixed_precision(name: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    for scheme in ("full", "half") if name in HALF else ("full",):
        before = f"package everlet scheme {scheme}"
        agrees(name, before, cache, tmp_path / f"threads-{scheme}", device="cpu", threads=2)
        if name != "snap+zbl":  # snap is for double precision
            agrees(name, before, cache, tmp_path / f"mixed-{scheme}", SINGLE, precision="mixed")
    if name in HALF:
        agrees(name, "package everlet scheme half accumulate duplicated", cache, tmp_path / "copies", device="cpu", threads=2)
