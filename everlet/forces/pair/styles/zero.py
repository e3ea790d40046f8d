"""No interaction: only a cutoff, for neighbour lists without forces."""

from everlet.errors import InputError, arguments, one_of
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.portable import portable


@pair_style("zero")
class Zero(PairStyle):
    """E = 0.

    pair_style zero r_c [nocoeff] [full]      r_c: length
    pair_coeff I J [r_c]                      with nocoeff: whatever follows I J is skipped

    `full` asks for a full neighbour list; the engine chooses lists by itself, so it changes no result.
    """

    counts_mixed = False

    def configure(self, args: list[str]) -> None:
        arguments(args, 1, 3, "pair_style zero r_c [nocoeff] [full]")
        options = args[1:]
        for word in options:
            one_of("pair_style zero option", word, ("nocoeff", "full"))
        if len(set(options)) < len(options):
            raise InputError(f"pair_style zero: '{options[0]}' is given twice", "remove one")
        self.nocoeff = "nocoeff" in options
        super().configure(args[:1])
        self.args = list(args)

    def coeff(self, args: list[str]) -> None:
        super().coeff(args[:2] if self.nocoeff else args)

    @portable
    def pair(r2, p):
        return 0.0 * r2, 0.0 * r2
