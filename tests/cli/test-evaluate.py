#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`heddle evaluate` against NumPy: every construct of the equations, every kind of array file."""

import math

import numpy as np

from heddle import ATTENTION, Folder, Tap

DECLARATIONS = """A : f64[i=3, k=4]
B : f64[k, j=5]
C : f64[i, k]
v : f64[k]
s : f64
X : f64[t=9, c=2]
W : f64[w=3, c, f=4]
Q : f64[q=5, d=4]
K : f64[x=6, d]
V : f64[x, d]
M : f64[m=4, n=4]
"""

random = np.random.default_rng(1)
I = {"A": (3, 4), "B": (4, 5), "C": (3, 4), "v": (4,), "s": (), "X": (9, 2), "W": (3, 2, 4), "Q": (5, 4), "K": (6, 4),
     "V": (6, 4), "M": (4, 4)}
I = {name: np.asarray(random.standard_normal(shape)) for name, shape in I.items()}
A, B, C, v, s, X, W, Q, K, V, M = I.values()

erf = np.vectorize(math.erf)


def softmax(a, axis=-1):
    e = np.exp(a - a.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def masked():
    scores = Q @ K.T
    q, x = np.indices(scores.shape)
    return softmax(np.where((q - x < 3) & (q >= x), scores, -np.inf)) @ V


def windows(outside):
    padded = np.pad(X, ((1, 3), (0, 0)), constant_values=outside)
    return np.stack([padded[2 * z:2 * z + 3] for z in range(5)])  # [z, w, c]


def channel_wise():
    scores = Q[:, None, :] * K[None]  # [q, x, d]
    return (softmax(scores, 1) * V[None]).sum(1)


def layernorm(a, eps=0.):
    return (a - a.mean(-1, keepdims=True)) / np.sqrt(a.var(-1, keepdims=True) + eps)


CASES = [
    ("contraction", "O[i,j] = A[i,k] B[k,j]", A @ B),
    ("plus-one", "O[i,j] = A[i,k] B[k,j] + 1", A @ B + 1),
    ("two-products", "O[i,j] = A[i,k] B[k,j] + C[i,k] B[k,j]", A @ B + C @ B),
    ("sum-as-factor", "O[i,j] = A[i,k] (B[k,j] + v[k])", A @ (B + v[:, None])),
    ("array-divisor", "O[i,j] = A[i,k] B[k,j] / v[k]", A @ (B / v[:, None])),
    ("weighted-mean", "O[i,j] = exp(A[i,k]) B[k,j] / sum[k](exp(A[i,k]))", np.exp(A) @ B / np.exp(A).sum(1)[:, None]),
    ("minus-and-square", "O[i,j] = -A[i,k] B[k,j]^2", -A @ B**2),
    ("scalar-and-size", "O[i,j] = s A[i,k] B[k,j] k^-0.5", s * (A @ B) / 2),
    ("scalar-outside", "O[i,j] = s (A[i,k] B[k,j])", s * (A @ B)),
    ("three-factors", "O[i,j] = A[i,k] B[k,j] v[k]", A @ (B * v[:, None])),
    ("alone", "O[i] = A[i,k] v[k] M[m,n]", A @ v * M.sum()),
    ("chain", "O[i,n] = A[i,k] B[k,j] B[m,j] M[m,n]", A @ B @ B.T @ M),
    ("channel-wise", "O[q,d] = softmax[x](Q[q,d] K[x,d]) V[x,d]", channel_wise()),
    ("attention", "O[q,d] = softmax[x](Q[q,e] K[x,e] * e^-0.5) V[x,d]", softmax(Q @ K.T / 2) @ V),
    ("windowed", "O[q,d] = softmax[x](where(q - x < 3 and q >= x, Q[q,e] K[x,e], -inf)) V[x,d]", masked()),
    ("convolution", "O[z=5,f] = X[2*z+w-1,c] W[w,c,f]", np.einsum("zwc,wcf->zf", windows(0), W)),
    ("max-pooling", "O[z=5,c] = max[w](X[2*z+w-1,c])", windows(-np.inf).max(1)),
    ("sum-pooling", "O[z=5,c] = sum[w](exp(X[2*z+w-1,c]))", np.exp(windows(-np.inf)).sum(1)),
    ("mean-pooling", "O[z=5,c] = mean[w](X[2*z+w-1,c])", np.nanmean(windows(np.nan), 1)),
    ("outside-is-zero", "O[z=5,c] = X[3*z-1,c] + 1", np.concatenate([np.zeros((1, 2)), X[2::3], np.zeros((1, 2))])[:5] + 1),
    ("maxima", "O[i,k] = max(A[i,k], 0) - min[k](A[i,k])", np.maximum(A, 0) - A.min(1, keepdims=True)),
    ("minus-between", "O[i,k] = A[i,k] -C[i,k]", A - C),
    ("powers", "O[i,k] = 2^3^2 A[i,k]", 512 * A),
    ("index-and-size", "O[k] = index(k) / k", np.arange(4) / 4),
    ("gram", "O[i,y] = A[i,k] A[y,k]", A @ A.T),
    ("diagonal", "O[m] = M[m,m]", np.diag(M)),
    ("trace", "O = sum[m](M[m,m])", np.trace(M)),
    ("transpose", "O[n,m] = M[m,n]", M.T),
    ("transposed-read", "O[m,n] = M[m,n] - M[n,m]", M - M.T),
    ("reversed", "O[k] = v[size(k)-1-k]", v[::-1]),
    ("element", "O[i] = A[i,2] + A[0,1]", A[:, 2] + A[0, 1]),
    ("repeat", "O[i,j] = v[1] + 0 * B[0,j] * A[i,0]", np.full((3, 5), v[1])),
    ("broadcast", "O[i,k,j] = A[i,k]", np.repeat(A[:, :, None], 5, 2)),
    ("outer", "O[i,j] = A[i,0] B[1,j]", np.outer(A[:, 0], B[1])),
    ("norms", "O[i,k] = rmsnorm[k, eps=1e-3](A[i,k]) + layernorm[k](C[i,k]) + l2norm[k](A[i,k])",
     A / np.sqrt((A**2).mean(1, keepdims=True) + 1e-3) + layernorm(C) + A / np.sqrt((A**2).sum(1, keepdims=True))),
    ("reductions", "O = prod[k](v[k]) + logsumexp[k](v[k]) + mean[k](v[k])", v.prod() + np.log(np.exp(v).sum()) + v.mean()),
    ("softmax-of-two", "O[i,k] = softmax[i,k](A[i,k])", np.exp(A) / np.exp(A).sum()),
    ("empty-row", "O[q,x] = softmax[x](where(q > 2, Q[q,d] K[x,d], -inf))",
     np.where(np.arange(5)[:, None] > 2, softmax(Q @ K.T), 0)),
    ("functions", "O[k] = gelu(v[k]) + silu(v[k]) + sigmoid(v[k]) + tanh(v[k]) + relu(v[k]) + erf(v[k])",
     .5 * v * (1 + erf(v / math.sqrt(2))) + v / (1 + np.exp(-v)) + 1 / (1 + np.exp(-v)) + np.tanh(v) + np.maximum(v, 0) + erf(v)),
    ("more-functions", "O[k] = floor(v[k]) + ceil(v[k]) + mod(index(k), 3) + rsqrt(abs(v[k])) + sin(v[k]) * cos(v[k]) + log(v[k]^2)",
     np.floor(v) + np.ceil(v) + np.arange(4) % 3 + 1 / np.sqrt(np.abs(v)) + np.sin(v) * np.cos(v) + np.log(v**2)),
    ("logic", "O[k] = where(not v[k] > 0 or k == 2, 1, (v[k] < 1) * 2)", np.where((v <= 0) | (np.arange(4) == 2), 1, (v < 1) * 2.)),
]


def difference(found, expected):
    if found.shape != np.shape(expected):
        return f"shape {found.shape}, expected {np.shape(expected)}"
    scale = max(1., float(np.abs(expected).max()))
    error = float(np.abs(found - expected).max()) / scale
    return None if error <= 1e-12 else f"off by {error}"


def check_cases(tap, folder):
    for name, array in I.items():
        np.save(folder.path / f"{name}.npy", array)
    inputs = [part for name in I for part in ("--in", f"{name}={name}.npy")]
    for name, statement, expected in CASES:
        folder.write("case.eq", DECLARATIONS + statement + "\n")
        run = folder.run("evaluate", "case.eq", *inputs, "--out", "O=O.npy")
        problem = run.stderr if run.returncode else difference(np.load(folder.path / "O.npy"), expected)
        tap.check(f"/evaluate/{name}", problem)


def check_attention(tap, folder):
    folder.write("attention.eq", ATTENTION)
    for q, x, d in ((77, 129, 40), (1, 5, 3), (1, 1, 1)):
        arrays = {"Q": random.standard_normal((q, d)), "K": random.standard_normal((x, d)), "V": random.standard_normal((x, d))}
        for name, array in arrays.items():
            np.save(folder.path / f"{name}.npy", array)
        folder.output("evaluate", "attention.eq", "--set", f"q={q}", "--set", f"x={x}", "--set", f"d={d}", "--in", "Q=Q.npy",
                      "--in", "K=K.npy", "--in", "V=V.npy", "--out", "O=O.npy", "--out", "P=P.npy")
        weights = softmax(arrays["Q"] @ arrays["K"].T / math.sqrt(d))
        tap.check(f"/evaluate/attention/{q}-{x}-{d}", difference(np.load(folder.path / "O.npy"), weights @ arrays["V"]))
        tap.check(f"/evaluate/attention/{q}-{x}-{d}/weights", difference(np.load(folder.path / "P.npy"), weights))


def check_files(tap, folder):
    """Arrays as NumPy writes them, and as it reads them back."""
    folder.write("copy.eq", "A : f64[i, k]\nO[i,k] = A[i,k] * 1\n")
    table = random.standard_normal((3, 5)) * 10
    kinds = {"f8": table, "f4": table.astype("f4"), "f2": table.astype("f2"), "i4": table.astype("i4"), "i8": table.astype("i8"),
             "i1": table.astype("i1"), "u1": np.abs(table).astype("u1"), "bool": table > 0, "big-endian": table.astype(">f8"),
             "fortran": np.asfortranarray(table), "fortran-f2": np.asfortranarray(table.astype("f2"))}
    for name, array in kinds.items():
        np.save(folder.path / "A.npy", array)
        folder.output("evaluate", "copy.eq", "--in", "A=A.npy", "--out", "O=O.npy")
        tap.check(f"/evaluate/files/{name}", difference(np.load(folder.path / "O.npy"), array.astype("f8")))
    top = (table.astype("f4").view("u4") >> 16).astype("u2")  # bfloat16: the upper half
    np.save(folder.path / "A.npy", top.view("V2"))
    folder.output("evaluate", "copy.eq", "--in", "A=A.npy", "--out", "O=O.npy")
    tap.check("/evaluate/files/bf16", difference(np.load(folder.path / "O.npy"), (top.astype("u4") << 16).view("f4").astype("f8")))
    with open(folder.path / "A.npy", "wb") as file:
        np.lib.format.write_array(file, table, version=(2, 0))
    folder.output("evaluate", "copy.eq", "--in", "A=A.npy", "--out", "O=O.npy")
    tap.check("/evaluate/files/version-2", difference(np.load(folder.path / "O.npy"), table))


def check_refusals(tap, folder):
    folder.write("copy.eq", "A : f64[i=3, k=5]\nO[i,k] = A[i,k] * 1\n")
    np.save(folder.path / "object.npy", np.array([[1, None]], dtype=object), allow_pickle=True)
    np.save(folder.path / "other.npy", np.zeros((5, 3)))
    np.save(folder.path / "A.npy", np.zeros((3, 5)))
    folder.write("short.npy", folder.read("A.npy")[:-1])
    cases = {
        "object": (1, ("--in", "A=object.npy"), "arrays of Python objects are refused"),
        "shape": (1, ("--in", "A=other.npy"), "A"),
        "short": (1, ("--in", "A=short.npy"), "ends before its data"),
        "missing": (1, (), "A"),
        "no-file": (1, ("--in", "A=nowhere.npy"), "nowhere.npy"),
        "no-input": (1, ("--in", "Z=A.npy"), "there is no input “Z”"),
        "no-output": (1, ("--in", "A=A.npy", "--out", "Z=Z.npy"), "there is no array “Z”"),
        "form": (2, ("--in", "A.npy"), "expected NAME=FILE.npy"),
        "seed": (2, ("--random", "x"), "expected a whole number"),
        "size": (2, ("--set", "i=0", "--random", "1"), "at least 1"),
        "axis": (1, ("--set", "z=3", "--random", "1"), "there is no axis “z”"),
        "precision": (2, ("--precision", "f16"), "expected f64 or declared"),
    }
    for name, (status, arguments, message) in cases.items():
        said = folder.failure(status, "evaluate", "copy.eq", *arguments)
        tap.check(f"/evaluate/refusals/{name}", None if message in said else said)


def check_random(tap, folder):
    folder.write("attention.eq", ATTENTION)
    sizes = ("--set", "q=4", "--set", "x=4", "--set", "d=4")
    first = folder.output("evaluate", "attention.eq", *sizes, "--random", "7")
    tap.equal("/evaluate/random/same", folder.output("evaluate", "attention.eq", *sizes, "--random", "7"), first)
    tap.check("/evaluate/random/other", None if folder.output("evaluate", "attention.eq", *sizes, "--random", "8") != first else "the same")
    result = folder.json("evaluate", "attention.eq", *sizes, "--random", "7")
    tap.equal("/evaluate/random/json", (result["diagram"], result["outputs"][0]["name"], result["outputs"][0]["shape"]),
              ("attention", "O", [4, 4]))
    folder.write("half.eq", "A : f16[i=1]\nO[i] = A[i] + 0\n")
    np.save(folder.path / "A.npy", np.array([1 / 3]))
    folder.output("evaluate", "half.eq", "--in", "A=A.npy", "--precision", "declared", "--out", "O=O.npy")
    tap.equal("/evaluate/declared", float(np.load(folder.path / "O.npy")[0]), float(np.float16(1 / 3)))


def check_integers(tap, folder):
    """Real functions of integers are real: as they are evaluated, as they are stored, and in a kernel."""
    whole = np.array([1, 3, -5, 7, 2])
    np.save(folder.path / "T.npy", whole)
    cases = {
        "half": ("T[a] * 0.5", whole * 0.5),
        "softmax": ("softmax[a](T[a])", softmax(whole.astype(float))),
        "sum": ("T[a] + T[a]*T[a]", whole + whole ** 2),
    }
    for name, (text, expected) in cases.items():
        folder.write(f"{name}.eq", f"T : i64[a=5]\nZ[a] = {text}\n")
        for precision in ("f64", "declared"):
            folder.output("evaluate", f"{name}.eq", "--in", "T=T.npy", "--precision", precision, "--out", "Z=Z.npy")
            tap.check(f"/evaluate/integers/{name}/{precision}", difference(np.load(folder.path / "Z.npy"), expected))
    folder.write("narrow.eq", "T : i64[a=5]\nZ : i64[a]\nZ[a] = T[a] * 0.5\n")
    folder.output("evaluate", "narrow.eq", "--in", "T=T.npy", "--precision", "declared", "--out", "Z=Z.npy")
    tap.check("/evaluate/integers/declared-narrower", difference(np.load(folder.path / "Z.npy"), np.trunc(whole * 0.5)))


def main():
    tap, folder = Tap(), Folder()
    check_cases(tap, folder)
    check_attention(tap, folder)
    check_files(tap, folder)
    check_refusals(tap, folder)
    check_random(tap, folder)
    check_integers(tap, folder)
    tap.finish()


main()
