"""Random scripts of molecules and ions: a data file of small molecules, styles for every kind of link, charges, solvers.

    case = write_molecules(7)     text and the data file, as random_scripts.write_script

Left out on purpose (docs/scripts.md says why): styles whose forces in the reference are no slopes of its energies.
"""

from __future__ import annotations

import math
import random

import numpy as np

from tests.oracle.random_scripts import Script, Sizes, number

THERMO = ("step temp pe ke etotal evdwl ecoul ebond eangle edihed eimp elong epair emol press pxx pyy pzz pxy pxz pyz vol "
          "lx ly lz atoms")
DUMP = "id mol type x y z xu yu zu ix iy iz vx vy vz fx fy fz"
Rows = list[tuple[int, ...]]

# style of charges: its words; whether it needs a solver. {c} is a cutoff, {i} a smaller one.
CUT = ("lj/cut/coul/cut {c}", "lj/cut/coul/debye 0.3 {c}", "lj/cut/coul/dsf 0.15 {c}", "buck/coul/cut {c}",
       "lj/class2/coul/cut {c}")
LONG = ("lj/cut/coul/long {c}", "lj/charmm/coul/long {i} {c}", "buck/coul/long {c}", "lj/class2/coul/long {c}",
        "born/coul/long {c}", "hybrid/overlay lj/cut {c} coul/long {c}")
PLAIN = ("lj/cut {c}", "lj/class2 {c}", "morse {c}", "buck {c}")


