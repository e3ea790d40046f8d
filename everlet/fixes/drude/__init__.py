"""Drude particles: which atoms are cores and which are shells (drude.py), thermostats of both."""
