"""Files of dump xtc are those of the reference, byte by byte, in all the ways in which places are packed.

Where atoms are 27 000 units of the precision apart, squares overflow in the reference: it then packs the same places otherwise.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp

READ = """
units {units}
atom_modify map array
read_data some.data
pair_style zero 1.0
pair_coeff * *
timestep 0.25
group few id 3:11
group fewer id 3:12
reset_timestep 8
run 0
write_dump all xtc all.xtc
write_dump all xtc fine.xtc modify precision {fine} unwrap yes
write_dump all xtc coarse.xtc modify precision 10 sfactor 0.5 tfactor 2.0
write_dump few xtc few.xtc
write_dump fewer xtc fewer.xtc
dump 1 all xtc 2 grows.xtc
dump_modify 1 sort id
run 4
"""


def places(kind: str) -> tuple[list[float], np.ndarray]:
    """Edges of a box, and positions in it."""
    random = np.random.default_rng(7)
    if kind == "gas":
        return [6.0] * 3, random.uniform(0, 6, (700, 3))
    if kind == "wide":  # numbers that do not fit together: a dense cloud and one atom far away
        return [3000.0, 3.0, 3.0], np.concatenate([random.uniform(0, 2, (500, 3)), [[2990.0, 1.0, 1.0]]])
    if kind == "molecules":  # near atoms one after the other, groups of all sizes
        centres = random.uniform(5, 95, (200, 3))
        return [100.0] * 3, np.concatenate([centre + random.normal(0, size, (k % 14 + 1, 3)) for k, (centre, size) in
                                      enumerate(zip(centres, random.choice([0.02, 0.3, 1.0], 200), strict=True))])
    steps = random.normal(0, 1, (900, 3)) * np.exp(3 * np.sin(np.arange(900) / 50))[:, None]  # distances that grow and shrink
    chain = np.cumsum(steps, axis=0)
    return [1.1 * float(np.ptp(chain))] * 3, chain - chain.min() + 0.01


@pytest.mark.parametrize("kind, units", [("gas", "metal"), ("wide", "real"), ("molecules", "lj"), ("chain", "electron")])
def test_same_bytes(kind: str, units: str, tmp_path: Path) -> None:
    edges, x = places(kind)
    crossings = np.random.default_rng(1).integers(-1, 2, x.shape) if kind != "wide" else np.zeros(x.shape, int)
    script = READ.format(units=units, fine=100_000 if kind == "wide" else 10_000)
    rows = "".join(f"{k} 1 {a:.15g} {b:.15g} {c:.15g} {' '.join(map(str, image))}\n" for k, ((a, b, c), image) in
                   enumerate(zip(x.tolist(), crossings.tolist(), strict=True), 1))
    limits = "".join(f"0 {edge!r} {axis}lo {axis}hi\n" for edge, axis in zip(edges, "xyz", strict=True))
    text = f"places\n\n{len(x)} atoms\n1 atom types\n{limits}\nMasses\n\n1 1.0\n\nAtoms # atomic\n\n{rows}"
    ours = tmp_path / "ours"
    ours.mkdir()
    for folder in (tmp_path, ours):
        (folder / "some.data").write_text(text)
    lmp(tmp_path, script)
    with working_in(ours):
        sim = Simulation(device="serial", log="none", screen="none", tune=False)
        sim.commands(script)
        sim.close()
    for path in sorted(tmp_path.glob("*.xtc")):
        assert (ours / path.name).read_bytes() == path.read_bytes(), path.name
    assert len(list(ours.glob("*.xtc"))) == 6
