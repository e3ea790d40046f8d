"""A box whose edges and tilts change as they are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.fixes.barostats.deform_words import ACROSS, ALONG, EDGES, LATER, PARTS, DeformWords
from everlet.fixes.base import Fix, fix_style
from everlet.fixes.integrators.nose_hoover.motion import FLIP
from everlet.fixes.integrators.nose_hoover.pressure import PressureFix
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.state.continuing import ARGUMENTS
from everlet.state.flow import Flow, columns
from everlet.state.system import System

FAR = 0.5  # of an edge: a box that is tilted farther is flipped


@local
@portable
def stretch(i, x: f64[:, 4], mask: i32[:], bit: i32, lx: f64, ly: f64, lz: f64, nx: f64, ny: f64, nz: f64, xx: f64, yy: f64,
            zz: f64, yz: f64, xz: f64, xy: f64):
    """x = n + M (x - l): l and n are the old and the new low corner, M (upper triangular) the new shape by the old one."""
    if mask[i] & bit:
        dx = x[i, 0] - lx
        dy = x[i, 1] - ly
        dz = x[i, 2] - lz
        x[i, 0] = nx + xx * dx + xy * dy + xz * dz
        x[i, 1] = ny + yy * dy + yz * dz
        x[i, 2] = nz + zz * dz


STRETCH = Kernel(stretch)


@fix_style("deform")
class Deform(Fix):
    """fix ID group deform N x|y|z|xy|xz|yz STYLE … [remap x|v|none] [flip yes|no] [units lattice|box]: every N steps edges and
    tilts are given new lengths.

    final LO HI, delta DLO DHI, scale S (tilts: final T, delta D): evenly to there until the end of the run. Of an edge L, about
    its middle, or a tilt, with t since the beginning of the run: vel V: L0 + V t; erate R: L0 (1 + R t), of a tilt L0 + R t
    times the edge across it; trate R: L0 e^(R t); wiggle A T: L0 + A sin(2 pi t/T); variable v_D v_R: L0 + v_D, with the rate
    v_R; volume: the volume stays. remap x: atoms of the group move with the box; v: those that cross a face change their
    velocity by that of the face (Flow, for compute temp/deform too). A tilt beyond half an edge is flipped in the next step.
    """

    changes_box = moves_last = True
    must_match = (ARGUMENTS,)  # the shape at the beginning
    reads = ("x", "mask")
    writes: tuple[str, ...] = ("x",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.words = DeformWords(system, id, args)
        self.every, self.moves = self.words.every, self.words.moves
        self.turned: tuple[list[int], list[float]] | None = None
        box = system.need_box()
        self.first_box: tuple[np.ndarray, ...] = (box.lo.copy(), box.hi.copy(), box.h)
        self.writes = ("x", "v") if self.words.remap == "v" else ("x",)
        system.flow = Flow(carried=int(self.bit) if self.words.remap == "v" else 0)

    @property
    def flow(self) -> Flow:
        assert self.system.flow is not None
        return self.system.flow

    @classmethod
    def essential(cls, args: Sequence[str]) -> list[str]:
        """Which edges and tilts move in which way; how far may differ, as in LAMMPS."""
        return [word for word in args if word in (*PARTS, *EDGES)]

    def remove(self) -> None:
        self.system.flow = None
        super().remove()

    def needs(self, step: int) -> tuple[str, ...]:
        given = [one for move in self.moves.values() for one in move.given] if step % self.every == 0 else []
        return tuple(need for one in given for need in one.needs(step))

    def init(self) -> None:
        for fix in self.system.fixes.values():
            apart = isinstance(fix, PressureFix) and not (self.words.follow or fix.words.driven[list(self.moves)].any())
            if fix is not self and fix.changes_box and not apart:
                raise InputError(f"fix {self.id} and fix {fix.id} both change the box", "let one of them do it")
        for move in self.moves.values():
            for given in move.given:
                given.init()
        self._start()
        self._check_flips()

    def _start(self) -> None:
        """The shape that counts as the beginning, and rates that are known by then."""
        system, box = self.system, self.system.need_box()
        goes_on = system.step != system.run_start
        self.lo, self.hi, self.start = self.first_box if goes_on else (box.lo.copy(), box.hi.copy(), box.h)
        span = (system.run_stop - system.run_start) * system.dt
        self.flow.rates, self.flow.low = self.words.start_rates(self.start, self.lo, self.hi, span)
        self._volume_rates(self.hi - self.lo)

    def _check_flips(self) -> None:
        """A flip of yz adds xy to xz: that has no meaning while xy changes by itself."""
        yz, span = self.moves.get(3), self.system.run_stop - self.system.run_start
        if not self.words.flip or yz is None or 5 not in self.moves:
            return
        edges, user = self.hi - self.lo, f"fix {self.id}: yz would be flipped while xy changes"
        far = max(abs(self.start[3]) + abs(yz.numbers[0]) if yz.style == "wiggle" else abs(self.start[3]), 0.0)
        if yz.style not in ("variable", "wiggle"):
            far = max(far, abs(yz.tilt(self.start[3], edges[2], span * self.system.dt, 1.0)))
        if yz.style == "variable" or far > FAR * edges[1]:
            raise InputError(f"{user}", "use flip no, a smaller change of yz, or one of both")

    def begin(self) -> None:
        if self.turned is None:  # a flip that waits for the first step has changed nothing yet
            self._start()

    def kernels(self) -> list[Kernel]:
        return [STRETCH, FLIP]

    # ---- flips
    def next_rebuild(self, step: int) -> int:
        return step + 1 if self.turned is not None else super().next_rebuild(step)

    def post_integrate(self) -> None:
        """The flip that the last step asked for: the same lattice in a less tilted box."""
        if self.turned is None:
            return
        (yz, xz, xy), tilts = self.turned
        box, atoms = self.system.need_box(), self.system.atoms
        box.yz, box.xz, box.xy = tilts
        self.system.put_box()
        parallel_for(self.system.space, atoms.n, FLIP, atoms.view("image", modify=True), xy, xz, yz)
        self.turned = None

    def _turn(self, low: np.ndarray, high: np.ndarray, tilts: np.ndarray) -> None:
        """Whether the next step must flip the box: edges that are added to the tilts, and what these are then."""
        (lx, ly, _), (x, y, _) = high - low, self.system.need_box().periodic
        yz, xz, xy = tilts
        turns = [0, 0, 0]
        if y and abs(yz) > FAR * ly:
            turns[0] = 1 if yz < 0 else -1
            yz, xz = yz + turns[0] * ly, xz + turns[0] * xy
        if x and abs(xz) > FAR * lx:
            turns[1] = 1 if xz < 0 else -1
            xz += turns[1] * lx
        if x and abs(xy) > FAR * lx:
            turns[2] = 1 if xy < 0 else -1
            xy += turns[2] * lx
        self.turned = (turns, [float(yz), float(xz), float(xy)]) if any(turns) else None

    # ---- the step
    def _nearest(self, place: int, tilt: float) -> float:
        """A tilt that may have been flipped since the beginning: the one nearest to the present."""
        along, box = ALONG[place], self.system.need_box()
        edge, now = self.hi[along] - self.lo[along], box.h[place] / box.h[along]
        above = tilt - edge * np.floor(tilt / edge - now)
        return above - edge if abs(above / edge - 1.0 - now) < abs(above / edge - now) else above

    def end_of_step(self) -> None:
        system, box = self.system, self.system.need_box()
        t, span = (system.step - system.run_start) * system.dt, system.run_stop - system.run_start
        part = (system.step - system.run_start) / span if span else 0.0
        low, high, tilts, before, flow = box.lo.copy(), box.hi.copy(), box.h[3:], box.h, self.flow
        for place, move in self.moves.items():
            if move.style == "volume":
                continue
            if place < 3:
                low[place], high[place] = move.edge(self.lo[place], self.hi[place], t, part)
            else:
                across = (self.hi - self.lo)[ACROSS[place]]
                tilts[place - 3] = self._nearest(place, move.tilt(self.start[place], across, t, part))
            if move.style in LATER:
                flow.rates[place] = move.rate(before[place], t)
                if place < 3:
                    flow.low[place] = -0.5 * flow.rates[place]
        self._keep_volume(low, high)
        self._volume_rates(high - low)
        if (high <= low).any():
            raise InputError(f"fix {self.id}: an edge of the box would vanish at step {system.step}", "deform it less")
        if box.triclinic and self.words.flip:
            self._turn(low, high, tilts)
        self._move(low, high, tilts)

    def _keep_volume(self, low: np.ndarray, high: np.ndarray) -> None:
        follow, first = self.words.follow, self.hi - self.lo
        if follow:
            others = [axis for axis in range(3) if axis not in follow]
            factor = np.prod(first[others] / (high - low)[others]) ** (1.0 / len(follow))
            for axis in follow:
                middle, edge = 0.5 * (self.lo[axis] + self.hi[axis]), first[axis] * factor
                low[axis], high[axis] = middle - 0.5 * edge, middle + 0.5 * edge

    def _volume_rates(self, edges: np.ndarray) -> None:
        """L' of edges that keep the volume: the relative rates of all edges have no sum."""
        follow, flow = self.words.follow, self.flow
        others = [axis for axis in range(3) if axis not in follow]
        for axis in follow:
            flow.rates[axis] = -edges[axis] * (flow.rates[others] / edges[others]).sum() / len(follow)
            flow.low[axis] = -0.5 * flow.rates[axis]

    def _move(self, low: np.ndarray, high: np.ndarray, tilts: np.ndarray) -> None:
        """The new box, with the atoms that follow it."""
        system, box, atoms = self.system, self.system.need_box(), self.system.atoms
        old, inverse = box.lo.copy(), columns(box.h_inverse)
        box.lo[:], box.hi[:] = low, high
        box.yz, box.xz, box.xy = tilts.tolist()
        system.put_box()
        if self.words.remap == "x":
            m = inverse @ columns(box.h)  # rows are edge vectors
            parallel_for(system.space, atoms.n, STRETCH, atoms.view("x", modify=True), atoms.view("mask"), self.bit,
                         *old.tolist(), *low.tolist(), m[0, 0], m[1, 1], m[2, 2], m[2, 1], m[2, 0], m[1, 0])

    def state(self) -> dict[str, Any]:
        return {"first_box": [side.tolist() for side in self.first_box], "turned": self.turned}

    def restore(self, state: dict[str, Any]) -> None:
        self.first_box, self.turned = tuple(np.array(side) for side in state["first_box"]), state["turned"]
