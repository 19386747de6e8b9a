#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""export --roofline, --costs, --expanded and --steps: what stands where in the figures, against the numbers that derive tells."""

import json
import math
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from heddle import ATTENTION, Folder, Tap

STYLES = Path(__file__).resolve().parents[2] / "data" / "tex"

SVG = "{http://www.w3.org/2000/svg}"
LABELS = ("--label", "q:group=128", "--label", "x:stream=64")


def elements(root, kind, inherited=()):
    """All elements of a kind, with the attributes that groups around them give."""
    for child in root:
        attributes = {**dict(inherited), **child.attrib}
        if child.tag == SVG + kind:
            yield attributes, " ".join(child.itertext())
        elif child.tag == SVG + "g":
            yield from elements(child, kind, tuple(attributes.items()))


def points(path):
    """The points of a path, control points included."""
    found, x, y = [], 0., 0.
    for command, rest in re.findall(r"([MLHVCZ])([^MLHVCZ]*)", path):
        at = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", rest)]
        if command in "HV":
            at = [part for number in at for part in ((number, y) if command == "H" else (x, number))]
        found += list(zip(at[0::2], at[1::2]))
        x, y = found[-1]
    return found


def texts(root):
    return [(text, float(attributes["x"]), float(attributes["y"])) for attributes, text in elements(root, "text")]


def lines(root, part):
    """Straight lines, as x1, y1, x2, y2."""
    paths = [points(attributes["d"]) for attributes, _ in elements(root, "path") if attributes["class"] == part]
    return [(*path[0], *path[1]) for path in paths if len(path) == 2]


def circles(root):
    found = []
    for attributes, _ in elements(root, "path"):
        if attributes["class"] == "glyph":
            xs, ys = zip(*points(attributes["d"]))
            found.append(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, attributes.get("fill") != "#ffffff"))
    return found


class Scale:
    """Where a number is, from two lines of the grid and the numbers at them."""

    def __init__(self, places, values):
        self.at, self.value = places[0], math.log10(values[0])
        self.step = (places[1] - places[0]) / (math.log10(values[1]) - math.log10(values[0]))

    def place(self, value):
        return self.at + (math.log10(value) - self.value) * self.step


def scales(root):
    grid = lines(root, "background")
    xs = sorted(x1 for x1, _, x2, _ in grid if x1 == x2)
    ys = sorted((y1 for _, y1, _, y2 in grid if y1 == y2), reverse=True)
    ticks = [(float(text), x, y) for text, x, y in texts(root) if re.fullmatch(r"[\d.]+", text)]
    bottom = max(y for _, _, y in ticks)
    across = sorted(value for value, _, y in ticks if y == bottom)
    up = sorted(value * 1e12 for value, x, y in ticks if x < 0 and y != bottom)
    return Scale(xs, across), Scale(ys, up)


def near(tap, name, found, expected, within=.6):
    tap.check(name, None if abs(found - expected) <= within else f"{found}, expected {expected}")


BARE = """X : f16[n=1024, m=512]
W : f16[m, f=2048]
V : f16[f, p=512]
H[n,f] = relu(X[n,m] W[m,f])
Y[n,p] = H[n,f] V[f,p]
-> Y
"""


