"""Multilevel summation against the reference: boundaries, orders, meshes and cutoffs that are chosen; sums of atoms, slopes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.side_by_side import both_tables
from tests.scripts import crystal

IONS = crystal("0 4 0 5 0 4", "sc 0.05 origin 0.5 0.5 0.5", types=2, first="atom_style charge\nboundary {}") + """
mass * 1.0
displace_atoms all random 0.1 0.1 0.1 2377
set atom 1*5 type 2
set atom 9*43 type 2
set type 1 charge 0.5
set type 2 charge -0.5
"""
TENSOR = "thermo_style custom step pe ecoul elong pxx pyy pzz pxy pxz pyz\nthermo_modify norm no format float %.17g\nrun 0\n"
LINE = "kspace_modify pressure/scalar no "


def script(boundary: str, modify: str, pair: str = "lj/cut/coul/msm 4.0", coeff: str = "1 1") -> str:
    return (f"{IONS.format(boundary)}pair_style {pair}\npair_coeff * * {coeff}\npair_modify table 0\nkspace_style msm 1e-3\n"
            f"{LINE}{modify}\n")


@pytest.mark.parametrize(("boundary", "modify", "limit"), [
    ("p p p", "order 4 cutoff/adjust no", 1e-11), ("p p p", "order 4", 1e-8), ("f f f", "order 4 cutoff/adjust no", 1e-11),
    ("p p f", "order 4 mesh 8 7 8 cutoff/adjust no", 1e-11), ("s p f", "order 6 mesh 4 4 2 cutoff/adjust no", 1e-11),
    ("p p p", "order 8 mesh 8 8 8 cutoff/adjust no", 1e-11), ("f f f", "order 10", 1e-8)])
def test_energies_and_pressures(tmp_path: Path, boundary: str, modify: str, limit: float) -> None:
    """With adjusted cutoffs the constants of the estimate, of which the reference shows eight digits, are what differs."""
    ours, theirs = both_tables(tmp_path, script(boundary, modify) + TENSOR)
    scale = np.abs([theirs[0][name][0] for name in ("E_coul", "E_long", "Pxx", "Pyy", "Pzz")]).max()
    for name, values in theirs[0].items():
        np.testing.assert_allclose(ours[0][name], values, rtol=limit, atol=limit * scale, err_msg=name)


@pytest.mark.parametrize(("pair", "coeff"), [
    ("coul/msm 4.0", ""), ("lj/charmm/coul/msm 2.0 3.0 4.0", "1 1"), ("buck/coul/msm 3.0 4.0", "10 0.3 1"),
    ("born/coul/msm 3.0 4.0", "1 0.3 1 0.5 0.2"), ("lj/spica/coul/msm 3.0 4.0", "lj9_6 1 1")])
def test_pair_styles(tmp_path: Path, pair: str, coeff: str) -> None:
    ours, theirs = both_tables(tmp_path, script("f f f", "order 4 cutoff/adjust no", pair, coeff) + TENSOR)
    scale = np.abs([theirs[0][name][0] for name in ("E_coul", "Pxx", "Pyy", "Pzz")]).max()
    for name, values in theirs[0].items():
        np.testing.assert_allclose(ours[0][name], values, rtol=1e-11, atol=1e-11 * scale, err_msg=name)


@pytest.mark.parametrize("boundary", ["p p p", "p f f"])
def test_forces_are_slopes_and_sums_of_atoms_agree(boundary: str) -> None:
    with Simulation(screen="none", device="serial") as sim:
        sim.commands(script(boundary, "order 4 mesh 8 8 8 cutoff/adjust no") + "compute p all pe/atom\n"
                     "compute a all reduce sum c_p\ncompute s all stress/atom NULL\ncompute b all reduce sum c_s[1] c_s[4]\n"
                     "thermo_style custom pe pxx pxy vol c_a c_b[*]\nthermo_modify norm no\nrun 0\n")
        assert float(sim["c_a"]) == pytest.approx(float(sim["pe"]), rel=1e-11)
        for k, pressure in enumerate(("pxx", "pxy"), 1):
            assert float(sim[f"c_b[{k}]"]) == pytest.approx(-float(sim[pressure]) * float(sim["vol"]), rel=1e-9)
        id, force, step = sim.gather("id").copy(), sim.gather("f").copy(), 1e-4
        row = 7
        sim.commands(f"group one id {id[row]}")
        for axis in range(3):
            energies = []
            for move in (step, -2.0 * step, step):
                way = " ".join(str(move * (k == axis)) for k in range(3))
                sim.commands(f"displace_atoms one move {way} units box\nrun 0")
                energies.append(float(sim["pe"]))
            assert force[row, axis] == pytest.approx((energies[1] - energies[0]) / (2 * step), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(("lines", "words"), [
    ("pair_style coul/long 3\npair_coeff * *\nkspace_style msm 1e-4", "does not go with"),
    ("pair_style coul/msm 3\npair_coeff * *\nkspace_style pppm 1e-4", "use kspace_style msm|multilevel"),
    ("pair_style coul/msm 3\npair_coeff * *", "multilevel"),
    ("pair_style lj/cut 3\npair_coeff * * 1 1\nkspace_style msm 1e-4", "needs a pair style"),
    ("pair_style coul/msm 3\npair_coeff * *\nkspace_style msm 1e-4\nkspace_modify slab 3", "slab"),
    ("pair_style coul/msm 3\npair_coeff * *\nkspace_style msm 1e-4\nset atom 1 charge 0.1", "net charge")])
def test_what_cannot_be_is_refused(lines: str, words: str) -> None:
    with Simulation(screen="none", device="reference") as sim, pytest.raises(InputError, match=words):
        sim.commands(script("p p p", "").partition("pair_style")[0] + lines + "\nrun 0")


def test_orders_are_named() -> None:
    with Simulation(screen="none", device="reference") as sim, pytest.raises(InputError, match="4, 6, 8 or 10"):
        sim.commands(script("p p p", "order 5"))
