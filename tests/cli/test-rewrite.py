#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""rewrite: rules that keep the meaning, as NumPy has it."""

import numpy

from heddle import Folder, Tap

SOFTMAX = "S : f64[q=4, x=6]\nP[q,x] = softmax[x](S[q,x])\n"
RULES = ["expand-softmax", "collapse-softmax", "expand-norms", "collapse-norms", "merge-contractions", "split-contractions", "remove-units",
         "slide-broadcasts", "slide-reads", "slide-renames", "read-products", "read-maps", "part-products", "part-maps", "join-reads", "choose-joined", "split-sums", "log-softmax", "absorb-transposes", "fuse-maps", "split-maps",
         "common-subexpressions", "remove-identity", "dead-code"]


def check_values(tap, folder):
    scores = numpy.random.default_rng(3).normal(size=(4, 6))
    weights = numpy.exp(scores)
    numpy.save(folder.path / "s.npy", scores)
    folder.output("evaluate", "expanded.ncd", "--in", "S=s.npy", "--out", "P=p.npy")
    error = numpy.abs(numpy.load(folder.path / "p.npy") - weights / weights.sum(axis=1, keepdims=True)).max()
    tap.check("/rewrite/numpy", None if error < 1e-15 else str(error))


TWO = "S : f64[q=4, x=6]\nP[q,x] = softmax[x](S[q,x])\nR[q,x] = softmax[q](P[q,x])\n"


def check_places(tap, folder):
    folder.write("two.eq", TWO)
    places = {rule["rule"]: rule["at"] for rule in folder.json("rewrite", "--list", "two.eq")["rules"]}
    tap.equal("/rewrite/places", [list(places), places["expand-softmax"], places["expand-norms"]], [RULES, ["P", "R"], []])
    tap.check("/rewrite/places-told", None if "\n    P, R\n" in folder.output("rewrite", "--list", "two.eq") else "not told")
    tap.equal("/rewrite/at", folder.output("rewrite", "two.eq", "--rule", "expand-softmax", "--at", "R", "-o", "at.ncd"), "expand-softmax: 1\n")
    text = folder.output("equations", "at.ncd")
    tap.check("/rewrite/at-place", None if "softmax[x]" in text and "softmax[q]" not in text else text)
    tap.check("/rewrite/at-nothing", None if "no array “Z”" in folder.failure(1, "rewrite", "two.eq", "expand-softmax", "--at", "Z", "-o", "x.ncd") else "?")


def check_many(tap, folder):
    """A rule that can be followed at thousands of places is tried at as many as a person waits for, and it is told."""
    n = 3000
    folder.write("many.eq", "X0 : f32[a=4]\n" + "".join(f"X{i + 1}[a] = softmax[a](X{i}[a])\n" for i in range(n)))
    rules = {rule["rule"]: rule for rule in folder.json("rewrite", "--list", "many.eq")["rules"]}
    softmax, norms = rules["expand-softmax"], rules["expand-norms"]
    tap.equal("/rewrite/many", (500 < len(softmax["at"]) < n, softmax["all"], norms["at"], norms["all"]), (True, False, [], True))
    tap.check("/rewrite/many-told", None if "perhaps further ones, which were not tried" in folder.output("rewrite", "--list", "many.eq") else "not told")


def main():
    tap, folder = Tap(), Folder()
    folder.write("softmax.eq", SOFTMAX)
    listed = [line.split()[0] for line in folder.output("rewrite", "--list").splitlines()]
    tap.equal("/rewrite/list", listed, RULES)
    tap.equal("/rewrite/expand", folder.output("rewrite", "softmax.eq", "expand-softmax", "-o", "expanded.ncd"), "expand-softmax: 1\n")
    tap.check("/rewrite/expanded", None if "softmax" not in folder.output("equations", "expanded.ncd") else "softmax is there")
    check_values(tap, folder)
    result = folder.json("rewrite", "expanded.ncd", "common-subexpressions", "collapse-softmax", "-o", "back.ncd")
    tap.equal("/rewrite/json", result, {"rules": [{"rule": "common-subexpressions", "places": 0}, {"rule": "collapse-softmax", "places": 1}]})
    tap.equal("/rewrite/back", folder.output("diff", "softmax.eq", "back.ncd"), "")
    check_places(tap, folder)
    check_many(tap, folder)
    for name, arguments in (("rule", ("softmax.eq", "faster", "-o", "x.ncd")), ("none", ("softmax.eq", "-o", "x.ncd")),
                            ("output", ("softmax.eq", "expand-softmax"))):
        tap.check(f"/rewrite/wrong/{name}", None if "error: " in folder.failure(2, "rewrite", *arguments) else "said nothing")
    tap.check("/rewrite/wrong/nothing-left", None if not (folder.path / "x.ncd").exists() else "x.ncd")
    tap.finish()


main()