def check_roofline(tap, folder):
    folder.output("export", "fused.ncd", "--roofline", "--gpu", "h100", "-o", "roofline.svg")
    root = ElementTree.fromstring(folder.read("roofline.svg"))
    across, up = scales(root)
    derived = folder.json("derive", "fused.ncd", "--gpu", "h100")
    flops = 4 * 4096 * 4096 * 128
    moved = 2 * (2 * 4096 * 128 + 2 * 4096 * 128 * 32)
    filled = [(x, y) for x, y, full in circles(root) if full]
    hollow = [(x, y) for x, y, full in circles(root) if not full]
    tap.equal("/chart/roofline/points", (len(filled), len(hollow)), (1, 1))
    near(tap, "/chart/roofline/intensity", filled[0][0], across.place(flops / moved))
    near(tap, "/chart/roofline/rate", filled[0][1], up.place(flops / derived["total"]["expected_s"]))
    # Each by itself waits for global memory, which serves at 3.03 TB/s; the one kernel of all reads again from L2.
    apart = folder.json("derive", "attention.eq", "--gpu", "h100", "--fuse", "none", "--suggest", "--apply", "-o", "labelled.ncd")
    crossed = 3.03e12 * sum(kernel["time"]["dram_s"] for kernel in apart["kernels"])
    near(tap, "/chart/roofline/apart", hollow[0][0], across.place(apart["total"]["flops"] / crossed))
    roofs = lines(root, "wire")
    slopes = [line for line in roofs if line[1] != line[3]]
    tap.equal("/chart/roofline/slopes", len(slopes), 3)
    for bandwidth in (3.35e12, 9.7e12, 128 * 132 * 1.83e9):
        end = across.place(989.4e12 / bandwidth)
        tap.check(f"/chart/roofline/slope/{bandwidth:.3g}", None if any(abs(x2 - end) < .6 and abs(y2 - up.place(989.4e12)) < .6 for _, _, x2, y2 in slopes) else str(slopes))
    ceilings = [y1 for _, y1, _, y2 in roofs if y1 == y2]
    special = 16 * 132 * 1.83e9 * flops / derived["kernels"][0]["special_ops"]
    for rate in (989.4e12, 66.9e12, special):
        tap.check(f"/chart/roofline/ceiling/{rate:.3g}", None if any(abs(y - up.place(rate)) < .6 for y in ceilings) else str(ceilings))
    words = " ".join(text for text, _, _ in texts(root))
    # What has no kernels is drawn as it is suggested: a transformer as one kernel would stand at a hundredth of a TFLOP/s.
    folder.write("bare.eq", BARE)
    folder.output("export", "bare.eq", "--roofline", "--gpu", "h100", "-o", "bare.svg")
    best = folder.json("derive", "bare.eq", "--gpu", "h100", "--suggest")["kernels"]
    drawn = [full for _, _, full in circles(ElementTree.fromstring(folder.read("bare.svg"))) if full]
    tap.equal("/chart/roofline/suggested", (len(drawn), len(best) > 1), (len(best), True))
    tap.check("/chart/roofline/words", None if all(word in words for word in ("attention on H100 SXM", "tensor cores, f16: 989.4", "GMEM, 3.35 TB/s", "attention (L2)", "FLOP per byte moved")) else words)


def check_costs(tap, folder):
    folder.output("export", "attention.eq", "--costs", "--gpu", "two-level", "-o", "costs.svg")
    found = folder.json("derive", "attention.eq", "--gpu", "two-level", "--fuse", "all", "--suggest")
    words = " ".join(text for text, _, _ in texts(ElementTree.fromstring(folder.read("costs.svg"))))
    tap.check("/chart/costs/elements", None if str(found["total"]["transfer_elements"]) in words and "time" not in words else words)
    folder.output("derive", "attention.eq", "--gpu", "a100", "--fuse", "none", "--suggest", "--apply", "-o", "apart.ncd")
    folder.output("export", "apart.ncd", "--costs", "-o", "apart.svg")
    root = ElementTree.fromstring(folder.read("apart.svg"))
    words = " ".join(text for text, _, _ in texts(root))
    result = folder.json("derive", "apart.ncd")
    tap.equal("/chart/costs/rules", len(lines(root, "column")), 4)
    tap.check("/chart/costs/total", None if "in all" in words and f"{result['total']['transfer_bytes'] / 1e6:.3g} MB" in words else words)
    for kernel in result["kernels"]:
        held = f"{kernel['levels'][0]['memory_bytes'] / 1024:.1f} KiB"
        tap.check(f"/chart/costs/{kernel['operations'][0]}", None if held in words and f"{kernel['time']['expected_s'] * 1e6:.3g} µs" in words else words)


def check_expanded(tap, folder):
    """Attention's loop: what it loads, holds and saves, with the numbers that derive tells."""
    folder.output("export", "fused.ncd", "--expanded", "-o", "expanded.svg")
    root = ElementTree.fromstring(folder.read("expanded.svg"))
    words = " ".join(text for text, _, _ in texts(root))
    listing = folder.output("pseudocode", "fused.ncd")
    kernel = folder.json("derive", "fused.ncd")["kernels"][0]
    tile, chunk = (next(label["size"] for label in kernel["labels"] if label["kind"] == kind) for kind in ("group", "stream"))
    tap.check("/chart/expanded/loops", None if f"= {tile}" in words and f"= {chunk}" in words and "steps:" in words else words)
    boxes = sum(1 for line in listing.splitlines() if "←" in line and "load" not in line and "save" not in line)
    drawn = [path for path in root.iter() if "box" in path.get("class", "").split()]
    tap.equal("/chart/expanded/statements", len(drawn), boxes)


