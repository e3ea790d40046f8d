"""everlet completion bash|zsh|fish: commands, their flags, benchmarks, studies and styles, for the shell to complete.

The script has all words in it, so that no key waits for Python; make it again when Everlet is another.
"""

from __future__ import annotations

import re

from everlet.errors import arguments, unknown

# what follows the name of a command, beside files and its flags
BASH = """\
# everlet completion bash
_everlet() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""
    if [ "$COMP_CWORD" = 1 ]; then words="%(commands)s"
    else case "${COMP_WORDS[1]} $before" in
%(after)s
    *) case "${COMP_WORDS[1]}" in
%(flags)s
    esac ;;
    esac; fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [ ${#COMPREPLY[@]} = 0 ] && COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _everlet everlet
"""
ZSH = "#compdef everlet\n# everlet completion zsh\nautoload -U +X bashcompinit && bashcompinit\n"


def words_after() -> dict[str, list[str]]:
    """By the words of a line before the one that is completed: names that may stand there."""
    from everlet.forces.pair.base import pair_style
    from everlet.lab.results import study
    from everlet.perf.bench import OTHERS
    from everlet.perf.molecules import MOLECULES
    from everlet.perf.systems import SAMPLES
    from everlet.portable.devices import names
    from everlet.script.queries import AVAILABLE

    found = {"bench bench": sorted({*SAMPLES, *MOLECULES, *OTHERS}), "study study": sorted([*study, "list"]),
             "info info": ["styles", "plugins"], "info styles": [*AVAILABLE, "all"], "check check": sorted(pair_style),
             "measure measure": ["network", "pcie", "memory", "md"], "completion completion": list(SHELLS)}
    return found | {f"{name} --device": list(names()) for name in ("run", "bench", "study")}


def flags() -> dict[str, list[str]]:
    """Of each command: those that its lines of help name."""
    from everlet.cli.request import flags_of_runs
    from everlet.cli.subcommands import SUBCOMMANDS

    found = {name: re.findall(r"--[a-z][\w-]*", one.usage) for name, one in SUBCOMMANDS.items()}
    found["run"] = [flag for flag in flags_of_runs().known if flag.startswith("--")]
    return {name: sorted({*words, "--help", "--quiet"}) for name, words in found.items()}


def bash() -> str:
    lines = [f'    "{place}") words="{" ".join(words)}" ;;' for place, words in words_after().items()]
    known = flags()
    return BASH % {"commands": " ".join([*known, "help", "--version", "-in", "--quiet"]), "after": "\n".join(lines),
                   "flags": "\n".join(f'    {name}) words="{" ".join(words)}" ;;' for name, words in known.items())}


def fish() -> str:
    known = flags()
    lines = ["# everlet completion fish", f"complete -c everlet -n __fish_use_subcommand -a '{' '.join([*known, 'help'])}'"]
    for name, words in known.items():
        lines += [f"complete -c everlet -n '__fish_seen_subcommand_from {name}' -l {word.removeprefix('--')}" for word in words]
    for place, words in words_after().items():
        name, before = place.split()
        test = (f"__fish_prev_arg_in {before}" if before.startswith("--") or before != name else
                f"__fish_seen_subcommand_from {name}; and __fish_prev_arg_in {name}")
        lines.append(f"complete -c everlet -n '{test}' -a '{' '.join(words)}'")
    return "\n".join(lines) + "\n"


SHELLS = {"bash": bash, "zsh": lambda: ZSH + bash(), "fish": fish}


def main(words: list[str]) -> int:
    """The command `everlet completion`."""
    arguments(words, 1, 1, "everlet completion bash|zsh|fish")
    if words[0] not in SHELLS:
        raise unknown("shell", words[0], SHELLS)
    print(SHELLS[words[0]](), end="")
    return 0
