#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The same names give the same kernels, to the byte: whatever the identities of a file's objects, the order that it has axes, arrays and independent
operations in, and how its picture is drawn.

test-same-text.py EXAMPLES [--orders I/N]

With --orders the Ith of N parts of all examples is drawn in other orders."""

import random
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from heddle import Folder, Tap

SPACE = "{https://heddle.github.io/ns/ncd}"
# Of these operations may come in several orders.
PERMUTED = ("swiglu", "multi-head-attention", "self-attention", "flash-decoding", "attention-backward", "quadratic-form")
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


def made(operation):
    return operation.get("result", "").split(" ") + operation.get("results", "").split(" ")


def read(operation):
    return operation.get("operands", "").split(" ")


def reorder(root, draw):
    """Operations come in another order, each after what it reads; True where that is not the one they had."""
    moved = False
    for diagram in root.find(SPACE + "meaning"):
        places = [i for i, element in enumerate(diagram) if element.tag == SPACE + "operation"]
        left = [diagram[i] for i in places]
        before = list(left)
        for place in places:
            waiting = {value for operation in left for value in made(operation) if value}
            ready = [operation for operation in left if not waiting.intersection(read(operation))]
            diagram[place] = draw.choice(ready)
            left.remove(diagram[place])
        moved = moved or before != [diagram[i] for i in places]
    return moved


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


def check_orders(tap, folder, path, gpu, n):
    """At most @n other orders; nothing is said of an example that has none."""
    tree = ElementTree.parse(path)
    orders = set()
    for seed in range(4 * n):
        if len(orders) < n and reorder(tree.getroot(), random.Random(seed)):
            orders.add(ElementTree.tostring(tree.getroot()))
    if not orders:
        return
    folder.write("first.ncd", path.read_bytes())
    kinds = ("cu", "h")
    before, differ = exported(folder, "first.ncd", gpu, kinds), []
    for order in sorted(orders):
        folder.write("changed.ncd", order)
        differ += [kind for kind, one, other in zip(kinds, before, exported(folder, "changed.ncd", gpu, kinds)) if one != other]
    tap.check(f"/same-text/{path.stem}/{gpu}/orders", f"{differ} differ" if differ else None)


def check_part(tap, folder, paths, part):
    own, n = (int(number) for number in part.split("/"))
    for path in paths[own - 1 :: n]:
        for gpu in ("a100", "h100"):
            check_orders(tap, folder, path, gpu, 3)


def main():
    tap, folder = Tap(), Folder()
    ElementTree.register_namespace("", SPACE[1:-1])
    if folder.run("compile", str(Path(sys.argv[1]) / "attention.ncd"), "--gpu", "a100").returncode == 3:
        tap.finish()
        return
    if len(sys.argv) > 3:
        check_part(tap, folder, sorted(Path(sys.argv[1]).glob("*.ncd")), sys.argv[3])
        tap.finish()
        return
    for name in PERMUTED:
        for gpu in ("a100", "h100"):
            check_orders(tap, folder, Path(sys.argv[1]) / f"{name}.ncd", gpu, 2)
    for name in EXAMPLES:
        path = Path(sys.argv[1]) / f"{name}.ncd"
        for gpu in ("a100", "h100"):
            for seed, change in enumerate(CHANGES):
                check(tap, folder, path, gpu, (change,), seed)
            check(tap, folder, path, gpu, ("axes", "arrays", "drawing", "identities"), 7)
    tap.finish()


main()
