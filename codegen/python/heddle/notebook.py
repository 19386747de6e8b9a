# SPDX-License-Identifier: MIT
"""Equations as figures, in notebooks: `heddle.diagram("Y[x,k] = X[x,m] W[m,k]")` shows itself. Needs nothing but the program."""

import base64
import json
import tempfile
from html import escape
from pathlib import Path

from .program import run


class Diagram:
    """A diagram that a notebook shows as its figure, light or dark as the page is. Made of equations, of which every problem is told by HeddleError."""

    def __init__(self, equations, program="heddle"):
        self.equations, self.program = equations, program
        self._folder = tempfile.TemporaryDirectory(prefix="heddle-")
        self._path = Path(self._folder.name) / "diagram.eq"
        self._path.write_text(equations, encoding="utf-8")
        self._run("check", self._path)

    def __repr__(self):
        return f"heddle.diagram({self.equations!r})"

    def _run(self, command, *arguments):
        return run(self.program, command, *arguments, hide=f"{self._path}:")

    def svg(self, theme="light"):
        """The figure as the text of an SVG; `theme`: light, dark, paper or contrast."""
        path = self._path.with_suffix(".svg")
        self._run("export", self._path, "-o", path, "--theme", theme)
        return path.read_text(encoding="utf-8")

    def _repr_svg_(self):
        return self.svg()

    def _repr_html_(self):
        """Both figures as pictures, in which nothing can run, of which the page shows the one that suits it."""
        light, dark = (base64.b64encode(self.svg(theme).encode()).decode() for theme in ("light", "dark"))
        words = escape(self.equations, quote=True)
        return (f'<picture><source media="(prefers-color-scheme: dark)" srcset="data:image/svg+xml;base64,{dark}"/>'
                f'<img alt="{words}" src="data:image/svg+xml;base64,{light}"/></picture>')

    def evaluate(self, **inputs):
        """Arrays of NumPy by the names of the outputs, worked out by the reference evaluator. `inputs`: an array for each input and parameter."""
        import numpy
        folder = Path(self._folder.name)
        arguments = []
        for i, (name, array) in enumerate(inputs.items()):
            numpy.save(folder / f"in-{i}.npy", numpy.asarray(array))
            arguments += ["--in", f"{name}={folder / f'in-{i}.npy'}"]
        outputs = json.loads(self._run("evaluate", self._path, *arguments, "--json"))["outputs"]
        names = [each["name"] for each in outputs]
        wanted = [part for i, name in enumerate(names) for part in ("--out", f"{name}={folder / f'out-{i}.npy'}")]
        self._run("evaluate", self._path, *arguments, *wanted)
        return {name: numpy.load(folder / f"out-{i}.npy") for i, name in enumerate(names)}

    def derive(self, gpu="h100-sxm", fuse="best"):
        """What its kernels cost on that machine with the best labels, shown with the roofline; `fuse`: all, none or best."""
        return Derivation(self, gpu, fuse)

    def kernel(self, gpu="h100-sxm"):
        """The source of its kernels in CUDA, which are not verified here."""
        path = self._path.with_suffix(".cu")
        self._run("export", self._path, "-o", path, "--gpu", gpu, "--no-verify")
        return path.read_text(encoding="utf-8")


class Derivation:
    """A table of what kernels cost, which a notebook shows below their roofline."""

    def __init__(self, made, gpu, fuse):
        self.gpu = gpu
        derived = made._path.with_name("derived.ncd")
        self.text = made._run("derive", made._path, "--gpu", gpu, "--fuse", fuse, "--suggest", "--apply", "-o", derived)
        roofline = made._path.with_name("roofline.svg")
        made._run("export", derived, "-o", roofline, "--gpu", gpu, "--roofline")
        self.roofline = roofline.read_text(encoding="utf-8")

    def __str__(self):
        return self.text

    def _repr_html_(self):
        data = base64.b64encode(self.roofline.encode()).decode()
        return f'<img alt="roofline of {escape(self.gpu, quote=True)}" src="data:image/svg+xml;base64,{data}"/><pre>{escape(self.text)}</pre>'


def diagram(equations, program="heddle"):
    """The diagram of equations, which a notebook shows as a figure."""
    return Diagram(equations, program)


def load_ipython_extension(shell):
    """%load_ext heddle: a cell that begins with %%heddle is equations, shown as their figure."""
    shell.register_magic_function(lambda line, cell: diagram(cell), "cell", "heddle")
