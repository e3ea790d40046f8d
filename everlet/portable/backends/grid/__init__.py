"""Kernels for devices that start many threads in groups: what their places share. It is no place of a target.

    prelude.py    the words of kernels, in a few primitives
    entries.py    the loops around bodies
    launches.py   launches with one block of arguments
    arrays.py     arrays in memory of a device
"""