def check_expanded_width(tap, folder):
    """In lines that fit a column, at a size that can be read; all statements are drawn once."""
    whole = ElementTree.fromstring(folder.read("expanded.svg"))
    folder.output("export", "fused.ncd", "--expanded", "--wrap", "none", "-o", "expanded-line.svg")
    line = ElementTree.fromstring(folder.read("expanded-line.svg"))
    tap.check("/chart/expanded/page", None if float(whole.get("width")[:-2]) <= 486 < float(line.get("width")[:-2]) else f"{whole.get('width')} {line.get('width')}")
    statements = [sorted(text for attributes, text in elements(root, "text") if "glyph" in attributes["class"].split()) for root in (whole, line)]
    for venue in ("neurips", "icml-column"):
        folder.output("export", "fused.ncd", "--expanded", "--venue", venue, "--strict", "-o", "expanded-column.svg")
        root = ElementTree.fromstring(folder.read("expanded-column.svg"))
        statements.append(sorted(text for attributes, text in elements(root, "text") if "glyph" in attributes["class"].split()))
    tap.equal("/chart/expanded/lines", statements[1:], 3 * statements[:1])
    lefts = [min(x for x, _ in points(attributes["d"])) for attributes, _ in elements(whole, "path") if "box" in attributes["class"].split()]
    tap.equal("/chart/expanded/numbers", max(lefts.count(left) for left in lefts), 3)
    example = os.path.join(os.environ["HEDDLE_DATADIR"], "examples", "grouped-query-attention.ncd")
    folder.output("export", example, "--expanded", "--venue", "neurips", "--strict", "-o", "expanded-page.svg")
    heights = [y for text, _, y in texts(ElementTree.fromstring(folder.read("expanded-page.svg"))) if "groups:" in text]
    tap.check("/chart/expanded/beside", None if len(set(heights)) < len(heights) > 2 else str(heights))


def result_of(folder, seconds, **others):
    """What heddle bench would tell of the file's labels."""
    total = folder.json("derive", "fused.ncd", "--gpu", "h100")["total"]
    timing = {"kernel": "total", "median_s": seconds, "least_s": .9 * seconds, "most_s": 1.25 * seconds, "expected_s": total["expected_s"]}
    return {"diagram": "attention", "on": "gpu", "gpu": "NVIDIA H100 80GB HBM3", "machine": "h100-sxm", "dtype": "f16", "date": "2026-11-22T22:41:07Z",
            "flops": total["flops"], "transfer_bytes": total["transfer_bytes"], "launches": 50, "sets": 2, "kernels": [], "total": timing, **others}


