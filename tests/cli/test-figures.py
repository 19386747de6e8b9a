#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures with all that stands beside a diagram, in every format; what they say is found as text."""

import os
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

from heddle import ATTENTION, Folder, Tap

SVG = "{http://www.w3.org/2000/svg}"
DRAWING = r"""<drawing diagram="d.attention" title="Weighing" columns="shaded">
      <block id="block.1" operations="o.S o.P" title="Inner block" fill="core" first="\lambda = 1" last="4" times="\times 6"/>
      <block id="block.2" operations="o.S o.P o.O" frame="dots" place="below" title="Outer"/>
      <bundle id="bundle.1" name="\bar{\mathbf{z}}" axes="a.x a.d"/>
      <skip value="v.P"/>
      <look object="o.P" as="letter" label="F"/>
      <panel diagram="d.attention" sign="="/>
      <annotation id="n.1" x="40" y="120" width="120" target="o.O" text="Called out in $\frac{a}{b_{i+1}}$ prose"/>
      <annotation id="n.2" kind="legend" x="0" y="-160" text="$y = 2$"/>
      <annotation id="n.3" kind="array" x="0" y="260" text="2 3&#10;row 1"/>
      <annotation id="n.4" kind="arrow" x="120" y="260" width="90" text="G"/>
      <annotation id="n.5" kind="banner" x="240" y="260" text="$\times 4$ \textbf{Broadcasting}"/>
      <annotation id="n.6" kind="text" x="420" y="260" text="bare"/>
    </drawing>"""
WORDS = ("Inner", "Outer", "Weighing", "Called", "prose", "Legend", "Broadcasting", "bare")

WHOLE_MODELS = {"attention-is-all-you-need", "deepseek-v3", "mixtral"}

CALLS = """def block(X[x,m]) -> Y[x,m]:
  param W : [m, f=5]
  param V : [f, m]
  H[x,f] = relu(X[x,m] W[m,f])
  Y[x,m] = X[x,m] + H[x,f] V[f,m]

X : f32[x=8, m=16]
Z[x,m] = block^6(X)
"""


def texts(root):
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def make_document(folder):
    folder.output("import", "attention.eq", "-o", "plain.ncd")
    text = folder.read("plain.ncd").decode()
    folder.write("figure.ncd", text.replace("<presentation/>", f"<presentation>\n    {DRAWING}\n  </presentation>"))


def check_formats(tap, folder):
    for suffix in ("svg", "pdf", "png", "tex"):
        folder.output("export", "figure.ncd", "-o", f"figure.{suffix}")
        folder.output("export", "plain.ncd", "-o", f"plain.{suffix}")
        tap.check(f"/figures/{suffix}", None if len(folder.read(f"figure.{suffix}")) > len(folder.read(f"plain.{suffix}")) else "nothing more")
    folder.output("export", "figure.svg", "-o", "again.ncd")
    tap.check("/figures/kept", None if b'<bundle id="bundle.1"' in folder.read("again.ncd") and b'target="o.O"' in folder.read("again.ncd") else "lost")


def check_svg(tap, folder):
    root = ElementTree.fromstring(folder.read("figure.svg"))
    said = texts(root)
    tap.check("/figures/svg/words", None if all(any(word in text for text in said) for word in WORDS) else str(said))
    tap.check("/figures/svg/scripts", None if any("bi+1" in text for text in said) else str(said))
    tap.check("/figures/svg/styles", None if not list(root.iter(f"{SVG}style")) and not list(root.iter(f"{SVG}foreignObject")) else "CSS")
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    tap.check("/figures/svg/ids", None if len(ids) == len(set(ids)) and "o.o.S" in ids else str(ids))
    folder.output("export", "figure.ncd", "-o", "outline.svg", "--text", "outline", "--no-source")
    outlined = ElementTree.fromstring(folder.read("outline.svg"))
    titles = [element.text for element in outlined.iter(f"{SVG}title")]
    tap.check("/figures/svg/outlines", None if not texts(outlined) and "Broadcasting" in titles else str(titles))


def check_pdf(tap, folder):
    if not shutil.which("pdftotext"):
        return
    path = f"{folder.path}/figure.pdf"
    said = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout
    tap.check("/figures/pdf/words", None if all(word in said for word in WORDS) else said)
    fonts = subprocess.run(["pdffonts", path], capture_output=True, text=True, check=True).stdout
    tap.check("/figures/pdf/fonts", None if "Type 3" not in fonts and len(fonts.splitlines()) > 2 else fonts)


