"""Kernels for NVIDIA GPUs."""

from everlet.portable.devices import Device
from everlet.portable.traits import MEMBERS, WIDEST, Traits

TARGET = "cuda"
# processors are those of an H200, where kernels are made for a GPU that is not there; a space asks its own
TRAITS = Traits(kind="GPU", asynchronous=True, ordered=False, atomics=True, many_threads=True, side_by_side=True, replays=True,
                widest=WIDEST, members=MEMBERS, processors=132, busy=128_000, block=128, blocks=2000)
DEVICES = [Device("cuda", TARGET, f"{__name__}.space:numbered", also=("gpu",), packages=("gpu",), preference=2,
                  found=f"{__name__}.found")]
