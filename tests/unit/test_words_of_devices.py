"""Code above `portable` names no vendor, no kind of device and no shape of one: it asks a space for traits, kernels say what
they are, and words of users are looked up in `portable/devices.py`.

What counts, in rooms above portable without perf, lab and tools, which measure machines and know them:

    - a name (of anything: modules, functions, variables, attributes, statics) with one of WORDS in it: cuda, gpu, opencl …
    - a string with one of these in it, unless it is a docstring
    - a comparison of a target: `target == …`, `space.target != …`, `… target in …`
    - 32 and 132 as numbers of a launch: assigned to, compared with or handed over as a name of WIDTHS, or among `teams`

of these every line once. Comments and docstrings may explain what a device does; they are counted apart.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

from tests.unit.test_layers import FILES, ORDER, PACKAGE, module_name, room

WORDS = re.compile("cuda|cupy|gpu|h200|nvidia|warp|opencl|rocm", re.IGNORECASE)
NUMBERS = (32, 132)
WIDTHS = re.compile("team|warp|block|tile|chunk|processors|filling|packing", re.IGNORECASE)
MEASURING = ("perf", "lab", "tools", "lu")
COMMENTS = 96  # lines; only ever less
EXCEPTIONS = {  # (file, part of the line): why
    ("cli/request.py", '"gpus"'): "a word of lmp's flag -k",
    ("script/commands/machine.py", '"gpuID"'): "a package of the reference, by its name, and its options",
    ("script/commands/machine.py", '"gpu/aware"'): "an option of a package of the reference",
    ("script/queries.py", '"kokkos_ngpus"'): "a word for thermo output of the reference",
    ("forces/models/unified.py", "update_pair_forces_gpu"): "a method that models of mliap unified call",
}


def above() -> list[Path]:
    """The files whose words count."""
    level = ORDER.index("portable")
    rooms = {name for name in ORDER[level + 1 :] if name not in MEASURING}
    return [path for path in FILES if room(module_name(path)) in rooms]


def docstrings(tree: ast.Module) -> set[int]:
    """Lines of texts that are statements."""
    return {line for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str) for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def words(text: str) -> tuple[set[int], set[int]]:
    """Lines with such words: of code, and of comments and docstrings."""
    code, said, told = set(), set(), docstrings(ast.parse(text))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if not WORDS.search(token.string) or token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT):
            continue
        in_text = token.type == tokenize.COMMENT or token.start[0] in told
        hits = [k for k, line in enumerate(token.string.splitlines()) if WORDS.search(line)]
        (said if in_text else code).update(token.start[0] + k for k in hits)
    return code, said


def is_target(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "target" or isinstance(node, ast.Name) and node.id == "target"


def comparisons(tree: ast.Module) -> set[int]:
    """Lines that compare a target with texts."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            parts = [one for side in sides for one in ast.walk(side)]
            texts = [one for one in parts if isinstance(one, ast.Constant) and type(one.value) is str]
            if texts and any(is_target(side) for side in sides):
                found.add(node.lineno)
    return found


def has_number(node: ast.AST | None) -> bool:
    return node is not None and any(isinstance(one, ast.Constant) and type(one.value) is int and one.value in NUMBERS
                                    for one in ast.walk(node))


def named(node: ast.AST) -> bool:
    return any(WIDTHS.search(one.id if isinstance(one, ast.Name) else one.attr) for one in ast.walk(node)
               if isinstance(one, (ast.Name, ast.Attribute)))


def shapes(tree: ast.Module) -> set[int]:
    """Lines with numbers that are shapes of one device."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and has_number(node.value) and any(named(one) for one in node.targets):
            found.add(node.lineno)
        elif isinstance(node, ast.AnnAssign) and has_number(node.value) and named(node.target):
            found.add(node.lineno)
        elif isinstance(node, ast.keyword) and node.arg and WIDTHS.search(node.arg) and has_number(node.value):
            found.add(node.value.lineno)
        elif isinstance(node, ast.Compare) and has_number(node) and named(node):
            found.add(node.lineno)
        elif isinstance(node, ast.Call) and named(node.func) and any(has_number(one) for one in node.args):
            found.add(node.lineno)
    return found


SIGNS = {re.compile(r"\btarget\b"): comparisons, re.compile(r"\b1?32\b"): shapes}


def counted() -> tuple[list[tuple[str, int, str]], list[str]]:
    """(file, line, text) of code, and `file:line` of comments and docstrings."""
    code, said = [], []
    for path in above():
        text, name = path.read_text(), str(path.relative_to(PACKAGE))
        if not any(sign.search(text) for sign in (WORDS, *SIGNS)):
            continue  # most files need not be parsed
        tree, lines = ast.parse(text), text.splitlines()
        in_code, in_text = words(text) if WORDS.search(text) else (set(), set())
        found = [lines_of(tree) for sign, lines_of in SIGNS.items() if sign.search(text)]
        code += [(name, line, lines[line - 1].strip()) for line in sorted(in_code.union(*found))]
        said += [f"{name}:{line}" for line in sorted(in_text)]
    return code, said


def test_words_are_found() -> None:
    code, said = words('"""A GPU."""\nx = on_gpu  # of cuda\ny = f"--device {x} cuda"\nz = """a\nGPU"""\n')
    assert code == {2, 3, 5} and said == {1, 2}
    assert comparisons(ast.parse('a = space.target != "cpu"\nb = target in ("x", "y")\nc = target is None')) == {1, 2}
    text = "TEAM = 32\nx = 32\nk = Kernel(f, team=32)\nteam_of(n, 32)\nteams = (16, 32)\nn = 132 if 4 * tiles < 132 else 1"
    assert shapes(ast.parse(text)) == {1, 3, 4, 5, 6}


def test_nobody_above_portable_names_a_device() -> None:
    code, said = counted()
    excused = [(name, part) for name, _, text in code for place, part in EXCEPTIONS if place == name and part in text]
    assert sorted(excused) == sorted(EXCEPTIONS), "each exception excuses one line"
    rest = [f"{name}:{line}: {text}" for name, line, text in code
            if not any(place == name and part in text for place, part in EXCEPTIONS)]
    assert len(EXCEPTIONS) <= 5 and not rest, "\n".join([
        "these lines name a device; ask for a trait of the space (portable/traits.py), or look in portable/devices.py:",
        *rest])
    assert len(said) <= COMMENTS, f"{len(said)} comments and docstrings do"
