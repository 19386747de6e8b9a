#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Operations of the language, each against NumPy: values, derivatives against differences of the reference, text both ways, file, figure."""

import shutil
import subprocess
import sys

import numpy as np

from heddle import Folder, Tap

random = np.random.default_rng(7)


class Case:
    """Canonical equations; inputs as shapes or arrays; a reference that gives {output: array}; what to differentiate by."""

    def __init__(self, text, inputs, reference, wrt=()):
        self.text, self.reference, self.wrt = text, reference, wrt
        self.inputs = {name: random.standard_normal(kind) if isinstance(kind, tuple) else np.asarray(kind) for name, kind in inputs.items()}


def embedded(E, I):
    return {"Y": E[I]}


def gathered(E, I, J):
    return {"Y": E[I[J]][:, :, None] * np.ones(2), "S": np.where(2 * I < 7, E[np.minimum(2 * I, 6)].T, 0).sum(1)}


def recurrent(a, b):
    h, all = np.zeros_like(b[0]), []
    for now, new in zip(a, b):
        h = now * h + new
        all.append(h)
    return np.array(all)


def recurrences(A, B):
    rows = np.repeat(A[:, None], B.shape[1], 1)
    return {"H": recurrent(1 / (1 + np.exp(-rows)), B), "G": recurrent(B, rows)}


def convolved(X, W, stride, dilation, padding):
    """The usual convention: padding on both sides, windows that lie within."""
    X = np.pad(X, padding)
    n = (len(X) - dilation * (len(W) - 1) - 1) // stride + 1
    return np.array([(X[stride * i:][:dilation * len(W):dilation] * W).sum() for i in range(n)])


def windows(X, W):
    return {"A": convolved(X, W, 1, 1, 0), "B": convolved(X, W, 2, 1, 1), "C": convolved(X, W, 1, 2, 0), "D": X[:9].reshape(3, 3).max(1)}


