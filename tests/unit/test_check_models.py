"""`everlet check` of learned potentials: good ones pass, and every line can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet.cli import main
from everlet.tools.check_models import check_model
from everlet.tools.model_bench import USUAL, Look
from tests.folders import folder_of
from tests.tables import rows
from tests.unit.test_learned import EMBEDDED

EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = """
import numpy as np

class Good:
    # pairs that end smoothly: E = 2 sum (s12 - s6) w, w = (1 - r2 / rc2)^3
    cutoff, species, units = 2.5, ["A", "B"], "lj"

    def __init__(self, wrong=""):
        self.wrong, self.calls, self.step = wrong, 0, 0

    def pairs(self, r2):
        s6, u = r2**-3, np.maximum(1.0 - r2 / self.cutoff**2, 0.0)
        e, de = 2.0 * (s6 * s6 - s6), (6.0 * s6 - 12.0 * s6 * s6) / r2
        return e * u**3, 2.0 * (de * u**3 - 3.0 * e * u**2 / self.cutoff**2)

    def forces(self, b):
        b = b.numpy()
        r2 = (b.rij**2).sum(axis=1)
        e, slope = self.pairs(r2)
        slopes = slope[:, None] * b.rij
        energy = np.bincount(b.i, e, b.n)
        return self.spoilt(b, energy, slopes, e)

    def spoilt(self, b, energy, slopes, e):
        self.calls += 1
        wrong = self.wrong
        if wrong == "forces":
            slopes = 1.0001 * slopes
        elif wrong == "virial":      # the same forces of atoms, from edges that are not theirs
            f = np.stack([np.bincount(b.i, slopes[:, k], b.n) - np.bincount(b.j, slopes[:, k], b.n) for k in range(3)], axis=1)
            every = np.bincount(b.i, minlength=b.n)
            slopes = f[b.i] / np.maximum(every, 1)[b.i, None]
        elif wrong == "inputs":
            b.rij *= 1.0
            b.rij[:, 0] += 1e-9
        elif wrong == "rotation":
            energy, slopes = energy + np.bincount(b.i, b.rij[:, 0]**2 * b.rij[:, 1]**2, b.n), slopes.copy()
            slopes[:, 0] += 2.0 * b.rij[:, 0] * b.rij[:, 1]**2
            slopes[:, 1] += 2.0 * b.rij[:, 1] * b.rij[:, 0]**2
        elif wrong == "permutation":
            energy = energy * (1.0 + 1e-3 * np.arange(b.n))
        elif wrong == "copies":
            energy = energy + energy.mean() * b.n / 100.0
        elif wrong == "images":
            energy = np.bincount(b.i, e * (b.i != b.j), b.n)
        elif wrong == "repeat":
            energy = energy * (1.0 + 1e-6 * self.calls)
        elif wrong == "forces alone" and not b.want:
            slopes = 1.01 * slopes
        elif wrong == "single":
            slopes, energy = slopes.astype(np.float32), energy.astype(np.float32)
        elif wrong == "alone" and len(b) == 0:
            energy = energy + np.nan
        elif wrong == "empty":
            energy = energy + (3.0 if len(b) else 0.0)
        elif wrong == "species" and b.species.min() == 1:
            energy = energy + np.inf
        elif wrong == "ranks":
            energy = np.where(np.arange(b.n) < b.total, energy, 0.0) * (1.0 if b.total == b.n else 1.01)
        elif wrong == "noisy":
            energy = energy + 0.01 * np.random.default_rng(self.calls).normal()
        elif wrong == "line":
            return energy[0][0]
        return energy, slopes

class Jumps(Good):
    def pairs(self, r2):
        s6 = r2**-3
        return 2.0 * (s6 * s6 - s6), 2.0 * (6.0 * s6 - 12.0 * s6 * s6) / r2

class Messages:
    cutoff, species, units = 2.5, ["A"], "lj"

    def __init__(self, layers=2):
        self.layers = layers

""" + EMBEDDED + """
class Padded(Good):
    padded = True

    def spoilt(self, b, energy, slopes, e):
        real = b.i < b.total
        if self.wrong == "padding":
            energy = energy + 0.001 * len(b)
        return energy[: b.n], np.where(real[:, None], slopes, 0.0)

    def forces(self, b):
        b = b.numpy()
        r2 = (b.rij**2).sum(axis=1)
        e, slope = self.pairs(r2)
        return self.spoilt(b, np.bincount(b.i, e, b.rows), slope[:, None] * b.rij, e)
