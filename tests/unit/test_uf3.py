"""pair style uf3: against plain sums over SciPy's splines, forces as slopes, and files that are refused."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import BSpline

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.manybody.threebody.splines import Axis
from everlet.forces.manybody.threebody.uf3_file import Block, UF3File
from tests.oracle.test_uf3 import knots, made_up
from tests.scripts import crystal

SCRIPT = crystal("0 2 0 2 0 2", "bcc 3.1", units="metal", types=3, first="atom_modify map array") + """
set atom 3*7 type 2
set atom 10*12 type 3
mass * 50.0
displace_atoms all random 0.2 0.2 0.2 2377
pair_style {style}
pair_coeff {coeff}
thermo_style custom pe pxx pyy pzz pxy pxz pyz
"""


def simulation(folder: Path, text: str, style: str, coeff: str, device: str = "reference") -> Simulation:
    file = folder / "my.uf3"
    file.write_text(text)
    sim = Simulation(device=device)
    sim.commands(SCRIPT.format(style=style, coeff=coeff.format(file=file)) + "run 0\n")
    return sim


def spline(block: Block, k: int, r: np.ndarray) -> np.ndarray:
    """All basis functions of an axis, (…, functions); 0 outside of it."""
    axis = block.axes[k]
    found = BSpline(axis.clamped, np.eye(axis.size), 3, extrapolate=False)(r)
    return np.nan_to_num(found) * (r < min(axis.high, block.cutoffs[k]))[..., None]


def plain(sim: Simulation, file: UF3File, names: dict[int, str], angles: bool = True) -> float:
    """The energy as a sum over all images. It says nothing about what is beside the file's elements."""
    x, kinds, length = sim.gather("x"), sim.gather("type"), 6.2
    images = np.array(list(itertools.product((-1, 0, 1), repeat=3))) * length
    energy = 0.0
    for i, kind in enumerate(kinds):
        centre = names[int(kind)]
        away = (x[None] + images[:, None] - x[i]).reshape(-1, 3)
        other = np.tile([names[int(k)] for k in kinds], len(images))
        r = np.linalg.norm(away, axis=1)
        for a in sorted(set(names.values()) - {"NULL"}) if centre != "NULL" else ():
            mine = (other == a) & (r > 1e-9)
            pair = file.pairs[centre, a]
            energy += (spline(pair, 0, r[mine]) @ pair.coefficients).sum()
            for b in sorted(set(names.values()) - {"NULL"}) if angles else ():
                block = file.triples[centre, a, b]
                first, second = (np.flatnonzero((other == e) & (r > 1e-9) & (r < 3.5)) for e in (a, b))
                j, k = (side.ravel() for side in np.meshgrid(first, second, indexing="ij"))
                j, k = j[j != k], k[j != k]
                t = np.linalg.norm(away[j] - away[k], axis=1)
                sums = np.einsum("lmn,pl,pm,pn->p", block.coefficients, spline(block, 0, r[j]), spline(block, 1, r[k]),
                                 spline(block, 2, t), optimize=True)
                energy += 0.5 * sums.sum()  # j, k and k, j
    return energy


@pytest.mark.parametrize("even", [True, False])
def test_sums_over_splines(even: bool, tmp_path: Path) -> None:
    """With a type that is none of the style's, as hybrid styles may have."""
    text = made_up(even, 1.3, seed=5)
    sim = simulation(tmp_path, text, "hybrid/overlay uf3 3 zero 5.0", "* * uf3 {file} B A NULL\npair_coeff * * zero")
    names = {1: "B", 2: "A", 3: "NULL"}
    wanted = plain(sim, UF3File(str(tmp_path / "my.uf3"), "metal"), names)
    assert abs(sim.thermo.value("pe") - wanted) < 1e-11 * abs(wanted)
    other = simulation(tmp_path, text, "uf3 2", "* * {file} B A A")
    wanted = plain(other, UF3File(str(tmp_path / "my.uf3"), "metal"), {1: "B", 2: "A", 3: "A"}, angles=False)
    assert abs(other.thermo.value("pe") - wanted) < 1e-11 * abs(wanted)


