# SPDX-License-Identifier: MIT
"""References of the shipped convolutional networks, and of the laws of linear maps: plain NumPy, place by place."""

import numpy as np

from models import activated, below, mixed, model, relu, residual, under


def convolve(x, p):
    """Every place with those around it; outside there are zeros."""
    padded = np.pad(x, ((1, 1), (1, 1), (0, 0)))
    y = np.zeros((*x.shape[:2], p["W"].shape[3]))
    for i, j in np.ndindex(y.shape[:2]):
        y[i, j] = np.tensordot(padded[i:i + 3, j:j + 3], p["W"], 3) + p["b"]
    return relu(y)


def double(x, p):
    return convolve(convolve(x, below(p, "A")), below(p, "Y"))


def down(x, p):
    kept = double(x, below(p, p["kept"]))
    h, w, c = kept.shape
    return kept.reshape(h // 2, 2, w // 2, 2, c).max((1, 3)), kept


def spread(x, p):
    """Every place is laid over the 2 x 2 places that it becomes."""
    y = np.zeros((2 * x.shape[0], 2 * x.shape[1], p["W"].shape[3]))
    for i, j in np.ndindex(x.shape[:2]):
        y[2 * i:2 * i + 2, 2 * j:2 * j + 2] += np.tensordot(x[i, j], p["W"], (0, 2))
    return y + p["b"]


def up(x, kept, p):
    return double(np.concatenate([spread(x, below(p, "U")), kept], 2), below(p, "Y"))


def unet(X, L, a, **rest):
    x, saved = X, []
    for name in "PQRS":
        x, kept = down(x, {**below(rest, name), "kept": "C"})
        saved.append(kept)
    x = double(x, below(rest, "E"))
    for name in "FGHI":
        x = up(x, saved.pop(), below(rest, name))
    return {"Y": x @ L + a}


def resnet_block(X, **rest):
    a = activated(X, below(rest, "A"))[:, :, ::2, ::2]
    y = residual(a, below(rest, "F")) + mixed(a, rest["R.R"])
    for i in range(2):
        layer = below(rest, "Z", i)
        y = y + residual(activated(y, below(layer, "A")), below(layer, "F"))
    return {"Z": y}


def transposed(x, w, F):
    return dict.fromkeys("CD", np.tensordot(np.outer(x, w), F, 2))


def slid(x, G, H):
    return dict.fromkeys("CDE", np.linalg.multi_dot([x, G, H]))


def shifted(x, w, G, H, K):
    return dict.fromkeys("RS", np.array([(np.outer(x @ G, w @ H) * K[:, :, k]).sum() for k in range(K.shape[2])]))


def twice(n, c):
    return {**under("A", {"W": (3, 3, n, c), "b": (c,)}), **under("Y", {"W": (3, 3, c, c), "b": (c,)})}


def level(n, c):
    return {**under("U", {"W": (2, 2, n, c), "b": (c,)}), **under("Y", twice(2 * c, c))}


def bottleneck(n, d, m):
    return {"U": (n, d), "C.g": (d,), "C.k": (d,), "V": (3, 3, d, d), "E.g": (d,), "E.k": (d,), "W": (d, m)}


UNIT = {"A.g": (8,), "A.k": (8,), **under("F", bottleneck(8, 2, 8))}
BLOCK = {"X": (2, 3, 6, 4), "A.g": (3,), "A.k": (3,), **under("F", bottleneck(3, 2, 8)), "R.R": (3, 8), **under("Z", UNIT, 2)}

UNET = {"X": (16, 32, 2), "L": (1, 3), "a": (3,),
        **under("P", under("C", twice(2, 1))), **under("Q", under("C", twice(1, 2))), **under("R", under("C", twice(2, 4))),
        **under("S", under("C", twice(4, 8))), **under("E", twice(8, 16)),
        **under("F", level(16, 8)), **under("G", level(8, 4)), **under("H", level(4, 2)), **under("I", level(2, 1))}

NETWORKS = {
    "associated-transpose": model({"a": 2, "b": 3, "c": 4}, {"x": (2,), "w": (3,), "F": (2, 3, 4)}, transposed),
    "identity-resnet-block": model({"b": 2, "c": 3, "i": 3, "j": 2, "d": 2}, BLOCK, resnet_block),
    "outer-product-shift": model({"a": 2, "b": 3, "c": 4, "d": 5, "k": 6},
                                 {"x": (2,), "w": (3,), "G": (2, 5), "H": (3, 4), "K": (5, 4, 6)}, shifted),
    "unit-and-cup": model({"a": 2, "b": 3, "c": 4}, {"x": (2,), "G": (2, 3), "H": (3, 4)}, slid),
    "unet": model({"h": 1, "w": 2, "n": 2, "c": 1, "k": 3}, UNET, unet),
}
