"""The state of a simulation, as all parts share it. System (the shared blackboard), Atoms (fields by declaration), atom
styles, topology, Operation (what fixes and computes have in common), Ledger, Plan, Box, cells of any orientation as boxes
(`cells.py`), units, groups, regions, lattice, random streams, the step number on the device (`clock.py`), ids to rows
(`rows_of_ids.py`), values of atoms that scripts name (`custom.py`), what goes on from a restart file (`continuing.py`),
steps of several lengths (`levels.py`), ranks and worlds of a simulation that is alone (`ranks.py`).
"""
