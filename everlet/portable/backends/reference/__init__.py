"""Plain Python: slow and right, what the others are compared with."""