def test_angles_with_two_cutoffs(tmp_path: Path) -> None:
    """Triples of unlike neighbours may end where those of like ones do not."""
    text = made_up(True, seed=6)
    for centre in "AB":
        text = re.sub(rf"(3B {centre} A B 0 3 uk\n)7.0 3.5 3.5", r"\g<1>7.0 3.0 3.4", text)
    sim = simulation(tmp_path, text, "uf3 3", "* * {file} B A A")
    wanted = plain(sim, UF3File(str(tmp_path / "my.uf3"), "metal"), {1: "B", 2: "A", 3: "A"})
    assert abs(sim.thermo.value("pe") - wanted) < 1e-11 * abs(wanted)


@pytest.mark.parametrize("even", [True, False])
def test_forces_are_slopes(even: bool, tmp_path: Path) -> None:
    sim = simulation(tmp_path, made_up(even, 0.5), "uf3 3", "* * {file} A B A", "serial")
    x, force = sim.gather("x"), sim.gather("f")
    np.testing.assert_allclose(force.sum(axis=0), 0.0, atol=1e-12)
    step, slopes = 1e-4, np.zeros((3, 3))
    for atom, way in itertools.product(range(3), range(3)):
        energies = []
        for far in (-2, -1, 1, 2):
            moved = x.copy()
            moved[atom, way] += far * step
            sim.set_array("x", moved)
            sim.run(0)
            energies.append(sim.thermo.value("pe"))
        a, b, c, d = energies
        slopes[atom, way] = -(8.0 * (c - b) - (d - a)) / (12.0 * step)
    np.testing.assert_allclose(force[:3], slopes, atol=2e-9)


def test_virial_is_the_slope_with_the_box(tmp_path: Path) -> None:
    sim = simulation(tmp_path, made_up(True), "uf3 3", "* * {file} A B A", "serial")
    volume, step = 6.2**3, 1e-5
    pressure, energies = sim.thermo.value("pxx"), []
    for factor in (1 + step, (1 - step) / (1 + step)):
        sim.commands(f"change_box all x scale {factor:.17g} remap units box\nrun 0")
        energies.append(sim.thermo.value("pe"))
    bars = -(energies[0] - energies[1]) / (2 * step) / volume * 1.6021765e6
    assert abs(bars - pressure) < 1e-5 * abs(pressure)


def test_scaled_and_overlaid(tmp_path: Path) -> None:
    alone = simulation(tmp_path, made_up(False), "uf3 3", "* * {file} A B A")
    both = simulation(tmp_path, made_up(False), "hybrid/scaled 0.25 uf3 3 0.75 uf3 3",
                      "* * uf3 1 {file} A B A\npair_coeff * * uf3 2 {file} A B A\ncompute one all pair uf3 1")
    for key in ("pe", "pxx", "pyz"):
        assert both.thermo.value(key) == pytest.approx(alone.thermo.value(key), rel=1e-12)
    np.testing.assert_allclose(both.gather("f"), alone.gather("f"), atol=1e-12)
    assert both.thermo.value("c_one") == pytest.approx(alone.thermo.value("pe"), rel=1e-12)  # without the factor


def test_restart_files_name_the_file(tmp_path: Path) -> None:
    before = simulation(tmp_path, made_up(True), "uf3 3", "* * {file} A B A", "serial")
    before.commands(f"write_restart {tmp_path / 'r'}")
    after = Simulation(device="serial")
    after.commands(f"read_restart {tmp_path / 'r'}\nrun 0")
    np.testing.assert_allclose(after.gather("f"), before.gather("f"), atol=1e-12)


def test_an_axis_at_equal_distances_has_one_basis() -> None:
    rng = np.random.default_rng(3)
    for intervals in (1, 2, 3, 9):
        axis = Axis(knots(0.7, 3.1, intervals, True, rng)[3:-3])
        c, r = rng.normal(size=axis.size), rng.uniform(0.7, 3.1, 20)
        equal = BSpline(0.7 + axis.gap * np.arange(-3, axis.size + 1), axis.equal() @ c, 3)(r)
        np.testing.assert_allclose(equal, BSpline(axis.clamped, c, 3)(r), atol=1e-13)


