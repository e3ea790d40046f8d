"""Pair styles: force = -dE/dr, closed forms, and the reference engine's numbers (energy, forces, tail, files)."""

import json
import math
import re
import shutil
from itertools import combinations

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.portable.spaces import Serial
from everlet.state.system import System
from tests.oracle.reference import launch
from tests.tables import rows

X = np.array([[5.0, 5, 5], [6.1, 5.2, 4.9], [5.3, 6.3, 5.4], [4.2, 5.6, 6.1], [5.9, 4.1, 5.8], [6.4, 6.2, 5.9]])
TYPE = np.array([1, 2, 1, 3, 2, 3])

# style: pair_style arguments, coefficients of 11, 22, 33 and then, where the style cannot mix, 12 13 23
CASES = {
    "lj/cut": ("2.5", ["1.0 1.0", "1.3 0.9 2.2", "0.7 1.1"]),
    "lj96/cut": ("2.5", ["1.0 1.0", "1.3 0.9 2.2", "0.7 1.1"]),
    "lj/expand": ("2.0", ["1.0 1.0 0.1", "1.3 0.8 0.2 2.2", "0.7 0.9 -0.1"]),
    "morse": ("2.5", ["1.0 2.0 1.1", "1.3 1.9 1.2 2.2", "0.7 2.2 0.9", "0.3 2.2 1", "0.8 2.1 0.9", "1.7 1.2 1"]),
    "buck": ("2.5", ["900 0.2 1.1", "800 0.19 1.2 2.2", "1000 0.22 0.9", "650 0.21 1", "770 0.2 0.9", "1700 0.2 1"]),
    "born": ("2.5", ["1 0.2 1 1.1 0.3", "2 0.19 1 1.2 0.2 2.2", "3 0.22 1.1 0.9 -0.1", "1 0.21 1 1 1", "2 0.2 0.9 1 1",
                     "3 0.2 1 0 0"]),
    "yukawa": ("1.7 2.5", ["1.5", "2.0 2.2", "0.7"]),
    "soft": ("2.5", ["1.5", "2.0 2.2", "0.7"]),
    "gauss": ("2.5", ["1.5 0.8", "-2.0 1.1 2.2", "0.7 0.9"]),
    "zero": ("2.5", ["", "2.2", ""]),
}
TAILS = ["lj/cut", "lj96/cut", "lj/expand", "buck", "born"]
ORDER = ["1 1", "2 2", "3 3", "1 2", "1 3", "2 3"]
HEAD = """units lj
boundary {boundary}
region b block 0 12 0 12 0 12
create_box 3 b
{atoms}
mass * 1
"""

needs_lmp = pytest.mark.skipif(shutil.which("lmp") is None, reason="the reference engine is not installed")


def make(name: str, args: str, lines: list[str], modify: str = "") -> PairStyle:
    system = System(Serial())
    system.masses = np.ones(4)
    system.atoms.append(x=X, type=TYPE, id=np.arange(1, len(X) + 1))
    style = pair_style[name](system, args.split())
    for line in lines:
        style.coeff(line.split())
    if modify:
        style.modify(modify.split())
    style.init()
    return style


def lines_of(name: str) -> tuple[str, list[str]]:
    args, coeffs = CASES[name]
    return args, [f"{pair} {values}" for pair, values in zip(ORDER, coeffs, strict=False)]


def case(name: str, modify: str = "") -> PairStyle:
    return make(name, *lines_of(name), modify)


def sums(style: PairStyle) -> tuple[float, np.ndarray]:
    """Energy and forces of the six atoms by plain Python."""
    return sums_of(style, X, TYPE)


def sums_of(style: PairStyle, x: np.ndarray, type: np.ndarray) -> tuple[float, np.ndarray]:
    energy, force = 0.0, np.zeros_like(x)
    for i, j in combinations(range(len(x)), 2):
        d = x[i] - x[j]
        f, e = style.single(float(d @ d), int(type[i]), int(type[j]))
        energy += e
        force[i] += f * d
        force[j] -= f * d
    return energy, force


def lmp(folder, script: str, boundary: str = "f f f") -> str:
    places = zip(TYPE, X.tolist(), strict=True)
    atoms = "\n".join(f"create_atoms {t} single {x!r} {y!r} {z!r}" for t, (x, y, z) in places)
    (folder / "in.lmp").write_text(HEAD.format(boundary=boundary, atoms=atoms) + script)
    done = launch(folder, ["-in", "in.lmp", "-log", "none"])
    return done.stdout + done.stderr


def reference(folder, name: str, args: str, lines: list[str], extra: str = "", boundary: str = "f f f"):
    """pe, etail, press and forces of the reference engine, and its output."""
    for path in folder.glob("out*"):
        path.unlink()
    script = [f"pair_style {name} {args}", *(f"pair_coeff {line}" for line in lines), extra,
              "thermo_style custom step pe etail press", 'thermo_modify norm no format float "%.17g"', "run 0",
              'write_dump all custom out.f id fx fy fz modify sort id format float "%.17g"']
    text = lmp(folder, "\n".join(script) + "\n", boundary)
    found = re.search(r"PotEng\s+E_tail\s+Press\s*\n\s*0\s+(\S+)\s+(\S+)\s+(\S+)", text)
    assert found, text
    force = np.loadtxt(folder / "out.f", skiprows=9)[:, 1:]
    return *(float(v) for v in found.groups()), force, text


