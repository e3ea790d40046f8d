"""Pair style table: files, errors, and the reference engine's interpolation."""

import json
import re
import shutil

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.styles.table_bits import divide
from everlet.forces.pair.styles.table_file import read_section
from everlet.forces.pair.styles.table_spline import Spline
from everlet.portable import leading_bits
from everlet.portable.spaces import Serial
from everlet.state.system import System
from tests.oracle.reference import launch
from tests.tables import rows
from tests.unit.test_pair_styles import sums_of

X = np.array([[5.0, 5, 5], [6.1, 5.2, 4.9], [5.3, 6.3, 5.4], [4.2, 5.6, 6.1], [5.9, 4.1, 5.8], [6.4, 6.2, 5.9]])
TYPE = np.array([1, 2, 1, 2, 2, 1])


def energy(r):
    return 4 * (r**-9 - r**-6) + 0.1 * np.cos(3 * r)


def force(r):
    return 36 * r**-10 - 24 * r**-7 + 0.3 * np.sin(3 * r)


def section(key: str, spacing: str, n: int, lo: float, hi: float, extra: str = "") -> str:
    r = np.linspace(lo, hi, n) if spacing != "RSQ" else np.sqrt(np.linspace(lo * lo, hi * hi, n))
    rows = "\n".join(f"{k + 1} {x:.17g} {energy(x):.17g} {force(x):.17g}" for k, x in enumerate(r))
    place = f"{spacing} {lo} {hi}" if spacing else ""
    return f"# a comment\n\n{key}\nN {n} {place} {extra}\n\n{rows}\n\n"


@pytest.fixture(autouse=True)
def table_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (section("ONE", "R", 40, 0.8, 3.1) + section("TWO", "RSQ", 60, 0.7, 2.9) + section("BARE", "", 35, 0.9, 2.5)
            + section("ENDS", "R", 40, 0.8, 3.1, "FPRIME -700.5 0.25"))
    (tmp_path / "t.txt").write_text(text)
    return tmp_path


def make(args: str, lines: list[str]) -> PairStyle:
    system = System(Serial())
    system.masses = np.ones(3)
    style = pair_style["table"](system, args.split())
    for line in lines:
        style.coeff(line.split())
    style.init()
    return style


@pytest.mark.skipif(shutil.which("lmp") is None, reason="the reference engine is not installed")
@pytest.mark.parametrize("method", ["lookup", "linear", "spline", "bitmap"])
@pytest.mark.parametrize("bits, n, tables", [
    (9, 200, ["1 1 t.txt ONE", "1 2 t.txt TWO 2.7", "2 2 t.txt BARE"]),
    (7, 60, ["1 1 t.txt TWO", "1 2 t.txt TWO 2.7", "2 2 t.txt ENDS"]),  # 60: the very grid of TWO
    (15, 31, ["1 1 t.txt BARE 2.4", "1 2 t.txt ENDS 2.8", "2 2 t.txt ONE"]),
])
def test_forces_as_reference(method, bits, n, tables, tmp_path):
    n = bits if method == "bitmap" else n
    atoms = [f"create_atoms {t} single {x!r} {y!r} {z!r}" for t, (x, y, z) in zip(TYPE, X.tolist(), strict=True)]
    script = ["units lj", "boundary f f f", "region b block 0 12 0 12 0 12", "create_box 2 b", *atoms, "mass * 1",
              f"pair_style table {method} {n}", *(f"pair_coeff {line}" for line in tables),
              "thermo_style custom step pe", 'thermo_modify norm no format float "%.17g"', "run 0",
              'write_dump all custom out.f id fx fy fz modify sort id format float "%.17g"',
              "variable e equal pe", 'print "$(v_e:%.17g)" file out.e']
    (tmp_path / "in.lmp").write_text("\n".join(script) + "\n")
    done = launch(tmp_path, ["-in", "in.lmp", "-log", "none"])
    assert done.returncode == 0, done.stdout + done.stderr
    theirs = np.loadtxt("out.f", skiprows=9)[:, 1:]
    style = make(f"{method} {n}", tables)
    total, mine = sums_of(style, X, TYPE)
    assert total == pytest.approx(float((tmp_path / "out.e").read_text()), rel=1e-12)
    assert abs(mine - theirs).max() < 1e-12 * abs(theirs).max()


@pytest.mark.parametrize("method, tolerance", [("lookup", 3e-2), ("linear", 1e-4), ("spline", 1e-6), ("bitmap", 1e-4)])
def test_follows_the_function(method, tolerance):
    with open("fine.txt", "w") as file:
        file.write(section("FINE", "R", 2000, 0.8, 3.1))
    style = make(f"{method} {12 if method == 'bitmap' else 4000}", ["* * fine.txt FINE"])
    for r in np.linspace(0.95, 3.05, 23):
        f, e = style.single(r * r, 1, 2)
        assert f * r == pytest.approx(force(r), rel=tolerance, abs=tolerance)
        assert e == pytest.approx(energy(r), rel=tolerance, abs=tolerance)


def test_outside_of_the_table():
    style = make("linear 100", ["* * t.txt ONE"])
    assert all(np.isnan(style.single(0.5, 1, 1)))
    assert style.single(3.1**2, 1, 1) == (0.0, 0.0)
    with pytest.raises(InputError, match="no value at distance"):
        style.write("1 1 5 r 0.5 2.0 out.txt KEY".split())


