"""Files: data and restart files, logs, numbers as text by compiled loops (`text_loops.py`, `number_loops.py`), files that are
never half written (`files.py`); `behind.py`: frames that are written while a GPU works; `trajectories.py`: frames of all
formats as arrays; `stages.py`: what long commands say.
"""
