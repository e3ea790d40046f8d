"""Machine code for CPUs, by Numba and LLVM."""

from everlet.portable.devices import Device
from everlet.portable.traits import Traits

TARGET = "cpu"
TRAITS = Traits(simd=True, repeats=True)
DEVICES = [Device("cpu", TARGET, "everlet.portable.spaces:on_cores", packages=("omp", "opt", "intel"), preference=1),
           Device("serial", TARGET, "everlet.portable.spaces:on_one_core")]