def test_its_own_pair_write_is_readable():
    style = make("spline 1000", ["* * t.txt ONE"])
    style.write("1 2 300 rsq 0.85 3.0 out.txt AGAIN".split())
    again = make("spline 1000", ["* * out.txt AGAIN"])
    for r in (1.0, 1.7, 2.9):
        assert again.single(r * r, 1, 1) == pytest.approx(style.single(r * r, 1, 1), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("inner, outer, n", [(0.8, 3.1, 8), (1.0, 4.0, 6), (0.8, 1.22, 5), (0.3, 9.7, 12), (2.0, 2.5, 3)])
def test_parts_of_octaves(inner, outer, n):
    """Rows of a bitmap table: each once, in the order of the bits, and found again by the count of leading bits."""
    bits = divide(inner, outer, n)
    s = bits.s[bits.order]
    assert len(np.unique(s)) == 2**n and s[0] <= inner**2 * (1 + 2.0**-3) and s[-1] + (s[-1] - s[-2]) >= outer**2
    counts = [leading_bits(value, bits.shift) - bits.first for value in s]
    assert counts == list(range(2**n))
    lower = s.astype(np.float32).view(np.int32) >> bits.shift
    assert (bits.s[lower & (2**n - 1)] == s).all()  # a row of a file is the lower bits of the count
    middle = (s[1:] + s[:-1]) / 2
    assert [leading_bits(value, bits.shift) - bits.first for value in middle] == list(range(2**n - 1))


@pytest.mark.parametrize("args", ["spline 50", "bitmap 9"])
def test_state_round_trip(args):
    style = make(args, ["1 * t.txt ONE", "2 2 t.txt TWO"])
    state = json.loads(json.dumps(style.state()))
    other = pair_style["table"](style.system, state["args"])
    other.restore(state)
    other.init()
    assert (other.data == style.data).all() and (other.cutoffs == style.cutoffs).all()
    assert other.single(1.3, 1, 2) == style.single(1.3, 1, 2)


def test_spline_is_exact_for_cubics():
    x = np.array([0.0, 0.4, 1.0, 1.3, 2.0])
    spline = Spline(x, x**3 - x, -1.0, 11.0)
    at = np.linspace(0, 2, 17)
    np.testing.assert_allclose(spline(at), at**3 - at, atol=1e-14)


def test_strays_are_warned_about():
    rows = "\n".join(f"{k + 1} {1 + 0.1 * k + 0.01 * (k == 3)} {k} 0" for k in range(11))
    with open("bad.txt", "w") as file:
        file.write(f"KEY\nN 11 R 1.0 2.0\n\n{rows}\n")
    style = make("linear 10", ["* * bad.txt KEY"])
    assert style.warnings and "1 of 11 distances" in style.warnings[0]


@pytest.mark.parametrize("args, line, cause", [
    ("bitmap 5", "* * t.txt ONE", "2\\^5 rows cannot reach from 0.8 to 3.1\n  -> use bitmap 6 to 19"),
    ("linear 10", "* * bits.txt BITS", "BITMAP table of 64 rows .*\n  -> use pair_style table bitmap 6"),
    *rows(r"""
bitmap 25 -> * * t.txt ONE -> 2\^25 rows cannot reach
bitmap 7 -> * * bits.txt BITS -> BITMAP table of 64 rows
bitmap 6 -> * * bits.txt BITS 3.0 -> use .* the cutoff of the file, 3.1
cubic 10 -> * * t.txt ONE -> unknown interpolation 'cubic'
linear 10 ewald -> * * t.txt ONE -> 'ewald' is not supported
linear 1 -> * * t.txt ONE -> 2 points or more
linear 10 -> * * none.txt ONE -> cannot read table file 'none.txt'
linear 10 -> * * t.txt THREE -> no section 'THREE'
linear 10 -> * * t.txt ONE 3.2 -> not inside table
linear 10 -> 1 1 t.txt ONE -> no pair_coeff for types 1 2, 2 2
""")])
def test_errors(args, line, cause):
    make("linear 100", ["* * t.txt ONE"]).write("1 1 6 bitmap 0.85 3.1 bits.txt BITS".split())
    with pytest.raises(InputError) as caught:
        make(args, [line])
    assert re.search(cause, str(caught.value))


@pytest.mark.parametrize("text, cause", rows(r"""
KEY\nN 3 BITMAP 1 2\n\n1 1 0 0\n2 1 0 0\n3 1 0 0\n -> f.txt:6: a BITMAP table has 2, 4, 8, 16, ... rows, found 3
KEY\nN 3 R 1 2 BITMAP 1 2\n -> f.txt:2: R and BITMAP are both given
KEY\nN 2 RSQ 2 1\n1 2 0 0\n2 1 0 0\n -> RSQ 2 1: a table reaches
KEY\nM 3\n -> f.txt:2: unknown word 'M'
KEY\nN 3 R 1\n -> f.txt:2: R needs 2 values
KEY\nR 1 2\n -> f.txt:2: .* no N
KEY\nN 3\n\n1 1.0 0 0\n2 1.1 0\n -> f.txt:5: row 2 of section 'KEY' has 3 words
KEY\nN 3\n\n1 1.0 0 0\n2 1.1 0 x\n -> f.txt:5: expected a number, found 'x'
KEY\nN 3\n\n1 1.0 0 0\n2 1.1 0 0\n -> the file ends where row 3 of 3
KEY\nN 2\n1 1.0 0 0\n2 0.9 0 0\n -> must increase
KEY\nN 2 R 0 1\n1 0.0 0 0\n2 1 0 0\n -> above zero
KEY\n -> the file ends where the parameter line
"""))
def test_file_errors(text, cause):
    with open("f.txt", "w") as file:
        file.write(text)
    with pytest.raises(InputError, match=cause):
        read_section("f.txt", "KEY")
