"""Fitting: what a program needs from frames of atoms to make a potential of them, and what it makes as files.

    configuration.py   a frame: positions, types and cell, with energy, forces and virial if they are known
    describe.py        descriptors of its atoms, and their slopes
    design.py          many frames as one linear problem: rows, their references, least squares, errors
    files.py, ace.py   coefficients as potential files
"""
