#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""TeX itself reads the figures, where it is installed: it stops at nothing and sets every label.  Usage: test-tex.py SOURCE-ROOT"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
from tap import Tap  # noqa: E402

PAPER = r"""\documentclass{article}
\usepackage{heddle}
\pagestyle{empty}
\begin{document}
\noindent\input{figure.tex}
\end{document}
"""
# Papers as venues have them: wide and narrow columns, Times, and a class of its own where it is installed.
CLASSES = {
    "two-columns": r"\documentclass[twocolumn]{article}\usepackage{times}",
    "times": r"\documentclass{article}\usepackage{times}",
    "acmart": r"\documentclass[sigconf,nonacm]{acmart}",
}
FIT = r"""\documentclass{article}
\usepackage{heddle}
\makeatletter
\begin{document}
\heddleunit=1pt
\setbox0\hbox{$f$}\setbox2\hbox{\heddle@fit{2}{$f$}}\setbox4\hbox{\heddle@fit{2}{$ffff$}}
\setbox6\hbox{\heddle@within{10}{10}{$f+f$}}\setbox8\hbox{\heddle@within{4}{10}{$K$}}\setbox10\hbox{$K$}
\typeout{FIT \the\ht0 \the\ht2 \the\wd2 \the\ht4 \the\wd4 .}
\typeout{WITHIN \the\wd6 \the\ht6 \the\ht8 \the\ht10 .}
{\heddle@size{10.1}\xdef\heddle@found{\f@size}}{\heddle@size{0.01}\xdef\heddle@found{\heddle@found, \f@size}}
\typeout{SIZES \heddle@found.}
\end{document}
"""
EQUATIONS = r"""A : f64[\bar x=3, c_{i+1}=4, \alpha=2]
O[\bar x, c_{i+1}] = sum[\alpha](A[\bar x, c_{i+1}, \alpha])
"""


def set_paper(folder, name, inputs):
    """TeX finds heddle.sty where @inputs say, and stops at the first error."""
    run = subprocess.run(["pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", name], cwd=folder,
                         env={**os.environ, "TEXINPUTS": f".:{inputs}:"}, capture_output=True, text=True, errors="replace", check=False, timeout=120)
    return None if run.returncode == 0 else run.stdout[-2000:]


def set_figure(folder, source, style):
    subprocess.run([os.environ["HEDDLE"], "export", str(source), "-o", "figure.tex"], cwd=folder, check=True)
    return set_paper(folder, "paper.tex", style)


def words_of(folder, name):
    """The words of a document that was set, however they stand."""
    return sorted(subprocess.run(["pdftotext", name, "-"], cwd=folder, capture_output=True, text=True, check=True).stdout.split())


def check_overlays(tap, folder, root):
    """The words over a picture are those of the figure that TeX draws by itself, and it has their size."""
    (folder / "over.tex").write_text(PAPER.replace("figure.tex", "bare.pdf_tex"), encoding="utf-8")
    for source in sorted((root / "data" / "figures").glob("*.ncd")):
        subprocess.run([os.environ["HEDDLE"], "export", str(source), "-o", "bare.pdf", "--text", "tex"], cwd=folder, check=True)
        said = set_figure(folder, source, root / "data" / "tex") or set_paper(folder, "over.tex", root / "data" / "tex")
        tap.check(f"/tex/overlay/{source.stem}", said)
        if shutil.which("pdftotext") and not said:
            tap.equal(f"/tex/overlay/{source.stem}/words", words_of(folder, "over.pdf"), words_of(folder, "paper.pdf"))


def set_alone(folder, source):
    """A document by itself needs no heddle.sty, and is one page of the figure's size."""
    subprocess.run([os.environ["HEDDLE"], "export", "--standalone", str(source), "-o", "alone.tex"], cwd=folder, check=True)
    said = set_paper(folder, "alone.tex", "")
    log = (folder / "alone.log").read_text(encoding="utf-8", errors="replace")
    return said or (None if "(1 page" in log else log[-600:])


def check_classes(tap, folder, root):
    """In the fonts of other papers."""
    subprocess.run([os.environ["HEDDLE"], "export", str(root / "data" / "figures" / "multihead0.ncd"), "-o", "figure.tex"], cwd=folder, check=True)
    for name, head in CLASSES.items():
        if name == "acmart" and not subprocess.run(["kpsewhich", "acmart.cls"], capture_output=True, check=False).stdout:
            tap.skip(f"/tex/class/{name}", "acmart is missing")
            continue
        text = PAPER.replace(r"\documentclass{article}", head).replace(r"\noindent\input{figure.tex}", r"\begin{figure*}\input{figure.tex}\end{figure*}")
        (folder / f"{name}.tex").write_text(text, encoding="utf-8")
        tap.check(f"/tex/class/{name}", set_paper(folder, f"{name}.tex", root / "data" / "tex"))


def check_fit(tap, folder, root):
    """A letter that is a little wider in the paper's font stays as large as it is, about its middle; what is much wider is made smaller, in prose narrower first."""
    (folder / "fit.tex").write_text(FIT, encoding="utf-8")
    said = set_paper(folder, "fit.tex", root / "data" / "tex")
    log = (folder / "fit.log").read_text(encoding="utf-8", errors="replace")
    found = re.search(r"FIT ([\d.]+)pt([\d.]+)pt([\d.]+)pt([\d.]+)pt([\d.]+)pt", log)
    high, one, width, four, most = map(float, found.groups()) if found else (0,) * 5
    good = high > 0 and one == high and abs(width - 2) < 0.01 and four < 0.7 * high and abs(most - 2) < 0.01
    tap.check("/tex/fit", said or (None if good else str(found)))
    found = re.search(r"WITHIN ([\d.]+)pt([\d.]+)pt([\d.]+)pt([\d.]+)pt", log)
    width, long, letter, whole = map(float, found.groups()) if found else (0,) * 4
    good = abs(width - 10) < 0.01 and 0 < long < 0.7 * high and 0.7 * whole < letter < whole
    tap.check("/tex/within", said or (None if good else str(found)))
    tap.check("/tex/sizes", said or (None if "SIZES 10, 0.25." in log else re.findall("SIZES.*", log)))


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
                tap.check(f"/tex/{source.stem}", set_figure(folder, source, root / "data" / "tex"))
            check_classes(tap, folder, root)
            check_fit(tap, folder, root)
            check_overlays(tap, folder, root)
            tap.check("/tex/standalone", set_alone(folder, root / "data" / "examples" / "attention.ncd"))
    tap.finish()


main(Path(sys.argv[1]).resolve())
