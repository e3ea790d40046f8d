"""Coefficients of pair styles that are one formula each: compared with the reference in tests/oracle/test_pair_formulas.py, and
for two types in the contract (styles.py)."""

from __future__ import annotations

from dataclasses import dataclass

ORDER = ("1 1", "2 2", "3 3", "1 2", "1 3", "2 3")


@dataclass(frozen=True)
class Sample:
    """Coefficients of types 11, 22, 33 and, where the style cannot mix, 12, 13, 23; `;` is between them."""

    args: str
    coeffs: str
    shift: bool = True  # pair_modify shift is possible
    same_shift: bool = True  # the reference subtracts the same
    tail: bool = False
    slope: bool = True  # F = -dE/dr holds
    files: tuple[str, ...] = ("ii", "ij")  # kinds of data files that the reference writes well

    @property
    def mixes(self) -> bool:
        return self.coeffs.count(";") == 2

    def lines(self, types: int = 3) -> tuple[str, ...]:
        """Arguments of pair_coeff."""
        given = zip(ORDER, self.coeffs.split(";"), strict=False)
        return tuple(f"{pair} {' '.join(words.split())}" for pair, words in given if max(pair) <= str(types))


SAMPLES = {
    "mie/cut": Sample("2.5", "1.0 1.0 14 7; 1.3 0.9 12 6 2.2; 0.7 1.1 10.5 6.5", tail=True),
    "nm/cut": Sample("2.5", "1 1.1 9 6; 1.3 1 12 7 2.2; 0.7 1.2 10 5; 1 1.1 8 6; 1 1 9 7; 1 1.2 12 6", tail=True),
    "nm/cut/split": Sample(
        "2.5",
        "1 1.122462048309373 9 6; 1.3 1.122462048309373 12 7 2.2; 0.7 1.122462048309373 10 5; "
        "1 1.122462048309373 8 6; 1 1.122462048309373 9 7; 1 1.122462048309373 12 6", same_shift=False),
    "lj/gromacs": Sample("1.5 2.5", "1.0 1.0; 1.3 0.9 1.4 2.2; 0.7 1.1", shift=False),
    "lj/mdf": Sample("1.5 2.5", "1.0 1.0; 1.3 0.9 1.4 2.2; 0.7 1.1", shift=False),
    "buck/mdf": Sample(
        "1.5 2.5",
        "900 0.2 1.1; 800 0.19 1.2 1.4 2.2; 1000 0.22 0.9; 650 0.21 1; 770 0.2 0.9; 1700 0.2 1", shift=False),
    "lennard/mdf": Sample("1.5 2.5", "4 4; 2 3 1.4 2.2; 3 3; 3.5 3; 2 2; 2.5 4", shift=False),
    "lj/smooth": Sample("1.5 2.5", "1.0 1.0; 1.3 0.9 1.4 2.2; 0.7 1.1"),
    "lj/smooth/linear": Sample("2.5", "1.0 1.0; 1.3 0.9 2.2; 0.7 1.1", shift=False),
    "lj/sf": Sample("2.5", "1.0 1.0; 1.3 0.9 2.2; 0.7 1.1", shift=False),
    "morse/smooth/linear": Sample(
        "2.5",
        "1 2 1.1; 1.3 1.9 1.2 2.2; 0.7 2.2 0.9; 0.3 2.2 1; 0.8 2.1 0.9; 1.7 1.2 1", shift=False),
    "beck": Sample(
        "2.5",
        "400 0.1 0.4 4 0.05; 300 5 0.5 4 0.06 2.2; 350 4 0.3 4 0.05; 300 5 0.5 4 0.06; 320 3 0.4 3 0.1; 310 1 1 4 0",
        shift=False),
    "born/gauss": Sample(
        "2.5",
        "8.2 1.5 0.3 2 1.1; 7 2 0.5 1.5 1.2 2.2; 9 3 0.5 2 1; 6 2 1 1.5 1.2; 5 1 0.5 2 1; 7 2 0.3 1 1",
        files=("ii",), same_shift=False),
    "gauss/cut": Sample("2.5", "2 1.1 0.3; -1 1.2 0.4 2.2; -0.7 0.9 0.5"),
    "harmonic/cut": Sample("", "2 1.5; 3 2.2; 1 1.9", shift=False),
    "ufm": Sample("2.5", "20 1; 13 0.9 2.2; 15 1.2"),
    "wf/cut": Sample("2.5", "1 1 1 1; 1.3 0.9 2 1 2.2; 0.7 1.1 1 2; 1 1 1 1; 0.9 1.2 1 3; 1 1.1 2 2", shift=False),
    "lj/spica": Sample(
        "2.5",
        "lj12_4 1 1; lj9_6 1.3 0.9 2.2; lj12_6 0.7 1.1; lj12_5 1 1; lj12_4 0.9 0.8; lj9_6 1 1.1", files=("ij",)),
    "lj/sdk": Sample(
        "2.5",
        "lj12_4 1 1; lj9_6 1.3 0.9 2.2; lj12_6 0.7 1.1; lj12_5 1 1; lj12_4 0.9 0.8; lj9_6 1 1.1", files=("ij",)),
    "pedone": Sample(
        "2.5",
        "1 2 1.1 0.1; 1.3 1.9 1.2 0.2 2.2; 0.7 2.2 0.9 0.3; 1 2 1 0.1; 1 2 1.1 0.2; 1 2 1.2 0", same_shift=False),
    "cosine/squared": Sample("2.5", "1 1; 1.3 0.9 2.2 wca; 0.7 1.1 wca; 1 1.2; 0.9 1 2; 1.5 2 2 wca", shift=False, files=()),
    "lj/cubic": Sample("", "1 1; 1.3 0.9; 0.7 1.1", shift=False),
    "momb": Sample(
        "2.5 0.75 20",
        "1 2 1.1 1 1.5; 1.3 1.9 1.2 1 1.4 2.2; 1 2 1 2 1.3; 1 2 1 1 1; 1 2 1 3 1.1; 2 1 1 1 1", same_shift=False),
    "lj/pirani": Sample("2.5", "4 6.5 6 1.1 1; 4 8 5 1 1.3 2.2; 3 7 4 1 1; 4 6.5 6 1.2 1; 4 9 6 1.1 1; 5 8 6 1 1"),
    "lj/cut/soft": Sample("2 0.5 2.5", "1 1.1 0.6; 1.3 0.9 0.6 2.2; 0.7 1 0.6", tail=True),
    "lj/class2/soft": Sample("2 0.5 2.5", "1 1.1 0.6; 1.3 0.9 0.6 2.2; 0.7 1 0.6", tail=True),
    "morse/soft": Sample(
        "4 0.9 2.5", "1 2 1.1 0.5; 1.3 1.9 1.2 0.95 2.2; 1 2 1 1; 1 2 1 0.9; 2 1 1 0.2; 1 2 1.3 0", same_shift=False),
    "colloid": Sample("2.5", "1 1 0 0; 40 0.9 0.5 0.5 2.2; 10 1.1 0.3 0.3; 12 1 0 0.5; 7 1 0 0.3; 20 1 0.5 0.3", files=("ii",)),
    "lj/relres": Sample(
        "1.2 1.5 2.0 2.5", "1 1 2 1.1; 1.3 0.9 0 0 1.1 1.4 2 2.2; 0.7 1.2 1.5 0.8 1.1 1.4 2.0 2.2", files=("ii",)),
    "lepton": Sample(
        "2.5",
        "4*((1/r)^12-(1/r)^6); 5*(r-2.2)^2*step(2.2-r) 2.2; exp(-r^2)/r; 2*exp(-2*r); sin(3*r)/r^3; sqrt(r)*erfc(r) 2.4",
        files=()),
}
