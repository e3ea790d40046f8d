"""Records: the parameters p of an item, read from a flat table as one variable for each field.

    p = record(table, k)               all fields, from table[k] on
    p = record(table, k, True)         the same on lanes, each with a place of its own
    p = common(table, k)               those that all records of the table share: the fields behind the first VARIED (a static)
    p = of_kinds(table, kind, j, row, size)    the first VARIED fields, of the record (row + kind[j]) * size of each lane j

The last two are what loops over neighbours of many types use: numbers that do not differ are not read for every pair, and
those that do are read together, as they lie side by side.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

PLACE = "_place_of_p"


def record(word: str, args: Sequence[ast.expr], fields: tuple[str, ...], varied: int) -> list[ast.stmt]:
    """The assignments that stand for p = word(args)."""
    if word == "of_kinds":
        return _of_kinds(list(args), fields[:varied])
    table, start, *mask = args
    out: list[ast.stmt] = []
    for k, field in enumerate(fields):
        if word == "record" or k >= varied:
            index = ast.BinOp(start, ast.Add(), ast.Constant(k))
            value: ast.expr = ast.Subscript(table, ast.Call(ast.Name("at", ast.Load()), [index], []), ast.Load())
            if mask:
                value = ast.Call(ast.Name("gather", ast.Load()), [table, index, mask[0]], [])
            out.append(ast.Assign([ast.Name(f"p_{field}", ast.Store())], value))
    return out


def _of_kinds(args: list[ast.expr], fields: tuple[str, ...]) -> list[ast.stmt]:
    """Four fields at a time, then two, then one."""
    table, *which = args
    place = ast.Name(PLACE, ast.Load())
    found = ast.Call(ast.Name("place_of_kind", ast.Load()), which, [])
    out: list[ast.stmt] = [ast.Assign([ast.Name(PLACE, ast.Store())], found)]
    k = 0
    while k < len(fields):
        count = next(size for size in (4, 2, 1) if size <= len(fields) - k)
        names: list[ast.expr] = [ast.Name(f"p_{field}", ast.Store()) for field in fields[k : k + count]]
        target = ast.Tuple(names, ast.Store()) if count > 1 else names[0]
        read = ast.Call(ast.Name(f"fields{count}", ast.Load()), [table, place, ast.Constant(k)], [])
        out.append(ast.Assign([target], read))
        k += count
    return out if fields else []
