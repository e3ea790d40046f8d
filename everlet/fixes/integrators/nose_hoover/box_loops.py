"""The barostat as one small kernel: pressures, strain rates, the box, and what the motion of the box does to atoms.

Martyna, Tobias, Klein, J. Chem. Phys. 101, 4177 (1994); Tuckerman et al., J. Phys. A 39, 5629 (2006). Six components are in
the order of Box.h: xx yy zz yz xz xy; tensors of sums over atoms in that of the ledger: xx yy zz xy xz yz.
"""

from __future__ import annotations

from everlet.fixes.integrators.nose_hoover.chain import KINETIC as CHAIN_KINETIC
from everlet.fixes.integrators.nose_hoover.chain import SCALE as CHAIN_SCALE
from everlet.portable import exp, f64, i64, portable, sqrt
from everlet.portable.rows import bring
from everlet.state.control import PLACE, TROUBLE
from everlet.state.ledger import WIDTH

# ---- of the state, which restart files keep
OMEGA, RATE = 0, 6  # strain since the fix was made, and its rate
VOLUME, SHAPE = 12, 13  # the reference volume and inverse shape there, for the deviatoric part
SIGMA = 19  # volume, shape and wanted stress there: a matrix
WANTED, HYDROSTATIC = 28, 34  # target pressures, and their mean
SHARED = 35  # what the motion of the box adds to the rates of velocities
SCALED, OTHERS = 36, 42  # sums of m v v, before the thermostat scaled velocities: of atoms that it scales, of others
MEASURED = 48  # twice the kinetic energy at the end of the step
PRESSURE, STRESS = 49, 50  # the last ones: of all, and by component (ledger's order)
NUMBERS = 56
LO, TILT, HI = 0, 6, 18  # of the box (Box.params): corners, and yz xz xy

# ---- of what a run is made with
(DT, DRAG, NKTV2P, MVV2E, ATOMS, AXES, ISO, MTK, DEVIATORIC, FLAT, PTAIL, BEGIN, END, NRESET, KINETIC, CHAINED, LINKED, TILTED
 ) = range(18)
DRIVEN, MASS, START, STOP, COUPLED, GROWS, POINT, PERIODIC = 18, 24, 30, 36, 42, 45, 48, 51
PARAMETERS = 54

AIM, BEFORE, AFTER = 0, 1, 2  # what a launch does: targets alone; the beginning of a step; its end
FARTHEST = 1.5  # edges: a tilt beyond that within one step is a mistake


@portable
def tensor_place(k: i64):
    """Of a component, in the order of the ledger: the last three are the other way round."""
    place = k
    if k > 2:
        place = 8 - k
    return place


@portable
def of_matrix(h: f64[:], first: i64, row: i64, column: i64):
    """An element of the upper triangular matrix whose six components begin at h[first]."""
    found = 0.0
    if row == column:
        found = h[first + row]
    if row == 0 and column == 1:
        found = h[first + 5]
    if row == 0 and column == 2:
        found = h[first + 4]
    if row == 1 and column == 2:
        found = h[first + 3]
    return found


@portable
def six_of(row: i64, column: i64):
    """The component of row and column of a symmetric matrix."""
    found = row
    if row != column:
        found = 6 - row - column
    return found


@portable
def complete(box: f64[:]):
    """Edges and the inverse of h follow from corners and tilts."""
    for k in range(3):
        box[3 + k] = box[HI + k] - box[LO + k]
        box[9 + k] = 1.0 / box[3 + k]
    box[12] = -box[6] / (box[4] * box[5])
    box[13] = (box[6] * box[8] - box[4] * box[7]) / (box[3] * box[4] * box[5])
    box[14] = -box[8] / (box[3] * box[4])


