"""Words of pair_style granular and fix wall/gran granular: models by name, with their numbers, and how unlike types mix."""

from __future__ import annotations

import math

from everlet.errors import InputError, arguments, number, one_of
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.mixing import geometric

NORMALS = {"hooke": ("k", "eta"), "hertz": ("k", "eta"), "hertz/material": ("young", "eta", "nu"),
           "dmt": ("young", "eta", "nu", "gamma")}
DAMPINGS = ("velocity", "mass_velocity", "viscoelastic", "tsuji", "coeff_restitution")
TANGENTIALS = {"none": (), "linear_nohistory": ("xt", "mu"), "linear_history": ("kt", "xt", "mu"),
               "mindlin": ("kt", "xt", "mu"), "mindlin/force": ("kt", "xt", "mu")}
ABSENT = {"jkr": "a normal model", "mdr": "a normal model", "mindlin_rescale": "a tangential model",
          "mindlin_rescale/force": "a tangential model", "linear_history_classic": "a tangential model",
          "mindlin_classic": "a tangential model"}
FOLLOWS = -1.0  # k_t of a mindlin model that follows from the material
TSUJI = (1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218)
USAGE = ("hooke|hertz K ETA | hertz/material E ETA NU | dmt E ETA NU GAMMA [damping WORD] [tangential linear_nohistory XT MU | "
         "linear_history KT XT MU | mindlin|mindlin/force KT|NULL XT MU] [limit_damping]")


def model(kind: str, word: str, known: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The numbers of a model, by its name."""
    if word in ABSENT and word not in known:
        raise InputError(f"{kind} model {word} is not available", f"use one of {', '.join(known)}")
    return known[one_of(f"{kind} model", word, known, f"usage: {USAGE}")]


def read(words: list[str]) -> tuple[Values, list[str]]:
    """Numbers of a line from its normal model on, and the words that are none of its own."""
    arguments(words, 1, None, USAGE)
    values: Values = dict.fromkeys(("k", "eta", "young", "nu", "gamma", "kt", "xt", "mu", "limit", "mixed"), 0.0)
    names = model("normal", words[0], NORMALS)
    values |= {"normal": float([*NORMALS].index(words[0])), "damping": 2.0, "tangential": 0.0}  # viscoelastic, none
    words = _take(values, names, words)
    while words and words[0] in ("damping", "tangential", "rolling", "twisting", "heat", "cutoff", "limit_damping"):
        word, *words = words
        if word == "limit_damping":
            values["limit"] = 1.0
            continue
        arguments(words, 1, None, USAGE)
        if word in ("heat", "cutoff") or (word in ("rolling", "twisting") and words[0] != "none"):
            raise InputError(f"{word} of granular styles is not available", f"leave out {word} with what follows")
        if word == "damping":
            values["damping"] = float(DAMPINGS.index(one_of("damping", words[0], DAMPINGS)))
        if word == "tangential":
            names = model("tangential", words[0], TANGENTIALS)
            values["tangential"] = float([*TANGENTIALS].index(words[0]))
            if words[0].startswith("mindlin") and words[1:2] == ["NULL"]:
                words = [words[0], str(FOLLOWS), *words[2:]]
            words = _take(values, names, words)
        else:
            words = words[1:]
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
    normal = [*NORMALS][int(values["normal"])]
    damping = DAMPINGS[int(values["damping"])]
    if values["kt"] == FOLLOWS and "young" not in NORMALS[normal]:
        raise InputError(f"mindlin NULL takes the stiffness from a material, and {normal} has none",
                         "give KT, or use hertz/material")
    if normal == "dmt" and damping in DAMPINGS[3:]:
        raise InputError(f"damping {damping} is not for dmt", "use velocity, mass_velocity or viscoelastic")
    if normal == "dmt" and values["limit"]:
        raise InputError("limit_damping is not for dmt, whose grains attract", "leave it out")
    if damping == "coeff_restitution" and not 0.0 < values["eta"] <= 1.0:
        raise InputError(f"a coefficient of restitution of {values['eta']:g}", "give a number above 0 and not above 1")


def mixed(a: Values, b: Values) -> Values:
    """Of two unlike types: inverse moduli are added, others are geometric means."""
    for name in ("normal", "damping", "tangential", "limit"):
        if a[name] != b[name]:
            raise InputError("their models differ", "give pair_coeff for this pair of types")
    out = {name: geometric(a[name], b[name], name) for name in a if name not in ("normal", "damping", "tangential")}
    out |= {name: a[name] for name in ("normal", "damping", "tangential")}
    if a["young"] > 0.0 and b["young"] > 0.0:
        out["young"] = 1.0 / sum((1.0 - one["nu"] ** 2) / one["young"] for one in (a, b))
    if FOLLOWS in (a["kt"], b["kt"]):
        out["kt"] = FOLLOWS
    return out | {"mixed": 1.0}


def numbers(values: Values) -> Values:
    """What the law reads (models.py). mixed: the modulus is that of the pair."""
    normal, tangential = [*NORMALS][int(values["normal"])], [*TANGENTIALS][int(values["tangential"])]
    young, nu, eta, kt = values["young"], values["nu"], values["eta"], values["kt"]
    whole = young if values["mixed"] else young / (2.0 * (1.0 - nu * nu))
    hertz = normal != "hooke"
    if values["damping"] == 3.0:
        eta = sum(one * eta**k for k, one in enumerate(TSUJI))
    elif values["damping"] == 4.0:
        log = math.log(eta)
        eta = -(math.sqrt(5.0) if hertz else 2.0) * log / math.sqrt(math.pi**2 + log * log)
    if kt == FOLLOWS:
        kt = 8.0 * young / (4.0 * (2.0 - nu) * (1.0 + nu))
    return {"k": 4.0 / 3.0 * whole if "young" in NORMALS[normal] else values["k"], "hertz": float(hertz), "eta": eta,
            "damping": values["damping"], "pull": 4.0 * math.pi * values["gamma"], "attracts": float(normal == "dmt"),
            "kt": kt, "scaled": float(tangential.startswith("mindlin")), "forced": float(tangential.endswith("/force")),
            "xt": values["xt"], "mu": values["mu"], "limit": values["limit"]}
