#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""TeX itself reads the figures, where it is installed: it stops at nothing and sets every label.  Usage: test-tex.py SOURCE-ROOT"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
from tap import Tap  # noqa: E402

PAPER = r"""\documentclass{article}
\usepackage{tikz}
\pagestyle{empty}
\begin{document}
\noindent\input{figure.tex}
\end{document}
"""
EQUATIONS = r"""A : f64[\bar x=3, c_{i+1}=4, \alpha=2]
O[\bar x, c_{i+1}] = sum[\alpha](A[\bar x, c_{i+1}, \alpha])
"""


def set_figure(folder, source):
    subprocess.run([os.environ["HEDDLE"], "export", str(source), "-o", "figure.tex"], cwd=folder, check=True)
    run = subprocess.run(["pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"],
                         cwd=folder, capture_output=True, text=True, errors="replace", check=False, timeout=120)
    return None if run.returncode == 0 else run.stdout[-2000:]


def main(root):
    tap = Tap()
    if shutil.which("pdflatex") is None:
        tap.skip("/tex", "pdflatex is missing")
    else:
        with tempfile.TemporaryDirectory(prefix="heddle-") as name:
            folder = Path(name)
            (folder / "paper.tex").write_text(PAPER, encoding="utf-8")
            (folder / "names.eq").write_text(EQUATIONS, encoding="utf-8")
            examples = [path for name in ("examples", "figures") for path in sorted((root / "data" / name).glob("*.ncd"))]
            for source in [*examples, folder / "names.eq"]:
                tap.check(f"/tex/{source.stem}", set_figure(folder, source))
    tap.finish()


main(Path(sys.argv[1]).resolve())