def check_measured(tap, folder):
    """A diamond at the rate of the median, on a bar from the least to the most, named by its GPU and day."""
    result = result_of(folder, 40e-6)
    folder.write("result.json", json.dumps(result))
    folder.write("other.json", json.dumps(result_of(folder, 50e-6, machine="a100-80-sxm", gpu="NVIDIA A100")))
    folder.output("export", "fused.ncd", "--roofline", "--gpu", "h100", "--measured", "result.json", "--measured", "other.json", "-o", "measured.svg")
    root = ElementTree.fromstring(folder.read("measured.svg"))
    across, up = scales(root)
    # A circle has curves, the bar three strokes: the diamond alone is four straight lines.
    glyphs = [attributes["d"] for attributes, _ in elements(root, "path") if attributes["class"] == "glyph"]
    diamonds = [points(path) for path in glyphs if "C" not in path and len(points(path)) == 4]
    tap.equal("/chart/measured/diamonds", len(diamonds), 1)
    xs, ys = zip(*diamonds[0])
    near(tap, "/chart/measured/intensity", (min(xs) + max(xs)) / 2, across.place(result["flops"] / result["transfer_bytes"]))
    near(tap, "/chart/measured/rate", (min(ys) + max(ys)) / 2, up.place(result["flops"] / 40e-6))
    bar = next(points(path) for path in glyphs if len(points(path)) == 6)
    near(tap, "/chart/measured/least", min(y for _, y in bar), up.place(result["flops"] / 36e-6))
    near(tap, "/chart/measured/most", max(y for _, y in bar), up.place(result["flops"] / 50e-6))
    words = " ".join(text for text, _, _ in texts(root))
    tap.check("/chart/measured/words", None if "NVIDIA H100 80GB HBM3, 2026-11-22" in words and "A100" not in words else words)
    folder.write("result.json", json.dumps({**result, "memory": "l2", "memory_bytes": 2 * result["transfer_bytes"]}))
    folder.output("export", "fused.ncd", "--roofline", "--gpu", "h100", "--measured", "result.json", "-o", "measured.svg")
    root = ElementTree.fromstring(folder.read("measured.svg"))
    glyphs = [points(attributes["d"]) for attributes, _ in elements(root, "path") if attributes["class"] == "glyph" and "C" not in attributes["d"]]
    xs = [x for x, _ in next(path for path in glyphs if len(path) == 4)]
    near(tap, "/chart/measured/memory", (min(xs) + max(xs)) / 2, scales(root)[0].place(result["flops"] / (2 * result["transfer_bytes"])))
    words = " ".join(text for text, _, _ in texts(root))
    tap.check("/chart/measured/served", None if "2026-11-22 (L2)" in words else words)
    for name, text in {"not-json": "{", "no-date": json.dumps({**result, "date": None}), "never": json.dumps({**result, "total": {"median_s": 0}})}.items():
        folder.write("wrong.json", text)
        said = folder.failure(1, "export", "fused.ncd", "--roofline", "--measured", "wrong.json", "-o", "f.svg")
        tap.check(f"/chart/measured/{name}", None if "heddle bench --json" in said else said)


def check_steps(tap, folder):
    """A figure for each step, numbered, with what it costs as derive tells it; below the diagram and its roofline where they are asked for."""
    titles = ["One equation at a time", "Fuse S, P, O", "Group q at SMEM, 128", "Stream x at SMEM, 64"]
    folder.output("export", "fused.ncd", "--steps", "--gpu", "h100", "-o", "steps.svg")
    root = ElementTree.fromstring(folder.read("steps.svg"))
    words = [text for text, _, _ in texts(root)]
    tap.equal("/chart/steps/titles", [word for word in words if word in titles], titles)
    tap.equal("/chart/steps/numbers", [word for word in words if re.fullmatch("[1-9]", word)], ["1", "2", "3", "4"])
    apart, last = (folder.json("derive", *arguments, "--gpu", "h100")["total"]["expected_s"] for arguments in
                   (("attention.eq", "--fuse", "none", "--suggest", "--apply", "-o", "labelled.ncd"), ("fused.ncd",)))
    times = [word.split(", ")[1] for word in words if " moved, " in word]
    tap.equal("/chart/steps/times", [times[0], times[-1]], [f"{seconds * 1e6:.3g} µs" for seconds in (apart, last)])
    tap.check("/chart/steps/too-large", None if any("held" in word for word in words) else words)
    tops = [y for text, _, y in texts(root) if text in titles]
    folder.output("export", "fused.ncd", "--steps", "--wrap", "none", "-o", "steps-line.svg")
    line = [y for text, _, y in texts(ElementTree.fromstring(folder.read("steps-line.svg"))) if text in titles]
    tap.equal("/chart/steps/lines", (len(set(tops)), len(set(line))), (2, 1))
    folder.output("export", "fused.ncd", "--steps", "--venue", "neurips", "--strict", "-o", "steps-page.svg")
    page = [y for text, _, y in texts(ElementTree.fromstring(folder.read("steps-page.svg"))) if text in titles]
    tap.equal("/chart/steps/two-in-a-row", (len(set(page)), page[1] == page[2]), (3, True))

    folder.output("export", "fused.ncd", "--show", "labels,columns,roofline,steps", "--gpu", "h100", "-o", "all.svg")
    found = texts(ElementTree.fromstring(folder.read("all.svg")))
    height = {text: y for text, _, y in found}
    places = [height["load to SMEM"] if "load to SMEM" in height else 0, height["FLOP per byte moved"], height[titles[0]]]
    tap.check("/chart/show/all", None if "tensor cores, f16: 989.4" in height and height["FLOP per byte moved"] < height[titles[0]] else places)
    folder.output("export", "fused.ncd", "--show", "labels,columns", "-o", "few.svg")
    few = {text for text, _, _ in texts(ElementTree.fromstring(folder.read("few.svg")))}
    tap.equal("/chart/show/few", ("FLOP per byte moved" in few, titles[0] in few), (False, False))
    said = folder.failure(2, "export", "fused.ncd", "--show", "labels,stairs", "-o", "f.svg")
    tap.check("/chart/show/usage", None if "roofline" in said else said)


