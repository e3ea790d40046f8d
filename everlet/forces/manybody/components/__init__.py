"""Energies of atoms that are functions of their components, whatever these are.

    models.py    what a model is: linear, quadratic, a network
    files.py     their files
    loops.py     from components to the energy and its slopes
    answers.py   those loops at work, for schemes that make components
"""
