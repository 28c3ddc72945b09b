"""Curves and bars as SVG, drawn here so that a page needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Final

from memfold.evals.compare.markup import Markup, joined, tag

_WIDTH, _HEIGHT = 760, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 168, 16, 48
_LABEL: Final = 15  # between two labels at the ends of curves
_BAR: Final = 26
_NAMES: Final = 168
_DASHES: Final = ("", "7 4", "2 4", "9 4 2 4")
_STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """One curve: its name, the number of its colour, and its points from left to right."""

    name: str
    colour: int
    points: Sequence[tuple[float, float]]
    strong: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """One bar; ``label`` is how its value is written."""

    name: str
    colour: int
    value: float
    label: str


def curves(series: Sequence[Series], *, title: str, x: str, y: str, log: bool) -> Markup:
    """Curves of shares between 0 and 1, each with its name at its end; ``log`` is for x."""
    shown = [each for each in series if each.points]
    scale, ticks = _scale([at for each in shown for at, _ in each.points], log=log)
    ends = _apart([_y(each.points[-1][1]) for each in shown])
    parts = [
        *_frame(scale, ticks, x=x, y=y),
        # What stands out is drawn last, above the others.
        *(_curve(each, scale) for each in sorted(shown, key=lambda each: each.strong)),
        *(_ending(each, scale, end) for each, end in zip(shown, ends, strict=True)),
    ]
    return _svg(_HEIGHT, title, parts)


def bars(rows: Sequence[Bar], *, title: str) -> Markup:
    """A bar a row, from zero to the largest."""
    most = max((row.value for row in rows), default=0) or 1
    room = _WIDTH - _NAMES - 110
    parts = []
    for number, row in enumerate(rows):
        top = 4 + number * _BAR
        width = room * row.value / most
        parts += [
            tag("text", row.name, x=_NAMES - 10, y=top + 15, class_="name"),
            tag(
                "rect",
                x=_NAMES,
                y=top + 2,
                width=_number(max(width, 1)),
                height=_BAR - 9,
                rx=2,
                class_=f"fill c{row.colour}",
            ),
            tag("text", row.label, x=_number(_NAMES + width + 8), y=top + 15, class_="value"),
        ]
    return _svg(8 + _BAR * len(rows), title, parts)


def _svg(height: int, title: str, parts: Sequence[Markup]) -> Markup:
    return tag(
        "svg",
        tag("title", title),
        *parts,
        viewBox=f"0 0 {_WIDTH} {height}",
        role="img",
        aria_label=title,
    )


def _scale(values: Sequence[float], *, log: bool) -> tuple[Callable[[float], float], list[float]]:
    """Where a value stands from left to right, and the values to mark."""
    low, high = (min(values), max(values)) if values else (1.0, 2.0)
    measure: Callable[[float], float] = log10 if log else float
    if log:
        low, high = max(low, 1) / 1.08, max(high, 1) * 1.08
        ticks = [tick for tick in _round_numbers(low, high) if low <= tick <= high]
    else:
        ticks = [float(tick) for tick in range(round(low), round(high) + 1)]
    first, last = measure(low), measure(high)
    width = _WIDTH - _LEFT - _RIGHT

    def place(value: float) -> float:
        return _LEFT + width * (measure(max(value, low)) - first) / ((last - first) or 1)

    return place, ticks


def _round_numbers(low: float, high: float) -> Iterator[float]:
    for power in range(floor(log10(low)), floor(log10(high)) + 1):
        for step in _STEPS:
            yield step * 10.0**power


def _y(share: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)


def _frame(
    scale: Callable[[float], float], ticks: Sequence[float], *, x: str, y: str
) -> Iterator[Markup]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for step in range(6):
        at = _number(_y(step / 5))
        yield tag("line", x1=_LEFT, x2=right, y1=at, y2=at, class_="grid")
        yield tag("text", f"{step / 5:.1f}", x=_LEFT - 8, y=_number(_y(step / 5) + 4), class_="y")
    for tick in ticks:
        at = _number(scale(tick))
        yield tag("line", x1=at, x2=at, y1=bottom, y2=bottom + 5, class_="axis")
        yield tag("text", f"{tick:,.0f}", x=at, y=bottom + 20, class_="x")
    yield tag("line", x1=_LEFT, x2=right, y1=bottom, y2=bottom, class_="axis")
    middle = (_LEFT + right) / 2
    yield tag("text", x, x=_number(middle), y=_HEIGHT - 6, class_="x title")
    up = _number((_TOP + bottom) / 2)
    yield tag("text", y, x=12, y=up, class_="x title", transform=f"rotate(-90 12 {up})")


def _curve(series: Series, scale: Callable[[float], float]) -> Markup:
    places = [(_number(scale(at)), _number(_y(share))) for at, share in series.points]
    strength = " strong" if series.strong else ""
    line = tag(
        "polyline",
        points=" ".join(f"{at},{share}" for at, share in places),
        class_=f"curve c{series.colour}{strength}",
        stroke_dasharray=None if series.strong else _DASHES[series.colour % len(_DASHES)] or None,
    )
    marks = (
        tag(
            "circle",
            cx=at,
            cy=share,
            r=4.5 if series.strong else 3.2,
            class_=f"fill c{series.colour}",
        )
        for at, share in places
    )
    return joined([line, *marks])


def _ending(series: Series, scale: Callable[[float], float], end: float) -> Markup:
    """The name of a curve beside its last point, or beside the frame where that is taken."""
    at, share = series.points[-1]
    place, right = scale(at), _WIDTH - _RIGHT
    strength = " strong" if series.strong else ""
    return joined(
        [
            tag(
                "line",
                x1=_number(place + 5),
                y1=_number(_y(share)),
                x2=right + 14,
                y2=_number(end),
                class_=f"lead c{series.colour}",
            ),
            tag(
                "text",
                series.name,
                x=right + 18,
                y=_number(end + 4),
                class_=f"end c{series.colour}{strength}",
            ),
        ]
    )


def _apart(places: Sequence[float]) -> list[float]:
    """The same places, moved so that no two labels overlap and none leaves the frame."""
    order = sorted(range(len(places)), key=lambda number: places[number])
    moved = list(places)
    at = float(_TOP)
    for number in order:
        moved[number] = at = max(places[number], at)
        at += _LABEL
    at = float(_HEIGHT - _BOTTOM)
    for number in reversed(order):
        moved[number] = at = min(moved[number], at)
        at -= _LABEL
    return moved


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