def check_same_labels(tap, folder):
    """Equations that are labelled alike are labelled in one step; a step that another kernel repeats says of which kernel it is."""
    folder.write("alike.eq", "X : f16[x=1024, m=128]\nparam U : f16[m, k=64]\nparam V : f16[m, k]\nA[x,k] = X[x,m] U[m,k]\n"
                             "B[x,k] = X[x,m] V[m,k]\nC[x] = sum[k](A[x,k] * tanh(B[x,k]))\n")
    labels = [f"{kernel}/{label}" for kernel in "AB" for label in ("x:group@smem=64", "m:stream@smem=32")] + ["C/x:group@smem=64"]
    folder.output("derive", "alike.eq", "--gpu", "h100", *(word for label in labels for word in ("--label", label)), "--apply", "-o", "alike.ncd")
    folder.output("export", "alike.ncd", "--steps", "--gpu", "h100", "-o", "alike.svg")
    words = [text for text, _, _ in texts(ElementTree.fromstring(folder.read("alike.svg")))]
    tap.equal("/chart/steps/alike", [word for word in words if word.startswith(("Group", "Stream"))],
              ["Group x at SMEM, 64 (A …)", "Stream m at SMEM, 32", "Group x at SMEM, 64 (C)"])


def check_changes(tap, folder):
    """What a step changes is strong, also where no wire brings the axis in: the weights' hexagons stand where its wires begin."""
    folder.write("gated.eq", "X : f16[x=2048, m=4096]\nparam W : f16[m, f=11008]\nparam V : f16[m, f]\nparam U : f16[f, m]\nG[x,f] = silu(X[x,m] W[m,f])\n"
                             "H[x,f] = X[x,m] V[m,f]\nY[x,m] = (G[x,f] * H[x,f]) U[f,m]\n")
    folder.output("derive", "gated.eq", "--gpu", "h100", "--fuse", "all", "--label", "x:group=8", "--label", "f:stream=1", "--apply", "-o", "gated.ncd")
    folder.output("export", "gated.ncd", "--steps", "-o", "gated.svg")
    root = ElementTree.fromstring(folder.read("gated.svg"))
    found = texts(root)
    height = {text: y for text, _, y in found}
    last = height["Stream f at SMEM, 1"]
    tags = [(text.replace(" ", ""), attributes.get("fill")) for attributes, text in elements(root, "text")
            if attributes["class"] == "tag" and float(attributes["y"]) > last]
    tap.equal("/chart/steps/hexagons", sorted(tags, key=str), [("gx=8", "#595959")] * 2 + [("sf=1", None)] * 2)
    tap.check("/chart/steps/one-kernel", None if height["Fuse G, H, Y"] < height["one kernel"] < last else str(height))
    folder.output("export", "gated.ncd", "--steps", "--venue", "neurips", "--strict", "-o", "gated-page.svg")
    page = texts(ElementTree.fromstring(folder.read("gated-page.svg")))
    tops = {text: y for text, _, y in page}
    names = [text for text, _, _ in page if text in ("X", "Y")]
    tap.equal("/chart/steps/gated", (tops["Fuse G, H, Y"] == tops["Group x at SMEM, 8"] < tops["Stream f at SMEM, 1"], sorted(names)), (True, ["X", "Y"]))
    letters = [(x, y) for text, x, y in found if text.startswith("L") and y < height["Fuse G, H, Y"]]
    carried = [(x, y) for text, x, y in found if text.startswith("fused:") and y < height["Fuse G, H, Y"]]
    tap.check("/chart/steps/carried", None if len(carried) == 3 and not any(abs(x - left) < 60 and y - 20 <= base <= y + 4 for x, y in carried for left, base in letters) else f"{letters} {carried}")
    folder.write("short.eq", "X : f16[n=4096, m=512]\nP[n,m] = softmax[m](X[n,m])\n")
    folder.output("derive", "short.eq", "--gpu", "h100", "--fuse", "all", "--label", "n:group=2", "--apply", "-o", "short.ncd")
    folder.output("export", "short.ncd", "--steps", "-o", "short.svg")
    heads = {y for text, _, y in texts(ElementTree.fromstring(folder.read("short.svg"))) if text in ("One equation at a time", "Group n at SMEM, 2")}
    tap.equal("/chart/steps/row", len(heads), 1)


