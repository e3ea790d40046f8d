"""Scripts. Parser, variables, formulas (`expression.py`: trees, `closures.py`: functions made of them; what words mean:
`scope.py`, `functions.py`, `groupfunctions.py`, `vectorfunctions.py`, `queries.py`), functions in Python (`embedded.py`),
`commands/<family>.py`.
"""
