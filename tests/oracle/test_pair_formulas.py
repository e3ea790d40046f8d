"""Pair styles that are one formula each: energies, forces, mixing, shift, tail and files of coefficients, as in the reference.

The reference says all of a style in one process; here it is plain Python. Runs of these styles: tests/cases/pairs-*.yaml.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle
from tests.contract.formulas import SAMPLES, Sample
from tests.oracle.reference import launch
from tests.tables import rows
from tests.unit.test_pair_styles import HEAD, TYPE, X, kept, make, sums

VOLUME = 12.0**3


def modifies(sample: Sample) -> list[str]:
    """Arguments of pair_modify to compare with."""
    if not sample.mixes:
        return ["nofdotr", *["shift yes"] * (sample.shift and sample.same_shift)]
    shift = ("no", *["yes" if sample.shift else "no"] * 2)
    return [f"mix {rule} shift {yes}" for rule, yes in zip(("geometric", "arithmetic", "sixthpower"), shift, strict=True)]


def script(name: str, sample: Sample) -> str:
    style = ["pair_style none", f"pair_style {name} {sample.args}", *(f"pair_coeff {line}" for line in sample.lines())]
    lines = ["thermo_style custom step pe etail press", 'thermo_modify norm no format float "%.17g"']
    for k, modify in enumerate(modifies(sample)):
        lines += [*style, f"pair_modify {modify}", "run 0",
                  f'write_dump all custom out.{k} id fx fy fz modify sort id format float "%.17g"']
        if k == 0:
            lines += [f"write_data out.{kind} pair {kind}" for kind in sample.files]
    if sample.tail:
        lines += [*style, "pair_modify tail yes", "run 0"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", SAMPLES)
def test_as_the_reference(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    places = zip(TYPE, X.tolist(), strict=True)
    atoms = "\n".join(f"create_atoms {t} single {x!r} {y!r} {z!r}" for t, (x, y, z) in places)
    (tmp_path / "in.lmp").write_text(HEAD.format(boundary="p p p", atoms=atoms) + script(name, sample))
    done = launch(tmp_path, ["-in", "in.lmp", "-log", "none"])
    text = done.stdout + done.stderr
    found = [tuple(map(float, row)) for row in re.findall(r"E_tail\s+Press\s*\n\s*0\s+(\S+)\s+(\S+)\s+(\S+)", text)]
    assert len(found) == len(modifies(sample)) + sample.tail, text
    for k, modify in enumerate(modifies(sample)):
        style = styled(name, modify)
        energy, force = sums(style)
        theirs = np.loadtxt(tmp_path / f"out.{k}", skiprows=9)[:, 1:]
        assert energy == pytest.approx(found[k][0], rel=1e-12, abs=1e-12), modify
        assert abs(force - theirs).max() <= 1e-12 * max(1.0, abs(theirs).max()), modify
        assert style.mixing_line in text or not style.counts_mixed
    if sample.tail:
        style = styled(name, "tail yes")
        assert style.etail / VOLUME == pytest.approx(found[-1][1], rel=1e-12)
        assert style.ptail / VOLUME**2 == pytest.approx(found[-1][2] - found[0][2], rel=1e-8)
    else:
        with pytest.raises(InputError, match="no tail"):
            styled(name, "tail yes")
    for kind in sample.files:
        section = re.search(r"Pair\w* Coeffs.*?\n\n(.*?)\n\n", (tmp_path / f"out.{kind}").read_text(), re.DOTALL)
        ours = [[short(word) for word in row.split()] for row in styled(name).data_coeffs(kind == "ij")]
        assert section is None or [row.split() for row in section.group(1).split("\n")] == ours  # six digits are in theirs


def styled(name: str, modify: str = "") -> PairStyle:
    sample = SAMPLES[name]
    return make(name, sample.args, list(sample.lines()), modify)


def short(word: str) -> str:
    return word if word[0].isalpha() else f"{float(word):g}"


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.slope])
def test_forces_are_slopes(name: str) -> None:
    style = styled(name)
    for i, j in style.pairs:
        for r in np.linspace(0.85, 0.99 * style.cutoffs[i, j], 17):
            up, down = (style.single((r + h) ** 2, i, j)[1] for h in (1e-5, -1e-5))
            force = style.single(r * r, i, j)[0] * r
            assert force == pytest.approx((down - up) / 2e-5, rel=3e-7, abs=3e-7)


@pytest.mark.parametrize("name", SAMPLES)
def test_restart_files_keep_it(name: str) -> None:
    style = styled(name, "shift yes" if SAMPLES[name].shift else "")
    other = kept(style)
    assert other.single(1.44, 1, 2) == style.single(1.44, 1, 2)


@pytest.mark.parametrize("name, args, line, cause", rows("""
mie/cut -> 2.5 -> 1 1 1 1 6 6 -> powers of repulsion and attraction 6 and 6
nm/cut -> 2.5 -> 1 1 1 0 12 6 -> needs a length above zero
lj/mdf -> 1.5 2.5 -> 1 1 1 1 2.0 -> has 2 distances
lj/smooth -> 2.5 1.5 -> 1 1 1 1 -> 2.5, 1.5 are not its distances inner, cut
wf/cut -> 2.5 -> 1 1 1 1 1.5 1 -> positive whole numbers
cosine/squared -> 1 -> 1 1 1 1 -> goes from sigma 1 to 1
lj/spica -> 2.5 -> 1 1 lj12_7 1 1 -> unknown form 'lj12_7'
lj/cut/soft -> 2 0.5 2.5 -> 1 1 1 0 1 -> sigma must be positive
"""))
def test_refusals(name: str, args: str, line: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        make(name, args, [line])


def test_lambda_is_not_mixed() -> None:
    with pytest.raises(InputError, match="lam of 0.5 and 0.6 differ"):
        make("lj/cut/soft", "2 0.5 2.5", ["1 1 1 1 0.5", "2 2 1 1 0.5", "3 3 1 1 0.6"])


FORMULAS = (
    "k*(r-r0)^2; k=10; r0=1.5", "a; a=b+r; b=2*c; c=r^3", "-r^2+r^-3-r^0.5", "sec(r)+csc(r)+tan(r/3)+cot(r)",
    "asin(r/4)+acos(r/4)+atan(r)", "atan2(r,2*r^2)", "sinh(r)-cosh(r/2)+tanh(r)",
    "erf(r)*erfc(r/2)", "square(r)+cube(r)+recip(r)",
    "min(r,1.5)^2+max(r,1.2)^3",
    "abs(1.3-r)*log(r)", "floor(2*r)*r+ceil(r)*r^2",
    "select(step(r-1.5),r^2,r^3)", "delta(r)+2e-1*r^1.7",
)


def with_formula(formula: str) -> PairStyle:
    style = make("lepton", "2.5", ["* * r"])
    style.coeff(["*", "*", formula])
    style.init()
    return style


def test_formulas_of_lepton(tmp_path: Path) -> None:
    """pair_write of many."""
    lines = [f'pair_coeff * * "{formula}"\npair_write 1 1 7 r 1.03 2.37 out.{k} KEY' for k, formula in enumerate(FORMULAS)]
    head = HEAD.format(boundary="p p p", atoms="") + "pair_style lepton 2.5\n"
    (tmp_path / "in.lmp").write_text(head + "\n".join(lines) + "\n")
    done = launch(tmp_path, ["-in", "in.lmp", "-log", "none"])
    assert not done.returncode, done.stdout + done.stderr
    for k, formula in enumerate(FORMULAS):
        style = with_formula(formula)
        for _, r, energy, force in np.loadtxt(tmp_path / f"out.{k}", skiprows=5):
            found = style.single(r * r, 1, 1)
            assert (found[1], found[0] * r) == pytest.approx((energy, force), rel=1e-11, abs=1e-11), formula


@pytest.mark.parametrize("formula, cause", rows("""
k*r -> 'k'
f(r) -> 'f'
r; 2 = r -> defines no name
a; a=b; b=a -> 'a'
r.real -> no meaning
(r -> is no formula
sqrt(r,r) -> has 2 arguments
"""))
def test_formulas_that_are_none(formula: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        with_formula(formula)
