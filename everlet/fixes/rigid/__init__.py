"""Rigid bodies: fix rigid and its relatives, and what they share."""
