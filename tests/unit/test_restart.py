"""Restart files: everything comes back to the bit; damaged and foreign files are refused."""

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.io.restart import read_restart, write_restart
from everlet.portable.spaces import Serial
from everlet.script.commands import files
from everlet.state.system import System
from tests.unit.small import simulation, small


def full(boundary="p fs m"):
    system = small("metal", boundary, tilt=(0.5, 0.0, 0.0))
    system.step, system.dt, system.time_base, system.next_sort = 77, 0.1 + 0.2, (5, 1 / 3), 1000
    system.groups.assign("some", system.atoms.edit("mask"), np.array([True, False, True, False]))
    system.atoms.add_field("charge", np.float64)
    system.atoms.edit("charge")[:] = [1, 2, 3, 4]
    system.type_labels = {"A": 1}
    system.newton = False
    system.box.margin[:] = 0.125
    return system


def test_round_trip(tmp_path):
    one, two = full(), System(Serial())
    path = write_restart(one, str(tmp_path / "r.*.bin"))
    assert path.endswith("r.77.bin")
    pair, warnings = read_restart(two, str(tmp_path / "r.*.bin"))
    assert pair is None and warnings == []
    for name in one.atoms.fields:
        a, b = one.atoms.read(name), two.atoms.read(name)
        assert np.array_equal(a, b) and a.dtype == b.dtype
    for name in (
        "step",
        "dt",
        "time",
        "time_base",
        "next_sort",
        "units",
        "dimension",
        "newton",
        "type_labels",
        "sort_every",
    ):
        assert getattr(one, name) == getattr(two, name), name
    assert np.array_equal(one.box.params(), two.box.params()) and one.box.boundary == two.box.boundary
    assert np.array_equal(one.box.margin, two.box.margin) and np.array_equal(one.box.minimum, two.box.minimum)
    assert one.groups.bits == two.groups.bits and np.array_equal(one.masses, two.masses)


def test_newest_of_several(tmp_path):
    system = full()
    for step in (9, 100, 20):
        system.step = step
        write_restart(system, str(tmp_path / "r.*"))
    other = System(Serial())
    read_restart(other, str(tmp_path / "r.*"))
    assert other.step == 100
    with pytest.raises(InputError, match="there is no restart file"):
        read_restart(System(Serial()), str(tmp_path / "q.*"))


def test_newton_choice_of_the_script_stays(tmp_path):
    path = write_restart(full(), str(tmp_path / "r"))
    system = System(Serial())
    system.newton_given = True
    _, warnings = read_restart(system, path)
    assert system.newton and "newton was off" in warnings[0]


def test_damaged_files_are_refused(tmp_path):
    path = tmp_path / "r"
    write_restart(full(), str(path))
    good = path.read_bytes()
    flipped = bytearray(good)
    flipped[good.index(b"NUMPY") + 200] ^= 1
    cases = [
        (good[: len(good) // 2], "truncated or damaged"),
        (good[:-1], "truncated or damaged"),
        (bytes(flipped), "damaged"),
        (b"", "is not a restart file"),
        (b"hello", "is not a restart file"),
        (b"LammpS RestartT", "is a restart file of LAMMPS"),
        (good.replace(b'"format": 4,', b'"format": 3,'), "damaged"),
    ]
    for content, message in cases:
        path.write_bytes(content)
        system = System(Serial())
        with pytest.raises(InputError, match=message):
            read_restart(system, str(path))
        assert system.box is None and system.natoms == 0
    with pytest.raises(InputError, match="No such file"):
        read_restart(System(Serial()), str(tmp_path / "none"))


def test_newer_format_and_other_zips_are_refused(tmp_path, monkeypatch):
    from everlet.io import restart

    path = str(tmp_path / "r")
    monkeypatch.setattr(restart, "FORMAT", restart.FORMAT + 1)
    write_restart(full(), path)
    monkeypatch.undo()
    with pytest.raises(InputError, match=f"restart format {restart.FORMAT + 1}, and this version reads {restart.FORMAT}"):
        read_restart(System(Serial()), path)
    np.savez(str(tmp_path / "z.npz"), a=np.zeros(3))
    with pytest.raises(InputError, match="damaged"):
        read_restart(System(Serial()), str(tmp_path / "z.npz"))


class Pair:
    name, stored = "lj/cut", True

    def __init__(self):
        self.restored = None

    def state(self):
        return {"style": "lj/cut", "args": ["2.5"], "coeffs": [[1, 1, {"epsilon": 0.1}]]}

    def restore(self, state):
        self.restored = state


def test_commands(tmp_path):
    sim = simulation(full())
    sim.system.pair = Pair()
    files.write_restart(sim, [str(tmp_path / "r"), "noinit"])
    other = simulation(System(Serial()))

    def set_pair(style, args):
        other.system.pair = Pair()
        assert (style, args) == ("lj/cut", ["2.5"])

    other.set_pair = set_pair
    files.read_restart(other, [str(tmp_path / "r")])
    assert other.system.pair.restored == sim.system.pair.state() and other.system.step == 77
    for command in (files.write_restart, files.read_restart):
        with pytest.raises(InputError, match="'nfile' is not available"):
            command(sim, ["f", "nfile", "2"])
    with pytest.raises(InputError, match="a box exists already"):
        files.read_restart(other, [str(tmp_path / "r")])


def test_periodic(tmp_path):
    sim = simulation(full())
    files.restart_command(sim, ["20", str(tmp_path / "one")])
    files.restart_command(sim, ["30", str(tmp_path / "a"), str(tmp_path / "b")])
    for step in range(70):
        sim.system.step = step
        if step and sim.restart.due(step):
            sim.restart.write(sim)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a", "b", "one.20", "one.40", "one.60"]
    other = System(Serial())
    read_restart(other, str(tmp_path / "b"))
    assert other.step == 60
    files.restart_command(sim, ["0"])
    assert sim.restart is None
    for args in (["-1", "f"], ["10"], ["0", "f"], ["10", "a", "b", "c"], ["10", "a%"]):
        with pytest.raises(InputError):
            files.restart_command(sim, args)


MELT = """units lj
lattice fcc 0.8442
region box {region}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff * * 1 1 2.5
fix 1 all nve
restart 30 plan
run 50
write_restart now
run 50
"""


def goes_on(whole, script, device):
    """A script that continues a run of 100 steps ends as the whole run did, bit by bit."""
    part = Simulation(device=device).commands(script)
    assert part.engine.system.step == whole.engine.system.step == 100
    for name in ("id", "x", "v", "f", "image"):
        assert np.array_equal(part.array(name), whole.array(name)), name
    assert part.thermo.history[-1] == whole.thermo.history[-1]


@pytest.mark.parametrize("region", ["block 0 3 0 3 0 3", "prism 0 3 0 3 0 3 0.5 0.25 -0.5"])
@pytest.mark.parametrize("device", ["serial", "cpu"])
def test_exact_continuation(tmp_path, monkeypatch, region, device):
    """From a file written during a run or after it, every bit of the trajectory is repeated, on threads too."""
    monkeypatch.chdir(tmp_path)
    whole = Simulation(device=device).commands(MELT.format(region=region))
    rest = "fix 1 all nve\nrestart 30 again\n"
    for script in (f"read_restart plan.30\n{rest}run 20\nrun 50\n", f"read_restart now\n{rest}run 50\n"):
        goes_on(whole, script, device)
