# SPDX-License-Identifier: MIT
"""What the architectures of data/figures/gallery compute, written once more with NumPy: a function for each, of its arrays by their names."""

import math

import numpy as np

einsum = np.einsum
FUNCTIONS = {}


def architecture(function):
    FUNCTIONS[function.__name__.replace("_", "-")] = function
    return function


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def relu(x):
    return np.maximum(x, 0)


def silu(x):
    return x * sigmoid(x)


def gelu(x):
    return x * (1 + np.vectorize(math.erf)(x / 2 ** 0.5)) / 2


def softmax(x, axis=-1):
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def layernorm(x, axis, eps=1e-5):
    return (x - x.mean(axis=axis, keepdims=True)) / np.sqrt(x.var(axis=axis, keepdims=True) + eps)


def l2norm(x, axis):
    return x / np.sqrt((x ** 2).sum(axis=axis, keepdims=True))


def windows(x, sizes, before):
    """x[y + u - before, x + v - before, …] as an array with axes y, x, u, v, …; 0 outside."""
    padded = np.pad(x, [(before, n) for n in sizes] + [(0, 0)] * (x.ndim - len(sizes)))
    out = np.zeros(x.shape[:len(sizes)] + tuple(sizes) + x.shape[len(sizes):])
    for at in np.ndindex(*sizes):
        part = padded[tuple(slice(i, i + n) for i, n in zip(at, x.shape))]
        out[(slice(None),) * len(sizes) + at] = part
    return out


def convolve(x, k, before=1):
    """Over two axes, to channels: k is u, v, c, d."""
    return einsum("yxuvc,uvcd->yxd", windows(x, k.shape[:2], before), k)


def recur(a, b):
    out, held = np.zeros(b.shape), 0
    for t in range(len(b)):
        held = out[t] = np.broadcast_to(a[t], b[t].shape) * held + b[t]
    return out


# --- networks that remember ---------------------------------------------------------------------------------------------------


@architecture
def lstm(X, H, C, W, U, a):
    i, f, c, o = np.moveaxis(einsum("bd,dgm->bgm", X, W) + einsum("bn,ngm->bgm", H, U) + a, 1, 0)
    return {"Y": sigmoid(o) * np.tanh(sigmoid(f) * C + sigmoid(i) * np.tanh(c))}


@architecture
def gru(X, H, W, U, V, R):
    reset, keep = np.moveaxis(sigmoid(einsum("bd,dgm->bgm", X, W) + einsum("bn,ngm->bgm", H, U)), 1, 0)
    return {"Y": keep * H + (1 - keep) * np.tanh(X @ V + (reset * H) @ R)}


@architecture
def highway(X, W, V):
    t = sigmoid(X @ V)
    return {"Y": t * relu(X @ W) + (1 - t) * X}


@architecture
def mamba(X, U, G, K, B, C, S, T, A, W):
    z = silu(einsum("twd,wd->td", windows(X @ U, K.shape[:1], 3), K))
    step = np.log1p(np.exp(z @ S @ T))
    h = recur(np.exp(step[..., None] * A), einsum("td,tn,td->tdn", step, z @ B, z))
    return {"Y": (einsum("tn,tdn->td", z @ C, h) * silu(X @ G)) @ W}


@architecture
def diagonal_state_space(X, A, B, C):
    decay = np.exp(-np.exp(A))
    return {"Y": einsum("dn,tdn->td", C, recur(np.broadcast_to(decay, X.shape[:1] + A.shape), B * X[..., None]))}


# --- attention ------------------------------------------------------------------------------------------------------------------


@architecture
def linear_attention(Q, K, V):
    q, k = (np.where(one > 0, one + 1, np.exp(one)) for one in (Q, K))
    weights = einsum("hqk,hxk->hqx", q, k)
    return {"O": (weights @ V) / weights.sum(axis=-1, keepdims=True)}


@architecture
def performer(Q, K, V, W):
    q, k = (np.exp(one @ W - 0.5 * (one ** 2).sum(axis=-1, keepdims=True)) for one in (Q, K))
    return {"O": (q @ k.T @ V) / (q @ k.T).sum(axis=-1, keepdims=True)}


@architecture
def retention(Q, K, V):
    q, x = np.indices((len(Q), len(K)))
    return {"O": (np.where(x <= q, 0.96875 ** np.maximum(q - x, 0), 0) * (Q @ K.T) / Q.shape[1] ** 0.5) @ V}


