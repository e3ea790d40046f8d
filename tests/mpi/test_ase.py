"""The calculator of ASE in a program on several ranks: the same numbers on each, through changes of positions and cell."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import mpiexec

PROGRAM = """
import json, sys
import numpy as np
from ase.build import bulk
from everlet.ase import Everlet

atoms, found = bulk("Ar", cubic=True) * (3, 3, 3), []
atoms.rattle(0.1, seed=1)
atoms.set_cell(atoms.cell[:] @ np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0], scale_atoms=True)
atoms.calc = Everlet(pair_style="lj/cut 6.0", pair_coeff="* * 0.0104 3.4", threads=1)
for k in range(3):
    found.append([atoms.get_potential_energy(), *atoms.get_forces()[:4].ravel(), *atoms.get_stress(),
                  *atoms.get_potential_energies()[:4], *atoms.get_stresses()[:2].ravel()])
    atoms.set_cell(1.01 * atoms.cell[:], scale_atoms=True)
    atoms.rattle(0.01, seed=k)
rank = atoms.calc.sim.engine.world.rank
open(f"{sys.argv[1]}-{rank}.json", "w").write(json.dumps(found))
"""


def test_ranks_agree(tmp_path: Path) -> None:
    pytest.importorskip("ase")
    (tmp_path / "program.py").write_text(PROGRAM)
    for n in (1, 2):
        done = mpiexec(n, ["program.py", str(n)], tmp_path)
        assert done.returncode == 0, done.stderr[-2000:]
    one, *others = (np.array(json.loads((tmp_path / f"{name}.json").read_text())) for name in ("1-0", "2-0", "2-1"))
    for other in others:
        np.testing.assert_allclose(other, one, rtol=1e-10, atol=1e-13)
