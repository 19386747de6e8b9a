#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The architectures of data/figures/gallery: equations alone, with nothing placed by hand. Each fits a page of a venue without a fault, and
computes what its paper says, as NumPy does."""

import re
import sys
from pathlib import Path

import numpy as np

from gallery import FUNCTIONS
from heddle import Folder, Tap

DECLARED = re.compile(r"^(?:param )?(\w+) : (\w+)\[(.*)\]$", re.MULTILINE)
AXIS = re.compile(r"^axis (\w+) = (\d+)$", re.MULTILINE)
WHOLE = 4  # an axis no longer than this is part of the architecture


def small(declared, n):
    """A size to compute at, other than those of its neighbours."""
    return declared if declared <= WHOLE else 3 + n % 3


def read_sizes(text):
    """Small sizes for the axes that are declared by a number, and the sizes of the others, which are those of another axis."""
    free = {name: small(int(size), n) for n, (name, size) in enumerate(AXIS.findall(text))}
    tied = {}
    for _, _, axes in DECLARED.findall(text):
        for one in axes.split(", "):
            name, _, size = one.partition("=")
            if size.isdigit():
                free[name] = small(int(size), len(free))
            elif size:
                tied[name] = size
    return free, {name: free[other] for name, other in tied.items()}


def make_arrays(text, sizes, seed):
    """Arrays for all inputs and parameters; a table's rows, the neighbours of a graph, and what is taken the root of stay what they are."""
    random = np.random.default_rng(seed)
    arrays = {}
    for name, dtype, axes in DECLARED.findall(text):
        shape = [sizes[one.partition("=")[0]] for one in axes.split(", ")]
        arrays[name] = random.integers(0, 3, shape) if dtype == "i64" else random.normal(size=shape)
        if name == "A" and "graph" in text.lower():
            arrays[name] = ((np.abs(arrays[name]) < 0.6) | np.eye(*shape, dtype=bool)).astype(float)
    return arrays


def evaluate(folder, path, sizes, arrays, outputs):
    arguments = ["evaluate", str(path)]
    for name, size in sizes.items():
        arguments += ["--set", f"{name}={size}"]
    for name, array in arrays.items():
        np.save(folder.path / f"{name}.npy", array)
        arguments += ["--in", f"{name}={name}.npy"]
    for name in outputs:
        arguments += ["--out", f"{name}=out-{name}.npy"]
    folder.output(*arguments)
    return {name: np.load(folder.path / f"out-{name}.npy") for name in outputs}


def check_value(tap, folder, path, function):
    text = path.read_text(encoding="utf-8")
    free, tied = read_sizes(text)
    arrays = make_arrays(text, free | tied, 7)
    wanted = function(**arrays)
    found = evaluate(folder, path, free, arrays, wanted)
    for name, array in wanted.items():
        right = found[name].shape == np.shape(array) and np.allclose(found[name], array, rtol=1e-8, atol=1e-10)
        tap.check(f"/gallery/{path.stem}/value", None if right else f"{name}: {np.max(np.abs(found[name] - array))} apart")


def check_figure(tap, folder, path):
    run = folder.run("export", str(path), "-o", "figure.svg", "--venue", "neurips", "--strict")
    tap.check(f"/gallery/{path.stem}/strict", None if run.returncode == 0 else run.stderr)


# Kernels with formulas of two lines, with hexagons over the names of other wires, and with words at their feet.
STEPS = ("alibi", "deep-sets", "convnext", "bottleneck")


def check_steps(tap, folder, path):
    run = folder.run("export", str(path), "-o", "steps.svg", "--steps", "--strict")
    faults = re.findall(r"the text “.*” is hidden|printed over one another|runs through the text", run.stderr)
    tap.check(f"/gallery/{path.stem}/steps", None if not faults else run.stderr)


def main():
    tap, folder = Tap(), Folder()
    paths = sorted(Path(sys.argv[1]).glob("*.eq"))
    names = {path.stem for path in paths}
    tap.check("/gallery/all", None if names == set(FUNCTIONS) and len(names) >= 40 else str(names ^ set(FUNCTIONS)))
    for path in paths:
        check_value(tap, folder, path, FUNCTIONS[path.stem])
        check_figure(tap, folder, path)
        if path.stem in STEPS:
            check_steps(tap, folder, path)
    tap.finish()


main()