GOOD = made_up(True)
REFUSED = {
    "trims": (("2B A A 0 3", "2B A A 1 3"), "line 2: trims 1 and 3"),
    "spacing": (("2B A A 0 3 uk", "2B A A 0 3 ak"), "line 2: 'ak' is no spacing"),
    "twice": (("2B A B", "2B A A"), "line 9: a second block 2B A A"),
    "missing pair": (("2B A B", "2B A C"), "no block 2B A B"),
    "missing triple": (("3B B A B", "3B B A C"), "no block 3B B A B"),
    "no block": (("2B A B", "4B A B"), "line 9: '4B A B 0 3 uk' does not begin a block"),
    "size": (("\n14\n", "\n13\n"), "line 5: 2B A A: 13 coefficients, and its knots make it 14"),
    "knots": (("5.0 18", "5.0 17"), "line 4: knots of 2B A A, from line 4 on, has 17 numbers"),
    "word": (("2B A A 0 3 uk\n5.0 18\n0.0", "2B A A 0 3 uk\n5.0 18\nzero"), "line 4: 'zero' is not a number"),
    "clamped": (("2B A A 0 3 uk\n5.0 18\n0.0", "2B A A 0 3 uk\n5.0 18\n-0.1"), "do not begin and end with the same"),
    "cutoff": (("5.0 18", "-5.0 18"), "line 3: a cutoff of -5.0"),
    "axes": (("3B A A A 0 3 uk\n7.0 3.5 3.5", "3B A A A 0 3 uk\n7.0 3.5 3.4"), "3B A A A: cutoffs or knots of ij"),
    "units": (("metal DATE: today AUTHOR: nobody CITATION:\n2B A B", "real\n2B A B"), "line 8: a block in units real"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_are_refused(name: str, tmp_path: Path) -> None:
    (old, new), message = REFUSED[name]
    assert old in GOOD
    with pytest.raises(InputError, match=re.escape(message)):
        simulation(tmp_path, GOOD.replace(old, new, 1), "uf3 3", "* * {file} A B A")


def test_more_that_is_refused(tmp_path: Path) -> None:
    uneven = made_up(False)
    with pytest.raises(InputError, match="are not equally spaced, and the block says uk"):
        simulation(tmp_path, uneven.replace("nk", "uk"), "uf3 3", "* * {file} A B A")
    lines = GOOD.splitlines()
    begin = next(k for k, text in enumerate(lines) if text.startswith("3B A A A")) + 6
    lines[begin + 1] = lines[begin + 1].replace(lines[begin + 1].split()[0], "0.5", 1)
    with pytest.raises(InputError, match="coefficients change if ij and ik are exchanged"):
        simulation(tmp_path, "\n".join(lines), "uf3 3", "* * {file} A B A")
    with pytest.raises(InputError, match="the file ends where cutoffs and knots of 3B A A A should come"):
        simulation(tmp_path, "\n".join(lines[: begin - 5]), "uf3 2", "* * {file} A A A")
    with pytest.raises(InputError, match="uf3 of 4 bodies"):
        simulation(tmp_path, GOOD, "uf3 4", "* * {file} A B A")
    with pytest.raises(InputError, match="for all types at once"):
        simulation(tmp_path, GOOD, "uf3 3", "1 1 {file} A B A")


def test_a_late_beginning_is_told(tmp_path: Path) -> None:
    text = re.sub(r"(2B A A 0 3 uk\n5.0 18\n)([^\n]*)", lambda m: m.group(1) + " ".join(
        map(repr, knots(2.0, 5.0, 11, True, np.random.default_rng()).tolist())), GOOD)
    sim = Simulation(device="reference")
    (tmp_path / "my.uf3").write_text(text)
    sim.commands(SCRIPT.format(style="uf3 2", coeff=f"* * {tmp_path / 'my.uf3'} A A A"))
    assert "pairs nearer than 2 have no energy" in sim.engine.system.pair.warnings[0]
