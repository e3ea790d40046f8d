"""Descriptors: numbers of an atom and its neighbours that linear models and networks are functions of; one kind per file."""
