# SPDX-License-Identifier: MIT
"""Kernels in Triton's language, of our own: products, attention, norms, softmax, by pointers and by tensor descriptors."""

import triton
import triton.language as tl


@triton.jit
def softmax(out, inp, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    x = tl.load(inp + row * n + column, mask=column < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out + row * n + column, (e / tl.sum(e, 0)).to(out.dtype.element_ty), mask=column < n)


@triton.jit
def norm(out, inp, gain, n, eps, BLOCK: tl.constexpr):
    """Each row minus its mean, divided by its standard deviation, times the gain."""
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < n
    x = tl.load(inp + row * n + column, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(x, 0) / n
    apart = tl.where(inside, x - mean, 0.0)
    scale = tl.rsqrt(tl.sum(apart * apart, 0) / n + eps)
    y = apart * scale * tl.load(gain + column, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + row * n + column, y.to(out.dtype.element_ty), mask=inside)


@triton.jit
def transpose(out, inp, rows, columns, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (i[:, None] < rows) & (j[None, :] < columns)
    x = tl.load(inp + i[:, None] * columns + j[None, :], mask=inside)
    tl.store(out + j[:, None] * rows + i[None, :], tl.trans(x), mask=tl.trans(inside))


@triton.jit
def product(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A [m, k] times B [k, n]."""
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    step = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for first in range(0, k, BK):
        left = tl.load(a + i[:, None] * k + first + step[None, :], mask=(i[:, None] < m) & (first + step[None, :] < k), other=0.0)
        right = tl.load(b + (first + step[:, None]) * n + j[None, :], mask=(first + step[:, None] < k) & (j[None, :] < n), other=0.0)
        total = tl.dot(left, right, total)
    tl.store(c + i[:, None] * n + j[None, :], total.to(c.dtype.element_ty), mask=(i[:, None] < m) & (j[None, :] < n))


@triton.jit
def product_along(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A [m, k] times B [n, k]: what elements of 8 bits want."""
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    step = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for first in range(0, k, BK):
        left = tl.load(a + i[:, None] * k + first + step[None, :])
        right = tl.load(b + j[None, :] * k + first + step[:, None])
        total = tl.dot(left, right, total)
    tl.store(c + i[:, None] * n + j[None, :], total.to(c.dtype.element_ty))


@triton.jit
def product_by_descriptors(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A [m, k] times B [k, n], brought and stored by the copy hardware."""
    i = tl.program_id(0) * BM
    j = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for first in range(0, k, BK):
        total = tl.dot(a.load([i, first]), b.load([first, j]), total)
    c.store([i, j], total.to(c.dtype))


@triton.jit
def copy_by_descriptors(out, inp, BM: tl.constexpr, BN: tl.constexpr):
    i = tl.program_id(0) * BM
    j = tl.program_id(1) * BN
    out.store([i, j], (inp.load([i, j]).to(tl.float32) * 2).to(out.dtype))


@triton.jit
def attention(q, k, v, o, scale, n, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Softmax of Q K^T times V for each head, in one pass along the keys."""
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    base = tl.program_id(1) * n * D
    along = tl.arange(0, D)
    key = tl.arange(0, BN)
    queries = tl.load(q + base + row[:, None] * D + along[None, :])
    most = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    result = tl.zeros([BM, D], tl.float32)
    for first in range(0, n, BN):
        keys = tl.load(k + base + (first + key)[None, :] * D + along[:, None])
        scores = tl.dot(queries, keys) * scale
        more = tl.maximum(most, tl.max(scores, 1))
        weights = tl.math.exp2(scores - more[:, None])
        factor = tl.math.exp2(most - more)
        total = total * factor + tl.sum(weights, 1)
        values = tl.load(v + base + (first + key)[:, None] * D + along[None, :])
        result = tl.dot(weights.to(values.dtype), values, result * factor[:, None])
        most = more
    tl.store(o + base + row[:, None] * D + along[None, :], (result / total[:, None]).to(o.dtype.element_ty))
