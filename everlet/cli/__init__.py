"""The `everlet` command: command.py begins, subcommands.py is the table of what there is, request.py reads flags of a run."""

from everlet.cli.command import main

__all__ = ["main"]
