"""Nosé–Hoover chains: what fix nvt, npt and nph share.

    words.py      their keywords
    chain.py      a chain of thermostats, for atoms and for the barostat: one small kernel
    motion.py     kernels that scale, kick and move atoms
    thermostat.py what all three have: the temperature, the chain, its part of the conserved energy
    barostat.py   strain rates of the box that follow the pressure
    pressure.py   what npt and nph have: the step of atoms in such a box
    turning.py    the same of spheres and ellipsoids, which turn
    cell.py       how the box and the atoms in it are dilated and sheared, and flips of tilted boxes
"""
