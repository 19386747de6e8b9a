#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""derive: a label that a kernel cannot have is refused with what helps, and what helps does, in values and in counts."""

import json

from heddle import Folder, Tap

DOCUMENTS = {
    "softmax": "S : f16[q=64, x=96]\nV : [x, d=16]\nP[q,x] = softmax[x](S[q,x])\nO[q,d] = P[q,x] V[x,d]\n",
    "twice": "S : f16[q=64, x=96]\nV : [x, d=16]\nP[q,x] = softmax[x](S[q,x])\nR[q,x] = softmax[x](P[q,x] * 3)\nO[q,d] = R[q,x] V[x,d]\n",
    "feed-forward": "X : f16[n=64, m=32]\nU : [m, f=96]\nW : [f, m]\nN[n,m] = layernorm[m, eps=1e-5](X[n,m])\n"
                    "H[n,f] = gelu(N[n,m] U[m,f])\nY[n,m] = X[n,m] + H[n,f] W[f,m]\n",
    "windows": "X : f16[i=50, c=8]\nW : [k=3, c, o=16]\nG : [l=3, o, p=8]\nY[y=48,o] = relu(X[y+k,c] W[k,c,o])\nZ[z=46,p] = Y[z+l,o] G[l,o,p]\n",
    "scan": "X : f16[n=32, m=48]\nC[n,m] = cumsum[m](X[n,m])\n",
}

# document, what is fused, the label; what to fuse then, None: another remedy, and the label then
REFUSED = [
    ("softmax", "P", "x:stream=32", ["P", "O"], "x:stream=32"),
    ("softmax", "P", "x:group=32", ["P", "O"], "x:group=32"),
    ("twice", "all", "x:stream=32", ["R", "O"], "O/x:stream=32"),
    ("feed-forward", "all", "m:stream=8", ["N", "H"], "H/m:stream=8"),
    ("feed-forward", "all", "m:group=8", ["N", "H"], "H/m:group=8"),
    ("windows", "all", "y:group=16", None, "z:group=16"),
    ("scan", "all", "m:group=16", None, "m:stream=16"),
]


def refused(folder, document, fuse, label):
    """What the refusal says; None: it was not refused."""
    result = folder.run("derive", document, "--fuse", fuse, "--label", label, "--json")
    illegal = [refusal for kernel in json.loads(result.stdout)["kernels"] for refusal in kernel["illegal"]]
    return illegal[0] if result.returncode == 1 and len(illegal) == 1 else None


def main():
    tap, folder = Tap(), Folder()
    for name, text in DOCUMENTS.items():
        folder.write(f"{name}.eq", text)
    for name, fuse, label, expected, then in REFUSED:
        refusal = refused(folder, f"{name}.eq", fuse, label)
        path = f"/remedies/{name}/{label}"
        tap.check(f"{path}/refused", None if refusal and refusal["reason"] and refusal["remedy"] else str(refusal))
        tap.equal(f"{path}/fuse", refusal["fuse"] or None, expected)
        folder.output("derive", f"{name}.eq", "--fuse", ",".join(expected) if expected else fuse, "--label", then, "--apply", "-o", "applied.ncd")
        verified = folder.json("verify", "applied.ncd", "--on", "model")
        tap.check(f"{path}/helps", None if verified["passed"] and "as priced" in verified["detail"] else str(verified))
    folder.output("derive", "softmax.eq", "--fuse", "P,O", "--label", "x:group=32", "--apply", "-o", "groups.ncd")
    folder.output("export", "groups.ncd", "--gpu", "h100", "--no-verify", "-o", "groups.cu")
    tap.check("/remedies/kernels-of-groups", None if b"__global__" in folder.read("groups.cu") else "no kernel")
    error = folder.failure(1, "derive", "twice.eq", "--fuse", "P,O")
    tap.check("/remedies/ring", None if "that of O needs R, which another makes of what it makes itself; fuse R with it" in error else error)
    tap.finish()


main()
