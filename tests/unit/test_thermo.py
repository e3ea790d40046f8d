"""Thermo columns, layouts, formats and options."""

import numpy as np
import pytest

from everlet.errors import InputError, RunError
from everlet.io.keywords import keywords
from everlet.io.thermo import Thermo
from everlet.script.commands import thermo as commands
from tests.tables import rows
from tests.unit.small import Made, Record, simulation, small


@pytest.fixture
def thermo():
    made = Thermo(small())
    made.begin(0, 100)
    return made


def modify(thermo, text):
    sim = simulation(thermo.system)
    sim.thermo = thermo
    commands.thermo_modify(sim, text.split())


def test_default_table(thermo):
    assert thermo.header() == "   Step          Temp          E_pair         E_mol          TotEng         Press     \n"
    text = thermo.line(
        {"step": 0, "temp": 1.44, "epair": -6.7733681, "emol": 0.0, "etotal": -4.6583681, "press": -5.0449953}
    )
    assert text == "         0   1.44          -6.7733681      0             -4.6583681     -5.0449953    \n"


def test_values_per_atom_in_lj_units(thermo):
    row = thermo.row()
    assert row == {"step": 0, "temp": 1.5, "epair": -2.0, "emol": 0.0, "etotal": (-8.0 + 6.75) / 4, "press": 0.75}
    modify(thermo, "norm no")
    assert thermo.value("pe") == -8.0 and thermo.value("ke") == 6.75 and thermo.value("evdwl") == -8.0
    assert thermo.value("etail") == -1.0
    assert thermo.value("enthalpy") == -8.0 + 6.75 + 0.75 * 120
    assert Thermo(small("real")).value("pe") == -8.0


def test_every_keyword_has_a_value(thermo):
    thermo.set_style("custom", list(keywords))
    row = thermo.row()
    assert len(row) == 76
    assert row["fmax"] == 4.0 and row["fnorm"] == pytest.approx(np.sqrt(52.0))
    assert (row["pxx"], row["pxy"], row["pyz"]) == (1, 4, 6)
    assert (row["lx"], row["yhi"], row["zlo"], row["xy"]) == (4, 5, 0, 0)
    assert row["density"] == 7.0 / 120
    assert row["vol"] == 120
    assert (row["cella"], row["cellb"], row["cellgamma"], row["bvecy"], row["xlat"]) == (4, 5, 90, 5, 1)
    assert row["econserve"] == row["etotal"] and row["bonds"] == 0


def test_time_and_steps(thermo):
    thermo.begin(10, 30, start=5)
    thermo.system.step, thermo.system.dt = 20, 0.5
    assert [thermo.value(word) for word in ("elapsed", "elaplong", "time", "dt")] == [10, 15, 10.0, 0.5]
    thermo.output(Record())
    assert thermo.value("cpu") > 0 and thermo.value("cpuremain") > 0


def test_references(thermo):
    system = thermo.system
    system.computes["e"] = Made(system, 12.0, [4.0, 8.0], extensive=True, extensive_vector=True)
    system.fixes["f"] = Made(system, 3.0, [1.0])
    system.variables = type("V", (), {"evaluate": lambda self, name: 2.5, "__contains__": lambda self, name: name == "x"})()
    thermo.set_style("custom", ["c_e", "c_e[2]", "f_f", "f_f[1]", "v_x"])
    assert list(thermo.row().values()) == [3.0, 2.0, 3.0, 1.0, 2.5]
    assert thermo.header().split() == ["c_e", "c_e[2]", "f_f", "f_f[1]", "v_x"]


@pytest.mark.parametrize(
    "words, message",
    [
    ("custom tmep", "unknown thermo keyword 'tmep'\n  -> did you mean time or temp"),
    *rows("""
custom -> at least one
custom c_none -> unknown compute 'none'
custom f_none -> unknown fix
custom c_thermo_pe[1][2] -> two indices
one step -> no further words
ones -> unknown thermo style 'ones'
""")],
)
def test_bad_styles(thermo, words, message):
    style, *rest = words.split()
    with pytest.raises(InputError) as error:
        thermo.set_style(style, rest)
    assert message in str(error.value)


def test_index_out_of_range(thermo):
    thermo.set_style("custom", ["c_thermo_press[7]"])
    with pytest.raises(InputError, match="it has 6 values"):
        thermo.row()


