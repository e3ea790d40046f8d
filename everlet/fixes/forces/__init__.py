"""Fixes that change forces, or add some."""
