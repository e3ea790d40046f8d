"""What files and warnings are, for a Simulation."""

from __future__ import annotations

import inspect
import os
import warnings
from typing import Any

from everlet.errors import EverletWarning, InputError
from everlet.io.ase_atoms import library

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def data_style(path: str) -> str:
    """The atom style that a data file names behind its title Atoms; empty if it names none."""
    with open(path, encoding="utf-8", errors="replace") as file:
        title = next((line for line in file if line.split("#")[0].strip() == "Atoms"), "")
    return title.partition("#")[2].strip()


def of_ase(path: str, options: dict[str, Any]) -> Any:
    """The Atoms that ase.io reads."""
    read = library("ase.io", "sim.read()").read
    try:
        atoms = read(path, **options)
    except Exception as error:  # the readers of each format have errors of their own
        raise InputError(f"ase.io cannot read '{path}': {error or type(error).__name__}",
                         "say what it is, for example sim.read(FILE, format='vasp'), or give a data file of LAMMPS") from error
    if isinstance(atoms, list):
        raise InputError(f"'{path}' gives {len(atoms)} frames", "choose one, for example index=-1")
    return atoms


def warn(text: str) -> None:
    """A warning of the log as one of Python, at the line of the program that has led to it."""
    frame, level, ours = inspect.currentframe(), 0, 0
    while frame is not None:
        level += 1
        ours = level if frame.f_code.co_filename.startswith(PACKAGE) else ours
        frame = frame.f_back
    warnings.warn(text, EverletWarning, stacklevel=ours + 1)


def file_kind(path: str) -> str:
    """data, restart, or ase: what a file is, by its first bytes and words."""
    try:
        with open(path, "rb") as file:
            begin = file.read(4096)
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}", "check the path and its permissions") from None
    if begin.startswith((b"PK", b"LammpS")):
        return "restart"
    lines = begin.decode("utf-8", "replace").splitlines()[1:]
    header = [words for line in lines if (words := line.partition("#")[0].split())]
    return "data" if any(words[1:2] == ["atoms"] or words[-2:] == ["xlo", "xhi"] for words in header[:12]) else "ase"
