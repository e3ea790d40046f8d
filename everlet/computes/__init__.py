"""Computes: the contract in base.py, styles in rooms by what they give. Beside base.py is what several rooms use."""