def check_formats(tap, folder):
    for option in ("--roofline", "--costs", "--expanded", "--steps"):
        name = option[2:]
        folder.output("export", "fused.ncd", option, "-o", "f.pdf")
        tap.check(f"/chart/{name}/pdf", None if folder.read("f.pdf").startswith(b"%PDF") else "no PDF")
        folder.output("export", "fused.ncd", option, "-o", "f.tex")
        text = folder.read("f.tex").decode()
        tap.check(f"/chart/{name}/tex", None if ("heddletable" if option == "--costs" else "heddlepicture") in text and ("attention" if option != "--steps" else "Fuse") in text else text[:200])
        if option == "--costs":
            row = next((line for line in text.splitlines() if line.startswith("attention & ")), text[:300])
            tap.check("/chart/costs/tex/row", None if " & $g_{q}=128,\\:s_{x}=64$ & $" in row and "node" not in text else row)
        lualatex = shutil.which("lualatex")
        if lualatex is not None:
            folder.write("paper.tex", "\\documentclass{article}\\usepackage{heddle}\\begin{document}\\input{f.tex}\\end{document}\n")
            run = subprocess.run([lualatex, "--interaction=nonstopmode", "--halt-on-error", "paper.tex"], cwd=folder.path, capture_output=True, text=True,
                                 env={**os.environ, "TEXINPUTS": f".:{STYLES}:"}, errors="replace", check=False, timeout=300)
            tap.check(f"/chart/{name}/latex", None if run.returncode == 0 else run.stdout[-800:])
        folder.output("export", "fused.ncd", option, "-o", "again.svg")
        first = folder.read("again.svg")
        folder.output("export", "fused.ncd", option, "-o", "again.svg")
        tap.equal(f"/chart/{name}/same-bytes", folder.read("again.svg") == first, True)
        folder.output("import", "again.svg", "-o", "source.ncd")
        tap.equal(f"/chart/{name}/source", folder.output("equations", "source.ncd"), folder.output("equations", "fused.ncd"))
        said = folder.failure(2, "export", "fused.ncd", option, "-o", "f.cu")
        tap.check(f"/chart/{name}/usage", None if ".svg" in said else said)
    tap.check("/chart/both", None if folder.failure(2, "export", "fused.ncd", "--roofline", "--costs", "-o", "f.svg") else "no usage")
    said = folder.failure(1, "export", "attention.eq", "--roofline", "--gpu", "two-level", "-o", "f.svg")
    tap.check("/chart/no-rates", None if "no rates" in said else said)


def check_calls(tap, folder):
    """What is called stands in the place of the calls: one kernel, X read and Z written once, 2 * 2 * 64 * 128 bytes."""
    folder.write("calls.eq", "def double(X[a,m]) -> Y[a,m]:\n  H[a,m] = tanh(X[a,m])\n  Y[a,m] = softmax[m](H[a,m])\n\n"
                             "X : f16[a=64, m=128]\nZ[a,m] = double(X)\n")
    folder.output("export", "calls.eq", "--costs", "-o", "calls.svg")
    folder.output("export", "calls.eq", "--roofline", "-o", "calls-roofline.svg")
    shown = [text for text, _, _ in texts(ElementTree.fromstring(folder.read("calls.svg")))]
    tap.check("/chart/calls", None if "calls" in shown and "32.8 kB" in shown else shown)


def main():
    tap, folder = Tap(), Folder()
    folder.write("attention.eq", ATTENTION)
    folder.output("derive", "attention.eq", "--gpu", "h100", "--fuse", "all", *LABELS, "--apply", "-o", "fused.ncd")
    check_roofline(tap, folder)
    check_costs(tap, folder)
    check_expanded(tap, folder)
    check_expanded_width(tap, folder)
    check_measured(tap, folder)
    check_steps(tap, folder)
    check_same_labels(tap, folder)
    check_changes(tap, folder)
    check_formats(tap, folder)
    check_calls(tap, folder)
    tap.finish()


main()
