#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Reference code: what `heddle export --as numpy` writes, run and held against the evaluator; that of the other libraries says the same lines."""

import ast
import importlib.util
import inspect

import numpy as np
from heddle import Folder, Tap
from onnx_file import model, node

try:
    import torch
    torch.set_default_dtype(torch.float64)
except ImportError:
    torch = None

CASES = {
    "attention": "Q : [h=2, q=5, d=4]\nK : [h, x=6, d]\nV : [h, x, d]\nS[h,q,x] = Q[h,q,d] K[h,x,d] * d^-0.5\n"
                 "P[h,q,x] = softmax[x](where(x <= q, S[h,q,x], -inf))\nO[q,h,d] = P[h,q,x] V[h,x,d]\n",
    "norms": "X : [x=5, m=8]\nparam g : [m]\nparam W : [m, f=6]\nA[x,m] = layernorm[m, eps=1e-5](X[x,m]) * g[m]\nB[x,m] = rmsnorm[m](X[x,m])\n"
             "C[x,m] = l2norm[m](A[x,m]) + B[x,m]\nY[f,x] = gelu(C[x,m] W[m,f])\nZ[x] = logsumexp[m](A[x,m])\n-> Y, Z\n",
    "windows": "X : [c=2, u=9]\nW : [o=3, c, k=3]\naxis y = 5\naxis i = 3\nA[o,y] = X[c, 2*y + k - 1] W[o,c,k]\nM[c,y] = max[i](X[c, 2*y + i - 1])\n"
               "N[c,y] = mean[i](X[c, 2*y + i - 1])\n-> A, M, N\n",
    "places": "T : [v=7, m=4]\nI : i64[x=5]\nE[x,m] = T[I[x],m]\nL[x] = argmax[m](E[x,m])\n-> E, L\n",
    "joined": "A : [x=3, m=2]\nB : [y=4, m]\nC[m,z] = concat[z](A[x,m], B[y,m])\nD[m,z] = cumsum[z](C[m,z])\nR[m,z] = recurrence[z](sigmoid(C[m,z]), D[m,z])\n-> D, R\n",
    "logic": "A : [x=6, y=3]\nB : [y]\nC[x,y] = where(A[x,y] < B[y] and not (x == 2 or y >= 2), min(A[x,y], 0.25), max(abs(B[y]), floor(3*A[x,y])/2) - size(x))\n"
             "D[y] = prod[x](C[x,y] + 0.1)\nE = sum[x,y](tanh(C[x,y]) * erf(A[x,y]) + cos(B[y])^2)\nF[x,y] = mod(A[x,y], 0.5) + silu(B[y]) + relu(A[x,y])\n-> C, D, E, F\n",
    "names": "lambda : [arange=3, np=4]\nplace : [arange]\nparam math : [np, in=2]\nimport[arange,in] = lambda[arange,np] math[np,in] * place[arange]\n",
    "scanned": "def cell(h[u], s, x[i], a[u]; W) -> g[u], r:\n  param W : [u, i]\n  param R : [u, v=u]\n  g[u] = tanh(W[u,i] x[i] + R[u,v] h[v]) + a[u]\n"
               "  r = s / 2 + sum[u](g[u])\n\nX : [b=2, t=4, i=3]\nH0 : [b, u=2]\nS0 : [b]\nA : [u]\nW : [t, u, i]\n"
               "H[b,t,u], S[t,b] = cell[t](H0, S0, X, A, W)\n",
    "scanned-within": "def add(s, x) -> r:\n  param w : []\n  r = tanh(s + w x)\n\ndef row(d, X[k]) -> e:\n  C[k] = add[k](0.5, X)\n  e = 2*d + C[size(k)-1]\n\n"
                      "X : [n=2, t=3, k=4]\nD : [n]\nE[n,t] = row[t](D, X)\nF[n,t] = 2 * E[n,t]\n-> E, F\n",
    "scanned-line": "def ema(s, x; a) -> r:\n  param a : []\n  r = a*s + (1 - a)*x\n\nX : [n=2, t=5]\nD : [n]\na : []\nE[n,t] = ema[t](D, X, a)\n",
    "repeated": "def think(X[x,m]) -> Y[x,m]:\n  param W : [m, f=5]\n  H[x,f] = relu(X[x,m] W[m,f])\n  Y[x,m] = X[x,m] + H[x,f] W[m,f]\n\nX : [x=3, m=4]\n"
                "Z[x,m] = think^3(X)\n",
}


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    with np.errstate(all="ignore"):
        spec.loader.exec_module(module)
    return module


