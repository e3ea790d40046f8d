"""Hydrogen bonds of force fields whose hydrogens are bonded to donors.

    dreiding.py   the styles and their coefficients
    scheme.py     who belongs to a donor, and the loop at work
    loops.py      the loop over donors
"""
