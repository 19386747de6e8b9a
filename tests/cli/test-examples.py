#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The examples that are shipped: each is whole, canonical, and computes what its NumPy reference here computes."""

import math
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

from heddle import Folder, Tap, find_nvcc
from models import MODELS
from networks import NETWORKS

NAMESPACE = "{https://heddle.github.io/ns/ncd}"

random = np.random.default_rng(2)
erf = np.vectorize(math.erf)


def softmax(a, axis=-1):
    e = np.exp(a - a.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def relu(a):
    return np.maximum(a, 0)


def standardised(a, eps):
    return (a - a.mean(-1, keepdims=True)) / np.sqrt(a.var(-1, keepdims=True) + eps)


def attend(Q, K, V):
    """One head: (y, k), (x, k), (x, v)."""
    return softmax(Q @ K.T / math.sqrt(Q.shape[1])) @ V


def masked(Q, K, V, window):
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    for y in range(scores.shape[0]):
        for x in range(scores.shape[1]):
            if x > y or y - x >= window:
                scores[y, x] = -np.inf
    return softmax(scores) @ V


def multi_head(Y, X, W_Q, W_K, W_V, W_O):
    heads = [attend(Y @ W_Q[:, :, h], X @ W_K[:, :, h], X @ W_V[:, :, h]) for h in range(W_Q.shape[2])]
    return sum(head @ W_O[:, h] for h, head in enumerate(heads))


def multi_query(Q, K, V):
    return np.stack([attend(Q[:, h], K, V) for h in range(Q.shape[1])], 1)


def grouped_query(Q, K, V):
    O = np.zeros_like(Q)
    for r, g in np.ndindex(Q.shape[1], Q.shape[3]):
        O[:, r, :, g] = attend(Q[:, r, :, g], K[:, :, g], V[:, :, g])
    return O


def spherical(Q, K, V):
    S = Q @ K.T
    return S / np.linalg.norm(S, axis=1, keepdims=True) @ V


def backward(Q, K, V, G):
    """By the chain rule on the Jacobian of each row's softmax: diag(p) - p p'."""
    scale = 1 / math.sqrt(Q.shape[1])
    P = softmax(Q @ K.T * scale)
    S = np.stack([(np.diag(p) - np.outer(p, p)) @ d for p, d in zip(P, G @ V.T)]) * scale
    return {"dQ": S @ K, "dK": S.T @ Q, "dV": P.T @ G}


def blocks(Q, K, V):
    """Decoding in blocks is attention to all of them at once."""
    return attend(Q[None], K.reshape(-1, len(Q)), V.reshape(-1, len(Q)))[0]


def recognise(X, W_1, b_1, W_2, b_2, W_3, b_3):
    return softmax(relu(relu(X @ W_1 + b_1) @ W_2 + b_2) @ W_3 + b_3)


def gelu(x):
    return .5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def swiglu(X, W, V, U):
    G = X @ W
    return (G / (1 + np.exp(-G)) * (X @ V)) @ U


def convolve(X, W, length, stride=1, dilation=1, padding=1):
    Y = np.zeros((length, W.shape[2]))
    for y in range(length):
        for w in range(W.shape[0]):
            x = stride * y + dilation * w - padding
            if 0 <= x < X.shape[0]:
                Y[y] += X[x] @ W[w]
    return Y


def convolve_image(X, W):
    padded = np.pad(X, ((0, 0), (3, 9), (3, 9)))
    Y = np.zeros((W.shape[0], 4, 5))
    for y, x in np.ndindex(4, 5):
        window = padded[:, 2 * y:2 * y + W.shape[2], 2 * x:2 * x + W.shape[3]]
        Y[:, y, x] = (W * window).sum((1, 2, 3))
    return Y


def pool(X):
    padded = np.pad(X, ((1, 3), (0, 0)), constant_values=-np.inf)
    return np.stack([padded[2 * y:2 * y + 3].max(0) for y in range(5)])


WORDS = np.array([4, 0, 8, 2, 2, 5])


def cross_entropy(L, T):
    return -np.log(softmax(L)[np.arange(len(T)), WORDS]).mean()


def decode(X, W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2):
    """Layer by layer, head by head; masked attention by leaving out what comes later."""
    for i in range(len(W_Q)):
        N, A = standardised(X, 1e-5), X.copy()
        for x, h in np.ndindex(len(X), W_Q.shape[-1]):
            q, K, V = N[x] @ W_Q[i, :, :, h], N[:x + 1] @ W_K[i, :, :, h], N[:x + 1] @ W_V[i, :, :, h]
            A[x] += attend(q[None], K, V)[0] @ W_O[i, :, h]
        G = standardised(A, 1e-5) @ W_1[i] + b_1[i]
        X = A + G * (1 + erf(G / math.sqrt(2))) / 2 @ W_2[i] + b_2[i]
    return X


def tower(X, W, b, U, V, c, D):
    def block(X, W, b, U):
        return X + relu(X / np.sqrt((X**2).mean(1, keepdims=True) + 1e-6) @ W + b) @ U
    for i in range(4):
        X = block(X, W[i], b[i], U[i])
    for _ in range(4):
        X = block(X, V, c, D)
    return X


LAYERS = {"Z.A.W_Q": (6, 4, 3, 2), "Z.A.W_K": (6, 4, 3, 2), "Z.A.W_V": (6, 4, 3, 2), "Z.A.W_O": (6, 3, 2, 4),
          "Z.Y.W_1": (6, 4, 5), "Z.Y.b_1": (6, 5), "Z.Y.W_2": (6, 5, 4), "Z.Y.b_2": (6, 4)}
BLOCKS = {"T.W": (4, 3, 6), "T.b": (4, 6), "T.U": (4, 6, 3), "Y.W": (3, 6), "Y.b": (6,), "Y.U": (6, 3)}

ATTENTION = {"Q": "yk", "K": "xk", "V": "xk"}
SIZES = {"y": 5, "x": 7, "k": 3}

# Name: the sizes, the inputs (by the names of their axes, to be random), and the outputs computed otherwise.
def rotate(X):
    """Each pair as a complex number, turned."""
    pairs = X[:, ::2] + 1j * X[:, 1::2]
    angles = np.outer(np.arange(len(X)), 10000. ** (-np.arange(pairs.shape[1]) / pairs.shape[1]))
    turned = pairs * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], 2).reshape(X.shape)


