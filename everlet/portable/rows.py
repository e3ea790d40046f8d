"""Rows of three numbers, as forces, velocities and torques are: set, or added to; numbers that a team brings to its memory."""

from __future__ import annotations

from everlet.portable.language.dtypes import f64, i64
from everlet.portable.language.functions import portable


@portable
def put_row(rows: f64[:, 3], i: i64, x: f64, y: f64, z: f64):
    rows[i, 0] = x
    rows[i, 1] = y
    rows[i, 2] = z


@portable
def add_row(rows: f64[:, 3], i: i64, x: f64, y: f64, z: f64):
    rows[i, 0] += x
    rows[i, 1] += y
    rows[i, 2] += z


@portable
def bring(kept: f64[:], numbers: f64[:], first: i64, count: i64):
    """So many numbers to memory of the team."""
    for k in team_range(count):
        kept[k] = numbers[first + k]