def function_of(path):
    """The last function of the file, by its text: nothing is run."""
    return [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)][-1]


# What the arguments are called in the equations, where Python or the code has taken the word.
ARGUMENTS = {"names": ["lambda", "place", "math"], "repeated": ["X", "Z.W"]}
WORDS = {"H_R": "H.R", "E_C_w": "E.C.w"}


def check(tap, folder, name, text):
    folder.write(f"{name}.eq", text)
    folder.output("export", f"{name}.eq", "-o", f"{name}.py", "--as", "numpy")
    path = folder.path / f"{name}.py"
    tree = function_of(path)
    function = getattr(load(path), tree.name)
    arguments = ARGUMENTS.get(name, [WORDS.get(each, each) for each in inspect.signature(function).parameters])
    outputs = [each["name"] for each in folder.json("evaluate", f"{name}.eq", "--random", "5")["outputs"]]
    folder.output("evaluate", f"{name}.eq", "--random", "5", *[part for each in [*arguments, *outputs] for part in ("--out", f"{each}={each}.npy")])
    given, wanted = ([np.load(folder.path / f"{each}.npy") for each in names] for names in (arguments, outputs))
    with np.errstate(all="ignore"):
        found = function(*given)
    found = found if isinstance(found, tuple) else (found,)
    for one, other, output in zip(found, wanted, outputs):
        good = one.shape == other.shape and np.allclose(one, other, 1e-12, 1e-12)
        tap.check(f"/reference/{name}/{output}", None if good else f"{one} and not {other}\n{ast.unparse(tree)}")
    if torch is not None:
        folder.output("export", f"{name}.eq", "-o", "torch.py", "--as", "torch")
        found = getattr(load(folder.path / "torch.py"), tree.name)(*map(torch.tensor, given))
        for one, other, output in zip(found if isinstance(found, tuple) else (found,), wanted, outputs):
            tap.check(f"/reference/{name}/{output}/torch", None if np.allclose(one.numpy(), other, 1e-12, 1e-12) else f"{one} and not {other}")
    if name.startswith("scanned"):
        loops = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
        tap.equal(f"/reference/{name}/loops", len(loops), 0 if name == "scanned-line" else 1)
    texts = []
    for library in ("torch", "jax"):
        folder.output("export", f"{name}.eq", "-o", f"{library}.py", "--as", library)
        texts.append(ast.dump(function_of(folder.path / f"{library}.py")))
    tap.equal(f"/reference/{name}/same-lines", texts, [ast.dump(tree)] * 2)


def check_box(tap, folder):
    """Nobody can write what a box does."""
    folder.write("box.onnx", model([node("Unheard", ["x"], ["y"])], [("x", "float32", [3])], [("y", "float32", [3])]))
    folder.output("import", "box.onnx", "-o", "box.ncd")
    run = folder.run("export", "box.ncd", "-o", "box.py", "--as", "numpy")
    tap.equal("/reference/box", (run.returncode, run.stderr.strip()), (1, "box.ncd: error: y comes from a box, and what that does is not known"))


def main():
    tap, folder = Tap(), Folder()
    if torch is None:
        tap.skip("/reference/torch", "PyTorch is not installed")
    for name, text in CASES.items():
        check(tap, folder, name, text)
    check_box(tap, folder)
    text = folder.read("attention.py").decode()
    tap.check("/reference/einsum", None if '= einsum("abc,adc->abd", Q, K)' in text and "#   O[q,h,d] = P[h,q,x] V[h,x,d]" in text else text)
    tap.check("/reference/one-file", None if "needs -o OUT.py" in folder.failure(2, "export", "names.eq", "-o", "x.svg", "--as", "torch") else "another message")
    tap.finish()


main()
