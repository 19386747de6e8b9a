#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compilers that hang, write nonsense or are interrupted: stand-ins for nvcc, so that no CUDA is needed."""

import os
import signal
import subprocess
import time
from pathlib import Path

from heddle import PROGRAM, Folder, Tap

SUM = "A : f32[a=64, b=32]\nY[a] = sum[b](A[a,b])\n"
# Each finds the name behind -o, as nvcc does.
FIND = '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = -o ] && to=$2; shift; done\n'
NONSENSE = FIND + 'echo "no program at all" > "$to"\n'
HANGING = FIND + 'echo $$ > "$TMPDIR/../started"\nsleep 300 & wait\n'
SECONDS = 60


def install(folder, text):
    """A program called nvcc as the only compiler, and a folder of its own for temporary files."""
    for name in ("bin", "temporary"):
        (folder.path / name).mkdir(exist_ok=True)
    (folder.path / "bin" / "nvcc").write_text(text, encoding="utf-8")
    (folder.path / "bin" / "nvcc").chmod(0o755)
    return dict(os.environ, PATH=f"{folder.path / 'bin'}:{os.environ['PATH']}", HEDDLE_COMPILER="nvcc", TMPDIR=str(folder.path / "temporary"))


def command(*options):
    return [PROGRAM, "export", "sum.eq", "--gpu", "a100", "--no-verify", *options]


def left(folder):
    return sorted(path.name for path in (folder.path / "temporary").iterdir())


def check_nonsense(tap, folder):
    environment = install(folder, NONSENSE)
    for suffix, kind in (("so", "so"), ("fatbin", "fatbin"), ("cubin", "ptx"), ("ptx", "ptx")):
        run = subprocess.run(command("-o", f"sum.{suffix}"), cwd=folder.path, env=environment, capture_output=True, text=True, check=False, timeout=300)
        tap.equal(f"/nvcc/nonsense/{suffix}/status", run.returncode, 1)
        tap.check(f"/nvcc/nonsense/{suffix}/said", None if f"is not a valid {kind}" in run.stderr else run.stderr)
        tap.check(f"/nvcc/nonsense/{suffix}/nothing", "written" if (folder.path / f"sum.{suffix}").exists() else None)
    tap.equal("/nvcc/nonsense/temporary", left(folder), [])


def wait_for(condition):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def is_there(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{number}/stat").read_text(encoding="utf-8").split()[2] != "Z"


def check_interrupted(tap, folder, suffix, number):
    environment, started = install(folder, HANGING), folder.path / "started"
    started.unlink(missing_ok=True)
    with subprocess.Popen(command("-o", f"sum.{suffix}"), cwd=folder.path, env=environment, stderr=subprocess.DEVNULL) as run:
        there = wait_for(lambda: started.exists() and started.read_text(encoding="utf-8").strip())
        tap.check(f"/nvcc/interrupted/{suffix}/started", None if there else "the compiler was not started")
        compiler = int(started.read_text(encoding="utf-8")) if there else 0
        run.send_signal(number)
        try:
            tap.equal(f"/nvcc/interrupted/{suffix}/status", run.wait(SECONDS), 1)
        except subprocess.TimeoutExpired:
            run.kill()
            tap.check(f"/nvcc/interrupted/{suffix}/status", "it went on")
    tap.check(f"/nvcc/interrupted/{suffix}/compiler", "the compiler goes on" if there and not wait_for(lambda: not is_there(compiler)) else None)
    tap.equal(f"/nvcc/interrupted/{suffix}/temporary", left(folder), [])


def main():
    tap, folder = Tap(), Folder()
    folder.write("sum.eq", SUM)
    check_nonsense(tap, folder)
    check_interrupted(tap, folder, "so", signal.SIGTERM)
    check_interrupted(tap, folder, "cubin", signal.SIGINT)
    tap.finish()


main()
