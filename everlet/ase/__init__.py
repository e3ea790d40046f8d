"""Everlet as a calculator of ASE: from everlet.ase import Everlet."""

from everlet.ase.calculator import Everlet

__all__ = ["Everlet"]
