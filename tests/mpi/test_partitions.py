"""Partitions of ranks do what partitions of threads do; one that fails ends all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.mpi.ranks import mpiexec
from tests.unit.test_neb import END, HOP
from tests.unit.test_temper import LIQUID

TEMPER = re.sub("world 0.7 .*", "world 0.7 0.9", LIQUID).replace("world 11 22 33 44", "world 11 22")
SCRIPTS = {
    "temper": TEMPER.format(fixes="fix f all nvt temp $t $t 0.5", seed=5).replace("temper 200", "temper 100"),
    "neb": HOP.format(style="fire", springs="parallel ideal", neb="neb 0.0 0.0 40 20 20 final end"),
    "counter": 'variable u uloop 9\nlabel a\nprint "= $u"\nnext u\njump SELF a\n',
}


def start(folder: Path, script: str, ranks: int, sizes: str, timeout: float = 300) -> tuple[int, str]:
    """Status and standard error of a script with partitions."""
    folder.mkdir()
    (folder / "in.x").write_text(script)
    (folder / "end").write_text(END)
    words = ["-m", "everlet", "run", "in.x", "--device", "cpu", "--threads", "1", "--screen", "none", "-p", *sizes.split()]
    done = mpiexec(ranks, words, folder, timeout)
    return done.returncode, done.stderr


def table(folder: Path, number: int | None = None) -> list[str]:
    """Rows of numbers of a log."""
    text = (folder / ("log.everlet" if number is None else f"log.everlet.{number}")).read_text()
    return [line for line in text.splitlines() if re.match(r" *[0-9]+ +[-0-9]", line)]


@pytest.mark.parametrize("name", ["temper", "neb"])
def test_ranks_do_what_threads_do(tmp_path: Path, name: str) -> None:
    worlds = 2 if name == "temper" else 3
    several = "2x2" if name == "temper" else "1 2 1"
    for place, ranks, sizes in (("threads", 1, f"{worlds}x1"), ("ranks", worlds, f"{worlds}x1"), ("several", 4, several)):
        status, said = start(tmp_path / place, SCRIPTS[name], ranks, sizes)
        assert status == 0, said
    rows = [[table(tmp_path / place, number) for number in (None, 0, 1)] for place in ("threads", "ranks", "several")]
    assert len(rows[0][0]) == (6 if name == "temper" else 5) and rows[0] == rows[1]
    if name == "temper":
        assert rows[2] == rows[0]
        return
    for one, other in zip(rows[0][0], rows[2][0], strict=True):
        ours, theirs = ([float(word) for word in line.split()] for line in (one, other))
        assert ours[6:] == pytest.approx(theirs[6:], rel=1e-6, abs=1e-7)  # barriers, places and energies


def test_values_are_given_once(tmp_path: Path) -> None:
    status, said = start(tmp_path / "here", SCRIPTS["counter"], 3, "3x1")
    assert status == 0, said
    found = [re.findall("^= (.*)$", (tmp_path / "here" / f"log.everlet.{k}").read_text(), re.MULTILINE) for k in range(3)]
    assert sorted(sum(found, [])) == [str(k) for k in range(1, 10)] and [one[0] for one in found] == ["1", "2", "3"]
    assert not list((tmp_path / "here").glob(".everlet.claims*"))


def test_one_that_fails_ends_all(tmp_path: Path) -> None:
    """While another one runs, and while another one waits."""
    endless = "units lj\nregion b block 0 4 0 4 0 4\ncreate_box 1 b\ncreate_atoms 1 single 1 1 1\nmass 1 1.0\nfix 1 all nve\n"
    status, said = start(tmp_path / "runs", f"{endless}partition yes 2 foo\nrun 2000000000\n", 2, "2x1", timeout=120)
    assert status != 0 and "partition 1: in.x:7: partition yes 2 foo" in said and "unknown command 'foo'" in said
    waits = f"{endless}variable t world 1 2\nfix f all langevin $t $t 1.0 3\npartition yes 1 temper 10 10 $t f 0 3\n"
    status, said = start(tmp_path / "waits", waits, 2, "2x1", timeout=120)
    assert status != 0 and "partition 0 waits for all others in temper, but partition 1 has come to the end of its script" in \
        said.replace("\n", " ")


def test_ranks_must_be_as_many_as_asked_for(tmp_path: Path) -> None:
    status, said = start(tmp_path / "here", "print a", 2, "3x1")
    assert status == 1 and "asks for 3 ranks, but mpiexec has started 2" in said and "use mpiexec -n 3" in said
