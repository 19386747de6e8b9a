#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Kernels run and timed by a GPU's driver: here a stand-in whose memory is simulated and whose kernels are interpreted."""

import os
import re
import shutil
import subprocess
import sys

from heddle import ATTENTION, Folder, Tap

SMALL = ("--set", "q=33", "--set", "x=40", "--set", "d=16")


def without_driver(tap, folder):
    for command in (("verify",), ("bench",)):
        run = folder.run(*command, "attention.eq", "--gpu", "a100", "--on", "gpu")
        tap.equal(f"/gpu/{command[0]}/no-driver", (run.returncode, "libcuda.so.1" in run.stderr, run.stdout), (3, True, ""))


def with_stand_in(tap, folder):
    result = folder.json("verify", "attention.eq", "--gpu", "a100", "--on", "gpu", *SMALL)
    tap.equal("/gpu/verify", (result["on"], result["method"], result["passed"]), ("gpu", "run", True))
    tap.equal("/gpu/verify/near", 0 < result["relative_error"] <= result["tolerance"], True)
    tap.equal("/gpu/verify/detail", result["detail"], "3 launches on Stand-in GPU, the same to the last bit")

    # q = 1 and many keys: parts, and a kernel that merges them
    split = ("--label", "x:group@smem=16", "--label", "x:stream@smem=8", "--fuse", "all", "--set", "q=1", "--set", "x=40", "--set", "d=16")
    result = folder.json("verify", "attention.eq", "--gpu", "a100", "--on", "gpu", *split)
    tap.equal("/gpu/verify/parts", result["passed"], True)

    run = folder.run("verify", "attention.eq", "--gpu", "h100", "--on", "gpu", "--family", "sm90a", *SMALL)
    tap.equal("/gpu/other-architecture", (run.returncode, "sm_90a" in run.stderr and "sm_990" in run.stderr), (1, True))


def timed(tap, folder):
    # The stand-in's clock counts instructions: every launch of a kernel takes as long, and two kernels one after the other what both take.
    found = folder.json("bench", "attention.eq", "--gpu", "a100", "--on", "gpu", "--fuse", "none", "--repeat", "4", *SMALL)
    kernels = found["kernels"]
    tap.equal("/gpu/bench/of", (found["diagram"], found["gpu"], found["machine"], found["launches"]),
              ("attention", "Stand-in GPU", "a100-80-sxm", 4))
    tap.equal("/gpu/bench/kernels", len(kernels), 3)
    tap.equal("/gpu/bench/steady", [row["least_s"] == row["median_s"] == row["most_s"] > 0 for row in kernels], [True] * 3)
    tap.check("/gpu/bench/total", None if abs(found["total"]["median_s"] - sum(row["median_s"] for row in kernels)) < 1e-9 else str(found))
    priced = folder.json("derive", "attention.eq", "--gpu", "a100", "--fuse", "none", "--suggest", *SMALL)["kernels"]
    tap.check("/gpu/bench/expected", None if all(abs(row["expected_s"] / one["time"]["expected_s"] - 1) < 1e-9
                                                  for row, one in zip(kernels, priced)) else str((kernels, priced)))
    # Q, K, V, S, P and O in f16: (33*16 + 2*40*16 + 2*33*40 + 33*16) * 2 = 9,952 bytes; two are more than twice the stand-in's L2 of 4,096.
    tap.equal("/gpu/bench/sets", found["sets"], 2)
    total = folder.json("derive", "attention.eq", "--gpu", "a100", "--fuse", "none", "--suggest", *SMALL)["total"]
    tap.equal("/gpu/bench/counted", (found["dtype"], found["flops"], found["transfer_bytes"]), ("f16", total["flops"], total["transfer_bytes"]))
    tap.equal("/gpu/bench/date", bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found["date"])), True)
    text = folder.output("bench", "attention.eq", "--gpu", "a100", "--repeat", "2", *SMALL)
    tap.equal("/gpu/bench/text", text.splitlines()[0].startswith("Stand-in GPU; µs of each kernel, 2 launches"), True)


def refused(tap, folder):
    for name, arguments in {"nowhere": ("--on", "cpu"), "never": ("--repeat", "0"), "too-often": ("--repeat", "1000000")}.items():
        tap.equal(f"/gpu/bench/{name}", folder.run("bench", "attention.eq", "--gpu", "a100", *arguments).returncode, 2)


def main(stand_in):
    tap, folder = Tap(), Folder()
    others = [path for path in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if path and os.path.realpath(path) != os.path.realpath(stand_in)]
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(others)
    folder.write("attention.eq", ATTENTION)
    refused(tap, folder)
    if shutil.which("nvcc") is None and not os.path.exists("/usr/local/cuda/bin/nvcc"):
        for command in ("verify", "bench"):
            tap.equal(f"/gpu/{command}/no-compiler", folder.run(command, "attention.eq", "--gpu", "a100", "--on", "gpu").returncode, 3)
        tap.finish()
        return
    if "libcuda.so.1" not in subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False).stdout:
        without_driver(tap, folder)
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join((stand_in, *others))
    with_stand_in(tap, folder)
    timed(tap, folder)
    os.environ["STAND_IN_WITHOUT_GPU"] = "1"
    run = folder.run("bench", "attention.eq", "--gpu", "a100", "--on", "gpu")
    tap.equal("/gpu/bench/no-gpu", (run.returncode, "finds no GPU" in run.stderr), (3, True))
    tap.finish()


main(*sys.argv[1:])
