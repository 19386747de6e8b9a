#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program's front door: who answers, with which exit status, in which language, and without a display.

Usage: test-main.py PROGRAM with-gui|without-gui VERSION
"""

import os
import re
import subprocess
import sys

from tap import Tap

WINDOW_LIBRARY = re.compile(r"NEEDED.*\[(lib(gtk|gdk|adwaita|gtksourceview)[^\]]*)\]")


def run(program, *arguments, **environment):
    bare = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run([program, *arguments], capture_output=True, text=True, env={**bare, **environment}, check=False, timeout=60)


def expect(tap, name, done, status, stream, pattern):
    text = getattr(done, stream)
    problems = []
    if done.returncode != status:
        problems.append(f"exit status {done.returncode}, not {status}: {done.stderr}")
    if not re.search(pattern, text):
        problems.append(f"{stream} has no {pattern}: {text}")
    tap.check(name, problems)


def main(program, windows, version):
    tap = Tap()
    expect(tap, "/main/version", run(program, "--version"), 0, "stdout", rf"\b{re.escape(version)}\b")
    expect(tap, "/main/help", run(program, "--help"), 0, "stdout", r"\bderive\b")
    expect(tap, "/main/unknown", run(program, "chekc"), 2, "stderr", "chekc.*neither a command nor a file")
    expect(tap, "/main/language", run(program, "chekc", LANGUAGE="de"), 2, "stderr", "chekc.*weder ein Befehl noch eine Datei")
    needed = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    libraries = [name for name, _ in WINDOW_LIBRARY.findall(needed)]
    if windows == "with-gui":
        tap.check("/main/windows", None if libraries else "the editor links no GTK")
    else:
        tap.check("/main/no-windows", [f"{name} is linked" for name in libraries])
        expect(tap, "/main/missing", run(program), 3, "stderr", "built without the editor")
        expect(tap, "/main/missing-file", run(program, "a.ncd"), 3, "stderr", "built without the editor")
    tap.finish()


main(*sys.argv[1:])