def route(X, G, W_1, W_3, W_2):
    """Token by token: its two best experts, weighted by the softmax of their scores."""
    Y = np.zeros_like(X)
    for t, x in enumerate(X):
        scores = x @ G
        best = np.argsort(-scores, kind="stable")[:2]
        for weight, e in zip(softmax(scores[best]), best):
            gate = x @ W_1[e]
            Y[t] += weight * (gate / (1 + np.exp(-gate)) * (x @ W_3[e])) @ W_2[e]
    return Y


def selective_scan(X, S, B, C, A, D):
    h, Y = np.zeros(A.shape), np.zeros_like(X)
    for t in range(len(X)):
        h = np.exp(S[t][:, None] * A) * h + np.outer(S[t] * X[t], B[t])
        Y[t] = h @ C[t] + D * X[t]
    return Y


def remember(X, h, c, W, R, k):
    """Text by text: the gates are in the order forget, cell, input, output."""
    H = np.zeros((len(X), *h.shape))
    C, h, c = np.zeros_like(H), h.copy(), c.copy()
    for t, b in np.ndindex(X.shape[:2]):
        f, g, i, o = (X[t, b] @ W[:, gate] + R[gate] @ h[b] + k[gate] for gate in range(4))
        c[b] = c[b] / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        h[b] = np.tanh(c[b]) / (1 + np.exp(-o))
        H[t, b], C[t, b] = h[b], c[b]
    return {"H": H, "C": C}


def batch_norm(X, g, k):
    mean, variance = X.mean((0, 2, 3), keepdims=True), X.var((0, 2, 3), keepdims=True)
    return (X - mean) / np.sqrt(variance + 1e-5) * g[:, None, None] + k[:, None, None]


def transposed(X, W):
    """Every pixel is spread over a window of the output, of which the margin is cut."""
    wide = np.zeros((2 * X.shape[0] + 2, 2 * X.shape[1] + 2, W.shape[3]))
    for i, j in np.ndindex(X.shape[:2]):
        wide[2 * i:2 * i + 4, 2 * j:2 * j + 4] += np.einsum("c,vwcf->vwf", X[i, j], W)
    return wide[1:-1, 1:-1]


def skip(A, B, W):
    Z = np.concatenate([A, B], 2)
    windows = np.lib.stride_tricks.sliding_window_view(Z, (3, 3), (0, 1))
    return {"Z": Z, "O": np.einsum("ijcvw,vwcf->ijf", windows, W)}


def quantised(X, W, r):
    """In f64 nothing is rounded: the scale goes in and comes out."""
    s = np.abs(X).max(1) / 448
    return {"s": s, "Q": X / s[:, None], "Y": X @ W * r}


