"""HIP: memory, launches, control words, graphs and errors, with libraries that do on the host what AMD's do on a GPU
(fake_hip.cpp). What a GPU of AMD, its driver and its compiler make of it no test here knows."""
# ruff: noqa: F821

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import settings
from everlet.cli import main
from everlet.errors import DeviceError, EverletError, InputError, RunError
from everlet.perf import about
from everlet.portable import Kernel, Space, View, choose, parallel_for, parallel_reduce, portable, real, where
from everlet.portable.backends.hip import found, gpu, hiprtc
from everlet.portable.batch import aside, collected, met
from everlet.portable.fft import RealTransform
from everlet.portable.graphs import Graph
from everlet.portable.language.dtypes import f64, i64
from everlet.portable.spaces import LATER, NEVER, STOP
from tests.unit import fake_hip, test_opencl

pytestmark = fake_hip.WANTED
ARCHITECTURE = "gfx90a:sramecc+:xnack-"


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for a process, which may come back to this file: programs remember where they are."""
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture
def fake(kernels: Path) -> Iterator[fake_hip.Fake]:
    with fake_hip.installed(kernels) as libraries:
        yield libraries


@pytest.fixture
def space(fake: fake_hip.Fake) -> Space:
    made = choose("hip")
    fake.log()
    return made


@portable
def weighed(i, n: i64, a: f64, x: f64[:], y: f64[:]):
    y[i] += a * x[i] + n


@portable
def products(i, x: f64[:]):
    return x[i] * x[i]


@portable
def over_lanes(i, n: i64, x: f64[:], y: f64[:]):
    total = lanes(0.0)
    for q in lane_range(n):
        total += where(live(q, n), load(x, q), real(0.0))
    whole = lane_sum(total)
    if leader():
        y[i] = f64(whole) + i


def view(space: Space, values: Any) -> View:
    return test_opencl.view(space, values)


@pytest.mark.parametrize("check", [
    test_opencl.test_arrays_are_like_those_of_the_host, test_opencl.test_loops_sums_and_their_errors,
    test_opencl.test_atomic_sums_and_bits, test_opencl.test_teams_and_scans,
    test_opencl.test_control_words_are_read_on_the_device, test_opencl.test_memory_outlives_the_work_that_uses_it])
def test_what_every_device_must_do(check: Callable[[Space], None], space: Space) -> None:
    check(space)


@pytest.mark.parametrize("team", [1, 8, 32])
def test_threads_share_an_item(team: int, space: Space) -> None:
    """Shuffles in wavefronts of 64 threads."""
    x, y = view(space, np.pad(np.arange(100.0), (0, 64))), View(10, np.float64, space)
    parallel_for(space, 10, Kernel(over_lanes, team=team), 100, x, y)
    assert np.array_equal(y.get(), 4950.0 + np.arange(10))


def test_words_of_a_launch(space: Space, fake: fake_hip.Fake) -> None:
    x, y = view(space, np.ones(300)), view(space, np.zeros(300))
    parallel_for(space, 300, Kernel(weighed, carveout=50, registers=64), 7, 0.5, x, y)
    fake.log()
    parallel_for(space, 300, weighed, 7, 0.5, x, y)
    half = np.float64(0.5).view(np.int64)
    assert fake.log() == [f"launch k_weighed 3 128 main 300 {space.control.pointer} {NEVER} 0 7 {half} {x.data.pointer} "
                          f"{y.data.pointer}"], "the same function, and nothing is loaded anew"
    assert y.get().sum() == 300 * 15.0
    partial = parallel_reduce(space, 300, products, x)
    launched = [line.split() for line in fake.log() if line.startswith("launch k_products")]
    assert launched[0][2:5] == ["3", "128", "main"] and launched[0][-1] == "128" and partial[0] == 300.0


def test_launches_wait_for_nobody(space: Space, fake: fake_hip.Fake) -> None:
    x, y = view(space, np.ones(10)), view(space, np.zeros(10))
    fake.log()
    parallel_for(space, 10, weighed, 0, 1.0, x, y)
    assert not any(line.startswith("run") for line in fake.log())
    space.synchronize()
    assert fake.log() == ["run k_weighed"]


def test_a_graph_with_branches(space: Space, fake: fake_hip.Fake) -> None:
    x, y, z = view(space, np.ones(10)), view(space, np.zeros(10)), view(space, np.zeros(10))
    with collected(space) as launches:
        parallel_for(space, 10, weighed, 0, 1.0, x, x)
        with aside(space):
            parallel_for(space, 10, weighed, 0, 1.0, x, z)
        parallel_for(space, 10, weighed, 0, 1.0, x, y)
        met(space)
        parallel_for(space, 10, weighed, 0, 1.0, z, y)
    graph = Graph(space, launches)
    told = [" ".join(line.split()[:5:4] if "launch" in line else line.split()) for line in fake.log()
            if line.startswith(("capture", "launch", "record", "wait", "graph"))]
    assert told == ["capture begins", "launch main", "record 0", "wait 1", "launch side", "launch main", "record 1", "wait 0",
                    "launch main", "capture ends", "graph of 4"]
    assert x.get().sum() == 10.0, "nothing ran while it was captured"
    assert [line for line in fake.log() if line == "event destroyed"] == 2 * ["event destroyed"]
    graph.replay()
    graph.replay()
    assert x.get().sum() == 40.0 and z.get().sum() == 60.0 and y.get().sum() == 60.0 + 20.0 + 60.0
    graph.close()
    assert "graph destroyed" not in fake.log()
    space.synchronize()
    assert fake.log() == ["graph destroyed"]


def test_branches_outside_of_graphs(space: Space) -> None:
    x, y = view(space, np.ones(10)), view(space, np.zeros(10))
    for _ in range(3):
        with aside(space):
            parallel_for(space, 10, weighed, 0, 1.0, x, y)
        met(space)
        parallel_for(space, 10, weighed, 0, 1.0, y, x)
    assert y.get()[0] == 1 + 2 + 5 and x.get()[0] == 13.0


def test_copies_are_in_order_with_a_branch(space: Space, fake: fake_hip.Fake) -> None:
    x = view(space, np.ones(10))
    space.gpu.leave()
    parallel_for(space, 10, weighed, 0, 1.0, x, x)
    fake.log()
    assert x.data.get().sum() == 20.0
    assert "copy 80 device host side" in fake.log()
    parallel_for(space, 10, weighed, 0, 1.0, x, x)
    space.gpu.come_back()
    space.synchronize()
    assert fake.log()[-1] == "run k_weighed", "there is no work left beside"


def test_a_graph_that_fails(space: Space, fake: fake_hip.Fake) -> None:
    x = view(space, np.ones(10))
    with collected(space) as launches:
        parallel_for(space, 10, weighed, 0, 1.0, x, x)
    with pytest.raises(RunError, match="ending a graph failed"):  # a branch that never came back
        space.gpu.capture(lambda: (space.gpu.leave(), space.gpu.come_back()))
    with pytest.raises(RunError, match="operation not permitted when stream is capturing"):
        space.gpu.capture(lambda: x.data.get())
    fake.fail("hipStreamBeginCapture", 1)
    with pytest.raises(RunError, match="beginning a graph failed"):
        Graph(space, launches)
    graph = Graph(space, launches)
    fake.fail("hipGraphLaunch", 999)
    with pytest.raises(RunError, match=r"replaying a graph failed: some error \(HIP error 999\)"):
        graph.replay()
    assert not space.gpu.capturing and space.gpu.stream is space.gpu.main
    graph.replay()
    assert x.get().sum() == 20.0


def test_transforms_are_part_of_graphs(space: Space) -> None:
    transform = RealTransform(space, (4, 6, 5))
    numbers = np.random.default_rng(1).random((4, 6, 5))
    mesh, spectrum = view(space, numbers.ravel()), View(2 * 4 * 6 * 3, np.float64, space)
    with collected(space) as launches:
        parallel_for(space, mesh.data.size, weighed, 0, 1.0, mesh, mesh)
        transform.forward(mesh, spectrum)
        transform.backward(spectrum, mesh)
        parallel_for(space, mesh.data.size, weighed, 1, 0.0, mesh, mesh)
    graph = Graph(space, launches)
    graph.replay()
    assert len(graph.pieces) == 1
    assert np.allclose(mesh.get(), 2.0 * numbers.size * numbers.ravel() + 1.0, rtol=1e-13)


def test_memory_is_given_back_when_its_work_is_done(space: Space, fake: fake_hip.Fake) -> None:
    large, small = space.zeros(1 << 20, np.float64), space.zeros(100, np.float64)
    assert fake.log() == ["malloc 8388608", "malloc 1024"]
    address = small.pointer
    large[:3] = 1.0
    del large, small
    assert "free" not in " ".join(fake.log())
    space.synchronize()
    assert fake.log() == ["free 8388608"]
    again = space.zeros(120, np.float64)
    assert again.pointer == address and not fake.log() and again.get().sum() == 0.0, "small ones are used again"


def test_memory_ends(space: Space, fake: fake_hip.Fake) -> None:
    one = space.zeros(1 << 20, np.float64)
    fake.capacity(1000)
    del one
    found_room = space.zeros(1 << 20, np.float64)  # that of the array which nobody has any more
    assert any(line.startswith("free") for line in fake.log()) and found_room.get().sum() == 0.0
    with pytest.raises(RunError, match=r"GPU out of memory: 0.02 GB asked for, 0.00 of") as caught:
        space.zeros(1 << 21, np.float64)
    assert "--precision mixed" in caught.value.remedy
    fake.fail("hipMalloc", 719)
    with pytest.raises(RunError, match="making an array failed"):
        space.zeros(1 << 21, np.float64)


def test_control_words(space: Space) -> None:
    space.control[STOP] = 3
    assert space.read_control()[STOP] == 3
    space.reset_control()
    assert space.read_control()[STOP] == LATER and space.control is space.gpu.control


def test_errors_are_told(space: Space, fake: fake_hip.Fake) -> None:
    x = view(space, np.ones(10))
    parallel_for(space, 10, weighed, 0, 1.0, x, x)
    fake.fail("hipModuleLaunchKernel", 719)
    with pytest.raises(RunError, match="launching a kernel failed: some error .HIP error 719") as caught:
        parallel_for(space, 10, weighed, 0, 1.0, x, x)
    assert "--device cpu" in caught.value.remedy
    fake.fail("hipMemcpyAsync", 700)
    with pytest.raises(RunError, match="copying an array failed"):
        x.get()
    fake.fail("hipStreamSynchronize", 700)
    with pytest.raises(RunError, match="waiting for the GPU failed"):
        space.synchronize()
    with pytest.raises(RunError, match="33554432 blocks of 128 threads are more than HIP launches at once"):
        parallel_for(space, 1 << 32, weighed, 0, 1.0, x, x)
    assert x.get().sum() == 20.0


def test_a_kernel_that_does_not_load(fake: fake_hip.Fake) -> None:
    space = choose("hip")
    x = view(space, np.ones(10))
    fake.fail("hipModuleLoadData", 209)
    with pytest.raises(RunError, match="loading kernel k_weighed_.* failed"):
        parallel_for(space, 10, weighed, 0, 1.0, x, x)


def test_translations(fake: fake_hip.Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    from everlet.portable.programs import Program

    path = Program(Kernel(weighed), "hip").load()
    code = path.with_suffix(".co").read_bytes()
    assert code.startswith(b"FAKECODE" + ARCHITECTURE.encode() + b"\0") and b"\x7fELF" in code
    monkeypatch.setattr(hiprtc, "code_object", lambda *_: pytest.fail("compiled again"))
    assert Program(Kernel(weighed), "hip").load() == path
    monkeypatch.setitem(settings.STARTED, "EVERLET_HIP_ARCH", "gfx1100")
    found.architecture.cache_clear()
    assert Program(Kernel(weighed), "hip").path != path, "other GPUs have kernels of their own"


def test_a_text_that_does_not_compile(fake: fake_hip.Fake) -> None:
    with pytest.raises(EverletError, match=r"HIPRTC 0.0 cannot compile kernel k_bad: .*k_bad.cpp:1"):
        hiprtc.code_object('extern "C" __global__ void k_bad(nothing x) {}', "k_bad", "gfx90a")
    fake.fail("hiprtcCreateProgram", 1)
    with pytest.raises(EverletError, match="HIPRTC failed: HIPRTC_ERROR"):
        hiprtc.code_object("", "k_bad", "gfx90a")


def test_several_gpus(fake: fake_hip.Fake) -> None:
    first, second = choose("hip"), choose("hip:1")
    assert (first.processors, second.processors) == (104, 105) and first.memory != second.memory
    x = view(second, np.ones(10))
    made: list[View] = []
    thread = threading.Thread(target=lambda: made.append(view(second, np.zeros(10))))  # HIP means the first GPU in new threads
    thread.start()
    thread.join()
    parallel_for(second, 10, weighed, 0, 2.0, x, made[0])
    assert made[0].get().sum() == 20.0 and view(first, np.ones(3)).get().sum() == 3.0
    with pytest.raises(InputError, match=r"is in the memory of hip\(1\), not of hip\(0\)"):
        parallel_for(first, 10, weighed, 0, 2.0, x, x)
    with pytest.raises(DeviceError, match="AMD GPU 2 was asked for, but there are 2") as caught:
        choose("hip:2")
    assert "hip:0 to hip:1" in caught.value.remedy
    fake.gpus("gfx90a,gfx1100")
    with pytest.raises(DeviceError, match="AMD GPU 1 is gfx1100, and kernels are made for gfx90a") as caught:
        choose("hip:1")
    assert "HIP_VISIBLE_DEVICES=1" in caught.value.remedy


def test_no_gpu(fake: fake_hip.Fake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake.gpus("")
    with pytest.raises(DeviceError, match="HIP finds no GPU: no ROCm-capable device is detected") as caught:
        choose("hip")
    assert "rocminfo" in caught.value.remedy and found.count() == 0 and found.architecture() == "gfx90a"
    assert "HIP: not usable: HIP finds no GPU" in about._hip_lines()[0]
    monkeypatch.setitem(settings.STARTED, "ROCM_PATH", str(tmp_path))
    fake_hip.forget()
    with pytest.raises(DeviceError, match="libamdhip64 is not installed") as caught:
        choose("hip")
    assert caught.value.remedy == found.INSTALL and found.INSTALL in about._hip_lines()[0] and hiprtc.version() == ""
    with pytest.raises(DeviceError, match="HIPRTC.* is not installed"):
        hiprtc.code_object("", "k", "gfx90a")


@pytest.mark.parametrize("flags", [(), ("-DOLD",)])
def test_the_architecture_is_read_from_both_layouts(flags: tuple[str, ...], kernels: Path) -> None:
    with fake_hip.installed(kernels, *flags) as fake:
        assert found.of_gpu(1) == ARCHITECTURE == found.architecture()
        fake.gpus("gfx1100,Radeon")
        assert found.architecture() == "gfx1100"
        with pytest.raises(DeviceError, match="HIP does not say what GPU 1 is") as caught:
            found.of_gpu(1)
        assert "EVERLET_HIP_ARCH" in caught.value.remedy
        fake.fail("hipGetDeviceProperties", 101)
        with pytest.raises(DeviceError, match=r"what GPU 0 is: some error \(HIP error 101\)"):
            found.of_gpu(0)


def test_info(fake: fake_hip.Fake) -> None:
    assert about._hip_lines() == [
        *(f"HIP: --device hip:{k}: Fake Instinct, {ARCHITECTURE}, {104 + k} compute units, 68.7 GB" for k in (0, 1)),
        "HIP compiler: HIPRTC 0.0"]
    fake.fail("hipDeviceGetAttribute", 1)
    assert about._hip_lines()[0].startswith("HIP: HIP does not say how large GPU 0 is")


@pytest.mark.parametrize("words", ["bench lj --atoms 500", "micro", "lu --class S"])
def test_what_has_no_clock_is_refused(words: str, fake: fake_hip.Fake, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), "--device", "hip"]) == 1
    assert "nothing here takes times of work on hip(0) yet" in "".join(capsys.readouterr())


def test_arrays_for_messages(space: Space) -> None:
    """What mpi4py asks arrays for."""
    array = view(space, np.arange(6.0)).data.reshape(2, 3)
    told = array.__cuda_array_interface__
    assert told == {"shape": (2, 3), "typestr": "<f8", "data": (array.pointer, False), "strides": None, "version": 3}
    assert array[:, 1].__cuda_array_interface__["strides"] == (24,)


def test_auto_never_takes_it(fake: fake_hip.Fake) -> None:
    from everlet.portable import devices

    assert devices.find("hip:1") == (devices.devices()["hip"], 1) and devices.devices()["hip"].why_not() == ""
    assert devices.automatic().name != "hip" and devices.of_rank("hip", 3) == "hip:1"
    assert gpu.connect(0) is choose("hip").gpu