@architecture
def latent_attention(X, D, W, U, R, O):
    c = X @ D
    q, k, v = einsum("xm,mhk->hxk", X, W), einsum("xc,chk->hxk", c, U), einsum("xc,chv->hxv", c, R)
    return {"Y": einsum("hxv,hvm->xm", softmax(q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5) @ v, O)}


@architecture
def grouped_queries(Q, K, V):
    out = np.zeros(Q.shape)
    for g, r in np.ndindex(*Q.shape[:2]):
        out[g, r] = softmax(Q[g, r] @ K[g].T / Q.shape[-1] ** 0.5) @ V[g]
    return {"O": out}


@architecture
def talking_heads(Q, K, V, A, B):
    p = softmax(einsum("hqk,hxk,hl->lqx", Q, K, A))
    return {"O": einsum("lqx,lg,gxk->gqk", p, B, V)}


@architecture
def alibi(Q, K, V):
    q, x = np.indices((len(Q), len(K)))
    return {"O": softmax(np.where(x <= q, Q @ K.T / Q.shape[1] ** 0.5 - 0.25 * (q - x), -np.inf)) @ V}


@architecture
def linformer(Q, K, V, E, F):
    k, v = einsum("hxk,xp->hpk", K, E), einsum("hxk,xp->hpk", V, F)
    return {"O": softmax(Q @ k.swapaxes(1, 2) / Q.shape[-1] ** 0.5) @ v}


@architecture
def kronecker_attention(X):
    k = np.concatenate([X.mean(axis=1), X.mean(axis=0)])
    return {"O": softmax(X @ k.T / X.shape[-1] ** 0.5) @ k}


@architecture
def axial_attention(X, Q, K, V):
    rows = [softmax((row @ Q) @ (row @ K).T / Q.shape[1] ** 0.5) @ (row @ V) for row in X]
    return {"O": np.array(rows)}


@architecture
def additive_attention(Q, K, W, U, v):
    return {"C": softmax(np.tanh((Q @ W)[:, None] + K @ U) @ v) @ K}


@architecture
def perceiver(L, X, W_Q, W_K, W_V):
    return {"Y": L + softmax((L @ W_Q) @ (X @ W_K).T / W_Q.shape[1] ** 0.5) @ X @ W_V}


@architecture
def attention_pooling(X, S, K, V):
    return {"Y": softmax(S @ (X @ K).T / S.shape[1] ** 0.5) @ X @ V}


@architecture
def slot_attention(X, S, Q, K, V):
    p = softmax((X @ K) @ (S @ Q).T / Q.shape[1] ** 0.5)
    return {"U": (p / p.sum(axis=0)).T @ X @ V}


@architecture
def hopfield(R, Y):
    return {"Z": softmax(8 * R @ Y.T) @ Y}


@architecture
def pointer_network(E, D, W, U, v):
    return {"P": softmax(np.tanh((E @ W)[None] + (D @ U)[:, None]) @ v)}


# --- proteins, words and pictures -----------------------------------------------------------------------------------------------


@architecture
def triangle_multiplication(Z, A, B, G, W):
    n = layernorm(Z, -1)
    return {"Y": sigmoid(n @ G) * (layernorm(einsum("ikd,jkd->ijd", n @ A, n @ B), -1) @ W)}


@architecture
def outer_product_mean(M, A, B, W):
    return {"Z": einsum("sia,sjb,abz->ijz", M @ A, M @ B, W) / len(M)}


@architecture
def clip(I, T, W, V):
    return {"P": softmax(14.3 * l2norm(I @ W, -1) @ l2norm(T @ V, -1).T)}


@architecture
def lora(X, W, A, B):
    return {"Y": X @ (W + 2 * A @ B)}


@architecture
def vae(X, N, E, M, S, D, W):
    h = relu(X @ E)
    return {"Y": sigmoid(relu((h @ M + np.exp(h @ S / 2) * N) @ D) @ W)}


@architecture
def diffusion_block(X, T, K, U, L):
    y, x, g, c = X.shape

    def across(h, k):
        return convolve(h.reshape(y, x, g * c), k.reshape(*k.shape[:2], g * c, g * c)).reshape(X.shape)

    h = across(silu(layernorm(X, (0, 1, 3))), K) + einsum("e,eod->od", T, U)
    return {"Y": X + across(silu(layernorm(h, (0, 1, 3))), L)}


