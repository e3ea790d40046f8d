"""Rigid bodies against the reference, and what they must keep."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle import test_constraints as constraints
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp
from tests.oracle.test_constraints import compare, molecules, worst
from tests.tables import rows

FREE = constraints.MOLECULES[1:3] * 2  # three different moments: axes are where they are in the reference


def text(fixes: str, steps: int = 100, more: str = "") -> str:
    script = constraints.text(f"neigh_modify exclude molecule/intra all\n{fixes}", steps, angles="")
    script = script.replace("fnorm", "fnorm " + more)
    return script.replace("bond_coeff 1 300", "bond_coeff 1 0").replace("bond_coeff 2 300", "bond_coeff 2 0")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def free(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With molecules that turn freely."""
    monkeypatch.setattr(constraints, "MOLECULES", FREE)
    molecules(here / "molecules.data")
    return here


@pytest.mark.parametrize("fixes, more", [
    ("fix r all rigid molecule\ncompute k all ke/rigid r\ncompute e all erotate/rigid r",
     "c_k c_e f_r f_r[3][1] f_r[3][5] f_r[3][9] f_r[3][10] f_r[1][13]"),
    ("fix r all rigid/small molecule", "f_r"),
    ("fix b all addforce 0.5 0 0\nfix r all rigid molecule\nfix_modify r bodyforces early\nfix a all addforce 0 0.2 0",
     "f_r f_r[2][7] f_r[2][8]"),
    ("group big id 1:40\ngroup rest subtract all big\nfix r big rigid molecule torque 2*4 off on off force 5 on on off\n"
     "fix n rest nve", "f_r"),
    ("group a id 1:9\ngroup b id 20:31\ngroup rest subtract all a b\nfix r all rigid group 2 b a\n"
     "fix n rest nvt temp 300 300 100",
     "f_r[1][4] f_r[2][12]"),
    ("variable m atom mol\nfix r all rigid custom v_m\ncompute s all stress/atom NULL\n"
     "compute ss all reduce sumsq c_s[1] c_s[2] c_s[3] c_s[4] c_s[5] c_s[6]", "c_ss[1] c_ss[5] c_ss[6]"),
    ("fix p all property/atom i_b\nset group all i_b 3\nset atom 1*40 i_b 0\nfix r all rigid/nve custom i_b", "f_r"),
    ("group few id 1:30\ngroup rest subtract all few\nfix r few rigid single\nfix n rest nve", "f_r")])
def test_bodies(fixes: str, more: str, here: Path) -> None:
    molecules(here / "molecules.data", tilt=2.0 if "small" in fixes else 0.0)
    compare(text(fixes, more=more), here)


@pytest.mark.parametrize("fixes", ["fix r all rigid/nve molecule", "fix r all rigid/nve/small molecule"])
def test_symplectic_bodies(fixes: str, free: Path) -> None:
    compare(text(fixes), free, threads=2)


@pytest.mark.parametrize("fixes", [
    "fix r all rigid/nvt molecule temp 300 350 50 tparam 4 2 5",
    "fix r all rigid/nvt/small molecule temp 300 200 100\nfix_modify r bodyforces early\nfix a all addforce 0 0.2 0",
    "fix r all rigid/npt molecule temp 300 310 100 iso 10 200 500",
    "group few id 1:40\nfix r all rigid/npt/small molecule temp 300 300 50 x 100 0 200 y 0 0 300 pchain 4 dilate few",
    "fix r all rigid/nph molecule aniso 100 200 200\nfix_modify r temp thermo_temp press thermo_press",
    "fix r all rigid/nph/small molecule x 0 0 200 y 0 0 200 couple xy z 1000 1000 300",
    "fix r all rigid molecule langevin 300 400 100 4711",
    "fix r all rigid molecule langevin 300 300 50 4711\nfix_modify r bodyforces early\nfix a all addforce 0 0.2 0",
    "fix r all rigid/nve molecule langevin 300 300 100 8"])
def test_ensembles(fixes: str, free: Path) -> None:
    compare(text(fixes, more="ly lz vol"), free)


@pytest.mark.parametrize("fixes", [
    "fix r all rigid/npt molecule temp 100 500 20 iso 500 2000 15 tparam 3 2 5",
    "fix r all rigid/npt/small molecule temp 500 100 20 x 500 2000 15 z 100 200 30 pchain 3",
    "fix r all rigid/nph molecule aniso 500 2000 15",
    "velocity all set 0 0 0\nfix r all rigid/nph/small molecule iso 500 500 200"])
def test_ramps_and_chains_of_the_barostat(fixes: str, free: Path) -> None:
    """Half of a ramp in each of two runs; chains of the box take as many parts of a step as others. Atoms may be at rest."""
    runs = 1 if "set 0 0 0" in fixes else 2
    script = text(fixes, 0, "ly lz vol").replace("run 0\n", "run 40 start 0 stop 80\n" * runs)
    compare(script, free, start=1e-10, later=1e-10)


