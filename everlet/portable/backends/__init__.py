"""One place for each target that kernels are made for: reference (plain Python), cpu and cuda."""
