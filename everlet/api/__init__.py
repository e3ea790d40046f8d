"""The public Python API. The public Python API. `simulation.py`: Simulation, which has a Session and is none; its parts
`state.py` (properties), `forces.py` (styles, fixes, computes), `fields.py`; `create.py` (systems from arrays), `styles.py`
and `operations.py` (registries as attributes), `table.py` (thermo), `callbacks.py`, `local.py` (device arrays),
`snapshots.py`, `record.py` (what was done, as a script), `reading.py`, `writing.py` (files by their endings). Beside it
Batch: many small systems in one engine; `described.py` systems as they are given, `batch_fixes.py` its fixes,
`exchange.py`, `spread.py` chunks for workers.
"""
