"""Machines as data: a JSON file each, those that ship in everlet/lab/machines, others by path.

    {"name": "frontier", "about": "…", "nodes": 9856, "devices": 8, "device": "mi250x",
     "network": {"latency": 2e-6, "bandwidth": 25e9, "nics": 4, "topology": "dragonfly"},
     "link": {"latency": 1e-5, "bandwidth": 36e9}, "watts": {"tdp": null, "measured": 2496}}

nodes      most that there are
devices    per node; one rank has one of them
device     a name of devices.json, or the same fields here
network    latency, overhead (of the processor, for each message and side), bandwidth: seconds and bytes per second; or points
           [[bytes, seconds], …] of a ping-pong, between which lines are drawn. nics share a node's messages; topology flat,
           fat-tree, torus or dragonfly, with `hop` seconds for each switch on the way; eager: longer messages wait for their
           receiver; noise [[bytes, seconds], …]: the width of the normal distribution whose positive half is added
link       host to device and back (PCIe), as the network; none if the device is the host or the network reads its memory
watts      of a node: tdp is the sum of the data sheets of its processors, measured is what the site or a meter says
lu         what NPB LU takes there: plane seconds of a hyperplane, point seconds of a grid point, other seconds of all the rest
           of class C on one node; of a GPU that was measured planes and rest, see grind.py
md         rates of potentials on one device: {"lj/cut": {"start": s, "rate": atoms/s, "surface": s}}; see md.py. Where
           points [[atoms, seconds], …] were measured lines are drawn between them; beyond: [[atoms, bytes], …] likewise
crowd      how much slower a core is when others work, too: {"md": [[cores, times], …], "lu": …}
division   what dividing a box costs beyond messages: {"2": {"step": s, "ghost": s, "rebuild": s, "new ghost": s}, …} by ranks
rough      relative error of what is said about it, 0.1 if nothing is
sources    where a number is from, by its name: a data sheet, a paper, a measurement; `estimate: how` where nothing was found.
           Those of a device stand in devices.json, beside it
"""

from __future__ import annotations

import bisect
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from importlib import resources
from typing import Any

from everlet.errors import InputError, unknown
from everlet.io import remembered
from everlet.portable import HOST

NOT_MACHINES = ("devices.json", "thesis.json", "peers.json")
TOPOLOGIES = ("flat", "fat-tree", "torus", "dragonfly")
HERE, HERE_GPU = "here", "here-gpu"  # this machine, as `everlet measure` found it: its cores, its GPU


def between(points: list[tuple[float, float]], x: float) -> float:
    """The broken line through points, in order of x; level before the first, with the last slope behind the last.

    >>> between([(0.0, 1.0), (10.0, 3.0)], 5.0), between([(0.0, 1.0), (10.0, 3.0)], 20.0)
    (2.0, 5.0)
    """
    if not points:
        return 0.0
    if x <= points[0][0] or len(points) == 1:
        return points[0][1]
    k = min(bisect.bisect_left([one[0] for one in points], x), len(points) - 1)
    (x0, y0), (x1, y1) = points[k - 1], points[k]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


@dataclass
class Link:
    """A way for messages: T(B) = latency + 2 overhead + B/bandwidth, or by points of a measurement."""

    latency: float = 0.0
    overhead: float = 0.0
    bandwidth: float = float("inf")
    points: list[tuple[float, float]] = field(default_factory=list)

    def time(self, size: float) -> float:
        """Seconds of a message of so many bytes, from one program to the other."""
        if self.points:
            return between(self.points, size)
        return self.latency + 2.0 * self.overhead + size / self.bandwidth

    def gap(self, size: float) -> float:
        """Seconds for which a message keeps the link busy; the rest is latency."""
        return max(0.0, self.time(size) - self.time(0.0))


@dataclass
class Network(Link):
    nics: int = 1
    topology: str = "flat"
    hop: float = 0.0
    eager: float = float("inf")
    noise: list[tuple[float, float]] = field(default_factory=list)