PAIRS = random.standard_normal((5, 8))
TOKENS = [3, 0, 6, 3, 1]
WINDOWS = random.standard_normal((3, 3, 5, 4))
SPREAD = random.standard_normal((4, 4, 2, 5))

EXAMPLES = {
    "attention": (SIZES, ATTENTION, lambda Q, K, V: {"O": attend(Q, K, V)}),
    "attention-backward": (SIZES, {**ATTENTION, "G": "yk"}, backward),
    "average-pooling": ({"x": 8, "y": 6, "c": 3}, {"X": "xyc"}, lambda X: {"Y": X.reshape(4, 2, 3, 2, 3).mean((1, 3))}),
    "batch-norm": ({"b": 3, "c": 2, "h": 4, "w": 5}, {"X": "bchw", "g": "c", "k": "c"}, lambda X, g, k: {"Y": batch_norm(X, g, k)}),
    "broadcasting": ({"a": 3, "b": 4}, {"A": "ab", "r": "b"}, lambda A, r: {"C": A + np.tile(r, (3, 1))}),
    "causal-attention": (SIZES, ATTENTION, lambda Q, K, V: {"O": masked(Q, K, V, math.inf)}),
    "composition": ({"a": 5}, {"X": "a"}, lambda X: {"Z": np.tanh(np.exp(X))}),
    "concatenation": ({"y": 6, "x": 5, "a": 2, "b": 3, "f": 4}, {"A": "yxa", "B": "yxb", "W": WINDOWS}, skip),
    "convolution": ({"x": 9, "c": 2, "w": 3, "f": 4, "y": 10}, {"X": "xc", "W": "wcf"}, lambda X, W: {"Y": convolve(X, W, 10)}),
    "cross-entropy": ({"n": 6, "v": 9}, {"L": "nv", "T": np.eye(9)[WORDS]}, lambda L, T: {"O": cross_entropy(L, T)}),
    "decoder-transformer": ({"x": 5, "m": 4, "Z.A.k": 3, "Z.A.h": 2, "Z.Y.f": 5},
                            {"X": "xm", **{name: random.standard_normal(shape) for name, shape in LAYERS.items()}},
                            lambda *arrays: {"Z": decode(*arrays)}),
    "depthwise-convolution": ({"x": 9, "c": 2, "w": 3, "y": 9}, {"X": "xc", "W": "wc"},
                              lambda X, W: {"Y": np.stack([np.convolve(X[:, c], W[::-1, c], "same") for c in range(2)], 1)}),
    "diagonal": ({"a": 5, "b": 5}, {"A": "ab"}, lambda A: {"d": np.diagonal(A)}),
    "digit-recogniser": ({"i": 12, "j": 7, "k": 6, "d": 5}, {"X": "i", "W_1": "ij", "b_1": "j", "W_2": "jk", "b_2": "k", "W_3": "kd", "b_3": "d"},
                         lambda *arrays: {"P": recognise(*arrays)}),
    "dilated-convolution": ({"x": 9, "c": 2, "w": 3, "f": 4, "y": 9}, {"X": "xc", "W": "wcf"},
                            lambda X, W: {"Y": convolve(X, W, 9, dilation=2, padding=2)}),
    "elementwise": ({"a": 3, "b": 4}, {"X": "ab"}, lambda X: {"Y": X * (1 + erf(X / math.sqrt(2))) / 2}),
    "embedding": ({"t": 5, "n": 7, "m": 4}, {"T": TOKENS, "E": "nm", "P": "tm"}, lambda T, E, P: {"X": E[T] + P}),
    "flash-decoding": ({"k": 3, "b": 4, "x": 5}, {"Q": "k", "K": "bxk", "V": "bxk"}, lambda Q, K, V: {"O": blocks(Q, K, V)}),
    "fp8-attention": ({"q": 5, "x": 7, "d": 3}, {"Q": "qd", "K": "xd", "V": "xd"}, lambda Q, K, V: {"O": attend(Q, K, V)}),
    "grouped-query-attention": ({**SIZES, "r": 2, "g": 4}, {"Q": "yrkg", "K": "xkg", "V": "xkg"}, lambda Q, K, V: {"O": grouped_query(Q, K, V)}),
    "image-convolution": ({"c": 2, "u": 8, "v": 9, "f": 3, "i": 7, "j": 6, "y": 4, "x": 5}, {"X": "cuv", "W": "fcij"},
                          lambda X, W: {"Y": convolve_image(X, W)}),
    "indexing": ({"a": 4, "b": 5}, {"A": "ab"}, lambda A: {"r": A[2]}),
    "inner-product": ({"k": 9}, {"A": "k", "B": "k"}, lambda A, B: {"s": A @ B}),
    "inner-broadcasting": ({"p": 5, "q": 3, "k": 4, "c": 2}, {"A": "pq", "x": "k", "T.H": "qkc"},
                           lambda A, x, H: {"T": np.stack([np.tensordot(np.outer(row, x), H, 2) for row in A])}),
    "layer-norm": ({"x": 5, "m": 6}, {"X": "xm", "g": "m", "b": "m"}, lambda X, g, b: {"Y": standardised(X, 1e-12) * g + b}),
    "layernorm-linear": ({"x": 5, "m": 6, "n": 4}, {"X": "xm", "g": "m", "b": "m", "W": "mn", "c": "n"},
                         lambda X, g, b, W, c: {"Y": (standardised(X, 1e-5) * g + b) @ W + c}),
    "linear-recurrence": ({"t": 6, "d": 3, "n": 4}, {"X": "td", "S": "td", "B": "tn", "C": "tn", "A": "dn", "D": "d"},
                          lambda *arrays: {"Y": selective_scan(*arrays)}),
    "lstm": ({"t": 5, "b": 3, "m": 4, "u": 2}, {"X": "tbm", "h": "bu", "c": "bu", "W": random.standard_normal((4, 4, 2)),
                                               "C.R": random.standard_normal((4, 2, 2)), "C.k": random.standard_normal((4, 2))}, remember),
    "matrix-chain": ({"a": 3, "i": 4, "j": 5, "b": 6}, {"A": "ai", "B": "ij", "C": "jb"}, lambda A, B, C: {"D": A @ (B @ C)}),
    "matrix-product": ({"a": 5, "k": 6, "b": 7}, {"A": "ak", "B": "kb"}, lambda A, B: {"C": A @ B}),
    "max-pooling": ({"x": 9, "c": 2, "w": 3, "y": 5}, {"X": "xc"}, lambda X: {"Y": pool(X)}),
    "mixture-of-experts": ({"t": 5, "m": 4, "e": 6, "f": 3}, {"X": "tm", "G": "me", "W_1": "emf", "W_3": "emf", "W_2": "efm"},
                           lambda *arrays: {"Y": route(*arrays)}),
    "multi-head-attention": ({**SIZES, "m": 6, "h": 2}, {"Y": "ym", "X": "xm", "W_Q": "mkh", "W_K": "mkh", "W_V": "mkh", "W_O": "khm"},
                             lambda *arrays: {"O": multi_head(*arrays)}),
    "multi-query-attention": ({**SIZES, "h": 4}, {"Q": "yhk", "K": "xk", "V": "xk"}, lambda Q, K, V: {"O": multi_query(Q, K, V)}),
    "offloaded-decode": ({"b": 2, "h": 3, "x": 5, "d": 4}, {"Q": "bhd", "K": "bhxd", "V": "bhxd"},
                         lambda Q, K, V: {"O": np.stack([[attend(q[None], k, v)[0] for q, k, v in zip(*heads)] for heads in zip(Q, K, V)])}),
    "outer-broadcasting": ({"p": 5, "q": 3, "c": 2}, {"A": "pq", "T.G": "qc"}, lambda A, G: {"T": np.stack([row @ G for row in A])}),
    "outer-product": ({"a": 3, "b": 4}, {"A": "a", "B": "b"}, lambda A, B: {"C": np.outer(A, B)}),
    "pairwise-distances": ({"a": 4, "b": 5, "k": 3}, {"A": "ak", "B": "bk"},
                           lambda A, B: {"S": (A**2).sum(1)[:, None] - 2 * A @ B.T + (B**2).sum(1)}),
    "quadratic-form": ({"i": 5, "j": 5}, {"u": "i", "A": "ij"}, lambda u, A: {"s": (A * np.outer(u, u)).sum()}),
    "quantised-linear": ({"t": 4, "m": 5, "f": 3}, {"X": "tm", "W": "mf", "r": "f"}, quantised),
    "repeat": ({"b": 5, "a": 3}, {"v": "b"}, lambda v: {"A": np.tile(v, (3, 1))}),
    "residual-mlp": ({"x": 5, "m": 4, "f": 9}, {"X": "xm", "W_1": "mf", "b_1": "f", "W_2": "fm", "b_2": "m"},
                     lambda X, W_1, b_1, W_2, b_2: {"Y": X + relu(X @ W_1 + b_1) @ W_2 + b_2}),
    "residual-tower": ({"n": 5, "m": 3, "T.f": 6, "Y.f": 6},
                       {"X": "nm", **{name: random.standard_normal(shape) for name, shape in BLOCKS.items()}},
                       lambda *arrays: {"Y": tower(*arrays)}),
    "rms-norm": ({"x": 5, "m": 6}, {"X": "xm", "g": "m"}, lambda X, g: {"Y": X / np.sqrt((X**2).mean(1, keepdims=True) + 1e-5) * g}),
    "rmsnorm-linear": ({"x": 5, "m": 6, "n": 4}, {"X": "xm", "g": "m", "W": "mn"},
                       lambda X, g, W: {"Y": X / np.sqrt((X**2).mean(1, keepdims=True) + 1e-6) @ np.diag(g) @ W}),
    "rotary-embedding": ({"x": 5, "p": 4}, {"X": PAIRS}, lambda X: {"Y": rotate(X)}),
    "row-norms": ({"n": 5, "k": 6}, {"X": "nk"}, lambda X: {"L": np.linalg.norm(X, axis=1)}),
    "self-attention": ({**SIZES, "x": 5, "m": 6}, {"X": "xm", "W_Q": "mk", "W_K": "mk", "W_V": "mk"},
                       lambda X, W_Q, W_K, W_V: {"O": attend(X @ W_Q, X @ W_K, X @ W_V)}),
    "sliding-window-attention": ({**SIZES, "w": 3}, ATTENTION, lambda Q, K, V: {"O": masked(Q, K, V, 3)}),
    "sequence-parallel-attention": ({"h": 2, "d": 4, "x": 16}, {"Q": "hd", "K": "hxd", "V": "hxd"},
                                    lambda Q, K, V: {"O": np.stack([softmax(q @ k.T / 2) @ v for q, k, v in zip(Q, K, V)])}),
    "softmax": ({"n": 5, "x": 6}, {"X": "nx"}, lambda X: {"P": softmax(X)}),
    "spherical-attention": (SIZES, ATTENTION, lambda Q, K, V: {"O": spherical(Q, K, V)}),
    "strided-convolution": ({"x": 9, "c": 2, "w": 3, "f": 4, "y": 5}, {"X": "xc", "W": "wcf"},
                            lambda X, W: {"Y": convolve(X, W, 5, stride=2)}),
    "swiglu": ({"x": 5, "m": 4, "f": 6}, {"X": "xm", "W": "mf", "V": "mf", "U": "fm"}, lambda *arrays: {"Y": swiglu(*arrays)}),
    "tensor-parallel-mlp": ({"n": 5, "m": 4, "f": 6}, {"X": "nm", "W": "mf", "V": "fm"}, lambda X, W, V: {"R": gelu(X @ W) @ V + X}),
    "trace-of-a-product": ({"i": 4, "j": 5}, {"A": "ij", "B": "ji"}, lambda A, B: {"s": np.trace(A @ B)}),
    "transpose": ({"a": 3, "b": 4}, {"A": "ab"}, lambda A: {"T": A.T}),
    "transposed-convolution": ({"i": 3, "j": 4, "c": 2, "f": 5}, {"X": "ijc", "W": SPREAD}, lambda X, W: {"Y": transposed(X, W)}),
    **MODELS,
    **NETWORKS,
}

