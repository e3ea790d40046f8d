"""Temperatures, and the velocities that they count."""
