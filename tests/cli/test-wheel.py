#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`pip install .` into a fresh virtual environment: the program and the packages that it puts there work, with nothing left of the source. Skipped where
pip cannot get what it builds with."""

import os
import shutil
import subprocess
import sys

from heddle import Folder, Tap, copy_source

SCRIPT = """
import json, heddle
figure = heddle.diagram("Q : f16[q=64, d=32]\\nK : f16[x=128, d]\\nS[q,x] = Q[q,d] K[x,d]")
print(json.dumps([heddle.__file__, "<svg" in figure.svg(), "kernels" in str(figure.derive("a100")), heddle.heddle_score.__name__]))
"""


def quiet(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


def clean():
    """The environment of somebody who has nothing of this build."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("HEDDLE", "PYTHON", "MESON"))}


def check_installed(tap, folder, environment):
    program = environment / "bin" / "heddle"

    def run(*command):
        return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=folder.path, env=clean())

    gpus = run(program, "gpus")
    tap.check("/wheel/machines", None if "h100-sxm" in gpus.stdout else gpus.stdout + gpus.stderr)
    folder.write("a.eq", "A : f32[i=8, k=4]\nB[i] = sum[k](A[i,k])\n")
    figure = run(program, "export", "a.eq", "-o", "a.tex")
    tap.check("/wheel/figure", None if figure.returncode == 0 else figure.stderr)
    window = run(program)
    tap.equal("/wheel/no-window", window.returncode != 0, True)
    told = run(environment / "bin" / "python", "-c", SCRIPT)
    tap.check("/wheel/package", None if told.returncode == 0 else told.stderr)
    wanted = 'true, true, "heddle_score"]'
    tap.check("/wheel/notebook", None if told.stdout.strip().endswith(wanted) and str(environment) in told.stdout else told.stdout)


def main(root):
    tap, folder = Tap(), Folder()
    source, environment = folder.path / "source", folder.path / "environment"
    if not copy_source(root, source):
        tap.skip("/wheel", "the source is no repository of git")
        tap.finish()
    quiet(sys.executable, "-m", "venv", environment)
    pip = [environment / "bin" / "python", "-m", "pip", "--quiet"]
    if quiet(*pip, "download", "--no-deps", "--dest", folder.path, "meson-python>=0.15").returncode != 0:
        tap.skip("/wheel", "pip cannot get meson-python")
        tap.finish()
    made = quiet(*pip, "install", source)
    tap.check("/wheel/installed", None if made.returncode == 0 else made.stdout + made.stderr)
    shutil.rmtree(source)
    if made.returncode == 0:
        check_installed(tap, folder, environment)
    tap.finish()


main(*sys.argv[1:])
