# SPDX-License-Identifier: MIT
"""Optimises whole models: what is found unprompted, what is written, and what is remembered. Without a compiler kernels are not verified."""

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import numpy
from heddle import PROGRAM, Folder, Tap, find_nvcc

tap = Tap()
folder = Folder()
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="heddle-cache-")
compiler = "no compiler" not in folder.run("compile", folder.write("c.eq", "A : [i=8]\nB[i] = A[i] + 1\n")).stderr
compiler = compiler and folder.run("compile", "c.eq").returncode == 0


def optimise(text, *arguments):
    """The report of a model whose kernels are not verified here."""
    folder.write("model.eq", text)
    return read(folder.run("optimise", "model.eq", "--gpu", "h100", "-o", "out", "--no-verify", "--no-cache", "--json", *arguments))


def read(run):
    """The report that a run printed."""
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return json.loads(run.stdout)


def holds(name, condition):
    tap.check(name, None if condition else "it does not hold")


def kernels(report):
    return [kernel["values"] for piece in report["pieces"] for kernel in piece["kernels"]]


def labels(kernel):
    return {(label["axis"], label["kind"]): label["size"] for label in kernel["labels"]}


def kept(report):
    return [step["title"] for piece in report["pieces"] for step in piece["rewrites"] if step["kept"]]


# --- what is found unprompted ---

ATTENTION = """Q : f16[h=16, q=4096, d=128]
K : f16[h, x=4096, d]
V : f16[h, x, d]
S[h,q,x] = Q[h,q,d] K[h,x,d] * d^-0.5
P[h,q,x] = softmax[x](S[h,q,x])
O[h,q,d] = P[h,q,x] V[h,x,d]
"""
report = optimise(ATTENTION)
kernel = report["pieces"][0]["kernels"][0]
tap.equal("/optimise/attention/one-kernel", kernels(report), ["S P O"])
tap.equal("/optimise/attention/streams", kernel["streams"], "monoid")
holds("/optimise/attention/keys-stream", ("x", "stream") in labels(kernel))
# read and written once each: 4 arrays of 16 x 4096 x 128 values of 2 bytes
tap.equal("/optimise/attention/bytes", report["after"]["dram_bytes"], 4 * 16 * 4096 * 128 * 2)
holds("/optimise/attention/five-times-fewer", report["before"]["dram_bytes"] > 5 * report["after"]["dram_bytes"])
(found,) = report["pieces"][0]["found"]
tap.equal("/optimise/attention/found", [found["title"], found["attention"], found["values"], found["kernels_before"]], ["Attention", True, "S P O", 3])
tap.equal("/optimise/attention/found/bytes", [found["dram_bytes_before"], found["dram_bytes_after"]],
          [report["before"]["dram_bytes"], report["after"]["dram_bytes"]])
holds("/optimise/attention/found/sentence", f"{found['dram_bytes_before'] / found['dram_bytes_after']:.3g} times fewer bytes" in found["sentence"])
page = folder.read("out/report.html").decode()
holds("/optimise/attention/page", page.count(found["sentence"]) == 2)  # before all parts, and with its kernel

# a model that was traced has no names between: what is one statement is found as well
folder.write("traced.eq", "Q : f16[h=16, q=4096, d=128]\nK : f16[h, x=4096, d]\nV : f16[h, x, d]\n"
             "O[h,q,d] = softmax[x](sum[d](Q[h,q,d] K[h,x,d]) * d^-0.5) V[h,x,d]\n")
report = read(folder.run("optimise", "traced.eq", "--gpu", "h100", "-o", "out", "--no-verify", "--no-cache", "--json"))
tap.equal("/optimise/attention/no-names", [(one["attention"], one["kernels_before"]) for one in report["pieces"][0]["found"]], [(True, 4)])
holds("/optimise/attention/no-names/five-times-fewer", report["before"]["dram_bytes"] > 5 * report["after"]["dram_bytes"])

report = optimise("Q : f16[d=128]\nK : f16[x=131072, d]\nV : f16[x, d]\nS[x] = Q[d] K[x,d] * d^-0.5\n"
                  "P[x] = softmax[x](S[x])\nO[d] = P[x] V[x,d]\n")
split = labels(report["pieces"][0]["kernels"][0])
tap.equal("/optimise/decode/kernels", report["after"]["kernels"], 2)  # the parts, and what merges them
holds("/optimise/decode/keys-are-split", ("x", "group") in split and ("x", "stream") in split)

report = optimise("X : f16[x=8192, m=512]\nparam g : f16[m]\nparam W : f16[m, k=512]\nN[x,m] = rmsnorm[m](X[x,m]) * g[m]\n"
                  "Y[x,k] = N[x,m] W[m,k]\n")
tap.equal("/optimise/rms-norm", kernels(report), ["N Y"])

# so few rows that the launch of a kernel for the norm alone takes longer than what the fused product does again
report = optimise("X : f16[x=2048, m=512]\nparam g : f16[m]\nparam b : f16[m]\nparam W : f16[m, k=512]\n"
                  "N[x,m] = layernorm[m](X[x,m]) * g[m] + b[m]\nY[x,k] = N[x,m] W[m,k]\n")
tap.equal("/optimise/layer-norm", kernels(report), ["N Y"])
holds("/optimise/layer-norm/products-by-the-tensor-core", report["pieces"][0]["kernels"][0]["family"] != "general")

report = optimise("X : f16[x=4096, m=4096]\nparam W : f16[m, f=11008]\nparam V : f16[m, f]\nparam U : f16[f, m]\n"
                  "A[x,f] = X[x,m] W[m,f]\nB[x,f] = X[x,m] V[m,f]\nG[x,f] = silu(A[x,f]) * B[x,f]\nY[x,m] = G[x,f] U[f,m]\n")
tap.equal("/optimise/swiglu", kernels(report), ["A B G", "Y"])
tap.equal("/optimise/swiglu/refused", [(one["first"], one["second"]) for one in report["pieces"][0]["refused"]], [("A B G", "Y")])
holds("/optimise/swiglu/reason", "would take" in report["pieces"][0]["refused"][0]["reason"])

