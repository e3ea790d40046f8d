"""Pair forces. `styles/`: one physics file per style; the machinery: `coefficients.py` (input, mixing, files), `base.py` (what
a style is), `driver.py` (PairTerm), `schemes/` (ways to visit pairs: lists, windows, clusters, cells, all, with their
loops), `loops.py`, `packed_loops.py` (charges, on CPUs), `gathered_loops.py` (short rows, on CPUs), `rows.py`, `tally.py`;
`charged.py`, `coulomb.py` (Coulomb parts that styles are made of), `splitting.py` (near part of long ones), `sites.py`
(charges beside atoms), `one_four.py`; `divided.py` (inner, middle, outer forces);
`special.py`: scaled pairs of linked atoms; `single.py`: pairs one by one, for
computes.
"""
