"""Carbon and hydrogen for tests: crystals with faults, molecules, disorder of several densities."""

from __future__ import annotations

import numpy as np

C, H = 1, 2
Atoms = list[tuple[int, tuple[float, float, float]]]


def _next(a: np.ndarray, b: np.ndarray, c: np.ndarray, length: float, angle: float, turn: float) -> np.ndarray:
    """A place so far from c, with angles to b and about the bond b - c."""
    way, side = c - b, b - a
    u = way / np.linalg.norm(way)
    n = np.cross(side, u)
    n /= np.linalg.norm(n)
    w, t = np.radians(angle), np.radians(turn)
    place: np.ndarray = c + length * (-np.cos(w) * u + np.sin(w) * (np.cos(t) * np.cross(n, u) + np.sin(t) * n))
    return place


def butane(turn: float) -> Atoms:
    """C4H10 whose carbons are turned so about the bond in the middle."""
    x = [np.array([-1.4, 0.5, 0.1]), np.array([0.0, 0.0, 0.0]), np.array([1.53, 0.0, 0.0])]
    x.append(_next(*x, 1.53, 112.0, turn))
    found: Atoms = [(C, tuple(one)) for one in x]
    for a, b, c, turns in ((2, 1, 0, (60, 180, 300)), (3, 2, 1, (turn + 120, turn + 240)), (0, 1, 2, (turn + 120, turn + 240)),
                           (1, 2, 3, (60, 180, 300))):
        found += [(H, tuple(_next(x[a], x[b], x[c], 1.1, 110.0, one))) for one in turns]
    return found


def ring() -> Atoms:
    """C6H6."""
    angles = np.radians(60.0 * np.arange(6))
    return [(kind, (r * np.cos(t), r * np.sin(t), 0.02 * np.sin(5.0 * t + kind)))
            for kind, r in ((C, 1.395), (H, 2.48)) for t in angles]


MOLECULES: dict[str, Atoms] = {
    "CH4": [(C, (0, 0, 0)), (H, (0.63, 0.63, 0.64)), (H, (-0.63, -0.62, 0.63)), (H, (-0.64, 0.63, -0.63)),
            (H, (0.63, -0.65, -0.63))],
    "C2H2": [(C, (0, 0, 0)), (C, (1.2, 0.02, 0)), (H, (-1.06, 0.05, 0.08)), (H, (2.26, -0.07, 0.05))],
    "C2H4": [(C, (0, 0, 0)), (C, (1.33, 0, 0)), (H, (-0.55, 0.93, 0.1)), (H, (-0.56, -0.93, -0.1)), (H, (1.89, 0.9, -0.15)),
             (H, (1.87, -0.93, 0.12))],
    "C2H6": [(C, (0, 0, 0)), (C, (1.54, 0, 0)), (H, (-0.4, 1.02, 0.05)), (H, (-0.38, -0.5, 0.9)), (H, (-0.4, -0.55, -0.88)),
             (H, (1.92, 0.6, 0.85)), (H, (1.95, 0.48, -0.9)), (H, (1.93, -1.02, 0.1))],
    "C6H6": ring(), "trans": butane(180.0), "gauche": butane(65.0), "cis": butane(8.0),
    "C4H2": [(H, (-1.07, 0.1, 0.0)), (C, (0, 0, 0)), (C, (1.22, 0.05, 0.1)), (C, (2.58, 0, 0.05)), (C, (3.79, 0.04, -0.06)),
             (H, (4.84, -0.05, -0.1))],
}


def _script(box: tuple[float, float, float], atoms: Atoms, boundary: str = "p p p") -> str:
    edges = " ".join(f"0 {edge:.10g}" for edge in box)
    lines = ["units metal", f"boundary {boundary}", f"region box block {edges} units box", "create_box 2 box"]
    lines += [f"create_atoms {kind} single {x:.12g} {y:.12g} {z:.12g} units box" for kind, (x, y, z) in atoms]
    return "\n".join([*lines, "mass 1 12.011", "mass 2 1.008"])


def molecules() -> str:
    """All of them in a box, in places near each other."""
    found: Atoms = []
    for k, atoms in enumerate(MOLECULES.values()):
        shift = np.array([2.8 + 5.2 * (k % 3), 2.5 + 5.0 * (k // 3), 3.0])
        found += [(kind, tuple(np.array(place) + shift)) for kind, place in atoms]
    return _script((18.2, 16.0, 7.0), found)


def disorder(atoms: int, edge: float, hydrogen: float, least: float, seed: int) -> str:
    """Atoms at random, none nearer to each other than `least`, in a box with periodic edges."""
    rng = np.random.default_rng(seed)
    places: list[np.ndarray] = []
    while len(places) < atoms:
        one = rng.random(3) * edge
        if all(np.linalg.norm((one - other + 0.5 * edge) % edge - 0.5 * edge) > least for other in places):
            places.append(one)
    return _script((edge, edge, edge), [(H if rng.random() < hydrogen else C, tuple(one)) for one in places])


def diamond() -> str:
    return ("units metal\nlattice diamond 3.567\nregion box block 0 2 0 2 0 2\ncreate_box 2 box\ncreate_atoms 1 box\n"
            "mass 1 12.011\nmass 2 1.008\ndisplace_atoms all random 0.12 0.12 0.12 2377 units box")


def graphene() -> str:
    """With a vacancy, a hydrogen on it, and another sheet."""
    return ("units metal\nlattice custom 1.42 a1 3.0 0 0 a2 0 1.7320508075688772 0 a3 0 0 2.36 basis 0 0 0 basis 0.5 0.5 0 "
            "basis 0.33333333333 0 0 basis 0.83333333333 0.5 0\nregion box block 0 3 0 4 0 2\ncreate_box 2 box\n"
            "create_atoms 1 box\nmass 1 12.011\nmass 2 1.008\ndisplace_atoms all random 0.05 0.05 0.05 2377 units box\n"
            "group gone id 7 60\ndelete_atoms group gone\ncreate_atoms 2 single 4.3 3.7 1.2 units box")


SYSTEMS = {"molecules": molecules, "diamond": diamond, "graphene": graphene,
           "thin": lambda: disorder(60, 11.0, 0.6, 1.05, 1), "middle": lambda: disorder(60, 8.6, 0.5, 1.05, 2),
           "dense": lambda: disorder(45, 6.6, 0.4, 0.95, 3), "small": lambda: disorder(6, 3.4, 0.5, 1.0, 4),
           "gas": lambda: disorder(40, 24.0, 0.5, 0.7, 5)}