# Kernels of each kind, interpreted where there is a compiler: masks, shared heads, norms, gathers, scans, selections, several kernels.
INTERPRETED = ("causal-attention", "embedding", "flash-decoding", "grouped-query-attention", "layernorm-linear", "linear-recurrence",
               "max-pooling", "mixture-of-experts", "strided-convolution", "transposed-convolution")


def difference(found, expected):
    if found.shape != np.shape(expected):
        return f"shape {found.shape}, expected {np.shape(expected)}"
    scale = max(1., float(np.abs(expected).max()))
    error = float(np.abs(found - expected).max()) / scale
    return None if error <= 1e-12 else f"off by {error}"


def check_schema(tap, paths, schema):
    xmllint = shutil.which("xmllint")
    if xmllint is None:
        tap.check("/examples/schema", "xmllint is missing")
        return
    run = subprocess.run([xmllint, "--nonet", "--noout", "--relaxng", schema, *paths], capture_output=True, text=True, check=False)
    tap.check("/examples/schema", run.stderr if run.returncode else None)


def check_document(tap, folder, path):
    """Nothing is wrong with it, saving it changes no byte, and its text is the same diagram."""
    tap.equal(f"/examples/{path.stem}/check", folder.output("check", str(path)), "")
    folder.output("import", str(path), "-o", "again.ncd")
    tap.check(f"/examples/{path.stem}/bytes", None if folder.read("again.ncd") == path.read_bytes() else "saving it changes it")
    text = folder.output("equations", str(path))
    folder.write(f"{path.stem}.eq", text)
    folder.output("import", f"{path.stem}.eq", "-o", "again.ncd")
    tap.equal(f"/examples/{path.stem}/equations", folder.output("equations", "again.ncd"), text)
    drawings = list(ElementTree.parse(path).iter(NAMESPACE + "drawing"))
    titles = [drawing.get("title") for drawing in drawings if drawing.get("diagram") == f"d.{path.stem}"]
    tap.check(f"/examples/{path.stem}/said", None if len(titles) == 1 and titles[0] and text.startswith("# ") else "no title, or no comment")


