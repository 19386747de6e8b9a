# SPDX-License-Identifier: MIT
"""Runs the program, for the tests of its command line."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
from tap import Tap  # noqa: E402, F401

PROGRAM = os.environ["HEDDLE"]

ATTENTION = """# attention.eq
Q : f16[q=4096, d=128]
K : f16[x=4096, d]
V : f16[x, d]
S[q,x] = Q[q,d] K[x,d]                  # an index missing on the left is summed
P[q,x] = softmax[x](S[q,x] * d^-0.5)    # outside index brackets an axis name is its size
O[q,d] = P[q,x] V[x,d]
"""

CANONICAL = """# attention.eq
Q : f16[q=4096, d=128]
K : f16[x=4096, d]
V : f16[x, d]
S[q,x] = Q[q,d] K[x,d]  # an index missing on the left is summed
P[q,x] = softmax[x](S[q,x] * d^-0.5)  # outside index brackets an axis name is its size
O[q,d] = P[q,x] V[x,d]
"""


def find_nvcc():
    """Where the program finds it, or None; HEDDLE_COMPILER=none is a machine without CUDA, to the tests as to the program."""
    if os.environ.get("HEDDLE_COMPILER") in ("none", "nvrtc"):
        return None
    return shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def copy_source(root, to):
    """What the repository has, and nothing that was built."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=False)
    names = [name for name in os.fsdecode(listed.stdout).split("\0") if name and (Path(root) / name).is_file()]
    for name in names:
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(Path(root) / name, to / name)
    return bool(names)


class Folder:
    """A folder of its own, where the program runs for at most so many seconds."""

    def __init__(self, seconds=300):
        self.seconds = seconds
        self.temporary = tempfile.TemporaryDirectory(prefix="heddle-")
        self.path = Path(self.temporary.name)

    def write(self, name, text):
        if isinstance(text, bytes):
            (self.path / name).write_bytes(text)
        else:
            (self.path / name).write_text(text, encoding="utf-8")
        return name

    def read(self, name):
        return (self.path / name).read_bytes()

    def run(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.path, capture_output=True, text=True,
                              encoding="utf-8", check=False, timeout=self.seconds)

    def output(self, *arguments):
        """What a run that must succeed prints."""
        run = self.run(*arguments)
        if run.returncode != 0 or run.stderr:
            raise AssertionError(f"{' '.join(arguments)}: {run.returncode}\n{run.stderr}")
        return run.stdout

    def json(self, *arguments):
        return self.parse(self.output(*arguments, "--json"))

    @staticmethod
    def parse(text):
        return json.loads(text)

    def failure(self, status, *arguments):
        """What a run that must exit with @status says."""
        run = self.run(*arguments)
        if run.returncode != status:
            raise AssertionError(f"{' '.join(arguments)}: exited with {run.returncode}\n{run.stderr}")
        return run.stderr
