"""Models of each part of a contact, pair_style granular and fix wall/gran granular, against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError
from tests.oracle.reference import lmp
from tests.oracle.test_granular import GRAINS, WALLED, begun, frames, ours
from tests.tables import rows

SMOOTH = "hertz 2e5 50.0 tangential linear_nohistory 0.5 0.4"
LINEAR = "hooke 2e5 50.0 tangential linear_history 6e4 0.5 0.4 damping mass_velocity limit_damping"
BOUNCES = "hertz 1e6 0.5 tangential mindlin 1e6 0.5 0.4 damping coeff_restitution"
PAIRS = {
    "mixed": f"1 1 {BOUNCES}|2 2 {BOUNCES.replace('0.5', '0.7')}",
    "materials": "1 1 hertz/material 1e6 0.5 0.3 tangential mindlin NULL 0.5 0.4 damping tsuji|"
                 "2 2 hertz/material 2e6 0.7 0.2 tangential mindlin NULL 0.8 0.3 damping tsuji",
    "each its own": f"1 1 {LINEAR}|2 2 hooke 2e5 0.5 tangential linear_history 6e4 0.5 0.4 damping tsuji|1 2 {SMOOTH}",
    "sticking": "1 1 jkr 1e6 50 0.3 10 tangential mindlin 8e5 1.0 0.5|2 2 jkr 2e6 40 0.2 20 tangential mindlin 7e5 1.0 0.4",
    "rescaled": "* * hertz 1e6 50 tangential mindlin_rescale/force 1e6 0.5 0.4|"
                "2 2 hertz/material 1e6 50 0.3 tangential mindlin_rescale NULL 0.5 0.4",
    "rolling": "1 1 hertz/material 1e6 50 0.3 tangential mindlin 2e5 0.5 0.4 rolling sds 1e4 20 0.2 twisting marshall|"
               "2 2 hooke 2e5 50 tangential linear_history 6e4 0.5 0.4 twisting sds 200 3 0.2|1 2 dmt 1e6 50 0.3 10 "
               "tangential mindlin NULL 0.5 0.4 rolling sds 1e3 2 0.2",
    "attracted": "* * dmt 1e6 50 0.3 10 tangential mindlin/force NULL 0.5 0.4|"
                 "2 2 hertz 2e5 50 tangential linear_history 6e4 0.5 0.4 damping velocity",
}
PLANES = "zplane -2.9 NULL|xplane -2.8 2.7 shear y 0.4|yplane NULL 2.2 wiggle y 0.1 0.05"
CYLINDER = "zplane -2.9 2.5|zcylinder 2.6"
WALLS = {
    "planes": ("hertz/material 1e4 0.5 0.3 tangential mindlin NULL 0.5 0.4 damping tsuji", PLANES),
    "sticky": ("jkr 1e4 5.0 0.3 5 tangential mindlin NULL 0.5 0.4 twisting marshall", PLANES),
    "rolling": ("hertz 1e4 5.0 tangential mindlin_rescale 3000 0.5 0.4 rolling sds 500 20 0.3 twisting sds 200 3 0.2",
                f"{PLANES}|zcylinder 2.9".replace("xplane -2.8 2.7 shear y 0.4|", "")),
    "cylinder": ("dmt 1e4 5.0 0.3 5 tangential mindlin/force NULL 0.5 0.4", CYLINDER),
}


def compare(folder: Path, text: str) -> None:
    lmp(folder, text.replace("WHOSE", "lmp"))
    ours(folder, text.replace("WHOSE", "ours"))
    mine, wanted = frames(folder / "forces.ours"), frames(folder / "forces.lmp")
    assert len(mine) == len(wanted) > 100
    for columns in (slice(1, 4), slice(4, 7), slice(7, 10), slice(10, 13)):
        size = np.abs(wanted[:, columns]).max()
        np.testing.assert_allclose(mine[:, columns], wanted[:, columns], rtol=1e-10, atol=1e-10 * size)


@pytest.mark.parametrize("pairs", PAIRS)
def test_models(tmp_path: Path, pairs: str) -> None:
    lines = "\n".join(f"pair_coeff {line}" for line in PAIRS[pairs].split("|"))
    text = GRAINS.format(newton="off", pair="granular", freeze="fix 1 still freeze", whose="WHOSE")
    if pairs == "rolling":  # the reference turns signs where lists are built anew
        lines += "\nneighbor 0.6 bin\nneigh_modify every 1 delay 100 check no"
        return compare(tmp_path, text.replace("pair_coeff * *", lines).replace("custom 40", "custom 20") + "run 20\n")
    compare(tmp_path, text.replace("pair_coeff * *", lines) + "run 40\nrun 20\n")


@pytest.mark.parametrize("walls", WALLS)
def test_walls(tmp_path: Path, walls: str) -> None:
    style, where = WALLS[walls]
    lines = [f"fix w{k} all wall/gran granular {style} {one}" for k, one in enumerate(where.split("|"))]
    compare(tmp_path, WALLED.format(fixes="\n".join(lines), whose="WHOSE"))


@pytest.mark.parametrize("line, cause", rows("""
hooke 1 1 -> needs a tangential model
hooke 1 1 tangential mindlin NULL 1 1 -> hooke has none
hooke -1 1 tangential linear_nohistory 1 1 -> k of -1
mdr 1 1 1 1 1 1 tangential linear_nohistory 1 1 -> mdr is not available
hooke 1 1 tangential linear_history_classic 1 1 1 -> linear_history_classic is not available
hooke 1 2 tangential linear_nohistory 1 1 damping coeff_restitution -> restitution of 2
hertz/material 1 1 1.0 tangential linear_nohistory 1 1 -> ratio of 1
jkr 1 1 2.0 1 tangential mindlin NULL 1 1 -> ratio of 2
dmt 1 1 0 1 tangential linear_nohistory 1 1 damping tsuji -> tsuji is not for dmt
dmt 1 1 0 1 tangential linear_nohistory 1 1 limit_damping -> limit_damping is not for dmt
hooke 1 1 tangential linear_nohistory 1 1 heat area 1 -> heat of granular styles
jkr 1 1 0 1 tangential linear_nohistory 1 1 damping tsuji -> tsuji is not for jkr
hooke 1 1 tangential linear_nohistory 1 1 rolling tds -> unknown rolling model 'tds'
hooke 1 1 tangential linear_nohistory 1 1 soft -> unknown word 'soft'
"""))
def test_refused(line: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        begun().commands(f"pair_style granular\npair_coeff * * {line}")


def test_unlike_models_are_not_mixed() -> None:
    with pytest.raises(InputError, match="types 1 and 2 cannot be mixed"):
        begun().commands(f"pair_style granular\npair_coeff 1 1 {LINEAR}\npair_coeff 2 2 {SMOOTH}\nrun 0")