def check_values(tap, folder, path, sizes):
    lengths, inputs, reference = EXAMPLES[path.stem]
    arrays = {name: np.asarray(random.standard_normal([lengths[axis] for axis in kind]) if isinstance(kind, str) else kind)
              for name, kind in inputs.items()}
    for name, array in arrays.items():
        np.save(folder.path / f"{name}.npy", array)
    expected = reference(*arrays.values())
    folder.output("evaluate", str(path), *sizes, *(part for name in arrays for part in ("--in", f"{name}={name}.npy")),
                  *(part for name in expected for part in ("--out", f"{name}=out-{name}.npy")))
    for name, array in expected.items():
        tap.check(f"/examples/{path.stem}/{name}", difference(np.load(folder.path / f"out-{name}.npy"), array))


def check_derivations(tap, folder, path):
    """Every way to cut it into kernels is priced, and every kernel is made."""
    for fuse in ("none",) if "ASAN_OPTIONS" in os.environ else ("none", "best"):  # the search is the same code, twenty times as slow there
        kernels = folder.json("derive", str(path), "--gpu", "h100", "--fuse", fuse, "--suggest")["kernels"]
        reasons = [kernel["not_generated_because"] for kernel in kernels if not kernel["generated"]]
        tap.check(f"/examples/{path.stem}/derive/{fuse}", str(reasons) if reasons else None)
        priced = all(kernel["levels"][0]["transfer_bytes"] > 0 and kernel["time"]["expected_s"] > 0 for kernel in kernels)
        tap.check(f"/examples/{path.stem}/priced/{fuse}", None if priced else "a kernel that costs nothing")
        apart = [kernel["operations"] for kernel in kernels if sum(part["seconds"] for part in kernel["time"]["parts"]) != kernel["time"]["expected_s"]]
        tap.check(f"/examples/{path.stem}/parts/{fuse}", str(apart) if apart else None)
    text = folder.output("pseudocode", str(path), "--gpu", "h100", "--fuse", "none")
    tap.equal(f"/examples/{path.stem}/pseudocode", "has no loop program" in text, False)


