"""Special pairs of styles with charges against the reference: weights of both parts, long-range and cut Coulomb energies,
hybrid styles, energies of single atoms. In plain Python but for two."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet.errors import InputError
from tests.oracle.harness import DUMP, FORCES_NOW, Tolerances, compare, run_everlet, run_lmp

SCRIPT = """
units lj
atom_style full
newton {newton}
special_bonds {special}
read_data chains.data
pair_style {style}
{coeffs}
{modify}
{kspace}
bond_style harmonic
bond_coeff * 100 0.95
compute each all pe/atom pair
compute sum all reduce sum c_each
compute stress all stress/atom NULL pair
compute press all reduce sum c_stress[1] c_stress[4]
thermo_style custom step pe evdwl ecoul emol press pxx pyy pzz pxy pxz pyz {sums}
""" + FORCES_NOW
KSPACE = "kspace_style ewald 1e-4\nkspace_modify gewald 0.9 compute no"
LJ = "pair_coeff 1 1 0.8 0.7\npair_coeff 2 2 1.0 0.8"
SOFT = "pair_coeff 1 1 0.8 0.7 0.6\npair_coeff 2 2 1.0 0.8 0.6"
HYBRID = ("pair_coeff 1 1 lj/cut 0.8 0.7\npair_coeff 2 2 lj/cut 1.0 0.8\npair_coeff 1 2 lj/cut 0.9 0.7\npair_coeff * * {} ")
BOTH = "lj/coul 0 0.4 0.5"
APART = "lj 0 0.3 0.6 coul 0 0.5 0.8"


def chains(count: int = 5, length: int = 8, edge: float = 6.5) -> str:
    """Chains of charged beads that avoid each other, some of them through the faces of the box."""
    rng, x, bonds = np.random.default_rng(5), np.zeros((0, 3)), []

    def far(place: np.ndarray) -> bool:
        away = x - place
        return bool((np.linalg.norm(away - edge * np.round(away / edge), axis=1) > 0.8).all())

    for _ in range(count):
        place = rng.random(3) * edge
        for k in range(length):
            while not far(place):
                step = rng.normal(size=3)
                place = x[-1] + 0.97 * step / np.linalg.norm(step) if k else rng.random(3) * edge
            x = np.concatenate([x, place[None]])
            if k:
                bonds.append(f"{len(bonds) + 1} 1 {len(x) - 1} {len(x)}")
            step = rng.normal(size=3)
            place = place + 0.97 * step / np.linalg.norm(step)
    q = rng.uniform(-1.0, 1.0, len(x))
    q -= q.mean()
    image = np.floor(x / edge).astype(int)
    x -= image * edge
    words = [" ".join([*(f"{v:.15g}" for v in x[i]), *map(str, image[i])]) for i in range(len(x))]
    rows = [f"{i + 1} {i // length + 1} {1 + i % 2} {q[i]:.15g} {words[i]}" for i in range(len(x))]
    return "\n".join(["chains", "", f"{len(x)} atoms", f"{len(bonds)} bonds", "2 atom types", "1 bond types",
                      *(f"0 {edge} {axis}lo {axis}hi" for axis in "xyz"), "", "Masses", "", "1 1", "2 2", "",
                      "Atoms # full", "", *rows, "", "Bonds", "", *bonds, ""])


def script(style: str, coeffs: str, special: str, modify: str = "", newton: str = "on", sums: bool = True) -> str:
    """Sums of energies of atoms are left out where bonds have none of their own."""
    return SCRIPT.format(style=style, coeffs=coeffs, special=special, modify=modify, newton=newton, dump=DUMP,
                         kspace=KSPACE if "long" in style else "", sums="c_sum c_press[1] c_press[2]" if sums else "")


@pytest.mark.parametrize("style, coeffs, special, modify", [
    ("lj/cut/coul/cut 2.2 2.6", LJ, APART, ""), ("lj/cut/coul/cut 2.2 2.6", LJ, "charmm", ""),
    ("coul/slater/long 0.6 2.6", "pair_coeff * *", APART, "pair_modify table 0"),
    ("coul/exclude 3.2", "pair_coeff * *", "lj 0.1 0.3 0.6 coul 0.2 0.5 0.8", ""),
    ("lj/cut/coul/cut/soft 2 0.5 0.7 2.2 2.6", SOFT, APART, ""),
    ("lj/expand/coul/long 2.2 2.6", "pair_coeff 1 1 0.8 0.7 0.1\npair_coeff 2 2 1.0 0.6 0.2", APART, "pair_modify table 0"),
    ("lj/switch3/coulgauss/long 2.6 2.6 0.5", "pair_coeff 1 1 0.8 0.7 0.4\npair_coeff 2 2 1.0 0.6 0.5", APART,
     "pair_modify table 0"),
    ("buck6d/coul/gauss/dsf 0.8 2.2 2.6", "pair_coeff * * 100 4.0 2 0.1 0.9", APART, ""),
    ("buck6d/coul/gauss/long 1.0 1.0 2.2 2.6", "pair_coeff * * 100 4.0 2 0.1 0.9", APART, "pair_modify table 0"),
    ("lj/cut/coul/cut 2.2 2.6", LJ, "lj 0 0 0 coul 1 1 1", "pair_modify shift yes"),
    ("lj/cut/coul/debye 0.5 2.2 2.6", LJ, "amber", ""),
    ("lj/cut/coul/dsf 0.5 2.2 2.6", LJ, BOTH, ""), ("lj/cut/coul/dsf 0.5 2.2 2.6", LJ, "charmm", ""),
    ("coul/dsf 0.5 2.6", "pair_coeff * *", APART, ""),
    ("lj/cut/coul/long 2.2 2.6", LJ, APART, "pair_modify table 0 shift yes"),
    ("lj/cut/coul/long 0.9 2.6", LJ, "charmm", "pair_modify table 0"),
    ("lj/cut/coul/long 2.6 2.2", LJ, "lj/coul 1 1 0.5", "pair_modify table 0"),
    ("lj/charmm/coul/long 1.8 2.2 2.6", LJ, "dreiding", "pair_modify table 0"),
    ("coul/long 2.6", "pair_coeff * *", "charmm", "pair_modify table 0"),
    ("hybrid/overlay lj/cut 2.2 coul/long 2.6", HYBRID.format("coul/long"), APART, "pair_modify pair coul/long table 0"),
    ("hybrid/overlay lj/cut 2.2 coul/long 2.6", HYBRID.format("coul/long"), "charmm", "pair_modify pair coul/long table 0"),
    ("hybrid/overlay lj/cut 2.2 coul/cut 2.6", HYBRID.format("coul/cut"), APART,
     "pair_modify pair lj/cut special lj 0 0.9 0.1\npair_modify pair coul/cut special coul 0 0.25 0.7"),
    ("hybrid/scaled 0.3 lj/cut 2.2 0.7 coul/cut 2.6", HYBRID.format("coul/cut"), APART, ""),
    ("hybrid lj/cut/coul/long 2.2 2.6 lj/cut 2.0", "pair_coeff 1 1 lj/cut/coul/long 0.8 0.7\npair_coeff 2 2 lj/cut 1.0 0.8\n"
     "pair_coeff 1 2 lj/cut/coul/long 0.9 0.7", BOTH, "pair_modify pair lj/cut/coul/long table 0")])
def test_special_pairs(style: str, coeffs: str, special: str, modify: str, tmp_path: Path) -> None:
    files, text = {"chains.data": chains()}, script(style, coeffs, special, modify)
    theirs = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
    compare(run_everlet(text, files, tmp_path / "ours", device="reference"), theirs,
            Tolerances(start=1e-9 if "gauss" in style else 1e-11))


@pytest.mark.parametrize("newton, lists, device, precision", [
    ("off", "half", "serial", "double"), ("on", "full", "cpu", "mixed")])
def test_compiled(newton: str, lists: str, device: str, precision: str, tmp_path: Path) -> None:
    """Both ways to take weights, a few steps."""
    files, later = {"chains.data": chains()}, 1e-9 if precision == "double" else None
    for style, modify in (("lj/cut/coul/long 2.2 2.6", "pair_modify table 0"), ("lj/cut/coul/cut 2.2 2.6", "")):
        text = script(style, LJ, APART, modify, newton).replace("run 0", "timestep 0.0005\nrun 20")
        theirs = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
        ours = run_everlet(f"package everlet neigh {lists}\n{text}", files, tmp_path / "ours", device, precision,
                           threads=2 if device == "cpu" else 0)
        compare(ours, theirs, Tolerances(start=1e-11 if later else 1e-5, later=later))


def test_weights_that_cannot_be(tmp_path: Path) -> None:
    text = script("hybrid/overlay lj/cut 2.2 coul/cut 2.6", HYBRID.format("coul/cut"), "charmm",
                  "pair_modify pair lj/cut special lj 0 0 0.5")
    with pytest.raises(InputError, match="special_bonds says 0"):
        run_everlet(text, {"chains.data": chains()}, tmp_path, device="reference")
    text = text.replace("special lj 0 0 0.5", "special lj 0 0")
    with pytest.raises(InputError, match="usage: pair_modify pair STYLE special"):
        run_everlet(text, {"chains.data": chains()}, tmp_path, device="reference")


def test_with_the_long_range_part(tmp_path: Path) -> None:
    """Near part, special pairs and solver together do not depend on how they are split: another g, the same energy."""
    found = []
    for g in (0.9, 1.2):
        text = script("lj/cut/coul/long 2.2 3.2", LJ, APART, sums=False).replace(KSPACE, f"kspace_style ewald 1e-7\n"
                                                                              f"kspace_modify gewald {g}")
        assert "gewald" in text
        log = run_everlet(text.replace(" emol", " elong"), {"chains.data": chains()}, tmp_path / f"{g}", device="serial")
        found.append((log.thermo[0]["PotEng"][0], log.frames[0]["fx"]))
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-5)
    np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-3)