@architecture
def convnext(X, K, W, V, s):
    h = layernorm(einsum("yxuvc,uvc->yxc", windows(X, K.shape[:2], 3), K), -1)
    return {"Y": X + s * (gelu(h @ W) @ V)}


@architecture
def separable_convolution(X, K, W):
    return {"Y": relu(relu(einsum("yxuvc,uvc->yxc", windows(X, K.shape[:2], 1), K)) @ W)}


@architecture
def bottleneck(X, A, K, B):
    return {"Y": relu(X + relu(convolve(relu(X @ A), K)) @ B)}


@architecture
def mlp_mixer(X, A, B, W, V):
    u = X + B.T @ gelu(A.T @ layernorm(X, -1))
    return {"Y": u + gelu(layernorm(u, -1) @ W) @ V}


@architecture
def squeeze_excite(X, W, V):
    return {"Y": X * sigmoid(relu(X.mean(axis=(0, 1)) @ W) @ V)}


@architecture
def film(X, Z, G, B):
    return {"Y": relu((Z @ G) * X + Z @ B)}


@architecture
def radiance_field(X, W, V):
    angles = 3.14159 * X[..., None] * 2.0 ** np.arange(W.shape[1])
    return {"Y": relu(einsum("bdf,dfh->bh", np.sin(angles), W) + einsum("bdf,dfh->bh", np.cos(angles), V))}


@architecture
def skip_gram(T, E, U):
    return {"P": softmax(E[T] @ U)}


@architecture
def contrastive_loss(A, B):
    scores = 10 * l2norm(A, -1) @ l2norm(B, -1).T
    return {"L": np.mean(np.log(np.exp(scores).sum(axis=1)) - np.diag(scores))}


# --- layers ---------------------------------------------------------------------------------------------------------------------


@architecture
def gated_units(X, W, V, U):
    return {"Y": (gelu(X @ W) * (X @ V)) @ U}


@architecture
def mixture_of_experts(X, G, W, V):
    experts = np.array([relu(X @ w) @ v for w, v in zip(W, V)])
    return {"Y": einsum("be,ebn->bn", softmax(X @ G), experts)}


@architecture
def mixture_of_softmaxes(H, G, W, U):
    p = softmax(np.tanh(einsum("bd,dke->bke", H, W)) @ U)
    return {"Y": einsum("bk,bkv->bv", softmax(H @ G), p)}


@architecture
def tensor_train(X, F, G, H):
    return {"Y": einsum("bijk,ilr,rjms,skn->blmn", X, F, G, H)}


@architecture
def tucker(X, U, K, V):
    return {"Y": convolve(X, einsum("cr,uvrs,sd->uvcd", U, K, V))}


@architecture
def bilinear_pooling(A, B):
    return {"Z": l2norm(einsum("yxc,yxd->cd", A, B), (0, 1))}


@architecture
def neural_tensor(A, B, W, V, U, u):
    return {"Y": np.tanh(einsum("bd,dek,be->bk", A, W, B) + A @ V + B @ U) @ u}


@architecture
def factorisation_machine(X, V):
    rows = [sum((V[i] @ V[j]) * x[i] * x[j] for i in range(len(x)) for j in range(i)) for x in X]
    return {"Y": np.array(rows)}


@architecture
def graph_convolution(A, X, W):
    scale = np.diag(A.sum(axis=1) ** -0.5)
    return {"Y": relu(scale @ A @ scale @ X @ W)}


@architecture
def graph_attention(X, A, W, a, b):
    h = X @ W
    scores = (h @ a)[:, None] + h @ b
    return {"Y": softmax(np.where(A > 0, np.where(scores > 0, scores, 0.2 * scores), -np.inf)) @ h}


@architecture
def deep_sets(X, W, V, U):
    return {"Y": relu(relu(X @ W).sum(axis=1) @ V) @ U}


@architecture
def capsules(U, B, W):
    s = einsum("ij,id,idje->je", softmax(B), U, W)
    n = (s ** 2).sum(axis=1, keepdims=True)
    return {"V": s * n / (1 + n) / np.sqrt(n + 1e-6)}
