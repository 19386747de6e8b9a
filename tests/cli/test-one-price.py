#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One planner, one clock: what is suggested fits, has one price wherever that is told, and is never slower than what is made where nothing is asked for.

test-one-price.py EXAMPLES [--part I/N]
test-one-price.py EXAMPLES --random N FIRST

With --part the Ith of N parts of all examples, with --random N networks at random from that seed on, else a few of both that are quick."""

import json
import random
import re
import sys
from pathlib import Path

from heddle import Folder, Tap
from random_networks import Network

GPUS = ("a100", "h100")
QUICK = ("associated-transpose", "attention", "attention-backward", "causal-attention", "convolution", "depthwise-convolution", "grouped-query-attention",
         "image-convolution", "layernorm-linear", "matrix-chain", "matrix-product", "multi-head-attention", "residual-mlp", "sequence-parallel-attention", "softmax",
         "strided-convolution", "swiglu", "tensor-parallel-mlp", "transpose")
# Networks at random of which each showed a fault once.
FOUND = (0, 5, 15, 21, 24, 41, 80, 94, 99, 108, 118)
# Heads, masks and lengths of attention as models have them.
HEADS = (64, 128, 256)
LENGTHS = (512, 2048, 16384)

# Kernels that take so many times as long as others are as good.
ALIKE = 1.02
# Not for the tensor cores: it is done in registers, by plain arithmetic.
PRODUCT = """A : f32[a={n}, k={n}]
B : f32[k, b={n}]
C[a,b] = A[a,k] B[k,b]
-> C
"""
SIZES = (512, 1024, 4096)

ATTENTION = """Q : f16[h=16, q={length}, d={head}]
K : f16[h, x={length}, d]
V : f16[h, x, d]
S[h,q,x] = Q[h,q,d] K[h,x,d] * d^-0.5
P[h,q,x] = softmax[x]({scores})
O[h,q,d] = P[h,q,x] V[h,x,d]
-> O
"""

# Two layers: queries and keys are turned, and heads attend to those before them.
LAYERS = """def layer(X[s,m], C[s,k], D[s,k]) -> Y[s,m]:
  C : f16[s=512, k=128]
  D : f16[s, k]
  param g : f16[m=4096]
  param Q : f16[o=4096, m]
  param K : f16[u=4096, m]
  param V : f16[v=4096, m]
  param O : f16[m, i=4096]
  axis h = 32
  axis z = 512
  axis c = 128
  N[s,m] = rmsnorm[m](X[s,m]) * g[m]
  q[s,o] = N[s,m] Q[o,m]
  p[s,u] = N[s,m] K[u,m]
  w[s,v] = N[s,m] V[v,m]
  a1[h,s,k] = q[s,(h k)] C[s,k]
  a2[h,s,k] = q[s,h*128+k+64]
  a3[h,s,k] = q[s,h*128+k-64]
  a4[h,s,k] = where(k < 64, -a2[h,s,k], a3[h,s,k])
  a5[h,s,k] = a4[h,s,k] D[s,k]
  a[h,s,k] = a1[h,s,k] + a5[h,s,k]
  b1[h,s,k] = p[s,(h k)] C[s,k]
  b2[h,s,k] = p[s,h*128+k+64]
  b3[h,s,k] = p[s,h*128+k-64]
  b4[h,s,k] = where(k < 64, -b2[h,s,k], b3[h,s,k])
  b5[h,s,k] = b4[h,s,k] D[s,k]
  b[h,s,k] = b1[h,s,k] + b5[h,s,k]
  e[h,s,z] = a[h,s,k] b[h,z,k]
  f[h,s,z] = where(z <= s, e[h,s,z] * 0.0884, -inf)
  l[h,s,z] = softmax[z](f[h,s,z])
  r[h,z,c] = w[z,(h c)]
  j[h,s,c] = l[h,s,z] r[h,z,c]
  t[s,i] = j[floor(i/128),s,mod(i, 128)]
  y[s,m] = t[s,i] O[m,i]
  Y[s,m] = X[s,m] + y[s,m]

