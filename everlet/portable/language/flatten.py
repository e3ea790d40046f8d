"""From marked Python functions to the text of one self-contained kernel module.

`flatten` takes the text of a kernel body, of the functions bound to it and of all helpers they call, and has it rewritten
(compiler.py).
"""

from __future__ import annotations

import ast

from everlet.portable.language.compiler import ORIGIN, Rewriter, Scratch, Variant
from everlet.portable.language.functions import Portable
from everlet.portable.language.truth import Truths, returned_truths


def power_text(k: int) -> str:
    """x**k by repeated squaring."""
    lines, name = [], "x"
    for bit in bin(k)[3:]:
        lines.append(f"y = {name} * {name}")
        name = "y"
        if bit == "1":
            lines.append("y = y * x")
    return f"def _pow{k}(x):\n" + "".join(f"    {line}\n" for line in lines) + f"    return {name}\n"


def with_origins(text: str, tree: ast.FunctionDef, function: Portable) -> str:
    """The text of a rewritten function, every statement with the file and line of the one that it was made from."""
    lines = text.splitlines()
    made, given = ([node for node in ast.walk(one) if isinstance(node, ast.stmt)] for one in (ast.parse(text).body[0], tree))
    for new, old in zip(made, given, strict=True):
        lines[new.lineno - 1] += f"{ORIGIN}{function.where(old)}"
    return "\n".join(lines)


def say_lines(body: list[ast.stmt], function: Portable) -> None:
    """Before every statement, one that says where it is from, as a text."""
    for node in list(body):
        for name in ("body", "orelse"):
            say_lines(getattr(node, name, []), function)
        body.insert(body.index(node), ast.Expr(ast.Constant(function.where(node))))


def flatten(bodies: list[tuple[Portable, Variant]], origins: bool = False) -> tuple[str, list[str], list[Scratch]]:
    """Text of all functions that bodies need (each after '@device'), the bodies' emitted names, their team memory. With origins
    there is a text before every statement: file and line."""
    names: dict[int, str] = {}
    arities: dict[str, int] = {}  # of the functions emitted so far
    texts: list[str] = []
    powers: set[int] = set()
    scratches: list[Scratch] = []
    truths: dict[int, Truths] = {}

    def emit(function: Portable, variant: Variant, is_body: bool = False) -> str:
        key = id(function)
        if key in names:
            return names[key]
        name = f"{function.__name__}_"  # cannot be the name of an argument or a word
        while name in names.values():
            name += "_"
        names[key] = name
        rewriter = Rewriter(function, variant, is_body, lambda helper: emit(helper, variant), arities)
        tree = rewriter.visit(function.tree())
        truths[key] = returned_truths(function, variant.statics, truths)  # all that it calls has been emitted
        tree.name, arities[name] = name, len(tree.args.args)
        tree.args.args += [ast.arg(scratch.name) for scratch in rewriter.scratches]
        tree.body = tree.body or [ast.Pass()]
        scratches.extend(rewriter.scratches)
        ast.fix_missing_locations(tree)
        if origins:
            say_lines(tree.body, function)
            ast.fix_missing_locations(tree)
        text = ast.unparse(tree)
        texts.append("@device\n" + (with_origins(text, tree, function) if variant.bounds else text) + "\n\n")
        powers.update(rewriter.powers)
        return name

    entries = [emit(body, variant, True) for body, variant in bodies]
    return "".join("@device\n" + power_text(k) + "\n" for k in sorted(powers)) + "".join(texts), entries, scratches
