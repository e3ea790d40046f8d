"""A molecular system with links of all kinds in random geometry, and coefficients for every bonded style."""

from __future__ import annotations

from pathlib import Path

import numpy as np

CHAINS, LENGTH, EDGE = 5, 6, 12.0
COEFFS: dict[str, dict[str, list[str]]] = {
    "bond": {
        "harmonic": ["80 1.5", "60 1.4", "90 1.6"],
        "harmonic/shift": ["30 1.4 2.5", "20 1.5 2.4", "25 1.6 2.8"],
        "morse": ["40 1.5 1.5", "30 1.8 1.4", "35 1.2 1.6"],
        "nonlinear": ["40 1.5 1.2", "50 1.4 1.3", "45 1.6 1.4"],
        "gromos": ["12 1.5", "10 1.4", "14 1.6"],
        "class2": ["1.5 90 -80 60", "1.4 70 -50 40", "1.6 80 30 50"],
        "fene": ["8 3.0 1.0 1.3", "9 2.9 0.8 1.4", "7 3.2 1.1 1.5"],
        "fene/expand": ["8 3.0 1.0 1.2 0.1", "9 2.9 0.8 1.1 0.2", "7 3.2 1.1 1.3 -0.1"],
        "fene/nm": ["8 3.0 1.0 1.6 12 6", "9 2.9 0.8 1.4 9 6", "7 3.2 1.1 1.5 10.5 4"],
        "harmonic/shift/cut": ["30 1.4 1.5", "20 1.5 2.4", "25 1.6 1.4"],
        "mm3": ["80 1.5", "60 1.4", "90 1.6"],
        "lepton": ['1.5 "k*r^2 - 3*r^3; k=80"', '1.4 "20*(1-exp(-1.8*r))^2"', "1.6 cosh(2*r)*abs(1+r)"],
        "gaussian": ["300 2 0.7 0.3 1.4 0.4 0.5 1.6", "250 2 0.5 0.2 1.5 0.5 0.2 1.4", "300 2 1 0.1 1.3 1 0.2 1.7"],
    },
    "angle": {
        "harmonic": ["20 110", "15 100", "25 120"],
        "cosine": ["20", "15", "25"],
        "cosine/squared": ["20 110", "15 100", "25 120"],
        "cosine/delta": ["20 110", "15 100", "25 120"],
        "cosine/periodic": ["20 1 2", "15 -1 3", "25 1 4"],
        "charmm": ["20 110 8 2.4", "15 100 7 2.5", "25 120 0 0"],
        "fourier": ["20 1 0.5 0.3", "15 0.8 -0.4 0.6", "25 1 1 1"],
        "fourier/simple": ["20 1 1", "15 -0.6 2", "25 0.5 2"],
        "quartic": ["110 20 -8 5", "100 15 6 4", "120 25 2 3"],
        "class2": ["110 20 -8 5", "100 15 6 4", "120 25 2 3", "1 bb 12 1.5 1.4", "2 bb 10 1.4 1.6", "3 bb 9 1.5 1.5",
                   "1 ba 8 6 1.5 1.4", "2 ba 7 5 1.4 1.6", "3 ba -4 6 1.5 1.5"],
        "class2/p6": ["110 20 -8 5 3 2", "100 15 6 4 -2 1", "120 25 2 3 0 0", "1 bb 12 1.5 1.4", "2 bb 10 1.4 1.6",
                      "3 bb 9 1.5 1.5", "1 ba 8 6 1.5 1.4", "2 ba 7 5 1.4 1.6", "3 ba -4 6 1.5 1.5"],
        "cosine/shift": ["20 110", "15 100", "25 45"],
        "cosine/shift/exp": ["20 110 2", "15 100 -1.5", "25 45 1e-4"],
        "cosine/squared/restricted": ["20 110", "15 100", "25 120"],
        "cross": ["12 8 6 1.5 1.4 110", "10 7 5 1.4 1.6 100", "9 -4 6 1.5 1.5 120"],
        "gaussian": ["300 2 0.7 0.4 110 0.4 0.5 140", "250 2 0.5 0.7 100 0.2 0.5 80", "300 2 1 0.9 80 1 0.4 120"],
        "lepton": ['110 "k*theta^2; k=20"', "100 15*(1-cos(theta))", "120 25*theta^2-4*theta^3+3"],
        "mm3": ["20 110", "15 100", "25 120"],
        "mwlc": ["5 0.5 2 300", "4 1 0.5 250", "3 0.2 -1 300"],
    },
    "dihedral": {
        "harmonic": ["3 1 2", "4 -1 3", "2 1 0"],
        "charmm": ["3 2 180 0", "4 3 20 0", "2 1 0 0"],
        "opls": ["1.3 -0.4 2.1 0.6", "0.5 1.1 -0.7 0.2", "2 0 1 0"],
        "multi/harmonic": ["1 -2 0.7 3 -1.1", "0.5 1 1 -2 0.3", "1 1 1 1 1"],
        "nharmonic": ["4 1 -2 0.7 3", "2 0.5 1", "6 1 1 1 1 -1 0.5"],
        "helix": ["1 2 3", "0.5 -1 2", "2 1 0.4"],
        "fourier": ["2 3 2 180 1 1 20", "1 4 3 0", "3 1 1 0 2 2 90 0.5 4 180"],
        "lepton": ['"k*(1 + d*cos(n*phi)); k=3; d=-1; n=2"', "cos(phi-0.4)+0.3*sin(phi)", "0.2*phi^2"],
        "quadratic": ["3 80", "4 -150", "2 170"],
        "cosine/shift/exp": ["3 80 2", "4 -150 -1.5", "2 170 0"],
        "cosine/squared/restricted": ["3 80", "4 60", "2 100"],
        "spherical": ["1 3 1 20 1 1 90 0.5 2 100 0.3", "2 3 2 -30 0.4 1 90 1 1 80 1 1.5 1 10 1 0 90 1 0 100 1.5",
                      "1 2 3 60 1 1 100 2 1 100 2"],
        "class2": ["1 20 2 50 0.7 -30", "0.5 0 1 180 1.2 10", "2 0 0.3 0 1 0",
                   *(f"{t} mbt -2 1.5 0.6 1.5" for t in (1, 2, 3)),
                   *(f"{t} ebt 1 0.6 -0.4 0.8 -1 0.5 1.5 1.4" for t in (1, 2, 3)),
                   *(f"{t} at 2 -1 0.5 1 1.4 -0.6 110 105" for t in (1, 2, 3)), *(f"{t} aat -4 108 112" for t in (1, 2, 3)),
                   *(f"{t} bb13 3 1.5 1.4" for t in (1, 2, 3))],
    },
    "improper": {
        "harmonic": ["8 20", "10 0", "6 120"],
        "cvff": ["5 -1 2", "4 1 3", "3 1 6"],
        "class2": ["8 10", "10 0", "6 20", "1 aa 3 -2 1 110 115 105", "2 aa 1 2 3 100 110 120", "3 aa 0 1 -1 109 109 109"],
        "umbrella": ["8 40", "10 0", "6 80"],
        "fourier": ["3 1 -0.4 0.7", "2 1 1 -0.5 0", "4 0.5 0.2 0.3 1"],
        "cossq": ["8 0", "10 0", "6 0"],
        "ring": ["0.2 70", "0.1 60", "0.3 80"],
        "distance": ["8 20", "10 0", "6 80"],
        "distharm": ["8 0.3", "10 0", "6 -0.2"],
        "sqdistharm": ["8 0.3", "10 0", "6 0.5"],
        "inversion/harmonic": ["8 20", "10 0", "6 40"],
    },
}


