#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Definitions and their calls against NumPy: repetition, parameters, several results, mapping, sizes, gradients."""

import numpy as np

from heddle import Folder, Tap

random = np.random.default_rng(3)


def normal(*shape):
    return random.standard_normal(shape)


def softmax(a, axis=-1):
    e = np.exp(a - a.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def relu(a):
    return np.maximum(a, 0)


BLOCK = """def block(X[x,m]) -> Y[x,m]:
  param W : [m, f=5]
  param V : [f, m]
  H[x,f] = relu(X[x,m] W[m,f])
  Y[x,m] = X[x,m] + H[x,f] V[f,m]

"""


def block(x, w, v):
    return x + relu(x @ w) @ v


def repeat(x, w, v):
    for i in range(len(w)):
        x = block(x, w[i], v[i])
    return x


X, W, V = normal(2, 3), normal(3, 3, 5), normal(3, 5, 3)
B, Q, K, U = normal(4, 2, 3), normal(5, 3), normal(6, 3), normal(6, 3)
X4, M = normal(4, 3), normal(3, 3)

ATTENTION = """def attention(Q[q,d], K[x,d], V[x,d]) -> O[q,d]:
  O[q,d] = softmax[x](Q[q,e] K[x,e] * e^-0.5) V[x,d]

"""


def attention(q, k, v):
    return softmax(q @ np.swapaxes(k, -1, -2) * q.shape[-1] ** -.5) @ v


def self_attention_nested(x, wq, wv):
    """Two layers in each of two blocks, each with parameters of its own."""
    for i in range(2):
        for j in range(2):
            x = x + attention(x @ wq[i, j], x, x @ wv[i, j])
    return x


# What is around it is not there within bias, and bias is not there outside.
CONVOLUTION = """def convolve(X[x,n]; c, s, w, d, p) -> Y[y,c]:
  def bias(X[c]) -> Y[c]:
    param b : [c]
    Y[c] = X[c] + b[c]

  param W : [v=w, n, c]
  axis y = floor((x + 2*p - d*(w - 1) - 1)/s) + 1
  Z[y,c] = X[size(s)*y+size(d)*v-size(p),n] W[v,n,c]
  Y[y,c] = bias(Z)

"""


def convolve(x, w, b, apart, spread, margin):
    x = np.pad(x, ((margin, margin), (0, 0)))
    length = (len(x) - spread * (len(w) - 1) - 1) // apart + 1
    return np.stack([np.tensordot(x[apart * i:][:spread * len(w):spread], w, 2) for i in range(length)]) + b


P9, F4, F5 = normal(9, 2), normal(3, 2, 4), normal(1, 2, 5)

WQ, WV = normal(2, 2, 3, 3), normal(2, 2, 3, 3)

CASES = [
    ("one call", BLOCK + "X : [x=2, m=3]\nZ[x,m] = block(X)\n",
     {"X": X, "Z.W": W[0], "Z.V": V[0]}, block(X, W[0], V[0])),
    ("three times, each with its own", BLOCK + "X : [x=2, m=3]\nZ[x,m] = block^3(X)\n",
     {"X": X, "Z.W": W, "Z.V": V}, repeat(X, W, V)),
    ("three times, with the same", BLOCK + "X : [x=2, m=3]\nZ[x,m] = shared block^3(X)\n",
     {"X": X, "Z.W": W[0], "Z.V": V[0]}, repeat(X, W[[0, 0, 0]], V[[0, 0, 0]])),
    ("as often as an axis is long", BLOCK + "X : [x=2, m=3]\nL : [l=3]\nY[x,m] = block^l(X)\nZ[x,m] = Y[x,m] + 0 * sum[l](L[l])\n",
     {"X": X, "L": normal(3), "Y.W": W, "Y.V": V}, repeat(X, W, V)),
    ("another size", BLOCK + "A : [b=4, c=3]\nZ[b,c] = block(A)\n",
     {"A": X4, "Z.W": W[0], "Z.V": V[0]}, block(X4, W[0], V[0])),
    ("mapped over a batch", BLOCK + "B : [b=4, x=2, m=3]\nZ[b,x,m] = block^3(B)\n",
     {"B": B, "Z.W": W, "Z.V": V}, repeat(B, W, V)),
    ("a parameter that is given",
     "def linear(X[m]; W) -> Y[n]:\n  param W : [m, n]\n  Y[n] = X[m] W[m,n]\n\n"
     "X : [x=2, m=3]\nparam A : [m, k=5]\nZ[x,k] = linear(X, A)\n", {"X": X, "A": W[0]}, X @ W[0]),
    ("a size that is given",
     "def widen(X[m]; n) -> Y[m]:\n  param W : [m, n]\n  Y[m] = X[o] W[o,n] W[m,n]\n\n"
     "X : [x=2, m=3]\nZ[x,m] = widen(X, 2*m - 1)\n", {"X": X, "Z.W": W[0]}, X @ W[0] @ W[0].T),
    ("a size that is given on, for the one it was written with",
     "def widen(X[m]; n) -> Y[m]:\n  param W : [m, n]\n  Y[m] = X[o] W[o,n] W[m,n]\n\n"
     "def twice(X[m]; n) -> Y[m]:\n  axis n = 7\n  A[m] = widen(X, n)\n  Y[m] = A[m] * n\n\n"
     "X : [x=2, m=3]\nZ[x,m] = twice(X, 2*m - 1)\n", {"X": X, "Z.A.W": W[0]}, 5 * X @ W[0] @ W[0].T),
    ("several results",
     "def halves(X[m]) -> A[m], B[m]:\n  A[m] = X[m] * 2\n  B[m] = A[m] + sum[o](X[o])\n\n"
     "X : [x=2, m=3]\nP[x,m], R[x,m] = halves(X)\nZ[x,m] = P[x,m] R[x,m]\n", {"X": X},
     2 * X * (2 * X + X.sum(-1, keepdims=True))),
    ("several results, repeated, one held",
     "def step(A[m], B[m], C[m]) -> D[m], E[m]:\n  D[m] = A[m] + B[m]\n  E[m] = A[m] * C[m]\n\n"
     "X : [x=2, m=3]\nC : [m]\nP[x,m], Z[x,m] = step^3(X, X, C)\n", {"X": X, "C": M[0]},
     None),
    ("attention of one array on itself", ATTENTION + "X : [x=4, d=3]\nZ[x,d] = attention(X, X, X)\n",
     {"X": X4}, attention(X4, X4, X4)),
    ("attention, twice, on itself",
     "def layer(Q[q,d], K[x,d]) -> O[q,d]:\n  O[q,d] = softmax[x](Q[q,e] K[x,e]) K[x,d]\n\n"
     "X : [x=4, d=3]\nZ[x,d] = layer^2(X, X)\n", {"X": X4}, None),
    ("mapped over the queries' batch", ATTENTION + "Q : [b=2, q=5, d=3]\nK : [x=6, d]\nV : [x, d]\nZ[b,q,d] = attention(Q, K, V)\n",
     {"Q": np.stack([Q, -Q]), "K": K, "V": U}, attention(np.stack([Q, -Q]), K, U)),
    ("mapped over both, of different batches",
     ATTENTION + "Q : [b=2, q=5, d=3]\nK : [c=3, x=6, d]\nV : [c, x, d]\nZ[c,b,q,d] = attention(Q, K, V)\n",
     {"Q": np.stack([Q, -Q]), "K": np.stack([K, 2 * K, -K]), "V": np.stack([U, K, -U])},
     attention(np.stack([Q, -Q])[None], np.stack([K, 2 * K, -K])[:, None], np.stack([U, K, -U])[:, None])),
    ("nested, repeated within the repeated",
     ATTENTION + "def head(X[x,m]) -> Y[x,m]:\n  param A : [m, n=3]\n  param B : [m, n]\n"
     "  Q[x,n] = X[x,m] A[m,n]\n  V[x,n] = X[x,m] B[m,n]\n  X'[x,n] = X[x,m] where(m == n, 1, 0)\n"
     "  O[x,n] = attention(Q, X', V)\n  Y[x,m] = X[x,m] + O[x,n] where(m == n, 1, 0)\n\n"
     "def tower(X[x,m]) -> Y[x,m]:\n  Y[x,m] = head^2(X)\n\nX : [x=4, m=3]\nZ[x,m] = tower^2(X)\n",
     {"X": X4, "Z.Y.A": WQ, "Z.Y.B": WV}, self_attention_nested(X4, WQ, WV)),
    ("sizes that change from call to call",
     "def down(X[c,w]) -> Y[d,v]:\n  axis d = 2*c\n  axis v = w/2\n  param W : [c, d]\n"
     "  Y[d,v] = X[c,2*v] W[c,d]\n\nX : [c=3, w=8]\nX_1[c_1,w_1] = down(X)\nZ[c_2,w_2] = down(X_1)\n",
     {"X": np.arange(24.).reshape(3, 8), "X_1.W": M[:, [0, 1, 2, 0, 1, 2]], "Z.W": np.ones((6, 12))}, None),
    ("windows, how far apart and how wide, spread and padded, as given",
     CONVOLUTION + "X : [x=9, n=2]\nA[y,c] = convolve(X, 4, 2, 3, 1, 1)\nB[y,e] = convolve(X, 5, 2, 1, 1, 0)\n"
     "C[y_1,c_1] = convolve(X, 4, 1, 3, 2, 0)\nZ[y,c] = A[y,c] + sum[e](B[y,e]) + sum[y_1,c_1](C[y_1,c_1])\n",
     {"X": P9, "A.Y.b": F4[0, 0], "A.W": F4, "B.Y.b": F5[0, 0], "B.W": F5, "C.Y.b": F4[1, 0], "C.W": -F4},
     convolve(P9, F4, F4[0, 0], 2, 1, 1) + convolve(P9, F5, F5[0, 0], 2, 1, 0).sum(1, keepdims=True)
     + convolve(P9, -F4, F4[1, 0], 1, 2, 0).sum()),
    ("within an expression", BLOCK + "X : [x=2, m=3]\nZ[x,m] = 2 * X[x,m] + exp(block(X))\n",
     {"X": X, "t1.W": W[0], "t1.V": V[0]}, 2 * X + np.exp(block(X, W[0], V[0]))),
    ("of an expression", BLOCK + "X : [x=2, m=3]\nZ[x,m] = block(X[x,m] * 2 + 1)\n",
     {"X": X, "Z.W": W[0], "Z.V": V[0]}, block(2 * X + 1, W[0], V[0])),
    ("of a call", BLOCK + "X : [x=2, m=3]\nZ[x,m] = block(block(X))\n",
     {"X": X, "t1.W": W[0], "t1.V": V[0], "Z.W": W[1], "Z.V": V[1]}, repeat(X, W[:2], V[:2])),
    ("what is given goes on as it is",
     "def same(X[m], C[m]) -> X[m], C[m]:\n\nX : [x=2, m=3]\nC : [m]\nA[x,m], D[x,m] = same(X, C)\n"
     "Z[x,m] = A[x,m] + D[x,m]\n", {"X": X, "C": M[0]}, X + M[0]),
    ("joined, of which one part is not mapped",
     "def join(X[m], C[n]) -> Y[o]:\n  axis o = m + n\n  Y[o] = concat[o](X[m], C[n])\n\n"
     "X : [x=2, m=3]\nC : [n=2]\nZ[x,o] = join(X, C)\n", {"X": X, "C": M[0, :2]},
     np.concatenate([X, np.broadcast_to(M[0, :2], (2, 2))], 1)),
    ("chosen, gathered and summed up, mapped",
     "def pick(X[m]) -> Y[k]:\n  axis k = 2\n  I[k] = argtopk[m, k=k](X[m])\n  T[k] = X[I[k]]\n"
     "  Y[k] = T[k] + cumsum[k](T[k])\n\nX : [x=2, m=3]\nZ[x,k] = pick(X)\n", {"X": X},
     -np.sort(-X, 1)[:, :2] + np.cumsum(-np.sort(-X, 1)[:, :2], 1)),
    ("reindexed, strided, within a map",
     "def pool(X[w]) -> Y[v]:\n  axis v = w/2\n  Y[v] = max[r](X[2*v+r] where(r < 2, 1, 0)) + X[0]\n  axis r = 2\n\n"
     "A : [b=3, w=8]\nZ[b,v] = pool(A)\n", {"A": np.arange(24.).reshape(3, 8)},
     np.arange(24.).reshape(3, 4, 2).max(-1) + np.arange(24.).reshape(3, 8)[:, :1]),
]


def steps():
    d, e = X, X
    for _ in range(3):
        d, e = d + e, d * M[0]
    return e


def layers():
    x = X4
    for _ in range(2):
        x = softmax(x @ X4.T) @ X4
    return x


def unet():
    x = np.arange(24.).reshape(3, 8)
    x = (x[:, ::2].T @ M[:, [0, 1, 2, 0, 1, 2]]).T
    return (x[:, ::2].T @ np.ones((6, 12))).T


LATER = {"several results, repeated, one held": steps, "attention, twice, on itself": layers,
         "sizes that change from call to call": unet}


def check_case(folder, text, inputs, wanted):
    folder.write("case.eq", text)
    arguments = []
    for i, (name, array) in enumerate(inputs.items()):
        np.save(folder.path / f"in{i}.npy", array)
        arguments += ["--in", f"{name}=in{i}.npy"]
    folder.output("evaluate", "case.eq", *arguments, "--out", "Z=out.npy")
    found = np.load(folder.path / "out.npy")
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
    # the file says the same, and the text is a fixed point
    folder.output("import", "case.eq", "-o", "case.ncd")
    folder.output("evaluate", "case.ncd", *arguments, "--out", "Z=out.npy")
    np.testing.assert_array_equal(np.load(folder.path / "out.npy"), found)
    canonical = folder.output("equations", "case.eq")
    assert folder.output("equations", "case.ncd") == canonical
    folder.write("again.eq", canonical)
    assert folder.output("equations", "again.eq") == canonical
    folder.output("import", "again.eq", "-o", "again.ncd")
    assert folder.run("diff", "case.ncd", "again.ncd").returncode in (0, 1)
    folder.output("check", "case.eq")


def check_gradient(folder):
    """A repeated block: the backward diagram against differences."""
    folder.write("case.eq", BLOCK + "X : [x=2, m=3]\nZ[x,m] = block^3(X)\n")
    folder.output("differentiate", "case.eq", "--wrt", "X", "--wrt", "Z.W", "-o", "back.ncd")
    inputs = {"X": X, "Z.W": W, "Z.V": V, "dZ": normal(2, 3)}
    arguments = []
    for i, (name, array) in enumerate(inputs.items()):
        np.save(folder.path / f"in{i}.npy", array)
        arguments += ["--in", f"{name}=in{i}.npy"]
    folder.output("evaluate", "back.ncd", *arguments, "--out", "dX=dx.npy", "--out", "dZ.W=dw.npy")
    h = 1e-6
    for name, file in (("X", "dx.npy"), ("Z.W", "dw.npy")):
        gradient, found = np.zeros_like(inputs[name]), np.load(folder.path / file)
        for at in np.ndindex(gradient.shape):
            ends = []
            for sign in (h, -h):
                moved = {**inputs, name: inputs[name].copy()}
                moved[name][at] += sign
                ends.append((repeat(moved["X"], moved["Z.W"], moved["Z.V"]) * inputs["dZ"]).sum())
            gradient[at] = (ends[0] - ends[1]) / (2 * h)
        np.testing.assert_allclose(found, gradient, rtol=1e-5, atol=1e-5)


def check_derived(folder):
    """What is fused, priced and verified is what is called."""
    folder.write("case.eq", ATTENTION + "Q : f16[q=256, d=64]\nK : f16[x=512, d]\nV : f16[x, d]\nZ[q,d] = attention(Q, K, V)\n")
    folder.output("derive", "case.eq", "--fuse", "all")
    assert "verified" in folder.output("verify", "case.eq", "--fuse", "all", "--set", "q=16", "--set", "x=32", "--set", "d=16",
                                       "--on", "model")


def check_diff(folder):
    folder.write("a.eq", BLOCK + "X : [x=2, m=3]\nZ[x,m] = block^3(X)\n")
    (folder.path / "other").mkdir()
    folder.write("other/a.eq", BLOCK + "X : [x=2, m=3]\nZ[x,m] = shared block^4(X)\n")
    run = folder.run("diff", "a.eq", "other/a.eq")
    assert run.returncode == 1 and "shared block^4(X)" in run.stdout, run.stdout
    folder.write("other/a.eq", BLOCK.replace("relu", "exp") + "X : [x=2, m=3]\nZ[x,m] = block^3(X)\n")
    run = folder.run("diff", "a.eq", "other/a.eq")
    assert run.returncode == 1 and "block" in run.stdout and "exp" in run.stdout, run.stdout


def point(tap, name, run, *arguments):
    """A test point: what goes wrong is told, and the others are run all the same."""
    try:
        run(*arguments)
        tap.check(name, None)
    except AssertionError as error:
        tap.check(name, str(error))


def main():
    tap, folder = Tap(), Folder()
    for name, text, inputs, wanted in CASES:
        point(tap, f"/definitions/{name.replace(' ', '-')}", check_case, folder, text, inputs,
              LATER[name]() if wanted is None else wanted)
    point(tap, "/definitions/gradient", check_gradient, folder)
    point(tap, "/definitions/derived", check_derived, folder)
    point(tap, "/definitions/diff", check_diff, folder)
    tap.finish()


main()
