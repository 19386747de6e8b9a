#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Equations as figures in notebooks, without PyTorch."""

import base64
import os
import re
import sys
import tempfile
import types
import xml.etree.ElementTree as ElementTree

import numpy as np
from heddle import PROGRAM, Tap


def check_located(tap, heddle):
    """The program that was installed with the package is found beside the interpreter, where the PATH has none."""
    kept = sys.executable, os.environ["PATH"]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(PROGRAM, f"{folder}/heddle")
        sys.executable, os.environ["PATH"] = f"{folder}/python3", "/nowhere"
        try:
            tap.equal("/notebook/located", heddle.program.located("heddle"), f"{folder}/heddle")
            tap.check("/notebook/located/runs", None if heddle.diagram("A : [i=2]\nB[i] = A[i] + 1\n").svg().startswith("<") else "no figure")
            tap.equal("/notebook/located/given", heddle.program.located("./heddle"), "./heddle")
        finally:
            sys.executable, os.environ["PATH"] = kept


def main(packages):
    tap = Tap()
    del sys.modules["heddle"]
    sys.path.insert(0, packages)
    import heddle
    tap.equal("/notebook/without-torch", "torch" in sys.modules, False)
    text = 'X : [x=3, m=4]\nW : [m, k=2]\nY[x,k] = relu(X[x,m] W[m,k])  # "quoted" <b>\n'
    made = heddle.diagram(text, program=PROGRAM)
    root = ElementTree.fromstring(made._repr_svg_())
    tap.equal("/notebook/svg", root.tag, "{http://www.w3.org/2000/svg}svg")
    page = made._repr_html_()
    pictures = [base64.b64decode(data).decode() for data in re.findall(r"data:image/svg\+xml;base64,([^\"]+)\"", page)]
    tap.equal("/notebook/html", [picture == made.svg(theme) for picture, theme in zip(pictures, ("dark", "light"))], [True, True])
    tap.check("/notebook/dark-is-another", None if pictures[0] != pictures[1] else "one figure for both")
    tags = ElementTree.fromstring(page.replace("&quot;", "&#34;"))
    tap.equal("/notebook/html/escaped", ([each.tag for each in tags.iter()], tags.find("img").get("alt").split()), (["picture", "source", "img"], text.split()))
    x, w = np.arange(12.).reshape(3, 4) - 5, np.arange(8.).reshape(4, 2) - 3
    found = made.evaluate(X=x, W=w)
    tap.equal("/notebook/evaluate", {name: array.tolist() for name, array in found.items()}, {"Y": np.maximum(x @ w, 0).tolist()})
    tap.check("/notebook/kernel", None if "__global__" in made.kernel() else "no kernel")
    derived = made.derive(gpu="a100")
    roofline = ElementTree.fromstring(base64.b64decode(re.search(r"base64,([^\"]+)\"", derived._repr_html_())[1]))
    tap.equal("/notebook/derive", ("a100" in str(derived).lower(), roofline.tag), (True, "{http://www.w3.org/2000/svg}svg"))
    check_located(tap, heddle)
    try:
        heddle.diagram("A : [i=4]\nB[i] = A[j] + 1\n", program=PROGRAM)
        said = ""
    except heddle.HeddleError as error:
        said = str(error)
    tap.check("/notebook/wrong", None if said.startswith("2:8: error: j is not on the left") else said)
    magics = {}
    heddle.load_ipython_extension(types.SimpleNamespace(register_magic_function=lambda function, kind, name: magics.update({(kind, name): function})))
    heddle.notebook.diagram.__defaults__ = (PROGRAM,)
    tap.check("/notebook/magic", None if "<svg" in magics["cell", "heddle"]("", text)._repr_svg_() else "no figure")
    tap.finish()


main(*sys.argv[1:])
