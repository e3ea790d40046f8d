"""Small systems for reactive force fields: atoms at random places, most of them as near to another one as bonds are long."""

from __future__ import annotations

import numpy as np

MASSES = {"C": 12.0, "H": 1.008, "O": 15.999, "N": 14.0, "B": 10.8, "Au": 197.0, "S": 32.0, "F": 19.0, "Fe": 55.8, "V": 50.9,
          "Zn": 65.4}
# by the end of the file's name: elements, and words for pair_style
FIELDS = {"cho": ("C H O", ""), "AB": ("H O N B", ""), "AuO": ("H O Au", ""), "FC": ("C H O N F", ""),
          "Fe_O_C_H": ("C H O Fe", ""), "V_O_C_H": ("C H O V", ""), "ZnOH": ("H O Zn", ""), "budzien": ("C H O N", ""),
          "lg": ("C H O N", "lgvdw yes"), "mattsson": ("C H O N", ""), "rdx": ("C H O N", ""), "CH": ("C H", "")}
TILTED = ("AB", "CH")


def ffield(name: str) -> str:
    return "ffield.ci-reax.CH" if name == "CH" else f"ffield.reax.{name}"


def water(side: int = 3, tilted: bool = False, edge: float = 3.2, seed: int = 1) -> str:
    """A data file of side^3 molecules H2O, type 1 hydrogen, whose atoms are some hundredths of an Angstrom off their places."""
    random, box = np.random.default_rng(seed), np.diag([side * edge, 1.03 * side * edge, 0.98 * side * edge])
    if tilted:
        box[1, 0], box[2, 0], box[2, 1] = 1.7, -1.1, 0.8
    arms = 0.97 * np.array([[0.0, 0.0, 0.0], [np.sin(0.91), np.cos(0.91), 0.0], [-np.sin(0.91), np.cos(0.91), 0.0]])
    x = []
    for cell in np.ndindex(side, side, side):
        turned = arms @ np.linalg.qr(random.normal(size=(3, 3)))[0]
        middle = (np.array(cell) + 0.5 + 0.05 * random.normal(size=3)) / side @ box
        x += list(middle + turned + 0.05 * random.normal(size=(3, 3)))
    return _data(box, "H O".split(), [1, 0, 0] * side**3, np.array(x) @ np.linalg.inv(box) % 1.0 @ box)


def cloud(elements: str, tilted: bool = False, atoms: int = 60, edge: float = 11.0, seed: int = 1) -> str:
    """A data file."""
    random, names = np.random.default_rng(seed), elements.split()
    box = np.diag([edge, 1.05 * edge, 0.97 * edge])
    if tilted:
        box[1, 0], box[2, 0], box[2, 1] = 1.7, -1.1, 0.8
    back = np.linalg.inv(box)
    places: list[np.ndarray] = []
    kinds: list[int] = []
    while len(places) < atoms:
        kind = int(random.integers(len(names)))
        size = 0.98 + 0.25 * (names[kind] != "H")
        place = random.random(3)
        if places and random.random() < 0.7:
            way = random.normal(size=3)
            way *= (size + 0.35 * random.random()) / np.linalg.norm(way)
            place = ((places[random.integers(len(places))] @ box + way) @ back) % 1.0
        others = np.array(places).reshape(-1, 3) - place
        distances = np.linalg.norm((others - np.round(others)) @ box, axis=1)
        least = [0.5 * (size + 0.98 + 0.25 * (names[k] != "H")) if {names[kind], names[k]} != {"H"} else 1.2 for k in kinds]
        least = [one + 0.5 * (MASSES[names[kind]] > 40 or MASSES[names[k]] > 40) for one, k in zip(least, kinds, strict=True)]
        if (distances >= least).all():
            places.append(place)
            kinds.append(kind)
    return _data(box, names, kinds, np.array(places) @ box)


def _data(box: np.ndarray, names: list[str], kinds: list[int], x: np.ndarray) -> str:
    atoms = len(x)
    lines = ["a cloud", "", f"{atoms} atoms", f"{len(names)} atom types", ""]
    lines += [f"0 {box[k, k]} {axis}lo {axis}hi" for k, axis in enumerate("xyz")]
    lines += [f"{box[1, 0]} {box[2, 0]} {box[2, 1]} xy xz yz"] if box[1, 0] else []
    lines += ["", "Masses", "", *(f"{k + 1} {MASSES[name]}" for k, name in enumerate(names)), "", "Atoms # charge", ""]
    lines += [f"{k + 1} {kinds[k] + 1} 0.0 {' '.join(f'{c:.15g}' for c in x[k])}" for k in range(atoms)]
    return "\n".join(lines) + "\n"
