"""Random scripts: the same seed gives the same script, which both engines can run in a moment.

    case = write_script(7)                      text and the files it reads
    case = write_script(7, styles=("lj/cut",))  with these pair styles only

Most scripts are sensible; about one in six is spoilt (a line left out, given twice or moved, a number changed), to see
that both engines refuse it, or that both take it.

Left out on purpose, see docs/scripts.md, "Where numbers differ from LAMMPS":
- shrink-wrapped dimensions in which all atoms lie in one plane or nearly so: the reference misses neighbours there, and
  this engine equals a sum over all pairs;
- `set type/ratio` and `type/subset`, shifted `lj/expand`, scaled tails.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.oracle.random_pairs import STYLES, pair_lines

# length, energy, mass, time step, temperature: an argon-like liquid in each system of units
UNITS = {
    "lj": (1.0, 1.0, 1.0, 0.002, 1.0),
    "metal": (3.4, 0.0104, 40.0, 0.002, 120.0),
    "real": (3.4, 0.238, 40.0, 2.0, 120.0),
    "si": (3.4e-10, 1.65e-21, 6.6e-26, 2e-15, 120.0),
    "cgs": (3.4e-8, 1.65e-14, 6.6e-23, 2e-15, 120.0),
    "electron": (6.4, 3.8e-4, 40.0, 2.0, 120.0),
    "micro": (3.4e-4, 1.65e-6, 6.6e-11, 2e-9, 120.0),
    "nano": (0.34, 1.65, 6.6e-5, 2e-6, 120.0),
}
SITES = {"sc": 1, "bcc": 2, "fcc": 4, "diamond": 8, "hcp": 4, "sq": 1, "sq2": 2, "hex": 2}
CELL = {"hcp": 3.0**0.5 * (8.0 / 3.0) ** 0.5, "hex": 3.0**0.5}
ORIENT = ("orient x 1 1 0 orient y -1 1 0 orient z 0 0 1", "orient x 0 1 0 orient y -1 0 0 orient z 0 0 1",
          "orient x 1 -1 0 orient y 1 1 -2 orient z 1 1 1", "orient x 0 0 1 orient y 1 0 0 orient z 0 1 0")
THERMO = ("temp pe ke etotal evdwl epair emol press pxx pyy pzz pxy pxz pyz vol lx ly lz xlo xhi ylo yhi zlo zhi "
          "fmax fnorm density enthalpy").split()
MORE = "atoms elapsed elaplong dt time bonds ecoul etail cella cellb cellc cellalpha cellbeta cellgamma xy xz yz " \
       "ebond elong nbuild ndanger xlat ylat zlat avecx bvecx bvecy cvecy cvecz econserve".split()
DUMP = "id type x y z xu yu zu ix iy iz vx vy vz fx fy fz"


def number(value: float) -> str:
    return f"{value:.10g}"


@dataclass
class Sizes:
    """What digits are compared with where numbers cancel or are no more than round-off."""

    force: float
    temperature: float
    speed: float
    least: float  # of a component of any vector


@dataclass
class Script:
    """One random script."""

    seed: int
    text: str
    sizes: Sizes
    files: dict[str, str] = field(default_factory=dict)
    spoilt: str = ""  # what was done to it


class Writer:
    """Writes one script line by line; what later lines need is kept in attributes."""

    def __init__(self, seed: int, styles: tuple[str, ...]):
        self.r = random.Random(seed)
        self.styles = styles
        self.lines: list[str] = []
        self.files: dict[str, str] = {}
        self.groups = ["all"]
        self.regions: list[str] = []
        self.close = False  # atoms may be very near each other: only soft forces, or no steps
        self.lossy = False  # atoms may leave through a fixed face
        self.units = "lj" if self.chance(0.55) else self.r.choice(list(UNITS))
        self.L, self.E, self.M, self.dt, self.T = UNITS[self.units]
        self.flat = self.chance(0.2)
        self.types = self.r.choice((1, 1, 2, 2, 3))

    # ---- words
    def chance(self, part: float) -> bool:
        return self.r.random() < part

    def u(self, low: float, high: float) -> float:
        return self.r.uniform(low, high)

    def n(self, low: float, high: float) -> str:
        return number(self.u(low, high))

    def say(self, *words: object) -> None:
        self.lines.append(" ".join(str(word) for word in words if word != ""))

    def seed(self) -> int:
        return self.r.randint(1, 999999)

    def group(self) -> str:
        return self.r.choice(self.groups)

    def place(self) -> list[float]:
        """A point in or near the box, in units of its edges' directions."""
        return [lo + self.u(-0.1, 1.1) * (hi - lo) for lo, hi in self.edges]

    # ---- the box and its atoms
    def header(self) -> None:
        r = self.r
        self.say("units", self.units)
        if self.flat:
            self.say("dimension 2")
        kinds = ["p"] * 3 if self.chance(0.55) else [r.choice(("p", "p", "f", "s", "m", "fs", "sm")) for _ in range(3)]
        if self.flat:
            kinds[2] = "p"
        self.kinds = kinds
        self.say("boundary", *kinds)
        self.say("atom_style atomic")
        if self.chance(0.2):
            self.say("atom_modify sort", r.choice((0, 1, 1000)), r.choice(("0.0", number(self.L))))
        if self.chance(0.3):
            self.say("newton", r.choice(("on", "off")))

    def lattice(self) -> None:
        r = self.r
        self.style = style = r.choice(("sq", "sq2", "hex") if self.flat else ("sc", "bcc", "fcc", "fcc", "hcp", "diamond"))
        density, dimension = self.u(0.6, 1.0), 2 if self.flat else 3
        self.a = (SITES[style] / CELL.get(style, 1.0) / density) ** (1.0 / dimension) * self.L
        words: list[object] = ["lattice", style, number(density if self.units == "lj" else self.a)]
        if self.chance(0.3):
            words += ["origin", r.choice((0, 0.25, 0.5)), r.choice((0, 0.5)), 0 if self.flat else r.choice((0, 0.25))]
        if self.chance(0.15) and style in ("sc", "bcc", "fcc", "diamond"):
            words.append(r.choice(ORIENT))
        if self.chance(0.05):
            words.append("spacing 1 1.5 1" if style != "hcp" else "spacing 1 2 1.5")
        self.say(*words)

    def box(self) -> None:
        """A box in units of the lattice spacing, and sites or other places in it."""
        r = self.r
        cells = {1: (4, 6), 2: (3, 5), 4: (2, 4), 8: (2, 2)}[SITES[self.style]]
        counts = [r.randint(*cells) + (3 if self.flat else 0) for _ in range(3)]
        low = [r.choice((0.0, 0.0, -0.5, 3.0, -7.25)) for _ in range(3)]
        self.edges = [(a, a + n) for a, n in zip(low, counts, strict=True)]
        if self.flat:
            self.edges[2] = (-0.5, 0.5)
        edges = " ".join(f"{number(a)} {number(b)}" for a, b in self.edges)
        self.tilted = self.chance(0.3)
        if self.tilted:
            most = self.r.choice((0.49, 0.49, 0.49, 0.9))
            tilt = [self.u(-most, most) * counts[0], self.u(-most, most) * counts[0], self.u(-most, most) * counts[1]]
            if self.flat:
                tilt[1:] = [0.0, 0.0]
            for k, axis in enumerate((1, 2, 2)):  # the reference wants the dimension of a tilt periodic
                if self.kinds[axis] != "p" and self.chance(0.9):
                    tilt[k] = 0.0
            if self.chance(0.9) and any(abs(t) > 0.5 * counts[n] for t, n in zip(tilt, (0, 0, 1), strict=True)):
                self.say("box tilt large")
            self.say("region box prism", edges, *map(number, tilt))
        else:
            self.say("region box block", edges)
        self.say("create_box", self.types, "box")
        self.spot = "lattice"
        for _ in range(r.choice((1, 1, 1, 2))):
            self.create()

    def create(self) -> None:
        r, kind = self.r, self.r.randint(1, self.types)
        how = r.choice(("box", "box", "box", "region", "random", "single")) if self.lines[-1].startswith("create_box") \
            else r.choice(("single", "random"))
        if how == "box":
            basis = f"basis {r.randint(1, SITES[self.style])} {self.types}" if self.chance(0.3) else ""
            self.say("create_atoms", kind, "box", basis)
        elif how == "region":
            self.say("create_atoms", kind, "region", self.region())
        elif how == "single":
            for _ in range(r.randint(2, 6)):
                remap = "remap yes" if self.chance(0.3) else ""
                point = self.place()
                if self.flat:
                    point[2] = 0.0
                self.say("create_atoms", kind, "single", *map(number, point), remap)
            self.close = True
        else:
            where = "NULL" if self.chance(0.6) else self.region()
            self.say("create_atoms", kind, "random", r.randint(5, 60), self.seed(), where)
            self.close = True

    def region(self) -> str:
        """A new region in lattice units, or what several of them have in common or together."""
        r, name = self.r, f"r{len(self.regions)}"
        shapes = ["block", "block", "sphere", "cylinder", "prism", "plane", "cone"]
        if len(self.regions) > 1:
            shapes += ["union", "intersect"]
        shape = r.choice(shapes)
        self.regions.append(name)
        middle = [number(0.5 * (a + b) + self.u(-0.3, 0.3) * (b - a)) for a, b in self.edges]
        spans = [sorted((self.u(a, b), b if self.chance(0.5) else self.u(a, b))) for a, b in self.edges]
        if self.flat:
            middle[2], spans[2] = "0", [-0.5, 0.5]
        span = [" ".join(map(number, s)) if self.chance(0.8) else "INF INF" for s in spans]
        if shape == "block":
            words = span
        elif shape == "sphere":
            words = [*middle, self.n(0.8, 3.0)]
        elif shape == "cylinder":
            axis = 2 if self.flat else r.randint(0, 2)
            words = ["xyz"[axis], *(middle[k] for k in range(3) if k != axis), self.n(0.8, 3.0), span[axis]]
        elif shape == "cone":
            words = ["z", middle[0], middle[1], self.n(0.0, 1.0), self.n(1.0, 3.0), " ".join(map(number, spans[2]))]
        elif shape == "plane":
            words = [*middle, *(str(r.randint(-2, 2)) for _ in range(2)), "1" if not self.flat else "0"]
        elif shape == "prism":
            words = [" ".join(map(number, s)) for s in spans]
            words += [self.n(-0.5, 0.5), "0", "0"] if self.flat else [self.n(-0.5, 0.5) for _ in range(3)]
        else:
            chosen = r.sample(self.regions[:-1], 2)
            words = ["2", *chosen]
        self.say("region", name, shape, *words, r.choice(("", "", "", "side out")))
        return name

    def data_file(self) -> None:
        """A box and atoms from a data file: places that keep a distance from each other."""
        r = self.r
        self.a, self.spot = self.L, "box"
        sides = [self.u(3.5, 6.0) * self.L for _ in range(3)]
        low = [r.choice((0.0, -1.3, 100.0)) * self.L for _ in range(3)]
        if self.flat:
            low[2], sides[2] = -0.5 * self.L, self.L
        self.edges = [(a, a + s) for a, s in zip(low, sides, strict=True)]
        self.tilted = self.chance(0.25)
        tilt = [self.u(-0.4, 0.4) * sides[0], 0.0, 0.0]
        if self.kinds[1] != "p":
            tilt[0] = 0.0
        places: list[list[float]] = []
        for _ in range(400):
            s = [r.random() for _ in range(3)]
            x = [lo + f * side for lo, f, side in zip(low, s, sides, strict=True)]
            x[0] += tilt[0] * s[1] if self.tilted else 0.0
            if self.flat:
                x[2] = 0.0
            gaps = [[abs(p - q) for p, q in zip(x, y, strict=True)] for y in places]
            near = [sum(min(g, abs(side - g)) ** 2 for g, side in zip(gap, sides, strict=True)) for gap in gaps]
            if all(d > (0.85 * self.L) ** 2 for d in near):
                places.append(x)
        ids = list(range(1, len(places) + 1))
        if self.chance(0.3):
            ids = r.sample(range(1, 2 * len(places)), len(places))
        flags = self.chance(0.4)
        text = ["title", "", f"{len(places)} atoms", f"{self.types} atom types", ""]
        for axis, (a, b) in zip("xyz", self.edges, strict=True):
            text.append(f"{number(a)} {number(b)} {axis}lo {axis}hi")
        text += [f"{number(tilt[0])} 0 0 xy xz yz"] if self.tilted else []
        text += ["", "Masses", "", *(f"{t + 1} {self.n(0.5 * self.M, 2 * self.M)}" for t in range(self.types))]
        text += ["", "Atoms # atomic" if self.chance(0.5) else "Atoms", ""]
        for id, x in zip(ids, places, strict=True):
            image = " ".join(str(r.randint(-2, 2) if k == "p" and (j < 2 or not self.flat) else 0)
                             for j, k in enumerate(self.kinds))
            text.append(f"{id} {r.randint(1, self.types)} {' '.join(map(repr, x))} {image if flags else ''}")
        if self.chance(0.4):
            speed = self.L / self.dt / 1000.0
            text += ["", "Velocities", ""]
            text += [f"{id} {self.n(-speed, speed)} {self.n(-speed, speed)} {0 if self.flat else self.n(-speed, speed)}"
                     for id in ids]
        self.files["d.data"] = "\n".join(text) + "\n"
        self.say("read_data d.data")

    # ---- the rest of the script
    def write(self) -> None:
        from tests.oracle.random_edits import computes, edits, output, runs, velocities

        self.header()
        if self.chance(0.3):
            if self.chance(0.3):
                self.lattice()
            self.data_file()
        else:
            self.lattice()
            self.box()
        self.say("mass *", number(self.M))
        if self.types > 1 and self.chance(0.7):
            self.say("mass", self.types, self.n(0.5 * self.M, 3 * self.M))
        edits(self)
        velocities(self)
        pair_lines(self)
        self.neighbor()
        self.say("fix 1", "all" if self.chance(0.85) else self.group(), "nve")
        self.say("timestep", number(self.dt * self.u(0.2, 1.0)))
        computes(self)
        output(self)
        runs(self)

    def neighbor(self) -> None:
        r = self.r
        if self.units != "lj" or self.chance(0.7):
            self.say("neighbor", self.n(0.05 * self.L, 0.6 * self.L), r.choice(("bin", "bin", "nsq")))
        if self.chance(0.4):
            words = []
            if self.chance(0.6):
                every = r.choice((1, 2, 5))
                words += ["every", every, "delay", every * r.choice((0, 1, 2))]
            if self.chance(0.5):
                words += ["check", r.choice(("yes", "no"))]
            if self.chance(0.1):
                words += ["binsize", self.n(0.5 * self.L, 3 * self.L)]
            if words:
                self.say("neigh_modify", *words)
        if self.chance(0.1):
            self.say("comm_modify cutoff", self.n(self.L, 4 * self.L))


def spoil(writer: Writer) -> str:
    """Change the script so that it may make no sense; what was done."""
    r, lines = writer.r, writer.lines
    at = r.randrange(len(lines))
    how = r.choice(("leave out", "twice", "move", "number", "number"))
    line = lines[at]
    if how != "number" and line.startswith(("run", "write_dump")):  # forces before the first run are what is in memory
        how = "twice"
    if how == "leave out":
        del lines[at]
    elif how == "twice":
        lines.insert(at, line)
    elif how == "move":
        lines.insert(r.randrange(len(lines) - 1), lines.pop(at))
    else:
        words = line.split()
        places = [k for k, word in enumerate(words) if word.replace(".", "").replace("-", "").isdigit()]
        if not places:
            return ""
        words[r.choice(places)] = r.choice(("0", "-1", "2.5", "many", "1e3", "7"))
        lines[at] = " ".join(words)
    return f"{how}: {line}"


def write_script(seed: int, styles: tuple[str, ...] = STYLES) -> Script:
    writer = Writer(seed, styles)
    writer.write()
    spoilt = spoil(writer) if writer.chance(0.16) else ""
    force, speed = 10.0 * writer.E / writer.L, writer.L / writer.dt / 1000.0
    sizes = Sizes(force, 1e-4 * writer.T, 1e-2 * speed, max(force, speed, writer.L))
    return Script(seed, "\n".join(writer.lines) + "\n", sizes, writer.files, spoilt)