CASES = {
    "embedding": Case("I : i64[t=5]\nparam E : f64[n=7, m=4]\nY[t,m] = E[I[t],m]\n",
                      {"I": [3, 0, 6, 3, 1], "E": (7, 4)}, lambda I, E: embedded(E, I), ["E"]),
    "gather-from-the-end": Case("I : i64[t=5]\nE : f64[n=7, m=4]\nY[t,m] = E[where(I[t] < 0, I[t]+7, I[t]),m]\n",
                                {"I": [3, -1, 6, -7, 1], "E": (7, 4)}, lambda I, E: {"Y": E[I]}, ["E"]),
    "gather": Case("I : i64[t=5]\nJ : i32[u=3]\nE : f64[n=7, m=4]\naxis k = 2\nY[u,m,k] = E[I[J[u]],m]\nS[m] = sum[t](E[2*I[t],m])\n",
                   {"I": [3, 0, 5, 3, 1], "J": [4, 4, 2], "E": (7, 4)}, lambda I, J, E: gathered(E, I, J)),
    "gather-product": Case("I : i64[t=4]\nE : f64[n=3, t]\nW : f64[t, k=2]\nO[k] = E[I[t],t] W[t,k]\n",
                           {"I": [2, 0, 1, 1], "E": (3, 4), "W": (4, 2)},
                           lambda I, E, W: {"O": E[I, np.arange(4)] @ W}, ["E", "W"]),
    "concat": Case("A : f64[x=2, c=3]\nB : f64[x, e=4]\nW : f64[f, k=2]\nO[x,f] = concat[f](A[x,c], B[x,e])\n"
                   "P[x,k] = concat[f](A[x,c], exp(B[x,e])) W[f,k]\nQ[x,g] = concat[g](A[x,c], 2 * A[x,c'], B[x,e])\n",
                   {"A": (2, 3), "B": (2, 4), "W": (7, 2)},
                   lambda A, B, W: {"O": np.hstack([A, B]), "P": np.hstack([A, np.exp(B)]) @ W, "Q": np.hstack([A, 2 * A, B])}, ["A", "B", "W"]),
    "concat-itself": Case("A : f64[x=2, c=3]\nB : f64[x, c]\nW : f64[f=6]\nO[x,f] = concat[f](A[x,c], B[x,c])\n"
                          "t1[x,f] = concat[f](A[x,c], A[x,c])\nP[x] = t1[x,f] W[f]\n",
                          {"A": (2, 3), "B": (2, 3), "W": (6,)},
                          lambda A, B, W: {"O": np.concatenate([A, B], 1), "P": np.concatenate([A, A], 1) @ W}),
    "concat-max": Case("A : f64[c=3]\nB : f64[e=4]\nM = max[f](concat[f](A[c], B[e]))\n", {"A": (3,), "B": (4,)},
                       lambda A, B: {"M": np.hstack([A, B]).max()}, ["A", "B"]),
    "argmax": Case("G : f64[b=3, e=4]\nM[b] = argmax[e](G[b,e])\nV[b] = G[b,M[b]]\n", {"G": [[1., 3, 3, 0], [4, 4, 4, 4], [-1, -2, -1, 5]]},
                   lambda G: {"V": G.max(1)}, []),
    "argmax-places": Case("G : f64[b=3, e=4]\nM[b] = argmax[e](G[b,e])\nN = argmax[b,e](G[b,e])\n", {"G": [[1., 3, 3, 0], [4, 4, 4, 4], [-1, -2, -1, 5]]},
                          lambda G: {"M": G.argmax(1), "N": G.argmax()}),
    "top-k": Case("G : f64[b=3, e=4]\naxis s = 2\nV[b,s], I[b,s] = topk[e, k=s](G[b,e])\nS[b] = sum[s](V[b,s])\n-> V, I, S\n", {"G": (3, 4)},
                  lambda G: {"V": -np.sort(-G, 1)[:, :2], "I": np.argsort(-G, 1)[:, :2], "S": -np.sort(-G, 1)[:, :2].sum(1)}, ["G"]),
    "top-k-ties": Case("G : f64[e=6]\naxis s = 4\nI[s] = argtopk[e, k=s](G[e])\n", {"G": [1., 5, 2, 5, 1, 7]}, lambda G: {"I": np.array([5, 1, 3, 2])}),
    "cumsum": Case("X : f64[b=2, t=5]\nC[b,t] = cumsum[t](X[b,t]^2)\n", {"X": (2, 5)}, lambda X: {"C": (X ** 2).cumsum(1)}, ["X"]),
    "recurrence": Case("A : f64[t=5]\nB : f64[t, n=3]\nH[t,n] = recurrence[t](sigmoid(A[t]), B[t,n])\nG[t,n] = recurrence[t](B[t,n], A[t])\n",
                       {"A": (5,), "B": (5, 3)}, lambda A, B: recurrences(A, B), ["A", "B"]),
    "batchnorm": Case("X : f64[b=4, c=3]\nY[b,c] = batchnorm[b, eps=0.1](X[b,c])\n", {"X": (4, 3)},
                      lambda X: {"Y": (X - X.mean(0)) / np.sqrt(X.var(0) + 0.1)}, ["X"]),
    "merge": Case("H : f64[b=2, h=3, u=4]\nK : f64[b, p=2, q=3, r=2]\nO[b,(h u)] = H[b,h,u]\nT[(p q r),b] = exp(K[b,p,q,r])\n",
                  {"H": (2, 3, 4), "K": (2, 2, 3, 2)},
                  lambda H, K: {"O": H.reshape(2, 12), "T": np.exp(K).reshape(2, 12).T}, ["H", "K"]),
    "split": Case("G : f64[b=2, m=12]\naxis h = 3\nO[b,h,u] = G[b,(h u)]\nP[(b h),u] = G[b,(h u)]\n",
                  {"G": (2, 12)}, lambda G: {"O": G.reshape(2, 3, 4), "P": G.reshape(6, 4)}, ["G"]),
    "upsample": Case("X : f64[x=3]\naxis y = 6\nY[y] = X[floor(y/2)]\nZ[y] = X[mod(y+1, size(x))]\n",
                     {"X": (3,)}, lambda X: {"Y": X.repeat(2), "Z": np.roll(np.tile(X, 2), -1)}, ["X"]),
    "inferred-windows": Case("X : f64[x=10]\nW : f64[w=3]\nA[i] = X[i+w] W[w]\nB[j] = X[2*j+w-1] W[w]\nC[k] = X[k+2*w] W[w]\nD[l] = max[w](X[3*l+w])\n",
                             {"X": (10,), "W": (3,)}, lambda X, W: windows(X, W), ["X", "W"]),
}


