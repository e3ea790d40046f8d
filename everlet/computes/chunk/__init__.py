"""Chunks of atoms, and computes of them."""
