"""Computes on the cells of a grid over the box."""
