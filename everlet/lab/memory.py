"""Memory of a run: bytes of the arrays of a rank, by the rules that make them (state/atoms.py, comm/serial.py, neighbor/)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from everlet.comm.mpi import SPARE
from everlet.comm.serial import SPREAD
from everlet.lab import md
from everlet.lab.reading import Job
from everlet.neighbor.decide import BINS
from everlet.neighbor.grids import FEW
from everlet.neighbor.rows import GRAIN, ROOM, TEAM_PAD
from everlet.state.topology import KINDS

INDEX = 4


def ghosts(job: Job, ranks: int, full: bool) -> float:
    """Ghosts of a rank: along edges that are not divided only periodic ones count."""
    grid = md.grid(ranks, job.edges)
    grown, inner = 1.0, 1.0
    for edge, parts, wraps, axis in zip(job.edges, grid, job.periodic, range(3), strict=True):
        own = edge / parts
        flat = job.dimension == 2 and axis == 2
        outer = 0.0 if flat or (parts == 1 and not wraps) else 2.0 * job.reach
        grown, inner = grown * (own + outer), inner * own
    share = 1.0 if full or not job.newton else 0.5
    return share * job.atoms / job.volume * (grown - inner)


def rows_of(job: Job, ranks: int = 1, gpu: bool = False, full: bool = False) -> float:
    """Atoms and ghosts that a rank has room for."""
    outer = ghosts(job, ranks, full or gpu or job.full or bool(job.links) and ranks > 1)
    return job.atoms / ranks + outer * (SPREAD[gpu] + 0.05 * gpu)


def bytes_of(job: Job, ranks: int = 1, gpu: bool = False, full: bool = False, threads: int = 1,
             extra: Mapping[str, float] | None = None, lanes: int = 4) -> dict[str, float]:
    """Bytes of a rank by part. `full`: a list of both sides of each pair, as GPUs and wide registers have it. `extra`: bytes of
    an atom that a pair style needs beyond its list."""
    full = full or gpu or job.full
    n = job.atoms / ranks
    outer, rows = ghosts(job, ranks, full or bool(job.links) and ranks > 1), rows_of(job, ranks, gpu, full)
    parts = {"atoms": job.row_bytes * rows, "ghosts": 12.0 * outer * SPREAD[gpu] + 2 * INDEX * n}
    if ranks > 1:  # what is sent: where it goes, positions, forces that come back
        parts["ghosts"] = SPARE * (72.0 * outer + 2 * INDEX * n)
    entries = job.listed * (2.0 if full else 1.0)
    if job.pair:
        few = not gpu and job.dimension == 3 and job.atoms * (BINS * job.reach) ** 3 < FEW * job.volume
        edge = (1.0 if few else BINS) * job.reach or max(job.edges)
        grid = md.grid(ranks, job.edges)
        bins = math.prod(max(1.0, (whole / part + 2.0 * job.reach) / edge) for whole, part in zip(job.edges, grid, strict=True))
        held = 0.0 if math.isinf(job.rebuild) else 24.0 * n
        if gpu:
            room = TEAM_PAD * (math.floor((ROOM * entries + TEAM_PAD) / TEAM_PAD) + 1.0)
        else:
            grain = max(GRAIN, lanes)
            room = entries + 0.5 * grain
        parts["lists"] = INDEX * n * (room + (1.0 if gpu else 2.0)) + held
        parts["bins"] = 5.0 * INDEX * rows + 4.0 * INDEX * bins
        own = (extra or {}).get(job.pair, 0.0)
        parts["pair style"] = own * n + (24.0 * rows * threads if threads > 1 and not full else 0.0)
    if job.links:
        parts["links"] = sum(1.13 * INDEX * (KINDS[name].size + 1) * count / ranks + (0.0 if gpu else 16.0 * rows)
                             for name, count in job.links.items())
    if job.points:
        half = job.points / ranks * (job.mesh[2] // 2 + 1) / job.mesh[2]
        brick = math.prod(points + 7 for points in job.mesh) / ranks
        parts["mesh"] = 8.0 * (4.0 * brick + 3.0 * job.points / ranks + 9.0 * half)
        parts["mesh"] += INDEX * (2.0 * brick + job.points / ranks)
    return parts
