"""Hybrid pair styles without the reference: what is refused, restart and data files, tuning, kernels made ahead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from everlet.portable import programs as launching
from everlet.run.tuning.tuner import candidates, kind
from tests.scripts import crystal
from tests.tables import rows

BOX = crystal("0 3 0 2 0 2", "diamond 5.2", units="metal", types=3) + """
set group all type/fraction 2 0.5 991
set group all type/fraction 3 0.3 992
mass * 30.0
displace_atoms all random 0.05 0.05 0.05 2377
"""
TWO = "pair_style hybrid lj/cut 5.0 morse 4.0\n"
THREE_BODY = """
pair_style hybrid/overlay sw lj/cut 5.0 lj/cut 4.0
pair_coeff * * sw Si.sw Si Si NULL
pair_coeff * 3 lj/cut 1 0.05 2.0
pair_coeff 1 1 lj/cut 2 0.01 2.1
pair_modify pair lj/cut 2 shift yes
"""


def made(lines: str, device: str = "serial", threads: int = 0) -> Simulation:
    sim = Simulation(device=device, threads=threads, log="none")
    sim.commands(BOX + lines)
    return sim


@pytest.mark.parametrize("lines, cause", [
    *rows(r"""
pair_style hybrid -> expected 1 or more arguments
pair_style hybrid 5.0 lj/cut 5.0 -> '5.0' is not a pair style
pair_style hybrid comb lj/cut 5.0 -> LAMMPS pair style 'comb' is not available
pair_style hybrid lj/cut 5.0 hybrid/overlay morse 4.0 -> hybrid/overlay cannot be a sub-style
pair_style hybrid lj/cut 5.0 none -> none cannot be a sub-style
pair_style hybrid lj/cut 5.0 6.0 -> expected 1 argument
pair_style hybrid/scaled lj/cut 5.0 -> 'lj/cut' is not a factor before a pair style
pair_style hybrid/scaled v_f lj/cut 5.0\npair_coeff * * lj/cut 0.1 2.0\nrun 0 -> unknown variable 'f'
variable f equal 1\npair_style hybrid/scaled v_f sw\npair_coeff * * sw Si.sw Si Si Si\nrun 0 -> a variable as its factor
pair_style hybrid/scaled 0.5 lj/cut 5.0 x lj/cut 4.0 -> expected a factor, found 'x'
pair_style hybrid lj/cut 5.0 lj/cut 4.0\npair_coeff 1 1 lj/cut 3 0.1 2.0 -> which of the 2 styles
pair_style hybrid sw lj/cut 5.0\npair_coeff * * sw Si.sw NULL NULL NULL -> names no pair of types that sw is for
pair_style lj/cut 5.0\npair_modify pair lj/cut shift yes -> pair_modify pair is for hybrid
pair_style hybrid zbl 1.0 2.0 sw\npair_modify shift yes -> zbl cannot be shifted
compute c all pair sw -> there is no pair style
compute c all bond -> the bond style is not hybrid
compute c all improper 1 -> expected 0 arguments
pair_style lj/cut 5.0\ncompute c all pair morse -> 'morse' is not the pair style
"""),
    *rows(r"""
pair_coeff 1 1 soft 1.0 -> unknown sub-style in pair_coeff 1 1 'soft'
pair_coeff 1 1 0.1 2.0 -> unknown sub-style
pair_coeff 1 1 lj/cut 0.1 -> expected 4 to 5 arguments
pair_coeff * * lj/cut 0.1 2.0\nrun 0 -> sub-style morse of pair_style hybrid has no pair_coeff
pair_modify pair soft shift yes -> unknown sub-style in pair_modify pair 'soft'
pair_modify pair lj/cut special lj 0 0 -> usage: pair_modify pair STYLE special
pair_modify pair lj/cut compute/tally no -> compute/tally is not available
pair_modify pair morse tail yes -> morse has no tail correction
pair_modify shape yes -> unknown pair_modify keyword 'shape'
""", before=TWO),
    (TWO + "pair_coeff 1 1 lj/cut 0.1 2.0\npair_coeff 2 2 lj/cut 0.1 2.0\npair_coeff 3 3 morse 1 1 2\nrun 0",
     "no pair_coeff for types 1 3, 2 3"),
    ("package everlet scheme half\n" + THREE_BODY + "run 0", "scheme that all sub-styles have: 'half'"),
    ("newton off\n" + THREE_BODY + "run 0", "sw needs newton on"),
    *rows(r"""
