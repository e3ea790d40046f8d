"""Fixes that keep atoms on one side of a surface."""