def check_kernels(tap, folder, path, sizes, where):
    result = folder.json("verify", str(path), "--gpu", "h100", "--on", where, *sizes)
    tap.equal(f"/examples/{path.stem}/{where}", (result["passed"], 0 <= result["relative_error"] <= result["tolerance"]), (True, True))


def main(examples, schema, part):
    """`part` is "k/n": every n-th example, from the k-th on; what concerns them all is for the first part."""
    first, step = map(int, part.split("/"))
    tap, folder = Tap(), Folder()
    paths = sorted(Path(examples).resolve().iterdir())
    if first == 1:
        tap.equal("/examples/with-reference", [path.name for path in paths], sorted(f"{name}.ncd" for name in EXAMPLES))
        check_schema(tap, paths, schema)
    compiler = find_nvcc() is not None
    for path in paths[first - 1::step]:
        if path.stem not in EXAMPLES:
            continue
        sizes = [part for axis, size in EXAMPLES[path.stem][0].items() for part in ("--set", f"{axis}={size}")]
        check_document(tap, folder, path)
        check_values(tap, folder, path, sizes)
        check_derivations(tap, folder, path)
        check_kernels(tap, folder, path, sizes, "model")
        if compiler and path.stem in INTERPRETED:
            check_kernels(tap, folder, path, sizes, "cpu")
    tap.finish()


main(*sys.argv[1:])
