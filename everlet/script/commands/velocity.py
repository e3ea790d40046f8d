"""velocity: give atoms velocities.

    velocity group create T seed [dist uniform|gaussian] [mom yes|no] [rot yes|no] [loop all|local|geom] [sum yes|no]
                                                                            [temp ID] [bias yes|no]
    velocity group set vx vy vz [sum yes|no] [units lattice|box]           NULL leaves a component alone
    velocity group scale T [temp ID] [bias yes|no]
    velocity group ramp vx|vy|vz vlo vhi x|y|z clo chi [sum yes|no] [units lattice|box]
    velocity group zero linear|angular

T is in temperature units, velocities in lattice spacings per time (units lattice, the default) or distance units per
time (units box); those of `set` may be variables v_name, of style equal or atom, always in distance units per time.
T = mvv2e sum m v^2 / (dof boltz) over the group with dof = d N - d in d dimensions, less
what fixes take (shake, rigid); or T is what the compute ID gives. bias yes: what that compute leaves out of velocities stays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.computes.temperatures.base import Temperature, temperature
from everlet.computes.temperatures.temp_cs import TempCS
from everlet.computes.temperatures.temp_partial import TempPartial
from everlet.errors import InputError, arguments, integer, number, one_of, unknown, yes_no
from everlet.script.registry import command
from everlet.script.values import axis, spacing, values
from everlet.state import moments
from everlet.state.random import ParkMiller, PositionStreams
from everlet.state.system import System

USAGE = "velocity group-ID create|set|scale|ramp|zero values [keyword value ...]"
LOCAL_WARMUP = 100  # draws thrown away by loop local
REFUSED = {
    "rigid": "rigid bodies are not supported",
}


@dataclass
class Options:
    """Keywords with their defaults."""

    dist: str = "uniform"
    mom: bool = True
    rot: bool = False
    loop: str = "all"
    sum: bool = False
    units: str = "lattice"
    temp: str = ""  # a compute
    bias: bool = False


@dataclass
class Chosen:
    """The atoms of the group: their rows, and what the sub-commands need of them."""

    system: System
    rows: np.ndarray
    bit: int  # of the group
    mass: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.mass = self.system.masses_of()[self.rows]

    @property
    def v(self) -> np.ndarray:
        return self.system.atoms.read("v")[self.rows]

    def put(self, v: np.ndarray) -> None:
        self.system.atoms.edit("v")[self.rows] = v

    def unwrapped(self) -> np.ndarray:
        atoms = self.system.atoms
        return moments.unwrapped(self.system.need_box(), atoms.read("x")[self.rows], atoms.read("image")[self.rows])


@command("velocity", changes=("v",), stored=True, seed=(2, "create", 4))
def velocity(sim: Any, args: list[str]) -> None:
    arguments(args, 3, None, USAGE)
    system: System = sim.system
    system.need_atoms("give velocities to")
    system.check_masses()
    group, style = args[:2]
    one_of("velocity style", style, STYLES)
    run, count, allowed = STYLES[style]
    keywords = f", then keywords of: {' '.join(allowed)}" if allowed else ""
    arguments(args[2:], count, None, f"velocity group-ID {style} with {count} value(s){keywords}")
    options = read_options(style, args[2 + count :], allowed)
    for key in args[2 + count :: 2]:
        if key not in allowed and key != "bias":
            sim.log.warning(f"velocity {style} does not use the keyword '{key}'")
    chosen = Chosen(system, np.flatnonzero(system.groups.member(group, system.atoms.read("mask"))),
                    int(system.groups.bit(group)))
    run(sim, chosen, args[2 : 2 + count], options)


def read_options(style: str, words: list[str], allowed: tuple[str, ...]) -> Options:
    options = Options()
    for key, value in zip(words[::2], [*words[1::2], ""], strict=False):
        if key in REFUSED:
            raise InputError(f"velocity keyword '{key}': {REFUSED[key]}", "remove the keyword")
        if key not in Options.__dataclass_fields__:
            raise unknown("velocity keyword", key, (*allowed, *REFUSED))
        if (key, value) == ("bias", "no"):
            continue
        if value == "":
            raise InputError(f"velocity keyword '{key}' needs a value",
                             "usage: velocity group-ID STYLE values [keyword value ...]")
        if key == "temp":
            options.temp = value
        elif key in ("mom", "rot", "sum", "bias"):
            setattr(options, key, yes_no(value, f"velocity keyword '{key}'"))
        elif value not in CHOICES[key]:
            raise unknown(f"value of the velocity keyword '{key}'", value, CHOICES[key])
        else:
            setattr(options, key, value)
    if options.bias and not options.temp:
        raise InputError("velocity bias yes needs a temperature that has one", "name it: temp ID")
    return options


CHOICES = {"dist": ("uniform", "gaussian"), "loop": ("all", "local", "geom"), "units": ("lattice", "box")}


def create(sim: Any, chosen: Chosen, words: list[str], options: Options) -> None:
    """Random velocities over 1/sqrt(m), momentum removed if asked, scaled to the temperature."""
    target, seed = target_temperature(words[0]), integer(words[1], "a seed")
    v = draws(chosen, seed, options) * (1.0 / np.sqrt(chosen.mass))[:, None]
    if chosen.system.dimension == 2:
        v[:, 2] = 0.0
    if options.mom:
        v = without_momentum(chosen, v)
    if options.rot:
        v = without_rotation(chosen, v)
    heat = given_temperature(chosen, options)
    if heat is None or options.bias:
        v = rescaled(chosen, v, target)
    before = chosen.v
    if heat is not None:
        v = with_bias(chosen, heat, v) if options.bias else rescaled_by(chosen, heat, v, target)
    chosen.put(before + v if options.sum else v)


def draws(chosen: Chosen, seed: int, options: Options) -> np.ndarray:
    """Three numbers per atom of the group: uniform in (-1/2, 1/2) or Gaussian of width 1."""
    atoms, count = chosen.system.atoms, len(chosen.rows)
    gaussian = options.dist == "gaussian"
    if options.loop == "geom":
        streams = PositionStreams(seed, atoms.read("x")[chosen.rows])
        return np.stack([streams.gaussian() if gaussian else streams.uniform() - 0.5 for _ in range(3)], axis=1)
    stream = ParkMiller(seed)
    if options.loop == "local":
        stream.skip(LOCAL_WARMUP)
        which = np.arange(count)
    else:  # every atom takes its three numbers, in the group or not
        ids = atoms.read("id")
        count = chosen.system.natoms
        if not np.array_equal(np.sort(ids), np.arange(1, count + 1)):
            raise InputError("velocity create with loop all needs atom ids 1 to N without gaps",
                             "use reset_atoms id first, or loop geom")
        which = ids[chosen.rows] - 1
    numbers = stream.gaussians(3 * count) if gaussian else stream.uniforms(3 * count) - 0.5
    return numbers.reshape(-1, 3)[which]


def set_values(sim: Any, chosen: Chosen, words: list[str], options: Options) -> None:
    v, per = chosen.v, spacing(chosen.system, options.units)
    for k, word in enumerate(words):
        if word == "NULL":
            continue
        value = values(sim, word, "a velocity", chosen.rows)
        if not word.startswith("v_"):  # the reference takes variables in box units, whatever the keyword says
            value *= per[k]
        if k == 2 and np.any(value):
            refuse_z(chosen.system)
        v[:, k] = v[:, k] + value if options.sum else value
    chosen.put(v)


def scale(sim: Any, chosen: Chosen, words: list[str], options: Options) -> None:
    target, heat = target_temperature(words[0]), given_temperature(chosen, options)
    if heat is None:
        chosen.put(rescaled(chosen, chosen.v, target))
        return
    before, thermal = chosen.v, chosen.v
    if options.bias:
        thermal = without_bias(chosen, heat)
    factor = factor_to(chosen, heat, target)
    chosen.put(before - thermal + factor * thermal if options.bias else factor * before)


def ramp(sim: Any, chosen: Chosen, words: list[str], options: Options) -> None:
    """v = vlo + f (vhi - vlo), f = (c - clo) / (chi - clo) held within 0 and 1, c the coordinate."""
    component = axis(words[0], "velocity component", ("vx", "vy", "vz"))
    along = axis(words[3])
    if component == 2:
        refuse_z(chosen.system)
    per = spacing(chosen.system, options.units)
    vlo, vhi = (per[component] * number(word, "a velocity") for word in words[1:3])
    clo, chi = (per[along] * number(word, "a coordinate") for word in words[4:6])
    if chi == clo:
        raise InputError("velocity ramp needs two different coordinates", "change clo or chi")
    fraction = np.clip((chosen.system.atoms.read("x")[chosen.rows, along] - clo) / (chi - clo), 0.0, 1.0)
    v = chosen.v
    level = vlo + fraction * (vhi - vlo)
    v[:, component] = v[:, component] + level if options.sum else level
    chosen.put(v)


def zero(sim: Any, chosen: Chosen, words: list[str], options: Options) -> None:
    remove = {"linear": without_momentum, "angular": without_rotation}
    one_of("velocity zero style", words[0], remove)
    chosen.put(remove[words[0]](chosen, chosen.v))


STYLES = {  # function, number of values, keywords
    "create": (create, 2, ("dist", "mom", "rot", "loop", "sum", "temp", "bias")),
    "set": (set_values, 3, ("sum", "units")),
    "scale": (scale, 1, ("temp", "bias")),
    "ramp": (ramp, 6, ("sum", "units")),
    "zero": (zero, 1, ()),
}


def without_momentum(chosen: Chosen, v: np.ndarray) -> np.ndarray:
    if len(v) == 0:
        raise InputError("cannot remove the momentum of a group without atoms", "choose a group with atoms")
    return v - moments.mean(chosen.mass, v)


def without_rotation(chosen: Chosen, v: np.ndarray) -> np.ndarray:
    if len(v) == 0:
        raise InputError("cannot remove the rotation of a group without atoms", "choose a group with atoms")
    x = chosen.unwrapped()
    omega = moments.angular_velocity(chosen.mass, x, v)
    return v - np.cross(omega, x - moments.mean(chosen.mass, x))


def rescaled(chosen: Chosen, v: np.ndarray, target: float) -> np.ndarray:
    units, dimension = chosen.system.units, chosen.system.dimension
    dof = dimension * (len(v) - 1) - sum(fix.removed_dof(chosen.bit) for fix in chosen.system.fixes.values())
    now = moments.temperature(chosen.mass, v, dof, units.mvv2e, units.boltz)
    if now == 0.0:
        raise InputError("velocities of zero temperature cannot be scaled",
                         "the group needs at least two atoms, and velocities that are not all equal")
    return v * math.sqrt(target / now)


def given_temperature(chosen: Chosen, options: Options) -> Temperature | None:
    """The compute of the keyword temp, with its degrees of freedom counted."""
    if not options.temp:
        return None
    heat = temperature(chosen.system, options.temp, "velocity temp")
    heat.setup()
    if options.bias and not heat.biased:
        raise InputError(f"velocity bias yes: compute {options.temp} leaves nothing out of velocities", "remove the keyword")
    return heat


def factor_to(chosen: Chosen, heat: Temperature, target: float) -> float:
    """What velocities must be multiplied with."""
    now = heat.scalar()
    if now == 0.0:
        raise InputError("velocities of zero temperature cannot be scaled", "choose a compute whose atoms move")
    return math.sqrt(target / now)


def rescaled_by(chosen: Chosen, heat: Temperature, v: np.ndarray, target: float) -> np.ndarray:
    chosen.put(v)
    return v * factor_to(chosen, heat, target)


def without_bias(chosen: Chosen, heat: Temperature) -> np.ndarray:
    """The part of the present velocities that counts for a temperature."""
    before = chosen.system.atoms.read("v").copy()
    heat.scalar()  # some know what they leave out only then
    heat.take_bias()
    thermal = chosen.v
    chosen.system.atoms.edit("v")[:] = before
    return thermal


def with_bias(chosen: Chosen, heat: Temperature, v: np.ndarray) -> np.ndarray:
    """New velocities and what the present ones have that does not count."""
    bias = chosen.v - without_bias(chosen, heat)
    if isinstance(heat, TempCS):  # pairs have no motion within them
        chosen.put(v)
        return without_bias(chosen, heat)
    if isinstance(heat, TempPartial):  # components that do not count stay as they are
        chosen.put(v)
        v = without_bias(chosen, heat)
    return v + bias


def target_temperature(word: str) -> float:
    value = number(word, "a temperature")
    if value < 0.0:
        raise InputError(f"temperature {word} is negative", "give 0 or more")
    return value


def refuse_z(system: System) -> None:
    if system.dimension == 2:
        raise InputError("a velocity along z is not possible in two dimensions", "use 0 or NULL")
