"""Energies, pressure and what follows from them, of the whole system or groups."""