# the loss of a language model, with and without a logarithm of a softmax: the logits of 50,257 words for 4,096 places, 412 MB, are not stored
LOGITS = "X : f16[x=4096, m=512]\nparam W : f16[v=50257, m]\nT : i64[x]\nL[x,v] = X[x,m] W[v,m]\n"
for name, text, why in (("apart", "Z[x] = logsumexp[v](L[x,v])\nG[x] = L[x,T[x]]\nC[x] = Z[x] - G[x]\n-> C\n",
                         {"Products and maps that are read at chosen indices are computed only there"}),
                        ("logarithm", "P[x,v] = log(softmax[v](L[x,v]))\nN[x] = -P[x,T[x]]\nC = mean[x](N[x])\n-> C\n",
                         {"The logarithm of a softmax becomes the difference to the log-sum-exp",
                          "Products and maps that are read at chosen indices are computed only there"})):
    report = optimise(LOGITS + text)
    holds(f"/optimise/cross-entropy/{name}/logits-are-not-stored", report["after"]["dram_bytes"] < 0.2 * 4096 * 50257 * 2)
    holds(f"/optimise/cross-entropy/{name}/words-stream", any(kernel["streams"] == "monoid" and ("v", "stream") in labels(kernel)
                                                              for kernel in report["pieces"][0]["kernels"]))
    holds(f"/optimise/cross-entropy/{name}/faster", report["after"]["expected_s"] < 0.85 * report["before"]["expected_s"])
    # of a logarithm both changes may also be made as one
    together = {"The logarithm of a softmax becomes a difference, computed only where it is read"} if name == "logarithm" else why
    holds(f"/optimise/cross-entropy/{name}/why", why <= set(kept(report)) or together <= set(kept(report)))

# nothing is made one kernel that is slower than its parts
report = optimise("X : f32[x=4096, m=4096]\nT : f32[x, m]\nD[x] = mean[m]((X[x,m] - T[x,m])^2)\nY = mean[x](D[x])\n")
holds("/optimise/parts-are-faster", report["speedup"] > 0.999)

# --- what an imported layer has between its kernels ---

# queries, keys and values are one product; their heads are read where they lie in it, and the heads' results where the next product sums over them
JOINT = """X : f16[s=512, m=768]
param W : f16[m, i=2304]
param b : f16[i]
param V : f16[o=768, m]
axis j = 768
axis h = 12
axis k = 64
t1[s,i] = X[s,m] W[m,i] + b[i]
t2[s,j] = t1[s,j+0]
t3[s,j] = t1[s,j+768]
t4[s,j] = t1[s,j+1536]
q[h,s,k] = t2[s,(h k)]
r[h,t=512,k] = t3[t,(h k)]
v[h,t,l=64] = t4[t,(h l)]
a[h,s,t] = q[h,s,k] r[h,t,k] * 0.125
p[h,s,l] = softmax[t](where(t <= s, a[h,s,t], -inf)) v[h,t,l]
t5[s,o] = p[floor(o/size(l)),s,mod(o, size(l))]
Y[s,m] = t5[s,o] V[o,m] + X[s,m]
-> Y
"""
for gpu in ("a100", "h100"):
    report = optimise(JOINT, "--gpu", gpu)
    tap.equal(f"/optimise/heads/{gpu}/kernels", [report["after"]["kernels"], report["inductor"]["kernels"]], [3, 4])
    holds(f"/optimise/heads/{gpu}/by-the-tensor-core", all(kernel["family"] in ("sm80", "sm90a") for kernel in report["pieces"][0]["kernels"]))
    holds(f"/optimise/heads/{gpu}/not-slower", report["after"]["expected_s"] <= report["inductor"]["expected_s"])
if compiler:
    small = JOINT.replace("s=512", "s=96").replace("t=512", "t=96").replace("768", "128").replace("2304", "384").replace("1536", "256").replace("h = 12", "h = 2")
    folder.write("heads.eq", small)
    report = read(folder.run("optimise", "heads.eq", "--gpu", "a100", "-o", "heads", "--no-cache", "--json"))
    tap.equal("/optimise/heads/verified", [report["verified"], [piece["fallback"] for piece in report["pieces"]]], [True, [None]])

# several images at a time: a block has one head of one of them, and rows enough for the tensor core
report = optimise("axis n = 8\naxis h = 12\naxis k = 64\naxis l = 64\nq : f16[n, m=197, o=768]\nr : f16[n, m, p=768]\nv : f16[n, m, u=768]\nC : bool[n, m, i=197]\n"
                  "Q[n,h,m,k] = q[n,m,(h k)]\nK[n,h,i,k] = r[n,i,(h k)]\nV[n,h,i,l] = v[n,i,(h l)]\nS[n,h,m,i] = Q[n,h,m,k] K[n,h,i,k] * 0.125\n"
                  "P[n,h,m,i] = softmax[i](where(C[n,m,i] != 0, S[n,h,m,i], -inf))\nO[n,h,m,l] = P[n,h,m,i] V[n,h,i,l]\n-> O\n", "--gpu", "a100")
tap.equal("/optimise/images/kernels", [kernel["family"] for kernel in report["pieces"][0]["kernels"]], ["sm80"])
holds("/optimise/images/rows", labels(report["pieces"][0]["kernels"][0]).get(("m", "group"), 197) >= 16)

# weights of heads that are kept as a matrix are read where they lie
report = optimise("X : f16[s=512, m=768]\nparam W : f16[i=768, m]\nparam b : f16[i]\naxis h = 12\naxis k = 64\n"
                  "Q[h,s,k] = X[s,m] W[(h k),m] + b[(h k)]\n-> Q\n", "--gpu", "a100")
tap.equal("/optimise/weights-of-heads", [report["after"]["kernels"], report["after"]["dram_bytes"]], [1, 2 * (512 * 768 + 768 * 768 + 768 + 512 * 768)])

