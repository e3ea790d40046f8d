"""Minimisations on several ranks: atoms that change hands take their directions along."""

from __future__ import annotations

from pathlib import Path

from tests.mpi.ranks import run_scripts
from tests.oracle.test_minimise import AFTER, CRYSTAL, DAMPED, LINES, OUTPUT, RELAX, TILTED, compare

FAR = "velocity some set 0 0 0\ndisplace_atoms odd move 0.9 0.0 0.0\nmin_style cg\nminimize 0 0 12 1000\n"


def test_ranks_agree(tmp_path: Path) -> None:
    text = CRYSTAL + OUTPUT.format(more="f_hold[1] f_pull")
    scripts = {"lines": (text + LINES + FAR, {}), "damped": (text + DAMPED + AFTER, {})}
    tilted = RELAX.format(region="prism 0 3 0 3 0 3 0.3 -0.2 0.1") + OUTPUT.format(more="lx xy yz f_1")
    relax = "".join(f"fix 1 all box/relax {words} vmax 0.002\nminimize 0 0 15 1000\n" for words in TILTED[1:4])
    scripts["relax"] = (tilted + relax, {})
    alone, several = (run_scripts(count, scripts, tmp_path) for count in (1, 2))
    for name in scripts:
        logs = [(place / "run.log").read_text() for place in (several[name], alone[name])]
        assert "on 2 procs" in logs[0]
        compare(*logs)
