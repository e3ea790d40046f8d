"""thermo_modify hash: the same state has the same digits on any number of ranks."""

from __future__ import annotations

from pathlib import Path

from tests.mpi.ranks import run_scripts
from tests.scripts import melt

SCRIPT = melt("0 5 0 4 0 4") + """
thermo_style custom step atoms
thermo_modify hash yes
run 0
"""
SCRIPTS = {"melt": (SCRIPT, {}), "other": (SCRIPT.replace("1.44 87287", "1.44 87288"), {})}


def hashes(place: Path) -> list[str]:
    lines = [line.split() for line in (place / "run.log").read_text().splitlines()]
    return [words[2] for words in lines if words[:2] == ["0", "320"]]


def test_the_same_state(tmp_path: Path) -> None:
    one, two = ([hashes(place) for place in run_scripts(ranks, SCRIPTS, tmp_path).values()] for ranks in (1, 2))
    assert one == two and one[0] != one[1] and all(len(text) == 15 for text, in one)