# halves that are turned and joined, as of rotary embeddings, are chosen of what is read in one go
report = optimise("q : f16[s=512, o=4096]\nC : f16[s, k=128]\nD : f16[s, k]\naxis h = 32\naxis i = 64\naxis j = 64\nt1[s,h,k] = q[s,(h k)]\n"
                  "Y[h,s,k] = t1[s,h,k] C[s,k] + concat[k](-t1[s,h,i+64], t1[s,h,j+0]) D[s,k]\n-> Y\n", "--gpu", "a100")
tap.equal("/optimise/turned-halves", [kernel["family"] for kernel in report["pieces"][0]["kernels"]], ["rows"])

# a block of a residual network: what a convolution reads at its windows is stored nowhere, and weights of 1 x 1 are read where they lie
BLOCK = """axis n = 8
axis y = 56
axis x = 56
param W : f16[o=64, c=256, k=1, l=1]
param V : f16[f=64, o, p=3, q=3]
param U : f16[c, f, a=1, b=1]
param g : f16[o]
X : f16[n, c, y, x]
w[o,c] = W[o,c,0,0]
A[n,o,y,x] = X[n,c,y,x] w[o,c]
B[n,o,y,x] = relu(A[n,o,y,x] * g[o])
E[n,o,y,x,p,q] = B[n,o,y+p-1,x+q-1]
F[n,f,y,x] = E[n,o,y,x,p,q] V[f,o,p,q]
G[n,f,y,x] = relu(F[n,f,y,x])
u[c,f] = U[c,f,0,0]
H[n,c,y,x] = G[n,f,y,x] u[c,f]
Y[n,c,y,x] = relu(H[n,c,y,x] + X[n,c,y,x])
-> Y
"""
report = optimise(BLOCK, "--gpu", "a100")
tap.equal("/optimise/block/products", [kernel["values"] for kernel in report["pieces"][0]["kernels"] if kernel["family"] == "sm80"], ["A B", "E F G", "H Y"])
holds("/optimise/block/kernels", report["after"]["kernels"] <= 4)  # with one that lays the weights out
holds("/optimise/block/not-slower", report["after"]["expected_s"] <= report["inductor"]["expected_s"])

# so few rows that a block for several of them would leave multiprocessors idle
report = optimise("X : f16[s=512, m=768]\nparam g : f16[m]\nparam b : f16[m]\nY[s,m] = layernorm[m](X[s,m]) g[m] + b[m]\n-> Y\n", "--gpu", "a100")
tap.equal("/optimise/few-rows", labels(report["pieces"][0]["kernels"][0]).get(("s", "group")), 1)

# --- beside what PyTorch would run ---

LAYER = """X : f16[s=512, m=256]
param g : f16[m]
param A : f16[m, h=4, k=64]
param B : f16[m, h, k]
param C : f16[m, h, k]
param D : f16[h, k, m]
param b : f16[m]
param E : f16[m, f=1024]
param F : f16[f, m]
axis t = 512
N[s,m] = layernorm[m](X[s,m]) * g[m]
Q[s,h,k] = N[s,m] A[m,h,k]
K[s,h,k] = N[s,m] B[m,h,k]
V[s,h,k] = N[s,m] C[m,h,k]
S[h,s,t] = Q[s,h,k] K[t,h,k] * 0.125
P[h,s,t] = softmax[t](where(t <= s, S[h,s,t], -inf))
O[s,h,k] = P[h,s,t] V[t,h,k]
Z[s,m] = O[s,h,k] D[h,k,m]
R[s,m] = Z[s,m] + b[m]
T[s,m] = X[s,m] + R[s,m]
M[s,m] = rmsnorm[m](T[s,m])
U[s,f] = M[s,m] E[m,f]
G[s,f] = relu(U[s,f])
H[s,m] = G[s,f] F[f,m]
Y[s,m] = T[s,m] + H[s,m]
-> Y
"""
report = optimise(LAYER)
# each norm and what follows it, three products, attention, three products more, one of them with its bias, two sums and the function between
tap.equal("/optimise/baseline/eager", report["eager"]["kernels"], 2 + 3 + 1 + 1 + 2 + 1 + 1 + 1 + 1)
# the norms with what stands beside them
tap.equal("/optimise/baseline/inductor", report["inductor"]["kernels"], 1 + 3 + 1 + 1 + 1 + 1 + 1 + 1 + 1)
holds("/optimise/baseline/in-order", report["after"]["expected_s"] < report["inductor"]["expected_s"] < report["eager"]["expected_s"])
# X is read twice by the kernels without a compiler, T is written and read besides: f16 of 512 x 256 each
holds("/optimise/baseline/bytes", report["eager"]["dram_bytes"] - report["inductor"]["dram_bytes"] >= 2 * 512 * 256 * 2)
page = folder.read("out/report.html").decode()
holds("/optimise/baseline/page", "PyTorch with Inductor" in page and f"<td>{report['inductor']['kernels']}</td>" in page)
told = folder.run("optimise", "model.eq", "--gpu", "h100", "-o", "out", "--no-verify", "--no-cache").stdout
holds("/optimise/baseline/told", re.search(r"^Inductor +11 kernels, .* MB of global memory, .* µs$", told, re.M))
# what is done element by element, and the sum of that, are one kernel of Inductor's, and what is done to the product is another
SUMMED = "X : f16[x=4096, m=1024]\nparam W : f16[m, k=512]\nA[x,m] = relu(X[x,m])\nB[x,m] = tanh(A[x,m])\nC[m] = sum[x](B[x,m])\nE[k] = C[m] W[m,k]\nY[k] = relu(E[k])\n"
report = optimise(SUMMED)
tap.equal("/optimise/baseline/summed", [report["eager"]["kernels"], report["inductor"]["kernels"]], [5, 3])

# a product of the library has the tiles that are the best for it, as ours: 98 µs were told of it, where it takes 67
ALONE = "X : f16[s=512, m=4096]\nparam W : f16[o=4096, m]\nY[s,o] = X[s,m] W[o,m]\n-> Y\n"
report = optimise(ALONE, "--gpu", "a100")
holds("/optimise/baseline/product", abs(report["inductor"]["expected_s"] - report["after"]["expected_s"]) <= 0.02 * report["after"]["expected_s"])

