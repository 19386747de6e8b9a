#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Laws of what is suggested: of what is small no labels at all beat what is called exact, or else how far they may is told; and what a thing is called, and in
what order things stand, changes no price. Labels drawn at random are tests/codegen/test-laws.c.

test-laws.py EXAMPLES [--part I/N]

With --part the Ith of N parts of all examples, else some that are quick."""

import random
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from changes import SPACE, rename, reorder, shuffle
from heddle import Folder, Tap

GPUS = ("a100", "h100")
QUICK = ("attention", "layernorm-linear", "quadratic-form", "residual-mlp", "self-attention", "swiglu")
# What is small enough to try all of.
SMALL = (
    ("maps", """X : f16[a=12, b=6]
Y[a,b] = X[a,b] * 2
-> Y
""", {"a": 12, "b": 6}),
    ("softmax", """X : f16[a=24, b=16]
Y[a,b] = softmax[b](X[a,b])
-> Y
""", {"a": 24}),
)
# The same, with names and without.
INLINED = (
    ("mlp", """X : f16[n=1024, m=256]
W : f16[m, f=512]
V : f16[f, p=256]
""", "H[n,f] = X[n,m] W[m,f]\nG[n,f] = relu(H[n,f])\nY[n,p] = G[n,f] V[f,p]\n-> Y\n", "Y[n,p] = relu(X[n,m] W[m,f]) V[f,p]\n-> Y\n"),
    ("norm", """X : f16[n=1024, m=1024]
g : f16[m]
""", "N[n,m] = rmsnorm[m](X[n,m])\nY[n,m] = N[n,m] g[m]\n-> Y\n", "Y[n,m] = rmsnorm[m](X[n,m]) g[m]\n-> Y\n"),
)
# Prices are sums of kernels, in whatever order.
ROUNDING = 1e-9


def seconds(result):
    return result["total"]["expected_s"]


def priced(folder, name, gpu, labels):
    """What a labelling takes; None: it is not legal, or does not fit."""
    arguments = [argument for label in labels for argument in ("--label", label)]
    run = folder.run("derive", name, "--gpu", gpu, "--fuse", "all", *arguments, "--json")
    if run.returncode != 0:
        return None
    result = folder.parse(run.stdout)
    return seconds(result) if all(kernel["fits"] for kernel in result["kernels"]) else None


def check_beaten(tap, folder, name, gpu, labellings):
    """None of the labellings is faster than what is called exact; where nothing is, none is faster than the least that is told."""
    best = folder.json("derive", "program.eq", "--gpu", gpu, "--suggest")
    least = seconds(best) if best["search"]["exact"] else best["fusion"]["least"]
    faults = []
    for labels in labellings:
        found = priced(folder, "program.eq", gpu, labels)
        if found is not None and found < least * (1 - ROUNDING):
            faults.append(f"{labels} takes {found}, {'exact' if best['search']['exact'] else 'the least'} is {least}")
    tap.check(f"/laws/{name}/{gpu}", "\n".join(faults[:5]) if faults else None)
    tap.check(f"/laws/{name}/{gpu}/told", None if best["search"]["exact"] or best["search"]["not_proved_because"] else "nothing says why it is not exact")


def all_labels(axes):
    """Every tile of every axis, and none."""
    found = [[]]
    for axis, n in axes.items():
        found = [labels + more for labels in found for more in [[]] + [[f"{axis}:group@smem={size}"] for size in range(1, n + 1)]]
    return found


def check_small(tap, folder, program, gpu):
    name, text, axes = program
    folder.write("program.eq", text)
    check_beaten(tap, folder, f"all/{name}", gpu, all_labels(axes))


def call_otherwise(root, draw):
    """Arrays have other names."""
    for value in root.iter(SPACE + "value"):
        if value.get("name"):
            value.set("name", f"N{draw.randrange(10 ** 6)}")


CHANGES = {
    "identities": rename,
    "names": call_otherwise,
    "axes": lambda root, draw: shuffle(root, draw, "axis"),
    "arrays": lambda root, draw: shuffle(root, draw, "value"),
    "order": reorder,
}


def suggested(folder, name, gpu):
    return seconds(folder.json("derive", name, "--gpu", gpu, "--suggest"))


def check_changes(tap, folder, path, gpu):
    folder.write("given.ncd", path.read_bytes())
    before = suggested(folder, "given.ncd", gpu)
    for change, act in CHANGES.items():
        tree = ElementTree.parse(path)
        act(tree.getroot(), random.Random(f"{path.stem} {change}"))
        tree.write(folder.path / "changed.ncd", encoding="UTF-8", xml_declaration=True)
        after = suggested(folder, "changed.ncd", gpu)
        tap.check(f"/laws/{change}/{path.stem}/{gpu}",
                  None if abs(after - before) <= ROUNDING * before else f"{before} s before, {after} s with other {change}")


def check_inlined(tap, folder, program, gpu):
    name, arrays, named, inlined = program
    prices = []
    for text in (named, inlined):
        folder.write("program.eq", arrays + text)
        prices.append(suggested(folder, "program.eq", gpu))
    tap.check(f"/laws/inlined/{name}/{gpu}", None if abs(prices[0] - prices[1]) <= ROUNDING * prices[0] else f"named {prices[0]}, inlined {prices[1]}")


def main():
    tap, folder = Tap(), Folder()
    ElementTree.register_namespace("", SPACE[1:-1])
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    examples = sorted(Path(sys.argv[1]).glob("*.ncd"))
    own, n = (int(number) for number in options.get("--part", "1/1").split("/"))
    examples = examples[own - 1 :: n] if "--part" in options else [path for path in examples if path.stem in QUICK]
    for gpu in GPUS:
        for program in SMALL[own - 1 :: n] if "--part" in options else SMALL[1:]:
            check_small(tap, folder, program, gpu)
        for program in INLINED[own - 1 :: n]:
            check_inlined(tap, folder, program, gpu)
        for path in examples:
            check_changes(tap, folder, path, gpu)
    tap.finish()


main()
