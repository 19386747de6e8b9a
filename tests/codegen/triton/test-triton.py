#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Installs Triton into a folder of the build, and has run-kernels.py run kernels that it compiles. Nothing of it is kept among the sources."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from installed import install  # noqa: E402


def main(driver, folder):
    python = install(folder, "Triton", ("triton==3.9.0", "numpy"))
    kernels = Path(__file__).resolve().parent / "run-kernels.py"
    os.environ["TRITON_CACHE_DIR"] = str(Path(folder) / "cache")
    os.execv(python, [python, str(kernels), driver, *sys.argv[3:]])


main(*sys.argv[1:3])