# a convolution of one by one on small images lies as its kernel wants it, with the channels last, and is on the tensor core
SMALL = ("X : f16[n=8, c=512, y=7, x=7]\nparam W : f16[o=2048, c]\nparam V : f16[p=512, o]\nA[n,o,y,x] = X[n,c,y,x] W[o,c]\nB[n,o,y,x] = relu(A[n,o,y,x])\n"
         "Y[n,p,y,x] = B[n,o,y,x] V[p,o]\n-> Y\n")
report = optimise(SMALL, "--gpu", "a100")
for whose in ("inductor", "after"):
    holds(f"/optimise/baseline/small-images/{whose}", report[whose]["expected_s"] < 60e-6)
# what lays a weight out runs once, before anything: it counts neither among PyTorch's kernels nor in their time; of an input it counts in both
KEYS = "Q : f16[g=8, y=2048, k=128]\nK : f16[x=2048, k, g]\nS[g,y,x] = Q[g,y,k] K[x,k,g]\n"
given, weight = optimise(KEYS), optimise(KEYS.replace("K : ", "param K : "))
for how in ("eager", "inductor"):
    tap.equal(f"/optimise/baseline/laid/{how}", [given[how]["kernels"], weight[how]["kernels"]], [2, 1])
    tap.equal(f"/optimise/baseline/laid/{how}/bytes", round(given[how]["dram_bytes"] - weight[how]["dram_bytes"]), 2 * 2048 * 128 * 8 * 2)
    holds(f"/optimise/baseline/laid/{how}/time", weight[how]["expected_s"] < given[how]["expected_s"])

# products of which parts are read as heads: the rates of units alone made one kernel of the parts and what is added, 1.7 ms instead of 29 µs
HEADS = """X : f16[n=1, s=512, m=768]
param W : f16[m, i=2304]
param b : f16[i]
axis e = 768
axis f = 768
axis g = 768
axis h = 12
axis k = 64
axis v = 64
axis t = 512
axis o = 768
L[n,s,m] = layernorm[m](X[n,s,m])
B[n,s,i] = L[n,s,m] W[m,i]
C[n,s,i] = B[n,s,i] + b[i]
E[n,s,e] = C[n,s,e+0]
F[n,s,f] = C[n,s,f+768]
G[n,s,g] = C[n,s,g+1536]
K[n,s,h,k] = F[n,s,(h k)]
V[n,s,h,v] = G[n,s,(h v)]
Q[n,s,h,k] = E[n,s,(h k)]
J[n,h,t,k] = K[n,t,h,k]
S[n,h,s,t] = Q[n,s,h,k] J[n,h,t,k]
T[n,h,s,t] = S[n,h,s,t] * 0.125
M[n,h,s,t] = where(t <= s, T[n,h,s,t], -inf)
P[n,h,s,t] = softmax[t](M[n,h,s,t])
U[n,h,t,v] = V[n,t,h,v]
O[n,h,s,v] = P[n,h,s,t] U[n,h,t,v]
Y[n,s,o] = O[n,floor(o/size(v)),s,mod(o, size(v))]
"""
report = optimise(HEADS, "--gpu", "a100")
holds("/optimise/heads-of-parts", report["after"]["expected_s"] < 1e-4)

report = optimise("X : f16[x=4096, m=1024]\nparam A : f16[m, k=1024]\nparam B : f16[m, k]\nparam C : f16[m, k]\n"
                  "Q[x,k] = X[x,m] A[m,k]\nK[x,k] = X[x,m] B[m,k]\nV[x,k] = X[x,m] C[m,k]\n")
tap.equal("/optimise/qkv", kernels(report), ["Q K V"])

# keys and values have an index of their own: they are made with the queries, of one array that is read once
SELF = "".join(f"param {w} : f16[m{'=768' if w == 'A' else ''}, h{'=12' if w == 'A' else ''}, k{'=64' if w == 'A' else ''}]\n" for w in "ABC")
report = optimise("X : f16[x=1024, m=768]\n" + SELF + "Q[x,h,k] = X[x,m] A[m,h,k]\nK[y,h,k] = X[y,m] B[m,h,k]\nV[y,h,k] = X[y,m] C[m,h,k]\n"
                  "S[h,x,y] = Q[x,h,k] K[y,h,k] * k^-0.5\nP[h,x,y] = softmax[y](where(y <= x, S[h,x,y], -inf))\nO[x,h,k] = P[h,x,y] V[y,h,k]\n")
tap.equal("/optimise/self-attention/kernels", report["after"]["kernels"], 2)
# what a rule gave another name is between what kept its own
tap.equal("/optimise/self-attention/found", [(one["title"], one["kernels_before"]) for one in report["pieces"][0]["found"]],
          [("Several products at once", 3), ("Attention", 3)])
holds("/optimise/self-attention/why", "Values of one array under two names of its axis are computed under one" in kept(report))

report = optimise("X : f16[x=4096, m=1024]\nparam W : f16[m, f=4096]\nparam b : f16[f]\nparam U : f16[f, m]\nparam c : f16[m]\n"
                  "A[x,f] = X[x,m] W[m,f]\nB[x,f] = A[x,f] + b[f]\nG[x,f] = gelu(B[x,f])\nC[x,m] = G[x,f] U[f,m]\n"
                  "D[x,m] = C[x,m] + c[m]\nY[x,m] = X[x,m] + D[x,m]\n")
tap.equal("/optimise/epilogues", [report["before"]["kernels"], report["after"]["kernels"]], [6, 2])

report = optimise("X : f16[x=4096, m=1024]\nparam W : f16[k=1024, m]\nT[m,x] = X[x,m]\nU[m,k] = W[k,m]\nY[x,k] = T[m,x] U[m,k]\n")
tap.equal("/optimise/transposes", report["after"]["kernels"], 1)

