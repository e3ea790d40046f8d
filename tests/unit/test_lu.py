"""LU of the NAS benchmarks: its equations, the order of its sweeps, and the norms of its classes."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from everlet import cli
from everlet.errors import InputError
from everlet.lu import physics
from everlet.lu.fields import LAYOUTS, Block, Fields, natural, skewed
from everlet.lu.problem import CLASSES, exact, fourth_difference
from everlet.lu.ranks import Ranks, arranged
from everlet.lu.schedule import ALGORITHMS, Planes, Receive, Send, Strips, planes, schedule, turned
from everlet.lu.solver import Choice, Solver
from everlet.portable import Cuda, Reference, Serial, Threads

U = np.array([1.7, 0.4, -0.6, 0.9, 4.2])
R = np.array([0.3, -0.2, 0.5, 0.1, -0.4])


def pushed(s: float, n: float, m: float, u: np.ndarray) -> np.ndarray:
    return np.array(physics.push(s, n, m, 1 / u[0], *u))


def slope(function, at: np.ndarray, along: np.ndarray, small: float = 1e-5) -> np.ndarray:
    return (function(at + small * along) - function(at - small * along)) / (2 * small)


def primitive(u: np.ndarray) -> list[float]:
    return [1 / u[0], *(u[1:] / u[0])]


@pytest.mark.parametrize("s, n, m", [(1.3, 0.0, 0.0), (0.0, 2.1, 0.0), (-0.7, 0.9, 0.4)])
def test_carry_is_the_jacobian_of_push(s: float, n: float, m: float) -> None:
    found = np.array(physics.carry(s, n, m, *primitive(U), *R))
    assert np.allclose(found, slope(lambda u: pushed(s, n, m, u), U, R), rtol=1e-8, atol=1e-9)


def test_solve_inverts_the_diagonal_block() -> None:
    """(a + n N) x, with N from `carry` along the three axes."""
    a, n = 3.1, 5.7
    w, vx, vy, vz, e = primitive(U)
    x = np.array(physics.solve(a, n, w, vx, vy, vz, e, *R))
    along_x = np.array(physics.carry(0.0, n, 0.0, w, vx, vy, vz, e, *x))
    along_y = np.array(physics.carry(0.0, n, 0.0, w, vy, vz, vx, e, *x[[0, 2, 3, 1, 4]]))[[0, 3, 1, 2, 4]]
    along_z = np.array(physics.carry(0.0, n, 0.0, w, vz, vx, vy, e, *x[[0, 3, 1, 2, 4]]))[[0, 2, 3, 1, 4]]
    assert np.allclose(a * x + along_x + along_y + along_z, R, rtol=1e-13)


def test_weight_is_what_three_axes_push() -> None:
    u = U
    turned_u = [u, u[[0, 2, 3, 1, 4]], u[[0, 3, 1, 2, 4]]]
    back = [[0, 1, 2, 3, 4], [0, 3, 1, 2, 4], [0, 2, 3, 1, 4]]
    three = sum(pushed(0.0, 0.7, 0.2, one)[order] for one, order in zip(turned_u, back, strict=True))
    assert np.allclose(physics.weight(0.7, 0.6, 1 / u[0], *u), three, rtol=1e-13)


def test_fourth_differences_of_a_parabola_vanish_inside() -> None:
    weights, x = fourth_difference(12), np.arange(12.0) ** 2
    for place in range(3, 9):
        assert weights[:, place] @ x[place - 2 : place + 3] == 0
    assert not weights[:, 0].any()
    assert weights[:, 1].tolist() == [0, 0, 5, -4, 1] and weights[:, -2].tolist() == [1, -4, 5, 0, 0]


# ---- the order of sweeps
@pytest.mark.parametrize("algorithm, policy, kblock", [
    ("hyperplane", "old", 1), ("blocked", "old", 2), ("blocked", "new", 2), ("blocked", "new", 5), ("pipeline", "old", 2)])
@pytest.mark.parametrize("way", [1, -1])
def test_every_point_is_swept_once_and_after_those_behind_it(algorithm: str, policy: str, kblock: int, way: int) -> None:
    nx, ny, nz = 3, 4, 5
    steps = schedule(algorithm, policy, nx, ny, nz, kblock)
    steps = steps if way > 0 else [turned(step, nx, ny, nz) for step in steps]
    done: set[tuple[int, int, int]] = set()
    received: set[int] = set()
    for step in steps:
        if isinstance(step, Receive):
            received |= set(range(step.low, step.high))
        elif isinstance(step, Send):
            assert all((i, j, k) in done for i in range(nx) for j in range(ny) for k in range(step.low, step.high))
        elif isinstance(step, Strips):
            done |= {(i, j, k) for i in range(nx) for j in range(ny) for k in range(step.low, step.high)}
        else:
            assert isinstance(step, Planes)
            for plane, low, high in step.planes:
                now = {(i, j, plane - i - j) for i in range(nx) for j in range(ny) if low <= plane - i - j < high}
                assert now and not now & done
                for i, j, k in now:
                    assert k in received
                    behind = [(i - way, j, k), (i, j - way, k), (i, j, k - way)]
                    assert all(p in done for p in behind if 0 <= p[0] < nx and 0 <= p[1] < ny and 0 <= p[2] < nz)
                done |= now
    assert len(done) == nx * ny * nz


def test_new_blocking_fills_planes_once() -> None:
    """Old: blocks (nx + ny + kB - 2) planes each; new: nx + ny + nz - 2 in all."""
    def launches(policy: str) -> int:
        return sum(len(step.planes) for step in schedule("blocked", policy, 10, 10, 12, 3) if isinstance(step, Planes))

    assert launches("old") == 4 * (10 + 10 + 3 - 2) and launches("new") == 10 + 10 + 12 - 2 == len(planes(10, 10, 0, 12))


def test_places_of_points_differ_and_have_room() -> None:
    size = (5, 4, 3)
    for places, reach in ((natural(size, False), 2), (natural(size, True), 2), (skewed(size), 1)):
        array = np.zeros(5 * places.total)
        box = places.view(array, (-reach,) * 3, tuple(n + 2 * reach for n in size))
        box += 1
        assert array.max() == 1 and array.sum() == box.size


def test_ranks_divide_all_points() -> None:
    ranks = Ranks((3, 2, 2))
    blocks = [ranks.block(CLASSES["W"], rank) for rank in range(12)]
    assert sum(block.points for block in blocks) == 31**3
    assert arranged(12, None, CLASSES["W"]).shape == (4, 3, 1)
    assert ranks.neighbour(0, 0, 1) == 1 and ranks.neighbour(0, 0, -1) is None and ranks.neighbour(1, 1, 1) == 4
    with pytest.raises(InputError, match="too few"):
        arranged(8, (8, 1, 1), CLASSES["S"])
    with pytest.raises(InputError, match="but there are 8"):
        arranged(8, (2, 2, 1), CLASSES["S"])


@pytest.mark.parametrize("name", CLASSES)
def test_walls_are_where_the_exact_solution_is(name: str) -> None:
    """The last coordinate is exactly 1 (161 * (1 / 161) is not), else the last layer would count as inner points."""
    problem = CLASSES[name]
    thin = Fields(Block(problem, (problem.n - 3, problem.n - 3, problem.n - 3), (2, 2, 2)), Serial(), "column", "double")
    assert thin.coordinates(1)[0].ravel()[-1] == 1.0
    thin.fill("start")
    u = thin.box(thin.u, thin.places, 1)
    x, y, z = thin.coordinates(1)
    right = exact(x, y, z)
    assert np.allclose(u[:, -1], right[:, -1]) and np.allclose(u[:, :, -1], right[:, :, -1])
    assert np.allclose(u[..., -1], right[..., -1]) and not np.allclose(u[:, 1, 1, 1], right[:, 1, 1, 1])


# ---- norms
@pytest.mark.parametrize("algorithm, layout, threads", [
    *itertools.product(ALGORITHMS, LAYOUTS, (1,)), ("pipeline", "skewed", 2), ("pipeline", "row", 2),
    ("hyperplane", "skewed", 2)])
def test_class_s_verifies(algorithm: str, layout: str, threads: int) -> None:
    choice = Choice(CLASSES["S"], algorithm, kblock=3 if algorithm == "blocked" else 0, layout=layout)
    outcome = Solver(choice, Threads(threads) if threads > 1 else Serial()).run()
    assert outcome.verified and outcome.deviation < 1e-10


def test_new_blocking_verifies() -> None:
    assert Solver(Choice(CLASSES["S"], "blocked", "new", 4), Serial()).run().deviation < 1e-10


@pytest.mark.gpu
@pytest.mark.parametrize("algorithm, layout", [("hyperplane", "skewed"), ("hyperplane", "row"), ("pipeline", "skewed"),
                                               ("hyperplane", "diagonal"), ("blocked", "diagonal"), ("pipeline", "diagonal")])
def test_class_s_verifies_on_a_gpu(algorithm: str, layout: str) -> None:
    assert Solver(Choice(CLASSES["S"], algorithm, layout=layout), Cuda(0)).run().deviation < 1e-10


@pytest.mark.gpu
@pytest.mark.parametrize("name, layout", [("W", "diagonal"), ("A", "diagonal"), ("A", "skewed"), ("C", "skewed")])
def test_larger_classes_verify_on_a_gpu(name: str, layout: str) -> None:
    assert Solver(Choice(CLASSES[name], layout=layout), Cuda(0)).run().verified


@pytest.mark.slow
@pytest.mark.parametrize("name, threads", [("W", 1), ("W", 2), ("A", 2), pytest.param("B", 2, marks=pytest.mark.all)])
def test_larger_classes_verify(name: str, threads: int) -> None:
    assert Solver(Choice(CLASSES[name]), Threads(threads) if threads > 1 else Serial()).run().verified


@pytest.mark.all
@pytest.mark.parametrize("algorithm, policy, layout", [
    *((algorithm, "old", layout) for algorithm, layout in itertools.product(ALGORITHMS, LAYOUTS)),
    *(("blocked", "new", layout) for layout in LAYOUTS)])
def test_class_w_verifies(algorithm: str, policy: str, layout: str) -> None:
    choice = Choice(CLASSES["W"], algorithm, policy, kblock=4 if algorithm == "blocked" else 0, layout=layout)
    assert Solver(choice, Serial()).run().deviation < 1e-10


def test_plain_python_agrees_with_machine_code() -> None:
    """The first residual, in both orders, and a sweep."""
    found = []
    for space in (Reference(), Serial()):
        solver = Solver(Choice(CLASSES["S"], "pipeline"), space)
        solver.begin()
        solver.rearrange()
        solver.sections["lower"]()
        found.append((solver.fields.r.data.copy(), solver.fields.r_swept.data.copy()))
    for plain, compiled in zip(*found, strict=True):
        assert np.allclose(plain, compiled, rtol=1e-11, atol=1e-12 * abs(plain).max())


def test_the_exact_solution_has_no_residual() -> None:
    solver = Solver(Choice(CLASSES["S"], layout="column"), Serial())
    solver.begin()
    assert np.abs(solver.fields.inner(solver.fields.r)).max() > 1e-3
    solver.fields.fill("exact")
    solver.residual()
    assert np.abs(solver.fields.inner(solver.fields.r)).max() < 1e-12


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lu.json"
    assert cli.main(["lu", "--class", "S", "--threads", "1", "--json", str(path)]) == 0
    text = capsys.readouterr().out
    row = json.loads(path.read_text())["rows"][0]
    assert f"by CPU time, as the sections are: {row['mops'] * row['seconds'] / row['cpu_seconds']:.1f}" in text
    assert "verified" in text and row["verified"] and row["mops"] > 0 and row["sections"]["lower"] > 0
    assert cli.main(["lu", "--threads", "1", "--steps", "2"]) == 0
    assert "not verified: norms are known for 50" in capsys.readouterr().out
    for words, cause in ((["--class", "Q"], "unknown value"), (["--algorithm", "hyperplane", "--kblock", "2"], "no meaning"),
                         (["--blocking", "new", "--algorithm", "pipeline"], "no meaning"), (["--ranks", "2x2"], "there are 1"),
                         (["--ranks", "zero"], "no array of ranks"), (["--width", "3"], "--width 3")):
        assert cli.main(["lu", *words]) == 1
        assert cause in capsys.readouterr().err