X : f16[s, m=4096]
C : f16[s=512, k=128]
D : f16[s, k]
Y[s,m] = layer^2(X, C, D)
-> Y
"""
# One of their products.
QUERIES = """N : f16[s=512, m=4096]
param Q : f16[o=4096, m]
q[s,o] = N[s,m] Q[o,m]
-> q
"""


def total(result):
    return result["total"]["expected_s"]


def same(one, other):
    return abs(one - other) <= 1e-12 * max(abs(one), abs(other))


def without_asking(folder, gpu):
    """Seconds of the kernels that are exported where nobody asks for anything."""
    run = folder.run("export", "given.ncd", "--gpu", gpu, "-o", "plain.cu", "--no-verify")
    if run.returncode != 0:
        raise AssertionError(f"export on {gpu}: {run.returncode}\n{run.stderr}")
    text = folder.read("plain.cu").decode()
    # A kernel that stands at several places is printed once and started at each.
    heads = re.findall(r"^// (\w+), for .*?^// +bound on [^:]*: ([0-9.e+-]+) ms", text, re.MULTILINE | re.DOTALL)
    return sum(float(milliseconds) * text.count(f" {name}<<<") for name, milliseconds in heads) * 1e-3


def check_sum(result):
    """The parts of each kernel add up to its time, and the kernels, with what GPUs send, to the whole."""
    kernels = sum(kernel["time"]["expected_s"] for kernel in result["kernels"])
    if result.get("sharding"):
        kernels += result["sharding"]["seconds"]
    if not abs(kernels - total(result)) <= 1e-9 * total(result):
        return f"the kernels take {kernels}, the whole {total(result)}"
    for kernel in result["kernels"]:
        parts = sum(part["seconds"] for part in kernel["time"]["parts"])
        if not abs(parts - kernel["time"]["expected_s"]) <= 1e-9 * kernel["time"]["expected_s"]:
            return f"the parts of {kernel['operations']} take {parts}, the kernel {kernel['time']['expected_s']}"
    return None


def check_suggestion(tap, folder, name, gpu):
    suggested = folder.json("derive", "given.ncd", "--gpu", gpu, "--suggest", "--fuse", "best")
    folder.output("derive", "given.ncd", "--gpu", gpu, "--suggest", "--fuse", "best", "--apply", "-o", "applied.ncd")
    applied = folder.json("derive", "applied.ncd", "--gpu", gpu)
    misfits = [kernel["operations"] for kernel in suggested["kernels"] if not kernel["fits"]]
    tap.check(f"{name}/fits", f"{misfits} do not fit" if misfits else None)
    tap.check(f"{name}/applied", None if same(total(suggested), total(applied)) else f"suggested {total(suggested)}, applied {total(applied)}")
    tap.check(f"{name}/sum", check_sum(suggested))
    plain = without_asking(folder, gpu) + (suggested["sharding"]["seconds"] if suggested.get("sharding") else 0)
    drawn = folder.json("derive", "given.ncd", "--gpu", gpu, "--suggest", "--fuse", "none")
    # What each GPU of several does is cut into kernels by itself.
    if all(kernel["fits"] for kernel in drawn["kernels"]) and not suggested.get("sharding"):
        tap.check(f"{name}/drawn", None if total(suggested) <= ALIKE * total(drawn) else f"suggested {total(suggested)}, as drawn {total(drawn)}")
    tap.check(f"{name}/never-slower", None if total(suggested) <= ALIKE * plain else f"suggested {total(suggested)}, without asking {plain}")
    return suggested


def check_document(tap, folder, stem, gpu):
    name = f"/one-price/{stem}/{gpu}"
    suggested = check_suggestion(tap, folder, name, gpu)
    run = folder.run("optimise", "given.ncd", "--gpu", gpu, "-o", "made", "--no-verify", "--no-cache", "--json")
    tap.check(f"{name}/made", f"{run.returncode}\n{run.stderr}" if run.returncode else None)
    if run.returncode != 0:
        return
    optimised = json.loads(run.stdout)
    written = folder.json("derive", "made/result.ncd", "--gpu", gpu)
    tap.check(f"{name}/optimised", None if same(optimised["after"]["expected_s"], total(written))
              else f"optimise says {optimised['after']['expected_s']}, its result takes {total(written)}")
    # A large document is worked on in parts, none of which has a kernel that reaches into the next. What is rewritten so that
    # less is moved may take a little longer.
    rewrites = [rewrite for piece in optimised["pieces"] for rewrite in piece["rewrites"] if rewrite["kept"]]
    if not suggested.get("sharding") and len(optimised["pieces"]) == 1 and all(each["after_s"] < each["before_s"] for each in rewrites):
        tap.check(f"{name}/optimised-as-suggested", None if optimised["after"]["expected_s"] <= (1 + 1e-9) * total(suggested)
                  else f"optimise finds {optimised['after']['expected_s']}, Suggest {total(suggested)}")


def check_example(tap, folder, path, gpu):
    folder.write("given.ncd", path.read_bytes())
    check_document(tap, folder, path.stem, gpu)


def check_product(tap, folder, n, gpu):
    """A product of f32 fused by hand takes no longer than one that nobody fused."""
    folder.write("product.eq", PRODUCT.format(n=n))
    folder.output("import", "product.eq", "-o", "given.ncd")
    check_document(tap, folder, f"f32-product-{n}", gpu)
    free, fused = (total(folder.json("derive", "given.ncd", "--gpu", gpu, "--suggest", *fuse)) for fuse in ((), ("--fuse", "all")))
    tap.check(f"/one-price/f32-product-{n}/{gpu}/fused", None if fused <= free * 1.02 else f"fused {fused}, else {free}")


def check_mixed(tap, folder, gpu):
    """A factor of a shorter type costs its conversions, and no loop over points."""
    seconds = []
    for dtype in ("f32", "f16", "bf16"):
        folder.write("product.eq", PRODUCT.format(n=1024).replace("B : f32", f"B : {dtype}"))
        seconds.append(total(folder.json("derive", "product.eq", "--gpu", gpu, "--suggest")))
    tap.check(f"/one-price/mixed-product/{gpu}", None if max(seconds) <= 1.5 * seconds[0] else f"{seconds} s")


def check_network(tap, folder, seed, gpu):
    folder.write("network.eq", Network(random.Random(seed)).text())
    folder.output("import", "network.eq", "-o", "given.ncd")
    check_suggestion(tap, folder, f"/one-price/network-{seed}/{gpu}", gpu)


def check_attention(tap, folder, gpu, head, length, causal):
    scores = "where(x <= q, S[h,q,x], -inf)" if causal else "S[h,q,x]"
    folder.write("attention.eq", ATTENTION.format(head=head, length=length, scores=scores))
    folder.output("derive", "attention.eq", "--gpu", gpu, "--suggest", "--apply", "-o", "applied.ncd")
    folder.output("export", "applied.ncd", "-o", "applied.cu", "--no-verify")
    text = folder.read("applied.cu").decode()
    tap.check(f"/one-price/attention/{head}/{length}{'/causal' if causal else ''}",
              None if "wgmma.mma_async" in text and "mma.sync" not in text else "a kernel is not made by warpgroups")


def check_layers(tap, folder, gpu):
    """What is fused has the labels that are suggested for it: neither is had without the other."""
    name = f"/one-price/layers/{gpu}"
    folder.write("layers.eq", LAYERS)
    folder.write("queries.eq", QUERIES)
    optimised = json.loads(folder.run("optimise", "layers.eq", "--gpu", gpu, "-o", "made", "--no-verify", "--no-cache", "--json").stdout)
    alone = total(folder.json("derive", "queries.eq", "--gpu", gpu, "--suggest"))
    kernels = [kernel for piece in optimised["pieces"] for kernel in piece["kernels"]]
    products = [kernel for kernel in kernels if kernel["operations"] == 1 and kernel["flops"] > 0]
    tap.check(f"{name}/alone", None if products else "no product is by itself")
    for kernel in products:
        tap.check(f"{name}/{kernel['values']}", None if kernel["expected_s"] <= ALIKE * alone else f"takes {kernel['expected_s']}, by itself {alone}")
    ours, theirs = optimised["after"], optimised["inductor"]
    tap.check(f"{name}/kernels", None if ours["kernels"] <= theirs["kernels"] else f"{ours['kernels']}, of Inductor {theirs['kernels']}")
    tap.check(f"{name}/seconds", None if ours["expected_s"] <= theirs["expected_s"] else f"{ours['expected_s']}, of Inductor {theirs['expected_s']}")


def check_networks(tap, folder, seeds):
    for seed in seeds:
        for gpu in GPUS:
            check_network(tap, folder, seed, gpu)


def main():
    # The largest examples take minutes beside other work.
    tap, folder = Tap(), Folder(seconds=1800)
    if sys.argv[2:3] == ["--random"]:
        n, first = (int(number) for number in sys.argv[3:])
        check_networks(tap, folder, range(first, first + n))
        tap.finish()
    examples = sorted(Path(sys.argv[1]).glob("*.ncd"))
    if len(sys.argv) > 3:
        own, n = (int(number) for number in sys.argv[3].split("/"))
        examples = examples[own - 1 :: n]
    else:
        examples = [path for path in examples if path.stem in QUICK]
        check_networks(tap, folder, FOUND)
    for path in examples:
        for gpu in GPUS:
            check_example(tap, folder, path, gpu)
    for n in SIZES if len(sys.argv) < 4 or own == 1 else ():
        for gpu in GPUS:
            check_product(tap, folder, n, gpu)
    for gpu in GPUS if len(sys.argv) < 4 or own == 1 else ():
        check_mixed(tap, folder, gpu)
    for gpu in GPUS if len(sys.argv) > 3 and own == 1 else ():
        check_layers(tap, folder, gpu)
    for head in HEADS if len(sys.argv) < 4 or own == 1 else ():
        for length in LENGTHS:
            for causal in (False, True):
                check_attention(tap, folder, "h100", head, length, causal)
    tap.finish()


main()
