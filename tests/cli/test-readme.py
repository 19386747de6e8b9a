#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs the commands of README.md, of the manual page and of the help, each in their order and in a folder of their own. What needs something that a
test cannot have is skipped, with the reason.

test-readme.py README EXAMPLES MAN-PAGE HELP"""

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
    (r"COMMAND", "stands for any command"),
    (r"--on gpu|^heddle (bench|measure)\b", "needs a GPU"),
    (r"mine\.machine|--measured", "needs what a GPU has measured"),
    (r"^python3 -m", "runs a Python package, which the tests torch and score run"),
    (r"model\.(onnx|ncd)|changed\.ncd|matrix-product\.ncd", "needs a file of the reader's own"),
    (r"^heddle evaluate", "needs arrays of the reader's own"),
    (r"^heddle optimise", "takes long; the test of optimise runs it"),
]
NEEDS_COMPILER = r"-o \S+\.(py|so|fatbin|cubin|ptx)\b|verify .*--on cpu"


def commands(text):
    """Returns the lines that are indented by four spaces and begin with the program's name."""
    return [line.strip() for line in text.splitlines() if re.match(r"    (heddle|python3 -m) ", line)]


def commands_of_help(text):
    """Returns what stands between backquotes and begins with the program's name and a subcommand."""
    return re.findall(r"`((?:heddle [a-z]+|python3 -m) [^`]+)`", text)


def unescaped(page):
    """Returns a manual page with its letters as troff prints them."""
    return page.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\")


def reason_to_skip(command):
    for pattern, reason in SKIPPED:
        if re.search(pattern, command):
            return reason
    return "needs a CUDA compiler" if re.search(NEEDS_COMPILER, command) and find_nvcc() is None else None


def run(folder, command):
    """Returns None, or what the command said when it failed. A difference between two files is what diff tells with 1."""
    arguments = shlex.split(re.sub(r" > \S+$", "", command))[1:]
    done = subprocess.run([PROGRAM, *arguments], cwd=folder.path, capture_output=True, text=True, check=False, timeout=240)
    differs = arguments[0] == "diff" and done.returncode == 1 and done.stdout
    return None if done.returncode == 0 or differs else f"{command}: exit status {done.returncode}: {done.stderr}"


def try_all(tap, name, found, examples, equations):
    folder = Folder()
    for example in examples.glob("*.ncd"):
        shutil.copy(example, folder.path)
    folder.write("attention.eq", equations)
    tap.check(f"/{name}/has-commands", None if len(found) >= 5 else f"{len(found)} found")
    for command in found:
        reason = reason_to_skip(command)
        if reason is not None:
            tap.skip(f"/{name}/{command}", reason)
        else:
            tap.check(f"/{name}/{command}", run(folder, command))


def main():
    readme, page = (Path(path).read_text(encoding="utf-8") for path in (sys.argv[1], sys.argv[3]))
    examples, pages, tap = Path(sys.argv[2]), sorted(Path(sys.argv[4]).glob("*.md")), Tap()
    equations = re.search(r"```\n(Q : .*?)```", readme, re.S).group(1)
    typed = [command for path in pages for command in commands_of_help(path.read_text(encoding="utf-8"))]
    try_all(tap, "readme", commands(readme), examples, equations)
    try_all(tap, "man-page", commands(unescaped(page)), examples, equations)
    try_all(tap, "help", typed, examples, equations)
    tap.finish()


main()
