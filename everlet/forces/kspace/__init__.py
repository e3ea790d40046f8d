"""Long-range forces. Long-range solvers: `base.py` (charges, accuracy, g), `settings.py` (kspace_modify), `ewald.py`,
`pppm.py` (mesh by `pppm_error.py`, splines by `stencil.py`), `pppm_tip4p.py` with their terms and loops, `mesh.py` (whole
or divided among ranks), `pencils.py` (transforms of divided ones), `slab.py`.
"""
