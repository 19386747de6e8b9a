#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What derive says crosses, at SMEM and at registers, against a walk through every tile and chunk that counts each element that is read and written."""

import itertools

from heddle import Folder, Tap

GROUPED = ("Q : f16[g=2, r=3, q=13, d=4]\nK : f16[g, x=11, d]\nV : f16[g, x, d]\n"
           "P[g,r,q,x] = softmax[x](Q[g,r,q,d] K[g,x,d] * d^-0.5)\nO[g,r,q,d] = P[g,r,q,x] V[g,x,d]\n")
LATENT = ("Q : f16[h=3, q=7, c=5]\nR : f16[h, q, u=2]\nC : f16[x=9, c]\nT : f16[x, u]\n"
          "P[h,q,x] = softmax[x](Q[h,q,c] C[x,c] + R[h,q,u] T[x,u])\nO[h,q,c] = P[h,q,x] C[x,c]\n")
CONVOLUTION = "X : f16[y=12, c=5]\nW : f16[w=3, c, f=7]\naxis z = 12\nY[z,f] = X[z+w-1,c] W[w,c,f]\n"
EXPERTS = ("X : f16[n=24, m=8]\nG : f16[n, e=3]\nU : f16[e, m, f=10]\nW : f16[e, f, k=6]\n"
           "H[e,n,f] = relu(X[n,m] U[e,m,f])\nY[n,k] = G[n,e] H[e,n,f] W[e,f,k]\n")
DECODE = ("Q : f16[h=4, d=3]\nK : f16[h, x=23, d]\nV : f16[h, x, d]\n"
          "P[h,x] = softmax[x](Q[h,d] K[h,x,d])\nO[h,d] = P[h,x] V[h,x,d]\n")

# Name, equations, sizes, arrays that are read and written with their axes; tiles and chunks at SMEM, then within them at registers.
CASES = (
    ("gqa", GROUPED, dict(g=2, r=3, q=13, d=4, x=11), ("grqd", "gxd", "gxd"), ("grqd",), (dict(g=1, q=6), dict(x=4)), (dict(q=3), dict(x=2))),
    ("gqa/heads", GROUPED, dict(g=2, r=3, q=13, d=4, x=11), ("grqd", "gxd", "gxd"), ("grqd",), (dict(g=1, r=2, q=4), dict(x=3)), (dict(r=1, q=2), {})),
    ("mla", LATENT, dict(h=3, q=7, c=5, u=2, x=9), ("hqc", "hqu", "xc", "xu"), ("hqc",), (dict(h=2, q=4), dict(x=4)), (dict(q=2), dict(x=1))),
    ("convolution", CONVOLUTION, dict(y=12, c=5, w=3, f=7, z=12), ("Yc", "wcf"), ("zf",), (dict(z=5, f=3), {}), (dict(f=1), {})),
    ("convolution/stream", CONVOLUTION, dict(y=12, c=5, w=3, f=7, z=12), ("Yc", "wcf"), ("zf",), (dict(f=4), dict(c=2)), (dict(f=2), dict(c=1))),
    ("moe", EXPERTS, dict(n=24, m=8, e=3, f=10, k=6), ("nm", "ne", "emf", "efk"), ("nk",), (dict(n=7), dict(f=4)), (dict(n=7), dict(f=2))),
    ("decode", DECODE, dict(h=4, d=3, x=23), ("hd", "hxd", "hxd"), ("hd",), (dict(h=2), dict(x=8)), (dict(h=1), dict(x=4))),
)


def parts(span, size):
    return [span[i:i + size] for i in range(0, len(span), size)]


def tiles(whole, groups):
    """Every tile: the indices of each axis."""
    for choice in itertools.product(*[parts(whole[axis], size) for axis, size in groups.items()]):
        yield {**whole, **dict(zip(groups, choice))}


def window(tile):
    """What a tile of a convolution reads of y: with its halo, as far as y goes."""
    places = [z + w - 1 for z in tile["z"] for w in tile["w"]]
    return [y for y in range(min(places), max(places) + 1) if y in tile["y"]]


def elements(array, tile):
    return sum(1 for _ in itertools.product(*[window(tile) if axis == "Y" else tile[axis] for axis in array]))


def crossing(tile, reads, writes, groups, stream):
    """What the groups of @tile read and write, its stream chunk by chunk."""
    count = 0
    for own in tiles(tile, groups):
        for array in reads:
            axis = next(iter(stream), None)
            chunks = parts(own[axis], stream[axis]) if axis is not None and axis in array else [None]
            count += sum(elements(array, own if chunk is None else {**own, axis: chunk}) for chunk in chunks)
        count += sum(elements(array, own) for array in writes)
    return count


def inner_crossing(whole, reads, writes, outer, inner):
    """The groups at registers within each tile at SMEM: what streams goes chunk by chunk within each chunk."""
    count = 0
    for tile in tiles(whole, outer[0]):
        for own in tiles(tile, inner[0]):
            axis = next(iter(outer[1]), None)
            for array in reads:
                chunks = parts(own[axis], outer[1][axis]) if axis is not None and axis in array else [None]
                for chunk in chunks:
                    below = parts(chunk, inner[1].get(axis, len(chunk))) if chunk is not None else [None]
                    count += sum(elements(array, own if part is None else {**own, axis: part}) for part in below)
            count += sum(elements(array, own) for array in writes)
    return count


def labels(outer, inner):
    for (groups, stream), level in ((outer, "smem"), (inner, "registers")):
        for kind, sizes in (("group", groups), ("stream", stream)):
            for axis, size in sizes.items():
                yield from ("--label", f"{axis}:{kind}@{level}={size}")


def main():
    tap, folder = Tap(), Folder()
    for name, text, sizes, reads, writes, outer, inner in CASES:
        folder.write("case.eq", text)
        kernel, = folder.json("derive", "case.eq", "--gpu", "h100", "--fuse", "all", *labels(outer, inner))["kernels"]
        whole = {axis: range(size) for axis, size in sizes.items()}
        tap.equal(f"/counts/{name}", [level["transfer_elements"] for level in kernel["levels"]],
                  [crossing(whole, reads, writes, *outer), inner_crossing(whole, reads, writes, outer, inner)])
    tap.finish()


main()
