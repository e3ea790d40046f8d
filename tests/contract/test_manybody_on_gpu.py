"""What many-body styles do otherwise on GPUs, on every device: it must give what CPUs give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.manybody.eam.schemes import Embedded
from everlet.forces.manybody.snap import scheme as snap_scheme
from everlet.portable import Kernel, View, both, choose, f64, i32, i64, parallel_for, portable, where
from tests.devices import GPUS
from tests.oracle.test_mliap import SNA, network
from tests.oracle.test_snap import made_up
from tests.scripts import crystal

LINES = crystal("0 2 0 2 0 2", "fcc 4.0", units="metal", types=2) + """
set group all type/fraction 2 0.5 991
mass * 50.0
displace_atoms all random 0.2 0.2 0.2 2377
{pair}
neighbor 1.0 bin
fix 1 all nve
timestep 0.0005
"""
SPACES: dict[str, Any] = {"threads": {"device": "cpu", "threads": 2}}
SNAP = {"plain": (3, ""), "even": (2, "bzeroflag 0"), "chem": (2, "chemflag 1"), "quadratic": (2, "quadraticflag 1")}


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Every kind of SNAP (the even one differs in numbers only) with many teams, one with a single team."""
    if test == "test_snap":
        return given["flags"] == "plain" or (given["blocks"] == 1000 and given["flags"] != "even")
    return test != "test_snap_reading_ahead" or given["ahead"] == 8


@portable
def sums_of_rows(i, n: i64, values: f64[:], out: f64[:]):
    for q in lane_steps(0, n):  # noqa: F821
        a = load(values, i * n + q)  # noqa: F821
        add_sums(out, i, 3, a, a * a, q < lane_stride())  # noqa: F821


@pytest.mark.parametrize("team", [1, 2, 8, 32])
def test_sums_over_lanes(device: str, team: int) -> None:
    space = choose(**{"threads": 1} | SPACES.get(device, {"device": device}))
    values = np.random.default_rng(3).uniform(-1.0, 1.0, (3, 64))
    given, out = View(3 * 64, np.float64, space), View(6, np.float64, space)
    given.array[:] = space.from_host(values.ravel())
    out.array[:] = np.nan  # the first step puts its sums there
    parallel_for(space, 3, Kernel(sums_of_rows, team=team), 64, given, out)
    wanted = np.concatenate([values.sum(axis=1), (values**2).sum(axis=1)])
    np.testing.assert_allclose(space.to_host(out.data), wanted, atol=1e-13)


@portable
def packed_rows(i, depth: i64, length: i32[:], value: i32[:], found: i32[:], packed: i32[:]):
    """The odd numbers of row i, counted, and packed two times: all lanes must come to every step, or votes are mixed up."""
    m = i64(length[i])
    odd = i64(0)
    for q in lane_range(m):  # noqa: F821
        v = where(live(q, m), load(value, i * depth + q), i32(1))  # noqa: F821
        odd += count_lanes(both(live(q, m), v % i32(2) == i32(1)))  # noqa: F821
    for other in range(2):
        done = i64(0)
        for q in lane_range(m):  # noqa: F821
            v = where(live(q, m), load(value, i * depth + q), i32(1))  # noqa: F821
            there = both(live(q, m), v % i32(2) == i32(1))  # noqa: F821
            done += append(packed, (2 * i + other) * depth, done, i64(1), v, there)  # noqa: F821
        if leader():  # noqa: F821
            found[2 * i + other] = i32(done + odd)


