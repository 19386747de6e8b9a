#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Whoever renders an exported figure shows the same picture: SVG by librsvg, PDF by Poppler and our own PNG; with --long every example and figure, and
SVG by Inkscape and Chromium too, where they are installed.  Usage: test-renderers.py SOURCE-ROOT [--long]"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
from tap import Tap  # noqa: E402

FEW = ["attention", "imagerec", "multi-head-attention", "depthwise-convolution", "swiglu"]
DPI = 192
# Renderers differ in how they smooth edges, which a slight blur makes even. A label that is missing, a wire elsewhere or a fill of another
# colour is a difference of many grey levels at many points.
DIFFERS = 64  # grey levels of 256
MOST_DIFFERENT = 0.0015  # of all points
MOST_ON_AVERAGE = 5.0  # grey levels


def run(*command):
    subprocess.run([str(word) for word in command], check=True, capture_output=True, timeout=120)


def read_grey(path, width, height):
    """The picture on white, as width x height grey levels, slightly blurred."""
    command = ["convert", str(path), "-background", "white", "-flatten", "-resize", f"{width}x{height}!", "-colorspace", "Gray", "-blur",
               "0x1.5", "-depth", "8", "gray:-"]
    data = subprocess.run(command, check=True, capture_output=True, timeout=120).stdout
    return numpy.frombuffer(data, numpy.uint8).reshape(height, width).astype(float)


def size_of(svg):
    """Of the page, in pixels at DPI."""
    head = svg.read_text(encoding="utf-8")[:600]
    return [round(float(re.search(rf'{name}="([0-9.]+)pt"', head).group(1)) * DPI / 72) for name in ("width", "height")]


def compare(expected, found):
    difference = numpy.abs(expected - found)
    share = (difference > DIFFERS).mean()
    if share > MOST_DIFFERENT or difference.mean() > MOST_ON_AVERAGE:
        return f"{100 * share:.3f} % of all points differ by more than {DIFFERS} levels, {difference.mean():.2f} levels on average"
    return None


def by_librsvg(svg, png, _width, _height):
    run("rsvg-convert", "-d", DPI, "-p", DPI, svg, "-o", png)


def by_inkscape(svg, png, width, _height):
    run("inkscape", svg, "--export-type=png", f"--export-width={width}", "-o", png)


def by_chromium(svg, png, width, height):
    # The page of a browser has 96 pixels to the inch.
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--force-device-scale-factor={DPI / 96}",
        f"--window-size={round(width * 96 / DPI) + 1},{round(height * 96 / DPI) + 1}", f"--screenshot={png}", svg.as_uri())
    run("convert", png, "-crop", f"{width}x{height}+0+0", "+repage", png)


def export(source, path, *options):
    run(os.environ["HEDDLE"], "export", source, "-o", path, *options)


def without_labels(svg):
    text = re.sub(r"<text.*?</text>", "", svg.read_text(encoding="utf-8"), flags=re.DOTALL)
    bare = svg.with_name("bare.svg")
    bare.write_text(text, encoding="utf-8")
    return bare


def check_example(tap, source, folder, browsers):
    svg, pdf, png = folder / "figure.svg", folder / "figure.pdf", folder / "figure.png"
    for path in (svg, pdf):
        export(source, path)
    export(source, png, "--dpi", str(DPI))
    width, height = size_of(svg)
    expected = read_grey(png, width, height)

    def check(name, path):
        tap.check(f"/renderers/{source.stem}/{name}", compare(expected, read_grey(path, width, height)))

    by_librsvg(svg, folder / "librsvg.png", width, height)
    check("librsvg", folder / "librsvg.png")
    run("pdftoppm", "-png", "-singlefile", "-r", DPI, pdf, folder / "poppler")
    check("poppler", folder / "poppler.png")
    for name, render in browsers.items():
        if shutil.which(name) is None:
            tap.skip(f"/renderers/{source.stem}/{name}", f"{name} is missing")
        else:
            render(svg, folder / f"{name}.png", width, height)
            check(name, folder / f"{name}.png")
    return svg, expected


def check_other_fonts(tap, source, folder):
    """Where none of the figures' fonts is installed, outlines look as they did, and letters that are text are seen to be others."""
    fonts = folder / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>{folder}</cachedir></fontconfig>", encoding="utf-8")
    for name, options in (("outlines", ("--text", "outline")), ("text", ())):
        svg, expected, found = folder / f"{name}.svg", folder / f"{name}.png", folder / f"{name}-other.png"
        export(source, svg, *options)
        width, height = size_of(svg)
        by_librsvg(svg, expected, width, height)
        subprocess.run(["rsvg-convert", "-d", str(DPI), "-p", str(DPI), str(svg), "-o", str(found)], check=True, timeout=120,
                       env={**os.environ, "FONTCONFIG_FILE": str(fonts)})
        said = compare(read_grey(expected, width, height), read_grey(found, width, height))
        tap.check(f"/renderers/other-fonts/{name}", said if name == "outlines" else None if said else "Pagella was there after all")


def check_comparison(tap, svg, expected, folder):
    """The comparison itself sees when the labels are gone."""
    height, width = expected.shape
    by_librsvg(without_labels(svg), folder / "bare.png", width, height)
    same = compare(expected, read_grey(folder / "bare.png", width, height)) is None
    tap.check("/renderers/a-missing-label-is-seen", "a figure without labels passes" if same else None)


def main(root, long):
    tap = Tap()
    examples = [path for folder in ("examples", "figures") for path in sorted((root / "data" / folder).glob("*.ncd"))]
    browsers = {"inkscape": by_inkscape, "chromium": by_chromium} if long else {}
    with tempfile.TemporaryDirectory(prefix="heddle-") as name:
        for source in examples:
            if long or source.stem in FEW:
                svg, expected = check_example(tap, source, Path(name), browsers)
        check_comparison(tap, svg, expected, Path(name))
        check_other_fonts(tap, root / "data" / "examples" / "attention.ncd", Path(name))
    tap.finish()


main(Path(sys.argv[1]).resolve(), "--long" in sys.argv)
