"""Learned potentials: models that are Python programs, called once for the forces of a step.

    model.py    what a model is, where one comes from, and what it must say of itself
    edges.py    what a model is handed: pairs of atoms within its cutoff, in memory that torch, JAX and NumPy share
    finding.py  edges out of rows of the list
    answers.py  what a model may give back, and where it goes
    capture.py  models on a GPU: streams and graphs
    scheme.py   edges, the call, and forces, energies and virials
    ml.py       pair_style ml
    committee.py  several models, and how far they disagree
    unified.py programs.py metatomic.py calculators.py    adapters: exports for mliap unified, programs of torch, metatomic, ASE
    libraries.py  what adapters share
"""
