"""Energies and stresses of single atoms of many-body styles against the reference: halves of pairs, thirds of angles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import parse_dump, working_in
from tests.oracle.reference import lmp

SNAP = "pair_style snap\npair_coeff * * {0}.snapcoeff {0}.snapparam"
# lattice, types, pair style
STYLES = {
    "sw": ("diamond 5.431", 1, "pair_style sw\npair_coeff * * Si.sw Si"),
    "tersoff": ("diamond 4.4", 2, "pair_style tersoff\npair_coeff * * SiC.tersoff Si C"),
    "uf3": ("bcc 3.3", 1, "pair_style uf3 3\npair_coeff * * Nb.uf3 Nb"),
    "snap": ("bcc 3.18", 1, SNAP.format("W_2940_2017_2") + " W"),
    "sw-types": ("diamond 6.2", 3, "pair_style sw\npair_coeff * * CdTe.sw Cd Te Cd"),
    "sw-pairs": ("diamond 6.2", 2, "pair_style sw threebody off\npair_coeff 1*2 1*2 CdTe.sw Cd Te"),
    "tersoff-alike": ("diamond 5.43", 1, "pair_style tersoff shift 0.03\npair_coeff * * Si.tersoff Si"),
    "tersoff/mod": ("diamond 5.43", 1, "pair_style tersoff/mod\npair_coeff * * Si.tersoff.mod Si"),
    "tersoff/zbl": ("diamond 4.2", 2, "pair_style tersoff/zbl\npair_coeff * * SiC.tersoff.zbl Si C"),
    "snap-types": ("bcc 3.1", 2, SNAP.format("WBe_Wood_PRB2019") + " W Be"),
    "snap-quadratic": ("fcc 3.6", 1, SNAP.format("Cu_Zuo_JPCA2020.quadratic") + " Cu"),
    "snap-channels": ("diamond 5.8", 2, SNAP.format("InP_JCPA2020") + " In P"),
    "mliap-network": ("fcc 3.6", 1, "pair_style mliap model nn Cu.nn.mliap.model descriptor sna Cu.snap.mliap.descriptor\n"
                      "pair_coeff * * Cu"),
    "adp": ("fcc 3.8", 2, "pair_style adp\npair_coeff * * AlCu.adp Cu Al"),
    "eim": ("sc 2.9", 2, "pair_style eim\npair_coeff * * Na Cl ffield.eim Cl Na"),
    "meam/spline": ("diamond 6.2", 2, "pair_style meam/spline\npair_coeff * * TiO.meam.spline Ti O"),
    "gw/zbl": ("diamond 4.2", 2, "pair_style gw/zbl\npair_coeff * * SiC.gw.zbl Si C"),
    "vashishta/table": ("diamond 5.83", 2, "pair_style vashishta/table 400 0.5\npair_coeff * * InP.vashishta In P"),
    "edip": ("diamond 5.3", 1, "pair_style edip/multi\npair_coeff * * Si.edip Si"),
    "edip-types": ("diamond 4.7", 2, "pair_style edip/multi\npair_coeff * * SiC.edip Si C"),
    "nb3b": ("diamond 4.2", 3, "pair_style nb3b/screened\npair_coeff * * PSiO.nb3b.screened P Si O"),
    "meam": ("fcc 3.6", 2, "pair_style meam\npair_coeff * * library.meam AlS CuS NULL CuS AlS"),
    "meam/ms": ("fcc 4.3", 2, "pair_style meam/ms\npair_coeff * * library.msmeam H Ga4 HGa.msmeam Ga4 H"),
    "meam-scaled": ("fcc 3.52", 2, "pair_style hybrid/scaled 0.4 meam 0.6 lj/cut 4.0\n"
                    "pair_coeff * * meam library.meam Ni4 Ni.meam Ni4 NULL\npair_coeff * * lj/cut 0.1 2.2"),
    "hybrid": ("diamond 4.4", 3, "pair_style hybrid/overlay tersoff lj/cut 5.0\npair_coeff * * tersoff SiC.tersoff Si C NULL\n"
               "pair_coeff * 3 lj/cut 0.01 1.7"),
    "scaled": ("diamond 5.431", 1, "pair_style hybrid/scaled 0.4 sw 0.6 tersoff\npair_coeff * * sw Si.sw Si\n"
               "pair_coeff * * tersoff Si.tersoff Si"),
}
# whose shares are not those of the reference: interpolated otherwise; an angle is the central atom's; virials of the correction
OUR_OWN = {
    "polymorphic": ("diamond 4.5", 2, "pair_style polymorphic\npair_coeff * * GaN_tersoff.poly Ga N"),
    "polymorphic-atoms": ("diamond 5.6", 2, "pair_style polymorphic\npair_coeff * * CuTa_eam.poly Cu Ta"),
    "meam/sw/spline": ("diamond 5.4", 1, "pair_style meam/sw/spline\npair_coeff * * Si.b.meam.sw.spline Si"),
    "extep": ("diamond 3.9", 2, "pair_style extep\npair_coeff * * BN.extep B N"),
}
USUAL = ("sw", "tersoff", "snap", "uf3", "meam")


def script(name: str, box: str = "prism 0 3 0 2 0 2 1 0 -1") -> str:
    lattice, types, pair = (STYLES | OUR_OWN)[name]
    kinds = "\n".join(f"set group all type/fraction {k} {1 / k:.4f} {77 + k}" for k in range(2, types + 1))
    return (f"units metal\nlattice {lattice}\nregion box {box}\ncreate_box {types} box\ncreate_atoms 1 box\n{kinds}\n"
            f"mass * 30.0\ndisplace_atoms all random 0.15 0.15 0.15 2377\n{pair}\ncompute e all pe/atom\n"
            "compute s all stress/atom NULL virial\ncompute t all reduce sum c_e c_s[*]\nvelocity all create 900.0 4711\n"
            "fix 1 all nve\ntimestep 0.0005\ndump 1 all custom 5 values.dump id c_e c_s[*]\n"
            "dump_modify 1 sort id format float %.17g\nthermo_style custom step pe c_t[1]\nthermo 5\nrun 5\n")


def agree(name: str, folder: Path, device: str = "serial") -> None:
    text = script(name)
    lmp(folder, text)
    expected = parse_dump((folder / "values.dump").read_text())
    sim = Simulation(device=device, threads=2 if device == "cpu" else 0, log="none", screen="none")
    with working_in(folder):
        sim.commands(text)
    found = parse_dump((folder / "values.dump").read_text())
    for step, frame in expected.items():
        for column, values in frame.items():
            # coefficients of that file are rounded (test_snap.py)
            size = max(np.abs(values).max(), 1e-3) * (100 if name == "snap-channels" else 1)
            np.testing.assert_allclose(found[step][column], values, rtol=0, atol=1e-10 * size, err_msg=f"{step} {column}")
    rows = sim.thermo.table()
    np.testing.assert_allclose(rows["c_t[1]"], rows["pe"], rtol=1e-12)
    sim.close()


@pytest.mark.parametrize("name", USUAL)
def test_shares(name: str, tmp_path: Path) -> None:
    agree(name, tmp_path)


@pytest.mark.all
@pytest.mark.parametrize("device", ["serial", "cpu"])
@pytest.mark.parametrize("name", [name for name in STYLES if name not in USUAL])
def test_more_shares(name: str, device: str, tmp_path: Path) -> None:
    agree(name, tmp_path, device)


@pytest.mark.parametrize("name", OUR_OWN)
def test_sums_of_shares(name: str) -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    stresses = " ".join(f"c_t[{k}]" for k in range(2, 8))
    text = script(name).replace("c_t[1]\n", f"c_t[1] {stresses} vol pxx pyy pzz pxy pxz pyz\n").replace("run 5", "run 0")
    sim.commands(text.replace("dump", "# dump").replace("velocity all create 900.0 4711", ""))
    rows = sim.thermo.table()
    np.testing.assert_allclose(rows["c_t[1]"], rows["pe"], rtol=1e-12)
    for k, way in enumerate(("pxx", "pyy", "pzz", "pxy", "pxz", "pyz"), 2):
        np.testing.assert_allclose(-rows[f"c_t[{k}]"] / rows["vol"], rows[way], rtol=1e-9, atol=1e-6 * abs(rows["pxx"][0]))
    sim.close()
