"""Many-body potentials. `eam/`, `threebody/`, `snap/`, `mliap/`, `ace/`, `reaxff/`: styles, their files, schemes and loops;
`ace/expansion.py`: sums over neighbours and products of them, for whatever is made of these; `tile_loops.py`: rows by
species, atoms in tiles; `components/`: energies as functions of components (linear, quadratic, networks), for whoever makes
components; `short_loops.py`: rows of the neighbours within the cutoff. `threebody/uf3.py` is two styles in one: pairs by a
pair scheme, angles by the loops of `sw`; so are `extep.py` and `meam_spline.py`. `eam/mutual.py`: pairs that depend on numbers
of their atoms.
"""
