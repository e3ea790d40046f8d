"""Rows of numbers written by compiled loops: the same text as C's formats give."""

from __future__ import annotations

import numpy as np
import pytest

from everlet.io import formats


@pytest.mark.parametrize("form", ["%g", "%.3g", "%.9g", "%.1g", "%r"])
def test_numbers(form: str) -> None:
    rng = np.random.default_rng(4711)
    edges = np.array([0, -0.0, 1, 10, 99999.95, 999999, 999999.5, 1e6, 1234567, 0.1, 1e-4, 1e-5, 9.9999995e-5, 0.5, 2.5, 1e22,
                      1e-36,                      5e-324, 1.7e308, np.inf, -np.inf, np.nan, 123456.5, 0.15, 0.25, 12345678.5])
    x = np.concatenate([rng.normal(size=3000) * 10.0 ** rng.integers(-40, 25, 3000), edges, rng.integers(-9999, 9999, 99) / 16])
    ids, kinds = np.arange(len(x)) - 5, np.array(["Ar", "H", "", "Xe\u00e9"], object)[rng.integers(0, 4, len(x))]
    forms, values = ["%d", form, "%s"], [ids, x, kinds]
    expected = "".join(f"{i} {form % value} {name}\n" for i, value, name in zip(ids, x.tolist(), kinds, strict=True))
    assert formats.many_lines(forms, values) == expected


def test_the_shortest_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of numbers as positions and velocities are: the loops write nearly all of them by themselves."""
    rng = np.random.default_rng(4711)
    x = rng.normal(size=50_000) * 10.0 ** rng.integers(-3, 9, 50_000)
    x[::2] = [round(value, digits) for value, digits in zip(x[::2].tolist(), rng.integers(0, 9, 25_000).tolist(), strict=True)]
    x[::5] = rng.random(10_000)
    plain, left = formats._plain, []
    monkeypatch.setattr(formats, "_plain", lambda forms, values: left.append(len(values[0])) or plain(forms, values))
    assert formats.many_lines(["%r"], [x]) == "".join(f"{value!r}\n" for value in x.tolist())
    assert sum(left) < 5000


def test_dumps_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of many rows go there, others not."""
    monkeypatch.setattr(formats, "MANY", 10)
    called = []
    monkeypatch.setattr(formats, "many_lines", lambda forms, values: called.append(forms) or "")
    for forms, size in ((["%d"], 9), (["%d"], 10), (["%8d"], 10), (["%g", "%.5g"], 10), (["%.12g"], 10), (["%r"], 10)):
        formats.lines(forms, [np.zeros(size)] * len(forms))
    formats.lines(["%r"], [np.zeros(10, int)])
    assert called == [["%d"], ["%g", "%.5g"], ["%r"]]
