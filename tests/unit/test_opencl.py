"""OpenCL: memory, launches, control words and graphs, on whatever there is; with PoCL that is this machine's cores."""
# ruff: noqa: F821

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from everlet.errors import DeviceError, InputError
from everlet.portable import Kernel, Space, View, choose, parallel_for, parallel_reduce, parallel_team, portable, real, where
from everlet.portable.backends.opencl import found
from everlet.portable.batch import collected, fused
from everlet.portable.graphs import Graph
from everlet.portable.kernels import Counted, call
from everlet.portable.language.dtypes import f32, f64, i32, i64, scatter
from everlet.portable.language.functions import local
from everlet.portable.random import uniforms
from everlet.portable.scan import Scan
from everlet.portable.scatter_view import ScatterView
from everlet.portable.spaces import COUNTERS, STOP

HERE = pytest.mark.skipif(found.why_not() != "", reason=f"OpenCL: {found.why_not()}")


@pytest.fixture(scope="module")
def space() -> Space:
    return choose("opencl")


@local
@portable
def axpy(i, a: f64, x: f64[:], y: f64[:]):
    y[i] += a * x[i]


@local
@portable
def double_it(i, y: f64[:]):
    y[i] = 2.0 * y[i]


@portable
def dot(i, x: f64[:], y: f64[:]):
    return x[i] * y[i], 1.0


@portable
def into_bins(i, bins: i64, x: f64[:], sums: scatter[f64[:]], counts: i32[:]):
    sums[i % bins] += x[i]
    atomic_add(counts, i % bins, i32(1))


@portable
def mixture(i, seed: i64, out: f64[:], rounded: f32[:], down: i64[:]):
    """What compilers may see in their own way: Philox, rounding to float32, division of negative numbers."""
    out[i], two, three, four = uniforms(seed, i, 0, 0)
    rounded[i] = f32(out[i]) / f32(3.0)
    down[i] = (i - 50) // 7 * 1000 + (i - 50) % 7


@portable
def turned(t, x: f64[:], y: f64[:]):
    """Members of a team write where others read."""
    row = scratch(f64, 64)
    row[team_rank()] = x[64 * t + team_rank() % 64]
    barrier()
    y[64 * t + team_rank()] = row[(team_rank() + 1) % team_size()]


def view(space: Space, values: Any, dtype: Any = np.float64) -> View:
    given = np.asarray(values, dtype)
    found = View(given.shape, dtype, space)
    found.put(given)
    return found


@HERE
def test_arrays_are_like_those_of_the_host(space: Space) -> None:
    host = np.arange(24.0)
    here = space.from_host(host)
    here[3], here[4:6], here[6:12:2] = -1.0, [7.0, 8.0], 0.5
    host[3], host[4:6], host[6:12:2] = -1.0, [7.0, 8.0], 0.5
    here[1:24:3] += 10.0
    host[1:24:3] += 10.0
    assert np.array_equal(here.get(), host) and here[3] == -1.0 and here.max() == host.max() and len(here) == 24
    assert np.array_equal(here.reshape(4, 6)[1:3, ::2].get(), host.reshape(4, 6)[1:3, ::2])
    assert np.array_equal(here[np.array([5, 2])].get(), host[[5, 2]]) and here.cumsum()[-1] == host.sum() == here.sum()
    here[12:] = here[:12]
    host[12:] = host[:12]
    assert np.array_equal((2.0 * here + host).get(), 3.0 * host)
    assert np.array_equal(here.view(np.int64).get(), host.view(np.int64))
    assert here[5:5].get().size == 0 and space.zeros(0, np.float64).size == 0
    with pytest.raises(TypeError, match="say to_host"):
        np.asarray(here)


@HERE
def test_loops_sums_and_their_errors(space: Space) -> None:
    x, y = view(space, np.arange(1000.0)), view(space, np.ones(1000))
    parallel_for(space, 1000, axpy, 2.0, x, y)
    assert np.array_equal(y.get(), 1.0 + 2.0 * np.arange(1000.0))
    sums = parallel_reduce(space, 1000, dot, x, y, sums=2)
    assert sums[0] == pytest.approx(np.arange(1000.0) @ y.get(), rel=1e-14) and sums[1] == 1000.0
    assert np.array_equal(parallel_reduce(space, 1000, dot, x, y, sums=2), sums)  # the same bits every time
    with pytest.raises(InputError, match="argument 'a' is 'two', expected a number"):
        parallel_for(space, 1000, axpy, "two", x, y)
    with pytest.raises(InputError, match=f"is not an array in the memory of {space.name[:3]}"):
        parallel_for(space, 4, axpy, 2.0, np.ones(4), y)