@portable
def aim(step: i64, given: f64[:], box: f64[:], state: f64[:]):
    """Target pressures of a step; now and then a new reference shape."""
    volume = box[3] * box[4]
    if given[FLAT] == 0.0:
        volume *= box[5]
    renew = state[VOLUME] == 0.0
    every = i64(given[NRESET])
    if every > 0 and given[DEVIATORIC] > 0.0:
        if (step - i64(given[BEGIN])) % every == 0:
            renew = True
    if renew:
        state[VOLUME] = volume
        for k in range(6):
            state[SHAPE + k] = box[9 + k]
    part = f64(step) - given[BEGIN]
    if part != 0.0 and given[END] != given[BEGIN]:
        part /= given[END] - given[BEGIN]
    mean = 0.0
    for k in range(6):
        state[WANTED + k] = given[DRIVEN + k] * (given[START + k] + part * (given[STOP + k] - given[START + k]))
        if k < 3:
            mean += state[WANTED + k]
    state[HYDROSTATIC] = mean / max(given[AXES], 1.0)
    if given[DEVIATORIC] > 0.0:
        for a in range(3):
            for d in range(3):
                total = 0.0
                for b in range(3):
                    for c in range(3):
                        excess = state[WANTED + six_of(b, c)]
                        if b == c:
                            excess -= state[HYDROSTATIC]
                        total += of_matrix(state, SHAPE, a, b) * excess * of_matrix(state, SHAPE, d, c)
                state[SIGMA + 3 * a + d] = state[VOLUME] * total


@portable
def press(scale: f64, virial: f64[:], given: f64[:], box: f64[:], state: f64[:]):
    """Pressures from sums of m v v, times `scale` for atoms under the thermostat, and the virial."""
    volume = box[3] * box[4]
    axes = 2.0
    if given[FLAT] == 0.0:
        volume *= box[5]
        axes = 3.0
    tail = given[PTAIL] / (volume * volume) * given[NKTV2P]
    trace = 0.0
    for k in range(6):
        total = virial[k] + given[KINETIC] * given[MVV2E] * (scale * state[SCALED + k] + state[OTHERS + k])
        if f64(k) < axes:
            trace += total
        state[STRESS + k] = total / volume * given[NKTV2P]
        if k < 3:
            state[STRESS + k] += tail
    if given[FLAT] > 0.0:
        state[STRESS + 2] = 0.0
        state[STRESS + 4] = 0.0
        state[STRESS + 5] = 0.0
    state[PRESSURE] = trace / (axes * volume) * given[NKTV2P] + tail


