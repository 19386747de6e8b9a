#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The figures of data/figures: canonical, without a problem, and drawn as SVG with their names. The list of figures is that of the folder."""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from heddle import Folder, Tap

NAMES = {"scaled_attention", "multihead0", "visual_attention", "imagerec", "implementation", "IdResNet_block", "IdResNet_overall",
         "unet"}
TEXT = "{http://www.w3.org/2000/svg}text"


def check_figure(tap, folder, path):
    run = folder.run("import", str(path), "-o", "again.ncd")
    canonical = run.returncode == 0 and folder.read("again.ncd") == path.read_bytes()
    tap.check(f"/plates/{path.stem}/canonical", None if canonical else run.stderr or "other bytes")
    run = folder.run("check", str(path))
    tap.check(f"/plates/{path.stem}/sound", None if run.returncode == 0 and not run.stderr else run.stdout + run.stderr)
    run = folder.run("export", str(path), "-o", "figure.svg", "--no-source")
    texts = list(ElementTree.fromstring(folder.read("figure.svg")).iter(TEXT)) if run.returncode == 0 else []
    tap.check(f"/plates/{path.stem}/drawn", None if len(texts) >= 5 else run.stderr or f"{len(texts)} texts")


def main():
    tap, folder = Tap(), Folder()
    paths = sorted(Path(sys.argv[1]).glob("*.ncd"))
    missing = NAMES - {path.stem for path in paths}
    tap.check("/plates/there", None if not missing else f"not there: {', '.join(sorted(missing))}")
    for path in paths:
        check_figure(tap, folder, path)
    tap.finish()


main()