@dataclass
class Device:
    """A processor: bytes per second, bytes, operations per second as data sheets say; units are cores or multiprocessors.
    `measured`: what programs reach of some of them, a copy of the bandwidth, chains of multiply-adds of f64 and f32."""

    name: str = ""
    kind: str = "cpu"  # or gpu
    bandwidth: float = 0.0
    memory: float = 0.0
    f64: float = 0.0
    f32: float = 0.0
    cache: float = 0.0  # bytes next to each unit: L1 and shared memory
    shared: float = 0.0  # bytes of it that threads can share
    units: int = 1
    gigahertz: float = 0.0
    watts: float = 0.0
    measured: dict[str, float] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    def times(self, other: Device, limit: str) -> float:
        """How many times as much it has of a limit, bandwidth or f64: as measured if both were, else by data sheets."""
        if limit in self.measured and limit in other.measured:
            return self.measured[limit] / other.measured[limit]
        return float(getattr(self, limit) / getattr(other, limit))


@dataclass
class Machine:
    name: str = ""
    about: str = ""
    nodes: int = 1
    devices: int = 1
    device: Device = field(default_factory=Device)
    network: Network = field(default_factory=Network)
    link: Link | None = None
    watts: dict[str, float | None] = field(default_factory=dict)
    lu: dict[str, Any] = field(default_factory=dict)
    md: dict[str, dict[str, Any]] = field(default_factory=dict)
    crowd: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    division: dict[str, dict[str, float]] = field(default_factory=dict)
    rough: float = 0.1
    sources: dict[str, str] = field(default_factory=dict)

    def slower(self, program: str, busy: float) -> float:
        """How much longer a core takes when so many are busy with a program; 1 where it was not measured."""
        points = self.crowd.get(program) or [(1.0, 1.0)]
        return between(points, min(busy, points[-1][0]))

    def power(self, kind: str) -> float | None:
        """Watts of a node: tdp or measured; the data sheet of the devices where no more is known."""
        given = self.watts.get(kind)
        if given is not None:
            return float(given)
        return self.device.watts * self.devices or None if kind == "tdp" else None


def _folder() -> Any:
    return resources.files("everlet.lab") / "machines"


