"""Fixes: the contract in base.py, styles in rooms by what they do. Beside base.py is what several rooms use."""
