"""Tables of bonds of pair_style reaxff."""

from __future__ import annotations

import numpy as np

from everlet.errors import arguments
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.forces.manybody.reaxff.orders import bond_orders, need_reaxff
from everlet.io.files import Pieces, agreed, cannot_write
from everlet.state.system import System

USAGE = "fix ID group reaxff/bonds N FILE"


@fix_style("reaxff/bonds", "reax/c/bonds")
class ReaxffBonds(Fix):
    """fix ID group reaxff/bonds N FILE: every N steps, and when its first run begins, the bonds of all atoms whose order is
    above bond_graph_cutoff (0.3), with sum of orders, lone pairs and charge. Atoms and partners are in the order of ids. A * in
    FILE stands for the step."""

    reads = ("q",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, 2, USAGE)
        self.every, self.path = every_steps(args[0], "fix reaxff/bonds"), args[1]
        self._file: Pieces | None = None
        self.begun = False
        if "*" not in self.path:
            self._open(self.path)

    def _open(self, path: str) -> None:
        with agreed(self.system.world):
            try:
                self._file = Pieces(path)
            except OSError as error:
                raise cannot_write(path, error, f"fix {self.id}: ") from None

    def init(self) -> None:
        self.threshold = need_reaxff(self.system, f"fix {self.id}").controls.graph

    def setup(self) -> None:
        if not self.begun:
            self.end_of_step()

    def end_of_step(self) -> None:
        system = self.system
        self.begun = True
        lines, most = self._lines()
        found = sorted(sum(system.ranks.all_of(lines), []))
        most = max(system.ranks.all_of(most))
        head = (f"# Timestep {system.step}\n#\n# Number of particles {len(found)}\n#\n# Max number of bonds per atom {most} "
                f"with coarse bond order cutoff {self.threshold:5.3f}\n# Particle connection table and bond orders\n"
                "# id type nb id_1...id_nb mol bo_1...bo_nb abo nlp q\n")
        if self._file is None:
            self._open(self.path.replace("*", str(system.step)))
        assert self._file is not None
        try:
            self._file.add(head + "".join(line for _, line in found) + "# \n", True)
        except OSError as error:
            raise cannot_write(self._file.path, error, f"fix {self.id}: ") from None
        if "*" in self.path:
            self.close()

    def _lines(self) -> tuple[list[tuple[int, str]], int]:
        """Ids and lines of this rank's atoms, and the most bonds that one has."""
        atoms, found = self.system.atoms, bond_orders(self.system, f"fix {self.id}")
        ids, kinds, q = atoms.read("id"), atoms.read("type"), atoms.read("q")
        molecules = atoms.read("molecule") if "molecule" in atoms.fields else np.zeros(atoms.n, int)
        strong = np.flatnonzero(found.order > self.threshold)
        strong = strong[np.lexsort((found.partner[strong], found.row[strong]))]
        ends = np.searchsorted(found.row[strong], np.arange(atoms.n + 1))
        lines = []
        for i in range(atoms.n):
            own = strong[ends[i] : ends[i + 1]]
            partners = "".join(f" {partner}" for partner in found.partner[own])
            numbers = "".join(f"{value:14.3f}" for value in (*found.order[own], found.total[i], found.lone_pairs[i], q[i]))
            lines.append((int(ids[i]), f" {ids[i]} {kinds[i]} {len(own)}{partners} {molecules[i]}{numbers}\n"))
        return lines, int(np.diff(ends).max(initial=0))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None
