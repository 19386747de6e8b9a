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

from changes import SPACE, rename, reorder, shuffle
from heddle import Folder, Tap

# Of these operations may come in several orders.
PERMUTED = ("swiglu", "multi-head-attention", "self-attention", "flash-decoding", "attention-backward", "quadratic-form")
EXAMPLES = ("attention", "matrix-product", "rmsnorm-linear", "convolution", "swiglu")


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
