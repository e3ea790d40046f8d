"""everlet study padding: lanes that registers of some width leave idle."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.lab.results import OUT, Outcome, Row, lines_over, outcome, plot, study
from everlet.perf import options
from everlet.perf.runs import Case, prepared

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.positive, 32000), "cutoff": (options.length, 2.5), "steps": (options.positive, 100), **OUT}
WIDTHS = (4, 8, 16, 32, 64)  # numbers of 32 bits in 128 … 2048
PUBLISHED = {"neighbours": (3.2, 9.4, 18.2, 45.0, 71.6), "atoms": (1.4, 2.5, 4.5, 10.6, 26.3),
             "resolved": (1.7, 3.5, 6.6, 13.7, 33.2)}
BLOCK = 128  # atoms that are sorted by the lengths of their rows
SAMPLED = 200  # windows in which conflicts are resolved

WASTE = {key: key for part in PUBLISHED for key in (part, f"published {part}")}
plot("padding")(lines_over("bits", "bits of a register", WASTE, "percent of lanes added", log=True))


def across_neighbours(counts: np.ndarray, width: int) -> float:
    """Percent of lanes added when each row is filled up to whole registers.

    >>> round(across_neighbours(np.array([4, 6]), 4), 9)
    20.0
    """
    return float(100.0 * ((-(-counts // width) * width).sum() / counts.sum() - 1.0))


def across_atoms(counts: np.ndarray, width: int) -> float:
    """The same when W atoms, sorted by the lengths of their rows in blocks, walk them together."""
    block = max(BLOCK, width)
    n = len(counts) // block * block
    windows = np.sort(counts[:n].reshape(-1, block), axis=1).reshape(-1, width)
    return float(100.0 * (windows.max(axis=1).sum() * width / windows.sum() - 1.0))


def resolved(rows: list[np.ndarray], width: int) -> float:
    """The same when in every step the W neighbours must be different atoms: the longest rows choose first."""
    lanes = used = 0
    for first in range(0, len(rows) - width + 1, width):
        left = [list(row) for row in rows[first : first + width]]
        while any(left):
            taken: set[int] = set()
            for row in sorted((row for row in left if row), key=len, reverse=True):
                pick = next((k for k, atom in enumerate(row) if atom not in taken), None)
                if pick is not None:
                    taken.add(row.pop(pick))
            lanes += width
            used += len(taken)
    return 100.0 * (lanes / max(used, 1) - 1.0)


@study("padding")
def padding(words: list[str]) -> Outcome:
    """everlet study padding [--atoms 32000] [--cutoff 2.5] [--steps 100] [--out FOLDER]

    How many lanes are added to rows of the half list of a melt by registers of 128 to 2048 bits (numbers of 32): lanes along
    the neighbours of an atom, along atoms, and along atoms such that no two write to the same neighbour."""
    given = options.parse(words, KNOWN, "everlet study padding [options]; see everlet study --help")
    counts, neighbours = rows_of(given["atoms"], given["cutoff"], given["steps"])
    blocks = len(counts) // BLOCK
    order = np.argsort(counts[: blocks * BLOCK].reshape(-1, BLOCK), axis=1) + BLOCK * np.arange(blocks)[:, None]
    rows: list[Row] = []
    for k, width in enumerate(WIDTHS):
        picked = [neighbours[i] for i in order.ravel()[: min(SAMPLED * width, 4096) // width * width]]
        rows.append({"bits": 32 * width, "lanes": width, "neighbours": across_neighbours(counts, width),
                     "published neighbours": PUBLISHED["neighbours"][k], "atoms": across_atoms(counts, width),
                     "published atoms": PUBLISHED["atoms"][k], "resolved": resolved(picked, width),
                     "published resolved": PUBLISHED["resolved"][k]})
    better = all(row["atoms"] <= row["neighbours"] for row in rows)
    said = (f"lanes along atoms waste {'less' if better else 'not always less'} than lanes along neighbours, and the more so "
            f"the wider registers are: the source's conclusion {'holds' if better else 'does not hold'} here")
    return outcome(given, "padding", rows, {"bits": "bits", "lanes": "lanes", **{key: f"{key} %" for key in WASTE}}, said)


def rows_of(atoms: int, cutoff: float, steps: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Lengths and entries of the rows of a melted system."""
    sim = prepared(Case(atoms, cutoff, steps, scheme="half"))
    sim.run(steps, post=False)
    near = sim.lists
    assert near is not None
    n = sim.system.atoms.n
    counts = near.count.get()[:n].astype(np.int64)
    entries = near.neigh.get()
    first = 8 * near.first.get()[:n].astype(np.int64) if near.dense else near.si * np.arange(n)
    return counts, [entries[begin : begin + many] for begin, many in zip(first.tolist(), counts.tolist(), strict=True)]
