"""Files of MEAM: a library of elements, and parameters of pairs and triples of them.

A library has for each element 19 words, or 25 with the minus densities of meam/ms, in any number of lines:

    name lattice z number mass alpha b0 b1 b2 b3 [b1m b2m b3m] alat esub asub t0 t1 t2 t3 [t1m t2m t3m] rozero ibar

A file of parameters has lines such as `Ec(1,2) = 3.0` and `rc = 4.0`; numbers are those of elements in pair_coeff.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError, unknown
from everlet.forces.manybody.meam.lattices import lattice
from everlet.forces.potential_file import PotentialFile

NUMBERS = {"rc": 4.0, "delr": 0.1, "gsmooth_factor": 99.0, "augt1": 1.0, "ialloy": 0.0, "mixture_ref_t": 0.0,
           "erose_form": 0.0, "emb_lin_neg": 0.0, "bkgd_dyn": 0.0}
OF_ELEMENTS, OF_PAIRS = ("rho0",), ("Ec", "alpha", "re", "delta", "lattce", "attrac", "repuls", "nn2", "zbl", "theta")
OF_TRIPLES = ("Cmin", "Cmax")
ANY_ORDER = ("nn2", "zbl", "theta")  # of the two numbers behind them
FORMS = (0, 1, 3, 4, -5)  # of G, by ibar
MOST = 8  # elements


@dataclass
class Meam:
    """Numbers of elements, of pairs [i, j] and of triples [i, j, k] of them: pair i j screened by k."""

    names: list[str]
    minus: bool  # meam/ms
    mass: np.ndarray
    number: np.ndarray  # of protons
    beta: np.ndarray  # (elements, 4)
    beta_minus: np.ndarray  # (elements, 3), without minus densities (elements, 0)
    t: np.ndarray  # (elements, 3)
    t_minus: np.ndarray
    asub: np.ndarray
    rho0: np.ndarray
    ibar: np.ndarray
    Ec: np.ndarray
    alpha: np.ndarray
    re: np.ndarray
    lattce: np.ndarray  # of names
    options: dict[str, float] = field(default_factory=lambda: dict(NUMBERS))

    def __post_init__(self) -> None:
        n = len(self.names)
        self.delta, self.attrac, self.repuls = np.zeros((3, n, n))
        self.nn2, self.zbl, self.theta = np.zeros((n, n)), np.ones((n, n)), np.full((n, n), 180.0)
        self.Cmin, self.Cmax = np.full((n, n, n), 2.0), np.full((n, n, n), 2.8)
        if self.minus:
            self.options["ialloy"] = 1.0

    @property
    def alloy(self) -> int:
        return int(self.options["ialloy"])

    def flag(self, name: str) -> bool:
        return self.options[name] != 0.0


def read_library(name: str, elements: list[str], minus: bool) -> Meam:
    file, size, style = PotentialFile(name), 25 if minus else 19, "meam/ms" if minus else "meam"
    if file.units not in ("", "metal"):
        raise InputError(f"{file.path} is for units {file.units}, and {style} is in units metal", "use another file")
    found: dict[str, list[str]] = {}
    row: list[str] = []
    while file.line < len(file.lines):
        file.line += 1
        row += file.lines[file.line - 1].split("#", 1)[0].replace("'", " ").replace('"', " ").split()
        if len(row) >= size:
            if len(row) > size:
                raise file.fail(f"an entry has {size} words, and that of {row[0]} has {len(row)}")
            found.setdefault(row[0], row[1:])
            row = []
    if row:
        raise file.fail(f"the last entry, of {row[0]}, has {len(row)} of {size} words")
    missing = [one for one in elements if one not in found]
    if missing:
        raise InputError(f"element '{missing[0]}' is not in {file.path}", f"it has {', '.join(found)}")
    n, m = len(elements), 3 * minus
    values = np.array([[file.number(word, f"an entry of {one}") for word in found[one][1:]] for one in elements])
    lattce, alpha, re, ec = np.full((n, n), "fcc", object), np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    for k, one in enumerate(elements):
        kind, v = lattice(found[one][0]), values[k]
        if not kind.scale:
            raise InputError(f"{file.path}: {one} cannot have lattice '{found[one][0]}', which is of two elements",
                             "give that of the element by itself")
        if v[0] != kind.first:
            raise InputError(f"{file.path}: {one} has z {v[0]:g}, and lattice {found[one][0]} has {kind.first} neighbours",
                             "correct the entry")
        if v[11 + m] != 1.0:
            raise InputError(f"{file.path}: {one} has t0 {v[11 + m]:g}, which must be 1", "scale rozero instead")
        if int(v[-1]) not in FORMS:
            raise InputError(f"{file.path}: {one} has ibar {v[-1]:g}", f"known are {', '.join(map(str, FORMS))}")
        lattce[k, k], alpha[k, k], re[k, k], ec[k, k] = found[one][0], v[3], v[8 + m] * kind.scale, v[9 + m]
    return Meam(elements, minus, values[:, 2], values[:, 1], values[:, 4:8], values[:, 8 : 8 + m],
                values[:, 12 + m : 15 + m].copy(), values[:, 15 + m : 15 + 2 * m], values[:, 10 + m], values[:, -2].copy(),
                values[:, -1].astype(int), ec, alpha, re, lattce)


def read_parameters(name: str, to: Meam) -> None:
    """The numbers of a file over those of the library; `NULL`: none. Then what is mixed, and the same both ways."""
    if name != "NULL":
        file = PotentialFile(name)
        while file.line < len(file.lines):
            file.line += 1
            words = file.lines[file.line - 1].split("#", 1)[0].translate(str.maketrans("=(),'\"", "      ")).split()
            if words:
                _assign(to, file, words)
    to.t[:, 0] += to.options["augt1"] * 0.6 * to.t[:, 2]
    _mix(to)
    _check(to, name)


def _assign(to: Meam, file: PotentialFile, words: list[str]) -> None:
    key, indices, value = words[0], words[1:-1], words[-1]
    known = {**dict.fromkeys(NUMBERS, 0), **dict.fromkeys(OF_ELEMENTS, 1), **dict.fromkeys(OF_PAIRS, 2),
             **dict.fromkeys(OF_TRIPLES, 3)}
    if key not in known:
        error = unknown("parameter of meam", key, known)
        raise file.fail(error.cause, error.remedy)
    if len(indices) != known[key] or len(words) < 2:
        raise file.fail(f"{key} takes {known[key]} numbers of elements and a value, found {' '.join(words[1:])}")
    place = tuple(file.integer(word, key) - 1 for word in indices)
    if any(not 0 <= k < len(to.names) for k in place):
        raise file.fail(f"{key}({','.join(indices)}): there are {len(to.names)} elements", "name more of them in pair_coeff")
    if key in ANY_ORDER:
        place = tuple(sorted(place))
    if key == "lattce":
        lattice(value)
        to.lattce[place] = value
    elif key in NUMBERS:
        to.options[key] = file.number(value, key)
    else:
        getattr(to, key)[place] = file.number(value, key)


def _mix(to: Meam) -> None:
    n = len(to.names)
    for i, j in itertools.combinations(range(n), 2):
        name, first, second = to.lattce[i, j], to.Ec[i, i], to.Ec[j, j]
        if not to.Ec[i, j]:
            mean = 0.5 * (first + second)
            if name == "l12":
                mean = 0.25 * (3.0 * first + second)
            elif name == "c11":
                mean = (2.0 * first + second) / 3.0 if to.lattce[i, i] == "dia" else (first + 2.0 * second) / 3.0
            to.Ec[i, j] = mean - to.delta[i, j]
        for table in (to.alpha, to.re):
            table[i, j] = table[i, j] or 0.5 * (table[i, i] + table[j, j])
        for every in (to.Ec, to.alpha, to.re, to.lattce, to.nn2, to.theta, to.Cmin, to.Cmax):
            every[j, i] = every[i, j]


def _check(to: Meam, name: str) -> None:
    """Refuse what has no meaning."""
    def wrong(cause: str, remedy: str) -> InputError:
        return InputError(f"{name}: {cause}", remedy)

    limits: dict[str, Any] = {"ialloy": (0, 1, 2), "erose_form": (0, 1, 2)}
    for key, allowed in limits.items():
        if to.options[key] not in allowed:
            raise wrong(f"{key} is {to.options[key]:g}", f"known are {', '.join(map(str, allowed))}")
    for key in ("rc", "delr", "gsmooth_factor"):
        if to.options[key] <= 0.0:
            raise wrong(f"{key} is {to.options[key]:g}, and must be more than 0", "correct the file")
    if to.minus and to.alloy != 1:
        raise wrong("meam/ms has its weights t in the densities, which is ialloy 1", "leave ialloy out")
    if (to.Cmax <= to.Cmin).any():
        i, j, k = (int(v[0]) + 1 for v in np.nonzero(to.Cmax <= to.Cmin))
        raise wrong(f"Cmax({i},{j},{k}) is not above Cmin({i},{j},{k})", "correct the file")
    n = len(to.names)
    for i, j in itertools.combinations_with_replacement(range(n), 2):
        kind, pair = to.lattce[i, j], f"({i + 1},{j + 1})"
        if to.re[i, j] <= 0.0:
            raise wrong(f"re{pair} is {to.re[i, j]:g}, and must be more than 0", "correct the file")
        if i == j and not lattice(kind).scale:
            raise wrong(f"lattce{pair} is '{kind}', which is of two elements", "give that of one element")
        if to.minus and kind == "c11":
            raise wrong(f"lattce{pair} is 'c11', which meam/ms has no densities for", "use another lattice")
