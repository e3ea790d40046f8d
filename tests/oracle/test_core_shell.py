"""Cores and shells: pairs that bonds of length zero join, their temperature, and charges at one place."""

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.side_by_side import differences

SCRIPT = """
units metal
atom_style full
fix pairs all property/atom i_CSID
read_data {data} fix pairs NULL CS-Info
group cores type 1 2
group shells type 3 4
comm_modify vel yes
{style}
pair_coeff * * 0.0 1.0 0 0 0
pair_coeff 3 3 487.0 0.23768 0 1.05 0.5
pair_coeff 3 4 145134.0 0.23768 0 6.99 8.7
pair_coeff 4 4 405774.0 0.23768 0 72.4 145.4
bond_style harmonic
bond_coeff 1 63.014 0.0
bond_coeff 2 25.724 0.0
compute pairs all temp/cs cores shells
thermo_style custom step etotal pe ke temp press evdwl ecoul ebond fnorm c_pairs[1] c_pairs[4]
thermo_modify temp pairs format float %.15g
velocity all create 900.0 81723 mom yes rot no dist gaussian bias yes temp pairs loop all
velocity all scale 900.0 temp pairs
timestep 0.0004
thermo 10
"""
DSF = "pair_style born/coul/dsf/cs 0.1 6.0 6.0"


def salt(path: Path, apart: float) -> None:
    """Rock salt, disordered, with shells so far from their cores along x."""
    rng = np.random.default_rng(5)
    atoms, bonds, pairs = [], [], []
    for k, place in enumerate(np.ndindex(4, 4, 4), 1):
        x, kind = 3.0 * np.array(place) + rng.uniform(0.4, 0.6, 3), sum(place) % 2
        for shell, q in enumerate(((1.5005, -0.5005), (1.5056, -2.5056))[kind]):
            at = x + [apart * shell, 0.0, 0.0]
            atoms.append(f"{2 * k - 1 + shell} {k} {1 + kind + 2 * shell} {q} {at[0]:.7f} {at[1]:.7f} {at[2]:.7f}")
            pairs.append(f"{2 * k - 1 + shell} {k}")
        bonds.append(f"{k} {kind + 1} {2 * k - 1} {2 * k}")
    head = ["salt", "", "128 atoms", "64 bonds", "4 atom types", "2 bond types", *(f"0 12.0 {a}lo {a}hi" for a in "xyz")]
    masses = ["", "Masses", "", "1 20.69", "2 31.91", "3 2.3", "4 3.55"]
    sections = ["", "Atoms", "", *atoms, "", "Bonds", "", *bonds, "", "CS-Info", "", *pairs, ""]
    path.write_text("\n".join([*head, *masses, *sections]))


def test_shells_near_their_cores(tmp_path: Path) -> None:
    """Thermostats act on the motion of pairs; new velocities have none within them."""
    salt(tmp_path / "data.salt", 0.03)
    script = SCRIPT.format(data=tmp_path / "data.salt", style=DSF) + """
fix 1 all nve
fix 2 all temp/berendsen 900.0 850.0 0.25
fix_modify 2 temp pairs
run 20
unfix 1
unfix 2
fix 1 all nvt temp 850.0 900.0 0.08
fix_modify 1 temp pairs
run 10
"""
    found = differences(script, tmp_path / "runs", start=1e-9, later=1e-6)  # the reference loses digits where 1/r - 1/r is left
    assert not found, "\n".join(found)


@pytest.mark.parametrize("style", [DSF, "kspace_style ewald 1e-6\npair_style born/coul/long/cs 6.0 6.0"])
def test_shells_at_their_cores(style: str, tmp_path: Path) -> None:
    """Energies go to a limit; so do forces, but for those of dsf, which have a size there and no direction."""
    found = []
    for apart in (0.0, 1e-6):
        salt(tmp_path / "data.salt", apart)
        sim = Simulation(device="serial", screen="none", log="none")
        sim.commands(SCRIPT.format(data=tmp_path / "data.salt", style=style) + "run 0\n")
        found.append([sim.thermo.table()[name][-1] for name in ("pe", "press", *["fnorm"] * (style != DSF))])
        sim.close()
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found[0], found[1], rtol=2e-5)
