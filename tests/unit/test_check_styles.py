"""`everlet check` of fixes, computes and bonds: those of examples/ pass, and every check can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet.cli import main
from everlet.tools.check import check_plugin
from everlet.tools.check_apart import LIMIT, check_apart

EXAMPLES = Path(__file__).parents[2] / "examples"

BOND = """
from everlet import BondStyle, bond_style, portable

@bond_style("test/wrong")
class Wrong(BondStyle):
    coeffs = ("k",)

    @portable
    def bond(r2, p):
        return -2.001 * p.k, p.k * r2
"""

FIX = """
import numpy as np
from everlet import EXTENSIVE, Fix, Gives, fix_style, portable
from everlet.portable import f64, parallel_for

@portable
def push(i, v: f64[:, 3], f: f64[:, 3], by: f64[:], factor: f64):
    f[i, 0] += factor * by[i]
    v[i, 1] += 0.01

@fix_style("test/wrong")
class Wrong(Fix):
    steady = True
    gives = Gives(vector=EXTENSIVE, length=3)
    writes = ("f",)

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        self.by = np.arange(system.atoms.n) / 100.0  # belongs to rows, not to atoms
        self.calls = 0
        if "left_over" not in system.atoms.fields:
            system.atoms.add_field("left_over", np.float64)

    def post_force(self):
        atoms = self.system.atoms
        self.calls += 1
        factor = 0.01 * self.calls + (1e-4 if self.system.space.threads > 1 else 0.0)
        parallel_for(self.system.space, atoms.n, push, atoms.view("v"), atoms.view("f", modify=True), self.by, factor)

    def end_of_step(self):
        self.system.atoms.read("x")

    def final_integrate(self):
        self.calls += 1

    def scalar(self):
        return 1.0

    def vector(self):
        return np.zeros(2)
"""

COMPUTE = """
import numpy as np
from everlet import EXTENSIVE, INTENSIVE, Compute, Gives, compute_style

@compute_style("test/wrong")
class Wrong(Compute):
    gives = Gives(scalar=INTENSIVE, vector=EXTENSIVE, length=1)

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        if "left_over" not in system.atoms.fields:
            system.atoms.add_field("left_over", np.float64)

    def scalar(self):
        atoms = self.system.atoms
        atoms.edit("f")[0, 0] += 1.0
        return float((atoms.read("v")[:, 0] * np.arange(atoms.n)).sum())

    def vector(self):
        return np.array([1.0 + 1e-9 * (self.system.space.name == "reference")])
"""

SHAPES = """
import numpy as np
from everlet import Compute, Gives, compute_style

@compute_style("test/shape")
class Shape(Compute):
    gives = Gives(columns=2, scalar="extensive")

    def peratom(self):
        return np.zeros((self.system.atoms.n, 3))
"""

ARGUMENTS = """
from everlet import Fix, fix_style

@fix_style("test/arguments")
class Arguments(Fix):
    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        self.number = float(args[0])
"""


def failures(text: str, folder: Path, good: bool = False) -> str:
    (folder / "mine.py").write_text(text)
    said: list[str] = []
    assert check_plugin(str(folder / "mine.py"), said.append) is good
    return "\n".join(said)


def says(said: str, lines: tuple[str, ...]) -> None:
    for line in lines:
        assert line in said, said


def test_wrong_bond(tmp_path: Path) -> None:
    said = failures(BOND, tmp_path)
    assert "largest relative error 5.0e-04" in said and "FAILED" in said and "serial: ok" in said


def test_wrong_fix(tmp_path: Path) -> None:
    said = failures(FIX, tmp_path)
    for line in (
        "on threads(2): FAILED: after 10 steps x differs",
        "atoms change places: FAILED: if atoms are sorted, x differs",
        "restart: FAILED: a run continued from a file goes another way: x differs",
        "writes: FAILED: post_force changes 'v', which is not declared -> writes = ('f', 'v') (mine.py:",
        "modify: FAILED: post_force changes 'v' through a view that is for reading -> atoms.view(\"v\", modify=True) (mine.py:",
        "outputs: FAILED: there is a method scalar(), but gives does not declare it",
        "outputs: FAILED: vector() has the shape (2,), not (3,)",
        "steady: FAILED: post_force launches other kernels, or the same with other arguments",
        "steady: FAILED: end_of_step cannot be replayed: it asks the host for 'x' of atoms",
        "steady: FAILED: final_integrate changes self.calls",
        "unfix: FAILED: field left_over stays",
    ):
        if "threads(2)" not in line or "threads(2)" in said:
            assert line in said, said
    assert "on reference: ok" in said


def test_wrong_compute(tmp_path: Path) -> None:
    said = failures(COMPUTE, tmp_path)
    says(said, (
        "on reference: FAILED: vector differs by 1.0e-09",
        "order of atoms: FAILED: if the same atoms are stored in another order, scalar differs",
        "copies: FAILED: of two copies of the system",
        "writes: FAILED: it changes f of the atoms",
        "uncompute: FAILED: field left_over stays",
    ))


def test_wrong_shapes(tmp_path: Path) -> None:
    said = failures(SHAPES, tmp_path)
    assert "outputs: FAILED: gives declares scalar, but there is no method scalar() -> write it (mine.py:6)" in said
    assert "outputs: FAILED: peratom() has the shape (256, 3), not (256, 2)" in said


def test_a_fault_of_the_text_is_named_with_its_line(tmp_path: Path) -> None:
    said = failures(ARGUMENTS, tmp_path)
    assert "set up: FAILED: IndexError: list index out of range (mine.py:8)" in said and "the class attribute example" in said


@pytest.mark.parametrize("name", ["my_fix", "my_tether", "my_compute", "my_bond"])
def test_examples_pass(name: str) -> None:
    said: list[str] = []
    assert check_plugin(str(EXAMPLES / f"{name}.py"), said.append), said
    assert not any("FAILED" in line for line in said) and any("reference: ok" in line for line in said)


# ---- indices, crashes, loops without an end
INDEX = """
import numpy as np
from everlet import Fix, fix_style, portable
from everlet.portable import f64, parallel_for, sqrt

