"""Whether messages may be in the memory of a GPU: what MPI libraries say, and what a user says."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest

from everlet import settings
from everlet.comm.world import Mpi
from everlet.errors import DeviceError
from everlet.state.ranks import SingleRank

ON_GPU: Any = SimpleNamespace(target="cuda")
ON_AMD: Any = SimpleNamespace(target="hip")


def world_with(library: Any) -> Mpi:
    """A job whose MPI library has these functions."""
    world = Mpi.__new__(Mpi)
    world.__dict__["_library"] = library
    return world


def mpich(status: int, value: int, asked: int = 0) -> SimpleNamespace:
    def query(kind: int, flag: Any) -> int:
        assert kind == asked
        ctypes.cast(flag, ctypes.POINTER(ctypes.c_int))[0] = value
        return status

    return SimpleNamespace(MPIX_GPU_query_support=query)


@pytest.mark.parametrize("library, answer", [
    (SimpleNamespace(MPIX_Query_cuda_support=lambda: 1), True),
    (SimpleNamespace(MPIX_Query_cuda_support=lambda: 0), False),
    (mpich(0, 1), True), (mpich(0, 0), False), (mpich(15, 1), False), (SimpleNamespace(), False),
])
def test_the_library_is_asked(library: Any, answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(settings.STARTED, "EVERLET_DIRECT", raising=False)
    assert world_with(library).reads_device_memory(ON_GPU) is answer


@pytest.mark.parametrize("library, answer", [
    (SimpleNamespace(MPIX_Query_rocm_support=lambda: 1), True),
    (SimpleNamespace(MPIX_Query_rocm_support=lambda: 0, MPIX_Query_cuda_support=lambda: 1), False),
    (SimpleNamespace(MPIX_Query_rocm_support=lambda: 0, MPIX_Query_hip_support=lambda: 1), True),
    (mpich(0, 1, asked=2), True), (mpich(0, 0, asked=2), False), (mpich(15, 1, asked=2), False), (SimpleNamespace(), False),
])
def test_it_is_asked_for_the_memory_of_the_space(library: Any, answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(settings.STARTED, "EVERLET_DIRECT", raising=False)
    assert world_with(library).reads_device_memory(ON_AMD) is answer
    opencl: Any = SimpleNamespace(target="opencl")
    assert not world_with(SimpleNamespace(MPIX_Query_cuda_support=lambda: 1)).reads_device_memory(opencl)


@pytest.mark.parametrize("said, answer", [("on", True), ("off", False)])
def test_a_user_knows_better(said: str, answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.STARTED, "EVERLET_DIRECT", said)
    assert world_with(SimpleNamespace(MPIX_Query_cuda_support=lambda: not answer)).reads_device_memory(ON_GPU) is answer


def test_other_words_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.STARTED, "EVERLET_DIRECT", "maybe")
    with pytest.raises(DeviceError, match="EVERLET_DIRECT=maybe"):
        world_with(SimpleNamespace()).reads_device_memory(ON_GPU)


def test_one_rank_sends_nothing() -> None:
    assert not SingleRank().reads_device_memory(ON_GPU)
