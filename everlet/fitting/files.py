"""Coefficients of fits as potential files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from everlet.errors import InputError
from everlet.forces.descriptors.base import Given
from everlet.forces.descriptors.sna import described
from everlet.forces.manybody.snap.files import Coefficients, check
from everlet.forces.potential_file import PotentialFile

ABOUT = "everlet.write_snap"


def write_mliap(stem: str | os.PathLike[str], kind: str, settings: Given, coefficients: np.ndarray) -> str:
    """Files of pair_style mliap with a linear model: STEM.mliap.model, and STEM.mliap.descriptor if the settings of the
    descriptor are no file yet. `kind` and settings as of `descriptors`, coefficients as `Design.solve` gives them, (elements,
    1 + K) with the constant first. Gives the words that follow pair_style."""
    values = np.asarray(coefficients, float)
    if values.ndim != 2 or not np.isfinite(values).all():
        raise InputError(f"coefficients of shape {values.shape}, or not all of them numbers",
                         "give (elements, 1 + components), as Design.solve does")
    model, file = Path(f"{os.fspath(stem)}.mliap.model"), Path(f"{os.fspath(stem)}.mliap.descriptor")
    if isinstance(settings, Mapping):
        described = {"nelems": len(settings.get("elems", ())), **settings}
        file.write_text("# everlet.write_mliap\n" + "".join(f"{line}\n" for line in PotentialFile.of(described).lines))
    else:
        file = Path(os.fspath(settings))
    rows = "".join(f"{value!r}\n" for value in values.ravel().tolist())
    model.write_text(f"# everlet.write_mliap\n{len(values)} {values.shape[1]}\n{rows}")
    return f"mliap model linear {model} descriptor {kind} {file}"


def write_snap(stem: str | os.PathLike[str], settings: Given, coefficients: np.ndarray, units: str = "metal") -> list[Path]:
    """STEM.snapcoeff and STEM.snapparam for pair_style snap: settings as of `descriptors`, coefficients as `Design.solve`
    gives them, (elements, 1 + K) with the constant first, in energies of these units."""
    found, elements, radius, weight = described(PotentialFile.of(settings, "settings of sna"))
    values = np.asarray(coefficients, float)
    if values.ndim != 2 or len(values) != len(elements):
        raise InputError(f"coefficients of shape {values.shape} for {len(elements)} elements",
                         "give (elements, 1 + components), as Design.solve does")
    rows = dict(zip(elements, values, strict=True))
    check(Coefficients("the array of coefficients", elements, {}, {}, rows), found)
    lines = [f"# UNITS: {units} ({ABOUT})", f"{len(elements)} {values.shape[1]}"]
    for name, r, w in zip(elements, radius, weight, strict=True):
        lines += [f"{name} {r!r} {w!r}", *(repr(float(value)) for value in rows[name])]
    keywords = {**found.numbers, "twojmax": found.whole["twojmax"], **found.flags,
                **{key: " ".join(map(repr, values)) for key, values in found.lists.items()}}
    places = [Path(f"{os.fspath(stem)}{end}") for end in (".snapcoeff", ".snapparam")]
    places[0].write_text("\n".join(lines) + "\n")
    places[1].write_text(f"# {ABOUT}\n" + "".join(f"{key} {value}\n" for key, value in keywords.items()))
    return places