"""


place = folder_of(m=MODELS)


def said(words: str, good: bool, *only: str, look: Look = USUAL) -> str:
    lines: list[str] = []
    assert check_model(words.split(), lines.append, look, only) is good, lines
    return "\n".join(lines)


def test_a_good_model_passes_all(place: Path) -> None:
    text = said("m.py:Good", True)
    for line in ("forces", "virial", "atoms", "rotation", "permutation", "translation", "repeat", "copies", "alone", "memory"):
        assert f"  {line}: " in text, text
    assert "FAILED" not in text and "cutoff: energies and forces end smoothly: ok" in text
    assert "precision: float64 inside: ok" in text and "inputs: left as they are: ok" in text


def test_a_model_of_kernels(place: Path) -> None:
    text = said(f"{EXAMPLES / 'my_kernel_model.py'}:Compiled", True, "precision", "forces", "virial", "repeat", "copies")
    assert "precision: float64 inside: ok" in text


@pytest.mark.parametrize("wrong, line, message", rows("""
forces -> forces -> forces are not minus the slopes of the energy, off: forces by
virial -> virial -> the virial is not minus the slope of the energy with strain
inputs -> inputs -> it changes b.rij
rotation -> rotation -> if atoms are turned, numbers do not turn with them: energy by
permutation -> permutation -> if atoms come in another order, numbers change: energy by
copies -> copies -> of two copies of the box half is not as one: energy by
repeat -> repeat -> the same atoms give other numbers the second time: energy by
repeat -> memory -> after other frames the first one gives other numbers: energy by
repeat -> atoms -> energies and virials of atoms do not add up to those of all: energy by
forces alone -> forces alone -> forces change if b.want is False: force by
alone -> alone -> not finite numbers
species -> species -> not finite numbers
noisy -> forces -> the energy is not smooth, or noisy
images -> images -> of a box smaller than the cutoff numbers are not half of those of two: energy by
ranks -> ranks -> two ranks give other numbers than one: energy by
"""))
def test_wrong_models_are_caught_by_name(place: Path, wrong: str, line: str, message: str) -> None:
    (place / "m.py").write_text(MODELS.replace('wrong=""', f'wrong="{wrong}"'))
    text = said("m.py:Good", False, line)
    found = next(one for one in text.splitlines() if one.startswith(f"  {line}: FAILED: "))
    assert message in found, text


def test_what_is_said_and_does_not_fail(place: Path) -> None:
    assert "cutoff: of A and A the energy jumps by -1.63e-02 and the force by" in said("m.py:Jumps", True, "cutoff")
    single = said("m.py:Good wrong single", True, "precision", "forces", "rotation")
    assert "precision: float32 inside" in single
    assert "without any pair of atoms B has the energy 0, beside others that it does not see 3" in said(
        "m.py:Good wrong empty", True, "alone")
    assert "neighbours 1.3 apart" in said("m.py:Good", True, "forces", look=Look(1.3))
    assert "species: B alone, 1 others not looked at: ok" in said("m.py:Good", True, "species", look=Look(0.0, ["B"]))
    assert "set up: FAILED: unknown species of model m.py:Good 'C'" in said("m.py:Good", False, look=Look(0.0, ["C"]))


def test_extras_must_be_given(place: Path) -> None:
    (place / "e.py").write_text(MODELS + """
class Sure(Good):
    gives = ("uncertainty",)

    def forces(self, b):
        given = super().forces(b)
        return given if self.wrong else (*given, {"uncertainty": given[0]})
""")
    assert "extras: uncertainty: ok" in said("e.py:Sure", True, "extras")
    assert "extras: FAILED: model e.py:Sure says that it gives uncertainty, and did not" in said("e.py:Sure wrong none", False,
                                                                                                "extras")


def test_layers_must_be_true(place: Path) -> None:
    assert "reach: 0e+00: ok" in said("m.py:Messages", True, "reach", "ranks")
    text = said("m.py:Messages layers 1", False, "reach")
    assert "reach: FAILED: atoms farther away than 1 cutoffs are felt" in text and "layers = 2" in text


def test_calculators_of_others(place: Path) -> None:
    """They find neighbours by themselves, on one rank, and know nothing of single atoms."""
    pytest.importorskip("ase")
    (place / "calc.py").write_text("from ase.calculators.emt import EMT\n")
    lines = ("forces", "virial", "atoms", "copies", "reach", "cutoff", "rotation", "alone", "ranks")
    text = said("ase calc.py:EMT", True, *lines, look=Look(2.6, ["Cu", "Au"]))
    for line in ("atoms", "reach", "cutoff", "ranks"):
        assert f"  {line}: not looked at: " in text, text


def test_padding_must_not_count(place: Path) -> None:
    assert "padding: 0e+00: ok" in said("m.py:Padded", True, "padding")
    assert "padding: FAILED: arrays with padding give other numbers" in said("m.py:Padded wrong padding", False, "padding")


def test_mistakes_of_the_text_are_named_with_their_line(place: Path) -> None:
    line = next(k for k, text in enumerate(MODELS.splitlines(), 1) if "energy[0][0]" in text)
    text = said("m.py:Good wrong line", False)
    assert "call: FAILED: model m.py:Good failed" in text and f"(m.py:{line})" in text and "--spacing" in text
    assert "set up: FAILED: 'm.py' has no class 'Nobody'" in said("m.py:Nobody", False)
    assert "set up: FAILED: pair_style lj/cut 2.5 is no model" in said("lj/cut 2.5", False)


def test_the_command(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """In a process of its own, as styles are."""
    (place / "x.py").write_text("class Nothing:\n    pass\n")
    assert main(["check", "x.py:Nothing"]) == 1
    assert "x.py:Nothing has no method forces(self, b)" in capfd.readouterr().out
    assert main(["check", "x.py"]) == 1
    assert "a learned potential is checked by: everlet check x.py:CLASS" in capfd.readouterr().err
    for words in (["check"], ["check", "x.py:Nothing", "--far", "3"], ["check", "x.py:Nothing", "--spacing"]):
        assert main(words) == 1
    assert main(["check", f"{EXAMPLES / 'my_model.py'}:Linear", "--spacing", "1.1", "--limit", "120"]) == 0
    out = capfd.readouterr().out
    assert "neighbours 1.1 apart" in out and "FAILED" not in out and "forces: " in out
