"""LU on several ranks: verified, for arrays of two and three dimensions and all algorithms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mpi.ranks import mpiexec

CASES = {
    2: [["--algorithm", "pipeline"], ["--algorithm", "hyperplane", "--layout", "diagonal"],
        ["--algorithm", "blocked", "--blocking", "old", "--kblock", "3"]],
    4: [["--algorithm", "blocked", "--blocking", "new", "--kblock", "2", "--layout", "skewed"],
        ["--algorithm", "hyperplane", "--ranks", "1x2x2"], ["--algorithm", "pipeline", "--layout", "row"]],
}


@pytest.mark.parametrize("ranks", CASES)
def test_class_s_verifies(ranks: int, tmp_path: Path) -> None:
    jobs = [[*words, "--threads", "1", "--json", str(tmp_path / f"{k}.json")] for k, words in enumerate(CASES[ranks])]
    text = f"import sys\nfrom everlet import cli\nsys.exit(max(cli.main(['lu', *words]) for words in {jobs!r}))\n"
    (tmp_path / "jobs.py").write_text(text)
    done = mpiexec(ranks, [str(tmp_path / "jobs.py")], tmp_path)
    assert done.returncode == 0, done.stderr
    for k, words in enumerate(CASES[ranks]):
        row = json.loads((tmp_path / f"{k}.json").read_text())["rows"][0]
        assert row["verified"] and row["deviation"] < 1e-10 and row["ranks_in_all"] == ranks, words
