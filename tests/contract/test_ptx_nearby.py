"""Kernels of bonds, reactive force fields and computes over neighbours compile to PTX."""

from __future__ import annotations

import pytest

from tests.contract.ptx import (
    EXTERNAL,
    ONE_FOUR,
    STRESSES,
    kernels_of_bonds,
    kernels_of_reaxff,
    kernels_of_soft_bonds,
    nearby,
    ptx,
)


@pytest.mark.parametrize("name, precision, count", [("lj/cut", "double", 4), ("lj/cut", "mixed", 4), ("eam/alloy", "double", 7),
                                                    ("tersoff", "double", 4), ("snap", "double", 4), ("pace", "double", 5),
                                                    ("meam/spline", "double", 4)])
def test_computes_over_neighbours_compile_to_ptx(name: str, precision: str, count: int) -> None:
    found = nearby(name, precision)
    assert len(found) == count
    for kernel in found:
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel))


def test_kernels_of_bonds_compile_to_ptx() -> None:
    names = {"clear_count", "fill_links", "link_loop", "find_special", "special_loop", "edit_row", "forget_rows", "note_ghosts",
             "note_owned"}
    found = [kernel for kernel in kernels_of_bonds() if kernel.name in names]
    assert {kernel.name for kernel in found} == names
    found += ONE_FOUR
    for kernel in found:
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel)), kernel.name


def test_kernels_of_reaxff_compile_to_ptx() -> None:
    names = {"count_rows", "fill_rows", "own_homes", "count_bonds", "fill_bonds", "bond_orders", "sum_rows", "correct",
             "bond_terms", "atom_terms", "count_angles", "fill_angles", "angle_loop", "count_torsions", "fill_torsions",
             "torsion_loop", "count_hbonds", "fill_hbonds", "hbond_loop", "nonbonded_loop", "spread_under", "chain",
             "order_forces", "collect"}
    found = {kernel.name: kernel for kernel in kernels_of_reaxff() if kernel.name in names}
    assert set(found) == names
    soft = kernels_of_soft_bonds()
    assert {kernel.name for kernel in soft} == {"atom_terms", "nonbonded_loop"}
    shares = [kernel for kernel in kernels_of_reaxff(more=STRESSES)
              if ("SHARES", True) in kernel.statics or kernel.name == "lean"]
    assert {"lean", "chain", "order_forces"} <= {kernel.name for kernel in shares}
    for kernel in (*found.values(), *soft, *shares):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel)), kernel.name
