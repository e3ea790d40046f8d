"""Fixes that move atoms in time."""