def words_for_tex(text):
    """What TeX is told of each word of a figure, but for its name."""
    return sorted(re.sub(r"\{[^{}]*\}", "", line, count=1) for line in text.decode().splitlines() if re.match(r"\\heddle(label|word|formula)\b", line))


def check_overlay(tap, folder):
    """A picture without words, and the words that TeX sets over it: the same as in TikZ, in a file that names the picture."""
    folder.output("export", "figure.ncd", "-o", "bare.pdf", "--text", "tex")
    overlay, tikz = folder.read("bare.pdf_tex"), folder.read("figure.tex")
    tap.equal("/figures/overlay/words", words_for_tex(overlay), words_for_tex(tikz))
    tap.check("/figures/overlay/some", None if len(words_for_tex(overlay)) > 20 and overlay.count(b"\\heddleart{bare.pdf}") == 1 else overlay.decode())
    tap.check("/figures/overlay/alone", None if b"\\heddlewire" not in overlay and b"\\heddlebox" not in overlay else "the drawing is in it too")
    folder.output("export", "bare.pdf", "-o", "back.ncd")
    tap.equal("/figures/overlay/again", folder.read("back.ncd"), folder.read("again.ncd"))
    if shutil.which("pdftotext"):
        said = subprocess.run(["pdftotext", f"{folder.path}/bare.pdf", "-"], capture_output=True, text=True, check=True).stdout
        tap.equal("/figures/overlay/bare", said.strip(), "")
    folder.output("export", "figure.ncd", "-o", ".", "--as", "pdf,svg", "--text", "tex")
    tap.equal("/figures/overlay/folder", folder.read("figure.pdf_tex").replace(b"figure.pdf", b"bare.pdf"), overlay)
    said = folder.failure(2, "export", "figure.ncd", "-o", "bare.svg", "--text", "tex")
    tap.check("/figures/overlay/other", None if ".pdf_tex" in said else said)
    said = folder.failure(1, "export", "figure.ncd", "-o", "50%.pdf", "--text", "tex")
    tap.check("/figures/overlay/name", None if "50%.pdf" in said else said)


def check_definitions(tap, folder):
    folder.write("calls.eq", CALLS)
    folder.output("export", "calls.eq", "-o", "one.svg", "--no-source")
    folder.output("export", "calls.eq", "-o", "all.svg", "--no-source", "--definitions")
    one, whole = (texts(ElementTree.fromstring(folder.read(name))) for name in ("one.svg", "all.svg"))
    tap.check("/figures/definitions", None if one.count("block") == 1 and whole.count("block") == 2 and "=" in whole else str(whole))


def check_legend(tap, folder):
    """What stands below is what is drawn, and can be printed."""
    folder.write("softmax.eq", "X : f16[y=8, x=16]\nP[y,x] = softmax[x](X[y,x])\n")
    folder.output("export", "softmax.eq", "-o", "one.svg", "--no-source")
    folder.output("export", "softmax.eq", "-o", "all.svg", "--no-source", "--legend")
    one, whole = (texts(ElementTree.fromstring(folder.read(name))) for name in ("one.svg", "all.svg"))
    softmax, line = "Softmax makes the axis positive with the sum 1", "A line is an axis of an array"
    wrong = softmax in one or softmax not in whole or line not in whole or any("multiplied" in text for text in whole)
    tap.check("/figures/legend", str(whole) if wrong else None)
    strict = folder.run("export", os.path.join(os.environ["HEDDLE_DATADIR"], "examples", "attention.ncd"), "-o", "strict.svg",
                        "--legend", "--venue", "neurips", "--strict")
    tap.check("/figures/legend/strict", None if strict.returncode == 0 else strict.stderr)


def check_venue(tap, folder):
    """Whole models are higher than a page; everything else that is shipped can be printed as it is."""
    data = pathlib.Path(os.environ["HEDDLE_DATADIR"])
    refused = []
    for path in sorted(data.glob("examples/*.ncd")) + sorted(data.glob("figures/*.ncd")):
        run = folder.run("export", str(path), "-o", "page.svg", "--venue", "neurips", "--strict")
        refused += [path.stem] if run.returncode else []
    tap.equal("/figures/venue", set(refused) - WHOLE_MODELS, set())
    said = folder.failure(1, "export", str(data / "examples/deepseek-v3.ncd"), "-o", "page.svg", "--venue", "neurips", "--strict")
    tap.check("/figures/venue/too-high", None if "on a page" in said and "make it several figures" in said else said)


