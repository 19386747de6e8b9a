#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Random programs through everything that keeps their meaning: the evaluator against our own, texts, documents, rewrites, gradients, labels, kernels.

test-programs.py [COUNT [SEED]]: of what fails, the least program that still does is printed, with its seed."""

import json
import math
import random
import re
import subprocess
import sys

import numpy

from heddle import Folder, Tap
from programs import Maker, Program, evaluate, is_smooth, shrink, values

RULES = ("expand-softmax", "expand-norms", "merge-contractions", "split-contractions", "remove-units", "slide-broadcasts", "slide-reads", "slide-renames",
         "read-products", "read-maps", "part-products", "part-maps", "join-reads", "choose-joined", "split-sums", "log-softmax", "absorb-transposes", "fuse-maps", "split-maps", "common-subexpressions", "remove-identity", "dead-code")
# Kernels add up in another order and in their own types; verify judges that by itself.
TOLERANCE = 1e-9
STEP = 1e-5


class Wrong(Exception):
    """What is not as it must be; args: the stage, and in words."""


class Run:
    """One program in a folder, with numbers."""

    def __init__(self, folder, program, seed):
        self.folder, self.program, self.seed = folder, program, seed
        self.numbers = values(program, random.Random(seed))
        self.used, self.outputs = program.used(), program.outputs()
        folder.write("p.eq", program.text())
        for name in self.used:
            numpy.save(folder.path / f"{name}.npy", self.numbers[name])
        self.expected = evaluate(program, self.numbers)

    def call(self, stage, *arguments, may_refuse=False):
        """What is printed; None where it is refused, with a reason."""
        try:
            run = self.folder.run(*arguments)
        except subprocess.TimeoutExpired as late:
            raise Wrong(stage, "does not end") from late
        if run.returncode == 0:
            return run.stdout
        if run.returncode == 1 and may_refuse and "error:" in run.stderr:
            return None
        raise Wrong(stage, f"{' '.join(arguments)}: {run.returncode}\n{run.stderr[:600]}")

    def inputs(self):
        return [argument for name in self.used for argument in ("--in", f"{name}={name}.npy")]

    def compare(self, stage, file):
        """What a file evaluates to, and what it is to be."""
        outs = [argument for name in self.outputs for argument in ("--out", f"{name}=out-{name}.npy")]
        self.call(stage, "evaluate", file, *self.inputs(), *outs)
        for name in self.outputs:
            found, expected = numpy.load(self.folder.path / f"out-{name}.npy"), self.expected[name]
            scale = max(1.0, float(numpy.abs(expected).max(initial=0.0)))
            if found.shape != expected.shape or not numpy.allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE * scale):
                raise Wrong(stage, f"{name} is\n{found}\nand not\n{expected}")


def check_texts(run):
    first = run.call("text", "equations", "p.eq")
    run.folder.write("q.eq", first)
    if run.call("text", "equations", "q.eq") != first:
        raise Wrong("text", f"the text is no fixed point:\n{first}")
    run.compare("text", "q.eq")
    run.call("document", "import", "p.eq", "-o", "p.ncd")
    if run.call("document", "equations", "p.ncd") != first:
        raise Wrong("document", "the document has another text")
    run.call("document", "check", "p.ncd")


def check_rewrites(run, choose):
    for rule in choose.sample(RULES, 4):
        run.call(rule, "rewrite", "p.eq", rule, "-o", "r.ncd")
        run.compare(rule, "r.ncd")


def loss(run, numbers, weights):
    arrays = evaluate(run.program, numbers)
    return math.nan if arrays is None else sum(float((arrays[name] * weights[name]).sum()) for name in run.outputs)


def check_gradients(run, choose):
    if not all(is_smooth(expression) for _, _, expression in run.program.statements) or not run.used:
        return
    name = choose.choice(run.used)
    if run.call("gradient", "differentiate", "p.eq", "--wrt", name, "-o", "d.ncd", may_refuse=True) is None:
        return
    weights = {output: numpy.array(numpy.random.default_rng(run.seed).integers(-8, 9, run.expected[output].shape) / 8) for output in run.outputs}
    for output, weight in weights.items():
        numpy.save(run.folder.path / f"d{output}.npy", weight)
    # A cotangent that nothing depends on is none of the inputs.
    known = run.call("gradient", "equations", "d.ncd")
    given = [argument for output in run.outputs if f"\nd{output} : " in f"\n{known}" for argument in ("--in", f"d{output}=d{output}.npy")]
    needed = [argument for array in run.used if f"\n{array} : " in f"\n{known}" for argument in ("--in", f"{array}={array}.npy")]
    run.call("gradient", "evaluate", "d.ncd", *needed, *given, "--out", f"d{name}=g.npy")
    gradient = numpy.load(run.folder.path / "g.npy")
    for _ in range(3):
        place = tuple(choose.randrange(size) for size in gradient.shape)
        sides = []
        for step in (STEP, -STEP):
            moved = {**run.numbers, name: run.numbers[name].copy()}
            moved[name][place] += step
            sides.append(loss(run, moved, weights))
        slope = (sides[0] - sides[1]) / (2 * STEP)
        if math.isfinite(slope) and not abs(slope - gradient[place]) <= 1e-4 * max(1.0, abs(slope), abs(sides[0])):
            raise Wrong("gradient", f"of {name} at {place}: {gradient[place]}, by differences {slope}")


def random_labels(run, choose):
    axes = sorted({axis for name in run.used for axis in run.program.inputs[name]} | {axis for _, axes, _ in run.program.statements for axis in axes})
    labels = []
    for axis in choose.sample(axes, min(len(axes), choose.randint(0, 2))):
        labels += ["--label", f"{axis}:{choose.choice(('group', 'stream'))}@smem={choose.randint(1, run.program.sizes[axis])}"]
    return ["--fuse", choose.choice(("all", "none", "best")), *labels]


def check_kernels(run, choose):
    """Labels are taken, or refused with a reason; what was taken computes what the program says."""
    options = random_labels(run, choose)
    told = run.call("derive", "derive", "p.eq", *options, "--json", *choose.choice(([], ["--suggest"])), may_refuse=True)
    if told is not None and json.loads(told) is not None:
        run.call("verify", "verify", "p.eq", "--on", "model", *options, "--seed", str(run.seed % 1000), may_refuse=True)


def check(folder, program, seed):
    """None, or the stage that is wrong and why."""
    choose = random.Random(seed)
    try:
        run = Run(folder, program, seed)
        if run.expected is None:
            return None
        run.compare("evaluate", "p.eq")
        check_texts(run)
        check_rewrites(run, choose)
        check_gradients(run, choose)
        check_kernels(run, choose)
    except Wrong as wrong:
        return wrong.args
    return None


def kind_of(found):
    """What went wrong, whatever the names and numbers: a smaller program is to show the same."""
    if found is None:
        return None
    said = re.search("(error|Critical|CRITICAL|ERROR)[^\n]*", found[1])
    return found[0], re.sub(r"\b[A-Za-z]?[0-9]*\b|[^A-Za-z ]", "", said.group(0)) if said else ""


def judge(tap, folder, seed):
    program = Maker(random.Random(seed)).program()
    found = check(folder, program, seed)
    if found is None:
        tap.check(f"/programs/{seed}", None)
        return
    least = shrink(program, lambda less: kind_of(check(folder, less, seed)) == kind_of(found))
    stage, words = check(folder, least, seed) or found
    tap.check(f"/programs/{seed}", f"{stage}: {words}\n{least.text()}")


# A program that says something wrong on purpose is found, and comes down to what is wrong.
PLANTED = Program({"i": 4, "j": 3, "k": 2, "l": 2}, {"A": ("i", "j"), "B": ("j",)}, [
    ("Y0", ("i",), ("reduce", "sum", "j", ("map", "{0} * {1}", (("read", "A", (("i", 1, 0), ("j", 1, 0))), ("read", "B", (("j", 1, 0),)))))),
    ("Y1", ("i",), ("map", "tanh({0})", (("read", "Y0", (("i", 1, 0),)),)))])


def check_shrinker(tap):
    least = shrink(PLANTED, lambda program: "tanh" in program.text())
    tap.check("/programs/shrinker", None if least.text().count("\n") == 2 and least.sizes["i"] == 1 else least.text())


def main():
    tap, folder = Tap(), Folder()
    count, first = [*map(int, sys.argv[1:]), *([40, 1][len(sys.argv) - 1:])]
    check_shrinker(tap)
    for seed in range(first, first + count):
        judge(tap, folder, seed)
    tap.finish()


main()
