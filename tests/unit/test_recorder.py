"""The flight recorder: prepared disasters, of which it names atom and part; and it changes no bit of a run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from everlet.api import recorder
from everlet.cli import main
from tests.devices import GPUS
from tests.scripts import melt

BOX = melt("0 3 0 3 0 3") + "fix 1 all nve\nthermo 10\n"
EXTRA = "bond/types 1 extra/bond/per/atom 2 extra/special/per/atom 4"
CHARGED = melt("0 5 0 5 0 5", "0.5 87287 loop all", "sc 0.3", types=2, first="atom_style full")
CHAIN = CHARGED.replace("create_box 2 box", f"create_box 2 box {EXTRA}").replace("lj/cut 2.5", "lj/cut/coul/cut 2.5") \
    + "bond_style harmonic\nbond_coeff 1 100 1.1\nfix 1 all nve\nthermo 10\n"
DISASTERS = {  # a script, the atom that is to be named (0: any), and words of the part
    "overlap": (BOX + "create_atoms 1 single 0.0 0.0 0.01 units box\nrun 100", 109, "pair_style lj/cut"),
    "timestep": (BOX + "timestep 0.08\nrun 300", 0, "pair_style lj/cut"),
    "push": (BOX + "group one id 77\nrun 40\nfix push one addforce 5e4 0 0\nrun 100", 77, "fix push"),
    "coefficient": (BOX + "group two id 7 8\nset group two type 1\nrun 20\npair_coeff 1 1 1 3.0 2.5\nrun 100", 0,
                    "pair_style lj/cut"),
    "charge": (CHAIN + "set atom 5 charge 900\nset atom 6 charge -900\nrun 200", 5, "charges of pair_style lj/cut/coul/cut"),
    "bond": (CHAIN + "create_bonds single/bond 1 1 63 special yes\nbond_coeff 1 4e8 1.1\nrun 100", 1, "bond_style harmonic"),
    "table": (BOX + "pair_style table linear 100\npair_coeff 1 1 bad.table BAD 2.5\nrun 50", 0, "pair_style table"),
    "lost": (BOX.replace("lattice", "boundary p p f\nlattice") + "displace_atoms all move 0 0 0.1 units box\n"
             "set atom 30 vz 40.0\nrun 200", 30, ""),
    "shake": (CHAIN + "create_bonds single/bond 1 1 2 special yes\nfix s all shake 1e-6 20 0 b 1\nrun 20\n"
              "displace_atoms all random 0 0 0 1\nset atom 1 vx 900\nrun 100", 1, ""),
    "begin": (BOX + "create_atoms 1 single 0.0 0.0 0.0\nrun 10", 109, ""),
    "mass": (CHAIN + "set atom 9 type 2\nmass 2 1e-6\nrun 100", 9, "pair_style lj/cut/coul/cut"),
}
TABLE = "BAD\nN 3 R 0.5 2.5\n\n1 0.5 0.0 -1e5\n2 1.5 0.0 1e5\n3 2.5 0.0 0.0\n"


@pytest.mark.parametrize("device", ["serial", *GPUS])
@pytest.mark.parametrize("name", DISASTERS)
def test_disaster(name: str, device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                  capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    script, atom, part = DISASTERS[name]
    Path("bad.table").write_text(TABLE)
    Path("in.disaster").write_text(script + "\n")
    assert main(["run", "in.disaster", "--device", device, "--screen", "none", "--log", "log"]) == 1
    said = capsys.readouterr().err
    named = re.search(r"atom (\d+)", said.partition("flight recorder")[2])
    assert named is not None, said
    assert not atom or int(named.group(1)) in (atom, *{5: (6,), 109: (1,), 1: (2, 63)}.get(atom, ())), said
    assert part in said and Path("log").read_text().count("flight recorder") == 1


def test_steps_are_made_again_by_plain_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = DISASTERS["push"][0].replace("0 3 0 3 0 3", "0 2 0 2 0 2").replace("2.5", "1.5").replace("id 77", "id 7")
    Path("in.disaster").write_text(script + "\n")
    assert main(["run", "in.disaster", "--device", "serial", "--screen", "none", "--log", "log"]) == 1
    replay = "flight_recorder/in.replay"
    assert main(["run", replay, "--device", "reference", "--screen", "none", "--log", "log2", "--no-recorder"]) == 1
    assert "flight recorder" in Path("log").read_text() and "flight recorder" not in Path("log2").read_text()
    frames = Path("flight_recorder/replay.dump").read_text()
    assert frames.count("TIMESTEP") > 1 and "\n40\n" in frames
    assert len(Path("flight_recorder/around.xyz").read_text().splitlines()) > 2


def test_no_bit_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(recorder, "EVERY", 30)
    monkeypatch.setattr(recorder, "SHARE", 1e9)
    taken = []
    monkeypatch.setattr(recorder, "contents", lambda system, make=recorder.contents: taken.append(system.step) or make(system))
    more = "fix 2 all langevin 1.0 1.0 0.5 4711\ndump 1 all custom 50 x.dump id x y z vx vy vz fx fy fz\n" \
        "dump_modify 1 sort id format float %.17g\nrun 100\nrun 100\n"
    Path("in.melt").write_text(BOX + more)
    for flags in ([], ["--no-recorder"]):
        assert main(["run", "in.melt", "--device", "serial", "--screen", "none", "--log", "log", *flags]) == 0
        Path("x.dump").rename(f"x{len(flags)}.dump")
    assert taken == [0, 30, 60, 90, 100, 120, 150, 180]
    assert Path("x0.dump").read_bytes() == Path("x1.dump").read_bytes()
