"""Files FILE.yaml: functions B that are invariant by themselves, with a coefficient for each density (pacemaker's own format).

B = sum over m of couplings(m) Re A A A …, where couplings are products of Clebsch-Gordan coefficients along the tree
l1 l2 -> L12, l3 l4 -> L34, L12 L34 -> L1234, …, -> 0. Blocks of one species have its embedding and bond with itself, those of
two the bond of these (that of the two in the other order, if it has none of its own), all of them functions.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.ace.records import EMBEDDINGS, INNER, Bond, Embedding, Function, Potential, mistake
from everlet.forces.manybody.ace.yace_file import Section, radial_kind
from everlet.forces.manybody.ace.yaml_text import Reader
from everlet.forces.manybody.snap.index import clebsch_gordan
from everlet.forces.potential_file import PotentialFile

States = dict[int, dict[tuple[int, ...], float]]  # of M: products of m with their coefficients


def joined(a: States, la: int, b: States, lb: int, to: int) -> States:
    """Two angular momenta coupled to a third."""
    found: States = defaultdict(dict)
    for m, left in a.items():
        for n, right in b.items():
            factor = clebsch_gordan(2 * la, 2 * lb, 2 * to, 2 * m, 2 * n) if abs(m + n) <= to else 0.0
            if factor:
                for one, x in left.items():
                    for two, y in right.items():
                        found[m + n][one + two] = found[m + n].get(one + two, 0.0) + factor * x * y
    return found


def couplings(ls: list[int], inner: list[int]) -> dict[tuple[int, ...], float]:
    """Of a function of these l with inner angular momenta: products of m and their coefficients."""
    nodes: list[tuple[States, int]] = [({m: {(m,): 1.0} for m in range(-one, one + 1)}, one) for one in ls]
    given = list(inner)
    while len(nodes) > 2:  # neighbours, two by two
        made = []
        for k in range(0, len(nodes) - 1, 2):
            (a, la), (b, lb) = nodes[k : k + 2]
            to = given.pop(0) if given else nodes[-1][1]
            made.append((joined(a, la, b, lb, to), to))
        nodes = made + nodes[len(nodes) // 2 * 2 :]
    if len(nodes) == 1:
        return nodes[0][0].get(0, {})
    (a, la), (b, lb) = nodes
    return joined(a, la, b, lb, 0).get(0, {})


def read_b(name: str) -> Potential:
    file = PotentialFile(name, "potential file of pace")
    path = str(file.path)
    whole = Section(path, "the file", Reader(path, "\n".join(file.lines)).document())
    blocks = [Section(path, f"species, block {k + 1}", one) for k, one in enumerate(whole.of("species"))]
    names = [str(block.of("speciesblock")).split() for block in blocks]
    elements = sorted({one[0] for one in names})
    embeddings: dict[str, Embedding] = {}
    energies, bonds = dict.fromkeys(elements, 0.0), dict[tuple[int, int], Bond]()
    for block, (first, *others) in zip(blocks, names, strict=True):
        if set(others) <= {first}:
            embeddings[first] = _embedding(block)
            energies[first] = block.number("E0", 0.0)
        if len(set(others)) <= 1 and "rcutij" in block.given:
            bonds[elements.index(first), elements.index(others[0] if others else first)] = _bond(block)
    for element in elements:
        if element not in embeddings:
            raise InputError(f"{path}: there is no block of {element} alone", "its embedding is said there")
    bonds |= {(b, a): bond for (a, b), bond in bonds.items() if (b, a) not in bonds}
    functions: list[list[Function]] = [[] for _ in elements]
    basis: list[list[Function]] = [[] for _ in elements]
    for block in blocks:
        for number, one in enumerate(block.given.get("nbody") or [], 1):
            s = Section(path, f"{block.name}, function {number}", one)
            centre, b = _function(s, elements)
            c = s.numbers("c").reshape(-1)
            if len(c) != len(embeddings[elements[centre]].weights):
                raise s.fail(f"there are {len(c)} coefficients c, and {len(embeddings[elements[centre]].weights)} densities")
            basis[centre].append(b)
            functions[centre].append(Function(b.species, b.ns, b.ls, b.ms, b.coefficients * c))
    for mine in basis:
        mine.sort(key=lambda f: (len(f.species), f.species, f.ns, f.ls))
    found = Potential(path, elements, [energies[one] for one in elements], [embeddings[one] for one in elements], bonds,
                      functions, basis)
    wrong = mistake(found)
    if wrong:
        raise InputError(f"{path}: {wrong}", "is the file complete?")
    return found


def _embedding(s: Section) -> Embedding:
    given, count = s.numbers("parameters").reshape(-1), s.whole("ndensityi")
    if len(given) != 2 * count:
        raise s.fail(f"there are {len(given)} parameters for {count} densities: two for each")
    return Embedding(s.choice("npoti", EMBEDDINGS), given[0::2], given[1::2], s.number("rho_core_cut", 100000.0),
                     s.number("drho_core_cut", 250.0))


def _bond(s: Section) -> Bond:
    shape = (s.whole("nradmaxi"), s.whole("lmaxi") + 1, s.whole("nradbaseij"))
    mixing, core = s.numbers("radcoefficients").reshape(-1), s.numbers("core-repulsion", [0.0, 0.0]).reshape(-1)
    if mixing.size != np.prod(shape) or core.size != 2:
        raise s.fail(f"there are {mixing.size} radcoefficients, and n, l and k ask for {' x '.join(map(str, shape))}")
    # files from before there were inner cutoffs have none of these words
    older = not {"r_in", "delta_in", "inner_cutoff_type"} & set(s.given)
    inner = s.choice("inner_cutoff_type", INNER, "density" if older else "distance")
    return Bond(radial_kind(s, str(s.of("radbase"))), shape[2], float(s.numbers("radparameters").flat[0]), s.number("rcutij"),
                s.number("dcutij"), s.number("r_in", 0.0), s.number("delta_in", 0.0), inner, core[0], core[1],
                mixing.reshape(shape))


def _function(s: Section, elements: list[str]) -> tuple[int, Function]:
    """The species that it is of, and B as a function of one density with coefficient 1."""
    names = str(s.of("type")).split()
    lost = [name for name in names if name not in elements]
    if lost or len(names) < 2:
        why = f"there is no block of {lost[0]}" if lost else "two species or more are needed"
        raise s.fail(f"type {' '.join(names)}: {why}")
    centre, *species = (elements.index(name) for name in names)
    ns, ls = s.integers("nr"), s.integers("nl")
    inner = [int(n) for n in np.atleast_1d(s.given.get("lint", []))]
    rank = len(species)
    if len(ns) != rank or len(ls) != rank or rank > 6 or inner and len(inner) != max(rank - 2, 0):
        raise s.fail(f"{rank} species, {len(ns)} nr, {len(ls)} nl and {len(inner)} lint do not fit"
                     + ("; up to 6 factors can be done" if rank > 6 else ""))
    if not inner and rank > 3:
        raise s.fail(f"a function of {rank} factors needs lint, inner angular momenta")
    found = {(0,): 1.0} if rank == 1 else couplings(ls, inner)
    if not found:
        raise s.fail(f"nl {ls} with lint {inner} cannot be coupled to 0")
    return centre, Function(species, ns, ls, np.array(list(found)), np.array(list(found.values()))[:, None])
