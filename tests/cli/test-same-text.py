#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The same names give the same kernels, to the byte: whatever the identities of a file's objects, the order that it has axes and arrays in, and how its
picture is drawn.

test-same-text.py EXAMPLES"""

import random
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from heddle import Folder, Tap

SPACE = "{https://heddle.github.io/ns/ncd}"
EXAMPLES = ("attention", "matrix-product", "rmsnorm-linear", "convolution", "swiglu")
# What holds names, formulas and words, not identities.
WORDS = ("name", "body", "kind", "of", "title")


def rename(root, draw):
    """Every identity becomes another."""
    renamed = {}
    for element in root.iter():
        if element.get("id"):
            renamed.setdefault(element.get("id"), f"n{draw.randrange(10 ** 6)}.{len(renamed)}")
    for element in root.iter():
        for key, value in element.attrib.items():
            if key not in WORDS:
                element.set(key, " ".join(renamed.get(word, word) for word in value.split(" ")))


def shuffle(root, draw, tag):
    """The elements of one kind stand in another order."""
    for diagram in root.find(SPACE + "meaning"):
        places = [i for i, element in enumerate(diagram) if element.tag == SPACE + tag]
        elements = [diagram[i] for i in places]
        draw.shuffle(elements)
        for place, element in zip(places, elements):
            diagram[place] = element


def draw_otherwise(root, draw):
    """Boxes lie elsewhere, and have other colours."""
    for drawing in root.find(SPACE + "presentation"):
        drawing.set("title", f"Another title {draw.randrange(100)}")
        operations = [operation.get("id") for operation in root.iter(SPACE + "operation")]
        for index, operation in enumerate(operations):
            move = {"object": operation, "dx": str(draw.randrange(-40, 40)), "dy": "24"}
            drawing.insert(index, ElementTree.Element(SPACE + "nudge", move))
        for index, operation in enumerate(operations):
            drawing.insert(len(operations) + index, ElementTree.Element(SPACE + "fill", {"object": operation, "class": "linear"}))


CHANGES = {
    "identities": rename,
    "axes": lambda root, draw: shuffle(root, draw, "axis"),
    "arrays": lambda root, draw: shuffle(root, draw, "value"),
    "drawing": draw_otherwise,
}


def exported(folder, name, gpu, suffixes):
    for suffix in suffixes:
        folder.output("export", name, "-o", f"out.{suffix}", "--gpu", gpu, "--no-verify")
    return [folder.read(f"out.{suffix}") for suffix in suffixes]


def check(tap, folder, path, gpu, changes, seed):
    draw = random.Random(seed)
    tree = ElementTree.parse(path)
    for change in changes:
        CHANGES[change](tree.getroot(), draw)
    tree.write(folder.path / "changed.ncd", encoding="UTF-8", xml_declaration=True)
    suffixes = ("cu", "h") if len(changes) == 1 else ("cu", "h", "py")
    folder.write("first.ncd", path.read_bytes())
    before, after = exported(folder, "first.ncd", gpu, suffixes), exported(folder, "changed.ncd", gpu, suffixes)
    differ = [suffix for suffix, one, other in zip(suffixes, before, after) if one != other]
    tap.check(f"/same-text/{path.stem}/{gpu}/{'-'.join(changes)}", f"{differ} differ" if differ else None)


def main():
    tap, folder = Tap(), Folder()
    ElementTree.register_namespace("", SPACE[1:-1])
    if folder.run("compile", str(Path(sys.argv[1]) / "attention.ncd"), "--gpu", "a100").returncode == 3:
        tap.finish()
        return
    for name in EXAMPLES:
        path = Path(sys.argv[1]) / f"{name}.ncd"
        for gpu in ("a100", "h100"):
            for seed, change in enumerate(CHANGES):
                check(tap, folder, path, gpu, (change,), seed)
            check(tap, folder, path, gpu, ("axes", "arrays", "drawing", "identities"), 7)
    tap.finish()


main()
