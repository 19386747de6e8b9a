#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs the commands of README.md, in their order and in one folder. What needs something that a test cannot have is skipped, with the reason."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from heddle import PROGRAM, Folder, Tap, find_nvcc

# A command that matches is not run.
SKIPPED = [
    (r"--on gpu|^heddle (bench|measure)\b", "needs a GPU"),
    (r"mine\.machine|--measured", "needs what a GPU has measured"),
    (r"^python3 -m", "runs a Python package, which the tests torch and score run"),
    (r"model\.(onnx|ncd)|changed\.ncd|matrix-product\.ncd", "needs a file of the reader's own"),
    (r"^heddle evaluate", "needs arrays of the reader's own"),
    (r"^heddle optimise", "takes long; the test of optimise runs it"),
]
NEEDS_COMPILER = r"-o \S+\.(py|so|fatbin|cubin|ptx)\b|verify .*--on cpu"


def commands(text):
    """Returns the lines of indented blocks that begin with the program's name."""
    return [line.strip() for line in text.splitlines() if re.match(r"    (heddle|python3 -m) ", line)]


def reason_to_skip(command):
    for pattern, reason in SKIPPED:
        if re.search(pattern, command):
            return reason
    return "needs a CUDA compiler" if re.search(NEEDS_COMPILER, command) and find_nvcc() is None else None


def run(folder, command):
    """Returns None, or what the command said when it failed."""
    arguments = shlex.split(re.sub(r" > \S+$", "", command))[1:]
    done = subprocess.run([PROGRAM, *arguments], cwd=folder.path, capture_output=True, text=True, check=False, timeout=240)
    return None if done.returncode == 0 else f"{command}: exit status {done.returncode}: {done.stderr}"


def main():
    readme = Path(sys.argv[1]).read_text(encoding="utf-8")
    tap, folder = Tap(), Folder()
    for example in Path(sys.argv[2]).glob("*.ncd"):
        shutil.copy(example, folder.path)
    (folder.path / "attention.ncd").unlink(missing_ok=True)
    folder.write("attention.eq", re.search(r"```\n(Q : .*?)```", readme, re.S).group(1))
    found = commands(readme)
    tap.check("/readme/has-commands", None if len(found) >= 10 else f"{len(found)} found")
    for command in found:
        reason = reason_to_skip(command)
        if reason is not None:
            tap.skip(f"/readme/{command}", reason)
        else:
            tap.check(f"/readme/{command}", run(folder, command))
    tap.finish()


main()
