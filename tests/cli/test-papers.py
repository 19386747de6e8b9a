#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The published and the closed-form figures, by command line; integer optima and counts against brute force here: the tiled loops are run and
what they load and save is added up."""

import math
import sys
from itertools import product
from pathlib import Path

import numpy as np

from heddle import ATTENTION, Folder, Tap

MEMORY = 116224  # values: 227 KiB of f16

EQUATIONS = {
    "attention": ATTENTION,
    "causal": ATTENTION.replace("S[q,x] * d^-0.5", "where(x <= q, S[q,x] * d^-0.5, -inf)"),
    "matmul": "A : f16[a=4096, b=4096]\nB : f16[b, c=4096]\nC[a,c] = A[a,b] B[b,c]\n",
    "map": "X : f16[n=1000]\nY[n] = exp(X[n])\n",
    "softmax": "S : f16[n=512, m=1024]\nP[n,m] = softmax[m](S[n,m])\n",
    "given-scores": "S : f16[q=4096, x=4096]\nV : f16[x, d=128]\nP[q,x] = softmax[x](S[q,x])\nO[q,d] = P[q,x] V[x,d]\n",
    "mlp": "X : f16[n=4096, m=128]\nU : f16[m, f=512]\nW : f16[f, k=128]\nH[n,f] = relu(X[n,m] U[m,f])\nY[n,k] = H[n,f] W[f,k]\n",
    "gqa": "Q : f16[g=4, r=6, q=10, d=3]\nK : f16[g, x=14, d]\nV : f16[g, x, d]\n"
           "P[g,r,q,x] = softmax[x](Q[g,r,q,d] K[g,x,d] * d^-0.5)\nO[g,r,q,d] = P[g,r,q,x] V[g,x,d]\n",
    "mla": "Q : f16[h=6, q=10, l=4]\nR : f16[h, q, p=2]\nC : f16[x=14, l]\nD : f16[x, p]\n"
           "S[h,q,x] = Q[h,q,l] C[x,l] + R[h,q,p] D[x,p]\nP[h,q,x] = softmax[x](S[h,q,x] * l^-0.5)\nO[h,q,l] = P[h,q,x] C[x,l]\n",
    "convolution": "X : f16[x=23, c=6]\nW : f16[w=3, c, f=10]\nY[y=23,f] = X[y+w-1,c] W[w,c,f]\n",
    "moe": "X : f16[e=4, t=9, m=5]\nU : f16[e, m, f=11]\nW : f16[e, f, m]\n"
           "H[e,t,f] = relu(X[e,t,m] U[e,m,f])\nY[e,t,m] = H[e,t,f] W[e,f,m]\n",
    "decode": "Q : f16[g=4, r=6, d=3]\nK : f16[g, x=14, d]\nV : f16[g, x, d]\n"
              "P[g,r,x] = softmax[x](Q[g,r,d] K[g,x,d] * d^-0.5)\nO[g,r,d] = P[g,r,x] V[g,x,d]\n",
}


def two_level(folder, name, *arguments, memory=MEMORY, columns="operands"):
    return folder.json("derive", f"{name}.eq", "--gpu", "two-level", "--memory", str(memory), "--columns", columns, *arguments)


def moved(result):
    return result["total"]["transfer_elements"]


def label(result, axis, kind="group"):
    return [one["size"] for one in result["kernels"][0]["labels"] if one["axis"] == axis and one["kind"] == kind]


# --- the loops of a kernel, run -------------------------------------------------------------------------------------------


def tiles(n, size):
    """The lengths of the tiles of an axis."""
    return [min(size, n - start) for start in range(0, n, size)]


def count(sizes, groups, stream, arrays):
    """Loads and saves of a tiled kernel, and what it holds at most of its operands. @arrays: the axes of each input and output, with whether it is
    loaded in the steps of the stream."""
    axes = list(groups)
    total = held = 0
    for lengths in product(*(tiles(sizes[axis], groups[axis]) for axis in axes)):
        now = dict(zip(axes, lengths))
        steps = tiles(sizes[stream[0]], stream[1]) if stream else [None]
        peak = 0
        for array, in_step in arrays:
            if not in_step:
                here = math.prod(now.get(axis, sizes[axis]) for axis in array)
                total += here
                peak += here
        most = 0
        for step in steps:
            now_step = {**now, stream[0]: step} if stream else now
            here = sum(math.prod(now_step.get(axis, sizes[axis]) for axis in array) for array, in_step in arrays if in_step)
            total += here
            most = max(most, here)
        held = max(held, peak + most)
    return total, held


# Sizes, the axes that may be grouped, what streams, and the arrays.
KERNELS = {
    "gqa": ({"g": 4, "r": 6, "q": 10, "d": 3, "x": 14}, "grq", "x", [("grqd", False), ("grqd", False), ("gxd", True), ("gxd", True)]),
    "mla": ({"h": 6, "q": 10, "l": 4, "p": 2, "x": 14}, "hq", "x",
            [("hql", False), ("hqp", False), ("hql", False), ("xl", True), ("xp", True)]),
    "convolution": ({"x": 23, "c": 6, "w": 3, "f": 10, "y": 23}, "f", "c", [("yf", False), ("xc", True), ("wcf", True)]),
    "moe": ({"e": 4, "t": 9, "m": 5, "f": 11}, "et", "f", [("etm", False), ("etm", False), ("emf", True), ("efm", True)]),
    "decode": ({"g": 4, "r": 6, "d": 3, "x": 14}, "gr", "x", [("grd", False), ("grd", False), ("gxd", True), ("gxd", True)]),
}


def check_counts(tap, folder):
    """Random tiles: what derive says is what the loops move and hold."""
    random = np.random.default_rng(7)
    for name, (sizes, grouped, stream, arrays) in KERNELS.items():
        for i in range(4):
            groups = {axis: int(random.integers(1, sizes[axis] + 1)) for axis in grouped}
            step = int(random.integers(1, sizes[stream] + 1))
            labels = [part for axis, size in groups.items() for part in ("--label", f"{axis}:group@smem={size}")]
            result = two_level(folder, name, "--fuse", "all", *labels, "--label", f"{stream}:stream@smem={step}")
            level = result["kernels"][0]["levels"][0]
            tap.equal(f"/papers/counts/{name}/{i}", (level["transfer_elements"], level["memory_elements"]), count(sizes, groups, (stream, step), arrays))


def count_windows(sizes, f, y):
    """The convolution in tiles of f and y, a channel at a time: a tile of y reads its window of x."""
    total = held = 0
    for filters, start in product(tiles(sizes["f"], f), range(0, sizes["y"], y)):
        rows = range(start, min(start + y, sizes["y"]))
        read = sum(1 for x in range(sizes["x"]) if rows[0] - 1 <= x <= rows[-1] + sizes["w"] - 2)
        total += filters * len(rows) + sizes["c"] * (read + sizes["w"] * filters)
        held = max(held, filters * len(rows) + read + sizes["w"] * filters)
    return total, held


def check_optima(tap, folder):
    """The stream given, the tiles found: no tiles move less in so small a memory."""
    for name, (sizes, grouped, stream, arrays) in KERNELS.items():
        every = [count_windows(sizes, f, y) for f, y in product(range(1, sizes["f"] + 1), range(1, sizes["y"] + 1))] if name == "convolution" else [count(sizes, dict(zip(grouped, choice)), (stream, 1), arrays) for choice in product(*(range(1, sizes[axis] + 1) for axis in grouped))]
        for memory in (60, 90, 150):
            least = min((total for total, held in every if held <= memory), default=None)
            result = two_level(folder, name, "--fuse", "all", "--suggest", "--label", f"{stream}:stream@smem=1", memory=memory)
            fits = result["kernels"][0]["fits"]
            tap.equal(f"/papers/optima/{name}/{memory}", (moved(result) if fits else None, result["search"]["exact"]), (least, True))


# --- the closed forms and integer optima -----------------------------------------------------------------------------------


def check_matmul(tap, folder):
    n = 4096
    for name, step, divisor, expected, at in (("any", 1, 1, 436207616, (274, 410)), ("sixteen", 32, 16, 486539264, (256, 352))):
        sizes = range(divisor, n + 1, divisor)
        least = None
        for a in sizes:
            c = (MEMORY - step * a) // (a + step) // divisor * divisor
            if c < 1:
                continue
            c = min(c, n)
            total = n * n * (-(-n // a) + -(-n // c)) + n * n
            least = total if least is None else min(least, total)
        tap.equal(f"/papers/matmul/{name}/brute", least, expected)
        divisors = ("--label", f"a:divisor={divisor}", "--label", f"c:divisor={divisor}") if divisor > 1 else ()
        result = two_level(folder, "matmul", "--fuse", "all", "--suggest", "--label", f"b:stream={step}", *divisors)
        tap.equal(f"/papers/matmul/{name}", (moved(result), (*label(result, "a"), *label(result, "c"))), (expected, at))


def attention(g, x=4096, d=128):
    return 2 * 4096 * d + 2 * x * d * -(-4096 // g)


def check_attention(tap, folder):
    d, fused = 128, ("--fuse", "all", "--suggest")
    best = min(attention(g) for g in range(1, 4097) if 2 * g * d + 2 * 64 * d <= MEMORY)
    result = two_level(folder, "attention", *fused, "--label", "x:stream=64")
    tap.equal("/papers/attention/stream-64", (moved(result), label(result, "q"), best), (12582912, [373], 12582912))
    best = min(attention(g) for g in range(1, 4097) if 2 * g * d + 2 * d <= MEMORY)
    tap.equal("/papers/attention/stream-free", (moved(two_level(folder, "attention", *fused)), best), (11534336, 11534336))
    best = min(attention(g) for g in range(1, 4097) if 2 * g * d + 2 * 64 * d + 64 * g + 2 * g <= MEMORY)
    result = two_level(folder, "attention", *fused, "--label", "x:stream=64", columns="all")
    tap.equal("/papers/attention/all", (moved(result), result["kernels"][0]["groups"], best), (15728640, 14, 15728640))
    result = two_level(folder, "attention", "--fuse", "none", "--suggest")
    tap.equal("/papers/attention/unfused", [kernel["levels"][0]["transfer_elements"] for kernel in result["kernels"]], [19922944, 33554432, 19922944])
    tap.equal("/papers/attention/unfused/total", moved(result), 73400320)
    n = 4096
    both = min(n * n + n * d * (-(-n // g) + -(-n // ((MEMORY - g * d) // (g + d)))) for g in range(1, 900) if (MEMORY - g * d) // (g + d) >= 1)
    tiled = folder.json("derive", "attention.eq", "--gpu", "two-level", "--columns", "operands", "--fuse", "S",
                        "--label", "S/q:group=228", "--label", "S/x:group=228")
    scores = [kernel["levels"][0] for kernel in tiled["kernels"] if kernel["operations"] == ["S"]][0]
    streamed = folder.json("derive", "attention.eq", "--gpu", "two-level", "--columns", "operands", "--fuse", "S",
                           "--label", "S/q:group=316", "--label", "S/x:group=342", "--label", "S/d:stream=1")
    narrow = [kernel["levels"][0] for kernel in streamed["kernels"] if kernel["operations"] == ["S"]][0]
    tap.equal("/papers/attention/scores-tiled", scores["transfer_elements"], n * n + n * d * 2 * 18)
    tap.check("/papers/attention/scores-tiled/best", None if scores["transfer_elements"] >= both else f"{both} was the least")
    tap.equal("/papers/attention/scores-streamed", (narrow["transfer_elements"], narrow["memory_elements"] <= MEMORY), (29884416, True))


def causal(g, s, n=4096, d=128):
    total = 2 * n * d
    for q in range(0, n, g):
        last = min(q + g, n) - 1
        total += sum(2 * min(s, n - x) * d for x in range(0, n, s) if x <= last)
    return total


def check_causal(tap, folder):
    for g, expected in ((373, 7421952), (384, 7503872)):
        result = two_level(folder, "causal", "--fuse", "all", "--label", f"q:group={g}", "--label", "x:stream=64")
        tap.equal(f"/papers/causal/{g}", (moved(result), causal(g, 64)), (expected, expected))


def check_mlp(tap, folder):
    n, large = 4096, ("--set", "m=512", "--set", "k=512", "--set", "f=2048")
    tap.equal("/papers/mlp/fused", moved(two_level(folder, "mlp", "--fuse", "all", "--suggest", columns="all")), 1769472)
    tap.equal("/papers/mlp/unfused", moved(two_level(folder, "mlp", "--fuse", "none", "--suggest", columns="all")), 5373952)
    unfused = two_level(folder, "mlp", "--fuse", "none", "--suggest", *large, columns="all")
    tap.equal("/papers/mlp/large/unfused", moved(unfused), 59768832)
    m, f = 512, 2048
    brute = min(2 * n * m + 2 * m * f * -(-n // g) for g in range(1, n + 1) if 2 * g * m + 2 * m + g <= MEMORY)
    fused = two_level(folder, "mlp", "--fuse", "all", "--suggest", "--label", "f:stream=1", *large, columns="all")
    tap.equal("/papers/mlp/large/fused", (moved(fused), brute), (81788928, 81788928))


def check_plain(tap, folder):
    tap.equal("/papers/map", moved(two_level(folder, "map", "--fuse", "all", "--suggest")), 2 * 1000)
    tap.equal("/papers/softmax", moved(two_level(folder, "softmax", "--fuse", "all", "--suggest")), 2 * 512 * 1024)
    q, x, d, g, s = 4096, 4096, 128, 300, 64
    # The scores of a step live as long as it does, so that with every column counted the weights made of them are beside them.
    labels = ("--fuse", "all", "--label", f"q:group={g}", "--label", f"x:stream={s}")
    for columns, held in (("operands", g * d + s * d + g * s), ("all", g * d + s * d + 2 * g * s + 2 * g)):
        result = two_level(folder, "given-scores", *labels, columns=columns)
        tap.equal(f"/papers/given-scores/{columns}", (moved(result), result["kernels"][0]["levels"][0]["memory_elements"]),
                  (q * x + q * d + x * d * -(-q // g), held))


# --- hardware ------------------------------------------------------------------------------------------------------------------


def quantities(result, i=0):
    return {one["name"]: one["value"] for one in result["accountings"][i]["quantities"]}


def near(tap, name, value, expected, places):
    tap.equal(name, round(value, places), expected)


def check_hopper(tap, folder, examples):
    result = folder.json("derive", str(examples / "fp8-attention.ncd"), "--gpu", "h100", "--fuse", "all", "--label", "q:group=384",
                         "--label", "x:stream=64", "--accounting", "hopper-attention", "--accounting", "flash-attention-3")
    kernel, found = result["kernels"][0], quantities(result)
    near(tap, "/papers/hopper/derived-rate", kernel["flops"] / kernel["units"]["tensor"] / 1e15, 1.319, 3)
    tap.equal("/papers/hopper/step", kernel["levels"][0]["step_bytes"], 24576)
    near(tap, "/papers/hopper/derived-threshold", kernel["ridge"], 295.3, 1)
    for name, expected, places in (("qk_clocks", 2.0, 2), ("pv_clocks", 4.0, 2), ("exp_clocks", 4.06, 2), ("add_clocks", .5, 2), ("peak", 1.319, 3),
                                   ("transfer_us", .968, 3), ("compute_us", 1.259, 3), ("threshold", 295.3, 1), ("one", .572, 3), ("two", 1.143, 3),
                                   ("three", 1.319, 3), ("by_smem", 3.73, 2), ("by_registers", 3.42, 2), ("warpgroups", 3, 0)):
        near(tap, f"/papers/hopper/{name}", found[name], expected, places)
    flash = quantities(result, 1)
    tap.equal("/papers/flash-attention-3/said", [one["calibrated"] for one in result["accountings"]], [False, True])
    near(tap, "/papers/flash-attention-3/f16", flash["f16_share"], 75.0, 1)
    near(tap, "/papers/flash-attention-3/fp8", flash["fp8_share"], 60.0, 1)
    text = folder.output("derive", "attention.eq", "--gpu", "h100", "--fuse", "all", "--label", "x:stream=64", "--accounting", "flash-attention-3")
    tap.check("/papers/flash-attention-3/words", None if "calibrated, not predicted" in text and "predicts nothing" in text else text)


def check_ampere(tap, folder):
    def count_on(*counts):
        return quantities(folder.json("derive", "attention.eq", "--gpu", "a100", "--fuse", "all", "--accounting", "ampere-registers", *counts))

    found = count_on()
    near(tap, "/papers/ampere/held", found["held"], 18.69, 2)
    tap.equal("/papers/ampere/parts", [found[name] for name in ("output", "queries", "scores", "weights", "statistics", "addresses")],
              [8192, 4096, 4096, 2048, 192, 512])
    tap.equal("/papers/ampere/warps", (found["warps"], found["flash_attention_2"]), (13, 8))
    near(tap, "/papers/ampere/least", found["least"], 18.29, 2)
    near(tap, "/papers/ampere/most", found["most"], 19.69, 2)
    # Counted otherwise: queries read again from SMEM leave room for more warps, outputs of twice the head size for fewer.
    tap.equal("/papers/ampere/otherwise", (count_on("--count", "queries=0")["warps"], count_on("--count", "d=256")["warps"]), (17, 8))
    text = folder.output("derive", "attention.eq", "--gpu", "a100", "--fuse", "all", "--accounting", "ampere-registers")
    tap.check("/papers/ampere/shown", None if "rows*d*4" in text and "outputs, in f32" in text else text)


def check_accounting_errors(tap, folder):
    def said(status, *arguments):
        return folder.failure(status, "derive", "attention.eq", "--gpu", "a100", "--fuse", "all", *arguments)

    folder.write("wrong.accounting", "[Accounting]\nTitle=T\nSource=S\nKind=derived\n[a]\nTitle=A\nValue=1 +\n")
    folder.write("unknown.accounting", "[Accounting]\nTitle=T\nSource=S\nKind=derived\n[a]\nTitle=A\nValue=g_q*2\n")
    for name, found, text in (("none", said(1, "--accounting", "nothing"), "ampere-registers"),
                              ("syntax", said(1, "--accounting", "wrong.accounting"), "wrong.accounting:7: [a] Value"),
                              ("symbol", said(1, "--accounting", "unknown.accounting"), "g_q"),
                              ("count", said(1, "--accounting", "ampere-registers", "--count", "tires=4"), "tires"),
                              ("number", said(2, "--accounting", "ampere-registers", "--count", "rows=many"), "rows=many"),
                              ("alone", said(2, "--count", "rows=1"), "--accounting")):
        tap.check(f"/papers/accounting/{name}", None if text in found else found)


def check_waves(tap, folder):
    for gpu, waves, ridge in (("a100", .948, 153), ("h100", .970, 295), ("b200", .865, 293), ("h200", .970, 206)):
        result = folder.json("derive", "attention.eq", "--gpu", gpu, "--fuse", "all", "--set", "q=65536", "--label", "q:group=128", "--label", "x:stream=64")
        kernel = result["kernels"][0]
        tap.equal(f"/papers/waves/{gpu}", (kernel["groups"], round(kernel["waves"], 3), kernel["ridge_tile"]), (512, waves, ridge))


def main(examples):
    tap, folder = Tap(), Folder()
    for name, text in EQUATIONS.items():
        folder.write(f"{name}.eq", text)
    check_plain(tap, folder)
    check_matmul(tap, folder)
    check_attention(tap, folder)
    check_causal(tap, folder)
    check_mlp(tap, folder)
    check_counts(tap, folder)
    check_optima(tap, folder)
    check_hopper(tap, folder, Path(examples))
    check_ampere(tap, folder)
    check_accounting_errors(tap, folder)
    check_waves(tap, folder)
    tap.finish()


main(*sys.argv[1:])
