"""Workers of mpi4py.futures run chunks of a batch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import mpiexec

PROGRAM = """
import numpy as np
from mpi4py import MPI
from mpi4py.futures import MPIPoolExecutor
from everlet import Batch

def crystal(edge):
    x = edge * np.array([[0.05, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
    return {"positions": x, "types": [1] * 4, "masses": np.ones(4), "cell": [edge] * 3}

def made(**more):
    runs = Batch([crystal(1.6 + 0.05 * k) for k in range(4)], units="lj", device="serial", **more,
                 commands="pair_style lj/cut 1.5\\npair_coeff * * 1.0 1.0")
    runs.set_temperature([0.5, 1.0, 1.5, 2.0], seed=3)
    runs.fix.nvt(temp=[0.5, 1.0, 1.5, 2.0], damp=0.3)
    runs.run(5)
    runs.run(5, every=5)
    return runs

if __name__ == "__main__":
    here = made()
    with MPIPoolExecutor() as pool:
        there = made(executor=pool, chunk=2)
    for a, b in zip(here.velocities, there.velocities, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-13)
    assert there.step == 10 and np.allclose(here.thermo["pe"], there.thermo["pe"], rtol=1e-12)
    assert there.thermo["system"].tolist() == [0, 1, 2, 3] * 2
    print("workers", MPI.COMM_WORLD.size - 1)
"""


def test_workers_of_mpi4py(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py.futures")
    (tmp_path / "program.py").write_text(PROGRAM)
    done = mpiexec(2, ["-m", "mpi4py.futures", "program.py"], tmp_path, timeout=300)
    assert "workers 1" in done.stdout, done.stdout + done.stderr
