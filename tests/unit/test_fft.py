"""Fourier transforms of meshes: libraries and kernels against NumPy, and those by kernels among launches that are replayed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from everlet.portable import Kernel, Reference, Serial, Space, Threads, View, choose
from everlet.portable.backends.opencl import found
from everlet.portable.batch import collected
from everlet.portable.dry import Dry
from everlet.portable.fft import AxisTransform, RealTransform
from everlet.portable.fft_kernels import KERNELS, POINTS, radices
from everlet.portable.graphs import Graph
from everlet.run.engine import Engine
from everlet.script.parser import Script
from tests.unit.spaces import every_space

HERE = pytest.mark.skipif(found.why_not() != "", reason=f"OpenCL: {found.why_not()}")
LENGTHS = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 27, 30, 32, 36, 40, 45, 48, 50, 54, 60, 64, 72, 75, 80, 81,
           90, 96, 100, 108, 120, 125, 128, 144, 180, 240, 243, 250, 256, 320, 375, 480, 500, 512)
OTHERS = (7, 11, 13, 14, 21, 49, 77, 127, 509)  # with factors that no accuracy asks for: people give such meshes, too
LARGE = (540, 600, 625, 1024, 1500)  # more than a team has room for


def by_kernels(make: Callable[[], Space]) -> Space:
    space = make()
    space.transforming = False
    return space


def difference(here: np.ndarray, there: np.ndarray) -> float:
    """Relative to the largest, and to how errors grow with the number of steps."""
    return float(np.abs(here - there).max() / np.abs(there).max() / max(1.0, math.log2(here.size)))


def check(space: Space, mesh: tuple[int, int, int], batch: int, tolerance: float = 1e-15) -> None:
    """Forward of one mesh, backward of some whose spectra are of no real mesh: what those cannot have is left out."""
    transform, random = RealTransform(space, mesh, batch), np.random.default_rng(sum(mesh))
    room = View(batch * transform.points, np.float64, space), View(2 * batch * transform.vectors, np.float64, space)
    given = random.standard_normal((batch, *mesh))
    room[0].put(given.ravel())
    transform.forward(*room)
    answer = room[1].get()[: 2 * transform.vectors].view(np.complex128).reshape(transform.half)
    assert difference(answer, np.fft.rfftn(given[0])) < tolerance, mesh
    waves = random.standard_normal((batch, *transform.half, 2)).view(np.complex128)[..., 0]
    for count in {1, batch}:
        room[1].put(waves.ravel().view(np.float64))
        transform.backward(room[1], room[0], count)
        back = room[0].get()[: count * transform.points].reshape(count, *mesh)
        assert difference(back, np.fft.irfftn(waves[:count], mesh, (1, 2, 3), norm="forward")) < tolerance, (mesh, count)


def check_lengths(space: Space, lengths: tuple[int, ...], most: int = 10**9) -> None:
    """Each length along each axis."""
    for n in lengths:
        for k, mesh in enumerate(((n, 3, 2), (2, n, 5), (3, 1, n))):
            if math.prod(mesh) <= most:
                check(space, mesh, 3 if k == n % 3 else 1)


def test_radices() -> None:
    for n in (*LENGTHS, *OTHERS, *LARGE):
        assert math.prod(radices(n)) == n and all(radix == 4 or all(radix % k for k in range(2, radix)) for radix in radices(n))


@every_space
def test_libraries(space: Space) -> None:
    assert space.transforming
    for mesh in ((4, 5, 6), (1, 7, 9), (8, 8, 8)):
        check(space, mesh, 3)


@pytest.mark.parametrize("make", [Serial, lambda: Threads(2), pytest.param(lambda: choose("opencl"), marks=HERE)],
                         ids=["serial", "threads", "opencl"])
def test_kernels(make: Callable[[], Space]) -> None:
    """All lengths, and meshes of unequal edges."""
    space = by_kernels(make)
    check_lengths(space, LENGTHS)
    check_lengths(space, OTHERS, 10**4)
    for mesh, batch in (((12, 15, 16), 3), ((32, 27, 25), 3), ((5, 8, 9), 1), ((48, 10, 36), 1)):
        check(space, mesh, batch)
    check_lengths(space, LARGE)


def test_kernels_in_plain_python() -> None:
    space = by_kernels(Reference)
    check_lengths(space, (*LENGTHS[:20], *OTHERS[:4]), 300)
    check(space, (4, 6, 5), 3)
    check(space, (1, 2, POINTS + 1), 1)


def test_kernels_stay_in_bounds() -> None:
    space = by_kernels(lambda: Reference(bounds=True))
    for mesh in ((3, 5, 4), (7, 2, 6), (1, 3, 3), (16, 1, 1)):
        check(space, mesh, 2)


def test_few_kernels() -> None:
    """Lengths are arguments: three kernels for all meshes, another three for long lines."""
    space = Dry("opencl")
    for mesh in ((8, 9, 10), (64, 64, 64), (7, 32, 100), (1024, 2, 600)):
        transform = RealTransform(space, mesh)
        room = View(transform.points, np.float64, space), View(2 * transform.vectors, np.float64, space)
        transform.forward(*room)
        transform.backward(*room[::-1])
        assert len(space.notes.kernels()) == (6 if mesh[0] > POINTS else 3)
    assert {kernel.key for kernel in space.notes.kernels()} == {kernel.key for kernel in KERNELS}


@HERE
def test_a_graph_of_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but kernels, which are replayed without copies."""
    space = choose("opencl")
    space.reset_control()
    transform = RealTransform(space, (6, 8, 10))
    mesh, spectrum, again = (View(n, np.float64, space) for n in (480, 2 * transform.vectors, 480))
    values = np.random.default_rng(1).standard_normal(480)
    with collected(space) as launches:
        transform.forward(mesh, spectrum)
        transform.backward(spectrum, again)
    assert len(launches) == 6 and all(isinstance(launch[0], Kernel) for launch in launches)
    graph = Graph(space, launches)
    for factor in (1.0, 2.0):
        mesh.put(factor * values)
        with monkeypatch.context() as patched:
            patched.setattr(space.gpu, "copy", lambda *given: pytest.fail("a copy"))
            graph.replay()
        assert np.abs(again.get() / 480 - factor * values).max() < 1e-14
    graph.close()


