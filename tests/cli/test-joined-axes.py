#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""derive --suggest: sums over axes that lie side by side become sums over one, and mean the same."""

import numpy as np

from heddle import Folder, Tap

TURN = """def turn(X[x,k]) -> Y[x,p,r]:
  axis r = 2
  axis p = k / 2
  A[x,p] = index(x) * 100^(-index(p)/p)
  Z[x,p,r] = X[x,(p r)]
  Y[x,p,r] = Z[x,p,r] cos(A[x,p]) + where(r == 0, -Z[x,p,1], Z[x,p,0]) sin(A[x,p])
"""
ROTARY = """Q : f16[h=2, x=48, k=32]
K : f16[x, k]
V : f16[x, k]
""" + TURN + """axis r = 2
axis p = 16
R[h,x,p,r] = turn(Q)
T[x,p,r] = turn(K)
P[h,x,y] = softmax[y](where(y <= x, R[h,x,p,r] T[y,p,r] * k^-0.5, -inf))
O[h,x,k] = P[h,x,y] V[y,k]
"""
# name: (program, sums that are joined)
PROGRAMS = {
    "rotary": (ROTARY + "-> O\n", 1),
    "given": (ROTARY.replace("axis p = 16", "axis p = k / 2") + "-> O\n", 1),
    "weights": ("""X : f16[x=48, m=64]
param W : f16[m, h=2, p=8, r=2]
param U : f16[m, h, p, r]
Q[h,x,p,r] = X[x,m] W[m,h,p,r]
K[h,y,p,r] = X[y,m] U[m,h,p,r]
O[h,x,y] = Q[h,x,p,r] K[h,y,p,r]
-> O
""", 1),
    "three": ("""X : f16[x=48, k=64]
U : f16[y=32, k]
axis a = 4
axis b = 4
axis c = 4
Q[x,a,b,c] = 2 X[x,(a b c)] + index(b)
K[y,a,b,c] = U[y,(a b c)] - index(c)
O[x,y] = Q[x,a,b,c] K[y,a,b,c]
-> O
""", 1),
    "longer": ("""X : f16[x=48, k=80]
U : f16[y=32, j=64]
axis a = 8
axis b = 8
Q[x,a,b] = exp(X[x,8 a + b])
K[y,a,b] = U[y,8 a + b] * 2
O[x,y] = Q[x,a,b] K[y,a,b]
-> O
""", 1),
    # A part of each pair is read: the pairs cannot be copied for that.
    "read-twice": (ROTARY + "N[h,x,p] = R[h,x,p,0]\n-> O, N\n", 0),
    "output": (ROTARY + "-> O, R\n", 0),
    "inputs": ("""A : f16[x=48, p=16, r=2]
B : f16[y=48, p, r]
O[x,y] = A[x,p,r] B[y,p,r]
-> O
""", 0),
    "apart": (ROTARY.replace("T[x,p,r] = turn(K)", "G[x,p,r] = turn(K)\nT[p,x,r] = G[x,p,r]").replace("T[y,p,r]", "T[p,y,r]") + "-> O\n", 0),
    "rows": ("""X : f16[x=4, k=64]
U : f16[y=32, k]
axis a = 8
axis b = 8
Q[x,a,b] = exp(X[x,(a b)])
K[y,a,b] = U[y,(a b)] * 2
O[x,y] = Q[x,a,b] K[y,a,b]
-> O
""", 0),
}
PARTS = """X : f16[x=48, m=64]
param W : f16[m, d=32]
param U : f16[m, d]
axis h = 2
axis p = 8
axis r = 2
V[m,h,p,r] = W[m,(h p r)]
T[m,h,p,r] = U[m,(h p r)]
Q[h,x,p,r] = X[x,m] V[m,h,p,r]
K[h,y,p,r] = X[y,m] T[m,h,p,r]
O[h,x,y] = Q[h,x,p,r] K[h,y,p,r]
-> O
"""
LARGE = {"h=2, x=48, k=32": "h=8, x=4096, k=128", "axis p = 16": "axis p = 64"}


def evaluate(folder, path):
    folder.output("evaluate", path, "--random=3", "--out=O=out.npy")
    return np.load(folder.path / "out.npy")


