"""Descriptors of atoms, as tables for fits."""
