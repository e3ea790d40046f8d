"""Kernels as HIP C++, which HIPRTC translates to code objects, and the driver loads."""

from everlet.portable.backends.grid.launches import InBlocks
from everlet.portable.backends.hip import TRAITS, found, hiprtc

BACKEND = InBlocks("hip", ".co", TRAITS.block, hiprtc.code_object, hiprtc.version, found.architecture)