@pytest.mark.parametrize("fixes", [
    "fix r a rigid/small molecule\nfix n b npt temp 300 300 100 iso 100 100 200",
    "fix r a rigid/nve/small molecule\nfix n b rigid/npt molecule temp 300 300 100 aniso 1 1 200",
    "fix r all rigid/small molecule\nfix p all press/berendsen iso 1 1000 100 modulus 1000"])
def test_bodies_in_a_box_that_others_change(fixes: str, free: Path) -> None:
    """Also several fixes with bodies."""
    compare(text(f"group a molecule 1:12\ngroup b subtract all a\n{fixes}", more="vol"), free)


FLAT = """
dimension 2
atom_style bond
read_data flat.data
pair_style lj/cut 2.5
pair_coeff * * 1 0.8
velocity all create 1.0 871 loop all
velocity all set NULL NULL 0.0
neigh_modify exclude molecule/intra all
{fixes}
timestep 0.003
thermo_style custom step temp pe press pxx pyy pxy lx ly vol fnorm {more}
thermo_modify norm no format float %.15g
thermo 10
run 100
"""


@pytest.mark.parametrize("fixes, more", [
    ("fix r all rigid/small molecule", "f_r"), ("fix r all rigid molecule langevin 1 1 1 88", "f_r"),
    ("fix r all rigid/npt molecule temp 1 1 0.5 iso 1 1 2", "")])
