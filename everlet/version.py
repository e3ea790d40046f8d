"""The version: pyproject.toml takes it from here, and CITATION.cff is checked against it."""

__version__ = "0.1.0"
