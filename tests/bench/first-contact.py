#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""All that a first run on a GPU has to confirm, in order: each step rests on those before it.

    tests/bench/first-contact.py [--gpu h100] [--heddle build/src/heddle] [--go-on] [--no-times]

It stops at the first step that fails, says what that step is about, and returns 1; with --go-on it takes the others too. Times come last, when all results are
right. It needs the driver and NVRTC, for the launcher nvcc as well, and ten minutes at most. Kernels were checked by interpreting their PTX until now: what only
hardware can tell is how descriptors, boxes and fragments lie, and what orders one access before another.
"""

import argparse
import ctypes
import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PRODUCT = "A : {0}[a={1}, k={2}]\nB : {0}[k, b={3}]\nC[a,b] = A[a,k] B[k,b]\n"
ALONG = "A : {0}[a={1}, k={2}]\nB : {0}[b={3}, k]\nC : f16[a, b]\nC[a,b] = A[a,k] B[b,k]\n"
ACROSS = "A : {0}[k={2}, a={1}]\nB : {0}[k, b={3}]\nC[a,b] = A[k,a] B[k,b]\n"
MAPPED = "A : {0}[a={1}, k={2}]\nB : {0}[k, b={3}]\nC[a,b] = relu(A[a,k]) B[k,b]\n"
ATTENTION = ("Q : {0}[h={1}, q={2}, d={4}]\nK : {0}[h, x={3}, d]\nV : {0}[h, x, d]\nS[h,q,x] = Q[h,q,d] K[h,x,d]\n"
             "P[h,q,x] = softmax[x](S[h,q,x] * d^-0.5)\nO[h,q,d] = P[h,q,x] V[h,x,d]\n")
LABELS = ("--fuse", "all", "--label", "a:group@smem=128", "--label", "b:group@smem=128", "--label", "k:stream@smem=64")
WHOLE = ("--fuse", "all", "--label", "a:group@smem=128", "--label", "b:group@smem=64")

# What is confirmed; the family of kernels; then name, equations, labels. Sizes are ragged where nothing else is said.
STEPS = (
    ("the driver takes a kernel, and memory is what we think", "general", (
        ("one-value-each", "X : f32[x=1000]\nY[x] = X[x] * 2\n", ()),
        ("a-sum", "X : f32[x=100, y=300]\nY[x] = sum[y](X[x,y])\n", ()))),
    ("fragments of mma.sync and the swizzle that ldmatrix reads", "sm80", (
        ("product-f16", PRODUCT.format("f16", 200, 328, 200), ()),
        ("product-bf16", PRODUCT.format("bf16", 130, 264, 72), ()),
        ("product-tf32", PRODUCT.format("tf32", 130, 264, 72), ()))),
    ("both orders of the loop by warps: one that waits for each step, one that goes on", "sm80", (
        ("attention", ATTENTION.format("f16", 2, 150, 200, 64), ()),
        ("product-in-steps", PRODUCT.format("f16", 200, 328, 200), LABELS))),
    ("descriptors of wgmma, of tiles that threads copy: k contiguous, the other index contiguous, 8 bits", "sm90a-copies", (
        ("k-contiguous", ALONG.format("f16", 200, 320, 200), LABELS),
        ("one-across", PRODUCT.format("f16", 200, 320, 200), LABELS),
        ("both-across", ACROSS.format("bf16", 200, 320, 200), LABELS),
        ("8-bits", ALONG.format("e4m3", 200, 320, 200), LABELS))),
    ("boxes that the copy hardware brings, at edges and of three axes", "sm90a", (
        ("whole-tiles", PRODUCT.format("f16", 256, 256, 256), LABELS),
        ("edges", PRODUCT.format("f16", 200, 328, 200), LABELS),
        ("8-bits", ALONG.format("e4m3", 200, 320, 200), LABELS),
        ("three-axes", ATTENTION.format("f16", 3, 150, 200, 64), ()))),
    ("both orders of the loop by warpgroups: attention waits for its products, a product leaves one under way", "sm90a", (
        ("attention", ATTENTION.format("f16", 2, 150, 333, 128), ()),
        ("product-in-steps", PRODUCT.format("f16", 300, 1024, 300), LABELS),
        ("product-at-once", PRODUCT.format("f16", 300, 256, 300), WHOLE))),
    ("a slot that lanes read is given back behind a proxy fence", "sm90a", (("mapped", MAPPED.format("f16", 300, 1024, 300), LABELS),)),
)
TIMES = (("product", PRODUCT.format("f16", 4096, 4096, 4096)), ("attention", ATTENTION.format("f16", 16, 4096, 4096, 128)))


class Contact:
    def __init__(self, options):
        self.options, self.failed, self.done = options, 0, 0
        self.temporary = tempfile.TemporaryDirectory(prefix="first-contact-")
        self.folder = Path(self.temporary.name)

    def heddle(self, *arguments):
        """What it prints; a kernel that never ends is stopped after the limit, so that the steps behind it still have the GPU."""
        try:
            return subprocess.run([self.options.heddle, *arguments], cwd=self.folder, capture_output=True, text=True, check=False, timeout=self.options.limit)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, 124, "", f"not done after {self.options.limit:g} s: a kernel that waits for ever?")

    def tell(self, name, problem, more=""):
        self.done += 1
        print(f"{'FAILED' if problem else 'ok':8}{name}{'  ' + more if more else ''}", flush=True)
        if problem:
            self.failed += 1
            print("        " + problem.strip().replace("\n", "\n        "), flush=True)
        return not problem or self.options.go_on

    def verify(self, name, equations, labels, family):
        (self.folder / "case.eq").write_text("# case.eq\n" + equations, encoding="utf-8")
        began = time.monotonic()
        run = self.heddle("verify", "case.eq", "--gpu", self.options.gpu, "--on", self.options.on, "--family", family, "--json", *labels)
        if run.returncode not in (0, 1) or not run.stdout:
            return self.tell(name, run.stderr or f"exit status {run.returncode}")
        found = json.loads(run.stdout)
        problem = None if found["passed"] else f"{found['relative_error']:.3g} off, {found['tolerance']:.3g} is allowed: {found['detail']}"
        return self.tell(name, problem, f"{found['relative_error']:.2g} off, {time.monotonic() - began:.1f} s")


def softmax_product(q, k, v):
    out = []
    for row in q:
        scores = [sum(a * b for a, b in zip(row, key)) / math.sqrt(len(row)) for key in k]
        powers = [math.exp(score - max(scores)) for score in scores]
        out.append([sum(p * value[i] for p, value in zip(powers, v)) / sum(powers) for i in range(len(row))])
    return out


def halves(rows):
    return struct.pack(f"<{sum(map(len, rows))}e", *[value for row in rows for value in row])


def launcher(contact):
    """The library that is exported, called as a program in C would."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    runtime = next((path for path in ("libcudart.so", "/usr/local/cuda/lib64/libcudart.so") if ctypes_can_load(path)), None)
    if not os.path.exists(nvcc) or runtime is None:
        print("skipped  the launcher: it wants nvcc and libcudart.so")
        return True
    q, x, d = 45, 77, 64
    (contact.folder / "attention.eq").write_text("# attention.eq\n" + ATTENTION.format("f16", 1, 4096, 4096, d).replace("h=1, ", "").replace("h, ", "")
                                                 .replace("h,", ""), encoding="utf-8")
    run = contact.heddle("export", "attention.eq", "-o", "libattention.so", "--gpu", contact.options.gpu, "--no-verify")
    if run.returncode != 0:
        return contact.tell("launcher/build", run.stderr)
    cuda = ctypes.CDLL(runtime, ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(contact.folder / "libattention.so"))
    random.seed(1)
    arrays = [[[struct.unpack("<e", struct.pack("<e", random.gauss(0, 1)))[0] for _ in range(d)] for _ in range(n)] for n in (q, x, x)]
    places = []
    for array in (*arrays, [[0.0] * d] * q):
        place, data = ctypes.c_void_p(), halves(array)
        if cuda.cudaMalloc(ctypes.byref(place), ctypes.c_size_t(len(data))) or cuda.cudaMemcpy(place, data, ctypes.c_size_t(len(data)), 1):
            return contact.tell("launcher/memory", "cudaMalloc or cudaMemcpy failed")
        places.append(place)
    refused = library.attention(None, *places[1:], ctypes.c_longlong(q), ctypes.c_longlong(x), None)
    status = library.attention(*places, ctypes.c_longlong(q), ctypes.c_longlong(x), None)
    waited = cuda.cudaDeviceSynchronize()
    data = ctypes.create_string_buffer(2 * q * d)
    cuda.cudaMemcpy(data, places[3], ctypes.c_size_t(len(data)), 2)
    found, wanted = struct.unpack(f"<{q * d}e", data.raw), [value for row in softmax_product(*arrays) for value in row]
    off = math.sqrt(sum((a - b) ** 2 for a, b in zip(found, wanted)) / sum(b * b for b in wanted))
    problem = None if (refused, status, waited) == (-1, 0, 0) and off < 2e-3 else f"refused {refused}, status {status}, waited {waited}, {off:.3g} off"
    return contact.tell("launcher", problem, f"{off:.2g} off")


