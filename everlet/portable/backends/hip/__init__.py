"""Kernels for AMD GPUs, by the libraries of ROCm alone. None of it has met a GPU yet: it is tested against libraries that do on
the host what those of AMD do (tests/unit/fake_hip.cpp). So --device auto does not take it."""

from everlet.portable.devices import Device
from everlet.portable.traits import MEMBERS, WIDEST, Traits

TARGET = "hip"
# wavefronts have 32 or 64 threads: shuffles of 32 are right on both. Processors are those of an MI300X, where kernels are made
# for a GPU that is not there; a space asks its own
TRAITS = Traits(kind="GPU", asynchronous=True, ordered=False, atomics=True, many_threads=True, side_by_side=True, replays=True,
                transforming=False, timed=False, widest=WIDEST, members=MEMBERS, processors=304, busy=128_000, block=128,
                blocks=2000)
DEVICES = [Device("hip", TARGET, f"{__name__}.space:numbered", found=f"{__name__}.found")]
