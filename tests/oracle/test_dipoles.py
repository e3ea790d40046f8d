"""Atoms with dipoles against the reference go into files and come back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.reference import lmp

BASE = """
units lj
atom_style hybrid sphere dipole
lattice fcc 0.7
region box block 0 3 0 3 0 3
create_box 2 box
create_atoms 1 box
set group all type/fraction 2 0.4 991
mass * 1.0
set group all density 1.3
set type 1 charge 0.7
set type 2 charge -1.1
set type 1 dipole/random 4711 0.8
set type 2 dipole 0.3 -0.2 0.5
set type 2 omega 0.3 -0.2 1.5
"""


def test_data_files_go_both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    form = "modify sort id format float %.17g"
    words = "id type mux muy muz mu q mass omegax x y z"
    lmp(tmp_path, f"{BASE}write_data ref.data\nwrite_dump all custom ref.dump {words} {form}\n")
    sim = Simulation(screen="none", device="serial")
    style = "units lj\natom_style hybrid sphere dipole\n"
    sim.commands(f"{style}read_data ref.data nocoeff\nwrite_data our.data\n"
                 f"write_restart our.restart\nwrite_dump all custom our.dump {words} {form}\n")
    lmp(tmp_path, f"{style}read_data our.data\nwrite_dump all custom back.dump {words} {form}\n", "in.back")
    sim.commands(f"clear\nread_restart our.restart\nwrite_dump all custom again.dump {words} {form}\n")
    sim.close()
    wanted = np.loadtxt(tmp_path / "ref.dump", skiprows=9)
    for name in ("our", "back", "again"):
        np.testing.assert_allclose(np.loadtxt(tmp_path / f"{name}.dump", skiprows=9), wanted, rtol=1e-14, err_msg=name)


@pytest.mark.parametrize("lines, cause", [
    ("fix 1 all nve/sphere update omega", "can update"),
    ("set atom 2 dipole/random 99 -1", "length -1"),
    ("set atom 2 dipole 1 2 v_none", "none"),
])
def test_refused(lines: str, cause: str) -> None:
    sim = Simulation(screen="none", device="serial")
    sim.commands(BASE)
    with pytest.raises(InputError, match=cause):
        sim.commands(lines)
