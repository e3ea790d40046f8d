"""Unit systems: the constants that turn m v^2, F t/m, q^2/r ... of each system into its own energies and pressures.

The digits are the ones the reference engine uses (older CODATA values, calorie of 4.184 J), so that temperatures and
pressures can be compared digit by digit; newer constants would move them in the sixth digit.

                 lj         real        metal       si     cgs       electron    micro         nano
    mass         m          g/mol       g/mol       kg     g         amu         picogram      attogram
    length       sigma      Angstrom    Angstrom    m      cm        Bohr        micrometre    nanometre
    time         tau        fs          ps          s      s         fs          microsecond   ns
    energy       epsilon    kcal/mol    eV          J      erg       Hartree     pg um^2/us^2  ag nm^2/ns^2
    pressure     eps/sig^3  atm         bar         Pa     barye     Pa          pg/(um us^2)  ag/(nm ns^2)
    charge       reduced    e           e           C      statC     e           picocoulomb   e
"""

from __future__ import annotations

from dataclasses import dataclass

from everlet.errors import one_of

_VELOCITY = 48.88821291  # sqrt of m v^2 -> kcal/mol with g/mol and Angstrom/fs
_EV = 1.0364269e-4  # m v^2 -> eV with g/mol and Angstrom/ps
_AVOGADRO = 0.602214129  # 1e-24 of it: g/mol/Angstrom^3 -> g/cm^3 is 1 / this


@dataclass(frozen=True)
class Units:
    """One unit system.

    >>> Units.named("metal").boltz
    8.617343e-05
    """

    name: str
    boltz: float  # Boltzmann's constant: temperature -> energy
    hplanck: float  # Planck's constant: energy * time
    mvv2e: float  # mass * velocity^2 -> energy
    ftm2v: float  # force * time / mass -> velocity
    mv2d: float  # mass / volume -> density
    nktv2p: float  # energy / volume -> pressure
    qqr2e: float  # charge^2 / length -> energy
    qe2f: float  # charge * electric field -> force
    angstrom: float  # one Angstrom
    femtosecond: float  # one femtosecond
    qelectron: float  # the charge of an electron, as a positive number
    dt: float  # default timestep
    skin: float  # default neighbour skin

    def label(self, quantity: str) -> str:
        """The name of its unit of mass, length, time, energy, pressure, charge, temperature, volume, velocity, force …

        >>> Units.named("metal").label("force")
        'eV/Angstrom'
        """
        mass, length, time, energy, pressure, charge = LABELS[self.name]
        volume = f"{length}^3"
        known = {"mass": mass, "length": length, "time": time, "energy": energy, "pressure": pressure, "charge": charge,
                 "temperature": "eps/kB" if self.name == "lj" else "K", "volume": volume, "velocity": f"{length}/{time}",
                 "force": f"{energy}/{length}", "density": "m/sigma^3" if self.name == "lj" else
                 "g/cm^3" if self.mv2d != 1.0 else f"{mass}/{volume}", "angle": "degree", "seconds": "s"}
        one_of("quantity", quantity, known)
        return known[quantity]

    @staticmethod
    def named(name: str) -> Units:
        """The unit system `name`, or an error with the nearest known names."""
        one_of("unit system", name, UNITS)
        return UNITS[name]


LABELS = {  # mass, length, time, energy, pressure, charge
    "lj": ("m", "sigma", "tau", "eps", "eps/sigma^3", "reduced"), "real": ("g/mol", "Angstrom", "fs", "kcal/mol", "atm", "e"),
    "metal": ("g/mol", "Angstrom", "ps", "eV", "bar", "e"), "si": ("kg", "m", "s", "J", "Pa", "C"),
    "cgs": ("g", "cm", "s", "erg", "barye", "statC"), "electron": ("amu", "Bohr", "fs", "Hartree", "Pa", "e"),
    "micro": ("pg", "um", "us", "pg um^2/us^2", "pg/(um us^2)", "pC"), "nano": ("ag", "nm", "ns", "ag nm^2/ns^2",
                                                                                "ag/(nm ns^2)", "e"),
}
UNITS = {
    units.name: units
    for units in (
        Units("lj", boltz=1.0, hplanck=1.0, mvv2e=1.0, ftm2v=1.0, mv2d=1.0, nktv2p=1.0, qqr2e=1.0, qe2f=1.0,
              angstrom=1.0, femtosecond=1.0, qelectron=1.0, dt=0.005, skin=0.3),
        Units("real", boltz=0.0019872067, hplanck=95.306976368, mvv2e=_VELOCITY * _VELOCITY,
              ftm2v=1.0 / _VELOCITY / _VELOCITY, mv2d=1.0 / _AVOGADRO, nktv2p=68568.415, qqr2e=332.06371,
              qe2f=23.060549, angstrom=1.0, femtosecond=1.0, qelectron=1.0, dt=1.0, skin=2.0),
        Units("metal", boltz=8.617343e-5, hplanck=4.135667403e-3, mvv2e=_EV, ftm2v=1.0 / _EV, mv2d=1.0 / _AVOGADRO,
              nktv2p=1.6021765e6, qqr2e=14.399645, qe2f=1.0, angstrom=1.0, femtosecond=1e-3, qelectron=1.0,
              dt=0.001, skin=2.0),
        Units("si", boltz=1.3806504e-23, hplanck=6.62606896e-34, mvv2e=1.0, ftm2v=1.0, mv2d=1.0, nktv2p=1.0,
              qqr2e=8.9876e9, qe2f=1.0, angstrom=1e-10, femtosecond=1e-15, qelectron=1.6021765e-19, dt=1e-8,
              skin=0.001),
        Units("cgs", boltz=1.3806504e-16, hplanck=6.62606896e-27, mvv2e=1.0, ftm2v=1.0, mv2d=1.0, nktv2p=1.0,
              qqr2e=1.0, qe2f=1.0, angstrom=1e-8, femtosecond=1e-15, qelectron=4.8032044e-10, dt=1e-8, skin=0.1),
        Units("electron", boltz=3.16681534e-6, hplanck=0.1519829846, mvv2e=1.06657236, ftm2v=0.937582899, mv2d=1.0,
              nktv2p=2.94210108e13, qqr2e=1.0, qe2f=1.94469051e-10, angstrom=1.88972612, femtosecond=1.0,
              qelectron=1.0, dt=0.001, skin=2.0),
        Units("micro", boltz=1.3806504e-8, hplanck=6.62606896e-13, mvv2e=1.0, ftm2v=1.0, mv2d=1.0, nktv2p=1.0,
              qqr2e=8.987556e6, qe2f=1.0, angstrom=1e-4, femtosecond=1e-9, qelectron=1.6021765e-7, dt=2.0, skin=0.1),
        Units("nano", boltz=0.013806504, hplanck=6.62606896e-4, mvv2e=1.0, ftm2v=1.0, mv2d=1.0, nktv2p=1.0,
              qqr2e=230.7078669, qe2f=1.0, angstrom=0.1, femtosecond=1e-6, qelectron=1.0, dt=0.00045, skin=0.1),
    )
}
