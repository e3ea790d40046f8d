"""compute reduce against the reference, for modes, groups and components of atoms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.computes.reductions.reduce import MODES
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp
from tests.oracle.test_sna import script

WRONG = ("minabs",)  # 1e20 or 0 for any values in the reference
WRONG_VECTOR = ("sumabs", "aveabs")  # of several inputs the reference gives what was in memory


def both(folder: Path, text: str, words: list[str], steps: int = 4) -> tuple[dict, dict]:
    end = f"thermo_style custom step {' '.join(words)}\nthermo_modify format float %.17g\nthermo 2\nrun {steps}\n"
    expected = parse_log(lmp(folder, text + end))[0]
    sim = Simulation(device="serial", log="none")
    sim.commands(text + end)
    found = sim.thermo.table()
    sim.close()
    return {word: found[word] for word in words}, {word: np.asarray(expected[word]) for word in words}


def agree(found: dict, expected: dict) -> None:
    for word, values in expected.items():
        assert len(values) == 3
        np.testing.assert_allclose(found[word], values, rtol=1e-9, atol=1e-9, err_msg=word)


def atoms() -> str:
    """A warm crystal with a compute of components."""
    text = script(2, 2, "", "some")
    return text[: text.index("compute d")] + "region half block 0 1 INF INF INF INF\ngroup none empty\nvariable m atom x-vy\n"


@pytest.mark.parametrize("group", ["all", "some", "none"])
def test_modes(group: str, tmp_path: Path) -> None:
    text, words = atoms(), []
    for mode in MODES:
        if mode in WRONG:
            continue
        text += f"compute a{mode} {group} reduce {mode} vy\ncompute r{mode} {group} reduce/region half {mode} v_m\n"
        words += [f"c_a{mode}", f"c_r{mode}"]
        if mode not in WRONG_VECTOR:
            text += f"compute s{mode} {group} reduce {mode} x y z vx vy vz fx fy fz\n"
            words += [f"c_s{mode}[{k}]" for k in range(1, 10)]
    agree(*both(tmp_path, text, words))


def test_components_and_ranges(tmp_path: Path) -> None:
    text = atoms() + ("compute r all reduce sum c_b[*]\ncompute q some reduce ave x c_b[2*4] v_m\n"
                      "compute p all reduce sum c_b[*2]\ncompute o all reduce max c_b[4*] inputs peratom\n"
                      "variable d equal c_r[5]-c_p[1]*c_q[3]\n"
                      "compute n all reduce min c_b[1] x y c_b[2] replace 3 1 replace 4 2\n")
    words = [*(f"c_r[{k}]" for k in range(1, 6)), *(f"c_q[{k}]" for k in range(1, 6)), "c_p[2]", "c_o[1]", "c_o[2]", "v_d",
             *(f"c_n[{k}]" for k in range(1, 5))]
    agree(*both(tmp_path, text.replace("compute b some", "compute b all"), words))
