"""SIMD lanes of a CPU as a Numba type: lanes.py has the words, vecmath.py mathematics, lookup.py tables."""