report = optimise("Q : f16[g=8, r=4, q=4096, d=128]\nK : f16[g, x=4096, d]\nV : f16[g, x, d]\nA[g,r,x,d] = K[g,x,d]\n"
                  "B[g,r,x,d] = V[g,x,d]\nS[g,r,q,x] = Q[g,r,q,d] A[g,r,x,d] * d^-0.5\nP[g,r,q,x] = softmax[x](S[g,r,q,x])\n"
                  "O[g,r,q,d] = P[g,r,q,x] B[g,r,x,d]\n")
tap.equal("/optimise/grouped-heads", report["after"]["kernels"], 1)
# keys and values are read as they are, not once for each of the 4 heads that share them
tap.equal("/optimise/grouped-heads/bytes", report["after"]["dram_bytes"], (2 * 32 + 2 * 8) * 4096 * 128 * 2)

report = optimise("X : f16[x=4096, m=1024]\nparam W : f16[m, k=1024]\nA[x,k] = X[x,m] W[m,k]\nB[x,k] = X[x,m] W[m,k]\n"
                  "Y[x,k] = relu(A[x,k]) * sigmoid(B[x,k])\n")
tap.equal("/optimise/common", kept(report), ["Values computed twice are computed once"])
tap.equal("/optimise/common/flops", report["after"]["flops"] < 0.51 * report["before"]["flops"], True)

report = optimise("A : f16[x=4096, m=4096]\nB : f16[m, n=4096]\nC : f16[n, k=16]\nD[x,n] = A[x,m] B[m,n]\nY[x,k] = D[x,n] C[n,k]\n")
tap.equal("/optimise/order", kept(report), ["Products in the cheapest order"])
# B C first: 2 * 4096 * 4096 * 16 twice, in place of 2 * 4096^3 and once that
tap.equal("/optimise/order/flops", [report["before"]["flops"], report["after"]["flops"]],
          [2 * 4096 ** 3 + 2 * 4096 ** 2 * 16, 2 * 2 * 4096 ** 2 * 16])

# --- a model of layers: worked on once ---

LAYERS = """def think(X[x,m]) -> Y[x,m]:
  param g : [m]
  param W_1 : [m, f=64]
  param b_1 : [f]
  param W_2 : [f, m]
  N[x,m] = rmsnorm[m](X[x,m]) * g[m]
  H[x,f] = gelu(N[x,m] W_1[m,f] + b_1[f])
  Y[x,m] = X[x,m] + H[x,f] W_2[f,m]

X : f16[x=96, m=64]
Z[x,m] = think^4(X)
"""
folder.write("layers.eq", LAYERS)
report = read(folder.run("optimise", "layers.eq", "-o", "layers", "--json"))
tap.equal("/optimise/layers/times", [piece["times"] for piece in report["pieces"]], [4])
holds("/optimise/layers/one-text-each", report["after"]["different_kernels"] * 4 == report["after"]["kernels"])
holds("/optimise/layers/equal", report["difference"] < 1e-12)
source = folder.read("layers/layers.cu").decode()
tap.equal("/optimise/layers/launches", [source.count("<<<"), source.count("__global__")],
          [report["after"]["kernels"], report["after"]["different_kernels"]])
holds("/optimise/layers/parameters-where-they-lie", re.search(r"\(Z_W_1\) \+ \(size_t\) 3 \* \d+ \* \d+;", source))
files = sorted(path.name for path in (folder.path / "layers").iterdir())
tap.equal("/optimise/layers/files", files,
          ["layers.cu", "layers.h"] + (["layers.py"] if compiler else []) + ["report.html", "report.json", "result.ncd"])
holds("/optimise/layers/verified", report["verified"] == compiler)
page = folder.read("layers/report.html").decode()
holds("/optimise/layers/page", page.count("<svg") >= 2 and "<script" not in page and "What was fused" in page)
holds("/optimise/layers/result", "16" not in folder.run("check", "layers/result.ncd").stderr
          and folder.run("check", "layers/result.ncd").returncode == 0)
tap.equal("/optimise/layers/report", json.loads(folder.read("layers/report.json")), report)
if compiler:
    module = folder.read("layers/layers.py").decode()
    ast.parse(module)
    tap.equal("/optimise/layers/python", [module.count('"code":'), module.count('"entry":')],
              [report["after"]["different_kernels"], report["after"]["kernels"]])

# the same model gives the same equations for the original and the result, by the evaluator
for path in ("layers.eq", "layers/result.ncd"):
    folder.run("evaluate", path, "--random", "3", "--out", f"Z={path.replace('/', '-')}.npy")
one, two = (numpy.load(folder.path / f"{name}.npy") for name in ("layers.eq", "layers-result.ncd"))
holds("/optimise/layers/evaluated", numpy.allclose(one, two, rtol=1e-12, atol=1e-12))

# weights with axes of one element that what they are multiplied with has not: of each kernel all is defined
if compiler:
    folder.write("projection.eq", "A : bf16[n=8, c=256, h=56, w=56]\nparam W : bf16[o=512, c, k=1, l=1]\naxis y = 28\naxis x = 28\n"
                 "T[n,c,y,x] = A[n,c,2*y,2*x]\nY[n,o,y,x] = sum[c,k,l](T[n,c,y,x] W[o,c,k,l])\n-> Y\n")
    holds("/optimise/one-tap", read(folder.run("optimise", "projection.eq", "--gpu", "h100", "-o", "projection", "--json"))["verified"])
    # a size that no array has is the document's, unless it is given
    holds("/optimise/one-tap/sizes", "def projection(A, W, *, y=28, x=28):" in folder.read("projection/projection.py").decode())

# --- never empty-handed ---

