"""Fixes that make, break and count bonds."""
