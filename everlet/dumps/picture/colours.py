"""Names of colours, and colours and sizes of types and elements."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, number, one_of

NAMED = {name: tuple(int(code[k : k + 2], 16) / 255.0 for k in (0, 2, 4)) for name, code in (
    item.split(":") for item in """
    black:000000 white:ffffff red:ff0000 green:008000 lime:00ff00 blue:0000ff yellow:ffff00 aqua:00ffff cyan:00ffff
    fuchsia:ff00ff magenta:ff00ff gray:808080 grey:808080 silver:c0c0c0 maroon:800000 olive:808000 navy:000080 purple:800080
    teal:008080 orange:ffa500 pink:ffc0cb brown:a52a2a gold:ffd700 indigo:4b0082 violet:ee82ee tan:d2b48c salmon:fa8072
    coral:ff7f50 khaki:f0e68c crimson:dc143c turquoise:40e0d0 orchid:da70d6 plum:dda0dd beige:f5f5dc ivory:fffff0
    lavender:e6e6fa chocolate:d2691e sienna:a0522d skyblue:87ceeb steelblue:4682b4 royalblue:4169e1 darkblue:00008b
    darkgreen:006400 darkred:8b0000 darkgray:a9a9a9 darkgrey:a9a9a9 lightgray:d3d3d3 lightgrey:d3d3d3 lightblue:add8e6
    lightgreen:90ee90 forestgreen:228b22 firebrick:b22222 tomato:ff6347 slateblue:6a5acd slategray:708090
    """.split())}
CYCLE = ("red", "green", "blue", "yellow", "aqua", "cyan")  # of types
ELEMENTS = {  # colour and diameter (Angstrom)
    "H": ("ffffff", 0.35), "C": ("909090", 1.7), "N": ("3050f8", 1.55), "O": ("ff0d0d", 1.52), "F": ("90e050", 1.47),
    "Na": ("ab5cf2", 2.27), "Mg": ("8aff00", 1.73), "Al": ("bfa6a6", 1.84), "Si": ("f0c8a0", 2.1), "P": ("ff8000", 1.8),
    "S": ("ffff30", 1.8), "Cl": ("1ff01f", 1.75), "Ar": ("80d1e3", 1.88), "K": ("8f40d4", 2.75), "Ca": ("3dff00", 2.31),
    "Ti": ("bfc2c7", 2.0), "Fe": ("e06633", 2.0), "Ni": ("50d050", 1.63), "Cu": ("c88033", 1.4), "Zn": ("7d80b0", 1.39),
    "Kr": ("5cb8d1", 2.02), "Ag": ("c0c0c0", 1.72), "Au": ("ffd123", 1.66), "Pt": ("d0d0e0", 1.75), "Xe": ("429eb0", 2.16),
    "W": ("2194d6", 2.0), "Ta": ("4da6ff", 2.0), "Zr": ("94e0e0", 2.0),
}


class Palette:
    """Colours by name; `dump_modify color NAME R G B` adds some."""

    def __init__(self) -> None:
        self.named = dict(NAMED)

    def find(self, name: str) -> np.ndarray:
        one_of("colour", name, self.named, "dump_modify ID color NAME R G B makes new ones")
        return np.array(self.named[name])

    def add(self, name: str, parts: list[str]) -> None:
        r, g, b = (number(part, "a part of a colour") for part in parts)
        if not all(0.0 <= part <= 1.0 for part in (r, g, b)):
            raise InputError(f"colour {name}: parts of a colour are 0 to 1", "for example: color mine 0.2 0.5 1.0")
        self.named[name] = (r, g, b)


def of_element(name: str) -> tuple[np.ndarray, float]:
    """Colour and diameter."""
    if name not in ELEMENTS:
        raise InputError(f"no colour is known for element '{name}'", "use dump_modify acolor and adiam for its type")
    code, diameter = ELEMENTS[name]
    return np.array([int(code[k : k + 2], 16) / 255.0 for k in (0, 2, 4)]), diameter
