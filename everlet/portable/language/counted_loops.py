"""The text of a kernel with `while` for `for`, for GPU compilers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from everlet.portable.language.words import words


class _CountedLoops(ast.NodeTransformer):
    """for k in range(a, b, s) -> k = a; while k < b: …; k += s. Loops that call functions
    of `together`, which all lanes of an item must come to, go on for all lanes until the last has ended."""

    def __init__(self, together: frozenset[str]) -> None:
        self.ends, self.together = 0, together

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        call = node.iter
        name = getattr(getattr(call, "func", None), "id", "")
        leaves = any(isinstance(inner, ast.Continue) for statement in node.body for inner in ast.walk(statement))
        if name not in ("range", "lane_range", "lane_steps", "team_range") or not isinstance(call, ast.Call) or leaves:
            return node
        args = [ast.unparse(arg) for arg in call.args]
        end_of_lanes = f"_whole(0, {args[0]})" if _called(node.body) & self.together else args[0]
        forms: dict[str, Callable[[], tuple[str, str, str]]] = {
            "range": lambda: (args[0] if len(args) > 1 else "0", args[1] if len(args) > 1 else args[0],
                              args[2] if len(args) > 2 else "1"),
            "lane_range": lambda: ("_lane()", end_of_lanes, f"{args[1] if len(args) > 1 else 1} * LANES"),
            "lane_steps": lambda: (f"({args[0]}) + _lane()", f"_whole({args[0]}, {args[1]})", "LANES"),
            "team_range": lambda: ("team_rank()", args[0], "TEAM"),
        }
        first, last, step = forms[name]()
        if step.startswith("-"):
            return node
        self.ends += 1
        target, end = ast.unparse(node.target), f"_end{self.ends}"
        head = ast.parse(f"{target} = i64({first})\n{end} = i64({last})").body
        loop = ast.parse(f"while {target} < {end}:\n    {target} += {step}").body[0]
        assert isinstance(loop, ast.While)
        loop.body[:0] = node.body
        return [*head, loop]


def counted_loops(text: str) -> str:
    """The same text with `while` for `for`: GPU compilers make better code of it, and lanes of a warp stay together."""
    tree = ast.parse(text)
    return ast.unparse(ast.fix_missing_locations(_CountedLoops(_collective(tree)).visit(tree))) + "\n"


def _called(body: list[ast.stmt]) -> set[str]:
    return {getattr(node.func, "id", "") for statement in body for node in ast.walk(statement) if isinstance(node, ast.Call)}


def _collective(tree: ast.Module) -> frozenset[str]:
    """Words that all lanes must come to, and the functions that call one of these, or another that does."""
    calls = {node.name: _called(node.body) for node in tree.body if isinstance(node, ast.FunctionDef)}
    found = set(words("together"))
    while more := {name for name, called in calls.items() if called & found} - found:
        found |= more
    return frozenset(found)
