"""Computes with a value for each atom."""
