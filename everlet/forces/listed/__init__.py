"""Pairs of atoms that a file names, each with its own potential: `pair_style list`.

    style.py    the style and its file
    scheme.py   where the atoms of pairs are, and the loop at work
    loops.py    the loop over pairs, and their potentials
"""
