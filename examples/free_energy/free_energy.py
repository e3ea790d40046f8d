"""Join the histograms of in.umbrella: the free energy along x by the weighted histogram method, beside the exact one.

    everlet run in.umbrella && python free_energy.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np


def histograms(folder: Path = Path(".")) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Middles of the bins, counts of each window, places of the springs."""
    counts = []
    for window in range(1, 14):
        rows = [line.split() for line in (folder / f"umbrella.{window}.out").read_text().splitlines() if line[0] != "#"]
        table = np.array([row for row in rows if len(row) == 4], dtype=float)[-80:]
        counts.append(table[:, 2])
    return table[:, 1], np.array(counts), -1.5 + 0.25 * np.arange(13)


def wham(x: np.ndarray, counts: np.ndarray, places: np.ndarray, k: float = 20.0, t: float = 1.0) -> np.ndarray:
    """-kT ln p(x) without the springs k/2 (x - place)^2; the smallest value is 0."""
    bias = np.exp(-0.5 * k * (x[None, :] - places[:, None]) ** 2 / t)
    total, samples = counts.sum(axis=0), counts.sum(axis=1)
    weight = np.ones(len(places))
    for _ in range(2000):
        p = total / ((samples * weight) @ bias)
        weight = 1.0 / (bias @ p)
    with np.errstate(divide="ignore"):
        free = -t * np.log(p)
    return np.asarray(free - free[np.isfinite(free)].min())


if __name__ == "__main__":
    x, counts, places = histograms()
    for place, energy in zip(x, wham(x, counts, places), strict=True):
        print(f"{place:6.3f} {energy:8.4f} {4 * (place**2 - 1) ** 2:8.4f}")
