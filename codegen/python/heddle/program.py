# SPDX-License-Identifier: MIT
"""Runs the command line of Heddle."""

import os
import shutil
import subprocess
import sys


class HeddleError(RuntimeError):
    """What the program said, in a line; `status` is its exit status."""

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = status


def located(program):
    """Where the program is: on the PATH, else beside the interpreter, where installing the package puts it."""
    beside = os.path.join(os.path.dirname(sys.executable), program)
    return beside if os.path.dirname(program) == "" and shutil.which(program) is None and os.access(beside, os.X_OK) else program


def run(program, *arguments, hide=""):
    """What the program prints. Raises HeddleError with the first error that it told, progress and `hide` left out."""
    try:
        made = subprocess.run([located(program), *map(str, arguments)], capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        raise HeddleError(f"{program}: {error.strerror}") from error
    if made.returncode != 0:
        said = made.stderr + made.stdout
        said = said.replace(hide, "") if hide else said
        lines = [line for line in said.splitlines() if line.strip() and not line.startswith("[")]
        told = next((line for line in lines if "error: " in line), lines[0] if lines else f"exit status {made.returncode}")
        raise HeddleError(told.strip(), made.returncode)
    return made.stdout
