"""Charge equilibration: what fix qeq/point, qeq/shielded and qeq/reaxff share.

    parameters.py     chi, eta and gamma of each type, from a file or from the pair style
    matrix.py         the couplings of charges within the cutoff, as rows of a sparse matrix
    solver.py         both linear systems by one method of conjugate gradients
    equilibrated.py   the fix: guesses from earlier steps, charges of zero sum, warnings
    *_loops.py        their kernels
"""
