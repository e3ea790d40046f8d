"""Unit systems: constants and how they hang together."""

import pytest

from everlet.errors import InputError
from everlet.state.units import UNITS, Units


@pytest.mark.parametrize("name", ["lj", "real", "metal", "si", "cgs", "micro", "nano"])
def test_energy_and_velocity_factors_are_inverse(name):
    units = Units.named(name)
    assert units.mvv2e * units.ftm2v == pytest.approx(1.0, rel=1e-15)


def test_electron_units_keep_the_digits_of_the_reference():
    units = Units.named("electron")
    assert units.mvv2e * units.ftm2v == pytest.approx(1.0, rel=1e-8)


def test_known_conversions():
    real, metal = Units.named("real"), Units.named("metal")
    assert real.mvv2e == 2390.0573615334906 and real.ftm2v == 0.00041839999997254776
    assert metal.ftm2v == 9648.533823273016 and metal.mv2d == 1.6605389210321897
    # 4184 J/mol/Angstrom^3 in atm, and 1 kcal/mol in eV from both Boltzmann constants
    assert real.nktv2p == pytest.approx(4184 / 6.02214e23 / 1e-30 / 101325, rel=1e-5)
    assert real.boltz / metal.boltz == pytest.approx(23.0605, rel=1e-5)


def test_one_angstrom_and_one_second_everywhere():
    """Lengths and times of all systems with physical units, seen from SI."""
    metre = {"real": 1e-10, "metal": 1e-10, "cgs": 1e-2, "electron": 0.529177e-10, "micro": 1e-6, "nano": 1e-9}
    second = {"real": 1e-15, "metal": 1e-12, "cgs": 1.0, "electron": 1e-15, "micro": 1e-6, "nano": 1e-9}
    for name, length in metre.items():
        units = Units.named(name)
        assert units.angstrom * length == pytest.approx(1e-10, rel=1e-5)
        assert units.femtosecond * second[name] == pytest.approx(1e-15, rel=1e-12)


def test_unknown_name_gets_the_nearest():
    with pytest.raises(InputError, match="metall") as caught:
        Units.named("metall")
    assert "metal" in caught.value.remedy


def test_frozen_and_complete():
    assert sorted(UNITS) == ["cgs", "electron", "lj", "metal", "micro", "nano", "real", "si"]
    with pytest.raises(AttributeError):
        Units.named("lj").boltz = 2.0  # type: ignore[misc]
