"""Words of pair_style granular and fix wall/gran granular: models by name, with their numbers, and how unlike types mix."""

from __future__ import annotations

import math

from everlet.errors import InputError, arguments, number, one_of
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.mixing import geometric

NORMALS = {"hooke": ("k", "eta"), "hertz": ("k", "eta"), "hertz/material": ("young", "eta", "nu"),
           "dmt": ("young", "eta", "nu", "gamma"), "jkr": ("young", "eta", "nu", "gamma")}
DAMPINGS = ("velocity", "mass_velocity", "viscoelastic", "tsuji", "coeff_restitution")
TANGENTIALS = {"none": (), "linear_nohistory": ("xt", "mu"), "linear_history": ("kt", "xt", "mu"),
               "mindlin": ("kt", "xt", "mu"), "mindlin/force": ("kt", "xt", "mu"),
               "mindlin_rescale": ("kt", "xt", "mu"), "mindlin_rescale/force": ("kt", "xt", "mu")}
ROLLINGS = {"none": (), "sds": ("kr", "gr", "mur")}
TWISTINGS = {"none": (), "marshall": (), "sds": ("kw", "gw", "muw")}
KINDS: dict[str, dict[str, tuple[str, ...]]] = {
    "damping": dict.fromkeys(DAMPINGS, ()), "tangential": TANGENTIALS, "rolling": ROLLINGS, "twisting": TWISTINGS}
CHOSEN = ("normal", *KINDS)  # models, by their places in these tables
ATTRACT = ("dmt", "jkr")
ABSENT = ("mdr", "linear_history_classic", "mindlin_classic")
FOLLOWS = -1.0  # k_t of a mindlin model that follows from the material
TSUJI = (1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218)
NUMBERS = "k eta young nu gamma kt xt mu kr gr mur kw gw muw limit mixed".split()
USAGE = ("hooke|hertz K ETA | hertz/material E ETA NU | dmt|jkr E ETA NU GAMMA tangential linear_nohistory XT MU | "
         "linear_history KT XT MU | mindlin[/force]|mindlin_rescale[/force] KT|NULL XT MU [damping WORD] [rolling sds K G MU] "
         "[twisting marshall | sds K G MU] [limit_damping]")


