"""The commands of the script language, one function each: `@command("mass") def mass(sim, args)`."""

from collections.abc import Callable
from typing import Any

from everlet.registry import Registry
from everlet.run.installed import brings

command: Registry[Callable[[Any, list[str]], None]] = Registry("command", "everlet.script.commands")
brings("command", command)
