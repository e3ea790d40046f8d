"""Constant temperature in a box that is sheared: the SLLOD equations of motion with a Nosé–Hoover chain."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.chain import SCALE
from everlet.fixes.integrators.nvt import NVT
from everlet.state.flow import columns


@fix_style("nvt/sllod")
class NVTSllod(NVT):
    """fix ID group nvt/sllod temp TSTART TSTOP TDAMP [psllod yes|no] and the words of fix nvt (tchain: 1)

    Daivis and Todd, J. Chem. Phys. 124, 194103 (2006). As fix nvt, of velocities u that are counted from the flow of fix deform
    (remap v), with u' = F/m - G u - u eta' (psllod: G v in place of G u), G the rates of the box by its shape. Each half step
    of the chain also does u -= dt/2 G u. ID_temp is a compute temp/deform. Works on the host.
    """

    name, heat_style = "nvt/sllod", "temp/deform"
    reads, writes = ("x", "v", "f", "type", "mask"), ("x", "v")

    def init(self) -> None:
        super().init()
        flow = self.system.flow
        if flow is None or not flow.carried:
            raise InputError(f"fix {self.id} needs a box that is deformed by fix deform with remap v",
                             "define it: fix ID all deform 1 xy erate RATE remap v")
        if not self.heat.biased:
            raise InputError(f"fix {self.id}: the temperature {self.heat_id} counts the flow", "use one of style temp/deform")

    def measured(self, kept: float) -> float:
        """The box has changed since velocities were summed: a run that goes on from a file keeps that sum."""
        return kept if self.system.continues else super().measured(kept)

    def _scale(self, half: int) -> None:
        system, heat, flow = self.system, self.heat, self.system.flow
        assert flow is not None
        v, rows = system.atoms.edit("v"), np.flatnonzero(system.atoms.read("mask") & self.bit)
        gradient = columns(system.need_box().h_inverse) @ columns(flow.rates)  # rows are edge vectors: G transposed
        whole = v[rows].copy()
        heat.take_bias(self.bit)
        v = system.atoms.edit("v")
        factor = float(self.chain.read(half)[0][SCALE])
        v[rows] = factor * v[rows] - 0.5 * system.dt * (whole if self.words.psllod else v[rows]) @ gradient
        heat.give_bias(self.bit)
