#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An exported module with PyTorch itself, as far as that goes without a GPU: it loads, refuses what it cannot take, and knows the shapes of its
results."""

import importlib.util

from heddle import ATTENTION, Folder, Tap

GATHER = """# gather.eq
E : f32[v=1000, m=64]
I : i64[x=128]
X[x,m] = E[I[x],m]
L[x] = sum[m](X[x,m]^2)
"""


def load(folder, name):
    spec = importlib.util.spec_from_file_location(name, folder.path / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def refusal(function, *arguments):
    try:
        function(*arguments)
    except (TypeError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was said"


def check_attention(tap, torch, attention):
    def half(*shape, device="meta"):
        return torch.zeros(shape, dtype=torch.float16, device=device)

    good = (half(4, 128), half(6, 128), half(6, 128))
    result = attention(*good)
    tap.equal("/torch/meta", (tuple(result.shape), result.dtype, result.device.type), ((4, 128), torch.float16, "meta"))
    rows = (
        ("dtype", (good[0].float(), *good[1:]), "TypeError: attention: Q is of torch.float32, not float16[q, d=128]"),
        ("rank", (half(2, 4, 128), *good[1:]), "ValueError: attention: Q has 3 axes, not float16[q, d=128]"),
        ("shape", (*good[:2], half(7, 128)), "ValueError: attention: axis x is 6 long, and 7 in V, which is float16[x, d=128]"),
        ("fixed", (half(4, 64), half(6, 64), half(6, 64)), "ValueError: attention: axis d is 64 long, and these kernels are made for 128"),
        ("mixed", (half(4, 128, device="cpu"), *good[1:]), "ValueError: attention: Q is on cpu, not on a GPU"),
        ("missing", good[:2], "TypeError"),
    )
    for name, given, words in rows:
        said = refusal(attention, *given)
        tap.check(f"/torch/refused/{name}", None if said.startswith(words) else said)
    leaf = torch.zeros((4, 128), dtype=torch.float16, requires_grad=True)
    said = refusal(attention, leaf, half(6, 128, device="cpu"), half(6, 128, device="cpu"))
    tap.check("/torch/refused/gradients", None if "no gradients" in said else said)
    with torch.no_grad():
        said = refusal(attention, leaf, half(6, 128, device="cpu"), half(6, 128, device="cpu"))
    tap.check("/torch/refused/cpu", None if "is on cpu, not on a GPU" in said else said)
    if torch.cuda.is_available():
        tap.skip("/torch/refused/no-device", "there is a GPU")
    else:
        tap.check("/torch/refused/no-device", None if "finds no CUDA device" in said else said)


def main():
    tap = Tap()
    folder = Folder()
    folder.write("attention.eq", ATTENTION)
    folder.write("gather.eq", GATHER)
    try:
        import torch
    except ImportError:
        tap.skip("/torch", "PyTorch is not installed")
        tap.finish()
    if folder.run("export", "attention.eq", "-o", "attention.py", "--gpu", "a100", "--no-verify").returncode == 3:
        tap.skip("/torch", "there is no CUDA compiler")
        tap.finish()
    check_attention(tap, torch, load(folder, "attention"))
    folder.output("export", "gather.eq", "-o", "gather.py", "--gpu", "a100", "--no-verify")
    gather = load(folder, "gather")
    result = gather(E=torch.zeros((9, 64), device="meta"), I=torch.zeros(5, dtype=torch.int64, device="meta"))
    tap.equal("/torch/gather", (tuple(result.shape), result.dtype), ((5,), torch.float32))
    tap.finish()


if __name__ == "__main__":
    main()
