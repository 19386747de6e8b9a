#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Kernels run and timed by a GPU's driver: here a stand-in whose memory is simulated and whose kernels are interpreted."""

import os
import re
import signal
import subprocess
import sys

from heddle import ATTENTION, PROGRAM, Folder, Tap, find_nvcc

SMALL = ("--set", "q=33", "--set", "x=40", "--set", "d=16")


def without_driver(tap, folder):
    for command in (("verify",), ("bench",)):
        run = folder.run(*command, "attention.eq", "--gpu", "a100", "--on", "gpu")
        tap.equal(f"/gpu/{command[0]}/no-driver", (run.returncode, "libcuda.so.1" in run.stderr, run.stdout), (3, True, ""))
    run = folder.run("measure")
    tap.equal("/gpu/measure/no-driver", (run.returncode, "libcuda.so.1" in run.stderr, run.stdout), (3, True, ""))


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


def measured(tap, folder):
    """Rates from a clock that is known: a nanosecond for each instruction, or for each byte of global memory that is moved."""
    found = folder.json("measure", "--on", "gpu", "--repeat", "2", "--name", "mine", "--gpu", "h100", "-o", "mine.machine")
    tap.equal("/gpu/measure/of", (found["name"], found["gpu"], found["driver"], "Stand-in GPU" in found["measured"]),
              ("mine", "Stand-in GPU", "CUDA 13.0", True))
    rates = {row["rate"]: row for row in found["rates"]}
    tap.equal("/gpu/measure/rates", list(rates), ["dram", "l2", "smem", "tensor-f16", "tensor-bf16", "tensor-e4m3", "tensor-tf32", "special",
                                                    "fp32", "fp64"])
    tap.check("/gpu/measure/done", None if all(row["failure"] is None for row in rates.values()) else str(rates))
    # One processor with an L2 of 4,096 bytes and 2,048 threads: 8,192 values past it, tiles of 64, products of 256 and 96, chains of 16,384.
    amounts = {"dram": 2 * 4 * 8192, "l2": 2 * (64**2 + 2 * 64**3 // 64), "smem": 4 * (1 + 1 / 32) * 96**3, "tensor-f16": 2 * 256**3,
               "tensor-bf16": 2 * 256**3, "tensor-e4m3": 2 * 256**3, "tensor-tf32": 2 * 256**3, "special": 32 * 16384,
               "fp32": 2 * 128 * 16384, "fp64": 2 * 128 * 16384}
    tap.equal("/gpu/measure/amounts", {name: row["amount"] for name, row in rates.items()}, amounts)
    tap.check("/gpu/measure/per-second", None if all(abs(row["per_s"] * row["median_s"] / row["amount"] - 1) < 1e-12 for row in rates.values())
              else str(rates))

    text = folder.read("mine.machine").decode()
    tap.equal("/gpu/measure/file/says-how", "# Measured: 2 * 4 * n bytes" in text and "n = 8192 in" in text, True)
    os.environ["XDG_DATA_HOME"] = str(folder.path)
    (folder.path / "heddle" / "hardware").mkdir(parents=True)
    folder.write("heddle/hardware/mine.machine", text)
    known = {row["name"]: row for row in folder.json("gpus")["gpus"]}
    tap.equal("/gpu/measure/file/listed", known["mine"]["measured"], found["measured"])
    levels = {row["name"]: row for row in known["mine"]["levels"]}
    tap.check("/gpu/measure/file/rates", None if all(abs(levels[level]["bandwidth_bytes_per_s"] / rates[rate]["per_s"] - 1) < 1e-5
              for level, rate in {"gmem": "dram", "l2": "l2", "smem": "smem"}.items()) else str(levels))
    for dtype in ("f16", "bf16", "e4m3", "tf32"):
        line = re.search(rf"^# (.*)\n{dtype}=(.*)$", text, re.M)
        tap.check(f"/gpu/measure/file/{dtype}", None if line and line[1].startswith("Measured: ")
                  and abs(float(line[2]) / rates[f"tensor-{dtype}"]["per_s"] - 1) < 1e-5 else text)
    tap.check("/gpu/measure/file/fp64", None if abs(float(re.search(r"^FP64=(.*)$", text, re.M)[1]) / rates["fp64"]["per_s"] - 1) < 1e-5 else text)
    # No kernel here makes them by the tensor core: they are the h100's, and that is said.
    tap.check("/gpu/measure/file/not-measured", None if re.search(r"^# Not measured: of h100-sxm\ne5m2=", text, re.M) else text)
    tap.equal("/gpu/measure/file/above", levels["host"]["bandwidth_bytes_per_s"], 64e9)  # of the h100, as was asked

    # What is priced by the file: 2 * 4096 * 4096 f32 values of a copy at the measured rate
    folder.write("copy.eq", "X : f32[n=4194304]\nY[n] = X[n] + 1\n")
    priced = folder.json("derive", "copy.eq", "--gpu", "mine.machine", "--suggest")
    tap.equal("/gpu/measure/priced/says", priced["measured"], found["measured"])
    dram = priced["kernels"][0]["time"]["dram_s"]
    tap.check("/gpu/measure/priced/rate", None if abs(dram * rates["dram"]["per_s"] / (2 * 4 * 4194304) - 1) < 1e-5 else str(dram))
    line = folder.output("derive", "copy.eq", "--gpu", "mine.machine", "--suggest").splitlines()[0]
    tap.equal("/gpu/measure/priced/text", line, f"copy on Stand-in GPU, f16; rates measured: {found['measured']}")

    os.environ["STAND_IN_CLOCK"] = "traffic"
    moved = {row["rate"]: row for row in folder.json("measure", "--repeat", "1", "-o", "moved.machine")["rates"]}
    tap.check("/gpu/measure/by-bytes/dram", None if abs(moved["dram"]["per_s"] / 1e9 - 1) < 1e-6 else str(moved["dram"]))
    # 16,384 bytes are read; of the 8,192 that are written each store of 16 touches a sector of 32: 24,576 in the time of 32,768.
    tap.check("/gpu/measure/by-bytes/l2", None if abs(moved["l2"]["per_s"] / .75e9 - 1) < 1e-6 else str(moved["l2"]))
    del os.environ["STAND_IN_CLOCK"]

    os.environ["STAND_IN_FREE"] = "1000"
    run = folder.run("measure", "-o", "none.machine")
    tap.equal("/gpu/measure/too-little", (run.returncode, "are free" in run.stderr, (folder.path / "none.machine").exists()), (1, True, False))
    del os.environ["STAND_IN_FREE"]


def stopped(tap, folder):
    process = subprocess.Popen([PROGRAM, "measure", "--repeat", "10000", "-o", "stopped.machine"], cwd=folder.path, stderr=subprocess.PIPE, text=True)
    process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    tap.equal("/gpu/measure/stopped", (process.returncode, "cancelled" in errors, (folder.path / "stopped.machine").exists()), (1, True, False))


def refused(tap, folder):
    for name, arguments in {"nowhere": ("--on", "cpu"), "never": ("--repeat", "0"), "too-often": ("--repeat", "1000000")}.items():
        tap.equal(f"/gpu/bench/{name}", folder.run("bench", "attention.eq", "--gpu", "a100", *arguments).returncode, 2)
        tap.equal(f"/gpu/measure/{name}", folder.run("measure", *arguments).returncode, 2)
    for name, arguments in {"name": ("--name", "a b"), "file": ("-o", "x.txt"), "input": ("x.eq",)}.items():
        tap.equal(f"/gpu/measure/{name}", folder.run("measure", *arguments).returncode, 2)


def main(stand_in):
    tap, folder = Tap(), Folder()
    others = [path for path in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if path and os.path.realpath(path) != os.path.realpath(stand_in)]
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(others)
    folder.write("attention.eq", ATTENTION)
    refused(tap, folder)
    if not find_nvcc():
        for command in ("verify", "bench"):
            tap.equal(f"/gpu/{command}/no-compiler", folder.run(command, "attention.eq", "--gpu", "a100", "--on", "gpu").returncode, 3)
        tap.finish()
        return
    if "libcuda.so.1" not in subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False).stdout:
        without_driver(tap, folder)
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join((stand_in, *others))
    with_stand_in(tap, folder)
    timed(tap, folder)
    measured(tap, folder)
    stopped(tap, folder)
    os.environ["STAND_IN_WITHOUT_GPU"] = "1"
    run = folder.run("verify", "attention.eq", "--gpu", "a100", "--on", "gpu", *SMALL)
    tap.equal("/gpu/verify/no-gpu", (run.returncode, "finds no GPU" in run.stderr, "--on cpu" in run.stderr), (3, True, True))
    run = folder.run("bench", "attention.eq", "--gpu", "a100", "--on", "gpu")
    tap.equal("/gpu/bench/no-gpu", (run.returncode, "finds no GPU" in run.stderr), (3, True))
    tap.finish()


main(*sys.argv[1:])
