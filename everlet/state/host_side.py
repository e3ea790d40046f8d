"""A System as seen by a style that runs on the host although the rest of the simulation is on a GPU.

The style gets this instead of the System: kernels it launches run on a CPU core, and the fields it asks for are the
host's copies. Dual views move what is stale, in either direction, and nothing else.
"""

from __future__ import annotations

from typing import Any

from everlet.portable import Constants, Serial, View
from everlet.portable.devices import packages
from everlet.state.box import BOX
from everlet.state.masses import OWN, Rows
from everlet.state.system import System

HOST_SUFFIX, DEVICE_SUFFIX = "/kk/host", "/kk/device"
VARIANTS = ("kk", *packages())  # endings of accelerated variants: here every style has one implementation


class HostAtoms:
    """Atoms whose views are on the host."""

    def __init__(self, atoms: Any):
        self.__dict__["_atoms"] = atoms
        self.__dict__["space"] = Serial()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._atoms, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._atoms, name, value)

    def view(self, name: str, modify: bool = False) -> View:
        """The host's view of all rows, up to date."""
        field = self._atoms._field(name).view
        field.sync_host()
        field.host_modified = field.host_modified or modify
        return field.host


class HostSide:
    """Everything is the System's, but for the space and the side of the atoms' arrays."""

    def __init__(self, system: System):
        self.__dict__["_system"] = system
        self.__dict__["space"] = Serial()
        self.__dict__["_atoms"] = HostAtoms(system.atoms)
        self.__dict__["_here"] = Constants(BOX, self.space)
        self.__dict__["_rows"] = Rows(self.space)

    @property
    def atoms(self) -> HostAtoms:
        """The host's side of the System's atoms, which may be replaced."""
        if self._atoms._atoms is not self._system.atoms:
            self.__dict__["_atoms"] = HostAtoms(self._system.atoms)
        return self._atoms

    def __getattr__(self, name: str) -> Any:
        return getattr(self._system, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._system, name, value)

    def mass_kind(self) -> View:
        """The same for kernels on the host."""
        return self._rows.of(self.atoms) if OWN in self.atoms.fields else self.atoms.view("type")

    def masses_view(self) -> View:
        """Masses for kernels on the host."""
        if OWN in self.atoms.fields:
            return self.atoms.view(OWN)
        view = View(len(self.masses), float, self.space)
        view.put(self.masses)
        return view

    def box_view(self) -> View:
        """The box, for kernels on the host."""
        return self._here.view

    def put_box(self) -> None:
        """For kernels of both sides."""
        self._here.set(self.need_box().params())
        self._system.put_box()


def base_name(name: str) -> str:
    """A style name without the ending of an accelerated variant.

    >>> base_name("lj/cut/kk"), base_name("lj/cut"), base_name("nve/kk/device")
    ('lj/cut', 'lj/cut', 'nve')
    """
    if name.endswith((HOST_SUFFIX, DEVICE_SUFFIX)):
        name = name.rpartition("/")[0]
    base, _, last = name.rpartition("/")
    return base if base and last in VARIANTS else name


def side(system: System, name: str) -> Any:
    """The System as a style of this name should see it: its name may end in /kk/host or /kk/device."""
    if name.endswith(HOST_SUFFIX) and system.space.many_threads:
        return HostSide(system)
    return system
