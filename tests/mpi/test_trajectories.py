"""Dumps that are no tables of atoms: of several ranks the first writes them, as if it were alone."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import run_scripts
from tests.unit.test_readers import SCRIPT

DUMPS = """
dump a all xtc 5 some.xtc
dump b all trr 5 some.trr
dump c all extxyz 5 some.xyz
dump_modify c element Ar Kr dialect ase
"""
LIBRARIES = """
dump d all h5md 5 some.h5md position image velocity force
dump e all gsd 5 some.gsd velocity force
"""
NUMBER = re.compile(r"[-+.\de]*\d")


def test_ranks_agree(tmp_path: Path) -> None:
    with_libraries = all(importlib.util.find_spec(name) is not None for name in ("h5py", "gsd"))
    text = SCRIPT.replace("timestep 0.004", "timestep 0.001") + DUMPS + (LIBRARIES if with_libraries else "") + "run 10\n"
    alone, several = (run_scripts(count, {"dumps": (text, {})}, tmp_path)["dumps"] for count in (1, 2))
    a, b = ((folder / "some.xyz").read_text() for folder in (alone, several))
    assert NUMBER.sub("", a) == NUMBER.sub("", b) and a.count("stress=") == 3
    np.testing.assert_allclose(*(np.array(NUMBER.findall(text), float) for text in (a, b)), rtol=1e-5, atol=1e-6)
    for name in ("some.xtc", "some.trr"):
        a, b = ((folder / name).read_bytes() for folder in (alone, several))
        assert len(a) == len(b)
        if name.endswith("trr"):  # 84 bytes of words, then the edges, x, v, f
            parts = [np.frombuffer(text, np.uint8).reshape(3, -1)[:, 84:].copy().view(">f4") for text in (a, b)]
            np.testing.assert_allclose(*parts, rtol=1e-4, atol=1e-4)
    if not with_libraries:
        pytest.skip("without h5py and gsd")
    import gsd.hoomd
    import h5py

    with h5py.File(alone / "some.h5md") as one, h5py.File(several / "some.h5md") as two:
        for name in ("position", "velocity", "force", "image"):
            np.testing.assert_allclose(*(file[f"particles/all/{name}/value"][:] for file in (one, two)), atol=1e-9)
    with gsd.hoomd.open(alone / "some.gsd") as one, gsd.hoomd.open(several / "some.gsd") as two:
        assert len(one) == len(two) == 3
        for name in ("potential_energy", "temperature", "particles/force"):
            np.testing.assert_allclose(one[2].log[name], two[2].log[name], rtol=1e-6, atol=1e-6)
