#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`heddle differentiate`: the file it writes, against the backward pass of attention in NumPy; what it refuses."""

import numpy as np

from heddle import Folder, Tap

ATTENTION = """Q : f64[q=5, d=4]
K : f64[x=6, d]
V : f64[x, v=3]
S[q,x] = Q[q,d] K[x,d]
P[q,x] = softmax[x](S[q,x] * d^-0.5)
O[q,v] = P[q,x] V[x,v]
"""

BACKWARD = """Q : f64[q=5, d=4]
K : f64[x=6, d]
V : f64[x, v=3]
dO : f64[q, v]
S[q,x] = Q[q,d] K[x,d]
P[q,x] = softmax[x](S[q,x] * d^-0.5)
dP[q,x] = dO[q,v] V[x,v]
dV[x,v] = dO[q,v] P[q,x]
t5[q,x] = P[q,x] (dP[q,x] - sum[x](P[q,x] dP[q,x]))
dS[q,x] = t5[q,x] * d^-0.5
dQ[q,d] = dS[q,x] K[x,d]
dK[x,d] = dS[q,x] Q[q,d]
-> dQ, dK, dV
"""

# What reads in several ways, so that its backward diagram has masks, sums and names that need care.
OTHERS = {
    "convolution": ("""X : f32[x=9, c=2]
param W : f32[w=3, c, f=4]
Y[z=5,f] = X[2*z + w - 1, c] W[w,c,f]
L[f] = layernorm[f](max[z](Y[z,f]))
""", ["X", "W"]),
    "mlp": ("""X : f32[t=16, m=8]
param W : f32[m, h=12]
param \\bar b : f32[h]
Y[t,m] = X[t,m] + gelu(rmsnorm[m, eps=1e-6](X[t,m]) W[m,h] + \\bar b[h]) W[m,h]
""", ["X", "W", "\\bar b"]),
    "self": ("""X : f32[q=6, m=4]
A : f32[m, d=2]
P[q,x] = softmax[x](where(x <= q, X[q,m] A[m,d] A[n,d] X[x,n], -inf))
O[q,m] = P[q,x] X[x,m]
""", ["A", "X"]),
}


def attention(q, k, v, do):
    """The backward pass by hand: dQ, dK, dV."""
    s = q @ k.T / np.sqrt(q.shape[1])
    p = np.exp(s - s.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    dp = do @ v.T
    ds = p * (dp - (p * dp).sum(1, keepdims=True)) / np.sqrt(q.shape[1])
    return ds @ k, ds.T @ q, p.T @ do


def check_attention(tap, folder):
    folder.write("a.eq", ATTENTION)
    tap.equal("/differentiate/silent", folder.output("differentiate", "a.eq", "--wrt", "Q", "K", "V", "-o", "b.ncd"), "")
    tap.equal("/differentiate/equations", folder.output("equations", "b.ncd"), BACKWARD)
    random = np.random.default_rng(3)
    arrays = [random.standard_normal(shape) for shape in ((5, 4), (6, 4), (6, 3), (5, 3))]
    arguments = []
    for name, array in zip(("Q", "K", "V", "dO"), arrays):
        np.save(folder.path / f"{name}.npy", array)
        arguments += ["--in", f"{name}={name}.npy"]
    for name in ("dQ", "dK", "dV"):
        arguments += ["--out", f"{name}={name}.npy"]
    folder.output("evaluate", "b.ncd", *arguments)
    for name, expected in zip(("dQ", "dK", "dV"), attention(*arrays)):
        error = np.abs(np.load(folder.path / f"{name}.npy") - expected).max()
        tap.check(f"/differentiate/numpy/{name}", None if error < 1e-13 else f"off by {error}")


def check_others(tap, folder):
    """Each written file is without errors, and its equations read as the same diagram."""
    for name, (text, wrt) in OTHERS.items():
        folder.write(f"{name}.eq", text)
        arguments = [argument for value in wrt for argument in ("--wrt", value)]
        said = folder.json("differentiate", f"{name}.eq", *arguments, "-o", f"{name}.ncd")
        tap.equal(f"/differentiate/json/{name}", (said["output"], said["diagram"], len(said["outputs"])),
                  (f"{name}.ncd", f"{name}-backward", len(wrt)))
        equations = folder.output("equations", f"{name}.ncd")
        folder.write("again.eq", equations)
        tap.equal(f"/differentiate/fixed-point/{name}", folder.output("equations", "again.eq"), equations)
        folder.output("check", f"{name}.ncd")
        folder.output("export", f"{name}.ncd", "-o", f"{name}.svg")
        tap.check(f"/differentiate/figure/{name}", None if b"<svg" in folder.read(f"{name}.svg") else "no figure")


REFUSED = {
    "no-name": (2, ["a.eq", "-o", "c.ncd"], "--wrt NAME is needed"),
    "no-output": (2, ["a.eq", "--wrt", "Q"], "-o OUT.ncd is needed"),
    "no-file": (2, ["--wrt", "Q", "-o", "c.ncd"], "a file is needed"),
    "unknown": (1, ["a.eq", "--wrt", "Z", "-o", "c.ncd"], "a.eq: error: there is no value “Z” to differentiate by"),
    "made": (1, ["a.eq", "--wrt", "P", "-o", "c.ncd"], "a.eq: error: “P” is made by an operation"),
    "twice": (1, ["a.eq", "--wrt", "Q", "Q", "-o", "c.ncd"], "“Q” is named twice"),
    "whole": (1, ["whole.eq", "--wrt", "I", "-o", "c.ncd"], "“I” does not hold real numbers"),
}


def check_refused(tap, folder):
    folder.write("whole.eq", "I : i32[i=3]\nO[i] = I[i] * 2\n")
    for name, (status, arguments, message) in REFUSED.items():
        said = folder.failure(status, "differentiate", *arguments)
        tap.check(f"/differentiate/refused/{name}", None if message in said else said)
    tap.check("/differentiate/refused/nothing-written", "c.ncd is there" if (folder.path / "c.ncd").exists() else None)


def main():
    tap = Tap()
    folder = Folder()
    check_attention(tap, folder)
    check_others(tap, folder)
    check_refused(tap, folder)
    tap.finish()


main()
