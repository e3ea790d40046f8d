"""everlet potential MODEL ELEMENT [ELEMENT …] --output FILE [options]: a file for pair_style eam/alloy from a formula.

    sutton-chen   Al Ni Cu Rh Pd Ag Ir Pt Au Pb; Phil. Mag. Lett. 61, 139 (1990)
                  parameters --a --epsilon --c --n --m
    johnson       Cu Ag Au Ni Pd Pt and their alloys; Phys. Rev. B 37, 3924 (1988) and 39, 12554 (1989)
                  parameters --a --ec --fe --phie --alpha --beta --gamma

    --output FILE        where to write it; usually NAME.eam.alloy
    --cutoff R           Angstrom (sutton-chen: 2 lattice constants, johnson: 0.95 of one)
    --smooth W           Angstrom before the cutoff in which functions are brought to zero (0.15 R)
    --nr N --nrho N      points of the tables (10000)
    --PARAMETER VALUE    instead of the built-in one, in eV and Angstrom; all of them for an element that is not built in
    --mass M --number Z  of such an element
"""

from __future__ import annotations

from everlet.errors import InputError, integer, number
from everlet.flags import Flags
from everlet.forces.manybody.eam.analytic import METALS, Model, model_named, tables
from everlet.forces.manybody.eam.files import setfl_text
from everlet.io.files import whole_file

USAGE = "everlet potential sutton-chen|johnson ELEMENT … --output FILE [options]; see everlet potential --help"
LEAST, SMOOTH = 100, 0.15
NUMBERS = ("cutoff", "smooth", "mass", "number")
POINTS = {"nr": 10000, "nrho": 10000}


def main(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0
    kind = model_named(words[0])
    flags = Flags(USAGE, what=f"option of {kind.name}")
    for name in (*POINTS, *NUMBERS, *kind.parameters(), "output"):
        flags.add(name)
    given, elements = flags.read(words[1:])
    options = {name: value for name, _, (value,) in given}
    if "output" not in options:
        raise InputError("no file is given", "for example: --output Cu.eam.alloy")
    output = options.pop("output")
    text = potential(kind, elements, options)
    with whole_file(output) as stream:
        stream.write(text)
    print(f"{output}: {kind.name}, {text.splitlines()[1].removeprefix('# ')}")
    print(f"  pair_style eam/alloy\n  pair_coeff * * {output} {' '.join(elements)}")
    return 0


def potential(kind: type[Model], elements: list[str], options: dict[str, str]) -> str:
    """The text of a setfl file."""
    if not elements:
        raise InputError("no element is given", f"{kind.name} knows {', '.join(sorted(kind.known))}")
    if len(set(elements)) < len(elements):
        raise InputError(f"an element is named twice: {' '.join(elements)}", "name each once")
    if len(elements) > 1 and not kind.alloys:
        raise InputError(f"{kind.name} is for one element: the density depends on both elements of a pair, "
                         "which files of eam/alloy cannot say", "give one element, or use johnson")
    given = {name: number(options[name], name) for name in kind.parameters() if name in options}
    special = sorted(given) + [name for name in ("mass", "number") if name in options]
    if len(elements) > 1 and special:
        raise InputError(f"--{special[0]} with several elements: which one is meant?", "give one element")
    models = {element: kind.of(element, given) for element in elements}
    about, masses = {}, {}
    for element, model in models.items():
        if element not in METALS and not {"mass", "number"} <= set(options):
            raise InputError(f"the mass or the atomic number of '{element}' is not known", "give --mass and --number")
        z, mass = METALS.get(element, (0, 0.0))
        z = integer(options["number"], "an atomic number") if "number" in options else z
        masses[element] = number(options["mass"], "a mass") if "mass" in options else mass
        if z < 1 or masses[element] <= 0.0:
            raise InputError(f"{element} has the atomic number {z} and the mass {masses[element]:g}", "both are positive")
        about[element] = f"{z} {masses[element]!r} {model.a!r} fcc"
    mean = sum(model.a for model in models.values()) / len(models)
    cutoff = number(options["cutoff"], "a cutoff") if "cutoff" in options else round(kind.reach * mean, 4)
    width = number(options["smooth"], "a width") if "smooth" in options else round(SMOOTH * cutoff, 4)
    if not 0.0 < width < cutoff < float("inf"):
        raise InputError(f"--cutoff {cutoff:g} --smooth {width:g}: functions go to zero from {cutoff - width:g} to {cutoff:g}",
                         "give 0 < smooth < cutoff")
    points = {name: integer(options[name], f"--{name}") if name in options else usual for name, usual in POINTS.items()}
    for name, count in points.items():
        if count < LEAST:
            raise InputError(f"--{name} {count} is too few for cubics between the points", f"give {LEAST} or more")
    values = [f"{element} {' '.join(f'{key} {getattr(model, key):.12g}' for key in kind.parameters())}"
              for element, model in models.items()]
    comments = [f"# UNITS: metal  {kind.name} by everlet potential", f"# {'; '.join(values)}",
                f"# cutoff {cutoff:g}, brought to zero from {cutoff - width:g} on"]
    return setfl_text(tables(models, masses, cutoff, width, points["nr"], points["nrho"]), comments, about)
