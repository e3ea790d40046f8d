"""Fixes that hold lengths, a plane, a momentum or a place. shake and rattle share base.py and what it uses."""