def evaluate(folder, name, inputs, outputs):
    arguments = []
    for key, array in inputs.items():
        np.save(folder.path / f"{key}.npy", array)
        arguments += ["--in", f"{key}={key}.npy"]
    for key in outputs:
        arguments += ["--out", f"{key}=out-{key}.npy"]
    folder.output("evaluate", name, *arguments)
    return {key: np.load(folder.path / f"out-{key}.npy") for key in outputs}


def off(found, expected, tolerance):
    if found.shape != expected.shape:
        return f"{found.shape} is not {expected.shape}"
    error = np.abs(found - expected).max() if expected.size else 0.
    return None if error <= tolerance else f"off by {error}"


def check_text(tap, folder, name, case):
    folder.write("a.eq", case.text)
    folder.output("import", "a.eq", "-o", "a.ncd")
    tap.equal(f"/operations/{name}/text", folder.output("equations", "a.ncd"), case.text)
    folder.output("import", "a.ncd", "-o", "again.ncd")
    tap.check(f"/operations/{name}/bytes", None if folder.read("again.ncd") == folder.read("a.ncd") else "saving changes it")
    folder.output("export", "a.ncd", "-o", "a.svg")
    tap.check(f"/operations/{name}/figure", None if b"<svg" in folder.read("a.svg") else "no figure")


def check_values(tap, folder, name, case):
    expected = case.reference(**case.inputs)
    for key, array in evaluate(folder, "a.ncd", case.inputs, expected).items():
        tap.check(f"/operations/{name}/{key}", off(array, np.asarray(expected[key], float), 1e-12))


def differences(case, key, weights):
    """By central differences of the reference: the derivative of the sum of all outputs times weights."""
    gradient = np.zeros_like(case.inputs[key])
    for at in np.ndindex(gradient.shape):
        for sign in (1, -1):
            moved = {**case.inputs, key: case.inputs[key].copy()}
            moved[key][at] += sign * 1e-5
            outputs = case.reference(**moved)
            gradient[at] += sign * sum((outputs[name] * weight).sum() for name, weight in weights.items()) / 2e-5
    return gradient


def check_derivatives(tap, folder, name, case):
    if not case.wrt:
        return
    folder.output("differentiate", "a.ncd", "--wrt", *case.wrt, "-o", "b.ncd")
    text = folder.output("equations", "b.ncd")
    folder.write("b.eq", text)
    tap.equal(f"/operations/{name}/backward-text", folder.output("equations", "b.eq"), text)
    named = [line.split(" :")[0].split()[-1] for line in text.splitlines() if " : " in line or line.endswith(" :")]
    outputs = {key: np.asarray(array, float) for key, array in case.reference(**case.inputs).items()}
    weights = {key: random.standard_normal(array.shape) for key, array in outputs.items() if f"d{key}" in named}
    inputs = {**case.inputs, **{f"d{key}": weight for key, weight in weights.items()}}
    found = evaluate(folder, "b.ncd", inputs, [f"d{key}" for key in case.wrt])
    for key in case.wrt:
        tap.check(f"/operations/{name}/d{key}", off(found[f"d{key}"], differences(case, key, weights), 1e-7))