class Molecules:
    """Writes one script and its data file."""

    def __init__(self, seed: int, simple: bool):
        self.r, self.simple = random.Random(seed), simple
        self.lines: list[str] = []
        r = self.r
        self.charged = simple or r.random() < 0.75
        self.solver = simple or (self.charged and r.random() < 0.6)
        self.shake = not simple and r.random() < 0.25
        self.slab = self.solver and not simple and r.random() < 0.15
        self.tilted = not simple and not self.slab and r.random() < 0.2
        self.count = r.randint(8, 18)
        self.types = 3

    def u(self, low: float, high: float) -> float:
        return self.r.uniform(low, high)

    def say(self, *words: object) -> None:
        self.lines.append(" ".join(number(word) if isinstance(word, float) else str(word) for word in words))

    # ---- atoms and links
    def molecules(self) -> None:
        """Trees of one to seven atoms, each on a point of a grid; every third one is a water."""
        side = math.ceil(self.count ** (1 / 3))
        self.spacing = self.u(5.5, 7.0)
        self.edge = side * self.spacing
        points = [(a, b, c) for a in range(side) for b in range(side) for c in range(side)]
        self.r.shuffle(points)
        self.atoms: list[tuple[int, int, int, float, np.ndarray]] = []  # id, molecule, type, charge, position
        self.links: dict[str, Rows] = {"bond": [], "angle": [], "dihedral": [], "improper": []}
        for molecule, point in enumerate(points[: self.count], 1):
            start = (np.array(point) + 0.5) * self.spacing + np.array([self.u(-0.4, 0.4) for _ in range(3)])
            self.water(molecule, start) if molecule % 3 == 0 else self.tree(molecule, start)
        if self.charged:
            excess = sum(atom[3] for atom in self.atoms) / len(self.atoms)
            if not self.simple and self.r.random() < 0.1:
                excess = 0.0  # a net charge
            self.atoms = [(*atom[:3], atom[3] - excess, atom[4]) for atom in self.atoms]
        self.r.shuffle(self.atoms)  # files are in no order

    def water(self, molecule: int, start: np.ndarray) -> None:
        first, turn = len(self.atoms) + 1, self.u(0, 2 * math.pi)
        for k, (type, q, angle, length) in enumerate(((1, -0.8, 0, 0), (3, 0.4, turn, 1.0), (3, 0.4, turn + 1.91, 1.0))):
            place = start + length * np.array([math.cos(angle), math.sin(angle), 0.0])
            self.atoms.append((first + k, molecule, type, q, place))
        self.links["bond"] += [(1, first, first + 1), (1, first, first + 2)]
        self.links["angle"] += [(1, first + 1, first, first + 2)]

    def tree(self, molecule: int, start: np.ndarray) -> None:
        first, size = len(self.atoms) + 1, self.r.choice((1, 2, 3, 4, 4, 5, 6, 7))
        places, parent = [start], [0]
        for _ in range(1, size):
            while True:
                origin = self.r.randrange(len(places))
                way = np.array([self.r.gauss(0, 1) for _ in range(3)])
                place = places[origin] + way / np.linalg.norm(way) * self.u(1.3, 1.6)
                far = min(np.linalg.norm(place - other) for k, other in enumerate(places) if k != origin) \
                    if len(places) > 1 else 9.0
                if far > 1.9 and parent.count(origin) < 3 and np.linalg.norm(place - start) < 2.6:
                    break
                if self.r.random() < 0.005:
                    size = len(places)
                    break
            if size == len(places):
                break
            places.append(place)
            parent.append(origin)
        for k, place in enumerate(places):
            self.atoms.append((first + k, molecule, self.r.choice((1, 2)), self.u(-0.5, 0.5), place))
        near: dict[int, list[int]] = {k: [] for k in range(size)}
        for k in range(1, size):
            near[k].append(parent[k])
            near[parent[k]].append(k)
            self.links["bond"].append((2, first + parent[k], first + k))
        for j, others in near.items():
            for a in range(len(others)):
                for b in range(a + 1, len(others)):
                    self.links["angle"].append((2, first + others[a], first + j, first + others[b]))
            if len(others) == 3:
                self.links["improper"].append((1, first + others[0], first + j, first + others[1], first + others[2]))
        for j, others in near.items():
            for k in others:
                if j < k:
                    self.links["dihedral"] += [(1, first + i, first + j, first + k, first + m)
                                               for i in near[j] if i != k for m in near[k] if m != j]

    def data(self) -> str:
        edge = self.edge
        height = edge + 4.0 if self.slab else edge
        lines = ["molecules", "", f"{len(self.atoms)} atoms", f"{self.types} atom types"]
        for kind, types in (("bond", 2), ("angle", 2), ("dihedral", 1), ("improper", 1)):
            lines += [f"{len(self.links[kind])} {kind}s", f"{types} {kind} types"]
        lines += ["", f"0 {number(edge)} xlo xhi", f"0 {number(edge)} ylo yhi", f"0 {number(height)} zlo zhi"]
        if self.tilted:
            lines.append(f"{number(self.u(-2, 2))} {number(self.u(-2, 2))} {number(self.u(-2, 2))} xy xz yz")
        lines += ["", "Masses", "", "1 15.9994", "2 12.011", "3 1.008", "", "Atoms", ""]
        for id, molecule, type, q, place in self.atoms:
            charge = [f"{q:.6f}"] if self.charged else []
            lines.append(" ".join([str(id), str(molecule), str(type), *charge, *(f"{x:.8f}" for x in place)]))
        for kind, rows in self.links.items():
            if rows:
                lines += ["", f"{kind.capitalize()}s", "", *(f"{k} {' '.join(map(str, row))}" for k, row in enumerate(rows, 1))]
        return "\n".join(lines) + "\n"

    # ---- styles
    def pairs(self) -> None:
        r = self.r
        cutoff = number(self.u(5.0, 8.0))
        inner = number(float(cutoff) - self.u(0.8, 1.5))
        family = LONG if self.solver else CUT if self.charged else PLAIN
        words = ("lj/cut/coul/long {c}" if self.simple else r.choice(family)).format(c=cutoff, i=inner)
        style = words.split()[0]
        self.say("pair_style", words)
        self.style = style
        if style.startswith("hybrid"):
            self.say("pair_coeff * * coul/long")
        sub = "lj/cut " if style.startswith("hybrid") else ""
        for a in range(1, self.types + 1):
            for b in range(a, self.types + 1):
                if "buck" in style:
                    self.say("pair_coeff", a, b, self.u(8e3, 4e4), self.u(0.25, 0.32), self.u(50.0, 300.0))
                elif "born" in style:
                    self.say("pair_coeff", a, b, self.u(0.1, 0.3), self.u(0.25, 0.35), self.u(2.5, 3.0), self.u(50.0, 300.0),
                             self.u(0.0, 50.0))
                elif style == "morse":
                    self.say("pair_coeff", a, b, self.u(0.05, 0.2), self.u(1.0, 1.6), self.u(3.0, 3.5))
                elif a == b or (not self.simple and r.random() < 0.3 and not sub):
                    self.say("pair_coeff", a, b, sub, self.u(0.05, 0.2), self.u(2.6, 3.2))
        choices = ["mix arithmetic", "mix geometric", "mix sixthpower"]
        if style.startswith("lj/cut") and not self.simple:
            self.say("pair_modify", r.choice(choices))
            if r.random() < 0.3:
                self.say("pair_modify", r.choice(("shift yes", "tail yes")))
        if self.solver:
            self.say("pair_modify table 0")
            kind = "pppm" if self.simple or self.tilted or r.random() < 0.65 else "ewald"
            self.say("kspace_style", kind, r.choice(("1.0e-4", "1.0e-5")))
            if kind == "pppm" and not self.simple:
                if r.random() < 0.4:
                    self.say("kspace_modify order", r.randint(3, 7))
                if r.random() < 0.3 and not self.tilted:
                    self.say("kspace_modify diff ad")
            if self.slab:
                self.say("kspace_modify slab 3.0")
            elif not self.simple and r.random() < 0.2:
                self.say("kspace_modify gewald", self.u(0.3, 0.45))
        elif self.charged and r.random() < 0.2:
            self.say("dielectric", self.u(1.5, 4.0))
        special = ["lj/coul 0 0 0.5", "charmm", "amber", "dreiding", "lj 0 0 0.5 coul 0 0 0.8333", "lj/coul 0 1 1",
                   "lj/coul 0 0 0.5 angle yes", "lj/coul 0 0 0.5 dihedral yes", "lj 0 0 0.3 coul 0 0.5 0.6"]
        self.say("special_bonds", "lj/coul 0 0 0.5" if self.simple else r.choice(special))

    def bonded(self) -> None:
        r, u = self.r, self.u
        bond = {"harmonic": lambda r0: (u(100.0, 300.0), r0), "morse": lambda r0: (u(60.0, 100.0), u(1.5, 2.0), r0),
                "class2": lambda r0: (r0, u(100.0, 300.0), -u(50.0, 100.0), u(50.0, 100.0)),
                "gromos": lambda r0: (u(30.0, 60.0), r0), "nonlinear": lambda r0: (u(100.0, 200.0), r0, 1.2)}
        angle = {"harmonic": lambda: (u(20.0, 60.0), u(100.0, 125.0)), "cosine": lambda: (u(5.0, 20.0),),
                 "cosine/squared": lambda: (u(20.0, 50.0), u(100.0, 125.0)),
                 "cosine/delta": lambda: (u(20.0, 50.0), u(100.0, 125.0)),
                 "charmm": lambda: (u(20.0, 50.0), u(100.0, 125.0), u(5.0, 20.0), u(2.0, 2.6)),
                 "quartic": lambda: (u(100.0, 125.0), u(20.0, 50.0), u(-5.0, 5.0), u(5.0, 10.0)),
                 "fourier": lambda: (u(5.0, 20.0), u(0.5, 1.0), u(0.1, 0.5), u(0.1, 0.5)),
                 "cosine/periodic": lambda: (u(5.0, 20.0), r.choice((1, -1)), r.randint(1, 4))}
        dihedral = {"harmonic": lambda: (u(0.5, 3.0), r.choice((1, -1)), r.randint(1, 4)),
                    "opls": lambda: tuple(u(-2.0, 2.0) for _ in range(4)),
                    "multi/harmonic": lambda: tuple(u(-2.0, 2.0) for _ in range(5)),
                    "helix": lambda: tuple(u(0.5, 2.0) for _ in range(3)),
                    "charmm": lambda: (u(0.5, 3.0), r.randint(1, 4), r.choice((0, 180)), 0.0),
                    "fourier": lambda: (2, u(0.5, 2.0), 1, u(0.0, 180.0), u(0.5, 2.0), 3, u(0.0, 180.0)),
                    "quadratic": lambda: (u(1.0, 3.0), u(-180.0, 180.0)),
                    "nharmonic": lambda: (3, u(0.5, 2.0), u(0.5, 2.0), u(0.5, 2.0))}
        improper = {"harmonic": lambda: (u(5.0, 20.0), u(0.0, 40.0)), "cvff": lambda: (u(1.0, 4.0), r.choice((1, -1)), 2),
                    "umbrella": lambda: (u(5.0, 20.0), u(0.0, 40.0)), "fourier": lambda: (u(2.0, 6.0), 0.5, 0.3, 0.2, 1)}
        for kind, known in (("bond", bond), ("angle", angle), ("dihedral", dihedral), ("improper", improper)):
            types = 2 if kind in ("bond", "angle") else 1
            style = "harmonic" if self.simple or (self.shake and kind in ("bond", "angle")) else r.choice(list(known))
            self.say(f"{kind}_style", style)
            for type in range(1, types + 1):
                made = known[style]
                values = made(1.0 if type == 1 else 1.45) if kind == "bond" else made()  # type: ignore[operator]
                self.say(f"{kind}_coeff", type, *values)
        if self.shake:
            self.lines = [line if not line.startswith("angle_coeff 1 ") else "angle_coeff 1 55.0 109.47" for line in self.lines]

    def rest(self) -> None:
        r = self.r
        self.say("velocity all create", self.u(100.0, 400.0), r.randint(1, 99999))
        self.say("neighbor", self.u(0.8, 2.0), "bin")
        self.say("neigh_modify every", r.choice((1, 2, 5)), "delay 0 check yes")
        self.say("timestep", self.u(0.2, 0.8))
        if self.shake:
            self.say("fix s all", r.choice(("shake", "rattle")) if r.random() < 0.3 else "shake", "1.0e-6 100 0 b 1",
                     r.choice(("a 1", "")))
        kinds = ["nve", "nve", "nvt temp 300 300 50"]
        if not self.slab:
            kinds += ["npt temp 300 300 50 iso 0 0 500", "npt temp 300 300 50 aniso 0 0 500", "nph iso 0 0 500"]
        self.say("fix i all", "nve" if self.simple else r.choice(kinds))
        self.say("thermo_style custom", THERMO)
        self.say("thermo_modify format float %.15g norm no")
        self.say("thermo 10")
        self.say("run 20")
        self.say(f"write_dump all custom final.dump {DUMP} modify sort id format float %.15g")


def write_molecules(seed: int, simple: bool = False) -> Script:
    """`simple`: always the same styles, for few kernels."""
    writer = Molecules(seed, simple)
    writer.molecules()
    writer.say("units real")
    writer.say("boundary", "p p f" if writer.slab else "p p p")
    writer.say("atom_style", "full" if writer.charged else "molecular")
    if not writer.simple and writer.r.random() < 0.3:
        writer.say("newton", writer.r.choice(("off", "on off", "off on")))
    writer.say("read_data molecules.data")
    if not writer.simple and writer.r.random() < 0.1:
        writer.say("replicate", *writer.r.choice(((2, 1, 1), (1, 2, 1), (1, 1, 2))))
    writer.pairs()
    writer.bonded()
    writer.rest()
    return Script(seed, "\n".join(writer.lines) + "\n", Sizes(10.0, 1e-6, 1e-6, 1.0), {"molecules.data": writer.data()})
