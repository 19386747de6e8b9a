# SPDX-License-Identifier: MIT
"""Packages of others, in a virtual environment in a folder of the build. Nothing of them is kept among the sources."""

import subprocess
import sys
from pathlib import Path

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


def install(folder, name, packages, *options):
    """The interpreter of a virtual environment that has the packages; where they cannot be had, the test is skipped with the reason."""
    python, done = Path(folder) / "bin" / "python", Path(folder) / "installed"
    if not done.exists():
        run("no virtual environment could be made", sys.executable, "-m", "venv", "--clear", folder)
        run(f"{name} could not be installed", str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *options, *packages)
        done.write_text("\n".join(packages), encoding="utf-8")
    return str(python)
