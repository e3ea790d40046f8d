"""From fit to run: a linear atomic cluster expansion is fitted to an embedded-atom potential of copper, checked, and written.

    python fit_ace.py [steps] [--plot]           then: everlet run in.fitted --var model pace
"""

from copper import frames, table

import everlet

ACE = dict(elements=["Cu"], rcut=3.5, nradbase=16, nradmax=3, lmax=2, rank=3)

everlet.write_ace("Cu.yace", ACE)  # the functions, to be summed
fit = everlet.design_matrix(frames(seed=4711), "ace", "Cu.yace")
coefficients = fit.solve(energy=10.0, force=1.0, virial=1.0)
everlet.write_ace("Cu_fitted.yace", ACE, coefficients)
table(fit, everlet.design_matrix(frames(seed=1234, count=2), "ace", "Cu.yace"), coefficients)
