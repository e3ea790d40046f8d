"""Published potential files on two ranks against the reference: energy, virial and forces of thermal snapshots."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle import test_agni as agni
from tests.oracle import test_meam as meam
from tests.oracle import test_mliap as mliap
from tests.oracle import test_potentials as potentials
from tests.oracle import test_snap as snap
from tests.oracle.harness import Case, Tolerances, compare, read_result, run_lmp
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)

EXACT = Tolerances(1e-11, 1e-10)
# one file of each style, with several elements where there is one: what ranks send does not depend on the numbers in a file
USUAL = ("Cu_u3.eam", "NiAlH_jea.eam.alloy", "CuZr_mm.eam.fs", "sw-GaN.sw", "sw-threebody-off-GaN.sw", "tersoff-SiC.tersoff",
         "tersoff-mod-Si.tersoff.mod", "tersoff-zbl-SiC.tersoff.zbl", "uf3-3-Nb.uf3", "edip-multi-SiC.edip",
         "WBe_Wood_PRB2019-WBe", "Ni_Zuo_JPCA2020.quadratic-Ni", "mliap-Cu-nn", "mliap-NiMo", "meam-SiC", "meam-HGa",
         "AlCu.adp-Cu-Al", "ffield.eim-Na-Cl", "extep-BN.extep-B-N",
         "polymorphic-FeCH_BOP_I.poly", "meam-spline-TiO.meam.spline", "meam-sw-spline-Ti.meam.sw.spline",
         "Cu_Huan_2019_fp2.agni")


def cases() -> dict[str, tuple[Case, Tolerances]]:
    """All files of the tests on one rank, with their tolerances."""
    found = {row[1]: (potentials.case(*row), EXACT) for row in potentials.FILES}
    found |= {"-".join(row[1:3]).replace(" ", "-"): (potentials.case(*row), EXACT) for row in potentials.ANGULAR}
    for row in potentials.TRIPLES:
        name = "-".join(row[:3] if row[0] == "extep" else row[:2])
        found[name.replace(" ", "-").replace("/", "-")] = potentials.diamond(*row), potentials.limits(row[1])
    for file, elements, lattice in snap.FILES:
        one = snap.case(f"{file}.snapcoeff", f"{file}.snapparam", elements, lattice)
        found[f"{file}-{elements.replace(' ', '')}"] = one, snap.LIMITS.get(file, EXACT)
    for name, *words in mliap.FILES:
        found[f"mliap-{name}"] = mliap.of_files(*words), snap.LIMITS.get(name, EXACT)
    found |= {file: (agni.case(file), Tolerances(1e-9, 1e-8)) for file in agni.FILES if "Huan_2019_fp2" in file}
    found |= {f"meam-{name}": (meam.case(name), EXACT) for name in meam.FILES}
    return found


def test_two_ranks_agree_with_the_reference(cache: Path, tmp_path: Path) -> None:  # noqa: F811
    known = cases()
    assert len(known) == sum(map(len, (potentials.FILES, potentials.ANGULAR, potentials.TRIPLES, snap.FILES, mliap.FILES,
                                       meam.FILES))) + 1
    check({name: known[name] for name in USUAL}, cache, tmp_path)


@pytest.mark.all
def test_all_files_on_two_ranks(cache: Path, tmp_path: Path) -> None:  # noqa: F811
    check({name: one for name, one in cases().items() if name not in USUAL}, cache, tmp_path)


def check(given: dict[str, tuple[Case, Tolerances]], cache: Path, tmp_path: Path) -> None:  # noqa: F811
    scripts = {name: (case.full_script(), {}) for name, (case, _) in given.items()}
    for name, place in run_scripts(2, scripts, tmp_path).items():
        case, limits = given[name]
        found = read_result(place)
        assert "on 2 procs" in found.log
        try:
            allowed = "unknown tag" if name.endswith(".agni") else "in real units to metal"
            compare(found, run_lmp(case.full_script(), {}, cache, allowed=allowed), limits)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
