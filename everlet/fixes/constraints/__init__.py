"""Constraints of bonds and angles: what fix shake and fix rattle have in common."""
