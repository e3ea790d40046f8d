"""Charge equilibration: what fix qeq/point, qeq/shielded, qeq/reaxff and acks2/reaxff share.

    parameters.py     chi, eta and gamma of each type, from a file or from the pair style
    matrix.py         the couplings of charges within the cutoff, or softness of bonds, as rows of a sparse matrix
    iterations.py     what solvers have in common: vectors, sums, iterations that the host follows or a GPU replays
    solver.py         both linear systems of qeq by one method of conjugate gradients
    fitted.py         the same with guesses that are fitted to earlier solutions
    condensed.py      the one of acks2
    equilibrated.py   the fix: guesses from earlier steps, charges of zero sum, warnings
    *_loops.py        their kernels
"""
