# SPDX-License-Identifier: MIT
"""References of the shipped models that are made of definitions: plain NumPy, layer by layer, token by token where that is another way."""

import math

import numpy as np

random = np.random.default_rng(5)
erf = np.vectorize(math.erf)


def normal(*shape):
    return random.standard_normal(shape)


def softmax(a):
    e = np.exp(a - a.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x, p, eps=1e-6):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) * p["g"] + p["b"]


def rms_norm(x, g, eps):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * g


def silu(x):
    return x / (1 + np.exp(-x))


def gelu(x):
    return x * (1 + erf(x / math.sqrt(2))) / 2


def relu(x):
    return np.maximum(x, 0)


def below(parameters, name, layer=None):
    """The parameters of the call @name, of one of its layers."""
    return {key[len(name) + 1:]: value if layer is None else value[layer]
            for key, value in parameters.items() if key.startswith(name + ".")}


def attend(q, k, v, is_causal=False):
    """One head, query by query; with a mask, by leaving out what comes later."""
    rows = []
    for i, row in enumerate(q):
        n = i + 1 if is_causal else len(k)
        rows.append(softmax(k[:n] @ row / math.sqrt(len(row))) @ v[:n])
    return np.stack(rows)


def heads(y, x, p, is_causal=False):
    return sum(attend(y @ p["W_Q"][:, :, h], x @ p["W_K"][:, :, h], x @ p["W_V"][:, :, h], is_causal) @ p["W_O"][:, h]
               for h in range(p["W_Q"].shape[2]))


def think(x, p, activation):
    return activation(x @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]


def turned(x, base):
    """Each pair as a complex number, turned; places are the last axis but one."""
    pairs = x[..., ::2] + 1j * x[..., 1::2]
    angles = np.outer(np.arange(x.shape[-2]), base ** (-np.arange(pairs.shape[-1]) / pairs.shape[-1]))
    result = pairs * np.exp(1j * angles)
    return np.stack([result.real, result.imag], -1).reshape(x.shape)


def expert(x, w_1, w_3, w_2):
    return (silu(x @ w_1) * (x @ w_3)) @ w_2


# --- images and words --------------------------------------------------------------------------------------