@portable
def push(i, f: f64[:, 3], by: f64[:]):
    k = 2 * i
    OFFENCE

@fix_style("test/index")
class Index(Fix):
    writes = ("f",)

    def post_force(self):
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, push, atoms.view("f", modify=True), np.zeros(atoms.n))
"""
CRASH = """
import ctypes
from everlet import Fix, fix_style

@fix_style("test/crash")
class Crash(Fix):
    def end_of_step(self):
        ctypes.string_at(8)
"""
NOT_A_NUMBER = """
from everlet import EXTENSIVE, Compute, Gives, compute_style

@compute_style("test/nan")
class Nan(Compute):
    gives = Gives(scalar=EXTENSIVE)

    def scalar(self):
        return float("nan")
"""


@pytest.mark.parametrize("offence, said", [
    ("by[k] = 1.0", "mine.py:9: in kernel 'push': element 256 of 'by', which has 256"),
    ("by[i - 1] = 1.0", "mine.py:9: in kernel 'push': element -1 of 'by', which has 256"),
    ("f[i, k - i] = 1.0", "mine.py:9: in kernel 'push': index 3 of a view with 3 values per item"),
    ("atomic_add(by, k - 500, 1.0)", "mine.py:9: in kernel 'push': element -500 of 'by', which has 256"),
    ("f[i, 0] = sqrt(i - 100.0)", "mine.py:9: in kernel 'push': ValueError: "),
])
def test_an_index_out_of_bounds_is_named_before_compiled_code_meets_it(offence: str, said: str, tmp_path: Path) -> None:
    found = failures(INDEX.replace("OFFENCE", offence), tmp_path)
    assert said in found and "serial" not in found, found


def test_values_that_are_no_numbers_are_said_once(tmp_path: Path) -> None:
    found = failures(NOT_A_NUMBER, tmp_path)
    assert found.count("FAILED") == 1 and "values: FAILED: scalar: not a number, or infinite" in found, found


@pytest.mark.parametrize("text, limit, said", [
    (CRASH, LIMIT, "FAILED: the process was ended by SIGSEGV"),
    ("\nwhile True: pass\n", 2.0, "FAILED: no answer within 2 seconds"),
    ("import os\nos._exit(0)\n", LIMIT, "FAILED: the process ended with status 0"),
])
def test_a_plugin_that_ends_the_process_is_reported(text: str, limit: float, said: str, tmp_path: Path) -> None:
    file, lines = tmp_path / "mine.py", list[str]()
    file.write_text(text)
    assert not check_apart([str(file)], limit, lines.append)
    assert said in lines[-1], lines
    place = "(mine.py:8, in end_of_step)" if text is CRASH else "(mine.py:2, in <module>)" if "while" in text else ""
    assert lines[-1].endswith(place), lines


def test_the_command_checks_in_another_process(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text("import not_there\n")
    assert main(["check", str(tmp_path / "mine.py")]) == 1
    assert "mine.py' in line 1 needs not_there, which is not installed" in capfd.readouterr().err
    assert main(["check", "mine.py", "--limits", "3"]) == 1
    assert "did you mean --limit?" in capfd.readouterr().err