@HERE
def test_atomic_sums_and_bits(space: Space) -> None:
    values, sums, counts = view(space, np.ones(5000)), View(7, np.float64, space), View(7, np.int32, space)
    parallel_for(space, 5000, into_bins, 7, values, ScatterView(sums), counts)
    assert np.array_equal(sums.get(), counts.get()) and counts.get().sum() == 5000
    answers = []
    for one in (space, choose("reference")):
        out = View(100, np.float64, one), View(100, np.float32, one), View(100, np.int64, one)
        parallel_for(one, 100, mixture, 4711, *out)
        answers.append([column.get() for column in out])
    assert all(np.array_equal(here, there) for here, there in zip(*answers, strict=True))


@HERE
def test_teams_and_scans(space: Space) -> None:
    x, y = view(space, np.arange(256.0)), View(256, np.float64, space)
    parallel_team(space, 4, turned, x, y, team=64)
    assert np.array_equal(y.get().reshape(4, 64), np.roll(np.arange(256.0).reshape(4, 64), -1, axis=1))
    count = view(space, np.arange(10_000) % 5, np.int32)
    start = View(10_001, np.int32, space)
    Scan(space)(10_000, count, start)
    assert np.array_equal(start.get(), np.concatenate([[0], np.cumsum(np.arange(10_000) % 5)]))


@HERE
def test_control_words_are_read_on_the_device(space: Space) -> None:
    x, y = view(space, np.ones(100)), View(100, np.float64, space)
    space.control[COUNTERS] = 30
    parallel_for(space, Counted(COUNTERS, 100), axpy, 1.0, x, y)
    assert y.get().sum() == 30.0
    with collected(space) as launches:
        parallel_for(space, 100, axpy, 1.0, x, y)
        parallel_for(space, 100, axpy, 1.0, x, y)
    graph = Graph(space, [(*one[:3], limit) for one, limit in zip(launches, (1, 5), strict=True)])
    graph.replay()
    assert y.get().sum() == 230.0 and space.read_control()[COUNTERS] == 30
    space.control[STOP] = 3  # the second launch is called off
    graph.replay()
    space.reset_control()
    graph.close()
    assert y.get().sum() == 330.0
    with fused(space):
        parallel_for(space, 100, axpy, 1.0, x, y)
        parallel_for(space, 100, double_it, y)
    assert y.get().sum() == 860.0


@HERE
def test_memory_outlives_the_work_that_uses_it(space: Space) -> None:
    """Arrays that nobody has any more are given back when launches that use them are done."""
    y = View(100_000, np.float64, space)
    for _ in range(20):
        parallel_for(space, 100_000, axpy, 1.0, view(space, np.ones(100_000)), y)
    assert y.get().sum() == 2e6


def test_what_a_device_lacks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from everlet.portable.backends.opencl import runtime

    whole = {"name": "Card", "double_fp_config": 63, "extensions": "cl_khr_int64_base_atomics", "svm_capabilities": 1}
    for change, reason in (({}, ""), ({"double_fp_config": 0}, "float64"), ({"extensions": ""}, "atomic"),
                           ({"svm_capabilities": 0}, "shared virtual memory")):
        device = SimpleNamespace(**(whole | change))
        assert reason in found.lacks(device) and bool(reason) == bool(found.lacks(device))
        if reason:
            monkeypatch.setattr(runtime, "why_not", lambda: "")
            monkeypatch.setattr(runtime, "count", lambda: 1)
            monkeypatch.setattr(runtime, "devices", lambda device=device: [device])
            with pytest.raises(DeviceError, match=f"cannot run on Card: .*{reason}"):
                runtime.connect.__wrapped__(0)
    with pytest.raises(DeviceError, match="OpenCL device 3 was asked for, but there is one") as caught:
        runtime.connect.__wrapped__(3)
    assert "everlet info" in caught.value.remedy
    monkeypatch.setattr(runtime, "why_not", lambda: "pyopencl is not installed")
    with pytest.raises(DeviceError, match="pyopencl is not installed") as caught:
        runtime.connect.__wrapped__(0)
    assert "everlet[opencl]" in caught.value.remedy and "pocl" in caught.value.remedy


