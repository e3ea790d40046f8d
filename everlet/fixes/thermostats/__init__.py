"""Fixes that hold a temperature and leave the motion to an integrator."""
