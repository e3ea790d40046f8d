"""Pair styles of sizes, molecules and layers of atoms (forces/pair/between.py) against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp, table
from tests.scripts import crystal
from tests.tables import rows

SPHERES = crystal("0 4 0 4 0 4", "sc 0.5", types=2, first="atom_style sphere") + """
set group all type/fraction 2 0.4 997
set type 1 diameter 0.9
set type 2 diameter 1.1
set atom 5*20 diameter 0.7
displace_atoms all random 0.2 0.2 0.2 2377
"""
LAYERS = """
units metal
atom_style full
region box block 0 9 0 9 0 14
create_box 2 box
create_atoms 1 random 24 4711 NULL overlap 1.2 maxtry 200
create_atoms 2 random 24 4712 NULL overlap 1.2 maxtry 200
mass * 12
set type 1 mol 1
set type 2 mol 2
set type 1 charge 0.3
set type 2 charge -0.25
displace_atoms all random 0.2 0.2 0.2 2377
"""
END = """
thermo_style custom step pe evdwl ecoul pxx pyy pzz pxy pxz pyz
thermo_modify norm no format float %.17g
run 0
write_dump all custom WHOSE id fx fy fz modify sort id format float %.17g
"""
SCRIPTS = {
    "lj/cut/sphere": SPHERES + "pair_style lj/cut/sphere 2.0\npair_coeff 1 1 1.0\npair_coeff 2 2 1.3 1.8\n",
    "lj/cut/sphere arithmetic": SPHERES + """
pair_style lj/cut/sphere 2.0
pair_coeff 1 1 1.0
pair_coeff 2 2 1.3 1.8
pair_modify mix arithmetic shift yes
""",
    "coul/shield": LAYERS + "pair_style coul/shield 5.0\npair_coeff * * 0.7\n",
    "coul/shield without taper": LAYERS + "pair_style coul/shield 5.0 0\npair_coeff 1 1 0.7\npair_coeff * 2 0.6\n",
    "kolmogorov/crespi/z": LAYERS + """
pair_style hybrid/overlay kolmogorov/crespi/z 6.0 coul/shield 5.0
pair_coeff * * none
pair_coeff 1 2 kolmogorov/crespi/z CC.KC C C
pair_coeff 1 2 coul/shield 0.7
""",
    "lebedeva/z": LAYERS + """
pair_style hybrid/overlay lebedeva/z 6.0
pair_coeff * * none
pair_coeff 1 2 lebedeva/z CC.Lebedeva C C
""",
}


def simulation(device: str = "reference") -> Simulation:
    return Simulation(device=device, screen="none", log="none")


def compare(folder: Path, sim: Simulation, theirs: dict[str, np.ndarray]) -> None:
    """Energies, pressures and forces."""
    for (key, values), wanted in zip(sim.thermo.table().items(), theirs.values(), strict=True):
        scale = max(abs(other[-1]) for one, other in theirs.items() if one[0] == "P" and one[1] != "o")
        np.testing.assert_allclose(values[-1], wanted[-1], rtol=1e-10, atol=1e-10 * scale * (key[0] == "p"), err_msg=key)
    mine, wanted = (np.stack([table(folder / file)[f] for f in ("fx", "fy", "fz")]) for file in ("ours", "theirs"))
    assert np.abs(wanted).max() > 0.0
    np.testing.assert_allclose(mine, wanted, rtol=0, atol=1e-10 * np.abs(wanted).max())


@pytest.mark.parametrize("name", SCRIPTS)
def test_as_the_reference(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = SCRIPTS[name] + END
    theirs = parse_log(lmp(tmp_path, script.replace("WHOSE", "theirs")))[-1]
    sim = simulation()
    sim.commands(script.replace("WHOSE", "ours"))
    compare(tmp_path, sim, theirs)


def test_distances_of_surfaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """lj/expand/sphere is lj/expand with the diameters of types; its own force in the reference is not a slope."""
    monkeypatch.chdir(tmp_path)
    sizes = "set type 1 diameter 0.3\nset type 2 diameter 0.5\n"
    coeffs = "pair_coeff 1 1 1.0 0.4 {}\npair_coeff 2 2 1.3 0.3 {} 0.9\npair_modify mix arithmetic\n"
    styles = {"ours": "pair_style lj/expand/sphere 1.0\n" + coeffs.format("", ""),
              "theirs": "pair_style lj/expand 1.0\n" + coeffs.format("0.3", "0.5")}
    before = SPHERES[: SPHERES.index("set type 1")] + sizes + "displace_atoms all random 0.2 0.2 0.2 2377\n"
    theirs = parse_log(lmp(tmp_path, before + styles["theirs"] + END.replace("WHOSE", "theirs")))[-1]
    sim = simulation()
    sim.commands(before + styles["ours"] + END.replace("WHOSE", "ours"))
    compare(tmp_path, sim, theirs)


@pytest.mark.parametrize("style, line, cause", rows("""
lj/cut/sphere 2.0 -> pair_modify mix sixthpower -> has no sixthpower mixing
coul/shield 5.0 2 -> run 0 -> the taper is on, 1, or off, 0
coul/shield 5.0 -> pair_coeff * * 0 -> lambda is above 0
kolmogorov/crespi/z 6.0 -> pair_coeff 1 2 CC.KC C B -> CC.KC has no line for C B
lebedeva/z 6.0 -> pair_coeff 1 2 CC.KC C C -> 11 words, and 12 are needed
lebedeva/z 6.0 -> pair_coeff 1 2 CC.KC C -> usage: pair_coeff I J FILE El1 El2
"""))
def test_refusals(style: str, line: str, cause: str) -> None:
    sim = simulation()
    sim.commands(SPHERES if "sphere" in style else LAYERS)
    with pytest.raises(InputError, match=cause):
        sim.commands(f"pair_style {style}\n{line}\n" + ("pair_coeff * * 1.0\nrun 0\n" if "mix" in line else ""))
