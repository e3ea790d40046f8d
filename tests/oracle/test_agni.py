"""pair style agni: forces of the files that come with the reference. It has no energy, and no virial that means anything."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from everlet.forces.manybody.mliap.agni import AgniFile
from tests.oracle.harness import Case, run_everlet, run_lmp, working_in
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)

FILES = {"Al_prb.agni": "Al", "Al_jpc.agni": "Al", "Al_Batra_2019.agni": "Al", "Cu_Huan_2019_fp1.agni": "Cu",
         "Cu_Huan_2019_fp2.agni": "Cu", "Pt_Chapman_2020.agni": "Pt"}


def case(file: str) -> Case:
    lines = ["units metal", "lattice fcc 4.1", "region box block 0 3 0 2 0 2", "create_box 1 box", "create_atoms 1 box",
             "mass * 30.0", "displace_atoms all random 0.08 0.08 0.08 2377", "pair_style agni",
             f"pair_coeff * * {file} {FILES[file]}", "velocity all create 600.0 87287", "neighbor 1.0 bin", "fix 1 all nve",
             "timestep 0.0005"]
    return Case(file, "\n".join(lines), "run 10", 5, [], columns="step temp ke pe")


@pytest.mark.parametrize("device", ["serial", "cpu"])
@pytest.mark.parametrize("file", FILES)
def test_forces_agree_with_the_reference(file: str, device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    one = case(file)
    expected = run_lmp(one.full_script(), {}, cache, allowed="unknown tag")
    found = run_everlet(one.full_script(), {}, tmp_path / "run", device=device)
    # little is left of a sum of such weights
    left = 1e-10 + 2e-16 * np.abs(AgniFile(file).weights).sum()
    assert (found.thermo[0]["PotEng"] == 0.0).all()
    for step, frame in expected.frames.items():
        for name in ("fx", "fy", "fz"):
            np.testing.assert_allclose(found.frames[step][name], frame[name], rtol=0, atol=left)


MADE_UP = """# made up
n_elements 1
element Cu
interaction Cu
generation 1
eta 0.5 0.2
Rc 4.0
n_train 2
sigma 1.0
b 0.5
endVar
0.1 0.2 9.0 1.5
0.3 -0.2 9.0 -0.7
"""


def test_an_atom_alone_and_others(tmp_path: Path) -> None:
    """Atoms without an element have no force and are not seen."""
    (tmp_path / "my.agni").write_text(MADE_UP)
    sim = Simulation(device="reference", log="none", screen="none")
    with working_in(tmp_path):
        sim.commands("units metal\nregion box block 0 9 0 9 0 9\ncreate_box 2 box\nmass * 1\ncreate_atoms 1 single 4 4 4\n"
                     "create_atoms 2 single 5 4 4\npair_style agni\npair_coeff * * my.agni Cu NULL\nrun 0\n")
    force = 0.5 + 1.5 * np.exp(-0.5 * 0.05) - 0.7 * np.exp(-0.5 * 0.13)
    np.testing.assert_allclose(sim.gather("f"), [[force] * 3, [0.0] * 3], rtol=1e-12)
    sim.close()


@pytest.mark.parametrize("old, new, message", [
    ("generation 1", "generation 3", "generation 3"), ("n_elements 1", "n_elements 2", "several elements"),
    ("Rc 4.0\n", "", "no line for Rc"), ("b 0.5", "c 0.5", "unknown word 'c'"), ("0.3 -0.2 9.0 -0.7\n", "", "n_train"),
    ("0.1 0.2 9.0 1.5", "0.1 1.5", "2 words"), ("element Cu", "element Al", "several elements"),
    ("Rc 4", "Rs 1\nRc 4", "Rs is 1")])
def test_files_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "my.agni").write_text(MADE_UP.replace(old, new, 1))
    with pytest.raises(EverletError, match=message), working_in(tmp_path):
        Simulation(device="reference", log="none", screen="none").commands(
            "units metal\nregion box block 0 9 0 9 0 9\ncreate_box 1 box\nmass * 1\npair_style agni\n"
            "pair_coeff * * my.agni Cu\n")
