"""Rigid bodies: what fix rigid, rigid/nve and their small forms have in common."""