@pytest.mark.parametrize("name", [n for n in CASES if n != "zero"])
def test_force_is_minus_slope(name):
    style = case(name)
    for r in np.linspace(0.85, 2.15, 14):
        h = 1e-5
        up, down = (style.single((r + s) ** 2, 1, 2)[1] for s in (h, -h))
        force = style.single(r * r, 1, 2)[0] * r
        assert force == pytest.approx(-(up - down) / (2 * h), rel=2e-7, abs=1e-7)


CLOSED = {
    "lj/cut": lambda r: 4 * (r**-12 - r**-6),
    "lj96/cut": lambda r: 4 * (r**-9 - r**-6),
    "lj/expand": lambda r: 4 * ((r - 0.1) ** -12 - (r - 0.1) ** -6),
    "morse": lambda r: math.exp(-4 * (r - 1.1)) - 2 * math.exp(-2 * (r - 1.1)),
    "buck": lambda r: 900 * math.exp(-r / 0.2) - 1.1 / r**6,
    "born": lambda r: math.exp((1 - r) / 0.2) - 1.1 / r**6 + 0.3 / r**8,
    "yukawa": lambda r: 1.5 * math.exp(-1.7 * r) / r,
    "soft": lambda r: 1.5 * (1 + math.cos(math.pi * r / 2.5)),
    "gauss": lambda r: -1.5 * math.exp(-0.8 * r * r),
    "zero": lambda r: 0.0,
}


@pytest.mark.parametrize("name", CASES)
def test_energy_is_the_closed_form(name):
    style = case(name)
    for r in (0.9, 1.0, 1.37, 1.99):
        assert style.single(r * r, 1, 1)[1] == pytest.approx(CLOSED[name](r), rel=1e-12, abs=1e-13)
    assert style.single(9.0, 1, 1) == (0.0, 0.0)


@needs_lmp
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("modify", ["", "shift yes mix arithmetic", "mix sixthpower"])
def test_energy_and_forces_as_reference(name, modify, tmp_path):
    if "mix" in modify and len(CASES[name][1]) > 3:
        modify = "shift yes"
    if name == "lj/expand":
        modify = modify.replace("shift yes", "shift no")  # see test_shift_ends_at_zero
    style = case(name, modify)
    extra = f"pair_modify {modify}" if modify else ""
    pe, _, _, force, text = reference(tmp_path, name, *lines_of(name), extra)
    energy, mine = sums(style)
    assert energy == pytest.approx(pe, rel=1e-13, abs=1e-13)
    assert abs(mine - force).max() <= 1e-13 * max(1.0, abs(force).max())
    assert style.mixing_line in text


@pytest.mark.parametrize("name", CASES)
def test_shift_ends_at_zero(name):
    """For lj/expand the reference subtracts the energy of s = r_c + delta, which leaves a jump; we take s = r_c."""
    style = case(name, "shift yes")
    for i, j in style.pairs:
        assert style.single(float(style.cutoffs[i, j]) ** 2 * (1 - 1e-15), i, j)[1] == pytest.approx(0.0, abs=1e-14)


@needs_lmp
@pytest.mark.parametrize("name", TAILS)
def test_tail_as_reference(name, tmp_path):
    volume = 12.0**3
    args, lines = lines_of(name)
    off = reference(tmp_path, name, args, lines, "pair_modify tail no", "p p p")
    on = reference(tmp_path, name, args, lines, "pair_modify tail yes", "p p p")
    style = case(name, "tail yes")
    assert style.etail / volume == pytest.approx(on[1], rel=1e-13)
    assert style.etail / volume == pytest.approx(on[0] - off[0], rel=1e-10)
    assert style.ptail / volume**2 == pytest.approx(on[2] - off[2], rel=1e-8)