REFUSED = {
    "real-index": ("I : f32[t=5]\nE : [n=7]\nY[t] = E[I[t]]\n", "whole numbers"),
    "choice-of-places": ("E : [n=7]\naxis t = 3\nY[t] = E[where(t < 1, t, 0)]\n", "expected an affine index"),
    "product-of-indices": ("I : i64[t=5]\nE : [n=7]\nY[t] = E[I[t]*I[t]]\n", "expected an affine index"),
    "merge-of-one": ("H : [h=3]\nO[(h)] = H[h]\n", "two axes or more"),
    "merge-twice": ("H : [h=3, u=2]\nO[h,(h u)] = H[h,u]\n", "occurs twice on the left"),
    "merge-size": ("H : [h=3, u=2]\nW : [hu=7]\nO[(h u)] = H[h,u]\nP[] = O[hu] W[hu]\n", "hu of W is 7, but the axes of H that it is made of have 6 places"),
    "split-size": ("G : [m=12]\nO[h=5,u] = G[(h u)]\n", "The size of u is 2.4: sizes are whole numbers"),
    "concat-common": ("A : [x=2, c=3, d=2]\nB : [x, c, d]\nO[x,f] = concat[f](A[x,c,d], B[x,c,d])\n", "one index of its own"),
    "concat-left": ("A : [c=3]\nO[c,f] = concat[f](A[c], A[c])\n", "one index of its own"),
    "concat-size": ("A : [c=3]\nB : [e=4]\nW : [f=8]\nO = concat[f](A[c], B[e]) W[f]\n", "f of W is 8, but what t1 joins along it has 7 places"),
    "concat-one": ("A : [c=3]\nO[f] = concat[f](A[c])\n", "concat does not take 1 array"),
    "scan-axes": ("A : [c=3, d=2]\nO[c,d] = cumsum[c,d](A[c,d])\n", "cumsum works along one axis"),
    "choose-too-many": ("G : [e=3]\naxis s = 4\nI[s] = argtopk[e, k=s](G[e])\n", "s of I is 4, but I chooses among 3"),
    "choose-from-expression": ("G : [e=3]\naxis s = 2\nV[s], I[s] = topk[e, k=s](exp(G[e]))\n", "topk chooses from an array as it is"),
    "choose-one-array": ("G : [e=3]\naxis s = 2\nV[s] = topk[e, k=s](G[e])\n", "topk gives values and places"),
    "choose-made": ("G : [e=3]\nI[e] = argtopk[e, k=e](G[e])\n", "which makes it"),
    "no-window": ("X : [x=2]\nW : [w=3]\nO[z] = X[z+w] W[w]\n", "The size of z is 0"),
    "disagreement": ("Q : [q=4096]\nK : [x=4095]\nO[] = Q[q] K[q]\n", "q is 4096 and x of K is 4095"),
    "index-of-a-sum": ("I : i64[t=5]\nE : [n=7]\nY[] = E[sum[t](I[t])]\n", "expected an affine index"),
}


def check_refused(tap, folder):
    for name, (text, message) in REFUSED.items():
        folder.write("r.eq", text)
        said = folder.failure(1, "check", "r.eq")
        tap.check(f"/operations/refused/{name}", None if message in said else said)


# The whole numbers of a bias are kept inside its table, as a model's are, also where some count from its end: a kernel that
# adds up what it reads there takes them for inside.
FROM_THE_END = """B : f64[h=2, b=6]
I : i64[a=5, z=9]
C : f64[h, a, z]
K[a,z] = where(I[a,z] < 0, I[a,z]+6, I[a,z])
S[h,a,z] = B[h,K[a,z]] + C[h,a,z]
P[h,a,z] = softmax[z](S[h,a,z])
Q[h,a] = sum[z](B[h,where(I[a,z] < 0, I[a,z]+6, I[a,z])] + C[h,a,z])
-> P, Q
"""


def check_inside(tap, folder):
    folder.write("e.eq", FROM_THE_END)
    for seed in ("1", "2", "3"):
        run = folder.run("verify", "e.eq", "--fuse", "all", "--on", "model", "--seed", seed)
        tap.check(f"/operations/from-the-end/{seed}", run.stdout + run.stderr if run.returncode else None)


def check_schema(tap, folder, name, schema):
    xmllint = shutil.which("xmllint")
    if xmllint is None:
        tap.check(f"/operations/{name}/schema", "xmllint is missing")
        return
    run = subprocess.run([xmllint, "--nonet", "--noout", "--relaxng", schema, folder.path / "a.ncd"], capture_output=True, text=True, check=False)
    tap.check(f"/operations/{name}/schema", run.stderr if run.returncode else None)


def main(schema):
    tap, folder = Tap(), Folder()
    for name, case in CASES.items():
        check_text(tap, folder, name, case)
        check_schema(tap, folder, name, schema)
        check_values(tap, folder, name, case)
        check_derivatives(tap, folder, name, case)
    check_refused(tap, folder)
    check_inside(tap, folder)
    tap.finish()


main(*sys.argv[1:])
