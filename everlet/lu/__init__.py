"""LU. LU of the NAS benchmarks, written with `portable` alone.
"""
