"""pair style snap against the reference: published files, and every flag of parameter files with made-up coefficients."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.manybody.snap.index import labels
from tests.oracle.harness import COLUMNS, Case, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_cases import DEVICES, cache  # noqa: F401  (a fixture)

# file, elements (one per type), lattice
FILES = [
    ("Ta06A", "Ta", "bcc 3.316"),
    ("W_2940_2017_2", "W", "bcc 3.1803"),
    ("Mo_Chen_PRM2017", "Mo", "bcc 3.16"),
    ("Ni_Zuo_JPCA2020", "Ni", "fcc 3.52"),
    ("Cu_Zuo_JPCA2020", "Cu", "fcc 3.615"),
    ("Si_Zuo_JPCA2020", "Si", "diamond 5.431"),
    ("Ni_Zuo_JPCA2020.quadratic", "Ni", "fcc 3.52"),
    ("Si_Zuo_JPCA2020.quadratic", "Si", "diamond 5.431"),
    ("C_SNAP_2021.10.15.quadratic", "C", "diamond 3.57"),
    ("InP_JCPA2020", "In P", "diamond 5.83"),
    ("WBe_Wood_PRB2019", "W Be", "bcc 3.1803"),
    ("WBe_Wood_PRB2019", "Be W Be", "bcc 3.1803"),
]
# the reference works with another form of the slopes (products of channels), which is exact for coefficients with a symmetry
# that this file has to ten digits
LIMITS = {"InP_JCPA2020": Tolerances(1e-8, 1e-7, first_force=1e-8)}


def case(coefficients: str, settings: str, elements: str, lattice: str, steps: int = 6) -> Case:
    types = len(elements.split())
    lines = ["units metal", f"lattice {lattice}", "region box block 0 3 0 2 0 2", f"create_box {types} box",
             "create_atoms 1 box", *(f"mass {k} {20 + 10 * k}" for k in range(1, types + 1)),
             *(f"set group all type/fraction {k} {1 / k:.4f} {991 + k}" for k in range(2, types + 1)),
             "displace_atoms all random 0.12 0.12 0.12 2377", "pair_style snap",
             f"pair_coeff * * {coefficients} {settings} {elements}", "velocity all create 300.0 87287", "neighbor 1.0 bin",
             "fix 1 all nve", "timestep 0.0002"]
    return Case(coefficients, "\n".join(lines), f"run {steps}", steps // 2, [], columns=COLUMNS)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("file, elements, lattice", FILES, ids=[f"{row[0]}-{row[1]}" for row in FILES])
def test_files_agree_with_the_reference(file: str, elements: str, lattice: str, device: str, cache: Path,  # noqa: F811
                                        tmp_path: Path) -> None:
    one = case(f"{file}.snapcoeff", f"{file}.snapparam", elements, lattice)
    expected = run_lmp(one.full_script(), {}, cache)
    found = run_everlet(one.full_script(), {}, tmp_path / "run", device=device)
    compare(found, expected, LIMITS.get(file, Tolerances(1e-11, 1e-10)))


def made_up(twojmax: int, elements: int, chem: bool, quadratic: bool) -> str:
    """A coefficient file of elements A and B. With channels, components that are the same have the same coefficient."""
    rng = np.random.default_rng(twojmax)
    known = labels(twojmax)
    lines = [f"{elements} 0"]
    size = 0
    for k in range(elements):
        beta = rng.uniform(-0.02, 0.02, (elements,) * 3 + (len(known),)) if chem else rng.uniform(-0.02, 0.02, len(known))
        for label, (j1, j2, j) in enumerate(known) if chem else ():
            part = beta[..., label]
            if j1 == j2 == j:
                part = sum(part.transpose(order) for order in itertools.permutations(range(3))) / 6
            elif j1 == j:
                part = (part + part.transpose(2, 1, 0)) / 2
            elif j1 == j2:
                part = (part + part.transpose(1, 0, 2)) / 2
            beta[..., label] = part
        values = np.concatenate([[0.3 + k], beta.ravel()])
        if quadratic:
            values = np.concatenate([values, rng.uniform(-1e-5, 1e-5, beta.size * (beta.size + 1) // 2)])
        size = values.size
        lines += [f"{'AB'[k]} {0.5 + 0.04 * k} {1.0 - 0.3 * k}", *(f"{value:.17g}" for value in values)]
    lines[0] = f"{elements} {size}"
    return "\n".join(lines) + "\n"


FLAGS = {
    "plain": (6, 1, "bzeroflag 0"),
    "odd": (5, 2, "bzeroflag 1"),
    "smallest": (0, 2, "bzeroflag 0"),
    "one": (1, 1, "bzeroflag 0"),
    "large": (10, 1, "bzeroflag 0"),
    "largest": (14, 1, "bzeroflag 0"),
    "normal": (4, 2, "bnormflag 1"),
    "normal-zero-off": (4, 2, "bnormflag 1\nbzeroflag 0"),
    "no-switch": (6, 2, "switchflag 0"),
    "rmin0": (6, 2, "rmin0 1.1\nrfac0 0.9"),
    "rmin0-behind": (5, 2, "rmin0 2.75\nrfac0 0.9"),
    "rfac0": (6, 1, "rfac0 0.7"),
    "inner": (6, 2, "switchinnerflag 1\nsinner 2.2 2.5\ndinner 0.3 0.4"),
    "inner-alone": (6, 1, "switchinnerflag 1\nsinner 2.7\ndinner 0.4\nswitchflag 0"),
    "quadratic": (4, 2, "quadraticflag 1"),
    "quadratic-zero-off": (4, 2, "quadraticflag 1\nbzeroflag 0\nbnormflag 1"),
    "chem": (4, 2, "chemflag 1"),
    "chem-odd": (5, 2, "chemflag 1\nbnormflag 1\nbzeroflag 0"),
    "chem-all": (4, 2, "chemflag 1\nwselfallflag 1"),
    "chem-quadratic": (2, 2, "chemflag 1\nquadraticflag 1\nbnormflag 1"),
    "chunks": (6, 1, "chunksize 5\nparallelthresh 3"),
}


# to compile; chem-quadratic has its components in test_sna.py, and its forces as slopes in unit/test_snap.py
SLOW = ("one", "large", "largest", "normal-zero-off", "inner-alone", "quadratic-zero-off", "chem-odd", "chem-quadratic")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.all if name in SLOW else ()) for name in FLAGS])
def test_flags_agree_with_the_reference(name: str, device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    twojmax, elements, flags = FLAGS[name]
    files = {"my.snapcoeff": made_up(twojmax, elements, "chemflag" in flags, "quadratic" in flags),
             "my.snapparam": f"rcutfac 4.6\ntwojmax {twojmax}\n{flags}\n"}
    # the wrong order, but with channels, where the reference takes that of the command for that of the file
    order = "A" if elements == 1 else "A B" if "chemflag" in flags else "B A"
    one = case("my.snapcoeff", "my.snapparam", order, "bcc 3.2", 4)
    expected = run_lmp(one.full_script(), files, cache, allowed="bnormflag and chemflag are not equal")
    found = run_everlet(one.full_script(), files, tmp_path / "run", device=device)
    if name == "chem-quadratic":  # slopes of the reference are not exact here: energies only
        np.testing.assert_allclose(found.thermo[0]["PotEng"][0], expected.thermo[0]["PotEng"][0], rtol=1e-11)
        return
    compare(found, expected, Tolerances(1e-11, 1e-10))


def test_the_energy_of_a_perfect_crystal_is_the_published_one() -> None:
    """Ta06A without its repulsion between cores: -16.692354 eV for each atom of bcc at 3.316 A."""
    sim = Simulation(device="serial", log="none")
    sim.commands("units metal\nlattice bcc 3.316\nregion box block 0 2 0 2 0 2\ncreate_box 1 box\ncreate_atoms 1 box\n"
                 "mass 1 180.88\npair_style snap\npair_coeff * * Ta06A.snapcoeff Ta06A.snapparam Ta\nrun 0")
    assert sim.engine.system.energies["vdwl"] / 16 == pytest.approx(-16.692354, abs=1e-6)
