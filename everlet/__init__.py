"""Everlet: performance-portable molecular dynamics in Python."""

from everlet import settings as settings  # first: it sets what NumPy reads when it is imported
from everlet.api.batch import Batch
from everlet.api.simulation import Simulation
from everlet.api.snapshots import Snapshot
from everlet.api.styles import angle, bond, dihedral, improper, kspace, pair
from everlet.computes.base import Compute, compute_style
from everlet.computes.nearby import Nearby
from everlet.computes.temperatures.base import Temperature
from everlet.dumps.base import Dump, dump_style
from everlet.errors import DeviceError, EverletError, EverletWarning, InputError, RunError
from everlet.fitting.ace import write_ace
from everlet.fitting.configuration import Configuration, configurations
from everlet.fitting.describe import EdgeSlopes, descriptors
from everlet.fitting.design import Design, design_matrix
from everlet.fitting.files import write_mliap, write_snap
from everlet.fixes.base import Fix, fix_style
from everlet.forces.bonded.base import (
    AngleStyle,
    BondStyle,
    DihedralStyle,
    ImproperStyle,
    angle_style,
    bond_style,
    dihedral_style,
    improper_style,
)
from everlet.forces.kspace.base import KspaceStyle, kspace_style
from everlet.forces.manybody.eam.embedded import EmbeddedStyle
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.quantities import Quantity, energy, length, number
from everlet.io.trajectories import TrajectoryFrame, read_frames
from everlet.portable import portable
from everlet.run.minimisers.base import Minimiser, min_style
from everlet.script.registry import command
from everlet.state.operation import ENERGY, EXTENSIVE, INTENSIVE, VIRIAL, Gives
from everlet.state.regions import Region, region_style
from everlet.version import __version__ as __version__

__all__ = ["ENERGY", "EXTENSIVE", "INTENSIVE", "VIRIAL", "AngleStyle", "Batch", "BondStyle", "ChargedStyle", "Compute",
           "Configuration", "Design", "DeviceError", "DihedralStyle", "Dump", "EdgeSlopes", "EmbeddedStyle", "EverletError",
           "EverletWarning", "Fix", "Gives", "ImproperStyle", "InputError", "KspaceStyle", "Minimiser", "Nearby", "PairStyle",
           "Quantity", "Region", "RunError", "Simulation", "Snapshot", "Temperature", "TrajectoryFrame", "angle",
           "angle_style", "bond", "bond_style", "command", "compute_style", "configurations", "descriptors", "design_matrix",
           "dihedral", "dihedral_style", "dump_style", "energy", "fix_style", "improper", "improper_style", "kspace",
           "kspace_style", "length", "min_style", "number", "pair", "pair_style", "portable", "read_frames", "region_style",
           "write_ace", "write_mliap", "write_snap"]
