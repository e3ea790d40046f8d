"""Distribution functions."""
