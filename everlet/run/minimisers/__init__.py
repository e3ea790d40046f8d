"""Minimisers: ways downhill in the energy of the atoms. `minimisation.py`: the command; `landscape.py`: what all walk on."""
