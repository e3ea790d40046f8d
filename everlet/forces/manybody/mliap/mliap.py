"""Potentials whose descriptors (numbers of an atom and its neighbours) and model (the energy from these) come from two files.

    pair_style mliap model linear|quadratic|nn FILE descriptor sna|so3|ace FILE      in any order
    pair_coeff * * El1 El2 …                      NULL: no element; of more words than types the first count

Elements are those of the descriptor file, and the model's are in the same order. Each descriptor, and each other first word,
is a class of its own, which registers its name here: `pair_style mliap …` makes one of them.
"""

from __future__ import annotations

from typing import Any, ClassVar

from everlet.errors import InputError, arguments, one_of, unknown
from everlet.forces.descriptors.base import Given
from everlet.forces.manybody.components.files import KINDS, read_model
from everlet.forces.manybody.components.models import Model
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.pair.base import pair_style
from everlet.registry import Registry

USAGE = f"pair_style mliap model {'|'.join(KINDS)} FILE descriptor sna|so3|ace FILE"


def words_of(args: list[str]) -> dict[str, list[str]]:
    """The two words behind `model` and behind `descriptor`."""
    arguments(args, 6, 6, USAGE)
    found = {args[0]: args[1:3], args[3]: args[4:6]}
    for key in found:
        one_of("word of pair_style mliap", key, ("model", "descriptor"))
    if len(found) < 2:
        raise InputError(f"pair_style mliap has two words {args[0]}", USAGE)
    return found


@pair_style("mliap")
class Mliap(FileStyle):
    """What is made is of one of these classes."""

    files: ClassVar[tuple[str, ...]] = ()
    more_elements = True

    def __new__(cls, *given: Any) -> Mliap:  # noqa: PYI034  (of the kind that the words name)
        return super().__new__(cls._of(given[1]) if cls is Mliap else cls)

    @staticmethod
    def _of(args: list[str]) -> type[Mliap]:
        """The first word decides, `model` and `descriptor` leave it to the kind of descriptor."""
        arguments(args, 1, None, USAGE)
        first = args[0]
        if first not in ("model", "descriptor"):
            if first not in way:
                raise unknown("word of pair_style mliap", first, ("model", "descriptor", *way))
            return way[first]
        return described_by[words_of(args)["descriptor"][0]]


way: Registry[type[Mliap]] = Registry("first word of pair_style mliap", "everlet.forces.models")
described_by: Registry[type[Mliap]] = Registry("descriptor of pair_style mliap", "everlet.forces.manybody.mliap")


class Described(Mliap):
    """By a descriptor and a model of their own. `use(…)` of a descriptor reads its file; it says `listed`, its elements in
    order, and how many components it has."""

    model: Model
    listed: list[str]
    file: str  # of the descriptor

    def use(self, given: Given) -> int:
        """Read the file of the descriptor, or its keywords; gives the number of components."""
        raise NotImplementedError

    def configure(self, args: list[str]) -> None:
        found = words_of(args)
        kind, name = found["model"]
        one_of("model of pair_style mliap", kind, KINDS)
        components = self.use(found["descriptor"][1])
        self.model = model = read_model(kind, name, self.system.units.name)
        if model.components != components:
            raise InputError(f"{model.path} is for {model.components} components, and {self.file} has {components}",
                             "do the two files belong together?")
        if model.elements != len(self.listed):
            raise InputError(f"{model.path} is for {model.elements} elements, and {self.file} has {len(self.listed)}: "
                             f"{' '.join(self.listed)}", "do the two files belong together?")
        self.args, self.setting = list(args), {}

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        for name in names.values():
            if name != "NULL" and name not in self.listed:
                raise InputError(f"element '{name}' is not in {self.file}", f"it has {', '.join(self.listed)}")
        self.names, self.lines = names, [args]
