#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The built program ends at a slip in memory instead of going on: test-hardened.py PROGRAM BUILD-ROOT optimised|plain.

The stack protector shows by the function that it calls, full RELRO by the program's head. FORTIFY, which needs an optimised build, calls nothing where
the compiler sees that all is well: it shows by how every file is compiled.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tap import Tap


def read(program, *options):
    return subprocess.run(["readelf", "--wide", *options, program], capture_output=True, text=True, check=True).stdout


def unfortified(build_root):
    entries = json.loads((Path(build_root) / "compile_commands.json").read_text(encoding="utf-8"))
    return [entry["file"] for entry in entries if "-D_FORTIFY_SOURCE=2" not in entry["command"]] if entries else ["no file is compiled"]


def main(program, build_root, kind):
    tap = Tap()
    if shutil.which("readelf") is None:
        tap.skip("/hardened", "readelf is missing (./run deps installs binutils)")
        tap.finish()
    heads, dynamic, symbols = read(program, "--program-headers"), read(program, "--dynamic"), read(program, "--dyn-syms")
    tap.check("/hardened/relro", None if "GNU_RELRO" in heads and re.search(r"\bBIND_NOW\b|Flags:.* NOW", dynamic) else dynamic)
    tap.check("/hardened/position-independent", None if "DYN (" in read(program, "--file-header") else "the program has a fixed place")
    stack = next((line for line in heads.splitlines() if "GNU_STACK" in line), "")
    tap.check("/hardened/stack-holds-no-code", None if stack.split()[6:7] == ["RW"] else stack or "nothing is said of the stack")
    tap.check("/hardened/stack-protector", None if "__stack_chk_fail" in symbols else "no function is protected")
    if kind == "optimised":
        tap.check("/hardened/fortify", unfortified(build_root))
    else:
        tap.skip("/hardened/fortify", "it is checked where the build is optimised")
    tap.finish()


main(*sys.argv[1:])
