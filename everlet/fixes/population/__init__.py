"""Fixes that add and remove atoms."""