def check_meaning(tap, folder):
    """What is derived means what was drawn, to the last bit of f64 but for the order of a sum."""
    for name, (text, joined) in PROGRAMS.items():
        folder.write("a.eq", text)
        found = folder.json("derive", "a.eq", "--gpu", "h100", "--suggest", "--apply", "-o", "a.ncd")
        tap.equal(f"/joined-axes/{name}", len(found["joined"]), joined)
        before, after = evaluate(folder, "a.eq"), evaluate(folder, "a.ncd")
        tap.check(f"/joined-axes/{name}/same", None if np.allclose(before, after, rtol=1e-12, atol=1e-12) else np.abs(before - after).max())


def check_other_sizes(tap, folder):
    """The axis that is read as two stays as long as both, whichever of them is given another size."""
    for name, size, length in (("rotary", "p=4", 8), ("given", "k=16", 16)):
        folder.write("a.eq", PROGRAMS[name][0])
        folder.output("derive", "a.eq", "--gpu", "h100", "--suggest", "--apply", "-o", "a.ncd")
        folder.output("evaluate", "a.ncd", "--random=3", "--out=O=out.npy", f"--set={size}")
        tap.equal(f"/joined-axes/sizes/{name}", np.load(folder.path / "out.npy").shape, (2, 48, length))


def check_tiles(tap, folder):
    """Rotary attention of a large model is bound by the tensor cores, with the pairs one axis, and the sum is told."""
    text = ROTARY + "-> O\n"
    for small, large in LARGE.items():
        text = text.replace(small, large)
    folder.write("a.eq", text)
    found = folder.json("derive", "a.eq", "--gpu", "h100", "--suggest")
    attention = max(found["kernels"], key=lambda kernel: kernel["time"]["expected_s"])
    tap.equal("/joined-axes/tiles/bound", attention["time"]["bound"], "tensor")
    optimised = folder.parse(folder.run("optimise", "a.eq", "--gpu", "h100", "--no-verify", "--no-cache", "-o", "large", "--json").stdout)
    tap.equal("/joined-axes/tiles/optimised", optimised["after"]["expected_s"] <= found["total"]["expected_s"] * 1.05, True)
    said = folder.output("derive", "a.eq", "--gpu", "h100", "--suggest")
    tap.check("/joined-axes/tiles/told", None if "side by side" in said else said)


def check_parts(tap, folder):
    """A parameter whose axis is read as three, of which two are joined again, is found where kernels are verified."""
    folder.write("a.eq", PARTS)
    found = folder.parse(folder.run("optimise", "a.eq", "--gpu", "a100", "--no-cache", "-o", "out", "--json").stdout)
    folder.write("compiled.eq", "A : [i=8]\nB[i] = A[i] + 1\n")
    if folder.run("compile", "compiled.eq").returncode == 0:
        tap.check("/joined-axes/parts", None if found["verified"] else found["pieces"][0]["verification"])
    else:
        tap.skip("/joined-axes/parts", "kernels are not verified without a compiler")


def check_hostile(tap, folder):
    """Sizes that name one another again and again are looked at once each, and axes longer together than one may be stay apart."""
    sizes = "axis z0 = 16\n" + "".join(f"axis z{i} = z{i - 1} + z{i - 1} - z{i - 1}\n" for i in range(1, 61))
    folder.write("a.eq", (ROTARY + "-> O\n").replace("axis p = 16", sizes + "axis p = z60"))
    tap.equal("/joined-axes/hostile/sizes", len(folder.json("derive", "a.eq", "--gpu", "h100", "--suggest")["joined"]), 1)
    long = PROGRAMS["weights"][0].replace("p=8, r=2", "p=1048576, r=2097152")
    folder.write("a.eq", long)
    found = folder.run("derive", "a.eq", "--gpu", "h100", "--suggest", "--json")
    tap.check("/joined-axes/hostile/long", None if found.returncode == 1 or not folder.parse(found.stdout)["joined"] else found.stdout)


def main():
    tap, folder = Tap(), Folder()
    check_parts(tap, folder)
    check_hostile(tap, folder)
    check_meaning(tap, folder)
    check_other_sizes(tap, folder)
    check_tiles(tap, folder)
    tap.finish()


main()
