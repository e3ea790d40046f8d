"""Everlet: performance-portable molecular dynamics in Python."""

__version__ = "0.1.0"

from everlet.computes.base import Compute, compute_style
from everlet.errors import EverletError, InputError
from everlet.fixes.base import Fix, fix_style
from everlet.forces.manybody.eam.embedded import EmbeddedStyle
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.quantities import Quantity, energy, length, number
from everlet.portable import portable
from everlet.simulation import Simulation

__all__ = ["ChargedStyle", "Compute", "EmbeddedStyle", "EverletError", "Fix", "InputError", "PairStyle", "Quantity",
           "Simulation", "compute_style", "energy", "fix_style", "length", "number", "pair_style", "portable"]