# a compiler that falls over one fused kernel: its part is left to kernels for each named value and says why, and all is delivered
nvcc = find_nvcc()
if nvcc:
    (folder.path / "bin").mkdir()
    folder.write("bin/nvcc", "#!/bin/sh\nfor each; do\n  case \"$each\" in *.cu) grep -q scores_kernel \"$each\""
                 " && { echo 'no registers; kernels <b>'; echo 'more'; exit 139; };; esac\ndone\n" + f"exec {nvcc} \"$@\"\n")
    (folder.path / "bin" / "nvcc").chmod(0o755)
    folder.write("scores.eq", ATTENTION.replace("=4096", "=64").replace("h=16", "h=2"))
    kept_environment = dict(os.environ)
    os.environ |= {"PATH": f"{folder.path}/bin:{os.environ['PATH']}", "HEDDLE_COMPILER": "nvcc"}
    run = folder.run("optimise", "scores.eq", "--gpu", "h100", "-o", "scores", "--no-cache")
    tap.equal("/optimise/fallback/exit", run.returncode, 0)
    holds("/optimise/fallback/said", "  left unfused: nvcc: no registers; kernels <b>\n" in run.stdout)
    left = json.loads(folder.read("scores/report.json"))
    (piece,) = left["pieces"]
    tap.equal("/optimise/fallback/reason", piece["fallback"], "nvcc: no registers; kernels <b>")
    tap.equal("/optimise/fallback/kernels", [kernel["values"] for kernel in piece["kernels"]], ["S", "P", "O"])
    tap.equal("/optimise/fallback/cost", left["after"]["dram_bytes"], left["before"]["dram_bytes"])
    holds("/optimise/fallback/verified", piece["verified"])
    holds("/optimise/fallback/page", "left unfused: nvcc: no registers; kernels &lt;b&gt;." in folder.read("scores/report.html").decode())
    holds("/optimise/fallback/module", (folder.path / "scores" / "scores.py").exists())
    # of several fused kernels only the bad ones are taken apart: one that does not compile, and one that is wrong
    folder.write("two.eq", ATTENTION.replace("=4096", "=64").replace("h=16", "h=2")
                 + "param W : f16[h, d, m=2048]\nparam U : f16[m, f=4096]\nY[q,m] = O[h,q,d] W[h,d,m]\nR[q,m] = rmsnorm[m](Y[q,m])\n"
                   "Z[q,f] = relu(R[q,m] U[m,f])\n-> Z\n")
    two = read(folder.run("optimise", "two.eq", "--gpu", "h100", "-o", "two", "--no-cache", "--no-verify", "--json"))
    tap.equal("/optimise/unfused/none", [[kernel["values"] for kernel in two["pieces"][0]["kernels"]], two["pieces"][0]["unfused"]],
              [["S P O Y", "R Z"], []])
    folder.write("bin/nvcc", "#!/bin/sh\nfor each; do\n  case \"$each\" in *.cu) grep -q S_P_O_Y_kernel \"$each\" && [ \"$BAD\" = S ]"
                 " && { echo 'no registers; kernels <b>'; exit 139; }\n"
                 "    grep -q R_Z_kernel \"$each\" && [ \"$BAD\" = R ] && sed -i 's/(1.0f, coarse_sqrt (/(1.0f, 2.0f + coarse_sqrt (/' \"$each\";; esac\ndone\n"
                 + f"exec {nvcc} \"$@\"\n")
    os.environ["HEDDLE_COMPILE_CACHE"] = "none"
    for bad, values, reason, expected in (("S", "S P O Y", "^nvcc: no registers; kernels <b>$", ["S", "P", "O", "Y", "R Z"]),
                                          ("R", "R Z", "^kernel “R_Z” is wrong: Z is off by ", ["S P O Y", "R", "Z"])):
        os.environ["BAD"] = bad
        run = folder.run("optimise", "two.eq", "--gpu", "h100", "-o", f"two-{bad}", "--no-cache")
        (piece,) = json.loads(folder.read(f"two-{bad}/report.json"))["pieces"]
        tap.equal(f"/optimise/unfused/{bad}/kernels", [kernel["values"] for kernel in piece["kernels"]], expected)
        tap.equal(f"/optimise/unfused/{bad}/values", [kernel["values"] for kernel in piece["unfused"]], [values])
        holds(f"/optimise/unfused/{bad}/reason", re.search(reason, piece["unfused"][0]["reason"]))
        tap.equal(f"/optimise/unfused/{bad}/rest", [run.returncode, piece["fallback"], piece["verified"]], [0, None, True])
        holds(f"/optimise/unfused/{bad}/said", f"  {values} left unfused: " in run.stdout)
        holds(f"/optimise/unfused/{bad}/page", f">{values} left unfused: " in folder.read(f"two-{bad}/report.html").decode())
    os.environ.update(kept_environment)
    for name in ("HEDDLE_COMPILER", "HEDDLE_COMPILE_CACHE", "BAD"):
        os.environ.pop(name) if name not in kept_environment else None
else:
    tap.skip("/optimise/fallback", "nvcc is not installed")

# what is joined of parts of a fixed length, and read as another axis, is compared where all other axes are short
halves = optimise("X : f16[s=4096, o=64]\nW : f16[k=128, f=4096]\naxis x = 4096\nA[s,k] = concat[k](X[s,o], X[s,o])\n"
                  "B[s,f] = A[s,k] W[k,f]\nT[x,f] = B[x,f]\nS[s,x] = B[s,f] T[x,f]\n-> S\n")
tap.equal("/optimise/compared-short", [halves["difference"], halves["compared_at"]], [0, "s=64 o=64 k=128 f=64 x=64"])

# what is too large to be compared is delivered, and said not to be compared
left = optimise("X : f16[a=200000, b=200000]\nI : i64[i=64]\nJ : i64[i]\nY[i] = X[I[i],J[i]]\n")
tap.equal("/optimise/not-compared", [left["difference"], left["compared_at"]], [None, None])
holds("/optimise/not-compared/why", "its arrays take 320" in left["not_compared"] and "were not compared" in folder.read("out/report.html").decode())

# --- a long model that repeats nothing ---

