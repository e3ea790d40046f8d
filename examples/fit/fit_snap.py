"""From fit to run: a linear SNAP model is fitted to an embedded-atom potential of copper, checked on new frames, and written.

    python fit_snap.py [steps] [--plot]          then: everlet run in.fitted
"""

from copper import frames, table

import everlet

SNAP = dict(twojmax=6, rcutfac=3.6, rfac0=0.99363, elems=["Cu"], radelems=[0.5], welems=[1.0])

fit = everlet.design_matrix(frames(seed=4711), "sna", SNAP)
coefficients = fit.solve(energy=10.0, force=1.0, virial=1.0)
everlet.write_snap("Cu_fitted", SNAP, coefficients)
table(fit, everlet.design_matrix(frames(seed=1234, count=2), "sna", SNAP), coefficients)
