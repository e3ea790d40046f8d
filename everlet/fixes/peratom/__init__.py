"""Fixes that keep values of each atom."""