@HERE
def test_graphs_keep_the_arguments_they_had(space: Space) -> None:
    """Arrays that are put into a view later, and those that nobody has any more: the graph knows its own."""
    x, y = view(space, np.ones(100)), View(100, np.float64, space)
    first, seen = y.data, []
    with collected(space) as launches:
        parallel_for(space, 100, axpy, 1.0, x, y)
        call(space, lambda given: seen.append((given, space.limit, float(first.get()[0]))), 4)
        parallel_for(space, 100, axpy, 2.0, x, y)
        parallel_for(space, 50, axpy, 4.0, x, y)
    graph = Graph(space, [(*one[:3], 3) for one in launches])
    assert not first.get().any() and not seen, "nothing runs before it is replayed"
    parallel_for(space, 100, axpy, 100.0, x, View(100, np.float64, space))  # the same kernel with other arguments
    y.data, x.data = space.zeros(100, np.float64), space.zeros(100, np.float64)
    space.synchronize()
    for _ in range(3):
        graph.replay()
    assert np.array_equal(first.get(), np.repeat([21.0, 9.0], 50)) and not y.get().any()
    assert seen == [(4, 3, 1.0), (4, 3, 8.0), (4, 3, 15.0)], "calls of libraries stay calls, in order, with their limit"
    graph.close()


@HERE
def test_times_between_marks(space: Space) -> None:
    """By events of the queue, which graphs that were made before go to, too."""
    x, y = view(space, np.ones(100_000)), View(100_000, np.float64, space)
    with collected(space) as launches:
        for _ in range(5):
            parallel_for(space, 100_000, axpy, 1.0, x, y)
    graph = Graph(space, launches)
    graph.replay()
    gpu, begin = space.gpu, time.perf_counter()
    marks = [gpu.mark()]
    for _ in range(2):
        graph.replay()
        marks.append(gpu.mark())
    one, other, both = gpu.seconds(*marks[:2]), gpu.seconds(*marks[1:]), gpu.seconds(marks[0], marks[2])
    assert 0.0 < one < both < time.perf_counter() - begin and one + other == pytest.approx(both)
    assert y.get().sum() == 15e5 and gpu.timing


@HERE
def test_rates_are_measured(space: Space) -> None:
    """What `everlet bench` and `micro` ask of a device."""
    from everlet.lu.problem import CLASSES
    from everlet.lu.solver import Choice, settled
    from everlet.perf import about, bench, record, roofline
    from everlet.perf.clock import Clock
    from everlet.perf.runs import Case, repeated
    from everlet.state.ranks import SingleRank

    told = record.stamp(space)
    assert told["device"]["name"] == space.machine() and about.device(space)["memory_gb"] > 0.0
    case, runs = repeated(Case(108, steps=20, device="opencl"), 1)
    rows = bench.figures([bench.Result("without γ", case, runs)])  # which takes all figures of micro
    assert rows[0]["steps_per_second"] > 0.0 and "steps/s" in bench.text(rows)
    clock = Clock.of(space)
    assert clock.gigahertz > 0.0 and clock.units == space.processors
    x, y = view(space, np.ones(1000)), View(1000, np.float64, space)
    assert roofline.least_of(space, lambda: parallel_for(space, 1000, axpy, 1.0, x, y), 2) > 0.0
    with pytest.raises(InputError, match="LU looks at its arrays by strides of NumPy and CuPy"):
        settled(Choice(CLASSES["S"]), space, SingleRank())


@portable
def shared(i, n: i64, x: f64[:], low: f64[:], out: f64[:], packed: i32[:], sums: f64[:]):
    """All words for which the threads of an item must meet, in loops of different lengths."""
    total = lanes(0.0)
    found = i64(0)
    for q in lane_range(n + i % 5):
        value = load(x, q)
        below = live(q, n + i % 5) and value < as_real(low[i])
        total += where(below, value, real(0.0))
        found += append(packed, 64 * i, found, 1, i32(q), below)
    whole = lane_sum(total)
    add_sums(sums, 2 * i, 1, whole if leader() else 0.0, 1.0 if leader() else 0.0, True)
    if leader():
        out[2 * i] = f64(whole)
        out[2 * i + 1] = f64(found)