def ctypes_can_load(path):
    try:
        ctypes.CDLL(path)
    except OSError:
        return False
    return True


def times(contact):
    for name, equations in TIMES:
        (contact.folder / "case.eq").write_text("# case.eq\n" + equations, encoding="utf-8")
        run = contact.heddle("bench", "case.eq", "--gpu", contact.options.gpu, "--on", "gpu", "--fuse", "all", "--json")
        if run.returncode != 0:
            contact.tell(f"times/{name}", run.stderr)
            continue
        found = json.loads(run.stdout)
        total = found["total"]["median_s"]
        print(f"         {name}: {total * 1e6:.1f} us, {found['flops'] / total / 1e12:.1f} TFLOP/s on {found['gpu']}; the model says {found['total']['expected_s'] * 1e6:.1f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="h100", help="as heddle gpus lists it (default: h100)")
    parser.add_argument("--heddle", default=os.environ.get("HEDDLE", str(Path(__file__).resolve().parents[2] / "build" / "src" / "heddle")))
    parser.add_argument("--go-on", action="store_true", help="take all steps, also behind one that failed")
    parser.add_argument("--limit", type=float, default=600, help="seconds for one step (default: 600)")
    parser.add_argument("--no-times", action="store_true", help="leave the times out")
    parser.add_argument("--rehearse", dest="on", action="store_const", const="cpu", default="gpu", help="interpret the kernels instead, which needs no GPU: no launcher and no times")
    options = parser.parse_args()
    contact = Contact(options)
    listed = contact.heddle("gpus", "--json")
    arch = next((row["arch"] for row in json.loads(listed.stdout)["gpus"] if options.gpu in row["name"]), None)
    if arch is None:
        sys.exit(f"there is no machine “{options.gpu}”: heddle gpus lists them")
    for about, family, cases in STEPS:
        if family.startswith("sm90a") and not arch.startswith("sm_90"):
            continue
        print(f"-- {about}", flush=True)
        for name, equations, labels in cases:
            if not contact.verify(f"{family}/{name}", equations, labels, family):
                sys.exit(1)
    if options.on == "gpu":
        print("-- the launcher, with its checks, its tensor maps and its stream", flush=True)
        if not launcher(contact):
            sys.exit(1)
    if options.on == "gpu" and not options.no_times and contact.failed == 0:
        print("-- times", flush=True)
        times(contact)
    print(f"{contact.done - contact.failed} of {contact.done} steps are confirmed")
    sys.exit(1 if contact.failed else 0)


main()
