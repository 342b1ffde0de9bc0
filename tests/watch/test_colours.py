"""Colours that colour-blind people can tell apart, in the light and in the dark."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

Floats = npt.NDArray[np.float64]

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency" (2009),
# severity 1.0, on linear RGB.
SIGHT = {
    "all colours": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])


def palette(dark: bool) -> dict[str, Floats]:
    """The colours of the style sheet, as linear RGB."""
    text = files("hunet.watch").joinpath("assets", "watch.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", text, re.DOTALL)
    found: dict[str, Floats] = {}
    for name, value in re.findall(r"--([\w-]+): #([0-9a-f]{6})", blocks[1 if dark else 0]):
        rgb = np.array([int(value[i : i + 2], 16) for i in (0, 2, 4)]) / 255
        found[name] = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return found


def lab(colour: Floats, sight: str) -> Floats:
    seen = np.clip(SIGHT[sight] @ colour, 0, 1)
    x, y, z = np.cbrt(np.maximum(TO_XYZ @ seen / WHITE, 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: Floats, other: Floats) -> float:
    """Of WCAG 2."""
    dark, light = sorted(float(TO_XYZ[1] @ colour) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sight", SIGHT)
def test_groups_states_and_runs_can_be_told_apart(sight: str, dark: bool) -> None:
    colours = palette(dark)
    groups = [f"group{i}" for i in range(7)]
    for names, least in ((groups, 10), (("carry", "wait", "lost"), 20), (("first", "second"), 40)):
        for one, other in combinations(names, 2):
            apart = np.linalg.norm(lab(colours[one], sight) - lab(colours[other], sight))
            assert apart >= least, f"{one} and {other}: {apart:.0f}"


@pytest.mark.parametrize("dark", [False, True])
def test_text_and_shapes_stand_out_from_the_paper(dark: bool) -> None:
    colours = palette(dark)
    for name in ("ink", "soft", "first", "second", "accent"):
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
    for name in ("carry", "got", "lost", "link", "sent"):
        assert contrast(colours[name], colours["paper"]) >= 3, name
    assert contrast(colours["wait"], colours["paper"]) >= 2.5, "its shape, a thick ring, is nobody else's"
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5


def test_every_state_has_a_shape_of_its_own() -> None:
    text = files("hunet.watch").joinpath("assets", "colours.js").read_text(encoding="utf-8")
    shapes = re.findall(r'\[[A-Z_]+\]: \{ words: "[^"]+", shape: "(\w+)"', text)
    assert len(shapes) == len(set(shapes)) == 7