def bounds(path):
    """The least and the greatest x and y of a path of SVG, from absolute commands."""
    x, y, at = [], [], [0., 0.]
    for command, rest in re.findall(r"([MLHVC])([^MLHVCZ]*)", path):
        numbers = [float(number) for number in rest.split()]
        if command == "H":
            at[0] = numbers[-1]
        elif command == "V":
            at[1] = numbers[-1]
        else:
            at = numbers[-2:]
        x.append(at[0])
        y.append(at[1])
    return min(x), max(x), min(y), max(y)


def check_tags(tap, folder):
    """Hexagons that name a level above one GPU stand beside the box of a learned map, not on it."""
    folder.output("export", str(pathlib.Path(os.environ["HEDDLE_DATADIR"]) / "examples/tensor-parallel-mlp.ncd"), "-o", "tags.svg", "--wrap", "none")
    root = ElementTree.fromstring(folder.read("tags.svg"))
    places = {kind: [bounds(path.get("d")) for path in root.iter(f"{SVG}path") if path.get("class") == kind] for kind in ("tag", "box")}
    on = [(tag, box) for tag in places["tag"] for box in places["box"]
          if tag[0] < box[1] - 1 and box[0] < tag[1] - 1 and tag[2] < box[3] and box[2] < tag[3]]
    tap.equal("/figures/tags", (len(places["tag"]) > 6, len(places["box"]), on), (True, 2, []))


def pages_of(folder, path):
    """The pages of a figure as trees, and what is said when there are no more."""
    pages = []
    while True:
        run = folder.run("export", str(path), "-o", "page.svg", "--venue", "neurips", "--strict", "--page", str(len(pages) + 1))
        if run.returncode:
            return pages, run.stderr
        pages.append(ElementTree.fromstring(folder.read("page.svg")))


def check_book(tap, folder, path, heights):
    """A PDF has all pages, none too high, and is read again as the document."""
    folder.output("export", str(path), "-o", "book.pdf", "--venue", "neurips", "--strict")
    said = subprocess.run(["pdfinfo", "-f", "1", "-l", "99", "book.pdf"], cwd=folder.path, capture_output=True, text=True, check=True).stdout
    found = [float(line.split()[5]) for line in said.splitlines() if line.startswith("Page ") and " size:" in line]
    tap.check(f"/figures/pages/{path.stem}/pdf", None if len(found) == len(heights) and all(abs(a - b) < 0.1 for a, b in zip(found, heights)) else f"{found} {heights}")
    folder.output("import", "book.pdf", "-o", "again.ncd")
    tap.equal(f"/figures/pages/{path.stem}/again", folder.read("again.ncd"), path.read_bytes())


def check_pages(tap, folder):
    """A whole model, page by page: each fits a page, all have letters of one size, and nothing of the model is missing."""
    data = pathlib.Path(os.environ["HEDDLE_DATADIR"])
    for name in sorted(WHOLE_MODELS):
        path = data / "examples" / f"{name}.ncd"
        pages, said = pages_of(folder, path)
        heights = [float(page.get("height").removesuffix("pt")) for page in pages]
        scales = {round(float(page.get("width").removesuffix("pt")) / float(page.get("viewBox").split()[2]), 4) for page in pages}
        folder.output("export", str(path), "-o", "whole.svg", "--width", "5.5in")
        whole = texts(ElementTree.fromstring(folder.read("whole.svg")))
        good = len(pages) > 1 and max(heights) <= 648.01 and len(scales) == 1 and f"the last is {len(pages)}" in said
        tap.check(f"/figures/pages/{name}", None if good else f"{heights} {scales} {said}")
        tap.equal(f"/figures/pages/{name}/all", sorted(sum((texts(page) for page in pages), [])), sorted(whole))
        check_book(tap, folder, path, heights)
    folder.failure(2, "export", "attention.eq", "-o", "page.svg", "--page", "-1")


def main():
    tap, folder = Tap(), Folder()
    folder.write("attention.eq", ATTENTION)
    make_document(folder)
    check_formats(tap, folder)
    check_svg(tap, folder)
    check_pdf(tap, folder)
    check_overlay(tap, folder)
    check_definitions(tap, folder)
    check_legend(tap, folder)
    check_venue(tap, folder)
    check_tags(tap, folder)
    check_pages(tap, folder)
    tap.finish()


main()