@HERE
@pytest.mark.parametrize("team", [1, 2, 4, 8, 16, 32])
def test_threads_share_items(space: Space, team: int) -> None:
    """Where the device has threads in step; elsewhere one thread does all of an item: the same numbers."""
    n, items = 50, 301
    numbers = np.random.default_rng(7).random(64)
    limits = np.random.default_rng(8).random(items)
    x, low, packed = view(space, numbers), view(space, limits), View(64 * items, np.int32, space)
    out, sums = View(2 * items, np.float64, space), View(2 * items, np.float64, space)
    parallel_for(space, items, Kernel(shared, team=team), n, x, low, out, packed, sums)
    listed, given = packed.get().reshape(items, 64), out.get().reshape(items, 2)
    for i in range(items):
        inside = np.flatnonzero(numbers[: n + i % 5] < limits[i])
        assert given[i, 1] == len(inside) and np.array_equal(listed[i, : len(inside)], inside)
        assert given[i, 0] == pytest.approx(numbers[inside].sum(), rel=1e-13)
    assert np.allclose(sums.get().reshape(items, 2), np.stack([given[:, 0], np.ones(items)], axis=1), rtol=1e-13)


@HERE
def test_as_many_threads_as_work_in_step_share_an_item(space: Space) -> None:
    if space.widest == 1:
        pytest.skip(f"{space.machine()} by {space.gpu.device.platform.name} has no threads in step")
    program = Kernel(shared, team=32).program("opencl", space.widest)
    assert program.team == min(32, space.widest) and space.team(10, 32) == program.team
    assert Kernel(shared, team=32).program("opencl").team == 1 and space.facts()["shared_by"] == space.widest


@portable
def squares_of_rows(i, n: i64, x: f64[:]):
    total = lanes(0.0)
    for q in lane_range(n):
        total += where(live(q, n), load(x, i + q) ** 2, real(0.0))
    return lane_sum(total), 1.0


@HERE
@pytest.mark.parametrize("team", [1, 8, 32])
def test_threads_share_items_of_sums(space: Space, team: int) -> None:
    numbers = np.random.default_rng(9).random(1200)
    want = sum((numbers[i : i + 33] ** 2).sum() for i in range(1000))
    sums = parallel_reduce(space, 1000, Kernel(squares_of_rows, sums=2, team=team), 33, view(space, numbers))
    assert sums[0] == pytest.approx(want, rel=1e-12) and sums[1] == 1000.0


def test_devices_are_asked_for_threads_in_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """By NVIDIA's assembler from Volta on; by sub-groups whose size can be chosen; not by loops of PoCL."""
    groups = " ".join(found.SUB_GROUPS)
    nvidia, float_sums = "cl_nv_device_attribute_query cl_nv_compiler_options", "cl_ext_float_atomics"
    monkeypatch.setattr(found, "sub_group_sizes", lambda device: device.sizes)
    for platform, extensions, more, widest, told in (
            ("NVIDIA CUDA", nvidia, {"compute_capability_major_nv": 9}, 32, ["-DPTX"]),
            ("NVIDIA CUDA", nvidia, {"compute_capability_major_nv": 6}, 1, []),
            ("Intel(R) OpenCL", f"{groups} {float_sums}", {"sizes": [8, 16, 64]}, 16, ["-DSUB_GROUP=16", "-cl-std=CL3.0"]),
            ("Intel(R) OpenCL", groups, {"sizes": []}, 1, []), ("Card", "cl_khr_subgroup_ballot", {}, 1, []),
            ("Portable Computing Language", groups, {"sizes": [8], "version": "OpenCL 3.0 PoCL 6.0"}, 1, [])):
        device = SimpleNamespace(extensions=extensions, single_fp_config=0, **{"version": "OpenCL 3.0", **more})
        device.platform = SimpleNamespace(name=platform, version=device.version)
        assert found.widest(device) == widest and found.options(device) == ["-w", *told]
        assert found.limits(device, 128) == (["-cl-nv-maxrregcount=128"] if "nv" in extensions else [])