def model(kind: str, word: str, known: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The numbers of a model, by its name."""
    if word in ABSENT:
        raise InputError(f"{kind} model {word} is not available", f"use one of {', '.join(known)}")
    return known[one_of(f"{kind} model", word, known, f"usage: {USAGE}")]


def read(words: list[str]) -> tuple[Values, list[str]]:
    """Numbers of a line from its normal model on, and the words that are none of its own."""
    arguments(words, 1, None, USAGE)
    values: Values = dict.fromkeys((*NUMBERS, *CHOSEN), 0.0)
    names = model("normal", words[0], NORMALS)
    values |= {"normal": float([*NORMALS].index(words[0])), "damping": float(DAMPINGS.index("viscoelastic"))}
    words = _take(values, names, words)
    while words and words[0] in (*KINDS, "heat", "cutoff", "limit_damping"):
        word, *words = words
        if word == "limit_damping":
            values["limit"] = 1.0
            continue
        if word in ("heat", "cutoff"):
            raise InputError(f"{word} of granular styles is not available", f"leave out {word} with what follows")
        arguments(words, 1, None, USAGE)
        names = model(word, words[0], KINDS[word])
        values[word] = float([*KINDS[word]].index(words[0]))
        if words[0].startswith("mindlin") and words[1:2] == ["NULL"]:
            words = [words[0], str(FOLLOWS), *words[2:]]
        words = _take(values, names, words)
    if values["tangential"] == 0.0:
        raise InputError("a granular style needs a tangential model", f"usage: {USAGE}")
    check(values)
    return values, words


def _take(values: Values, names: tuple[str, ...], words: list[str]) -> list[str]:
    """The numbers behind a model's name; gives the words that are left."""
    arguments(words, 1 + len(names), None, USAGE)
    for name, word in zip(names, words[1:], strict=False):
        values[name] = number(word, name)
        if values[name] < 0.0 and not (name == "kt" and values[name] == FOLLOWS):
            raise InputError(f"{words[0]}: {name} of {word}", "give a number of 0 or more")
    return words[1 + len(names) :]


def check(values: Values) -> None:
    normal, damping = name_of("normal", values), name_of("damping", values)
    if values["kt"] == FOLLOWS and "young" not in NORMALS[normal]:
        raise InputError(f"mindlin NULL takes the stiffness from a material, and {normal} has none",
                         "give KT, or use hertz/material")
    if normal in ATTRACT and damping in DAMPINGS[3:]:
        raise InputError(f"damping {damping} is not for {normal}", "use velocity, mass_velocity or viscoelastic")
    if normal in ATTRACT and values["limit"]:
        raise InputError(f"limit_damping is not for {normal}, whose grains attract", "leave it out")
    if values["nu"] >= 1.0:
        raise InputError(f"{normal}: a Poisson's ratio of {values['nu']:g}", "give NU below 1: of materials it is 0 to 0.5")
    if normal == "jkr" and values["young"] == 0.0:
        raise InputError("jkr: a modulus of 0", "give E above 0")
    if damping == "coeff_restitution" and not 0.0 < values["eta"] <= 1.0:
        raise InputError(f"a coefficient of restitution of {values['eta']:g}", "give a number above 0 and not above 1")


def name_of(kind: str, values: Values) -> str:
    """The model of a kind."""
    return [*(NORMALS if kind == "normal" else KINDS[kind])][int(values[kind])]


def whole(values: Values) -> bool:
    """Grains stick, roll or twist, or h is rescaled: the law of whole.py."""
    return (name_of("normal", values) == "jkr" or "rescale" in name_of("tangential", values)
            or values["rolling"] + values["twisting"] > 0.0)


def mixed(a: Values, b: Values) -> Values:
    """Of two unlike types: inverse moduli are added, others are geometric means."""
    if any(a[name] != b[name] for name in (*CHOSEN, "limit")):
        raise InputError("their models differ", "give pair_coeff for this pair of types")
    out = {name: geometric(a[name], b[name], name) for name in NUMBERS} | {name: a[name] for name in CHOSEN}
    if a["young"] > 0.0 and b["young"] > 0.0:
        out["young"] = 1.0 / sum((1.0 - one["nu"] ** 2) / one["young"] for one in (a, b))
    if FOLLOWS in (a["kt"], b["kt"]):
        out["kt"] = FOLLOWS
    return out | {"mixed": 1.0}


def numbers(values: Values, all_of_them: bool) -> Values:
    """What the law reads (models.py, and whole.py if all are asked for). mixed: the modulus is that of the pair."""
    normal, tangential = name_of("normal", values), name_of("tangential", values)
    young, nu, eta, kt, gamma = (values[name] for name in ("young", "nu", "eta", "kt", "gamma"))
    modulus = young if values["mixed"] else young / (2.0 * (1.0 - nu * nu))
    if name_of("damping", values) == "tsuji":
        eta = sum(one * eta**k for k, one in enumerate(TSUJI))
    elif name_of("damping", values) == "coeff_restitution":
        log = math.log(eta)
        eta = -(2.0 if normal == "hooke" else math.sqrt(5.0)) * log / math.sqrt(math.pi**2 + log * log)
    if kt == FOLLOWS:
        kt = 8.0 * young / (4.0 * (2.0 - nu) * (1.0 + nu))
    out = {"k": 4.0 / 3.0 * modulus if "young" in NORMALS[normal] else values["k"], "hertz": float(normal != "hooke"),
           "eta": eta, "damping": values["damping"], "attracts": float(normal in ATTRACT),
           "pull": 4.0 * math.pi * gamma * (normal == "dmt"),
           "bound": {"dmt": 8.0, "jkr": 6.0}.get(normal, 0.0) * math.pi * gamma, "kt": kt,
           "scaled": float("mindlin" in tangential), "forced": float("/force" in tangential), "xt": values["xt"],
           "mu": values["mu"], "limit": values["limit"]}
    if not all_of_them:
        return out
    sticks = normal == "jkr"
    out |= {"sticks": 2.0 * math.sqrt(math.pi * gamma / modulus) if sticks else 0.0,
            "tears": 4.0 * math.sqrt(math.pi * gamma * modulus) if sticks else 0.0,
            "grip": (3.0 * (math.pi * gamma / modulus) ** 2 / 16.0) ** (1.0 / 3.0) if sticks else 0.0,
            "rescale": float("rescale" in tangential), "marshall": float(name_of("twisting", values) == "marshall")}
    out |= {name: values[name] for name in ("kr", "gr", "mur", "kw", "gw", "muw")}
    if out["marshall"]:
        out["muw"] = 2.0 / 3.0 * values["mu"]
    return out
