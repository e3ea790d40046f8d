"""What kspace_modify sets: one declaration for each keyword, and a cause for each that is refused.

    kspace_modify KEYWORD VALUE(s) ...

    collective yes|no        how ranks talk in the reference: no meaning here
    compute yes|no           no: long-range forces are left out
    cutoff/adjust yes|no     msm: the cutoff of charges follows from mesh and accuracy, or the mesh from cutoff and accuracy
    diff ik|ad               fields by differences in Fourier space (three transforms back), or of the stencil's slopes (one)
    force A                  absolute accuracy, in place of the relative one of kspace_style
    gewald G                 the splitting parameter (1/length); 0: from the accuracy
    gewald/disp G            that of dispersion: of pppm/disp; ewald/disp has the same for both
    mesh/disp, order/disp    pppm/disp: the same of dispersion as mesh and order of charges
    mix/disp pair|geom       types are mixed for dispersion as in the pair style, or geometrically
    kmax/ewald NX NY NZ      Ewald: Fourier vectors along each axis; 0 0 0: from the accuracy
    mesh NX NY NZ            pppm: mesh points; 0 0 0: from the accuracy
    minorder N, order N      pppm: points of the stencil along an axis, 2 to 7; msm: order 4, 6, 8 or 10, which is its default
    overlap yes|no           how far ranks' meshes may overlap in the reference: no meaning here
    pressure/scalar yes|no   msm: yes spares the reference the tensor of the pressure; here it is always there
    slab F|nozforce          periodic in x and y alone: the box is F times as high for the solver; nozforce: no forces along z
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from everlet.errors import InputError, available, integer, number, one_of, unknown, yes_no

DISPERSION = "numbers of dispersion are not searched for: give gewald/disp and mesh/disp"
REFUSED = {
    "disp/auto": DISPERSION, "eigtol": DISPERSION, "force/disp/kspace": DISPERSION, "force/disp/real": DISPERSION,
        "splittol": DISPERSION, "kmax/disp": DISPERSION,
    "scafacos": "it belongs to scafacos, which is not available",
    "wire": "systems that are periodic along one axis alone are not available",
}
Triple = tuple[int, int, int]


@dataclass
class Settings:
    """Of one kspace_style; a new one begins with the defaults."""

    compute: bool = True
    diff: str = "ik"
    force: float = -1.0  # absolute accuracy; negative: the relative one counts
    gewald: float = 0.0
    gewald_disp: float = 0.0
    mesh_disp: Triple = (0, 0, 0)
    order_disp: int = 5
    mix_disp: str = "pair"
    kmax: Triple = (0, 0, 0)
    mesh: Triple = (0, 0, 0)
    order: int = 5
    minorder: int = 2
    slab: float = 1.0  # times the height of the box
    nozforce: bool = False
    adjust: bool = True  # the cutoff, of msm
    orders: tuple[int, ...] = tuple(range(2, 8))  # that the solver knows

    def modify(self, args: list[str]) -> None:
        """Keywords with their values, to the letter of the table above."""
        words = list(args)
        if not words:
            raise InputError("kspace_modify needs a keyword", "for example: kspace_modify mesh 32 32 32")
        while words:
            keyword = words.pop(0)
            available("keyword of kspace_modify", keyword, KEYWORDS, REFUSED)
            count, put = KEYWORDS[keyword]
            if len(words) < count:
                raise InputError(f"kspace_modify {keyword} needs {count} value{'s' * (count > 1)}", "see docs/scripts.md")
            put(self, words[:count])
            del words[:count]

    @property
    def slabs(self) -> bool:
        """Forces and energies are corrected for a cell without images along z."""
        return self.slab != 1.0


def _three(words: list[str], what: str) -> Triple:
    x, y, z = (integer(word, what) for word in words)
    if min(x, y, z) < 0 or (0 in (x, y, z) and (x, y, z) != (0, 0, 0)):
        raise InputError(f"{what} along each axis must be positive, found {' '.join(words)}", "or all 0: from the accuracy")
    return x, y, z


def _order(self: Settings, words: list[str], name: str) -> None:
    given, known = integer(words[0], f"kspace_modify {name}"), self.orders
    if given not in known:
        raise InputError(f"kspace_modify {name} {given}: a stencil has {', '.join(map(str, known[:-1]))} or {known[-1]} points "
                         "along an axis", "choose one")
    setattr(self, name.replace("/", "_"), given)


def _diff(self: Settings, words: list[str]) -> None:
    if words[0] not in ("ik", "ad"):
        raise unknown("value of kspace_modify diff", words[0], ["ik", "ad"])
    self.diff = words[0]


def _mix(self: Settings, words: list[str]) -> None:
    if words[0] == "none":
        raise InputError("kspace_modify mix/disp none: dispersion of unlike types that are not mixed is not available",
                         "use pair or geom")
    self.mix_disp = one_of("value of kspace_modify mix/disp", words[0], ("pair", "geom"))


def _slab(self: Settings, words: list[str]) -> None:
    self.nozforce, self.slab = words[0] == "nozforce", 1.0
    if not self.nozforce:
        self.slab = number(words[0], "a factor or nozforce")
        if self.slab <= 1.0:
            raise InputError(f"kspace_modify slab {words[0]}: the factor must be larger than 1", "3.0 is a good choice")


def _gewald(name: str) -> Callable[[Settings, list[str]], None]:
    def put(self: Settings, words: list[str]) -> None:
        given = number(words[0], "a splitting parameter")
        if given < 0.0:
            raise InputError(f"kspace_modify {name} {words[0]} is negative", "give a number above 0, or 0: from the accuracy")
        setattr(self, name.replace("/", "_"), given)

    return put


def _fftbench(self: Settings, words: list[str]) -> None:
    if yes_no(words[0], "kspace_modify fftbench"):
        raise InputError("kspace_modify fftbench yes: transforms are not timed apart", "use everlet bench nacl")


def _flag(name: str) -> Callable[[Settings, list[str]], None]:
    def put(self: Settings, words: list[str]) -> None:
        flag = yes_no(words[0], f"kspace_modify {name}")
        if name == "compute":
            self.compute = flag
        if name == "cutoff/adjust":
            self.adjust = flag

    return put


KEYWORDS: dict[str, tuple[int, Callable[[Settings, list[str]], None]]] = {
    "collective": (1, _flag("collective")),
    "compute": (1, _flag("compute")),
    "cutoff/adjust": (1, _flag("cutoff/adjust")),
    "diff": (1, _diff),
    "fftbench": (1, _fftbench),
    "force": (1, lambda self, words: setattr(self, "force", number(words[0], "an accuracy"))),
    "gewald": (1, _gewald("gewald")),
    "gewald/disp": (1, _gewald("gewald/disp")),
    "kmax/ewald": (3, lambda self, words: setattr(self, "kmax", _three(words, "Fourier vectors"))),
    "mesh/disp": (3, lambda self, words: setattr(self, "mesh_disp", _three(words, "mesh points"))),
    "mix/disp": (1, _mix),
    "order/disp": (1, lambda self, words: _order(self, words, "order/disp")),
    "mesh": (3, lambda self, words: setattr(self, "mesh", _three(words, "mesh points"))),
    "minorder": (1, lambda self, words: _order(self, words, "minorder")),
    "order": (1, lambda self, words: _order(self, words, "order")),
    "overlap": (1, _flag("overlap")),
    "pressure/scalar": (1, _flag("pressure/scalar")),
    "slab": (1, _slab),
}
