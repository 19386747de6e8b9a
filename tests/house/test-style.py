#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The manner of the house: clang-format's output, files that a reader can hold, a licence on top, nothing left for later.

Usage: test-style.py SOURCE-ROOT
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tap import Tap

FOLDERS = ("src", "codegen", "tests", "data", "ui", "po", "flatpak")
C_SUFFIXES = (".c", ".h")
CODE_SUFFIXES = C_SUFFIXES + (".py", ".cuh")
TABLESS_SUFFIXES = CODE_SUFFIXES + (".ui", ".xml", ".rng", ".json", ".css", ".ncd", ".eq")
LEFT_FOR_LATER = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
LONGEST_FILE = 1000
FORMATTER_VERSION = "14"


def project_files(root, suffixes):
    files = (path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in suffixes)
    return sorted(path for path in files if "__pycache__" not in path.parts and path.is_file())


def text_of(path):
    return path.read_text(encoding="utf-8")


def check_format(tap, root):
    formatter = shutil.which(f"clang-format-{FORMATTER_VERSION}") or shutil.which("clang-format")
    if formatter is None:
        tap.skip("/style/format", "clang-format is missing (./run deps installs it)")
        return
    version = subprocess.run([formatter, "--version"], capture_output=True, text=True, check=True).stdout
    if not re.search(rf"version {FORMATTER_VERSION}\.", version):
        tap.skip("/style/format", f"the rule is the output of version {FORMATTER_VERSION}; this is {version.strip()}")
        return
    files = project_files(root, C_SUFFIXES)
    run = subprocess.run([formatter, "--dry-run", "-Werror", *map(str, files)], capture_output=True, text=True, check=False, cwd=root)
    wrong = sorted(set(re.findall(r"^(?:%s/)?([^\s:]+):\d+:\d+: error" % re.escape(str(root)), run.stderr, re.MULTILINE)))
    problems = [f"clang-format -i {name}" for name in wrong]
    tap.check("/style/format", problems or (run.stderr if run.returncode else None))


def main(root):
    tap = Tap()
    code = project_files(root, CODE_SUFFIXES)
    tap.check("/style/files", None if code else f"no code found in {root}")
    check_format(tap, root)
    tap.check("/style/length", (
        f"{path.relative_to(root)} has {lines} lines; {LONGEST_FILE} is the end"
        for path in code if (lines := text_of(path).count("\n")) >= LONGEST_FILE))
    tap.check("/style/tabs", (
        f"{path.relative_to(root)}:{number}: a tab"
        for path in project_files(root, TABLESS_SUFFIXES)
        for number, line in enumerate(text_of(path).splitlines(), 1) if "\t" in line))
    tap.check("/style/licence", (
        f"{path.relative_to(root)}: no SPDX-License-Identifier on top"
        for path in code if "SPDX-License-Identifier: MIT" not in "\n".join(text_of(path).splitlines()[:2])))
    tap.check("/style/promises", (
        f"{path.relative_to(root)}:{number}: {line.strip()}"
        for path in code
        for number, line in enumerate(text_of(path).splitlines(), 1) if LEFT_FOR_LATER.search(line)))
    tap.finish()


main(Path(sys.argv[1]).resolve())
