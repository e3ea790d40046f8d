"""Jobs of several ranks: files, restarts, errors, what the log says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import mpiexec, run_scripts
from tests.oracle.harness import parse_log
from tests.scripts import melt

MELT = melt("0 4 0 4 0 4", "1.44 87287") + """
neigh_modify every 5 delay 0 check no
fix 1 all nve
thermo_modify format float %.17g
thermo 25
"""
TRIP = """
from everlet.errors import RunError
from everlet.fixes.base import Fix, fix_style

@fix_style("trip")
class Trip(Fix):
    def end_of_step(self):
        if self.system.step == 3 and self.system.world.rank == int(self.args[0]):
            raise RunError("tripped", "lift your feet")
"""


def everlet(ranks: int, script: str, folder: Path, *words: str):
    (folder / "in.x").write_text(script)
    return mpiexec(ranks, ["-m", "everlet", "run", "in.x", "--device", "cpu", "--threads", "1", *words], folder, 120)


def last_table(place: Path) -> dict[str, np.ndarray]:
    return parse_log((place / "run.log").read_text())[-1]


def test_restart_files_are_for_any_number_of_ranks(tmp_path: Path) -> None:
    """On as many ranks a continued run repeats the first one to the last bit; on others to rounding."""
    first = run_scripts(2, {"whole": (MELT + "restart 50 r.*\nrun 100\nwrite_data end.data\n", {})}, tmp_path)["whole"]
    rest = "\n".join(line for line in MELT.splitlines() if line.startswith(("neigh", "fix", "thermo")))
    again = {"again": (f"read_restart {first}/r.50\n{rest}\nrun 50\nwrite_data end.data\n", {})}
    expected = last_table(first)
    for ranks in (2, 3, 1):
        place = run_scripts(ranks, again, tmp_path)["again"]
        found = last_table(place)
        assert list(found["Step"]) == [50, 75, 100]
        for name, values in found.items():
            limit = 0.0 if ranks == 2 else 1e-9
            assert np.abs(values - expected[name][-3:]).max() <= limit * max(1.0, np.abs(values).max()), (ranks, name)
        same = (place / "end.data").read_bytes() == (first / "end.data").read_bytes()
        assert same == (ranks == 2)


def test_one_rank_writes(tmp_path: Path) -> None:
    """Files, log and screen are written once; what a command between runs sees is the whole system."""
    script = MELT + """
    dump d all custom 50 d.txt id x y z vx
    run 50
    variable e equal ke(all)/count(all)
    variable top equal bound(all,xmax)
    thermo_style custom step temp v_e v_top c_thermo_temp
    shell mkdir made
    run 50
    print "SAY $(count(all)) $(v_e:%.10f)" file said.txt
    shell mv said.txt made
    set type 1 vx 0.0
    run 0
    print "SAY $(temp:%.10f)"
    """
    done = everlet(3, script, tmp_path)
    assert done.returncode == 0, done.stderr
    log = (tmp_path / "log.everlet").read_text()
    assert done.stdout.count("Loop time of") == log.count("Loop time of") == 3
    assert "3 MPI ranks, 3 on this machine, each on serial" in log
    frames = (tmp_path / "d.txt").read_text().split("ITEM: TIMESTEP\n")[1:]
    assert [int(frame.split()[0]) for frame in frames] == [0, 50, 100]
    ids = [sorted(int(line.split()[0]) for line in frame.splitlines()[8:]) for frame in frames]
    assert ids == [list(range(1, 257))] * 3
    said = [line for line in done.stdout.splitlines() if line.startswith("SAY")]
    assert (tmp_path / "made" / "said.txt").read_text().strip() == said[0] and said[0].startswith("SAY 256 ")
    alone = tmp_path / "alone"
    alone.mkdir()
    expected = [line for line in everlet(1, script, alone).stdout.splitlines() if line.startswith("SAY")]
    assert [float(line.split()[-1]) for line in said] == pytest.approx([float(line.split()[-1]) for line in expected], rel=1e-8)


@pytest.mark.parametrize("rank", [0, 1])
def test_an_error_on_one_rank_ends_all(tmp_path: Path, rank: int) -> None:
    (tmp_path / "trip.py").write_text(TRIP)
    script = MELT + f"plugin load trip.py\nfix t all trip {rank}\nrun 10000000\n"
    done = everlet(2, script, tmp_path, "--allow-python")
    assert done.returncode != 0
    assert done.stderr.count("tripped") == done.stderr.count("lift your feet") == 1


def test_an_error_on_all_ranks_is_said_once(tmp_path: Path) -> None:
    done = everlet(2, "units lj\nfrobnicate 1\n", tmp_path)
    assert done.returncode == 1 and done.stderr.count("frobnicate") == 2 and "Abort" not in done.stderr  # line and cause


def test_lost_atoms_are_named_as_on_one_rank(tmp_path: Path) -> None:
    script = "boundary p p f\n" + MELT + "group top id 1\nvelocity top set 0 0 -30\nrun 100\n"
    errors = []
    for ranks in (1, 2):
        (tmp_path / str(ranks)).mkdir()
        errors.append(everlet(ranks, script, tmp_path / str(ranks)).stderr)
    assert "lost atoms: 256 before" in errors[0] and "first atom 1 at" in errors[0]
    said = [[line for line in text.splitlines() if "lost atoms" in line] for text in errors]  # not the compiler's progress
    assert len(said[1]) == 1 and said[0][0] == said[1][0]


def test_processors_are_obeyed(tmp_path: Path) -> None:
    done = everlet(2, "processors 2 1 *\n" + MELT, tmp_path)
    assert "2 by 1 by 1 MPI processor grid" in done.stdout
    done = everlet(2, "processors 3 * *\n", tmp_path)
    assert done.returncode == 1 and "asks for 3 processes, but there are 2" in done.stderr


def test_ranks_tune_together(tmp_path: Path) -> None:
    """All ranks choose the same plan (they would wait for each other otherwise), and the atoms are as they were."""
    script = MELT.replace("0 4 0 4 0 4", "0 8 0 8 0 8").replace("thermo 25", "thermo 5")
    tables = []
    for words in ([], ["--no-tune"]):
        done = everlet(2, script + "run 600\n", tmp_path, *words, "--log", "run.log")
        assert done.returncode == 0, done.stderr
        assert ("tune: scheme" in done.stdout) == (not words)
        tables.append(last_table(tmp_path))
    np.testing.assert_allclose(tables[0]["TotEng"][:20], tables[1]["TotEng"][:20], rtol=1e-9)
