"""A figure as SVG that may stand inside a page: no leaks, no fixed colours, equal bytes for equal figures."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import matplotlib as mpl
from matplotlib.figure import Figure

from reports.style import LIGHT, RC
from reports.words import Words

NS = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}href"
REFERENCE = re.compile(r"url\(#([^)]+)\)")
NUMBER = re.compile(r"-?\d+\.\d+")
FONT = re.compile(r"""(['"]?DejaVu Sans['"]?)(,[^;]*)?""")


def inline_svg(figure: Figure, name: str, words: Words) -> str:
    """Return the figure as one `<svg>` element for a page, described by its words.

    `name` is unique on the page; ids in the drawing start with it. Colours are variables (``var(--a)``), text
    is text in the page's font, one unit is one CSS pixel at most.
    """
    root = ET.fromstring(_drawn(figure))
    _drop_leaks(root)
    _prefix_ids(root, name)
    for element in root.iter():
        _shorten(element)
    _unwrap_groups(root)
    _describe(root, name, words)
    return _with_variables(_markup(root))


def _drawn(figure: Figure) -> str:
    """Return the figure as matplotlib writes it, without its date."""
    file = io.StringIO()
    with mpl.rc_context(RC):
        figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
    return file.getvalue()


def _drop_leaks(root: ET.Element) -> None:
    """Remove the metadata, and the style rule for ``*`` that would apply to the whole page."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.endswith("metadata") or child.tag in (f"{NS}metadata", f"{NS}style"):
                parent.remove(child)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == f"{NS}defs" and len(child) == 0:
                parent.remove(child)


def _prefix_ids(root: ET.Element, name: str) -> None:
    """Give the ids that are referred to the figure's name, numbered in order, and drop the others."""
    wanted = {found for element in root.iter() for found in _references(element)}
    ids = [element.get("id") for element in root.iter() if element.get("id") in wanted]
    fresh = {old: f"{name}-{number}" for number, old in enumerate(ids) if old}
    for element in root.iter():
        old = element.attrib.pop("id", None)
        if old in fresh:
            element.set("id", fresh[old])
        link = element.attrib.pop(XLINK, None)
        if link:
            element.set("href", f"#{fresh[link[1:]]}")
        for key, value in element.attrib.items():
            element.set(key, REFERENCE.sub(lambda match: f"url(#{fresh[match[1]]})", value))


def _references(element: ET.Element) -> Iterator[str]:
    """Yield the ids an element refers to."""
    link = element.get(XLINK)
    if link:
        yield link[1:]
    for value in element.attrib.values():
        yield from REFERENCE.findall(value)


def _shorten(element: ET.Element) -> None:
    """Write numbers with one decimal and text in the page's font."""
    for key, value in element.attrib.items():
        if key in ("d", "x", "y", "width", "height", "transform", "points", "cx", "cy", "r"):
            element.set(key, " ".join(NUMBER.sub(lambda match: _one_decimal(match[0]), value).split()))
        if key == "style":
            element.set(key, FONT.sub("var(--font)", value))
    if element.tag != f"{NS}text" and element.text and not element.text.strip():
        element.text = None
    element.tail = None


def _one_decimal(number: str) -> str:
    text = f"{float(number):.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _unwrap_groups(parent: ET.Element) -> None:
    """Replace groups that say nothing by what they hold."""
    for child in list(parent):
        _unwrap_groups(child)
        if child.tag == f"{NS}g" and not child.attrib:
            place = list(parent).index(child)
            parent.remove(child)
            for offset, grandchild in enumerate(list(child)):
                parent.insert(place + offset, grandchild)


def _describe(root: ET.Element, name: str, words: Words) -> None:
    """Name the drawing for those who do not see it, and let it shrink but never grow."""
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    width = float(root.attrib["viewBox"].split()[2])
    root.set("class", "drawing")
    root.set("style", f"max-width:{width:g}px")
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-alt")
    for number, (tag, text) in enumerate((("title", words.title), ("desc", words.alt))):
        element = ET.Element(NS + tag, {"id": f"{name}-{'alt' if number else 'title'}"})
        element.text = text
        root.insert(number, element)


def _markup(root: ET.Element) -> str:
    """Return the element as markup for HTML, where the SVG namespace needs no declaration."""
    for element in root.iter():
        element.tag = element.tag.removeprefix(NS)
    return ET.tostring(root, encoding="unicode")


def _with_variables(markup: str) -> str:
    """Replace the light colours by the variables of their roles."""
    for role, colour in LIGHT.items():
        markup = markup.replace(colour, f"var(--{role})")
    return markup
