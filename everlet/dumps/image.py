"""dump ID GROUP image N FILE.*.png COLOUR DIAMETER [WORD VALUE ...]: a picture per frame, drawn without a display.

COLOUR: type, element, or a column of dump custom, whose values a map turns into colours; DIAMETER: type, element, a column or a
number (length units). Files are PNG or PPM, by their ending.

    atom yes|no   bond atom|type|none WIDTH|type|none   size W H   view THETA PHI   center s|d X Y Z   up X Y Z   zoom F
    box yes|no DIAMETER   axes yes|no LENGTH DIAMETER   shiny F   fsaa yes|no (twice as many pixels, averaged)
    adiam D (of all atoms, in place of DIAMETER)

Own options of dump_modify, besides those of custom: acolor TYPES COLOUR[/COLOUR...], adiam TYPES D, amap LO HI ca|cf 0 N VALUE
COLOUR ... (LO, HI: a number, min or max), backcolor COLOUR, bcolor TYPES COLOUR, bdiam TYPES D, boxcolor COLOUR, color NAME
R G B.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.computes.words.columns import columns as known_columns
from everlet.dumps.base import dump_style
from everlet.dumps.custom import Custom
from everlet.dumps.picture.camera import Camera, Things
from everlet.dumps.picture.colours import CYCLE, Palette, of_element
from everlet.dumps.picture.files import encoded
from everlet.errors import InputError, integer, number, one_of, yes_no
from everlet.io.files import cannot_write, whole_file
from everlet.state.system import System
from everlet.state.topology import BOND, links, rows_of

VALUES = {"atom": 1, "bond": 2, "size": 2, "view": 2, "center": 4, "up": 3, "zoom": 1, "box": 2, "axes": 3, "shiny": 1,
          "fsaa": 1, "adiam": 1}  # how many each word has
REFUSED = ("line", "tri", "body", "fix", "grid", "subbox", "persp", "ssao", "gline")
ASIDE = 0.1  # of the longest edge: how far from the box the axes are
EDGES = [(a, a | 1 << k) for a in range(8) for k in range(3) if not a >> k & 1]  # corners of a box that an edge joins


@dump_style("image")
class Image(Custom):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        if len(args) < 2:
            raise InputError(f"dump {id}: dump image needs a colour and a diameter", "for example: type type")
        system.need_box()  # colours are those of its types
        self.kind = path.rsplit(".", 1)[-1].lower()
        if self.kind not in ("png", "ppm"):
            raise InputError(f"dump {id}: pictures of kind '{self.kind}' are not available", "use a name that ends in .png")
        self.colour, self.diameter = args[:2]
        self.fixed_size = 0.0
        with contextlib.suppress(ValueError):
            self.fixed_size = float(self.diameter)
        used = (self.colour, "type" if self.fixed_size else self.diameter)
        shown = [word for word in used if word not in ("type", "element")]
        super().__init__(system, id, group, every, path, shown or ["type"])
        self.camera, self.palette = Camera(), Palette()
        if system.dimension == 2:  # from above
            self.camera = Camera(theta=0.0, phi=0.0, up=(0.0, 1.0, 0.0))
        self.with_atoms, self.bonds, self.centre_word = True, ("atom", "0.5"), ["s", "0.5", "0.5", "0.5"]
        self.box, self.axes, self.shiny, self.finer = 0.02, (0.0, 0.0), 1.0, 1
        self.backcolour, self.boxcolour = np.zeros(3), self.palette.find("yellow")
        count = system.ntypes
        self.colours: dict[int, np.ndarray] = {}
        self.diameters: dict[int, float] = {}
        self.bond_colours: dict[int, np.ndarray] = {}
        self.bond_diameters: dict[int, float] = {}
        self.map: tuple[str, str, bool, list[tuple[str, np.ndarray]]] = (
            "min", "max", False, [("min", self.palette.find("blue")), ("max", self.palette.find("red"))])
        self._types = range(1, count + 1)
        self._parse(list(args[2:]))
        for name in ("header", "colname", "units", "time", "format", "sort"):
            del self.options[name]
        self.options |= {"acolor": self._acolor, "adiam": self._adiam, "amap": self._amap, "backcolor": self._backcolor,
                         "bcolor": self._bcolor, "bdiam": self._bdiam, "boxcolor": self._boxcolor, "color": self._color}

    def warning(self) -> str:
        return ""

    # ---- words
    def _parse(self, words: list[str]) -> None:
        while words:
            word = words.pop(0)
            if word in REFUSED:
                raise InputError(f"dump {self.id}: dump image … {word} is not available", "leave it out")
            one_of("word of dump image", word, VALUES)
            if len(words) < VALUES[word]:
                raise InputError(f"dump {self.id}: {word} needs {VALUES[word]} values", "see docs/scripts.md")
            self._take(word, [words.pop(0) for _ in range(VALUES[word])])

    def _take(self, word: str, given: list[str]) -> None:
        camera = self.camera
        if word == "atom":
            self.with_atoms = yes_no(given[0], "atom")
        elif word == "bond":
            one_of("colour of bonds", given[0], ("atom", "type", "none"))
            if given[1] not in ("atom", "type", "none"):
                number(given[1], "a width of bonds")
            self.bonds = (given[0], given[1])
        elif word == "size":
            camera.width, camera.height = (integer(text, "a number of pixels") for text in given)
            if not (0 < camera.width <= 20000 and 0 < camera.height <= 20000):
                raise InputError(f"dump {self.id}: a picture of {given[0]} x {given[1]} pixels", "use 1 to 20000")
        elif word == "view":
            camera.theta, camera.phi = (number(text, "an angle") for text in given)
        elif word == "center":
            one_of("kind of center", given[0], ("s", "d"))
            for text in given[1:]:
                number(text, "a fraction of the box")
            self.centre_word = given
        elif word == "up":
            x, y, z = (number(text, "a component of up") for text in given)
            camera.up = (x, y, z)
            if not any(camera.up):
                raise InputError(f"dump {self.id}: up 0 0 0 is no direction", "for example: up 0 0 1")
        elif word == "zoom":
            camera.zoom = number(given[0], "a zoom factor")
            if camera.zoom <= 0.0:
                raise InputError(f"dump {self.id}: zoom must be above 0, found {given[0]}", "1 shows the whole box")
        elif word == "box":
            self.box = number(given[1], "a diameter") if yes_no(given[0], "box") else 0.0
        elif word == "axes":
            sizes = (number(given[1], "a length"), number(given[2], "a diameter"))
            self.axes = sizes if yes_no(given[0], "axes") else (0.0, 0.0)
        elif word == "adiam":
            self.fixed_size = number(given[0], "a diameter")
            if self.fixed_size <= 0.0:
                raise InputError(f"dump {self.id}: adiam must be above 0, found {given[0]}", "use: atom no, to leave atoms out")
        elif word == "shiny":
            self.shiny = number(given[0], "a number")
        else:
            self.finer = 2 if yes_no(given[0], "fsaa") else 1

    # ---- dump_modify
    def _pick(self, words: list[str], option: str, make: Callable[[str], Any], target: dict[int, Any], kinds: range) -> None:
        """TYPES VALUE[/VALUE...]: values in turn for the types that a number, a label or 2*4 names."""
        which, given = self.take(words, option), self.take(words, option)
        low, star, high = which.partition("*")
        if not all(part.isdecimal() or not part for part in (low, high)):
            low, star = str(self.system.type_of(which)), ""
        first = int(low or 1)
        chosen = range(first, (int(high or len(kinds)) if star else first) + 1)
        if not chosen or not all(kind in kinds for kind in chosen):
            raise InputError(f"dump_modify {option} {which}: types are 1 to {len(kinds)}", "use numbers or *")
        values = [make(part) for part in given.split("/")]
        for place, kind in enumerate(chosen):
            target[kind] = values[place % len(values)]

    def _acolor(self, words: list[str]) -> None:
        self._pick(words, "acolor", self.palette.find, self.colours, self._types)

    def _adiam(self, words: list[str]) -> None:
        self._pick(words, "adiam", lambda text: number(text, "a diameter"), self.diameters, self._types)

    def _bond_types(self) -> range:
        return range(1, self.system.topology.types["bond"] + 1)

    def _bcolor(self, words: list[str]) -> None:
        self._pick(words, "bcolor", self.palette.find, self.bond_colours, self._bond_types())

    def _bdiam(self, words: list[str]) -> None:
        self._pick(words, "bdiam", lambda text: number(text, "a diameter"), self.bond_diameters, self._bond_types())

    def _backcolor(self, words: list[str]) -> None:
        self.backcolour = self.palette.find(self.take(words, "backcolor"))

    def _boxcolor(self, words: list[str]) -> None:
        self.boxcolour = self.palette.find(self.take(words, "boxcolor"))

    def _color(self, words: list[str]) -> None:
        self.palette.add(self.take(words, "color"), [self.take(words, "color") for _ in range(3)])

    def _amap(self, words: list[str]) -> None:
        low, high, style = (self.take(words, "amap") for _ in range(3))
        if style not in ("ca", "cf"):
            raise InputError(f"dump_modify amap … {style} is not available", "use a continuous map: ca or cf")
        self.take(words, "amap")
        entries = []
        for _ in range(integer(self.take(words, "amap"), "a number of entries")):
            value, name = self.take(words, "amap"), self.take(words, "amap")
            if value not in ("min", "max"):
                number(value, "a value of amap")
            entries.append((value, self.palette.find(name)))
        if len(entries) < 2:
            raise InputError("dump_modify amap needs two entries or more", "for example: amap min max cf 0 2 min blue max red")
        self.map = (low, high, style == "cf", entries)

    # ---- drawing
    def put(self, path: str) -> None:
        try:
            with whole_file(path, binary=True) as stream:
                stream.write(encoded(self.picture(), self.kind))
        except OSError as error:
            raise cannot_write(path, error, f"dump {self.id}: ") from None

    def picture(self) -> np.ndarray:
        """The present frame."""
        system, box = self.system, self.system.need_box()
        rows, things = self._chosen(), Things()
        x, kinds = system.atoms.read("x")[rows], system.atoms.read("type")[rows]
        colours = self._atom_colours(rows, kinds)
        sizes = self._sizes(rows, kinds)
        if self.with_atoms and len(rows):
            things.spheres(x, 0.5 * sizes, colours)
        if self.bonds[0] != "none" and self.bonds[1] != "none":
            self._draw_bonds(things, rows, colours, sizes)
        self._draw_box(things)
        low, high = box.bounds()
        fractions = np.array([number(text) for text in self.centre_word[1:]])
        middle = low + fractions * (high - low)
        return self.camera.picture(things, middle, high - low, self.backcolour, self.shiny, self.finer)

    def _atom_colours(self, rows: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        if self.colour == "type":
            table = [self.colours.get(kind, self.palette.find(CYCLE[(kind - 1) % len(CYCLE)])) for kind in (1, *self._types)]
            return np.array(table)[kinds]
        if self.colour == "element":
            names = self.names(lambda kind: "C")
            table = [self.colours[kind] if kind in self.colours else of_element(str(names[kind]))[0] for kind in self._types]
            return np.array([np.zeros(3), *table])[kinds]
        return self._mapped(self._column(self.colour)[rows])

    def _column(self, word: str) -> np.ndarray:
        found = next((column for column in self.columns if column.word == word), None) or known_columns[word]
        return np.asarray(found.values(self.system), float)

    def _mapped(self, values: np.ndarray) -> np.ndarray:
        low, high, fraction, entries = self.map
        least, most = (float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))) if len(values) else (0.0, 1.0)
        lo, hi = least if low == "min" else number(low), most if high == "max" else number(high)
        places = [lo if word == "min" else hi if word == "max" else lo + number(word) * (hi - lo) if fraction else number(word)
                  for word, _ in entries]
        return np.stack([np.interp(values, places, [colour[k] for _, colour in entries]) for k in range(3)], axis=1)

    def _sizes(self, rows: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        if self.fixed_size:
            return np.full(len(rows), self.fixed_size)
        if self.diameter == "type":
            return np.array([1.0, *(self.diameters.get(kind, 1.0) for kind in self._types)])[kinds]
        if self.diameter == "element":
            names = self.names(lambda kind: "C")
            known = self.diameters
            table = [known[kind] if kind in known else of_element(str(names[kind]))[1] for kind in self._types]
            return np.array([0.0, *table])[kinds]
        return self._column(self.diameter)[rows]

    def _draw_bonds(self, things: Things, rows: np.ndarray, colours: np.ndarray, sizes: np.ndarray) -> None:
        """Half of each bond from either atom, towards the nearest image of the other."""
        atoms, box = self.system.atoms, self.system.need_box()
        found = links(atoms, BOND)
        found = found[found[:, 0] > 0]
        place = np.full(atoms.n, -1)
        place[rows] = np.arange(len(rows))
        ends = np.stack([rows_of(atoms, found[:, 1]), rows_of(atoms, found[:, 2])], axis=1)
        there = (ends >= 0).all(axis=1) & (place[ends] >= 0).all(axis=1)
        ends, kinds = ends[there], found[there, 0]
        if not len(ends):
            return
        x = atoms.read("x")
        apart = box.to_fraction(x[ends[:, 1]]) - box.to_fraction(x[ends[:, 0]])
        apart -= np.round(apart) * np.array(box.periodic)
        way = box.from_fraction(apart) - box.lo
        types = range(1, int(kinds.max()) + 1)
        if self.bonds[1] == "type":
            widths = np.array([0.5, *(self.bond_diameters.get(kind, 0.5) for kind in types)])[kinds]
        elif self.bonds[1] == "atom":
            widths = sizes[place[ends]].min(axis=1)
        else:
            widths = np.full(len(ends), number(self.bonds[1], "a width"))
        by_type = np.array([np.zeros(3), *(self.bond_colours.get(kind, self.palette.find(CYCLE[(kind - 1) % len(CYCLE)]))
                                           for kind in types)])
        for side, sign in ((0, 0.5), (1, -0.5)):
            start = x[ends[:, side]]
            shown = colours[place[ends[:, side]]] if self.bonds[0] == "atom" else by_type[kinds]
            things.sticks(start, start + sign * way, 0.5 * widths, shown)

    def _draw_box(self, things: Things) -> None:
        box = self.system.need_box()
        longest, thin = float(box.lengths.max()), float(box.lengths[: self.system.dimension].min())
        corners = box.from_fraction(np.array([[float(k >> axis & 1) for axis in range(3)] for k in range(8)]))
        if self.box:
            radius = 0.5 * self.box * thin
            starts, ends = (corners[[edge[side] for edge in EDGES]] for side in (0, 1))
            things.sticks(starts, ends, np.full(12, radius), np.tile(self.boxcolour, (12, 1)))
            things.spheres(corners, np.full(8, radius), np.tile(self.boxcolour, (8, 1)))
        if self.axes[0]:
            origin = corners[0] - ASIDE * longest
            ends = origin + self.axes[0] * (corners[[1, 2, 4]] - corners[0])
            colours = np.array([self.palette.find(name) for name in ("red", "green", "blue")])
            things.sticks(np.tile(origin, (3, 1)), ends, np.full(3, 0.5 * self.axes[1] * thin), colours)
