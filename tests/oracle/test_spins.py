"""Atoms with spins: against the reference on one rank; elsewhere energies are conserved and directions keep their length."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.reference import lmp
from tests.oracle.side_by_side import both_tables, same_tables
from tests.refusals import refused
from tests.tables import rows

ATOMS = """
units metal
atom_style spin
atom_modify map array sort 0 0
lattice bcc 2.87
region box block 0 {n} 0 3 0 3
create_box 2 box
create_atoms 1 box
set group all type/fraction 2 0.4 991
mass * 55.8
set group all spin/atom/random 31 2.2
set type 2 spin/atom 1.7 1 0.4 -0.3
displace_atoms all random 0.1 0.1 0.1 2377
velocity all create 300 4928459
neighbor 0.2 bin
timestep 0.0002
"""
EXCHANGE = """
pair_style spin/exchange 3.4
pair_coeff 1 1 exchange 3.4 0.02726 0.2171 1.841
pair_coeff 2 2 exchange 3.4 0.03 0.21 1.9 offset yes
pair_coeff 1 2 exchange 3.2 0.025 0.2171 1.841
"""
DMI = "pair_style spin/dmi 3.1\npair_coeff * * dmi 3.1 0.12e-02 0.3 0.5 2.0\n"
MAGELEC = "pair_style spin/magelec 3.1\npair_coeff * * magelec 3.1 0.12e-02 0.3 0.5 2.0\n"
METAL = """
pair_style hybrid/overlay eam/fs spin/exchange 3.4
pair_coeff * * eam/fs Fe_mm.eam.fs Fe Fe
pair_coeff * * spin/exchange exchange 3.4 0.02726 0.2171 1.841
"""
OUTER = "fix 1 all precession/spin anisotropy 0.001 0 0.6 1 zeeman 10 0 0.6 0.8\nfix_modify 1 energy yes\n"
CUBIC = "fix 1 all precession/spin cubic 0.001 0.0005 1 0 0 0 1 0 0 0 1\nfix 2 all langevin/spin 0.0 0.1 21\n"
MOVING, FROZEN = (f"fix 3 all nve/spin lattice {word}\n" for word in ("moving", "frozen"))
OUTPUT = """
compute m all spin
compute o all property/atom spx spy spz sp fmx fmy fmz
compute s all reduce sum c_o[*]
thermo_style custom step pe etotal press c_m[*] c_s[*]
thermo_modify format float %.17g
thermo 5
run 10
"""


@pytest.mark.parametrize("rest", [
    pytest.param(EXCHANGE + OUTER + MOVING, id="exchange"),
    pytest.param(DMI + FROZEN, id="dmi"),
    pytest.param(MAGELEC + FROZEN, id="magelec"),
    pytest.param(METAL + CUBIC + MOVING, id="metal"),
    pytest.param(METAL + CUBIC + MOVING + "atom_modify sort 1000 0\n", id="sorted"),
])
def test_against_the_reference(tmp_path: Path, rest: str) -> None:
    found, expected = both_tables(tmp_path, ATOMS.format(n=4) + rest + OUTPUT)
    same_tables(found, expected, 1e-9)


@pytest.mark.parametrize("threads", [1, 2])
def test_energy_is_conserved(threads: int) -> None:
    with Simulation(device="cpu", threads=threads, screen="none") as sim:
        sim.commands(ATOMS.format(n=6).replace("create 300", "create 50") + EXCHANGE + MOVING
                     + "pair_coeff * * exchange 3.5 0.02726 0.2171 1.841\nthermo 20\nrun 60")  # no pair comes near the cutoff
        energy = sim.thermo["etotal"]
        assert np.abs(energy - energy[0]).max() < 2e-6 and abs(sim.thermo["epair"][-1] - sim.thermo["epair"][0]) > 1e-4
        assert (sim.gather("spin")[:, :3] ** 2).sum(axis=1) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("pair", [DMI, MAGELEC], ids=["dmi", "magelec"])
def test_forces_are_slopes(pair: str) -> None:
    """Where the reference's are not."""
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(ATOMS.format(n=4) + pair + MOVING + "run 0")
        force, x = sim.gather("f")[7].copy(), sim.gather("x")[7].copy()
        for axis in range(3):
            energies = []
            for step in (1e-4, -1e-4):
                place = x + step * np.eye(3)[axis]
                sim.commands(f"set atom 8 x {place[0]:.17g} y {place[1]:.17g} z {place[2]:.17g}\nrun 0")
                energies.append(float(sim["pe"]))
            assert (energies[1] - energies[0]) / 2e-4 == pytest.approx(force[axis], rel=1e-5, abs=1e-8)
            sim.commands(f"set atom 8 x {x[0]:.17g} y {x[1]:.17g} z {x[2]:.17g}")


def test_noise_has_its_temperature() -> None:
    """Spins alone in a field: <s.n> = coth x - 1/x, x = g mu_B m H / (k_B T)."""
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(ATOMS.format(n=8).replace("0.0002", "0.0004") + "set group all spin/atom 2.2 1 1 0\n"
                     "pair_style zero 3.0\npair_coeff * *\nfix 1 all precession/spin zeeman 100 0 0 1\n"
                     f"fix 2 all langevin/spin 100 0.5 4711\n{FROZEN}"
                     "compute m all spin\nrun 1000\nfix a all ave/time 10 100 1000 c_m[3]\nrun 1000")
        x = 2 * 5.78901e-5 * 2.2 * 100 / (8.617343e-5 * 100)
        assert sim["f_a"] == pytest.approx(1 / np.tanh(x) - 1 / x, abs=0.03)


def test_data_files_go_both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    style = "units metal\natom_style spin\natom_modify map array sort 0 0\n"
    lmp(tmp_path, f"{ATOMS.format(n=3)}write_data ref.data\n")
    sim = Simulation(screen="none", device="serial")
    sim.commands(f"{style}read_data ref.data nocoeff\nwrite_data our.data\nwrite_restart our.restart\n")
    wanted = sim.gather("spin")
    lmp(tmp_path, f"{style}read_data our.data\nwrite_data back.data\n", "in.back")
    for line in ("read_data back.data", "read_restart our.restart"):
        sim.commands(f"clear\n{style}{line}")
        np.testing.assert_allclose(sim.gather("spin"), wanted, atol=1e-14)
    sim.close()


@pytest.mark.parametrize("lines, cause", rows(r"""
pair_coeff 1 1 dmi 3.4 1 1 1 -> has 'exchange' there
set atom 1 spin/atom 2.0 0 0 0 -> a direction
fix 1 all precession/spin stt 1 1 0 0 -> stt is not available
fix 1 all langevin/spin 1 0.1 21\nrun 0 -> fix nve/spin
fix 1 all nve/spin lattice soft -> lattice
"""))
def test_refused(lines: str, cause: str) -> None:
    refused(ATOMS.format(n=3) + EXCHANGE, lines, cause)
