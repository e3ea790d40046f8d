"""Frames that are written behind a run: the same files, and errors that come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.io.behind import Behind
from everlet.portable.spaces import Serial
from tests.scripts import melt

MELT = melt("0 4 0 4 0 4") + """
fix 1 all nve
dump a all atom 5 {name}.atom
dump b all custom 5 {name}.*.custom id type x y z vx
dump c all yaml 5 {name}.yaml id x
dump d all cfg 5 {name}.*.cfg mass type xs ys zs
run 20
undump a
"""


def test_files_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Simulation(device="serial").commands(MELT.format(name="at_once"))
    begun: list[int] = []
    usual = Behind.do
    monkeypatch.setattr(Serial, "asynchronous", True)
    monkeypatch.setattr(Behind, "do", lambda self, work: (begun.append(1), usual(self, work))[1])
    Simulation(device="serial").commands(MELT.format(name="behind"))
    assert len(begun) == 16  # all but the first of each
    for path in tmp_path.glob("at_once*"):
        other = path.with_name(path.name.replace("at_once", "behind"))
        assert path.read_text() == other.read_text(), path.name


def test_errors_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Serial, "asynchronous", True)
    sim = Simulation(device="serial")
    folder = tmp_path / "there"
    folder.mkdir()
    sim.commands(MELT.split("dump a", maxsplit=1)[0] + "dump a all atom 5 there/*.atom\nrun 0")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    with pytest.raises(InputError, match="cannot write"):
        sim.run(10)
