#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every reader on its seeds and on mutants of them: test-fuzz.py FUZZ SOURCE-ROOT [SECONDS].

By the driver of our own some mutants, always the same; with SECONDS by libFuzzer, that long for each target of $FUZZ_TARGETS (all), with the
corpora that earlier runs left in $FUZZ_CORPORA, and from the seed $FUZZ_SEED (one of its own). The input
that ends a target stays where this runs, as fuzz-TARGET-….
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
from seeds import MAKERS, make_seeds  # noqa: E402
from tap import Tap  # noqa: E402

# Those that draw and make kernels take a hundred times as long for one.
MUTANTS = {"figure": 60, "kernel": 60, "onnx": 150, "ptx": 150}
MOST_MUTANTS = 400
# 20 s and 2 GB are 5 s and 512 MB without the sanitizers.
LIBFUZZER = ("-timeout=20", "-rss_limit_mb=2048", "-malloc_limit_mb=512", "-max_len=16384", "-print_final_stats=1")


def command(fuzz, folder, target, seconds):
    seeds = str(folder / target)
    if seconds is None:
        return [fuzz, str(MUTANTS.get(target, MOST_MUTANTS)), "7", "0", seeds]
    words = folder / f"{target}.dict"
    found = Path(os.environ.get("FUZZ_CORPORA") or folder / "found") / target
    found.mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={seconds}", f"-seed={os.environ.get('FUZZ_SEED') or 0}"]
    return [fuzz, *LIBFUZZER, *limits, *([f"-dict={words}"] if words.exists() else []), str(found), seeds]


def told(text):
    """What libFuzzer did, in one line."""
    executions = re.search(r"stat::number_of_executed_units: +(\d+)", text)
    edges = re.findall(r"cov: (\d+)", text)
    return f"{executions.group(1)} executions, {edges[-1]} edges" if executions and edges else ""


def keep(folder, target):
    for pattern in ("crash*", "timeout*", "oom*", "leak*"):
        for path in folder.glob(pattern):
            shutil.move(path, f"fuzz-{target}-{path.name}")


def run(tap, fuzz, folder, target, seconds):
    environment = dict(os.environ, HEDDLE_FUZZ_TARGET=target, HEDDLE_COMPILER="none", G_SLICE="always-malloc")
    if seconds is not None:
        # GLib outgrows its tables of interned strings, and fontconfig keeps memory of its own. The driver of our own, which the suite runs under the
        # sanitizers, is judged for leaks with these left out.
        environment["ASAN_OPTIONS"] = "detect_leaks=0"
    done = subprocess.run(command(fuzz, folder, target, seconds), cwd=folder, env=environment, capture_output=True, text=True, errors="replace",
                          check=False)
    keep(folder, target)
    print(f"# {target}: {told(done.stderr) or done.stdout.strip()}", flush=True)
    tap.check(f"/fuzz/{target}", None if done.returncode == 0 else f"status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-6000:]}")


def main(fuzz, root, seconds=None):
    tap, fuzz = Tap(), str(Path(fuzz).resolve())
    targets = os.environ.get("FUZZ_TARGETS", "").split() or list(MAKERS)
    with tempfile.TemporaryDirectory(prefix="heddle-fuzz-") as name:
        folder = Path(name)
        make_seeds(os.environ["HEDDLE"], root, folder, targets)
        for target in targets:
            run(tap, fuzz, folder, target, seconds)
    if seconds is None:
        other = subprocess.run([fuzz], env=dict(os.environ, HEDDLE_FUZZ_TARGET="other"), capture_output=True, check=False)
        tap.check("/fuzz/unknown", None if other.returncode == 2 else f"an unknown target is taken: {other.returncode}")
    tap.finish()


main(*sys.argv[1:])