@portable
def push_rates(kinetic: f64, scale: f64, given: f64[:], box: f64[:], state: f64[:]):
    """Half a step of the rates under the pressure; kinetic: twice the kinetic energy, for one pressure in all directions."""
    volume = box[3] * box[4]
    if given[FLAT] == 0.0:
        volume *= box[5]
    heat = kinetic
    if given[ISO] == 0.0:
        heat = 0.0
        for k in range(3):
            heat += given[DRIVEN + k] * given[MVV2E] * (scale * state[SCALED + k] + state[OTHERS + k])
    heat /= max(given[AXES], 1.0)
    alike = 0.0
    members = 0.0
    for k in range(3):
        alike += given[COUPLED + k] * state[STRESS + k]
        members += given[COUPLED + k]
    shared = 0.0
    for k in range(6):
        pressure = state[STRESS + tensor_place(k)]
        if k < 3:
            if given[COUPLED + k] > 0.0:
                pressure = alike / members
        if given[ISO] > 0.0:
            pressure = 0.0
            if k < 3:
                pressure = state[PRESSURE]
        if k < 3:
            pressure -= state[HYDROSTATIC]
        force = pressure * volume / given[NKTV2P]
        if given[DEVIATORIC] > 0.0:
            a = k
            d = k
            if k > 2:
                a = (5 - k) // 2
                d = 2 - (k // 5)
            stress = 0.0
            for b in range(3):
                for c in range(3):
                    stress += of_matrix(box, 3, a, b) * state[SIGMA + 3 * b + c] * of_matrix(box, 3, d, c)
            force -= stress / given[NKTV2P]
        if k < 3 and given[MTK] > 0.0:
            force += heat / given[ATOMS]
        pushed = (state[RATE + k] + 0.5 * given[DT] * force / given[MASS + k]) * given[DRAG]
        state[RATE + k] = given[DRIVEN + k] * pushed
        if k < 3:
            shared += state[RATE + k]
    state[SHARED] = 0.0
    if given[MTK] > 0.0 and given[AXES] > 0.0:
        state[SHARED] = shared / (given[AXES] * given[ATOMS])


@portable
def turn(place: i64, rate: f64, push: f64, time: f64, given: f64[:], box: f64[:]):
    """A tilt for some time, under its own rate and what pushes it."""
    if given[DRIVEN + 3 + place] > 0.0:
        factor = exp(0.5 * time * rate)
        box[TILT + place] = (box[TILT + place] * factor + time * push) * factor


@portable
def shear(ly: f64, lz: f64, time: f64, given: f64[:], box: f64[:], state: f64[:]):
    """Half of the shear of a step of length `time`: xz for a quarter, yz, xy, xz for another quarter."""
    turn(1, state[RATE], state[RATE + 5] * box[TILT] + state[RATE + 4] * lz, 0.25 * time, given, box)
    turn(0, state[RATE + 1], state[RATE + 3] * lz, 0.5 * time, given, box)
    turn(2, state[RATE], state[RATE + 5] * ly, 0.5 * time, given, box)
    turn(1, state[RATE], state[RATE + 5] * box[TILT] + state[RATE + 4] * lz, 0.25 * time, given, box)


@portable
def deform(time: f64, given: f64[:], box: f64[:], state: f64[:]):
    """Move the box for some time with h' = rates h about a point.

    Shears act for half of the time before the edges grow and for the other half after it, so that the order of
    everything is the same backwards. As in the reference, both use the edges from before.
    """
    ly = box[HI + 1] - box[LO + 1]
    lz = box[HI + 2] - box[LO + 2]
    shear(ly, lz, time, given, box, state)
    for axis in range(3):
        if given[DRIVEN + axis] > 0.0:
            factor = exp(time * state[RATE + axis])
            point = given[POINT + axis]
            box[LO + axis] = (box[LO + axis] - point) * factor + point
            box[HI + axis] = (box[HI + axis] - point) * factor + point
            if axis == 1 and given[GROWS + 2] > 0.0:
                box[TILT + 2] *= factor
            if axis == 2:
                if given[GROWS + 1] > 0.0:
                    box[TILT + 1] *= factor
                if given[GROWS] > 0.0:
                    box[TILT] *= factor
    shear(ly, lz, time, given, box, state)


@portable
def left_of_skin(corners: f64[:], given: f64[:], box: f64[:]):
    """The square of how far atoms may move until lists must be rebuilt: corners of the box have moved, too. corners: the eight
    at the last build, and the skin (neighbor/corners.py)."""
    first = 0.0
    second = 0.0
    for k in range(8):
        a = f64(k % 2)
        b = f64(k // 2 % 2)
        c = f64(k // 4)
        dx = box[3] * a + box[8] * b + box[7] * c + box[0] - corners[3 * k]
        dy = box[4] * b + box[6] * c + box[1] - corners[3 * k + 1]
        dz = box[5] * c + box[2] - corners[3 * k + 2]
        moved = sqrt(dx * dx + dy * dy + dz * dz)
        if given[TILTED] > 0.0:
            if moved > first:
                second = first
                first = moved
            elif moved > second:
                second = moved
        else:
            if k == 0:
                first = moved
            if k == 7:
                second = moved
    reach = max(0.5 * (corners[24] - (first + second)), 0.0)
    return reach * reach


@portable
def move_box(given: f64[:], box: f64[:], state: f64[:], strain: f64[:], cells: f64[:]):
    """The box before, in the middle and after the step, and what its motion does to velocities: factors for a quarter of a
    step, shears in half a step."""
    half = 0.5 * given[DT]
    for k in range(15):
        cells[k] = box[k]
    for turns in range(2):
        for k in range(6):
            state[OMEGA + k] += half * state[RATE + k]
        deform(half, given, box, state)
        complete(box)
        for k in range(15):
            cells[15 * (turns + 1) + k] = box[k]
    for k in range(3):
        strain[k] = exp(-0.25 * given[DT] * (state[RATE + k] + state[SHARED]))
        strain[3 + k] = half * state[RATE + 3 + k]


@portable
def follow(team, phase: i64, measured: i64, contributors: i64, uses: f64[:], sums: f64[:], parameters: f64[:], chain: f64[:],
           chain_size: i64, links: f64[:], links_size: i64, steps: i64[:], corners: f64[:], numbers: f64[:], shape: f64[:],
           strain: f64[:], cells: f64[:], heat: f64[:], strains: f64[:], reach: f64[:], place: i64, control: i64[:]):
    """One part of a step (AIM, BEFORE, AFTER). measured: the host has put pressures and sums into the state.

    chain, links: those of atoms and of the barostat, at the end of a step and ahead; heat, strains: where they are told the
    kinetic energies. steps[0]: the last whole step. One member of the team computes, all of them bring the numbers: a
    single thread of a GPU would wait for memory a hundred times.
    """
    state = scratch(f64, NUMBERS)
    given = scratch(f64, PARAMETERS)
    box = scratch(f64, 21)
    held = scratch(f64, 25)
    virial = scratch(f64, 6)
    bring(state, numbers, 0, NUMBERS)
    bring(given, parameters, 0, PARAMETERS)
    bring(box, shape, 0, 21)
    bring(held, corners, 0, 25)
    for k in team_range(6):
        total = 0.0
        for one in range(contributors):
            total += uses[one] * sums[WIDTH * one + 1 + k]
        virial[k] = total
    barrier()
    if team_rank() == 0:
        complete(box)
        scale = 1.0
        if phase == AIM:
            aim(steps[0], given, box, state)
        if phase == BEFORE:
            if given[LINKED] > 0.0:
                factor = links[links_size + CHAIN_SCALE]
                for k in range(6):
                    state[RATE + k] *= factor
            kinetic = state[MEASURED]
            if given[CHAINED] > 0.0:
                kinetic = chain[chain_size + CHAIN_KINETIC]
                if measured == 0:
                    factor = chain[CHAIN_SCALE] * chain[chain_size + CHAIN_SCALE]
                    scale = factor * factor
            aim(steps[0] + 1, given, box, state)
            if measured == 0:
                press(scale, virial, given, box, state)
            push_rates(kinetic, scale, given, box, state)
            move_box(given, box, state, strain, cells)
            reach[0] = left_of_skin(held, given, box)
            good = abs(box[6]) <= FARTHEST * box[4] and abs(box[7]) <= FARTHEST * box[3] and abs(box[8]) <= FARTHEST * box[3]
            if not good:
                control[PLACE] = place + 1
                control[TROUBLE] = 1
        if phase == AFTER:
            steps[0] += 1
            if measured == 0:
                press(scale, virial, given, box, state)
            total = 0.0
            for k in range(3):
                warm = state[SCALED + k] + state[OTHERS + k]
                heat[k] = warm
                total += warm
            state[MEASURED] = given[MVV2E] * total
            push_rates(state[MEASURED], scale, given, box, state)
            total = 0.0
            for k in range(6):
                total += given[DRIVEN + k] * given[MASS + k] * state[RATE + k] * state[RATE + k]
            strains[0] = total
            strains[1] = 0.0
            strains[2] = 0.0
        if not abs(state[PRESSURE]) < 1.0e300:
            control[PLACE] = place + 1
            control[TROUBLE] = 1
    barrier()
    for k in team_range(NUMBERS):
        numbers[k] = state[k]
    for k in team_range(21):
        shape[k] = box[k]