def _read(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(f"{what} is no JSON: {error}", "everlet model machines shows how one looks") from None


def devices() -> dict[str, Device]:
    """Processors that have a name."""
    known = _read((_folder() / "devices.json").read_text(encoding="utf-8"), "devices.json")
    return {name: Device(name=name, **facts) for name, facts in known.items()}


def names() -> list[str]:
    """Machines that ship."""
    return sorted(one.name.removesuffix(".json") for one in _folder().iterdir()
                  if one.name.endswith(".json") and one.name not in NOT_MACHINES)


def shipped(name: str) -> dict[str, Any]:
    """The content of the file of a machine that ships."""
    return dict(_read((_folder() / f"{name}.json").read_text(encoding="utf-8"), name))


def load(name: str) -> Machine:
    """A machine by name, by file, or `here`."""
    if name in (HERE, HERE_GPU):
        return made(here(name == HERE_GPU), name)
    if os.path.isfile(name):
        with open(name, encoding="utf-8") as stream:
            return made(_read(stream.read(), name), name)
    if name in names():
        return made(shipped(name), name)
    raise unknown("machine", name, [HERE, HERE_GPU, *names()], "" if "/" not in name and not name.endswith(".json")
                  else "there is no such file; everlet measure all --json FILE makes one of this machine")


def here(gpu: bool = False) -> dict[str, Any]:
    """The content of a machine file of this machine: its cores, or its GPU."""
    found = {"name": HERE, "about": HOST.machine(), **measured()}
    card = found.pop("gpu", {})
    if not gpu:
        found.pop("link", None)
        return found
    if not card.get("md"):
        raise InputError("the GPU of this machine was not measured",
                         "everlet measure md --device cuda, and for LU everlet measure lu --device cuda")
    return {**found, "name": HERE_GPU, "about": card["device"]["name"], "devices": 1, **card}


def measured() -> dict[str, Any]:
    """What `everlet measure` has found on this machine."""
    return remembered.get("machine", HOST.machine())


def made(content: Any, what: str) -> Machine:
    """A machine from the content of a file, checked."""
    if not isinstance(content, dict):
        raise InputError(f"{what} does not hold a machine", "it must be one JSON object: { … }")
    known = {one.name for one in fields(Machine)}
    content = {key: value for key, value in content.items() if key not in STAMP}
    for key in content:
        if key not in known:
            raise unknown(f"field of the machine {what}", key, known)
    device = content.get("device", {})
    if isinstance(device, str):
        table = devices()
        if device not in table:
            raise unknown("device", device, table)
        content["device"] = table[device]
    else:
        content["device"] = _part(Device, device, what)
    content["network"] = _part(Network, content.get("network", {}), what)
    content["crowd"] = {name: _points(value, f"{what}: crowd") for name, value in _named(content, "crowd", what).items()}
    for ranks, costs in _named(content, "division", what).items():
        if not (ranks.isdecimal() and isinstance(costs, dict) and all(isinstance(one, int | float) for one in costs.values())):
            raise InputError(f"{what}: division must have numbers of ranks, each with seconds by name, found {ranks!r}",
                             'for example {"2": {"step": 1e-5, "ghost": 1e-9, "rebuild": 1e-3, "new ghost": 3e-7}}')
    if content.get("link") is not None:
        content["link"] = _part(Link, content["link"], what)
    machine = Machine(**content)
    if machine.network.topology not in TOPOLOGIES:
        raise unknown("topology", machine.network.topology, TOPOLOGIES)
    for count, word in ((machine.nodes, "nodes"), (machine.devices, "devices")):
        if not isinstance(count, int) or count < 1:
            raise InputError(f"{what}: {word} must be a positive whole number, found {count!r}", "correct the file")
    return machine


STAMP = ("machine", "versions", "system", "everlet", "commit", "python", "date", "load", "command", "measured")


def _named(content: dict[str, Any], key: str, what: str) -> dict[str, Any]:
    found = content.get(key, {})
    if not isinstance(found, dict):
        raise InputError(f"{what}: {key} must be an object with names", "correct the file")
    return found


def _part(kind: Any, content: Any, what: str) -> Any:
    known = {one.name: one for one in fields(kind)}
    if not isinstance(content, dict):
        raise InputError(f"{what}: expected the fields of a {kind.__name__.lower()}", f"such as {', '.join(known)}")
    for key, value in content.items():
        if key not in known:
            raise unknown(f"field of {kind.__name__.lower()} in {what}", key, known)
        if key in ("points", "noise"):
            content[key] = _points(value, f"{what}: {key}")
        elif key in ("measured", "sources"):
            _named(content, key, what)
        elif key not in ("name", "kind", "topology") and (isinstance(value, bool) or not isinstance(value, int | float)
                                                          or value < 0 or key == "bandwidth" and not value):
            raise InputError(f"{what}: {key} must be a positive number, found {value!r}", "correct the file")
    return kind(**content)


def _points(value: Any, what: str) -> list[tuple[float, float]]:
    if not (isinstance(value, Iterable) and all(isinstance(one, list | tuple) and len(one) == 2 for one in value)):
        raise InputError(f"{what} must be pairs [bytes, seconds]", "for example [[8, 1e-6], [1000000, 1e-4]]")
    return sorted((float(x), float(y)) for x, y in value)


def thesis() -> dict[str, Any]:
    """Measured and predicted times of NPB LU in the literature, for comparison."""
    return _read((_folder() / "thesis.json").read_text(encoding="utf-8"), "thesis.json")


def peers() -> list[dict[str, Any]]:
    """Rates of other programs: platform, system, atoms, who, rate."""
    return list(_read((_folder() / "peers.json").read_text(encoding="utf-8"), "peers.json")["rows"])