pair_write 1 1 10 r 1.0 5.0 t.table T -> sw is of many atoms
compute c all pair lj/cut -> which of the 2 styles
compute c all pair morse -> unknown sub-style in compute c all pair 'morse'
compute c all pair sw 2 -> '2' is not known
compute c all pair sw evdwl ecoul -> 'evdwl' is not known
group some id 1\ncompute c some pair sw -> compute pair is for group all
""", before=THREE_BODY)])
def test_refused(lines: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause) as caught:
        if lines.startswith(("newton", "package")):
            first, rest = lines.split("\n", 1)
            Simulation(device="serial", log="none").commands(f"{first}\n{BOX}{rest}")
        else:
            made(lines)
    assert caught.value.remedy


def forces(sim: Simulation) -> np.ndarray:
    sim.commands("run 0")
    return sim.gather("f")


def test_names_of_accelerated_variants_and_lines_without_effect() -> None:
    plain = made(TWO + "pair_coeff * * morse 0.1 1.5 2.3\npair_coeff 1 1 lj/cut 0.1 2.0")
    other = made("pair_style hybrid lj/cut/omp 5.0 morse/opt 4.0\npair_coeff * * none\npair_coeff * * morse/opt 0.1 1.5 2.3\n"
                 "pair_coeff 1 1 lj/cut 0.1 2.0\npair_coeff 2 2 skip 1 2\npair_modify pair lj/cut special lj/coul 0 0 0")
    np.testing.assert_array_equal(forces(plain), forces(other))
    with pytest.raises(InputError, match="all sub-styles run in one place"):
        made("pair_style hybrid lj/cut/kk/host 5.0 morse 4.0")


def test_a_file_given_again_takes_back_its_pairs() -> None:
    sim = made("pair_style hybrid sw lj/cut 5.0\npair_coeff * * sw Si.sw Si Si NULL\npair_coeff * 3 lj/cut 0.05 2.0")
    sim.commands("pair_coeff * * sw Si.sw Si NULL NULL")
    with pytest.raises(InputError, match="no pair_coeff for types 1 2, 2 2"):
        sim.commands("run 0")


def test_one_keyword_for_all_that_can() -> None:
    sim = made(THREE_BODY + "pair_modify pair lj/cut 2 shift no")
    sim.commands("pair_modify mix arithmetic tail yes")
    sw, first, second = sim.engine.system.pair.sub_styles
    assert first.with_tail and second.with_tail and not sw.with_tail and first.mix_rule == "arithmetic"
    sim.engine.system.pair.init()
    assert sim.engine.system.pair.etail == pytest.approx(first.etail + second.etail) and first.etail != 0.0


def test_a_scaled_tail_is_scaled() -> None:
    one = made("pair_style lj/cut 5.0\npair_coeff * * 0.1 2.0\npair_modify tail yes\nrun 0")
    half = made("pair_style hybrid/scaled 0.5 lj/cut 5.0\npair_coeff * * lj/cut 0.1 2.0\npair_modify tail yes\nrun 0")
    for name in ("vdwl", "tail"):
        assert half.engine.system.energies[name] == pytest.approx(0.5 * one.engine.system.energies[name], rel=1e-13)
    np.testing.assert_allclose(half.engine.system.virial, 0.5 * one.engine.system.virial, rtol=1e-12)


ALONE = {"sw": "pair_style sw\npair_coeff * * Si.sw Si Si NULL\n",
         "lj/cut 1": "pair_style lj/cut 5.0\npair_coeff * * 0.0 2.0\npair_coeff * 3 0.05 2.0\n",
         "lj/cut 2": "pair_style lj/cut 4.0\npair_modify shift yes\npair_coeff * * 0.0 2.1\npair_coeff 1 1 0.01 2.1\n"}


@pytest.mark.parametrize("factors", [(1.0, 1.0, 1.0), (0.5, -2.0, 0.0)])
def test_each_sub_style_has_energies_and_a_virial_of_its_own(factors: tuple[float, ...]) -> None:
    """Those of the style alone, times its factor; together they are the whole."""
    line = "pair_style hybrid/scaled {} sw {} lj/cut 5.0 {} lj/cut 4.0".format(*factors)
    sim = made(THREE_BODY.replace("pair_style hybrid/overlay sw lj/cut 5.0 lj/cut 4.0", line) + "run 0")
    entries = sim.engine.system.ledger.terms
    assert list(entries) == [f"hybrid/scaled {k}" for k in (1, 2, 3)]
    for entry, factor, lines in zip(entries.values(), factors, ALONE.values(), strict=True):
        alone = made("package everlet scheme full\n" + lines + "run 0").engine.system
        assert alone.energies["vdwl"] != 0.0
        assert entry.unscaled["vdwl"] == pytest.approx(alone.energies["vdwl"], rel=1e-12)
        assert entry.energies["vdwl"] == pytest.approx(factor * alone.energies["vdwl"], rel=1e-12)
        np.testing.assert_allclose(entry.virial, factor * alone.virial, rtol=1e-10, atol=1e-10)
    total = sum(entry.energies["vdwl"] for entry in entries.values())
    assert sim.engine.system.energies["vdwl"] == pytest.approx(total, rel=1e-14)
    np.testing.assert_allclose(sim.engine.system.virial, sum(entry.virial for entry in entries.values()), rtol=1e-13)


def test_restart_goes_on_exactly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = "fix 1 all nve\ntimestep 0.0005\n"
    sim = made(THREE_BODY + run + "velocity all create 500 4711\nrun 5\nwrite_restart r.5\nrun 5")
    again = Simulation(device="serial", log="none")
    again.commands("read_restart r.5\n" + run + "run 5")
    assert again.engine.system.pair.name == "hybrid/overlay"
    np.testing.assert_array_equal(again.array("x"), sim.array("x"))
    np.testing.assert_array_equal(again.array("f"), sim.array("f"))


def test_data_files_have_no_coefficients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made(THREE_BODY + "run 0\nwrite_data one.data\nwrite_data two.data pair ij")
    assert "Coeffs" not in Path("one.data").read_text() + Path("two.data").read_text()


def test_coefficients_in_a_data_file_name_styles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["pair_coeff 1 1 lj/cut 0.1 2.0", "pair_coeff 2 2 lj/cut 0.2 2.0", "pair_coeff 3 3 morse 0.1 1.5 2.3",
             "pair_coeff 1*2 3 none"]
    sim = made(TWO + "\n".join(lines) + "\nwrite_data one.data")
    section = "Pair Coeffs # hybrid\n\n1 lj/cut 0.1 2.0\n2 lj/cut 0.2 2.0\n3 morse 0.1 1.5 2.3\n\nAtoms # atomic"
    Path("two.data").write_text(Path("one.data").read_text().replace("Atoms # atomic", section))
    other = Simulation(device="serial", log="none")
    other.commands(f"units metal\n{TWO}read_data two.data\npair_coeff 1*2 3 none")
    np.testing.assert_allclose(forces(other), forces(sim), rtol=0, atol=1e-13)


def test_pair_write_adds_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made("pair_style hybrid/scaled 0.5 lj/cut 5.0 2.0 morse 4.0\npair_coeff * * lj/cut 0.1 2.0\n"
         "pair_coeff 1 1 morse 0.2 1.5 2.3\npair_write 1 1 9 r 2.0 4.5 t.table T")
    rows = np.loadtxt("t.table", skiprows=7)
    r = rows[:, 1]
    morse = 0.2 * (np.exp(-3.0 * (r - 2.3)) - 2.0 * np.exp(-1.5 * (r - 2.3))) * (r < 4.0)
    np.testing.assert_allclose(rows[:, 2], 0.2 * ((2.0 / r) ** 12 - (2.0 / r) ** 6) + 2.0 * morse, rtol=1e-12)


def test_what_tuning_sees() -> None:
    pairs = made(TWO + "pair_coeff * * morse 0.1 1.5 2.3\npair_coeff 1 1 lj/cut 0.1 2.0").engine.system
    three = made(THREE_BODY).engine.system
    assert {"full", "half", "windows"} <= set(candidates(pairs, "half")) and candidates(three, "full") == ["full"]
    assert "hybrid lj/cut morse" in kind(pairs, 0.3) and "hybrid/overlay sw lj/cut lj/cut" in kind(three, 0.3)


@pytest.mark.parametrize("scheme", ["full", "half accumulate coloured", "half branch yes"])
def test_a_run_compiles_nothing_after_its_set_up(scheme: str) -> None:
    sim = made(f"package everlet scheme {scheme}\n" + TWO + "pair_coeff * * morse 0.1 1.5 2.3\npair_coeff 1 1 lj/cut 0.1 2.0\n"
               "velocity all create 900 4711\nfix 1 all nve\nneighbor 0.1 bin\nrun 0", "cpu", 2)
    before = set(launching._programs)
    sim.commands("run 40")
    assert sim.engine.lists is not None and sim.engine.lists.decision.builds > 0 and set(launching._programs) == before


def test_deterministic_sums() -> None:
    pairs = "package everlet deterministic on\n" + TWO + "pair_coeff * * morse 0.1 1.5 2.3\npair_coeff 1 1 lj/cut 0.1 2.0"
    np.testing.assert_array_equal(forces(made(pairs, "cpu", 1)), forces(made(pairs, "cpu", 2)))
    several = "package everlet deterministic on\n" + THREE_BODY
    np.testing.assert_array_equal(forces(made(several, "cpu", 1)), forces(made(several, "cpu", 2)))
