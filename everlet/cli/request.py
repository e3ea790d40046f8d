"""What the command line asks for: flags of lmp and options of Everlet, in any order, with one dash or two.

A flag given twice with different values is refused, and so are two flags that want different devices or numbers of threads.
Of lmp's own flags that choose a device (-k, -sf, -pk) the last one counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from everlet.comm.universe import sizes_of
from everlet.errors import InputError, integer, unknown
from everlet.flags import Flags
from everlet.portable import devices
from everlet.portable.backends import kinds

PRECISIONS = ("double", "mixed", "single")
COUNTS = ("g", "gpus")  # words of -k
# flags, their short names, the words that follow, as the help shows them, and what they mean; first those of lmp
FLAGS: dict[str, tuple[str, int | str, str, str]] = {
    "in": ("i", 1, "FILE", "the script; none: standard input"),
    "log": ("l", 1, "FILE", "where the log goes (log.everlet); none: nowhere"),
    "screen": ("sc", 1, "FILE", "where the screen goes; none: nowhere"),
    "echo": ("e", 1, "WHERE", "lines of the script are shown: none, screen, log or both"),
    "var": ("v", "*", "NAME VALUE", "a variable of the script"),
    "suffix": ("sf", "*", "NAME", "omp, kk …: a device, as lmp's packages stand for it"),
    "kokkos": ("k", "*", "on g N", "on [g N] [t N] [d N], or off: a device and threads"),
    "package": ("pk", "*", "STYLE WORD", "as the package command"),
    "nocite": ("nc", 0, "", "nothing: there are no reminders"), "cite": ("c", 1, "WORD", "the same"),
    "nonbuf": ("nb", 0, "", "nothing: output is written often"),
    "partition": ("p", "*", "4x1", "4x1 [2 …]: several replicas, with so many ranks each (docs/replicas.md)"),
    "plog": ("pl", 1, "FILE", "logs of replicas: FILE.0, FILE.1 …"), "pscreen": ("ps", 1, "FILE", "screens of replicas"),
    "device": ("", 1, "NAME", ""), "threads": ("", 1, "N", "of each rank"),
    "precision": ("", 1, "NAME", "|".join(PRECISIONS)),
    "plugin": ("", 1, "FILE", "a Python file with styles; may be given again"),
    "no-tune": ("", 0, "", "long runs do not measure which way to work is fastest"),
    "deterministic": ("", 0, "", "the same bits every time, for any number of threads"),
    "no-recorder": ("", 0, "", "a run that breaks is not made again to find out why (docs/verify.md)"),
    "allow-shell": ("", 0, "", "the script may start other programs (docs/security.md)"),
    "allow-python": ("", 0, "", "the script may run Python code and load plugins"),
    "trust": ("", "*", "FILE", "files with code that the script may use"),
    "on-signal": ("os", 1, "WHAT", "restart[=FILE]|stop: a signal ends the run after its step, with a restart file or without"),
}
REFUSED = {"mdi": "mdi", "mpicolor": "m", "reorder": "r",
           "restart2data": "r2data", "restart2dump": "r2dump", "restart2info": "r2info", "skiprun": "sr"}
NOT_HERE = {short: name for name, short in REFUSED.items()} | {name: name for name in REFUSED}


@dataclass
class Request:
    """What the command line asks for."""

    script: str = ""  # empty: standard input
    device: str = "auto"
    threads: int = 0
    precision: str = "double"
    log: str = "log.everlet"
    screen: str = "stdout"
    tune: bool = True  # long runs may measure which way to work is fastest
    allow: list[str] = field(default_factory=list)  # shell: scripts may start other programs; python: run code, load plugins
    trust: list[str] = field(default_factory=list)  # files with code that scripts may use
    recorder: bool = True  # keep what it takes to say why a run broke
    echo: str = ""
    on_signal: str = ""  # restart, restart=FILE, stop; empty: end without more ado
    plugins: list[str] = field(default_factory=list)
    variables: list[tuple[str, list[str]]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)  # suffix and package, run before the script
    partition: list[int] = field(default_factory=list)  # ranks of each world; empty: one world with all of them
    plog: str = ""  # logs and screens of worlds: FILE.0, FILE.1 …; empty: named after those of the universe
    pscreen: str = ""
    said: dict[str, tuple[str, bool]] = field(default_factory=dict)  # what has set a field, and whether lmp's flags did

    def put(self, name: str, value: str | int, text: str, implied: bool = False) -> None:
        """Set a field, because of the words `text`. implied: by a flag of lmp that means something else as well."""
        before, earlier = getattr(self, name), self.said.get(name)
        if earlier and before != value and not (implied and earlier[1]):
            if name == "device" and (value == "auto" or before.startswith(f"{value}:")):
                return  # name:1 says more than name, and auto says nothing
            if not (name == "device" and (before == "auto" or str(value).startswith(f"{before}:"))):
                what = {"script": "two scripts are given", "device": "two devices are asked for",
                        "threads": "two numbers of threads are asked for"}.get(name, f"{name} is given twice")
                raise InputError(f"{what}: '{earlier[0]}' and '{text}'", "leave one of them out")
        setattr(self, name, value)
        self.said[name] = (text, implied)


def run_request(words: list[str]) -> Request:
    """The arguments of `everlet run FILE ...`; -in FILE names the script too."""
    request = _read(words, bare=True)
    if "script" not in request.said:
        raise InputError("no script is given", "usage: everlet run FILE [options]; see everlet run --help")
    return request


def lmp_request(words: list[str]) -> Request:
    """The arguments of `everlet -in FILE ...`; without -in the script is standard input."""
    return _read(words, bare=False)


def flags_of_runs() -> Flags:
    found = Flags("everlet run FILE [options]", "Run a script; so does everlet -in FILE; without -in, standard input.\n"
                  "Flags have one dash or two, in any order; what contradicts each other is refused.", one_dash=True)
    for name, (short, words, shown, about) in FLAGS.items():
        found.add(name, words, short, shown, about or "|".join(devices.names()))
    return found


def _read(words: list[str], bare: bool) -> Request:
    for word in words:
        name = word.partition("=")[0].lstrip("-")
        if word.startswith("-") and name in NOT_HERE:
            raise InputError(f"the lmp flag -{NOT_HERE[name]} is not available in Everlet yet", "remove it")
    request, (given, others) = Request(), flags_of_runs().read(words)
    for word in others:
        if not bare:
            raise InputError(f"unexpected word '{word}'", "to run a script: everlet -in FILE, or everlet run FILE")
        request.put("script", word, word)
    for name, flag, values in given:
        _take(request, name, flag, values)
    if devices.find(request.device) is None:
        raise unknown("device", request.device, devices.names())
    if request.precision not in PRECISIONS:
        raise unknown("precision", request.precision, PRECISIONS)
    return request


def _take(request: Request, name: str, flag: str, values: list[str]) -> None:
    """Apply one flag."""
    text = " ".join([flag, *values])
    if name == "in":
        request.put("script", "" if values[0] == "none" else values[0], text)
    elif name == "var":
        if len(values) < 2:
            raise InputError(f"{flag} needs a name and at least one value", f"for example: {flag} x 8")
        request.variables.append((values[0], values[1:]))
    elif name == "plugin":
        request.plugins.append(values[0])
    elif name == "trust":
        if not values:
            raise InputError(f"{flag} needs the paths of files", f"for example: {flag} model.pt")
        request.trust += values
    elif name == "no-tune":
        request.tune = False
    elif name == "no-recorder":
        request.recorder = False
    elif name == "deterministic":
        request.commands.append("package everlet deterministic on")
    elif name in ("allow-shell", "allow-python"):
        request.allow.append(name.removeprefix("allow-"))
    elif name == "threads":
        threads = integer(values[0], "a number of threads")
        if threads < 1:
            raise InputError(f"{flag} needs a positive number", f"for example: {flag} 4")
        request.put("threads", threads, text)
    elif name == "kokkos":
        _kokkos(request, values, text)
    elif name in ("suffix", "package"):
        if not values:
            raise InputError(f"{flag} needs a value", "for example: -sf kk" if name == "suffix" else
                             "for example: -pk kokkos neigh half")
        request.commands.append(" ".join([name, *values]))
        device, threads = devices.of_package(values[0]), name == "package" and values[0] == "omp" and len(values) > 1
        if device is not None and (name == "suffix" or device.numbered or threads):
            request.put("device", device.name, text, implied=True)
        if threads:
            request.put("threads", integer(values[1], "a number of threads"), text, implied=True)
    elif name == "partition":
        request.partition += sizes_of(values, flag)
    elif name in ("log", "screen", "plog", "pscreen", "echo", "device", "precision", "on-signal"):
        request.put(name.replace("-", "_"), devices.usual(values[0]) if name == "device" else values[0], text)
    # nocite, cite and nonbuf: there is no citation reminder, and output is flushed often


def _kokkos(request: Request, values: list[str], text: str) -> None:
    """-k on|off [d|g|gpus N] [t|threads N]: GPUs and threads."""
    if not values or values[0] not in ("on", "off"):
        raise InputError("-k needs on or off", "for example: -k on g 1")
    if values[0] == "off":
        return
    rest = values[1:]
    if len(rest) % 2:
        raise InputError(f"-k option '{rest[-1]}' has no value", "for example: -k on g 1")
    device, many, kind = "cpu", devices.accelerator(), kinds("many_threads")
    for key, given in zip(rest[::2], rest[1::2], strict=True):
        if key in COUNTS:
            count = integer(given, f"a number of {kind}")
            if count > 1:
                raise InputError(f"-k on g {count}: one process uses one {many.traits.kind}", "use -k on g 1")
            device = many.name if count and device == "cpu" else device
        elif key in ("t", "threads"):
            request.put("threads", integer(given, "a number of threads"), text, implied=True)
        elif key in ("d", "device"):
            device = f"{many.name}:{integer(given, f'the number of one of the {kind}')}"
        else:
            raise unknown("option of -k", key, (*COUNTS, "t", "threads", "d", "device"))
    request.put("device", device, text, implied=True)
