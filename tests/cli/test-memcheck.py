#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""No command depends on memory that nobody wrote. MemorySanitizer cannot tell, as GLib and its like are built without it: whatever they write would count
as unwritten. Valgrind sees all code, at a fiftieth of the speed."""

import os
import shutil
import subprocess

from heddle import PROGRAM, Folder, Tap

EQUATIONS = """Q : f16[q=16, d=16]
K : f16[x=16, d]
V : f16[x, d]
S[q,x] = Q[q,d] K[x,d]
P[q,x] = softmax[x](S[q,x] * d^-0.5)
O[q,d] = P[q,x] V[x,d]
"""
COMMANDS = {
    "check": ("check", "a.ncd"),
    "check-svg": ("check", "a.svg"),
    "check-pdf": ("check", "a.pdf"),
    "equations": ("equations", "a.ncd", "--json"),
    "diff": ("diff", "a.eq", "a.ncd"),
    "rewrite": ("rewrite", "a.eq", "--list"),
    "differentiate": ("differentiate", "a.eq", "--wrt", "Q", "-o", "out.ncd"),
    "evaluate": ("evaluate", "a.eq", "--random", "1"),
    "declared": ("evaluate", "a.eq", "--random", "1", "--precision", "declared"),
    "svg": ("export", "a.eq", "-o", "out.svg"),
    "pdf": ("export", "a.eq", "-o", "out.pdf"),
    "tex": ("export", "a.eq", "-o", "out.tex"),
    "png": ("export", "a.eq", "--dpi", "72", "-o", "out.png"),
    "roofline": ("export", "a.eq", "--roofline", "--gpu", "h100", "-o", "out.svg"),
    "cu": ("export", "a.eq", "--gpu", "a100", "--no-verify", "-o", "out.cu"),
    "numpy": ("export", "a.eq", "--as", "numpy", "-o", "out.py"),
    "derive": ("derive", "a.eq", "--gpu", "h100", "--suggest"),
    "compare": ("compare", "a.eq", "--gpu", "a100", "--gpu", "h100"),
    "pseudocode": ("pseudocode", "a.eq", "--gpu", "h100"),
    "verify": ("verify", "a.eq", "--on", "model", "--gpu", "a100"),
    "wrong": ("check", "wrong.eq"),
}
FOUND = 99


def main():
    tap, folder = Tap(), Folder()
    if shutil.which("valgrind") is None:
        tap.skip("/memcheck", "there is no valgrind")
        tap.finish()
    folder.write("a.eq", EQUATIONS)
    folder.write("wrong.eq", EQUATIONS.replace("K[x,d]", "K[x,,d]"))
    for name in ("a.ncd", "a.svg", "a.pdf"):
        folder.output("export", "a.eq", "-o", name)
    environment = {**os.environ, "MALLOC_PERTURB_": "0"}
    for name, arguments in COMMANDS.items():
        plain = folder.run(*arguments)
        run = subprocess.run(["valgrind", "-q", "--leak-check=no", "--fair-sched=yes", f"--error-exitcode={FOUND}", PROGRAM, *arguments], cwd=folder.path,
                             env=environment, capture_output=True, text=True, check=False, timeout=1800)
        same = run.returncode == plain.returncode and plain.returncode in (0, 1) and run.stdout == plain.stdout
        tap.check(f"/memcheck/{name}", None if same else f"{run.returncode}, and {plain.returncode} by itself: {(run.stderr or plain.stderr)[:3000]}")
    tap.finish()


main()