@needs_lmp
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("spacing", ["r 0.91 3.1", "rsq 0.873 2.345"])
def test_pair_write_as_reference(name, spacing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    args, lines = lines_of(name)
    writes = [f"1 2 17 {spacing}", f"3 1 5 {spacing}"]
    script = [f"pair_style {name} {args}", *(f"pair_coeff {line}" for line in lines),
              *(f"pair_write {words} theirs.txt KEY" for words in writes)]
    text = lmp(tmp_path, "\n".join(script) + "\n")
    style = case(name)
    for words in writes:
        assert style.write([*words.split(), "mine.txt", "KEY"]).replace("mine", "theirs") in text
    mine, theirs = ((tmp_path / f"{who}.txt").read_text().splitlines() for who in ("mine", "theirs"))
    assert len(mine) == len(theirs)
    for a, b in zip(mine, theirs, strict=True):
        if a == b:
            continue
        assert len(a) == len(b)
        np.testing.assert_allclose([float(w) for w in a.split()], [float(w) for w in b.split()], rtol=3e-14, atol=5e-15)


@needs_lmp
@pytest.mark.parametrize("name", CASES)
def test_data_coeffs_as_reference(name, tmp_path):
    args, lines = lines_of(name)
    script = [f"pair_style {name} {args}", *(f"pair_coeff {line}" for line in lines),
              "write_data out.ii pair ii", "write_data out.ij pair ij"]
    lmp(tmp_path, "\n".join(script) + "\n")
    style = case(name)
    for kind, unlike in (("ii", False), ("ij", True)):
        section = re.search(r"Pair\w* Coeffs.*?\n\n(.*?)\n\n", (tmp_path / f"out.{kind}").read_text(), re.DOTALL)
        ours = [" ".join(f"{float(word):g}" for word in row.split()) for row in style.data_coeffs(unlike)]
        assert section and section.group(1).split("\n") == ours  # the reference writes six digits, we write all


def test_wildcards_order_and_cutoffs():
    style = make("lj/cut", "2.5", ["* * 1 1", "2* 3 2 1.1 3.0", "3 1 4 1"])
    assert style.pairs[2, 3] == style.pairs[3, 3] == {"epsilon": 2.0, "sigma": 1.1, "cut": 3.0}
    assert style.pairs[1, 3]["epsilon"] == 4.0 and style.cutoffs[3, 1] == 2.5 and style.max_cutoff == 3.0
    style.configure(["2.0"])
    style.init()
    assert style.max_cutoff == 2.0 and style.pairs[2, 3]["epsilon"] == 2.0
    with pytest.raises(InputError, match="names no pair"):
        style.coeff("3 1*2 1 1".split())


def test_type_labels():
    style = make("lj/cut", "2.5", ["* * 1 1"])
    style.system.type_labels = {"A": 1, "B": 2, "C": 3}
    style.coeff("C A 3 1".split())
    assert style.explicit[1, 3]["epsilon"] == 3.0


@pytest.mark.parametrize("name, line, cause", rows("""
lj/cut -> 1 1 1 -> expected 4 to 5 arguments
lj/cut -> 1 1 1 1 2 3 -> expected 4 to 5 arguments
lj/cut -> 1 1 x 1 -> expected epsilon, found 'x'
lj/cut -> 1 1 1 1 -2 -> cutoff must be
lj/cut -> 4 1 1 1 -> out of range
buck -> 1 1 1 0 1 -> rho must be positive
"""))
def test_coeff_errors(name, line, cause):
    with pytest.raises(InputError, match=cause):
        make(name, "2.5", [line])


def test_missing_pairs_are_named():
    with pytest.raises(InputError, match="types 2 2, 3 3"):
        make("lj/cut", "2.5", ["1 1 1 1"])
    with pytest.raises(InputError, match="types 1 2, 1 3, 2 3") as caught:
        make("morse", "2.5", ["1 1 1 1 1", "2 2 1 1 1", "3 3 1 1 1"])
    assert "does not mix" in caught.value.remedy
    with pytest.raises(InputError, match="types 1 and 2 cannot be mixed"):
        make("lj/cut", "2.5", ["1 1 1 1", "2 2 -1 1", "3 3 1 1"])


@pytest.mark.parametrize("name, modify, cause", [
    ("lj/cut", "", "without a keyword"),
    *rows("""
lj/cut -> shift -> needs a value
lj/cut -> shift maybe -> yes or no
lj/cut -> mix cubic -> unknown mixing rule
lj/cut -> compute maybe -> yes or no
lj/cut -> special lj 0 0 0 -> hybrid
lj/cut -> taill yes -> unknown pair_modify keyword
morse -> tail yes -> no tail
lj/cut -> shift yes tail yes -> both on
""")])
def test_modify_refusals(name, modify, cause):
    style = case(name)
    with pytest.raises(InputError, match=cause):
        style.modify(modify.split())
        style.init()


def test_modify_accepts_what_changes_nothing():
    case("lj/cut").modify("table 16 tabinner 1.4 nofdotr neigh/trim yes compute yes shift no tail no".split())


def kept(style: PairStyle) -> PairStyle:
    """The style as a restart file brings it back, which has the same numbers."""
    state = json.loads(json.dumps(style.state()))
    other = pair_style[state["style"]](style.system, state["args"])
    other.restore(state)
    other.init()
    for attribute in ("cutoffs", "table_array", "offset"):
        assert (getattr(other, attribute) == getattr(style, attribute)).all()
    return other


@pytest.mark.parametrize("name", CASES)
def test_state_round_trip(name):
    kept(case(name, "shift yes"))


def test_zero_options():
    style = make("zero", "2.5 nocoeff full", ["* * 1 2 3 4"])
    assert style.single(1.0, 1, 2) == (0.0, 0.0)
    with pytest.raises(InputError, match="unknown pair_style zero option 'half'"):
        make("zero", "2.5 half", ["* *"])


def test_soft_has_no_force_at_zero_distance():
    assert case("soft").single(0.0, 1, 1) == (0.0, 3.0)
