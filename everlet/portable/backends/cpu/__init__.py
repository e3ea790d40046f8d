"""Machine code for CPUs, by Numba and LLVM."""
