#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""No memory for one large allocation, each in turn: a command does all that it would have done, or says so, and leaves what was there.

Usage: test-memory.py FAILING-MALLOC [--all]
"""

import os
import resource
import subprocess
import sys

from heddle import ATTENTION, PROGRAM, Folder, Tap, find_nvcc
from onnx_file import message

LIBRARY = sys.argv[1]
# Of a command that has more large allocations, as many are tried; with --all each one.
MOST = None if "--all" in sys.argv else 16
SECONDS = 120
NO_MEMORY = "memory"
SIZES = ("--set", "q=64", "--set", "x=64")


def onnx():
    """A model of a hundred kilobytes, in one array."""
    def part(number, data):
        return message(number, data if isinstance(data, bytes) else data.encode())
    weights = b"\x08\x80\xc8\x01\x10\x01" + part(8, "w") + part(9, bytes(4 * 25600))

    def shaped(name):
        return part(1, name) + part(2, part(1, b"\x08\x01" + part(2, part(1, b"\x08\x80\xc8\x01"))))
    node = part(1, "x") + part(1, "w") + part(2, "y") + part(4, "Add")
    graph = part(1, node) + part(2, "graph") + part(5, weights) + part(11, shaped("x")) + part(12, shaped("y"))
    return b"\x08\x08" + part(7, graph) + part(8, b"\x10\x11")


def commands():
    """Each with what it writes, or None."""
    yield "check", ("check", "many.ncd"), None
    yield "check-equations", ("check", "many.eq", "--json"), None
    yield "check-picture", ("check", "many.svg"), None
    yield "check-pdf", ("check", "many.pdf"), None
    yield "equations", ("equations", "many.ncd"), None
    yield "import", ("import", "many.eq", "-o", "out.ncd"), "out.ncd"
    yield "onnx", ("import", "model.onnx", "-o", "out.ncd"), "out.ncd"
    for suffix in ("svg", "pdf", "eq"):
        yield suffix, ("export", "many.ncd", "-o", f"out.{suffix}"), f"out.{suffix}"
    yield "outlines", ("export", "attention.eq", "--text", "outline", "-o", "out.pdf"), "out.pdf"
    yield "tex", ("export", "attention.eq", "-o", "out.tex"), "out.tex"
    yield "png", ("export", "attention.eq", "--dpi", "300", "-o", "out.png"), "out.png"
    yield "thumbnail", ("thumbnail", "attention.eq", "out.png", "512"), "out.png"
    yield "roofline", ("export", "attention.eq", "--roofline", "--gpu", "h100", "-o", "out.svg"), "out.svg"
    yield "cu", ("export", "attention.eq", "--gpu", "a100", "--no-verify", "-o", "out.cu"), "out.cu"
    yield "numpy", ("export", "attention.eq", "--as", "numpy", "-o", "out.py"), "out.py"
    yield "derive", ("derive", "attention.eq", "--gpu", "h100", "--suggest"), None
    yield "rewrite", ("rewrite", "many.eq", "--list"), None
    yield "diff", ("diff", "many.eq", "attention.eq"), None
    yield "differentiate", ("differentiate", "attention.eq", "--wrt", "Q", "-o", "out.ncd"), "out.ncd"
    yield "evaluate", ("evaluate", "attention.eq", "--set", "q=128", "--set", "x=128", "--random", "1", "--out", "O=out.npy"), "out.npy"
    yield "verify", ("verify", "attention.eq", "--on", "model", *SIZES, "--gpu", "a100"), None
    yield "compare", ("compare", "attention.eq", "--gpu", "a100", "--gpu", "h100"), None
    yield "optimise", ("optimise", "attention.eq", "-o", "faster", "--no-verify", "--no-cache", "--gpu", "a100", *SIZES), None
    if find_nvcc():
        yield "verify-cpu", ("verify", "attention.eq", "--on", "cpu", *SIZES, "--gpu", "a100"), None
        yield "py", ("export", "attention.eq", "--gpu", "a100", "--no-verify", "-o", "out.py"), "out.py"


def written(folder, output):
    return folder.read(output) if output and (folder.path / output).exists() else None


def run(folder, arguments, output, number, limit=None):
    """How it ended, what it wrote, and how many large allocations it asked for."""
    environment = {**os.environ, "LD_PRELOAD": LIBRARY, "FAILING_MALLOC_AT": str(number), "FAILING_MALLOC_COUNT": str(folder.path / "count"), "G_DEBUG": ""}
    if limit:
        environment.pop("LD_PRELOAD")
    if output:
        folder.write(output, "before")
    (folder.path / "count").unlink(missing_ok=True)
    done = subprocess.run([PROGRAM, *arguments], cwd=folder.path, env=environment, capture_output=True, check=False, timeout=SECONDS,
                          preexec_fn=limit and (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))))
    count = int(folder.read("count")) if (folder.path / "count").exists() else 0
    return done, written(folder, output), count


def problem(done, output, whole, whole_output, before):
    """None: it did all, or it said that there is no memory and left what was there."""
    if done.returncode == whole.returncode and output == whole_output:
        return None if done.stdout == whole.stdout else "it ended well with another answer"
    said = done.stderr.decode(errors="replace")
    if done.returncode not in (1, 3):
        return f"it ended with {done.returncode}: {said[-300:]}"
    if NO_MEMORY not in said:
        return f"it says nothing of memory: {said[-300:]}"
    return None if output == before else "what was there is gone"


def places(count):
    """The first ones, the last ones, and some between."""
    if MOST is None or count <= MOST:
        return range(1, count + 1)
    return sorted({1 + i * (count - 1) // (MOST - 1) for i in range(MOST)})


def check_each(tap, folder):
    total = 0
    for name, arguments, output in commands():
        whole, whole_output, count = run(folder, arguments, output, 0)
        if whole.returncode != 0 and name != "diff":
            tap.check(f"/memory/{name}", f"it fails by itself: {whole.stderr.decode(errors='replace')[-300:]}")
            continue
        before, names = b"before" if output else None, set(os.listdir(folder.path))
        problems = []
        for number in places(count):
            try:
                done, made, _ = run(folder, arguments, output, number)
            except subprocess.TimeoutExpired:
                problems.append(f"{number} of {count}: it hangs")
                continue
            wrong = problem(done, made, whole, whole_output, before)
            problems += [f"{number} of {count}: {wrong}"] if wrong else []
            total += 1
        left = set(os.listdir(folder.path)) - names - {"count"}
        problems += [f"it leaves {' '.join(sorted(left))}"] if left else []
        tap.check(f"/memory/{name}", problems)
    print(f"# {total} allocations of more than 64 KiB found no memory")
    tap.check("/memory/tried", None if total > 100 else f"only {total} allocations were large")


def check_bounded(tap, folder):
    """Less and less memory for all: where a program ends then is anywhere, and what was there stays."""
    arguments, output = ("export", "many.ncd", "-o", "out.pdf"), "out.pdf"
    whole, whole_output, _ = run(folder, arguments, output, 0)
    problems, ended = [], 0
    for megabytes in range(60, 700, 40):
        done, made, _ = run(folder, arguments, output, 0, megabytes << 20)
        if made not in (whole_output, b"before"):
            problems.append(f"with {megabytes} MiB a broken file is left, and the status is {done.returncode}")
        elif done.returncode == 0 and made != whole_output:
            problems.append(f"with {megabytes} MiB it ended well without its work")
        ended += done.returncode != 0
    tap.check("/memory/bounded", problems)
    tap.check("/memory/bounded/ended", None if ended else "it never had too little")


def main():
    tap, folder = Tap(), Folder()
    folder.write("attention.eq", ATTENTION)
    folder.write("many.eq", "A : f32[a=64]\n" + "".join(f"Y_{i}[a] = exp(A[a] + {i})\n" for i in range(1500)))
    folder.write("model.onnx", onnx())
    for name in ("many.ncd", "many.svg", "many.pdf"):
        folder.output("export", "many.eq", "-o", name)
    check_each(tap, folder)
    check_bounded(tap, folder)
    tap.finish()


main()
