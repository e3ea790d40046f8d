"""Kernels for what OpenCL finds: GPUs of any vendor, and CPUs through PoCL, where paths of GPUs are tested without one."""

from everlet.portable.devices import Device
from everlet.portable.traits import MEMBERS, Traits

TARGET = "opencl"
# of a device that is not there. OpenCL need not have sub-groups, so no threads share an item: a space asks its own
TRAITS = Traits(kind="GPU", asynchronous=True, ordered=False, atomics=True, many_threads=True, side_by_side=True, replays=True,
                calls_apart=True, transforming=False, widest=1, members=MEMBERS, processors=64, busy=128_000, block=128,
                blocks=2000)
DEVICES = [Device("opencl", TARGET, f"{__name__}.space:numbered", found=f"{__name__}.found")]
