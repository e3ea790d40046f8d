"""Learned potentials: models that are Python programs, called once for the forces of a step.

    model.py    what a model is, where one comes from, and what it must say of itself
    edges.py    what a model is handed: pairs of atoms within its cutoff, in memory that torch, JAX and NumPy share
    scheme.py   edges out of rows of the list, the call, and forces, energies and virials out of what the model gives back
    ml.py       pair_style ml
"""