# It is searched in parts, between which as little passes as can be. A search that has no steps left says so, and its kernels are those of a plan.
narrow = {0: 48, 12: 16, 22: 40}
sizes = [narrow.get(i, 64 + 8 * i) for i in range(23)]
chain = f"X0 : f16[n=256, m0={sizes[0]}]\n" + "".join(
    f"param W{i} : f16[m{i}, f{i}={512 + 16 * i}]\nparam U{i} : f16[f{i}, m{i + 1}={sizes[i + 1]}]\n"
    f"F{i}[n,f{i}] = relu(X{i}[n,m{i}] W{i}[m{i},f{i}])\nX{i + 1}[n,m{i + 1}] = F{i}[n,f{i}] U{i}[f{i},m{i + 1}]\n" for i in range(22)) + "-> X22\n"
searched = {steps: optimise(chain, "--steps", steps) for steps in ("1", "1000000")}
for steps, made in searched.items():
    ends = [piece["kernels"][-1]["values"].split()[-1] for piece in made["pieces"]]
    tap.equal(f"/optimise/long/{steps}/parts", ends, ["X12", "X22"])
    tap.equal(f"/optimise/long/{steps}/same", made["difference"], 0)
holds("/optimise/long/all", all(piece["ways"] == piece["searched"] > 0 for piece in searched["1000000"]["pieces"]))
holds("/optimise/long/short", all(0 < piece["searched"] < piece["ways"] for piece in searched["1"]["pieces"]))
holds("/optimise/long/slower", searched["1"]["after"]["expected_s"] >= searched["1000000"]["after"]["expected_s"])
tap.equal("/optimise/long/again", optimise(chain, "--steps", "1")["after"], searched["1"]["after"])
said = folder.run("optimise", "model.eq", "--gpu", "h100", "-o", "out", "--no-verify", "--no-cache", "--steps", "1")
told = f"searched {searched['1']['pieces'][0]['searched']} of {searched['1']['pieces'][0]['ways']} ways to make its kernels"
holds("/optimise/long/said", f"  {told}: the steps of the search were used up\n" in said.stdout)
holds("/optimise/long/page", f"<p class=\"bad\">S{told[1:]}: the steps" in folder.read("out/report.html").decode())
said = folder.run("optimise", "model.eq", "-o", "out", "--steps", "0")
tap.equal("/optimise/long/misused", [said.returncode, "--steps 0: expected a whole number of at least 1 and at most" in said.stderr], [2, True])

# --- what is remembered ---

if compiler:
    again = read(folder.run("optimise", "layers.eq", "-o", "again", "--json"))
    tap.equal("/optimise/remembered", [piece["remembered"] for piece in again["pieces"]], [True])
    tap.equal("/optimise/remembered/found", [piece["found"] for piece in again["pieces"]], [piece["found"] for piece in report["pieces"]])
    tap.equal("/optimise/remembered/same", [again["after"], folder.read("again/layers.cu")],
              [report["after"], folder.read("layers/layers.cu")])
    other = read(folder.run("optimise", "layers.eq", "--gpu", "a100", "-o", "other", "--json"))
    tap.equal("/optimise/remembered/not-for-others", [piece["remembered"] for piece in other["pieces"]], [False])
    for path in (Path(os.environ["XDG_CACHE_HOME"]) / "heddle" / "optimise").iterdir():
        path.write_bytes(b"[piece]\ndocument=<heddle\n\xff")
    broken = read(folder.run("optimise", "layers.eq", "-o", "again", "--json"))
    tap.equal("/optimise/remembered/broken", [broken["pieces"][0]["remembered"], broken["after"]], [False, report["after"]])

# --- stopping ---

process = subprocess.Popen([PROGRAM, "optimise", "model.eq", "-o", "stopped", "--no-cache"], cwd=folder.path, stderr=subprocess.PIPE, text=True)
process.stderr.readline()
process.send_signal(signal.SIGINT)
said = process.stderr.read()
stopped = process.wait()
holds("/optimise/stopped", stopped == 0 or (stopped == 1 and "stopped" in said and not (folder.path / "stopped").exists()))

# --- names from a model ---

HOSTILE = "</title><img src=x onerror=alert(1)>\n\"\"\"'$(touch owned)\\"
folder.write("words.eq", "# </script><b>'''\"\"\" $(touch owned) \\input{x} */ #error\nclass : f16[x=64, for=64]\n"
             "param lambda : f16[for, k=32]\nimport[x,k] = gelu(class[x,for] lambda[for,k])  # <img src=x> */ \"\"\"\n"
             "W'[x] = sum[k](import[x,k])\n")
folder.run("export", "words.eq", "-o", "words.ncd")
text = folder.read("words.ncd").decode()
quoted = HOSTILE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("\n", "&#10;")
folder.write("words.ncd", text.replace('name="words"', f'name="{quoted}"'))
run = folder.run("optimise", "words.ncd", "-o", "words")
tap.equal("/optimise/names/done", run.returncode, 0)
names = sorted(path.name for path in (folder.path / "words").iterdir())
holds("/optimise/names/files", all(re.fullmatch(r"[A-Za-z0-9_]+\.[a-z]+", name) for name in names))
page = folder.read("words/report.html").decode()
tags = set(re.findall(r"<([a-zA-Z]+)", page))
tap.equal("/optimise/names/page", tags & {"img", "script", "b", "iframe", "object", "link"}, set())
holds("/optimise/names/page-escaped", "&lt;img src=x" in page)
for name in names:
    if name.endswith(".py"):
        tree = ast.parse(folder.read(f"words/{name}").decode())
        called = {node.names[0].name for node in ast.walk(tree) if isinstance(node, ast.Import)}
        tap.equal("/optimise/names/python", called, {"base64", "ctypes", "threading", "zlib", "torch"})
    if name.endswith(".cu"):
        code = [line for line in folder.read(f"words/{name}").decode().splitlines() if not line.lstrip().startswith("//")]
        holds("/optimise/names/cuda", not any("touch" in re.sub(r"\w*touch_owned\w*", "", line) or "<img" in line for line in code))
holds("/optimise/names/nothing-ran", not (folder.path / "owned").exists())

# --- what is left out is told ---