@pytest.mark.parametrize("device", GPUS)
@pytest.mark.parametrize("team", [2, 8, 32])
def test_rows_that_end_within_a_step_are_packed(team: int, device: str) -> None:
    space, depth, n = choose(device), 96, 200
    if space.widest < team:
        pytest.skip(f"threads of {space} share no items")
    random = np.random.default_rng(5)
    lengths, values = random.integers(0, 70, n).astype(np.int32), random.integers(0, 100, (n, depth)).astype(np.int32)
    views = [View(size, np.int32, space) for size in (n, n * depth, 2 * n, 2 * n * depth)]
    for view, given in zip(views, (lengths, values), strict=False):
        view.put(given.ravel())
    parallel_for(space, n, Kernel(packed_rows, team=team), depth, *views)
    found, packed = (np.asarray(space.to_host(view.data)).reshape(n, 2, -1) for view in views[2:])
    for i in range(n):
        odd = values[i, : lengths[i]][values[i, : lengths[i]] % 2 == 1]
        for k in range(2):
            assert found[i, k, 0] == 2 * len(odd)
            np.testing.assert_array_equal(packed[i, k, : len(odd)], odd)


def state(pair: str, device: str, before: str = "") -> tuple[float, np.ndarray, np.ndarray]:
    """Energy, virial and forces after two steps."""
    sim = Simulation(**SPACES.get(device, {"device": device}), tune=False)
    sim.commands(before + LINES.format(pair=pair)).run(2)
    return sim.engine.system.energies["vdwl"], np.array(sim.engine.system.virial), sim.gather("f")


def agree(found: Any, wanted: Any) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12 * np.abs(other).max())


SNAP_PAIR = "pair_style snap\npair_coeff * * my.snapcoeff my.snapparam A B"


def agree_in_teams(pair: str, compiled: str, monkeypatch: pytest.MonkeyPatch, **settings: int) -> None:
    wanted = state(pair, "serial")
    monkeypatch.setattr(snap_scheme.SnapFull, "on", classmethod(lambda cls, space: snap_scheme.SnapInTeams))
    for name, value in settings.items():
        monkeypatch.setattr(snap_scheme.SnapInTeams, name, value)
    agree(state(pair, compiled), wanted)


@pytest.mark.parametrize("flags", SNAP)
@pytest.mark.parametrize("blocks", [1, 1000])  # places of a tile are done by one team, or by several
def test_snap(flags: str, blocks: int, compiled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    twojmax, line = SNAP[flags]
    (tmp_path / "my.snapcoeff").write_text(made_up(twojmax, 2, flags == "chem", flags == "quadratic"))
    (tmp_path / "my.snapparam").write_text(f"rcutfac 4.0\ntwojmax {twojmax}\n{line}\n")
    monkeypatch.chdir(tmp_path)
    agree_in_teams(SNAP_PAIR, compiled, monkeypatch, _processors=blocks)


def test_networks_of_components(compiled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my.model").write_text(network(5, "tanh 4 sigmoid 3 linear 1"))
    (tmp_path / "my.descriptor").write_text(SNA.replace("twojmax 4", "twojmax 2").replace("4.6", "4.0"))
    monkeypatch.chdir(tmp_path)
    pair = "pair_style mliap model nn my.model descriptor sna my.descriptor\npair_coeff * * A B"
    agree_in_teams(pair, compiled, monkeypatch)


@pytest.mark.parametrize("ahead", [1, 2, 8])
def test_snap_reading_ahead(ahead: int, compiled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any number of products whose factors are read first; the last ones of a sum are fewer."""
    (tmp_path / "my.snapcoeff").write_text(made_up(3, 2, False, False))
    (tmp_path / "my.snapparam").write_text("rcutfac 4.0\ntwojmax 3\n")
    monkeypatch.chdir(tmp_path)
    agree_in_teams(SNAP_PAIR, compiled, monkeypatch, ahead=ahead)


@pytest.mark.parametrize("scheme", ["full", "half"])
def test_densities_while_rows_are_shortened(scheme: str, compiled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pair, before = "pair_style eam/alloy\npair_coeff * * CuNi.eam.alloy Cu Ni", f"package everlet scheme {scheme}\n"
    monkeypatch.setattr(Embedded, "at_once", False)
    wanted = state(pair, "serial", before)
    monkeypatch.setattr(Embedded, "at_once", True)
    agree(state(pair, compiled, before), wanted)
