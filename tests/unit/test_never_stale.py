"""Numbers are those of the present state, whatever has changed since the last run, and asking for them changes nothing.

Random sequences of commands go to two Simulations. One of them is asked in between, and what it says is compared with a new
Simulation that reads the same state from a data file; in the end both must have the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from everlet import Simulation

ATOMS = """units lj
atom_style {style}
lattice fcc 0.8442 origin 0.1 0.1 0.1
region box block 0 3 0 2 0 2
create_box 2 box {room}
create_atoms 1 box
set group all type/fraction 2 0.3 4711
mass * 1.0
velocity all create 1.44 87287 loop geom
displace_atoms all random 0.05 0.05 0.05 12345
"""
LJ = ["pair_style lj/cut 1.5", "pair_coeff * * 1 1", "pair_coeff 2 2 0.7 0.9", "neighbor 0.3 bin"]
CHARGED = ["pair_style lj/cut/coul/cut 1.5", "pair_coeff * * 1 1", "pair_coeff 2 2 0.7 0.9", "neighbor 0.3 bin",
           "bond_style harmonic", "bond_coeff 1 30.0 1.0", "special_bonds lj/coul 0 0.5 1"]
MEASURED = ["compute each all pe/atom", "compute stress all stress/atom NULL", "compute sum all reduce sum c_each c_stress[1]",
            "variable pull equal fcm(all,x)", "variable fx atom fx", "compute most all reduce max v_fx"]
WORDS = ("pe", "press", "pxx", "pxy", "temp", "ke", "etotal", "evdwl", "fmax", "fnorm", "c_sum[1]", "c_sum[2]", "v_pull",
         "c_most", "vol")


@dataclass
class Twins:
    """The same Simulation twice, and what a new one needs beside the atoms of a data file."""

    style: str
    room: str
    begin: list[str]
    first: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        made = ATOMS.format(style=self.style, room=self.room)
        self.asked, self.other = (Simulation(device="serial").commands("\n".join([made, *self.first])) for _ in range(2))
        self.settings(*self.begin, *MEASURED, "fix move all nve")

    def commands(self, *lines: str) -> None:
        for sim in (self.asked, self.other):
            sim.commands("\n".join(lines))

    def settings(self, *lines: str) -> None:
        """A new Simulation gets them, too."""
        self.commands(*lines)
        self.lines += lines

    def numbers(self, sim: Simulation) -> dict[str, Any]:
        found: dict[str, Any] = {word: sim.thermo.value(word) for word in WORDS}
        return found | {"forces": sim.gather("f")}

    def check(self, path: Path, order: int = 0) -> None:
        """Ask, beginning with one or another word."""
        sim, words = self.asked, [*WORDS[order:], *WORDS[:order]]
        found: dict[str, Any] = {}
        if order % 2:
            found["forces"] = sim.gather("f")
        found |= {word: sim.thermo.value(word) for word in words}
        found["forces"] = sim.gather("f")
        sim.commands(f"write_data {path} nocoeff")
        lines = ["units lj", f"atom_style {self.style}", f"read_data {path}", *self.lines, "run 0"]
        anew = Simulation(device="serial").commands("\n".join(lines))
        expected = self.numbers(anew)
        size = float(np.abs(expected["forces"]).max()) + 1.0
        np.testing.assert_allclose(found["forces"], expected["forces"], atol=1e-10 * size)
        for word in WORDS:
            assert found[word] == pytest.approx(expected[word], rel=1e-9, abs=1e-10 * size), (word, self.lines)

    def same_bits(self) -> None:
        one, other = self.asked, self.other
        for name in ("id", "x", "v", "image", "type"):
            np.testing.assert_array_equal(one.array(name), other.array(name), err_msg=name)
        rows = [[{word: row[word] for word in row if word != "cpu"} for row in sim.thermo.history] for sim in (one, other)]
        assert rows[0] == rows[1]


Change = Callable[[Twins], None]
small = st.floats(0.01, 0.08)
seeds = st.integers(1000, 9000)


def on_both(act: Callable[[Simulation], Any]) -> Change:
    def change(twins: Twins) -> None:
        for sim in (twins.asked, twins.other):
            act(sim)

    return change


def atoms_only(make: Callable[..., str], *given: Any) -> Any:
    """Lines whose effect is in the data file."""
    return st.builds(lambda *values: lambda twins: twins.commands(*make(*values).split("\n")), *given)


def kept(make: Callable[..., str], *given: Any) -> Any:
    """Lines that a new Simulation needs, too."""
    return st.builds(lambda *values: lambda twins: twins.settings(*make(*values).split("\n")), *given)


def moved(seed: int) -> Callable[[Simulation], None]:
    def act(sim: Simulation) -> None:
        x, draw = sim.gather("x"), np.random.default_rng(seed)
        far = draw.integers(-1, 2, x.shape) * (draw.random(len(x)) < 0.1)[:, None] @ np.asarray(sim.cell)
        sim.set_array("x", x + draw.uniform(-0.05, 0.05, x.shape) + far)

    return act


def pushed(twins: Twins) -> None:
    """A fix that adds a force, or no longer does."""
    line = "fix push all addforce 0.3 v_much -0.1"
    if line in twins.lines:
        twins.settings("unfix push")
        twins.lines = [one for one in twins.lines if one not in (line, "unfix push")]
    else:
        twins.settings("variable much equal 0.2", line)


def excluded(twins: Twins) -> None:
    line = "neigh_modify exclude type 1 2"
    if line in twins.lines:
        twins.commands("neigh_modify exclude none")
        twins.lines.remove(line)
    else:
        twins.settings(line)


CHANGES = [
    atoms_only("displace_atoms all random {0} {0} {0} {1}".format, small, seeds),
    atoms_only("displace_atoms all move {0} 0.3 0 units box".format, st.sampled_from([0.02, 1.1, -4.0])),
    atoms_only("set atom 3 x {0}".format, st.floats(-0.1, 0.2)),
    atoms_only("set atom 4*9 type {0}".format, st.sampled_from([1, 2])),
    atoms_only("velocity all create {0} {1} loop geom".format, st.sampled_from([0.5, 2.0]), seeds),
    atoms_only("velocity all scale {0}".format, st.sampled_from([0.5, 2.0])),
    atoms_only("change_box all x scale {0} remap units box".format, st.floats(0.98, 1.04)),
    atoms_only("change_box all y scale {0} units box".format, st.floats(1.0, 1.02)),
    atoms_only("mass 2 {0}".format, st.sampled_from([1.0, 2.5])),
    atoms_only("run {0}".format, st.integers(0, 3)),
    atoms_only("timestep {0}\nrun 2".format, st.sampled_from([0.002, 0.005])),
    atoms_only("run 1\nrun {0} pre no".format, st.integers(0, 2)),
    atoms_only("minimize 0 0 {0} 10".format, st.integers(1, 2)),
    atoms_only("reset_timestep {0}".format, st.integers(0, 9)),
    atoms_only("group some id < {0}".format, st.integers(2, 9)),
    kept("pair_coeff 1 2 {0} 1".format, st.floats(0.5, 1.5)),
    kept("neighbor {0} bin".format, st.sampled_from([0.2, 0.4])),
    kept("variable much equal {0}".format, st.floats(-0.5, 0.5)),
    st.builds(lambda seed: on_both(moved(seed)), seeds),
    st.builds(lambda kind: on_both(lambda sim: sim.set_array("type", np.where(sim.gather("id") % 3 == 0, kind, 1))),
              st.sampled_from([1, 2])),
    st.just(excluded),
    st.just(pushed),
]
OF_LJ = [
    kept("pair_style lj/cut {0}\npair_coeff * * 1 1".format, st.sampled_from([1.3, 1.6])),
    kept("pair_modify shift {0}".format, st.sampled_from(["yes", "no"])),
    atoms_only("delete_atoms random count 2 yes all NULL {0}".format, seeds),
    atoms_only("create_atoms 2 random 1 {0} NULL overlap 0.8".format, seeds),
]
OF_CHARGES = [
    atoms_only("set type 1 charge {0}".format, st.floats(-0.5, 0.5)),
    kept("bond_coeff 1 {0} 1.05".format, st.floats(10.0, 50.0)),
    kept("special_bonds lj/coul 0 {0} 1".format, st.sampled_from([0.0, 0.3, 1.0])),
    kept("pair_modify tail no\ndielectric {0}".format, st.sampled_from([1.0, 2.0])),
]


def many(*more: Any) -> Any:
    """Changes, each with the number of the word that is asked for first behind it; below 0: none is."""
    return st.lists(st.tuples(st.one_of(*CHANGES, *more), st.integers(-len(WORDS), len(WORDS) - 1)), min_size=1, max_size=7)


def follow(twins: Twins, steps: list[tuple[Change, int]], path: Path) -> None:
    for change, order in steps:
        change(twins)
        if order >= 0:
            twins.check(path, order)
    twins.check(path)
    twins.same_bits()
    twins.commands("run 3")
    twins.same_bits()


quick = settings(max_examples=6, deadline=None, derandomize=True,
                 suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
long = settings(quick, max_examples=150, derandomize=False)


def melt() -> Twins:
    return Twins("atomic", "", LJ)


def charged() -> Twins:
    links = "bond/types 1 extra/bond/per/atom 12 extra/special/per/atom 60"
    bonds = ["set type 1 charge 0.3", "set type 2 charge -0.5", "create_bonds many all all 1 0.9 1.15"]
    return Twins("full", links, CHARGED, ["pair_style zero 1.5", "pair_coeff * *", "bond_style zero", "bond_coeff *", *bonds])


@quick
@given(steps=many(*OF_LJ))
def test_numbers_of_pairs(steps: list[tuple[Change, int]], tmp_path: Path) -> None:
    follow(melt(), steps, tmp_path / "state")


@quick
@given(steps=many(*OF_CHARGES))
def test_numbers_of_charges_and_bonds(steps: list[tuple[Change, int]], tmp_path: Path) -> None:
    follow(charged(), steps, tmp_path / "state")


@pytest.mark.slow
@long
@given(steps=many(*OF_LJ))
def test_many_numbers_of_pairs(steps: list[tuple[Change, int]], tmp_path: Path) -> None:
    follow(melt(), steps, tmp_path / "state")


@pytest.mark.slow
@long
@given(steps=many(*OF_CHARGES))
def test_many_numbers_of_charges_and_bonds(steps: list[tuple[Change, int]], tmp_path: Path) -> None:
    follow(charged(), steps, tmp_path / "state")
