"""Whether atoms have moved too far, in a box that a kernel changes and between runs; what a rebuild without the host needs."""

from __future__ import annotations

from everlet.portable import Kernel, f64, floor, i32, i64, local, portable
from everlet.state.control import STOP, TROUBLE


@local
@portable
def mark_moved_in_box(i, x: f64[:, 4], held: f64[:], limit2: f64[:], position: i64, control: i64[:]):
    """Stop at this position if the atom has moved further than the limit since the last build, or is not a number."""
    dx = x[i, 0] - held[3 * i]
    dy = x[i, 1] - held[3 * i + 1]
    dz = x[i, 2] - held[3 * i + 2]
    if not dx * dx + dy * dy + dz * dz <= limit2[0]:
        control[STOP] = position


@local
@portable
def mark_moved_members(i, member: i32[:], x: f64[:, 4], kept: f64[:, 4], limit2: f64[:], due: i32[:], position: i64,
                       control: i64[:]):
    """The same with a limit for each of many systems: the system gets new lists then."""
    s = i64(member[i])
    dx = x[i, 0] - kept[i, 0]
    dy = x[i, 1] - kept[i, 1]
    dz = x[i, 2] - kept[i, 2]
    if not dx * dx + dy * dy + dz * dz <= limit2[s]:
        due[s] = i32(1)
        control[STOP] = position


MARK_MEMBERS = Kernel(mark_moved_members)


@portable
def stay_near(i, x: f64[:, 4], image: i32[:, 3], held: f64[:], box: f64[:], limit2: f64, control: i64[:]):
    """Of an atom in a periodic box, the image that is nearest to where the last build has had it; stop if that is too far."""
    k = floor((x[i, 2] - held[3 * i + 2]) * box[11] + 0.5)
    x[i, 2] -= k * box[5]
    x[i, 1] -= k * box[6]
    x[i, 0] -= k * box[7]
    image[i, 2] += i32(k)
    k = floor((x[i, 1] - held[3 * i + 1]) * box[10] + 0.5)
    x[i, 1] -= k * box[4]
    x[i, 0] -= k * box[8]
    image[i, 1] += i32(k)
    k = floor((x[i, 0] - held[3 * i]) * box[9] + 0.5)
    x[i, 0] -= k * box[3]
    image[i, 0] += i32(k)
    dx = x[i, 0] - held[3 * i]
    dy = x[i, 1] - held[3 * i + 1]
    dz = x[i, 2] - held[3 * i + 2]
    if not dx * dx + dy * dy + dz * dz <= limit2:
        control[STOP] = 0


@portable
def fit_to_box(i, box: f64[:], reach: f64, flat: i64, shape: i64[:], made: f64[:], most: f64, cut: f64[:], bins: f64[:],
               origin: f64[:], corners: f64[:], half: f64[:], control: i64[:]):
    """All that follows from the lengths of an orthogonal box: how far ghosts reach in fractions of it (cut), where bins begin
    and how many there are per length (bins, as many of them as before), the middle (origin), corners, halves of edges.
    A box that differs by more than `most` from the one that bins were `made` for is the host's."""
    for d in range(3):
        if not abs(box[3 + d] - made[d]) <= most * made[d]:
            control[TROUBLE] = 1
        margin = reach * box[15 + d]
        if flat > 0 and d == 2:
            margin = 0.0
        low = box[d] - margin
        high = box[18 + d] + margin
        cut[d] = margin * box[9 + d] if box[15 + d] > 0.0 else cut[d]
        bins[d] = low
        bins[3 + d] = f64(shape[d]) / (high - low)
        origin[d] = 0.5 * (low + high)
        if box[15 + d] > 0.0:
            half[d] = 0.5 * box[3 + d]
        for k in range(8):
            corners[3 * k + d] = box[d] + box[3 + d] * f64((k >> d) & 1)
