"""Bond orders of the last forces, on the host, for those who look at them: fixes that write species and bonds, and Python."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.reaxff.reaxff import ReaxFF
from everlet.forces.manybody.reaxff.scheme import ReaxScheme
from everlet.forces.pair.driver import PairTerm
from everlet.state.system import System


@dataclass
class BondOrders:
    """Bonds of this rank's atoms, each from both of its ends if both atoms are here.

    row, partner, order   of each bond: the row of an owned atom, the id of the other one, the order
    other                 the row of the other one, which may be a ghost
    total, lone_pairs     of each owned atom: the sum of its orders, and its lone pairs
    """

    row: np.ndarray
    partner: np.ndarray
    order: np.ndarray
    other: np.ndarray
    total: np.ndarray
    lone_pairs: np.ndarray


def reaxff_of(system: System) -> ReaxFF | None:
    """The pair style, which may be one of several."""
    pieces = system.pair.pieces() if system.pair is not None else []
    return next((style for _, style in pieces if isinstance(style, ReaxFF)), None)


def need_reaxff(system: System, who: str) -> ReaxFF:
    found = reaxff_of(system)
    if found is None:
        raise InputError(f"{who} needs bond orders, which pair_style reaxff has", "use pair_style reaxff")
    return found


def bond_orders(system: System, who: str) -> BondOrders:
    """Orders of the present forces."""
    style = need_reaxff(system, who)
    system.fresh.need()
    terms = system.evaluator.terms if system.evaluator is not None else []
    scheme = next((term.scheme for term in terms if isinstance(term, PairTerm) and isinstance(term.scheme, ReaxScheme)), None)
    if scheme is None:
        raise InputError(f"{who} needs bond orders, and forces have not been computed", "run 0 steps before")
    atoms, n = system.atoms, system.atoms.n
    used = int(scheme.bonds.start.get()[n]) if n else 0  # rows of ghosts follow
    row, other, order = (scheme.bonds[name].get()[:used] for name in ("bi", "bj", "B"))
    total = scheme.of_atoms["T"].get()[:n]
    field, kind = style.field, style.rows[atoms.read("type")]
    beyond = total - field.elements["valence_e"][kind]
    half = np.trunc(0.5 * beyond)
    pairs = np.where(kind >= 0, np.exp(-field.general["lp1"] * (2.0 + beyond - 2.0 * half) ** 2) - half, 0.0)
    return BondOrders(row.astype(np.int64), system.evaluator.atoms.view("id").get()[other], order, other, total, pairs)
