#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""GPT-2 small, twelve layers: how long `heddle optimise` takes, and what it saves in attention. Nothing is remembered between runs.

    HEDDLE=build/src/heddle tests/bench/optimise.py
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def cost_of_attention(kernels):
    """Bytes of global memory of the kernels that make scores, weights or what is attended to."""
    made = [kernel for kernel in kernels if {"S", "P", "O"} & {name.rsplit(".", 1)[-1] for name in kernel["values"].split()}]
    return sum(kernel["dram_bytes"] for kernel in made)


def main():
    model = Path(__file__).parent / "gpt2.eq"
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        run = subprocess.run([os.environ["HEDDLE"], "optimise", model, "--gpu", "h100", "-o", folder, "--no-cache", "--json", *sys.argv[1:]],
                             capture_output=True, text=True, check=True)
        seconds = time.monotonic() - begin
    report = json.loads(run.stdout)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    layer = max(report["pieces"], key=lambda piece: piece["times"])
    before, after = cost_of_attention(layer["kernels_before"]), cost_of_attention(layer["kernels"])
    print(f"optimised in {seconds:.1f} s ({used.ru_utime:.1f} s of processors, {used.ru_maxrss / 1024:.0f} MiB), verified: {report['verified']}, "
          f"outputs differ by {report['difference']:.2g}")
    print(f"layers found: {layer['times']} alike; kernels {report['before']['kernels']} -> {report['after']['kernels']}, "
          f"{report['after']['different_kernels']} different")
    print(f"attention of a layer, global memory: {before / 1e6:.1f} -> {after / 1e6:.1f} MB, {before / after:.1f} times less")
    print(f"model's time: {report['before']['expected_s'] * 1e6:.0f} -> {report['after']['expected_s'] * 1e6:.0f} µs")


if __name__ == "__main__":
    main()
