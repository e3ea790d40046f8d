"""Computes of bispectrum components on several ranks: in thermo output, in variables, in dumps of one file and of many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import parse_dump, parse_log
from tests.oracle.test_sna import script

OUTPUT = """variable one equal c_b[7][3]
dump 2 all custom 4 parts.%.dump id c_d[5*9]
dump_modify 2 format float %.17g
thermo_style custom step pe c_s[1][1] c_s[9][3] c_s[55][29] v_one
thermo_modify format float %.17g
thermo 2
run 4
"""


def values(place: Path) -> dict[int, np.ndarray]:
    """Rows of the last frame of all files, by ID."""
    found = {}
    for path in sorted(place.glob("parts.*.dump")):
        frame = parse_dump(path.read_text())[4]
        found |= {int(id): row for id, *row in np.array(list(frame.values())).T}
    return found


@pytest.mark.parametrize("counts", [(3,), pytest.param((2,), marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(counts: tuple[int, ...], tmp_path: Path) -> None:
    scripts = {"sna": (script(2, 4, "", "some") + OUTPUT, {}), "products": (script(2, 2, "quadraticflag 1") + OUTPUT, {})}
    alone = run_scripts(1, scripts, tmp_path)
    for ranks in counts:
        for name, place in run_scripts(ranks, scripts, tmp_path).items():
            for found, expected in zip(parse_log((place / "run.log").read_text()),
                                       parse_log((alone[name] / "run.log").read_text()), strict=True):
                assert len(found["Step"]) == 3
                for word in expected:
                    np.testing.assert_allclose(found[word], expected[word], rtol=1e-9, atol=1e-9)
            mine, other = values(place), values(alone[name])
            assert len(list(place.glob("parts.*.dump"))) == ranks and sorted(mine) == sorted(other) == list(range(1, 17))
            for id, row in other.items():
                np.testing.assert_allclose(mine[id], row, rtol=1e-9, atol=1e-9)
            frames = (parse_dump((folder / "values.dump").read_text())[4] for folder in (place, alone[name]))
            for found, expected in zip(*(frame.values() for frame in frames), strict=True):
                np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-8)
