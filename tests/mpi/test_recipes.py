"""The recipe for clusters on two ranks: the same energies as on one, and files of one rank."""

from __future__ import annotations

import re
from pathlib import Path

from tests.mpi.ranks import mpiexec

RECIPE = Path(__file__).parents[2] / "examples" / "recipes" / "cluster.py"


def test_ranks_share_the_atoms(tmp_path: Path) -> None:
    seen = []
    for n in (1, 2):
        done = mpiexec(n, [str(RECIPE)], tmp_path)
        assert done.returncode == 0, done.stderr[-2000:]
        seen.append(re.findall(rf"on {n} ranks?: energy (\S+)", done.stdout))
    assert seen[0] == seen[1] and len(seen[0]) == 1
    assert "pair_style lj/cut" in (tmp_path / "in.melt").read_text()
    assert "#SBATCH --nodes=2" in (tmp_path / "melt.job").read_text()