def vision_transformer(X, W, b, t, E, U, a, **rest):
    """Patch by patch."""
    p, q = W.shape[:2]
    rows = [t[0]]
    for i in range(X.shape[0] // p):
        for j in range(X.shape[1] // q):
            rows.append(X[p * i:p * i + p, q * j:q * j + q].reshape(-1) @ W.reshape(-1, W.shape[3]) + b)
    z = np.stack(rows) + E
    for i in range(2):
        layer = below(rest, "Y", i)
        n = layer_norm(z, below(layer, "N"))
        y = z + heads(n, n, below(layer, "A"))
        z = y + think(layer_norm(y, below(layer, "M")), below(layer, "F"), gelu)
    return {"L": layer_norm(z, below(rest, "N"))[0] @ U + a}


def placed(words, E):
    x = E[words] * math.sqrt(E.shape[1])
    for i, j in np.ndindex(x.shape):
        angle = i / 10000 ** (2 * (j // 2) / x.shape[1])
        x[i, j] += math.cos(angle) if j % 2 else math.sin(angle)
    return x


def transformer(S, T, E, **rest):
    x, y = placed(S.astype(int), E), placed(T.astype(int), E)
    for i in range(2):
        layer = below(rest, "M", i)
        x = layer_norm(x + heads(x, x, below(layer, "A")), below(layer, "Y"))
        x = layer_norm(x + think(x, below(layer, "F"), relu), below(layer, "Z"))
    for i in range(2):
        layer = below(rest, "Z", i)
        y = layer_norm(y + heads(y, y, below(layer, "A"), True), below(layer, "B"))
        y = layer_norm(y + heads(y, x, below(layer, "C")), below(layer, "D"))
        y = layer_norm(y + think(y, below(layer, "F"), relu), below(layer, "Z"))
    return {"P": softmax(y @ E.T)}


def convolve(x, w):
    """Images are the first axis, channels the second; the margin is of zeros."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    y = np.zeros((x.shape[0], w.shape[3], *x.shape[2:]))
    for i, j in np.ndindex(x.shape[2:]):
        y[:, :, i, j] = np.einsum("bcpq,pqcd->bd", padded[:, :, i:i + 3, j:j + 3], w)
    return y


def mixed(x, w):
    return np.einsum("bcyx,cd->bdyx", x, w)


def activated(x, p):
    mean, variance = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
    return relu((x - mean) / np.sqrt(variance + 1e-5) * p["g"][:, None, None] + p["k"][:, None, None])


def residual(a, p):
    return mixed(activated(convolve(activated(mixed(a, p["U"]), below(p, "C")), p["V"]), below(p, "E")), p["W"])


def stage(x, p, apart):
    a = activated(x, below(p, "A"))[:, :, ::apart, ::apart]
    z = mixed(a, p["R"]) + residual(a, p)
    for i in range(2):
        layer = below(p, "Z", i)
        z = z + residual(activated(z, below(layer, "A")), layer)
    return z


def resnet(X, F, L, a, **rest):
    c = convolve(X, F)
    for name, apart in (("A", 1), ("B", 2), ("C", 2)):
        c = stage(c, below(rest, name), apart)
    return {"P": softmax(activated(c, below(rest, "N")).mean((2, 3)) @ L + a)}


def visual(Y, X, W_Q, W_K, W_V, W_O):
    """Pixels in one row."""
    pixels = X.reshape(-1, X.shape[2])
    return {"O": (attend(Y.reshape(-1, Y.shape[2]) @ W_Q, pixels @ W_K, pixels @ W_V) @ W_O).reshape(Y.shape)}


# --- experts and latent attention ---------------------------------------------------------------------------

def shared_heads(x, p):
    """Every head of queries on its own, with the keys and values of its group."""
    y = np.zeros_like(x)
    for g, n in np.ndindex(p["W_Q"].shape[1:3]):
        q, k = turned(x @ p["W_Q"][:, g, n], 1e6), turned(x @ p["W_K"][:, g], 1e6)
        y += attend(q, k, x @ p["W_V"][:, g], True) @ p["W_O"][g, n]
    return y


def two_best(x, p):
    y = np.zeros_like(x)
    for t, row in enumerate(x):
        scores = row @ p["G"]
        best = np.argsort(-scores, kind="stable")[:2]
        for weight, e in zip(softmax(scores[best]), best):
            y[t] += weight * expert(row, p["W_1"][e], p["W_3"][e], p["W_2"][e])
    return y


def mixtral(T, E, U, **rest):
    x = E[T.astype(int)]
    for i in range(2):
        layer = below(rest, "Y", i)
        x = x + shared_heads(rms_norm(x, layer["M.g"], 1e-5), below(layer, "A"))
        x = x + two_best(rms_norm(x, layer["N.g"], 1e-5), below(layer, "B"))
    return {"L": rms_norm(x, rest["N.g"], 1e-5) @ U}


def latent(X, D_Q, g_Q, U_Q, R_Q, D_K, g_K, U_K, R_K, U_V, W_O):
    """A head's query and key are what is compressed and what is turned, one after the other."""
    L, C, Y = rms_norm(X @ D_Q, g_Q, 1e-6), rms_norm(X @ D_K, g_K, 1e-6), np.zeros_like(X)
    for h in range(U_Q.shape[1]):
        q = np.concatenate([L @ U_Q[:, h], turned(L @ R_Q[:, h], 1e4)], 1)
        k = np.concatenate([C @ U_K[:, h], turned(X @ R_K, 1e4)], 1)
        Y += attend(q, k, C @ U_V[:, h], True) @ W_O[h]
    return Y


def routed(x, p):
    y = np.zeros_like(x)
    for t, row in enumerate(x):
        likes = 1 / (1 + np.exp(-row @ p["G"]))
        best = np.argsort(-(likes + p["b"]), kind="stable")[:3]
        for e in best:
            y[t] += 2.5 * likes[e] / likes[best].sum() * expert(row, p["W_1"][e], p["W_3"][e], p["W_2"][e])
    return y


def deepseek(X, **rest):
    a, s = below(rest, "A"), below(rest, "S")
    n = rms_norm(X, rest["M.g"], 1e-6)
    y = X + latent(n, a["D_Q"], a["L.g"], a["U_Q"], a["R_Q"], a["D_K"], a["C.g"], a["U_K"], a["R_K"], a["U_V"], a["W_O"])
    n = rms_norm(y, rest["N.g"], 1e-6)
    return {"Z": y + expert(n, s["W_1"], s["W_3"], s["W_2"]) + routed(n, below(rest, "B"))}


# --- sizes and inputs --------------------------------------------------------------------------------------

def under(name, shapes, *layers):
    return {f"{name}.{key}": (*layers, *shape) for key, shape in shapes.items()}


def draw(shapes):
    return {name: normal(*shape) if isinstance(shape, tuple) else np.array(shape) for name, shape in shapes.items()}


NORM = {"g": (4,), "b": (4,)}
HEADS = {"W_Q": (4, 3, 2), "W_K": (4, 3, 2), "W_V": (4, 3, 2), "W_O": (3, 2, 4)}
THINK = {"W_1": (4, 5), "b_1": (5,), "W_2": (5, 4), "b_2": (4,)}
ENCODE = {**under("N", NORM), **under("A", HEADS), **under("M", NORM), **under("F", THINK)}
IMAGE = {"X": (4, 9, 2), "W": (2, 3, 2, 4), "b": (4,), "t": (1, 4), "E": (7, 4), "U": (4, 5), "a": (5,)}

POST = {**under("A", HEADS), **under("Y", NORM), **under("F", THINK), **under("Z", NORM)}
TWICE = {**under("A", HEADS), **under("B", NORM), **under("C", HEADS), **under("D", NORM), **under("F", THINK), **under("Z", NORM)}
WORDS = {"S": [3, 0, 6, 3, 1], "T": [2, 2, 5], "E": (7, 4)}

GROUPS = {"W_Q": (4, 2, 3, 6), "W_K": (4, 2, 6), "W_V": (4, 2, 6), "W_O": (2, 3, 6, 4)}
EXPERTS = {"G": (4, 5), "W_1": (5, 4, 3), "W_3": (5, 4, 3), "W_2": (5, 3, 4)}
MIXTRAL = {**under("M", {"g": (4,)}), **under("A", GROUPS), **under("N", {"g": (4,)}), **under("B", EXPERTS)}

LATENT = {"D_Q": (5, 4), "g_Q": (4,), "U_Q": (4, 2, 3), "R_Q": (4, 2, 6), "D_K": (5, 3), "g_K": (3,), "U_K": (3, 2, 3), "R_K": (5, 6),
          "U_V": (3, 2, 4), "W_O": (2, 4, 5)}
COMPRESS = {"D_Q": (4, 5), "L.g": (5,), "U_Q": (5, 2, 3), "R_Q": (5, 2, 6), "D_K": (4, 3), "C.g": (3,), "U_K": (3, 2, 3), "R_K": (4, 6),
            "U_V": (3, 2, 3), "W_O": (2, 3, 4)}
ROUTED = {"G": (4, 6), "b": (6,), "W_1": (6, 4, 3), "W_3": (6, 4, 3), "W_2": (6, 3, 4)}
SHARED = {"W_1": (4, 3), "W_3": (4, 3), "W_2": (3, 4)}
DEEPSEEK = {"X": (5, 4), "M.g": (4,), **under("A", COMPRESS), "N.g": (4,), **under("S", SHARED), **under("B", ROUTED)}

def component(n, d):
    return {"A.g": (n,), "A.k": (n,), "U": (n, d), "C.g": (d,), "C.k": (d,), "V": (3, 3, d, d), "E.g": (d,), "E.k": (d,), "W": (d, n)}


def block(c, d):
    return {**component(c, d), "W": (d, 4 * d), "R": (c, 4 * d), **under("Z", component(4 * d, d), 2)}


RESNET = {"X": (3, 2, 8, 8), "F": (3, 3, 2, 3), "L": (12, 5), "a": (5,), **under("A", block(3, 1)), **under("B", block(4, 2)),
          **under("C", block(8, 3)), "N.g": (12,), "N.k": (12,)}
VISUAL = {"Y": (2, 3, 5), "X": (4, 2, 5), "W_Q": (5, 3), "W_K": (5, 3), "W_V": (5, 3), "W_O": (3, 5)}


def model(sizes, shapes, reference):
    """As in EXAMPLES of test-examples.py: the sizes, the inputs, what gives the outputs from them."""
    return sizes, draw(shapes), lambda *arrays: reference(**dict(zip(shapes, arrays)))


MODELS = {
    "attention-is-all-you-need": model({"x": 5, "y": 3, "v": 7, "m": 4, "k": 3, "h": 2, "f": 5, "l": 2},
                                       {**WORDS, **under("M", POST, 2), **under("Z", TWICE, 2)}, transformer),
    "deepseek-v3": model({"x": 5, "m": 4, "h": 2, "k": 3, "p": 3, "a": 5, "c": 3, "e": 6, "s": 3, "f": 3}, DEEPSEEK, deepseek),
    "identity-resnet": model({"b": 3, "r": 2, "i": 2, "c": 3, "o": 5, "d": 1, "e": 2, "f": 3}, RESNET, resnet),
    "mixtral": model({"x": 5, "v": 7, "m": 4, "g": 2, "n": 3, "p": 3, "e": 5, "s": 2, "f": 3, "l": 2},
                     {"T": [3, 0, 6, 3, 1], "E": (7, 4), "U": (4, 7), **under("Y", MIXTRAL, 2), "N.g": (4,)}, mixtral),
    "multi-head-latent-attention": model({"x": 6, "m": 5, "a": 4, "h": 2, "k": 3, "p": 3, "c": 3, "v": 4}, {"X": (6, 5), **LATENT},
                                         lambda **arrays: {"Y": latent(**arrays)}),
    "vision-transformer": model({"i": 2, "j": 3, "p": 2, "q": 3, "c": 2, "m": 4, "d": 5, "k": 3, "h": 2, "f": 5, "l": 2},
                                {**IMAGE, **under("Y", ENCODE, 2), **under("N", NORM)}, vision_transformer),
    "visual-attention": model({"i": 2, "j": 3, "u": 4, "v": 2, "c": 5, "k": 3}, VISUAL, visual),
}
