"""Bricks, ghosts and migration, with ranks that are threads of this process, against brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everlet.comm.cuts import Cuts, choose_grid
from everlet.comm.division import Division
from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.portable import Serial
from everlet.state.box import Box
from everlet.state.ranks import SingleRank
from everlet.state.system import System
from tests.mpi.fake import FakeWorld, together

CUT = 1.3
BOUNDARIES = ("p p p", "p f p", "f p s", "s m f")


def make_system(world: FakeWorld, seed: int, atoms: int, edges: tuple[float, ...], tilt: tuple[float, ...], boundary: str,
                dimension: int = 3) -> System:
    """The same system on every rank: random atoms, some of them outside periodic faces."""
    system = System(Serial())
    system.world = world
    system.dimension = dimension
    box = system.box = Box([0.5, -1.0, -0.5], np.add([0.5, -1.0, -0.5], edges), *tilt, boundary=boundary, dimension=dimension)
    random = np.random.default_rng(seed)
    s = random.random((atoms, 3)) * 0.98 + 0.01
    s += 0.4 * np.array(box.periodic) * random.choice([-1, 0, 1], (atoms, 3))
    if dimension == 2:
        s[:, 2] = 0.5
    system.atoms.append(x=box.from_fraction(s), v=random.random((atoms, 3)), id=1 + random.permutation(atoms),
                        type=random.integers(1, 4, atoms))
    return system


def divided(world: FakeWorld, upper: bool, *args: object, processors: tuple[int, int, int] = (0, 0, 0),
            staged: bool = False, system: System | None = None, cuts: Cuts | None = None, rest: bool = False) -> dict:
    system = system or make_system(world, *args)  # type: ignore[arg-type]
    system.processors = processors
    system.ghost_velocity = True
    division = Division(system)
    if cuts is not None:
        division.use(cuts, "a test")
    division.begin()
    comm = division.comm(system)
    comm.staged = staged  # type: ignore[attr-defined]
    comm.exchange(system)
    comm.borders(system, CUT, upper, rest)
    atoms = system.atoms
    rows = {name: field.view.read()[: atoms.total].copy() for name, field in atoms.fields.items()}
    atoms.edit("f")[:] = 0.0
    f = atoms.fields["f"].view.edit()
    f[: atoms.n] = 1.0
    f[atoms.n : atoms.total] = rows["x"][atoms.n :, :3]
    if upper:
        comm.reverse(system)
    found = {"n": atoms.n, "rows": rows, "part": system.subdomain.copy(), "box": system.box, "rank": world.rank,
             "f": atoms.read("f").copy(), "natoms": system.natoms, "paired": comm.paired}
    division.gather()
    return found | {"whole": {name: system.atoms.read(name).copy() for name in system.atoms.fields}}


def brute_force(found: list[dict], upper: bool) -> list[np.ndarray]:
    """For every rank its ghosts as rows id, x, y, z, from all images of all atoms."""
    box = found[0]["box"]
    reach = box.ghost_fraction(CUT)
    most = [int(np.ceil(r)) + 1 if p and r > 0 else 0 for r, p in zip(reach, box.periodic, strict=True)]
    ghosts = []
    for here in found:
        rows = []
        for there in found:
            x, ids = there["rows"]["x"][: there["n"], :3], there["rows"]["id"][: there["n"]]
            s = box.to_fraction(x) if len(x) else np.zeros((0, 3))
            for shift in itertools.product(*(range(-m, m + 1) for m in most)):
                same = shift == (0, 0, 0)
                if same and (there is here or (upper and there["rank"] < here["rank"])) or (upper and shift < (0, 0, 0)):
                    continue
                moved = s + shift
                low, high = here["part"][0] - reach, here["part"][1] + reach
                inside = ((moved >= low) & (moved < high)) | ((reach == 0) & (np.array(shift) == 0) & (low == 0) & (high == 1))
                near = inside.all(axis=1)
                rows.append(np.column_stack([ids[near], box.from_fraction(moved[near])]))
        ghosts.append(np.concatenate([np.zeros((0, 4)), *rows]))
    return ghosts


def ordered(rows: np.ndarray) -> np.ndarray:
    return rows[np.lexsort(np.round(rows, 6).T)]


def kept(*args: object) -> list[int]:
    """The atoms that one rank keeps: some are beyond a fixed face once the box has shrunk or they are wrapped."""
    system = make_system(SingleRank(), *args)  # type: ignore[arg-type]
    SerialComm(system).exchange(system)
    return sorted(system.atoms.read("id").tolist())


def check(found: list[dict], ids: list[int], upper: bool) -> None:
    atoms = len(ids)
    assert sorted(np.concatenate([here["rows"]["id"][: here["n"]] for here in found])) == ids  # each has one owner
    homes: dict[int, np.ndarray] = {}
    for here, expected in zip(found, brute_force(found, upper), strict=True):
        n, rows, box = here["n"], here["rows"], here["box"]
        assert here["natoms"] == atoms
        s = box.to_fraction(rows["x"][:n]) if n else np.zeros((0, 3))
        assert (s >= here["part"][0] - 1e-12).all() and (s <= here["part"][1] + 1e-12).all()
        ghosts = np.column_stack([rows["id"][n:], rows["x"][n:, :3]])
        assert ghosts.shape == expected.shape
        assert np.abs(ordered(ghosts) - ordered(expected)).max(initial=0.0) < 1e-12
        for row in ghosts:
            homes[int(row[0])] = homes.get(int(row[0]), np.zeros(3)) + row[1:]
        for name in ("type", "mask", "v"):  # ghosts carry what belongs to their atoms
            known = dict(zip(here["whole"]["id"], here["whole"][name], strict=True))
            assert all((known[i] == value).all() for i, value in zip(rows["id"], rows[name], strict=True))
    if upper:
        for here in found:
            for id, force in zip(here["rows"]["id"][: here["n"]], here["f"], strict=True):
                assert np.abs(force - 1.0 - homes.get(int(id), np.zeros(3))).max() < 1e-9
    first = found[0]["whole"]
    for here in found:  # between runs all ranks have all atoms, in one order
        assert all(np.array_equal(here["whole"][name], first[name]) for name in first if name != "f")
    assert sorted(first["id"]) == ids


def test_half_of_the_ghosts_first_then_the_others() -> None:
    """What rows of pairs need, and partners of links beyond that; forces come home from the former, as others get none."""
    args = (3, 60, (2.0, 4.5, 2.0), (0.8, -0.6, 0.9), "p f p")
    found = together(3, lambda world: divided(world, True, *args, rest=True))
    for here, half, all in zip(found, brute_force(found, True), brute_force(found, False), strict=True):
        rows, n = here["rows"], here["n"]
        ghosts = np.column_stack([rows["id"][n:], rows["x"][n:, :3]])
        assert here["paired"] == len(half) < len(ghosts) == len(all)
        assert np.abs(ordered(ghosts[: len(half)]) - ordered(half)).max() < 1e-12
        assert np.abs(ordered(ghosts) - ordered(all)).max() < 1e-12
    homes = {int(i): np.zeros(3) for here in found for i in here["rows"]["id"]}
    for here in found:
        listed = slice(here["n"], here["n"] + here["paired"])
        for i, x in zip(here["rows"]["id"][listed], here["rows"]["x"][listed, :3], strict=True):
            homes[int(i)] += x
    for here in found:
        for i, force in zip(here["rows"]["id"][: here["n"]], here["f"], strict=True):
            assert np.abs(force - 1.0 - homes[int(i)]).max() < 1e-9


@settings(max_examples=30, deadline=None)
@given(ranks=st.sampled_from([2, 3, 4, 6]), seed=st.integers(0, 99), atoms=st.sampled_from([0, 1, 7, 60]),
       edges=st.tuples(*[st.sampled_from([0.9, 2.0, 4.5])] * 3), tilted=st.booleans(), boundary=st.sampled_from(BOUNDARIES),
       upper=st.booleans())
def test_ghosts_are_the_images_that_brute_force_finds(ranks, seed, atoms, edges, tilted, boundary, upper):
    tilt = (0.4 * edges[0], -0.3 * edges[0], 0.2 * edges[1]) if tilted else (0.0, 0.0, 0.0)
    args = (seed, atoms, edges, tilt, boundary)
    check(together(ranks, lambda world: divided(world, upper, *args)), kept(*args), upper)


def test_atoms_on_the_faces_of_the_box():
    """Rounding takes an atom a hair below the box to its upper face; it is then on the last rank, not on the first."""
    def faces(world: SingleRank) -> System:
        system = make_system(world, 1, 60, (3.0, 3.0, 3.0), (0.0, 0.0, 0.0), "p p p")  # type: ignore[arg-type]
        x, box = system.atoms.edit("x"), system.need_box()
        for k in range(60):
            x[k, k % 3] = (np.nextafter(box.lo, -np.inf), box.lo, box.hi, np.nextafter(box.hi, np.inf))[k // 3 % 4][k % 3]
        x[:, 2] = np.where(np.arange(60) % 3 == 1, -0.5 - 1e-17, x[:, 2])
        return system

    check(together(3, lambda world: divided(world, True, system=faces(world))), list(range(1, 61)), True)


def test_two_dimensions():
    for grid in ((2, 2, 1), (4, 1, 1)):
        args = (5, 50, (5.0, 4.0, 1.0), (0.5, 0.0, 0.0), "p f p", 2)
        check(together(4, lambda world, grid=grid, args=args: divided(world, True, *args, processors=grid)), kept(*args), True)


def test_messages_through_host_memory():
    """As on a GPU, with arrays of the host."""
    args = (7, 70, (3.0, 4.0, 3.5), (0.0, 0.0, 0.0), "p p f")
    check(together(3, lambda world: divided(world, True, *args, staged=True)), kept(*args), True)


def test_atoms_that_cross_bricks_are_kept():
    """Atoms jump anywhere between exchanges: none is lost, and all fields go with them."""

    def work(world: FakeWorld) -> dict:
        system = make_system(world, 3, 80, (4.0, 4.0, 4.0), (0.0, 0.0, 0.0), "p p p")
        system.atoms.add_field("charge", np.float64)
        system.atoms.edit("charge")[:] = 0.5 * system.atoms.read("id")
        division = Division(system)
        division.begin()
        comm, random = division.comm(system), np.random.default_rng(world.rank)
        for _ in range(5):
            comm.exchange(system)
            comm.borders(system, CUT)
            system.atoms.edit("x")[:] += 3.0 * random.standard_normal((system.atoms.n, 3))
        division.gather()
        return {name: system.atoms.read(name).copy() for name in ("id", "charge", "v", "type")}

    whole = together(3, work)[1]
    before = make_system(FakeWorld.__new__(FakeWorld), 3, 80, (4.0, 4.0, 4.0), (0.0, 0.0, 0.0), "p p p").atoms
    order, start = np.argsort(whole["id"]), np.argsort(before.read("id"))
    assert np.array_equal(whole["id"][order], np.arange(1, 81))
    assert np.array_equal(whole["charge"], 0.5 * whole["id"])
    assert np.array_equal(whole["v"][order], before.read("v")[start])
    assert np.array_equal(whole["type"][order], before.read("type")[start])


@pytest.mark.parametrize("ranks,edges,asked,expected", [
    (8, (1, 1, 1), (0, 0, 0), (2, 2, 2)), (4, (1, 1, 9), (0, 0, 0), (1, 1, 4)), (6, (3, 2, 1), (0, 0, 0), (3, 2, 1)),
    (6, (1, 1, 1), (0, 1, 0), (2, 1, 3)), (7, (5, 1, 1), (0, 0, 0), (7, 1, 1))])
def test_grids_have_little_surface(ranks, edges, asked, expected):
    assert choose_grid(ranks, Box([0, 0, 0], edges), asked) == expected


def test_grids_that_do_not_fit():
    with pytest.raises(InputError, match="processors 3 \\* 1 does not fit 4 MPI ranks"):
        choose_grid(4, Box([0, 0, 0], [1, 1, 1]), (3, 0, 1))
    with pytest.raises(InputError, match="2-d"):
        choose_grid(4, Box([0, 0, 0], [1, 1, 1], dimension=2), (1, 1, 4))


@pytest.mark.parametrize("order,stride", [("zyx", (12, 4, 1)), ("xyz", (1, 2, 6)), ("yzx", (12, 1, 3))])
def test_ranks_are_counted_along_axes_in_order(order, stride):
    cuts = Cuts.equal((2, 3, 4), order)
    for place in itertools.product(range(2), range(3), range(4)):
        low = cuts.corners[np.dot(place, stride)][0]
        assert np.allclose(low, np.divide(place, (2, 3, 4)), atol=1e-15)