def test_two_dimensions(fixes: str, more: str, here: Path) -> None:
    rng, rows, edge = np.random.default_rng(3), [], 5 * 3.3
    shapes = [[(0, 0), (0.9, 0.1)], [(0, 0), (0.8, 0.2), (0.1, 0.9)], [(0, 0), (1, 0), (1.1, 0.8), (-0.1, 0.7)]]
    for m in range(25):
        turn = rng.uniform(0, 6.28)
        c, s = np.cos(turn), np.sin(turn)
        for k, (a, b) in enumerate(shapes[m % 3]):
            x, y = 3.3 * (m // 5) + c * a - s * b, 3.3 * (m % 5) + s * a + c * b
            u, v = int(np.floor(x / edge)), int(np.floor(y / edge))
            rows.append(f"{len(rows) + 1} {m + 1} {1 + k % 2} {x - u * edge:.15g} {y - v * edge:.15g} 0 {u} {v} 0")
    Path("flat.data").write_text("\n".join(["flat", "", f"{len(rows)} atoms", "2 atom types", f"0 {edge} xlo xhi",
                                            f"0 {edge} ylo yhi", "-0.5 0.5 zlo zhi", "", "Masses", "", "1 1", "2 2", "",
                                            "Atoms # bond", "", *rows, ""]))
    compare(FLAT.format(fixes=fixes, more=more), here)


@pytest.mark.parametrize("fixes, most", [
    ("rigid/nvt molecule temp 300 300 50", 1e-5), ("rigid/npt molecule temp 300 300 50 iso 1 1 300", 5e-3)])
def test_what_is_lost_to_chains_is_counted(fixes: str, most: float, here: Path) -> None:
    """etotal + ecouple is conserved, with a barostat as nearly as its equations, which mix pressures of atoms and bodies."""
    molecules(here / "molecules.data")
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(text(f"fix r all {fixes}\npair_modify shift yes", 0, "econserve").replace("timestep 1.0", "timestep 0.25"))
    sim.commands("run 400")
    table = sim.thermo.table()
    assert np.ptp(table["econserve"]) < most * abs(table["econserve"][0]) < 0.1 * np.ptp(table["etotal"]) + 0.2


@pytest.mark.parametrize("fixes", ["fix r all rigid/npt molecule temp 300 300 50 iso 1 1 300",
                                   "fix r all rigid/small molecule langevin 300 300 100 8"])
def test_a_restart_goes_on(fixes: str, here: Path) -> None:
    molecules(here / "molecules.data")
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(text(fixes, 20) + "write_restart kept\nrun 20\n")
    again = Simulation(device="cpu", threads=1, screen="none", log="none")
    again.commands(f"read_restart kept\nneigh_modify exclude molecule/intra all\n{fixes}\nrun 20")
    order, other = (np.argsort(one.array("id")) for one in (sim, again))
    np.testing.assert_allclose(sim.array("x")[order], again.array("x")[other], rtol=0, atol=1e-11)


def body_file(path: Path, ids: range, count: int) -> None:
    """Heavier bodies than atoms make, with moments of their own, of what is in molecules.data: some are left to their atoms."""
    lines = (path.parent / "molecules.data").read_text().split("Atoms # molecular\n\n")[1].split("\n\n")[0].splitlines()
    table = np.array([line.split() for line in lines], float)
    rng, written = np.random.default_rng(8), [f"# bodies\n\n{count}"]
    for id in [*ids][:count]:
        mine = table[table[:, 1] == id]
        mass = np.array([0.0, 12.011, 1.008])[mine[:, 2].astype(int)]
        x = mine[:, 3:6] + 13.8 * mine[:, 6:]
        centre = mass @ x / mass.sum() + rng.uniform(-0.05, 0.05, 3)
        turns = np.floor(centre / 13.8)
        a = rng.uniform(-1, 1, (3, 3))
        tensor = a @ a.T + 8.0 * np.eye(3)
        values = [1.3 * mass.sum(), *(centre - 13.8 * turns), *tensor.diagonal(), tensor[0, 1], tensor[0, 2], tensor[1, 2],
                  *rng.uniform(-0.003, 0.003, 3), *rng.uniform(-0.02, 0.02, 3)]
        written.append(" ".join([str(id), *(f"{value:.15g}" for value in values), *(f"{turn:.0f}" for turn in turns)]))
    path.write_text("\n".join(written) + "\n")


@pytest.mark.parametrize("fixes, more", [
    ("fix r all rigid molecule infile bodies", "f_r f_r[3][1] f_r[3][5] f_r[3][9] f_r[3][10] f_r[1][13]"),
    ("fix r all rigid/small molecule infile bodies", "f_r"),
    ("fix r all rigid/small molecule infile bodies reinit yes", "f_r"),
    ("variable m atom mol\nfix r all rigid/nve custom v_m infile bodies", "f_r"),
    ("fix r all rigid/nvt/small molecule temp 300 300 100 infile bodies", "")])
def test_bodies_of_a_file(fixes: str, more: str, here: Path) -> None:
    """Also in a second run, which goes on with these bodies."""
    molecules(here / "molecules.data")
    body_file(here / "bodies", range(1, 28), 19)
    script = text(fixes, 40, more)
    compare(script, here)
    compare(script + "velocity all scale 200\nrun 20\n", here, start=1e-7)


@pytest.mark.parametrize("words", ["rigid molecule reinit no", "rigid/small molecule reinit no", "rigid molecule"])
def test_a_second_run(words: str, here: Path) -> None:
    """With reinit no, what was done to velocities in between does not count. Temperatures of straight bodies change."""
    molecules(here / "molecules.data")
    script = text(f"fix r all {words}", 10, "f_r") + "velocity all create 500 77 loop all\nrun 20\n"
    log = lmp(here, script)
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(script)
    mine = {name: values[2:] for name, values in sim.thermo.table().items()}
    assert worst(mine, parse_log(log)[-1], slice(None)) < 1e-7


def test_shapes_and_momenta_are_kept(here: Path) -> None:
    """Distances inside of bodies do not change, nor do the momentum and the energy."""
    molecules(here / "molecules.data")
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(text("fix r all rigid/nve molecule\npair_modify shift yes", 0))

    def seen() -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(sim.array("id"))
        x, v, mass = sim.array("x")[order], sim.array("v")[order], sim.engine.system.masses[sim.array("type")[order]]
        of = sim.array("molecule")[order]
        i, j = np.nonzero(np.triu(of[:, None] == of[None, :], 1))
        d = x[i] - x[j]
        return np.linalg.norm(d - 13.8 * np.rint(d / 13.8), axis=1), (mass[:, None] * v).sum(axis=0)

    before = seen()
    sim.commands("run 200")
    for was, now in zip(before, seen(), strict=True):
        np.testing.assert_allclose(now, was, atol=1e-11)
    energy = sim.thermo.table()["etotal"]
    assert np.ptp(energy) < 1e-3 * abs(energy[0])


@pytest.mark.parametrize("fixes, message", rows(r"""
fix r all rigid/small single -> usage
fix r all rigid sngle -> single
fix r all rigid custom i_a -> no property
fix r all rigid custom b -> usage: custom
group one id 1\nfix r one rigid single -> 1 atoms
fix r all rigid/nvt molecule temp 300 300 10 langevin 300 300 100 7 -> does not take keyword langevin
fix r all rigid/small molecule langevin 300 300 0 7 -> above 0
fix r all rigid/nvt molecule -> needs a temperature
fix r all rigid/npt molecule temp 300 300 10 -> needs a pressure
fix r all rigid molecule temp 1 1 1 -> rigid/nvt
fix r all rigid/nvt molecule temp 300 300 10 iso 1 1 100 -> does not take keyword iso
fix r all rigid/nvt molecule temp 300 300 10 tparam 3 1 4 -> 3 or 5
fix r all rigid/nph molecule x 1 1 100 y 1 1 50 couple xy -> coupled axes
fix r all rigid molecule force 99 on on on -> out of range
fix r all rigid molecule reinit ok -> reinit
fix r all rigid group 2 all all -> several bodies
fix r all rigid molecule\nfix s all rigid/small molecule -> belongs to a body of fix r
fix n all npt temp 300 300 100 iso 1 1 100\nfix r all rigid molecule\nrun 0 -> comes after fix n
fix r all rigid molecule infile none -> none
fix r all rigid molecule infile molecules.data -> a number of bodies
fix r all rigid molecule mol m -> rigid/nve/small
fix r all rigid/small molecule mol m -> unknown molecule template
"""))
def test_refusals(fixes: str, message: str, here: Path) -> None:
    molecules(here / "molecules.data")
    with pytest.raises(EverletError, match=message):
        Simulation(device="cpu", threads=1, screen="none", log="none").commands(text(fixes, 0))
