"""Ranks, worlds, and ghosts. `world.py`: the ranks of a job, through mpi4py; `universe.py`: worlds that were started together,
threads of one process or groups of ranks; ghosts: borders, forward, reverse, exchange; on several ranks also atoms of
others each once (`distinct.py`), who owns what (`cuts.py`: one tree for every way to divide the box) and who should
(`balance.py`).
"""
