"""Three-body styles with loops of their own, for forces and for energies and virials of atoms; tables are those of others."""

from __future__ import annotations

from typing import Any, ClassVar

from everlet.comm.serial import SerialComm
from everlet.forces.manybody.threebody.scheme import ThreeBody
from everlet.portable import Kernel, Portable, parallel_for
from everlet.portable.scatter_view import ScatterView
from everlet.state.ledger import Tally


class OwnLoops(ThreeBody):
    loop: ClassVar[Portable]
    share_loop: ClassVar[Portable]
    statics: ClassVar[dict[str, Portable]]  # functions of the style, by their names in these

    @property
    def blocks(self) -> int:
        return -(-self.system.atoms.n // self.lanes)

    def _made(self, body: Portable, sums: int, more: dict[str, Any]) -> Kernel:
        par = self.parameters
        found = {**self.statics, "MANY": par.kinds > 2, "NP": len(par.triple_fields), "GROUP": self.group, **more}
        return Kernel(body, sums, self.system.precision, par.triple_fields, statics=tuple(found.items()), width=self.lanes)

    def _arguments(self) -> tuple[Any, ...]:
        return self._reading(self.NUMBERS)

    def share(self, out: ScatterView) -> None:
        self.short.fill()
        self._fill_tables()
        parallel_for(self.system.space, self.blocks, self._made(self.share_loop, 0, {}), *self._arguments(), out)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        self.short.fill()
        self._fill_tables()
        kernel = self._made(self.loop, 0 if tally is None else 7,
                            {**self.rounding, "SCALED": self.parameters.scaled, "EV": tally is not None})
        with self.forces() as force:
            given = (*self._arguments(), *self.columns[-3:], force)
            if tally is not None:
                tally.reduce(self.system.space, self.blocks, kernel, *given)
            else:
                parallel_for(self.system.space, self.blocks, kernel, *given)
