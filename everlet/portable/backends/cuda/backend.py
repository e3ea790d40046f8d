"""Kernels as CUDA C++, which NVRTC translates to PTX, and the driver loads."""

from everlet.portable.backends.cuda import TRAITS, found, nvrtc
from everlet.portable.backends.grid.launches import InBlocks

BACKEND = InBlocks("cuda", ".ptx", TRAITS.block, nvrtc.ptx, nvrtc.version, found.architecture)