def test_multi_and_yaml(thermo):
    thermo.set_style("multi", [])
    assert thermo.header() == ""
    assert thermo.line(thermo.row()) == (
        "------------ Step              0 ----- CPU =            0 (sec) -------------\n"
        "TotEng   =        -0.3125 KinEng   =         1.6875 Temp     =         1.5000 \n"
        "PotEng   =        -2.0000 E_bond   =         0.0000 E_angle  =         0.0000 \n"
        "E_dihed  =         0.0000 E_impro  =         0.0000 E_vdwl   =        -2.0000 \n"
        "E_coul   =         0.0000 E_long   =         0.0000 Press    =         0.7500\n"
    )
    thermo.set_style("custom", ["step", "temp"])
    modify(thermo, "line yaml")
    assert thermo.header() + thermo.line(thermo.row()) + thermo.footer() == (
        "---\nkeywords: ['Step', 'Temp', ]\ndata:\n  - [0, 1.5, ]\n...\n"
    )


def test_formats_and_names(thermo):
    thermo.set_style("custom", ["step", "temp", "pe"])
    modify(thermo, "format float %8.3f format int %04d format pe %g colname 1 N colname -1 E")
    assert thermo.line(thermo.row()) == "0000    1.500 -2\n"
    assert thermo.header().split() == ["N", "Temp", "E"]
    modify(thermo, "format none colname default")
    assert thermo.header().split() == ["Step", "Temp", "PotEng"] and not thermo.formats
    sim = simulation(thermo.system)
    sim.thermo = thermo
    commands.thermo_modify(sim, ["format", "line", "%ld  %.2f %g"])
    assert thermo.line(thermo.row()) == "0 1.50 -2\n"


def test_lost_bonds_are_refused_where_there_are_bonds(thermo, monkeypatch):
    modify(thermo, "lost/bond ignore")
    monkeypatch.setattr("everlet.io.thermo_modify.count_links", lambda atoms, kind: 2)
    modify(thermo, "lost/bond error")
    with pytest.raises(InputError, match="lost/bond warn is not available"):
        modify(thermo, "lost/bond warn")


@pytest.mark.parametrize(
    "text, message",
    rows("""
format float %d -> does not suit a value of kind float
format int %g -> kind int
format float %g%g -> 2 fields
format line %d -> 1 words for 6 columns
format 9 %g -> there are 6 columns
lost maybe -> takes error, warn, ignore
line -> lacks its value
lost/bond maybe -> takes error, warn, ignore
norm -> lacks yes or no
colname tmp x -> unknown thermo_modify colname column 'tmp'
flash yes -> did you mean flush
temp none -> unknown compute
temp thermo_pe -> does not give a temperature
press thermo_pe -> does not give a pressure
line two -> one, multi, yaml
"""),
)
def test_bad_options(thermo, text, message):
    with pytest.raises(InputError) as error:
        modify(thermo, text)
    assert message in str(error.value)


def test_volume_appears_when_the_box_changes():
    thermo = Thermo(small(boundary="p f s"))
    assert thermo.header().split()[-1] == "Volume" and thermo.row()["vol"] == 120
    thermo.set_style("custom", ["step"])
    assert thermo.header().split() == ["Step"]


def test_when_and_what_is_kept(thermo):
    thermo.every = 40
    assert [step for step in range(101) if thermo.due(step)] == [0, 40, 80, 100]
    log = Record()
    for step in (0, 40):
        thermo.system.step = step
        thermo.output(log)
    assert list(thermo.table()["step"]) == [0, 40] and len(log.lines) == 2
    assert log.events[1][0] == "thermo" and log.events[1][1]["step"] == 40
    assert log.flushes == 0
    modify(thermo, "flush yes")
    thermo.output(log)
    assert log.flushes == 1


def test_lost_atoms(thermo):
    log = Record()
    thermo.system.atoms.select(np.arange(3))
    with pytest.raises(RunError, match="lost atoms: 4 before, 3 at step 0"):
        thermo.output(log)
    modify(thermo, "lost warn")
    thermo.output(log)
    thermo.output(log)
    assert len(log.warned) == 1
    modify(thermo, "lost ignore")
    thermo.system.atoms.select(np.arange(2))
    thermo.output(log)
    assert len(log.warned) == 1


def test_commands():
    sim = simulation(small())
    commands.thermo(sim, ["25"])
    assert sim.thermo.every == 25
    commands.thermo_style(sim, ["custom", "step"])
    assert not sim.log.warned
    commands.thermo_modify(sim, ["norm", "no"])
    commands.thermo_style(sim, ["one"])
    assert sim.log.warned and sim.thermo.norm is None
    for args in (["-1"], ["x"], []):
        with pytest.raises(InputError):
            commands.thermo(sim, args)