@pytest.mark.parametrize("diff", ["ik", "ad"])
def test_steps_of_pppm_are_launches_alone(diff: str) -> None:
    """Where kernels make transforms, nothing of a step asks the host."""
    engine = Engine(Dry("opencl"), "double")
    engine.script = Script(engine)
    engine.script.text("units lj\natom_style charge\nregion box block 0 9 0 8 0 7\ncreate_box 1 box\nmass 1 1.0\n"
                       "pair_style lj/cut/coul/long 2.5\npair_coeff * * 1 1\ncreate_atoms 1 single 1 1 1\n"
                       "create_atoms 1 single 2 2 2\nset group all charge 1.0\nkspace_style pppm 1e-4\n"
                       f"kspace_modify diff {diff}\nkspace_modify gewald 1.0 mesh 10 9 8\nfix 1 all nve\nrun 1", "steps")
    space, loop = engine.space, engine.loop
    term = next(term for term in loop.evaluator.terms if term.name == "pppm")
    space.asker, space.kept = "pppm", 1
    with collected(space) as launches:
        term.compute(None, loop.evaluator.comm)
    names = [launch[0].name for launch in launches]
    assert all(isinstance(launch[0], Kernel) for launch in launches)
    assert names.count("complex_lines") == 4 and names.count("real_lines") == names.count("back_lines") == 1  # fields together


@pytest.mark.parametrize("make", [Serial, lambda: by_kernels(Serial), pytest.param(lambda: choose("opencl"), marks=HERE)],
                         ids=["library", "kernels", "opencl"])
def test_along_an_axis(make: Callable[[], Space]) -> None:
    space, given = make(), np.random.default_rng(3).standard_normal((2, 3, 4, 10)).view(np.complex128)
    for axis, n in ((1, 3), (2, 4), (3, 5)):
        transform = AxisTransform(space, n)
        for back, expected in ((False, np.fft.fft(given, axis=axis)), (True, np.fft.ifft(given, axis=axis, norm="forward"))):
            assert difference(space.to_host(transform.turn(space.from_host(given.copy()), axis, back)), expected) < 1e-15
    transform = AxisTransform(space, 10)
    spectrum = transform.forward(space.from_host(given.view(np.float64)))
    assert difference(space.to_host(spectrum), np.fft.rfft(given.view(np.float64))) < 1e-15
    assert difference(space.to_host(transform.backward(spectrum)), 10 * given.view(np.float64)) < 1e-15
