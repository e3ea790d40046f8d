"""Sums of products of A, in the order in which loops make them.

A term is a product Re(A_a A_b A_c …) with its coefficient. A with m < 0 is (-1)^m times the conjugate of that with m > 0, so
that a factor is (number, conjugated); and a product may be conjugated as a whole. Terms that have all factors but the last in
common are one group:

    A_a A_b (c_1 A_c + c_2 A_d + …)         factors a, b; entries c, d, …; these are conjugated all or none (their m is given)

So most of the work is c A, two multiplications for an entry. Which factor comes last is chosen so that groups are few.

    forward    groups of all terms: the outputs q
    backward   for every A the groups of all terms with it, less this factor: the slope of q with it
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

Factor = tuple[int, bool]
Term = tuple[tuple[Factor, ...], np.ndarray, int]  # factors, coefficients, output (where each has one of its own)


def flipped(factors: Iterable[Factor], real: np.ndarray) -> tuple[Factor, ...]:
    """The product conjugated. What is real (m = 0) stays as it is."""
    return tuple(sorted((k, conjugated != (not real[k])) for k, conjugated in factors))


@dataclass
class Groups:
    """`groups`: rows of first entry, first of its factors, how many, and 1 if entries are conjugated; one row more for the
    end. `factors`: 2 number + conjugated. `ranges`: where groups of each section begin, and the end."""

    ranges: np.ndarray
    groups: np.ndarray
    factors: np.ndarray
    entries: np.ndarray
    outputs: np.ndarray
    coefficients: np.ndarray


class Packer:
    def __init__(self, width: int):
        self.width = width  # coefficients of an entry
        self.ranges, self.groups = [0], list[tuple[int, int, int, int]]()
        self.factors, self.entries, self.outputs = list[int](), list[int](), list[int]()
        self.coefficients = list[np.ndarray]()

    def section(self, terms: list[Term], real: np.ndarray, free: bool, parts: int = 1) -> None:
        """One section of these terms, or several. `free`: products may be conjugated."""
        found = grouped(terms, real, free)
        size = sum(len(entries) + 2 for _, _, entries in found) / parts
        done = ended = 0
        for factors, conjugated, entries in found:
            self.groups.append((len(self.entries), len(self.factors), len(factors), int(conjugated)))
            self.factors += [2 * k + int(other) for k, other in factors]
            for k, values, output in entries:
                self.entries.append(k)
                self.outputs.append(output)
                self.coefficients.append(values)
            done += len(entries) + 2
            if done >= size * (ended + 1) and ended < parts - 1:
                self.ranges.append(len(self.groups))
                ended += 1
        self.ranges += [len(self.groups)] * (parts - ended)

    def packed(self) -> Groups:
        end = (len(self.entries), len(self.factors), 0, 0)
        values = np.array(self.coefficients).reshape(-1, self.width) if self.coefficients else np.zeros((1, self.width))
        rows = [n for row in (*self.groups, end) for n in row]
        ranges, groups, factors, entries, outputs = (np.array(numbers or [0], np.int32) for numbers in (
            self.ranges, rows, self.factors, self.entries, self.outputs))
        return Groups(ranges, groups, factors, entries, outputs, values)


def grouped(terms: list[Term], real: np.ndarray, free: bool
            ) -> list[tuple[tuple[Factor, ...], bool, list[tuple[int, np.ndarray, int]]]]:
    """Terms by what they have in common: again and again that which the most of the rest have."""
    ways: dict[tuple[tuple[Factor, ...], bool, int], dict[int, tuple[int, np.ndarray]]] = defaultdict(dict)
    for t, (factors, values, _) in enumerate(terms):
        for at in range(len(factors)):
            rest, (last, conjugated) = factors[:at] + factors[at + 1 :], factors[at]
            if free:
                other = flipped(rest, real)
                if other < rest:
                    rest, conjugated = other, conjugated != (not real[last])
            ways[rest, conjugated, len(factors)][t] = last, values
    heap = [(-len(found), key) for key, found in ways.items()]
    heapq.heapify(heap)
    done, made = np.zeros(len(terms), bool), []
    while heap:
        size, key = heapq.heappop(heap)
        left = {t: one for t, one in ways[key].items() if not done[t]}
        if len(left) < -size:  # others took some of them
            ways[key] = left
            if left:
                heapq.heappush(heap, (-len(left), key))
            continue
        done[list(left)] = True
        made.append((key[0], key[1], [(last, values, terms[t][2]) for t, (last, values) in left.items()]))
    return sorted(made, key=lambda one: one[:2])  # neighbours begin alike


def merged(terms: Iterable[Term], real: np.ndarray) -> list[Term]:
    """Those that are the same product, or conjugated, added up; those that are zero left out."""
    found: dict[tuple[tuple[Factor, ...], int], np.ndarray] = {}
    for factors, values, output in terms:
        factors = tuple(sorted(factors))
        key = min(factors, flipped(factors, real)), output
        found[key] = found[key] + values if key in found else np.array(values, float)
    return [(factors, values, output) for (factors, output), values in found.items() if np.any(values)]


def slopes(terms: list[Term], real: np.ndarray) -> dict[int, list[Term]]:
    """For every A the products that are left when it is taken out, of terms conjugated so that it is itself not."""
    found: dict[int, dict[tuple[tuple[Factor, ...], int], np.ndarray]] = defaultdict(dict)
    for factors, values, output in terms:
        for at, (k, conjugated) in enumerate(factors):
            rest = factors[:at] + factors[at + 1 :]
            if conjugated:
                rest = flipped(rest, real)
            if real[k]:
                rest = min(rest, flipped(rest, real))
            mine = found[k]
            mine[rest, output] = mine[rest, output] + values if (rest, output) in mine else values
    return {k: [(rest, values, output) for (rest, output), values in mine.items()] for k, mine in found.items()}


def forward(terms: list[list[Term]], real: np.ndarray, width: int, parts: int) -> Groups:
    """Sections of each species: `parts` of them, of about the same work. Where outputs have terms of their own (width 0), one
    for each output of those `parts`."""
    made = Packer(width or 1)
    for mine in terms:
        if width:
            made.section(mine, real, True, parts)
            continue
        own: dict[int, list[Term]] = defaultdict(list)
        for term in mine:
            own[term[2]].append(term)
        for output in range(parts):
            made.section(own[output], real, True)
    return made.packed()


def backward(terms: list[list[Term]], real: np.ndarray, width: int) -> Groups:
    """Sections of each species: one for each A."""
    made = Packer(width or 1)
    for mine in terms:
        found = slopes(mine, real)
        for k in range(len(real)):
            made.section(found.get(k, []), real, bool(real[k]))
    return made.packed()
