"""Loops from the components of an atom to its energy and the slopes of that. A lane is an atom.

All leave the energy of each atom and its slopes with the COMPONENTS numbers, SLOPES of each atom, where a zero follows these if
there is one more; with EV they return the energy. Tables are in tiles (tile_loops.py).

Statics: T tile, MANY several types, COMPONENTS; of a network LAYERS, NODES and PARAMETERS of an element.
"""

from __future__ import annotations

from everlet.forces.manybody.tile_loops import place
from everlet.portable import both, exp, f64, i32, i64, least, most, portable, real, where

SIGMOID, TANH, RELU = 1, 2, 3  # activations; 0: none


@portable
def counted(first: i64, n: i64, mine, energy):
    """The sum over the lanes that have an atom: those of type 0 have none, whatever their components are."""
    return f64(lane_sum(where(both(live(first, n), mine > i32(0)), as_accum(energy), 0.0)))


@portable
def follow(w, begin: i64, n: i64, kind: i32[:], energies: f64[:], linear: real[:], components: real[:], slopes: real[:],
           energy: real[:]):
    """E = c0 + sum of beta B."""
    own = w * W
    bb = place(own, COMPONENTS)
    sb = place(own, SLOPES)
    mine = load(kind, begin + own)
    total = gather(energies, mine, True)
    for k in range(COMPONENTS):
        slope = gather(linear, mine * i32(COMPONENTS) + i32(k), True)
        total += load(components, bb + k * T) * slope
        store(slopes, sb + k * T, slope)
    if SLOPES > COMPONENTS:
        store(slopes, sb + COMPONENTS * T, as_real(lanes(0.0)))
    store(energy, own, as_real(total))
    if EV:
        return counted(begin + own, n, mine, total)


@portable
def bend(w, begin: i64, n: i64, kind: i32[:], energies: f64[:], linear: real[:], quadratic: real[:], components: real[:],
         slopes: real[:], energy: real[:]):
    """E = c0 + sum of beta B + 1/2 sum of B alpha B."""
    own = w * W
    bb = place(own, COMPONENTS)
    sb = place(own, SLOPES)
    zero = as_real(lanes(0.0))
    mine = load(kind, begin + own)
    total = gather(energies, mine, True)
    for k in range(COMPONENTS):
        half = zero
        for m in range(COMPONENTS):
            b = load(components, bb + m * T)
            if MANY:
                half = fma(b, gather(quadratic, (mine * i32(COMPONENTS) + i32(k)) * i32(COMPONENTS) + i32(m), True), half)
            if not MANY:
                half = fma(b, quadratic[(COMPONENTS + k) * COMPONENTS + m], half)
        first = gather(linear, mine * i32(COMPONENTS) + i32(k), True)
        total += load(components, bb + k * T) * fma(half, real(0.5), first)
        store(slopes, sb + k * T, first + half)
    if SLOPES > COMPONENTS:
        store(slopes, sb + COMPONENTS * T, zero)
    store(energy, own, as_real(total))
    if EV:
        return counted(begin + own, n, mine, total)


# ---- networks
@portable
def sigmoid(x):
    return 1.0 / (1.0 + exp(least(most(-x, -700.0), 700.0)))


@portable
def tangent(x):
    """The hyperbolic one."""
    return 1.0 - 2.0 / (1.0 + exp(2.0 * least(most(x, -25.0), 25.0)))


@portable
def activated(x, how: i64):
    value = x
    if how == SIGMOID:
        value = sigmoid(x)
    if how == TANH:
        value = tangent(x)
    if how == RELU:
        value = most(x, x * real(0.0))
    return value


@portable
def steepness(value, how: i64):
    """The slope of an activation, from its value."""
    slope = value * real(0.0) + real(1.0)
    if how == SIGMOID:
        slope = value * (real(1.0) - value)
    if how == TANH:
        slope = fma(-value, value, slope)
    if how == RELU:
        slope = where(value > real(0.0), slope, real(0.0))
    return slope


@portable
def parameter(parameters: real[:], row, k: i64):
    if MANY:
        return gather(parameters, row + i32(k), True)
    if not MANY:
        return parameters[PARAMETERS + k]


@portable
def forwards(source: real[:], start: i64, inputs: i64, outputs: i64, how: i64, first: i64, parameters: real[:], row,
             nodes: real[:], to: i64):
    """A layer: of each node its bias, then the weights of its inputs."""
    zero = as_real(lanes(0.0))
    for o in range(outputs):
        k = first + o * (inputs + 1)
        total = zero + parameter(parameters, row, k)
        for i in range(inputs):
            total = fma(load(source, start + i * T), parameter(parameters, row, k + 1 + i), total)
        store(nodes, to + o * T, activated(total, how))


@portable
def backwards(i: i64, inputs: i64, outputs: i64, first: i64, parameters: real[:], row, nodes: real[:], to: i64):
    """The slope with input i of a layer, from those with what its nodes sum up, which are in their places."""
    total = as_real(lanes(0.0))
    for o in range(outputs):
        total = fma(load(nodes, to + o * T), parameter(parameters, row, first + o * (inputs + 1) + 1 + i), total)
    return total


@portable
def network(w, begin: i64, n: i64, kind: i32[:], shape: i32[:], parameters: real[:], factors: real[:], nodes: real[:],
            components: real[:], slopes: real[:], energy: real[:]):
    """E = the first node of the last layer, times a factor of the type (0 where it has no element).

    shape: of each layer inputs, nodes, activation, first parameter, first node. On the way back slopes take the
    places of values.
    """
    own = w * W
    bb = place(own, COMPONENTS)
    sb = place(own, SLOPES)
    nb = place(own, NODES)
    mine = load(kind, begin + own)
    row = mine * i32(PARAMETERS)
    factor = gather(factors, mine, True)
    forwards(components, bb, i64(COMPONENTS), i64(shape[1]), i64(shape[2]), i64(0), parameters, row, nodes, nb)
    for q in range(1, LAYERS):
        forwards(nodes, nb + i64(shape[5 * q - 1]) * T, i64(shape[5 * q]), i64(shape[5 * q + 1]), i64(shape[5 * q + 2]),
                 i64(shape[5 * q + 3]), parameters, row, nodes, nb + i64(shape[5 * q + 4]) * T)
    last = nb + i64(shape[5 * LAYERS - 1]) * T
    value = load(nodes, last)
    for o in range(i64(shape[5 * LAYERS - 4])):
        store(nodes, last + o * T, factor * real(0.0))
    store(nodes, last, factor * steepness(value, i64(shape[5 * LAYERS - 3])))
    for back in range(1, LAYERS):
        q = LAYERS - back
        before = nb + i64(shape[5 * q - 1]) * T
        for i in range(i64(shape[5 * q])):
            slope = backwards(i, i64(shape[5 * q]), i64(shape[5 * q + 1]), i64(shape[5 * q + 3]), parameters, row, nodes,
                              nb + i64(shape[5 * q + 4]) * T)
            store(nodes, before + i * T, slope * steepness(load(nodes, before + i * T), i64(shape[5 * q - 3])))
    for i in range(COMPONENTS):
        store(slopes, sb + i * T, backwards(i, i64(COMPONENTS), i64(shape[1]), i64(0), parameters, row, nodes, nb))
    if SLOPES > COMPONENTS:
        store(slopes, sb + COMPONENTS * T, factor * real(0.0))
    store(energy, own, factor * value)
    if EV:
        return counted(begin + own, n, mine, factor * value)
