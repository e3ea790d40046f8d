"""Fixes that change the box: towards a pressure, or as they are told."""
