"""How runs go. `engine.py` (owns a System and its operations), `setting_up.py` (what happens before the first step),
`running.py` (a run from its first line to its summary), `planning.py` (how a run does its work), `evaluator.py` (ghosts,
lists, terms, ledger), `phases.py` (the step as one list of phases, which all that makes steps or parts of them reads),
`step.py` (the loop over them), `levels.py` (steps of several lengths),
`graphs.py` (steps replayed on GPUs), `repeats.py` (steps repeated on cores),
`collecting.py` (what hooks ask the host for),
`outputs.py` (who needs what at which step), `minimisers/` (ways downhill: `minimisation.py` the command, `landscape.py`
energies and vectors, `descent.py`, `line_search.py`, `damped.py`), `batching.py` (a System of many systems), `replicas/`
(systems that know of each other: `exchange.py` and `neb_forces.py` are the formulas, pure functions for whoever has the
systems; `temper.py`, `band.py` and `neb.py` the commands, one world for each system), `rerun.py` (frames of dump files
instead of steps), `beside.py` (forces between runs),
`asked.py` (the same again), `going_on.py` (from the middle of another run), `stopping.py`,
`turns.py` (one thread at a time), `crowd.py` (simulations that were dropped), `timers.py`, `plugins.py` (files of users
with styles), `installed.py` (packages with styles), `tuning/`.
"""
