"""Named styles, registered by decorator; the only place a style name is looked up."""

from __future__ import annotations

import functools
import importlib
import os
import pkgutil
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from everlet.errors import unknown

T = TypeVar("T")
S = TypeVar("S", bound=type[Any])
LOADING = threading.RLock()  # of all registries: their modules use each other's


def enter(package: str) -> None:
    """Import every module of a package, and of the packages in it."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
        if module.ispkg:
            enter(module.name)
        else:
            importlib.import_module(module.name)


NAMED = re.compile(r"^@\w+\(((?:[^()]|\([^()]*\))*)\)", re.MULTILINE)  # decorators of what a module has at its top
LITERAL = re.compile(r"""["']([^"'\n]*)["']""")


def saying(package: str, name: str) -> list[str]:
    """The modules of a package that have this text in a decorator, in the order of `enter`: found by reading."""
    quoted = [f"{mark}{name}{mark}".encode() for mark in "\"'"]
    texts = [(module, text.decode()) for module, text in _texts(package) if any(one in text for one in quoted)]
    return [module for module, text in texts if any(name in LITERAL.findall(said) for said in NAMED.findall(text))]


@functools.cache
def _texts(package: str) -> list[tuple[str, bytes]]:
    found = []
    for root in importlib.import_module(package).__path__:
        for module, place in _files(package, root):
            with open(place, "rb", buffering=0) as file:
                found.append((module, file.read()))
    return found


def _files(package: str, folder: str) -> Iterator[tuple[str, str]]:
    """What pkgutil finds in a folder, and in those in it: it takes ten times as long."""
    with os.scandir(folder) as entries:
        for one in sorted(entries, key=lambda entry: entry.name):
            if one.name.endswith(".py") and one.name != "__init__.py":
                yield f"{package}.{one.name[:-3]}", one.path
            elif os.path.isfile(os.path.join(one.path, "__init__.py")):
                yield from _files(f"{package}.{one.name}", one.path)


class Registry(Generic[T]):
    """Maps names to classes or functions of one kind.

    >>> animals = Registry("animal")
    >>> @animals("cat")
    ... def cat(): return "meow"
    >>> animals["cat"]()
    'meow'

    `packages` are those whose modules, in whatever room of theirs, register themselves, so that a new style is one new file and
    no list anywhere. A look-up imports those that have the name in a decorator, and all if none of them registers it, or if all
    names are wanted. `more` brings names of installed packages when all
    are listed, or when one is asked for that is not known.
    """

    more: Callable[[], None] | None = None

    def __init__(self, kind: str, *packages: str):
        self.kind, self.packages = kind, packages
        self._known: dict[str, T] = {}
        self._loaded = self._begun = not packages

    def __call__(self, *names: str) -> Callable[[T], T]:
        def register(item: T) -> T:
            for name in names:
                self._known[name] = item
            return item

        return register

    def load(self) -> None:
        """Import every module of the packages once; other threads wait for it."""
        if self._loaded:
            return
        with LOADING:
            if self._begun:
                return  # modules may ask for names while they are imported
            self._begun = True
            try:
                for name in self.packages:
                    enter(name)
                self._loaded = True
            except BaseException:
                self._begun = False  # a caller who goes on is told the same again, not that names are unknown
                raise

    def _fetch(self, name: str) -> None:
        """Import the modules that say this name, or all."""
        with LOADING:
            if not self._begun:
                for package in self.packages:
                    for module in saying(package, name):
                        importlib.import_module(module)
        if name not in self._known:
            self.load()

    def __getitem__(self, name: str) -> T:
        if name not in self:
            raise unknown(self.kind, name, self._known)
        return self._known[name]

    def get(self, name: str) -> T | None:
        """The item of this name, None if there is none."""
        return self._known[name] if name in self else None

    def __contains__(self, name: str) -> bool:
        if name not in self._known and not self._loaded:
            self._fetch(name)
        if name not in self._known and self.more is not None:
            self.more()
        return name in self._known

    def __iter__(self) -> Iterator[str]:
        self.load()
        if self.more is not None:
            self.more()
        return iter(sorted(self._known))

    def own(self) -> dict[str, T]:
        """All items that are there now, without a look at installed packages."""
        self.load()
        return dict(self._known)

    def restore(self, items: dict[str, T]) -> None:
        """Have these items and no others, as they were before a plugin failed."""
        self._known = dict(items)


class StyleRegistry(Registry[S]):
    """Classes that learn the name they are registered under, the first of several."""

    def __call__(self, *names: str) -> Callable[[S], S]:
        register = super().__call__(*names)

        def named(style: S) -> S:
            style.name = names[0]
            return register(style)

        return named