def lines(kind: str, style: str) -> str:
    """The script lines that choose a style and give its coefficients."""
    found = [f"{kind}_style {style}"]
    for k, words in enumerate(COEFFS[kind][style]):
        found.append(f"{kind}_coeff {words if k > 2 else f'{k + 1} {words}'}")
    return "\n".join(found) + "\n"


def molecules(path: Path, seed: int = 7, style: str = "molecular") -> None:
    """Short chains as random walks without straight angles, some through faces of the box."""
    rng = np.random.default_rng(seed)
    places: list[np.ndarray] = []
    links: dict[str, list[tuple[int, ...]]] = {"bond": [], "angle": [], "dihedral": [], "improper": []}
    for chain in range(CHAINS):
        place, last = rng.uniform(0, EDGE, 3), np.zeros(3)
        for k in range(LENGTH):
            places.append(place.copy())
            step = rng.normal(size=3)
            step /= np.linalg.norm(step)
            while k and abs(step @ last) > 0.8:
                step = rng.normal(size=3)
                step /= np.linalg.norm(step)
            last, place = step, place + rng.uniform(1.3, 1.7) * step
        first = chain * LENGTH + 1
        for size, kind in ((2, "bond"), (3, "angle"), (4, "dihedral")):
            links[kind] += [tuple(range(first + k, first + k + size)) for k in range(LENGTH - size + 1)]
        links["improper"] += [(first + 1, first, first + 2, first + 3), (first + 2, first + 4, first + 3, first + 5)]
    x = np.array(places)
    image = np.floor(x / EDGE).astype(int)
    out = ["molecules", "", f"{len(x)} atoms", *(f"{len(found)} {kind}s" for kind, found in links.items()), "2 atom types",
           *(f"3 {kind} types" for kind in links), *(f"0 {EDGE} {a}lo {a}hi" for a in "xyz"), "", "Masses", "", "1 12", "2 14",
           "", f"Atoms # {style}", ""]
    for i, (place, crossed) in enumerate(zip(x - EDGE * image, image, strict=True)):
        charge = f"{0.3 * (-1) ** i:g} " if style == "full" else ""
        out.append(f"{i + 1} {i // LENGTH + 1} {1 + i % 2} {charge}" + " ".join(f"{v:.15g}" for v in place) +
                   " " + " ".join(map(str, crossed)))
    for kind, found in links.items():
        out += ["", f"{kind.capitalize()}s", "", *(f"{k + 1} {1 + k % 3} {' '.join(map(str, ids))}"
                                                    for k, ids in enumerate(found))]
    path.write_text("\n".join(out) + "\n")
