"""What a restart file says about atoms, looked at before kernels use it as addresses: a file that was made up, with a right
checksum, must not reach memory that is not the atoms'. Whatever is wrong here or later on is a ValueError with its cause."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.state.plan import Plan
from everlet.state.topology import KINDS

KIND = "fiub"  # numbers
WIDEST = 10_000  # numbers of one field of an atom
MOST_TYPES = 1 << 20
LAST = 1 << 62  # steps
GROUPS = 32


def check(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """ValueError that names what cannot be."""
    _head(header)
    for name, shape in (("box/lo", (3,)), ("box/hi", (3,)), ("box/margin", (3,)), ("box/minimum", (2, 3))):
        _must(arrays[name].shape == shape and arrays[name].dtype == np.float64, f"{name} is no box")
    masses = arrays["masses"]
    _must(masses.ndim == 1 and masses.dtype == np.float64 and 2 <= len(masses) <= MOST_TYPES, "masses are not those of types")
    count = len(arrays["atoms/id"])
    for name, field in header["fields"].items():
        width, shown, array = field["width"], field["shown"], arrays[f"atoms/{name}"]
        _must(np.dtype(field["dtype"]).kind in KIND and array.dtype.kind in KIND, f"{name} of atoms is no number")
        _must(_whole(width, 1, WIDEST) and _whole(shown, 1, width), f"{name} of atoms has {width} numbers")
        _must(array.shape in ((count,), (count, shown)) and array.size == count * shown, f"{name} of atoms has another length")
    ids, types = arrays["atoms/id"], arrays["atoms/type"]
    _must(ids.dtype == np.int64 and (ids >= 0).all(), "ids of atoms are no ids")
    _must(types.dtype == np.int32 and ((types > 0) & (types < len(masses))).all(), "types of atoms are not those of masses")
    for name, kind in KINDS.items():
        if f"atoms/{kind.atoms}" in arrays:
            _links(name, header["topology"]["types"][name], arrays[f"atoms/{kind.type}"], arrays[f"atoms/{kind.atoms}"])


def _head(header: dict[str, Any]) -> None:
    _must(_whole(header["step"], -LAST, LAST) and _whole(header["next_sort"], -LAST, LAST), "the step is no step")
    _must(_whole(header["sort_every"], 0, LAST) and header["dimension"] in (2, 3), "settings are no numbers")
    _must(all(isinstance(header[name], bool) for name in ("newton", "sort_given")), "settings are not yes or no")
    _must(all(isinstance(one, int | float) and math.isfinite(one) for one in (header["dt"], *header["box"]["tilt"])),
          "the timestep or the tilt is no number")
    _must(all(_whole(bit, 0, GROUPS - 1) for bit in header["groups"].values()), "groups are no groups")
    _must(set(header["bonded"]) <= set(KINDS), "styles of links are those of no links")
    _must(all(_whole(header["topology"]["types"][name], 0, MOST_TYPES) for name in KINDS), "types of links are no numbers")
    types = Plan.types()
    for name, value in header["plan"][0].items():
        wanted = types.get(name, int | str)  # knobs of schemes are numbers or words
        right = isinstance(value, str if wanted is str else int | wanted)
        _must(right and (isinstance(value, str) or 0 <= value < 2**31), f"the plan has {name} {value!r}")


def _links(name: str, most: int, types: np.ndarray, atoms: np.ndarray) -> None:
    _must(types.dtype == np.int32 and (np.abs(types.astype(np.int64)) <= most).all(), f"{name} types are not those there are")
    _must(atoms.dtype == np.int64 and (atoms >= 0).all(), f"{name}s are of atoms that cannot be")


def _whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _must(right: bool | np.bool, cause: str) -> None:
    if not right:
        raise ValueError(cause)