folder.write("pair.eq", "X : f16[n=64, m=64]\nW : f16[m, f=64]\nY[n,f] = X[n,m] W[m,f]\n")
folder.output("derive", "pair.eq", "--gpu", "h100", "--fuse", "none", "--label", "Y/f:group@node=16", "--apply", "-o", "links.ncd")
for name, told in ("pair.eq", False), ("links.ncd", True):
    run = folder.run("optimise", name, "--gpu", "h100", "--no-verify", "--no-cache", "-o", "pair")
    tap.equal(f"/optimise/links/{name}", (run.returncode, "one GPU" in run.stderr), (0, told))

# --- what no search gets through ---

# Of one kernel for all of it a single look at its cost takes longer than a search may: it is cut, and that is no fault.
COLUMNS = 90
folder.write("wide.eq", "A : f32[i=64]\n" + "".join(f"B{k}[i] = A[i-{k % 3}] * {k}\n" for k in range(COLUMNS))
             + "O[i] = " + " + ".join(f"B{k}[i]" for k in range(COLUMNS)) + "\n")
holds("/optimise/wide", len(read(folder.run("optimise", "wide.eq", "--gpu", "a100", "-o", "wide", "--no-verify", "--no-cache", "--json"))["pieces"]) > 0)

# --- what nobody knows ---

# What the boxes do is known here alone, which runs them between the stages.
folder.write("boxes.eq", """def bend(X[n,f]) -> Y[n,f]:
  X : f32[n=6, f=5]
  Y : f32[n, f]

def turn(X[n,k]) -> Y[n,k]:
  X : f32[n=6, k=7]
  Y : f32[n, k]

X : f32[n=6, m=8]
param W : f32[m, f=5]
param V : f32[f, k=7]
Z[n,f] = relu(X[n,m] W[m,f])
B[n,f] = bend(Z)
T[n,k] = (B[n,f] + Z[n,f]) V[f,k]
U[n,k] = turn(T)
O[n,k] = softmax[k](U[n,k]) + T[n,k]
S[n] = sum[f](Z[n,f])
""")
folder.output("import", "boxes.eq", "-o", "boxes.ncd")
report = read(folder.run("optimise", "boxes.ncd", "--gpu", "a100", "-o", "boxes", "--no-verify", "--no-cache", "--json"))
tap.equal("/optimise/boxes/named", [(box["name"], box["reads"], box["makes"], box["after_stage"]) for box in report["boxes"]],
          [("bend", ["Z"], ["B"], 1), ("turn", ["T"], ["U"], 2)])
holds("/optimise/boxes/reason", all("not known" in box["reason"] for box in report["boxes"]))
tap.equal("/optimise/boxes/stages", [(stage["folder"], stage["failed"]) for stage in report["stages"]], [(f"stage-{i}", None) for i in (1, 2, 3)])
known = {name: numpy.random.default_rng(5).normal(size=shape).astype("float32") for name, shape in {"X": (6, 8), "W": (8, 5), "V": (5, 7)}.items()}
wanted = {"Z": numpy.maximum(known["X"] @ known["W"], 0)}
wanted["B"] = numpy.sin(wanted["Z"])
wanted["T"] = (wanted["B"] + wanted["Z"]) @ known["V"]
wanted["U"] = numpy.cos(wanted["T"])
wanted["O"] = numpy.exp(wanted["U"]) / numpy.exp(wanted["U"]).sum(1, keepdims=True) + wanted["T"]
wanted["S"] = wanted["Z"].sum(1)
for i, given, made in ((1, "XW", "ZS"), (2, "ZBV", "T"), (3, "TU", "O")):
    for name in given:
        numpy.save(folder.path / f"{name}.npy", known[name])
    folder.output("evaluate", f"boxes/stage-{i}/result.ncd", *[part for name in given for part in ("--in", f"{name}={name}.npy")],
                  *[part for name in made for part in ("--out", f"{name}={name}.npy")])
    for name in made:
        known[name] = numpy.load(folder.path / f"{name}.npy").astype("float32")
        holds(f"/optimise/boxes/{name}", numpy.allclose(known[name], wanted[name], atol=1e-4))
    known |= {"B": numpy.sin(known["Z"])} if i == 1 else {"U": numpy.cos(known["T"])} if i == 2 else {}
run = folder.run("optimise", "boxes.ncd", "--gpu", "a100", "-o", "boxes", "--no-verify", "--no-cache")
holds("/optimise/boxes/told", "stage 3 of 3" in run.stdout and "after stage 1: bend makes B of Z" in run.stdout)
folder.write("only.eq", "def bend(X[n]) -> Y[n]:\n  X : f32[n=6]\n  Y : f32[n]\n\nX : f32[n=6]\nB[n] = bend(X)\n")
folder.output("import", "only.eq", "-o", "only.ncd")
holds("/optimise/boxes/nothing-else", "not known" in folder.failure(1, "optimise", "only.ncd", "--gpu", "a100", "-o", "only"))
folder.write("first.eq", "def bend(X[n]) -> Y[n]:\n  X : f32[n=6]\n  Y : f32[n]\n\nX : f32[n=6]\nB[n] = bend(X)\nO[n] = B[n] * 2\n")
folder.output("import", "first.eq", "-o", "first.ncd")
holds("/optimise/boxes/first", "run first: bend" in folder.run("optimise", "first.ncd", "--gpu", "a100", "-o", "first", "--no-verify").stdout)

# --- what is wrong ---

holds("/optimise/wrong/folder", "-o DIR" in folder.failure(2, "optimise", "model.eq"))
holds("/optimise/wrong/machine", "abstract" in folder.failure(1, "optimise", "model.eq", "--gpu", "two-level", "-o", "out"))
folder.write("empty.eq", "A : [i=8]\n")
holds("/optimise/wrong/empty", "nothing to compute" in folder.failure(1, "optimise", "empty.eq", "-o", "out"))
folder.write("occupied", "a file")
holds("/optimise/wrong/occupied", "occupied" in folder.failure(1, "optimise", "c.eq", "-o", "occupied"))

shutil.rmtree(os.environ["XDG_CACHE_HOME"])
tap.finish()
