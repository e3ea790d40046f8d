"""Teams with scratch memory: an all-pairs loop over tiles, the same on every space."""

# ruff: noqa: F821
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.portable import (
    Kernel,
    Reference,
    Serial,
    View,
    cache,
    f64,
    i64,
    parallel_for,
    parallel_team,
    portable,
    real,
    rsqrt,
)
from everlet.portable.backends.cuda import nvrtc
from tests.unit.spaces import every_space


@portable
def attraction(dx, dy, dz, mass):
    inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01)
    return mass * inverse**3


@portable
def gravity(t, n: i64, body: f64[:, 4], pull: f64[:, 3]):
    """A team owns TILE bodies; all bodies pass by in tiles that the members load together."""
    x = scratch(real, TILE)
    y = scratch(real, TILE)
    z = scratch(real, TILE)
    m = scratch(real, TILE)
    for first in range(0, n, TILE):
        barrier()
        for k in team_range(TILE):
            j = min(first + k, n - 1)
            x[k] = body[j, 0]
            y[k] = body[j, 1]
            z[k] = body[j, 2]
            m[k] = body[j, 3]
            if first + k >= n:
                m[k] = 0.0
        barrier()
        for k in team_range(min(TILE, n - t * TILE)):
            i = t * TILE + k
            ax = lanes(0.0)
            ay = lanes(0.0)
            az = lanes(0.0)
            for q in lane_range(TILE):
                dx = load(x, q) - as_real(body[i, 0])
                dy = load(y, q) - as_real(body[i, 1])
                dz = load(z, q) - as_real(body[i, 2])
                strength = attraction(dx, dy, dz, load(m, q))
                ax += strength * dx
                ay += strength * dy
                az += strength * dz
            pull[i, 0] += f64(lane_sum(ax))
            pull[i, 1] += f64(lane_sum(ay))
            pull[i, 2] += f64(lane_sum(az))


@portable
def masses(t, n: i64, body: f64[:, 4], out: f64[:]):
    part = 0.0
    for k in team_range(min(TILE, n - t * TILE)):
        part += body[t * TILE + k, 3]
    total = team_sum(part)
    share = team_sum(total) / team_size()
    if team_rank() == 0:
        out[t] = total + 0.0 * share


@portable
def sums_of_rows(i, m: i64, x: f64[:], out: f64[:]):
    total = lanes(0.0)
    for q in lane_range(m):
        total += load(x, i * m + q)
    row = lane_sum(total)
    if leader():
        out[i] = row


def expected(body: np.ndarray) -> np.ndarray:
    apart = body[None, :, :3] - body[:, None, :3]
    strength = body[None, :, 3] * ((apart**2).sum(-1) + 0.01) ** -1.5
    return (strength[..., None] * apart).sum(1)


@every_space
def test_all_pairs_in_tiles(space) -> None:
    n, tile = 75, 32
    values = np.random.default_rng(5).random((n, 4))
    body, pull, out = View((n, 4), np.float64, space), View((n, 3), np.float64, space), np.zeros(3)
    body.put(values)
    parallel_team(space, -(-n // tile), gravity, n, body, pull, TILE=tile)
    np.testing.assert_allclose(pull.get(), expected(values), rtol=1e-11, atol=1e-11)
    parallel_team(space, 3, masses, n, body, out, TILE=tile, team=32)
    np.testing.assert_allclose(out, [values[k : k + 32, 3].sum() for k in (0, 32, 64)], rtol=1e-13)


def to_ptx(kernel: Kernel) -> str:
    program = kernel.program("cuda")
    cache.build(program.path)
    return program.path.with_suffix(".ptx").read_text()


@pytest.mark.skipif(not nvrtc.version(), reason="NVRTC is not installed")
def test_teams_compile_to_ptx() -> None:
    """Shared memory, barriers, everything inlined; shuffles keep all 64 bits."""
    for body, precision in ((gravity, "double"), (gravity, "mixed"), (masses, "double")):
        text = to_ptx(Kernel(body, 0, precision, team=64, statics=(("TILE", 32),), league=True))
        assert ".shared" in text and "bar.sync" in text and "call" not in text
    text = to_ptx(Kernel(sums_of_rows, team=8))
    assert "shfl.sync.down" in text and "cvt.rn.f32.f64" not in text


@portable
def too_much(t, out: f64[:]):
    a = scratch(f64, 2048)
    b = scratch(f64, 2049)
    out[t] = a[0] + b[0]


@portable
def unknown_size(t, n: i64, out: f64[:]):
    a = scratch(f64, n)
    out[t] = a[0]


@portable
def unnamed(t, out: f64[:]):
    out[t] = scratch(f64, 4)[0]


@portable
def borrowed(x: f64):
    tile = scratch(f64, 4)
    return tile[0] + x


@portable
def borrower(t, out: f64[:]):
    out[t] = borrowed(1.0)


@portable
def outside(i, out: f64[:]):
    barrier()
    out[i] = 0.0


def test_refusals() -> None:
    space, out = Serial(), np.zeros(4)
    for body, args, message in ((too_much, (out,), "32776 bytes of scratch memory asked for, a team has 32768"),
                                (unknown_size, (4, out), "size known when compiled"),
                                (unnamed, (out,), "scratch memory needs a name"),
                                (borrower, (out,), "in 'borrowed': scratch memory belongs to the body")):
        with pytest.raises(InputError, match=message):
            parallel_team(space, 2, body, *args)
    with pytest.raises(InputError, match="'barrier' has no meaning outside a team"):
        parallel_for(space, 2, outside, out)
    for team in (0, 48, 2048):
        with pytest.raises(InputError, match=f"a team of {team}"):
            parallel_team(space, 2, unnamed, out, team=team)
    with pytest.raises(InputError, match="not a team kernel"):
        parallel_team(space, 2, Kernel(outside), out)


@portable
def early(t, out: f64[:]):
    tile = scratch(f64, 2)
    out[t] = tile[0]
    tile[0] = 1.0


def test_scratch_memory_read_too_early_shows_in_the_reference() -> None:
    out = np.zeros(3)
    parallel_team(Reference(), 3, early, out)
    assert np.isnan(out).all()


@portable
def in_turn(t, rounds: i64, done: i64[:], x: f64[:]):
    """Each team adds to what the one before has left, round by round."""
    for turn in range(rounds):
        if t > 0:
            wait_for(done, t - 1, turn + 1)
            x[t * rounds + turn] = x[(t - 1) * rounds + turn] + 1.0
        announce(done, t, turn + 1)


@every_space
def test_teams_wait_for_each_other(space) -> None:
    teams, rounds = 8, 500
    x, done = np.zeros(teams * rounds), np.zeros(teams, np.int64)
    parallel_team(space, teams, in_turn, rounds, done, x)
    assert (x.reshape(teams, rounds) == np.arange(teams)[:, None]).all() and (done == rounds).all()


def test_waiting_for_a_later_item_shows_in_plain_python() -> None:
    with pytest.raises(RuntimeError, match="comes later"):
        parallel_team(Reference(), 1, backwards, np.zeros(2, np.int64))


@portable
def backwards(t, done: i64[:]):
    wait_for(done, t + 1, 1)
