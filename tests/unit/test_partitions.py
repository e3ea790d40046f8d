"""Several partitions in one process: universes of threads, their variables, logs and errors."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from everlet.cli import main
from everlet.cli.request import run_request
from everlet.comm.universe import here, in_threads
from everlet.errors import InputError, RunError
from everlet.state.ranks import Universe


def run(path: Path, script: str, *words: str) -> int:
    """The exit status of a script in this folder."""
    (path / "in.x").write_text(script)
    return main(["run", str(path / "in.x"), "--device", "cpu", "--log", str(path / "log"), "--screen", "none", *words])


def said(path: Path, number: int) -> list[str]:
    return [line for line in (path / f"log.{number}").read_text().splitlines() if line.startswith("=")]


def test_sizes_of_partitions() -> None:
    assert run_request("in.x -p 3x2 4".split()).partition == [2, 2, 2, 4]
    for words in ("-p", "-p x", "-p 2x0", "-p 0x2", "-p two"):
        with pytest.raises(InputError, match="partition"):
            run_request(["in.x", *words.split()])


def test_worlds_meet() -> None:
    def one(universe: Universe) -> list[list[int]]:
        assert here() is universe
        found = [universe.all_of("a", universe.number)]
        time.sleep(0.002 * (universe.worlds - universe.number))
        return [*found, universe.all_of("b", 10 * universe.number)]

    assert in_threads(5, one) == [[[0, 1, 2, 3, 4], [0, 10, 20, 30, 40]]] * 5
    assert here().worlds == 1


def test_a_world_that_fails_ends_all() -> None:
    def one(universe: Universe) -> None:
        if universe.number == 2:
            raise RunError("lost atoms")
        while universe.number == 1:
            universe.check()
            time.sleep(0.001)
        universe.all_of("temper", 0)

    with pytest.raises(RunError, match="lost atoms") as caught:
        in_threads(3, one)
    assert caught.value.partition == 2  # type: ignore[attr-defined]


def test_nobody_waits_for_a_world_that_has_ended() -> None:
    with pytest.raises(InputError, match="waits for all others in temper, but partition 1 has come to the end of its script"):
        in_threads(2, lambda universe: universe.number or universe.all_of("temper", 0))


def test_values_of_all_partitions_are_given_once(tmp_path: Path) -> None:
    script = """
        variable t world a b c
        variable u uloop 7 pad
        variable v universe A B C D E F G
        label again
        print "= $t $u $v"
        next u v
        jump SELF again
        variable u delete
        variable u universe x y z
        print "= $u $(extract_setting(universe_size))"
    """
    assert run(tmp_path, script, "--partition", "3x1") == 0
    lines = [said(tmp_path, number) for number in range(3)]
    rows = sorted(line.split()[2:] for found in lines for line in found[:-1])
    assert rows == [[str(k + 1), "ABCDEFG"[k]] for k in range(7)]
    assert [found[0].split()[1:] for found in lines] == [["a", "1", "A"], ["b", "2", "B"], ["c", "3", "C"]]
    assert [found[-1] for found in lines] == ["= x 3", "= y 3", "= z 3"]


def test_commands_for_some(tmp_path: Path) -> None:
    script = """
        partition yes 2* print "= late"
        partition no 1*2 print "= last"
        partition yes 3 print "= third" universe yes
        partition yes 1 print "= first" universe yes
        region b block 0 1 0 1 0 1
        create_box 1 b
        print "= $(part)"
    """
    assert run(tmp_path, script, "-p", "3x1") == 0
    found = [said(tmp_path, number) for number in range(3)]
    assert found == [["= first", "= 0"], ["= late", "= 1"], ["= late", "= last", "= third", "= 2"]]
    universe = (tmp_path / "log").read_text()
    assert "Running on 3 partitions" in universe and "= first" in universe and "third" not in universe


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="threads have folders of their own on Linux")
def test_partitions_are_in_folders_of_their_own(tmp_path: Path) -> None:
    before = os.getcwd()
    script = f"""
        variable d world one two
        shell mkdir {tmp_path}/$d
        shell cd {tmp_path}/$d
        print "$d" file name
    """
    assert run(tmp_path, script, "-p", "2x1") == 0
    assert os.getcwd() == before
    assert [(tmp_path / name / "name").read_text() for name in ("one", "two")] == ["one\n", "two\n"]


@pytest.mark.parametrize("script, words, message", [
    ("variable t world a b c", "2x1", "partition [01]: .*variable t world has 3 values for 2 partitions"),
    ("variable t uloop 1", "2x1", "at least 2"),
    ("partition yes 2 foo", "3x1", "partition 1: .*unknown command 'foo'"),
    ("partition yes 4 print a", "3x1", "counted from 1 to 3"),
    ("print a", "2x2", "asks for 4 ranks, but there is one.*mpiexec -n 4"),
])
def test_errors_name_the_partition(tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str, words: str, message: str
                                   ) -> None:
    assert run(tmp_path, script, "-p", words) == 1
    assert re.search(message, capsys.readouterr().err.replace("\n", " ")), message


def test_an_error_ends_runs_of_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Long ones, between two steps."""
    script = """
        units lj
        region b block 0 4 0 4 0 4
        create_box 1 b
        create_atoms 1 single 1 1 1
        mass 1 1.0
        fix 1 all nve
        partition yes 1 run 10
        partition yes 1 foo
        run 1000000000
    """
    assert run(tmp_path, script, "-p", "2x1", "--plog", str(tmp_path / "own")) == 1
    assert "partition 0: " in capsys.readouterr().err
    assert "partition 0 has failed" in (tmp_path / "own.1").read_text()


@pytest.mark.parametrize("script, sizes", [("in.temper", "4x1"), ("in.neb", "5x1")])
def test_scripts_of_replicas_can_be_checked(capsys: pytest.CaptureFixture[str], script: str, sizes: str) -> None:
    path = str(Path(__file__).parents[2] / "examples" / script)
    assert main(["check", path]) == 1 and "partition" in capsys.readouterr().out
    assert main(["check", path, "--partition", sizes]) == 0 and "nothing is refused" in capsys.readouterr().out


def test_replicas_end_together(tmp_path: Path) -> None:
    """By a time limit that one of them has: at the same step, with their output."""
    script = """
        units lj
        region b block 0 4 0 4 0 4
        create_box 1 b
        create_atoms 1 single 1 1 1
        create_atoms 1 single 3 3 3
        mass 1 1.0
        variable t world 1.0 2.0
        velocity all create $t 4711
        fix n all nve
        fix f all langevin $t $t 1.0 7
        partition yes 1 timer timeout 1
        temper 1000000000 10 $t f 0 3
        print "= $(step)"
    """
    assert run(tmp_path, script, "-p", "2x1", "--on-signal", "restart") == 0
    steps = [said(tmp_path, number)[0] for number in range(2)]
    assert steps[0] == steps[1] != "= 0"
