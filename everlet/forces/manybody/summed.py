"""Styles of a file that other styles compute: each part of the energy is a style of its own, as in a hybrid style."""

from __future__ import annotations

import numpy as np

from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.pair.base import PairStyle


class SummedStyle(FileStyle):
    def parts(self) -> dict[str, PairStyle]:
        """By what is put behind the name for each."""
        raise NotImplementedError

    def init(self) -> None:
        self.need_elements()
        for one in self.parts().values():
            one.init()
        self.cutoffs = np.max([one.cutoffs for one in self.parts().values()], axis=0)
        self.max_cutoff, self.pairs = float(self.cutoffs.max()), {}

    def pieces(self) -> list[tuple[str, PairStyle]]:
        self.ready()
        for one in self.parts().values():
            one.only, one.factor, one.weights = self.only, self.factor, self.weights
        return list(self.parts().items())
