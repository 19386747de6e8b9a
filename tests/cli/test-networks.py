#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Networks at random: the kernels that are suggested for them are exported, and verified at that.

test-networks.py [N FIRST]

With N networks at random from that seed on, else a few that are quick, some of which showed a fault once."""

import random
import sys

from heddle import Folder, Tap, find_nvcc
from random_networks import Network

GPUS = ("a100", "h100")
# Rows that end among the elements of a thread (49), values that f32 loses (132), a product that follows a stream (305), and
# an exponential of a long sum (435).
QUICK = (2, 6, 7, 10, 18, 49, 132, 305, 435)


def check(folder, gpu):
    """Returns what went wrong; None: the kernels are right. Where all values are infinite or none, as those of f16 may be, there is nothing to go by."""
    folder.output("derive", "given.ncd", "--gpu", gpu, "--suggest", "--apply", "-o", "applied.ncd")
    run = folder.run("export", "applied.ncd", "-o", "kernels.cu")
    return None if run.returncode == 0 or "nothing can be compared" in run.stderr else run.stdout + run.stderr


def main():
    tap, folder = Tap(), Folder()
    n, first = (int(number) for number in sys.argv[1:]) if len(sys.argv) > 1 else (0, 0)
    if find_nvcc() is None:
        tap.skip("/networks", "no CUDA compiler on this machine")
        tap.finish()
    for seed in range(first, first + n) if n > 0 else QUICK:
        folder.write("network.eq", Network(random.Random(seed)).text())
        folder.output("import", "network.eq", "-o", "given.ncd")
        for gpu in GPUS:
            tap.check(f"/networks/{seed}/{gpu}", check(folder, gpu))
    tap.finish()


main()
