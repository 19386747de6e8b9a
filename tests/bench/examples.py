#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The examples' kernels on a GPU: whether they are right, and how long they take beside what the model says.

    tests/bench/examples.py [--gpu h100] [--heddle build/src/heddle] [--limit 60] [--jobs N] [--json FILE] [EXAMPLE…]

Every example is verified at sizes of the verification, several at a time; then each is timed alone at its own sizes. A kernel that never
ends is stopped after the limit, and counts as wrong. It needs the driver and NVRTC.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def ask(options, command, path, *more):
    """The JSON that `heddle COMMAND` prints for an example, or None, and what went wrong."""
    arguments = [options.heddle, command, str(path), "--gpu", options.gpu, "--on", "gpu", "--json", *more]
    began = time.monotonic()
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=options.limit)
    except subprocess.TimeoutExpired:
        return None, f"not done after {options.limit} s"
    finally:
        print(f"{command} {path.stem}: {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)
    try:
        return json.loads(done.stdout), done.stderr.strip()
    except ValueError:
        return None, done.stderr.strip() or f"exit status {done.returncode}"


def verify(options, path):
    found, problem = ask(options, "verify", path)
    if found is None:
        return {"problem": problem}
    return {"passed": found["passed"], "verified": found}


def bench(options, path):
    found, problem = ask(options, "bench", path, "--repeat", str(options.repeat))
    return {"bench": found} if found is not None else {"bench_problem": problem}


def print_table(rows):
    print("| example | right | measured, us | model, us | measured / model |\n|---|---|---|---|---|")
    for name, row in rows.items():
        right = "yes" if row.get("passed") else "NO"
        if row.get("bench") is None:
            print(f"| {name} | {right} | {row.get('bench_problem', '')[:100]} | | |")
            continue
        total = row["bench"]["total"]
        measured, expected = total["median_s"] * 1e6, total["expected_s"] * 1e6
        print(f"| {name} | {right} | {measured:.1f} | {expected:.1f} | {measured / expected:.2f} |")
    for name, row in rows.items():
        if not row.get("passed"):
            print(f"{name}: {row.get('problem') or row.get('verified', {}).get('detail')}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="h100")
    parser.add_argument("--heddle", default=os.environ.get("HEDDLE", str(ROOT / "build" / "src" / "heddle")))
    parser.add_argument("--limit", type=float, default=60, help="seconds for an example (default: 60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="examples that are verified at a time")
    parser.add_argument("--repeat", type=int, default=20, help="launches of each kernel that is timed (default: 20)")
    parser.add_argument("--no-times", action="store_true")
    parser.add_argument("--json", help="a file for all that was found")
    parser.add_argument("examples", nargs="*", help="names, such as attention (default: all)")
    options = parser.parse_args()
    paths = sorted((ROOT / "data" / "examples").glob("*.ncd"))
    if options.examples:
        paths = [path for path in paths if path.stem in options.examples]
    with ThreadPoolExecutor(options.jobs) as pool:
        rows = dict(zip([path.stem for path in paths], pool.map(lambda path: verify(options, path), paths)))
    for path in paths if not options.no_times else ():
        rows[path.stem].update(bench(options, path))
        if options.json:
            Path(options.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print_table(rows)
    right = sum(1 for row in rows.values() if row.get("passed"))
    print(f"{right} of {len(rows)} examples are right")
    sys.exit(0 if right == len(rows) else 1)


main()
