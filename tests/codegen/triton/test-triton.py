#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Installs Triton into a folder of the build, and has run-kernels.py run kernels that it compiles. Nothing of it is kept among the sources."""

import os
import subprocess
import sys
from pathlib import Path

PACKAGES = ("triton==3.9.0", "numpy")
TIMEOUT_S = 1500


def skip(reason):
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)


def run(reason, *command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        return skip(f"{reason}: {error}")
    if done.returncode != 0:
        skip(f"{reason}: {(done.stderr.strip() or done.stdout.strip()).splitlines()[-1]}")
    return done.stdout


def main(driver, folder):
    python, done = Path(folder) / "bin" / "python", Path(folder) / "installed"
    if not done.exists():
        run("no virtual environment could be made", sys.executable, "-m", "venv", "--clear", folder)
        run("Triton could not be installed", str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *PACKAGES)
        done.write_text("\n".join(PACKAGES), encoding="utf-8")
    kernels = Path(__file__).resolve().parent / "run-kernels.py"
    os.environ["TRITON_CACHE_DIR"] = str(Path(folder) / "cache")
    os.execv(python, [str(python), str(kernels), driver, *sys.argv[3:]])


main(*sys.argv[1:3])
