"""Fields of atoms where they are, without a copy: `with sim.local() as d:`.

    with sim.local() as d:
        d.v[:] *= 0.5                          # NumPy on CPUs, CuPy on a GPU
        torch.from_dlpack(d.x)                 # DLPack: torch, JAX, CuPy, NumPy
        d.f[d.rows([1, 2, 3])]                 # rows of these ids

Rows are in the order of storage, which changes from run to run: ids say who is who. Work on d.stream, or wait for it. After the
block the arrays must not be used any more; whatever was asked for may have been changed, and energies and forces follow.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import numpy as np

from everlet.errors import InputError
from everlet.io.arrays import INNER
from everlet.session import Session

NAMES = {"charges": "q", "ids": "id", "types": "type", "images": "image", "positions": "x", "velocities": "v", "forces": "f"}
KEPT = ("id", "mask")  # read only


class Local:
    """The atoms of this rank on its device."""

    def __init__(self, session: Session):
        self._session: Session | None = session
        self._asked: set[str] = set()

    def __enter__(self) -> Self:
        self._open().settle("f")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        session, self._session = self._open(), None
        session.space.synchronize()
        session.wrote(self._asked)

    def _open(self) -> Session:
        if self._session is None:
            raise InputError("these arrays are not valid any more", "use them inside of: with sim.local() as d:")
        return self._session

    @property
    def n(self) -> int:
        """Atoms of this rank."""
        return self._open().system.atoms.n

    @property
    def stream(self) -> int:
        """The CUDA stream on which the engine works, as a number: torch.cuda.ExternalStream(d.stream); 0 on CPUs."""
        return self._open().space.stream

    def rows(self, ids: Any) -> np.ndarray:
        """Rows of atoms by id."""
        known = self._open().system.atoms.read("id")
        order, wanted = np.argsort(known, kind="stable"), np.asarray(ids)
        found = order[np.minimum(np.searchsorted(known, wanted, sorter=order), max(len(known) - 1, 0))]
        if len(wanted) and (not len(known) or (known[found] != wanted).any()):
            raise InputError("some of these ids are not atoms of this rank", "d.id has those that are")
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        session, field = self._open(), NAMES.get(name, name)
        atoms = session.system.atoms
        if field not in atoms.fields or field in INNER:
            raise AttributeError(f"atoms have no field '{name}': {', '.join(one for one in atoms.fields if one not in INNER)}")
        if field not in KEPT:
            self._asked.add(field)
        values = atoms.view(field, modify=field not in KEPT).array[: atoms.n]
        return values[:, : atoms.fields[field].shown] if values.ndim == 2 else values

    def __dir__(self) -> list[str]:
        return ["n", "rows", "stream", *(name for name in self._open().system.atoms.fields if name not in INNER)]
