"""Fixes that gather values in time."""
