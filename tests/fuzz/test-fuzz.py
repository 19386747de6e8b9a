#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every reader on its seeds and on mutants of them: test-fuzz.py FUZZ SOURCE-ROOT [SECONDS | same].

By the driver of our own some mutants, always the same; with SECONDS by libFuzzer, that long for each target of $FUZZ_TARGETS (all), with the
corpora that earlier runs left in $FUZZ_CORPORA, and from a seed of its own. With “same” by libFuzzer, but the same executions
on each machine: what passes on one passes on the others. The input that ends a target stays where this runs, as fuzz-TARGET-….
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
from seeds import EQUATIONS, MAKERS, make_seeds  # noqa: E402
from tap import Tap  # noqa: E402

# Those that draw and make kernels take a hundred times as long for one.
MUTANTS = {"figure": 60, "kernel": 60, "onnx": 150, "ptx": 150}
MOST_MUTANTS = 400
# 20 s and 2 GB are 5 s and 512 MB without the sanitizers.
LIBFUZZER = ("-timeout=20", "-rss_limit_mb=2048", "-malloc_limit_mb=512", "-max_len=16384", "-print_final_stats=1")
# How many executions of a target take about ten seconds, and the seconds in which any machine has done them.
EXECUTIONS = {"eq": 45_000, "ncd": 23_000, "svg": 37_000, "paste": 50_000, "figure": 40_000, "kernel": 900, "onnx": 45_000, "safetensors": 60_000,
              "npy": 25_000, "pb": 25_000, "machine": 40_000, "accounting": 50_000, "measured": 22_000, "bench": 60_000, "ptx": 250_000}
MOST_SECONDS = 300
# Two runs from one seed differ by addresses, which libFuzzer takes from the operands of comparisons and puts into inputs, and by its
# reading the folder of what it found anew each second: neither is done, and there is no such folder. (The third cause is the depth of
# the stack, which ./run fuzz builds without.)
SAME = ("-seed=1", "-use_cmp=0", "-reload=0", f"-max_total_time={MOST_SECONDS}")


def words_of(folder, target):
    words = folder / f"{target}.dict"
    return [f"-dict={words}"] if words.exists() else []


def same_command(fuzz, folder, target):
    """The seeds are listed in the order of their names, since that in which a folder lists them is the file system's."""
    files = folder / f"{target}.files"
    files.write_text(",".join(str(path) for path in sorted((folder / target).iterdir())), encoding="utf-8")
    return [fuzz, *LIBFUZZER, *SAME, f"-runs={EXECUTIONS[target]}", *words_of(folder, target), f"-seed_inputs=@{files}"]


def command(fuzz, folder, target, how):
    seeds = str(folder / target)
    if how is None:
        return [fuzz, str(MUTANTS.get(target, MOST_MUTANTS)), "7", "0", seeds]
    if how == "same":
        return same_command(fuzz, folder, target)
    found = Path(os.environ.get("FUZZ_CORPORA") or folder / "found") / target
    found.mkdir(parents=True, exist_ok=True)
    return [fuzz, *LIBFUZZER, f"-max_total_time={how}", *words_of(folder, target), str(found), seeds]


def count(text):
    executions = re.search(r"stat::number_of_executed_units: +(\d+)", text)
    return int(executions.group(1)) if executions else 0


def told(text):
    """What libFuzzer did, in one line: two runs of the same executions print the same."""
    reached = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", text)
    return f"{count(text)} executions, {reached[-1][0]} edges, {reached[-1][1]} features, {reached[-1][2]} inputs kept" if count(text) and reached else ""


def keep(folder, target):
    for pattern in ("crash*", "timeout*", "oom*", "leak*"):
        for path in folder.glob(pattern):
            shutil.move(path, f"fuzz-{target}-{path.name}")


def fault(done, target, how):
    if done.returncode != 0:
        return f"status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-6000:]}"
    if how == "same" and count(done.stderr) < EXECUTIONS[target]:
        return f"only {count(done.stderr)} of {EXECUTIONS[target]} executions in {MOST_SECONDS} s"
    return None


def run(tap, fuzz, folder, target, how):
    environment = dict(os.environ, HEDDLE_FUZZ_TARGET=target, HEDDLE_COMPILER="none", G_SLICE="always-malloc")
    if how is not None:
        # GLib outgrows its tables of interned strings, and fontconfig keeps memory of its own. The driver of our own, which the suite runs under the
        # sanitizers, is judged for leaks with these left out.
        environment["ASAN_OPTIONS"] = "detect_leaks=0"
    done = subprocess.run(command(fuzz, folder, target, how), cwd=folder, env=environment, capture_output=True, text=True, errors="replace",
                          check=False)
    keep(folder, target)
    print(f"# {target}: {told(done.stderr) or done.stdout.strip()}", flush=True)
    tap.check(f"/fuzz/{target}", fault(done, target, how))


def check_equations(tap, folder):
    """A seed that is no program feeds little more than the parser."""
    for number, text in enumerate(EQUATIONS):
        (folder / "seed.eq").write_text(text, encoding="utf-8")
        done = subprocess.run([os.environ["HEDDLE"], "check", folder / "seed.eq"], capture_output=True, text=True, check=False)
        tap.check(f"/fuzz/seeds/{number}", None if done.returncode == 0 else done.stderr)


def main(fuzz, root, how=None):
    tap, fuzz = Tap(), str(Path(fuzz).resolve())
    targets = os.environ.get("FUZZ_TARGETS", "").split() or list(MAKERS)
    if how == "same":
        os.environ["HEDDLE_COMPILER"] = "none"  # kernels that are seeds would be there on machines with a compiler alone
    with tempfile.TemporaryDirectory(prefix="heddle-fuzz-") as name:
        folder = Path(name)
        make_seeds(os.environ["HEDDLE"], root, folder, targets)
        for target in targets:
            run(tap, fuzz, folder, target, how)
        if how is None:
            check_equations(tap, folder)
    if how is None:
        other = subprocess.run([fuzz], env=dict(os.environ, HEDDLE_FUZZ_TARGET="other"), capture_output=True, check=False)
        tap.check("/fuzz/unknown", None if other.returncode == 2 else f"an unknown target is taken: {other.returncode}")
    tap.finish()


main(*sys.argv[1:])
