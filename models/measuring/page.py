"""An HTML page that stands alone: style, tables, charts and pictures in one file."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

SIDE_PX, QUALITY = 1100, 82
"""Pictures in a page: the longer side at most, and the JPEG quality."""
STYLE = """
:root{color-scheme:light dark;--ink:#1d2327;--paper:#fbfaf7;--faint:#d8d5cc;--card:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e8e6e0;--paper:#191b1d;--faint:#3b3f42;--card:#222528}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
body{margin:2rem auto;max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;margin:.6rem 0 1.4rem;background:var(--card)}
td,th{border:1px solid var(--faint);padding:.25rem .6rem;text-align:right;font-variant-numeric:tabular-nums}
td:first-child,th:first-child{text-align:left}.words td,.words th{text-align:left}
figure{margin:1.2rem 0;background:var(--card);padding:.8rem}
figure img{max-width:100%;height:auto}figcaption{margin-top:.4rem}.charts{display:flex;flex-wrap:wrap;gap:1rem}
.chart{width:min(100%,30rem);background:var(--card)}.chart text{font:12px system-ui,sans-serif;fill:var(--ink)}
.chart .title{font-weight:600;font-size:13px}.chart .grid{stroke:var(--faint)}
.chart .ideal{stroke:var(--ink);stroke-dasharray:5 4;fill:none}
"""


def page(title: str, parts: Iterable[str]) -> str:
    """Return a whole page of these parts."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style><h1>{escape(title)}</h1>{''.join(parts)}</html>\n"
    )


def heading(text: str, note: str = "") -> str:
    """Return a heading, and a sentence under it."""
    return f"<h2>{escape(text)}</h2>" + (f"<p>{escape(note)}</p>" if note else "")


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], *, words: bool = False) -> str:
    """Return a table; None becomes a dash, shares stay as they are. `words`: it holds text, from the left on."""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell(v))}</td>" for v in row) + "</tr>" for row in rows)
    kind = ' class="words"' if words else ""
    return f"<table{kind}><tr>{top}</tr>{body}</table>"


def records(first: str, found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a table of like mappings, a row each."""
    names = list(next(iter(found.values()), {}))
    head = [first, *(name.replace("_", " ") for name in names)]
    return table(head, ([key, *(values[name] for name in names)] for key, values in found.items()))


def cell(value: Any) -> str:
    """Return a value as a cell shows it."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def charts(drawn: Iterable[str]) -> str:
    """Return charts side by side."""
    return f'<div class="charts">{"".join(drawn)}</div>'


def figure(image: Image, caption: str) -> str:
    """Return a picture (BGR), shrunk and held in the page itself, with a caption."""
    scale = min(1.0, SIDE_PX / max(image.shape[:2]))
    small = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    data = base64.b64encode(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()).decode()
    return (
        f'<figure><img alt="{escape(caption)}" src="data:image/jpeg;base64,{data}">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )
