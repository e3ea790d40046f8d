"""The kernels of pair style snap compile for a GPU, whether there is one or not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet.engine import Engine
from everlet.script.parser import Script
from tests.contract.test_ptx import EXTERNAL, PAPER, Asked, ptx
from tests.unit.test_snap import write


@pytest.mark.parametrize("flags, quadratic, channels", [("bzeroflag 0", False, 1), ("chemflag 1\nquadraticflag 1", True, 2)])
def test_kernels_compile_to_ptx(flags: str, quadratic: bool, channels: int, tmp_path: Path) -> None:
    write(tmp_path, 4, flags, 2, quadratic, channels)
    engine = Engine(PAPER, "double")
    engine.script = Script(engine)
    engine.script.text("units metal\nregion box block 0 9 0 9 0 9 units box\ncreate_box 2 box\nmass * 1.0\npair_style snap\n"
                       f"pair_coeff * * {tmp_path / 'my.snapcoeff'} {tmp_path / 'my.snapparam'} A B\nfix 1 all nve", "paper")
    engine.system.atoms.append(x=np.ones((1, 3)), type=1, id=1)

    def asked(space: object, kernels: list) -> None:
        raise Asked(kernels)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("everlet.timestep.warm", asked)
        with pytest.raises(Asked) as caught:
            engine.setup()
    found = [kernel for kernel in caught.value.args[0] if "snap" in kernel.body.body.__module__]
    assert len(found) == 9
    for kernel in found:
        text = ptx(kernel)
        assert text.count(".visible .entry") == 1 and not EXTERNAL.search(text)
