#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Small files that ask for more time or memory than anybody has: each command answers within bounds of processor time and memory, and does not crash."""

import os
import resource
import struct
import subprocess

from heddle import PROGRAM, Folder, Tap
from onnx_file import message

# A command takes 5 seconds and 512 MiB of a machine of today; what grows out of proportion takes minutes. Sanitizers take more of both.
SECONDS = 60
MEBIBYTES = 512
SANITIZED = "ASAN_OPTIONS" in os.environ
SIZE = 500_000
NCD = '<heddle xmlns="https://heddle.github.io/ns/ncd" version="1.0"'
A = "A : f32[a=8]\n"


def axes(count, size):
    names = [f"a{i}" for i in range(count)]
    return f"A : f32[{','.join(f'{name}={size}' for name in names)}]\nY[{','.join(names)}] = exp(A[{','.join(names)}])\n"


def chain(count):
    return f"{A}X0[a] = exp(A[a])\n" + "".join(f"X{i}[a] = exp(X{i - 1}[a])\n" for i in range(1, count))


def held(count):
    """Many values of which all wait for the last one."""
    return (A + "".join(f"X{i}[a] = exp(A[a]) * {i}\n" for i in range(count)) + "Y0[a] = X0[a] + 1\n"
            + "".join(f"Y{i}[a] = Y{i - 1}[a] + X{i}[a]\n" for i in range(1, count)))


def fan(count):
    """One input that each of the operations reads."""
    return A + "".join(f"X{i}[a] = exp(A[a])\n" for i in range(count))


def tree(count):
    """Sums of two, down to one, of which no two leaves are the same."""
    names = [f"X{i}" for i in range(count // 2)]
    text = A + "".join(f"{name}[a] = exp(A[a]) * {i}\n" for i, name in enumerate(names))
    while len(names) > 1:
        pairs = [(f"{a}s", a, b) for a, b in zip(names[::2], names[1::2])]
        text += "".join(f"{made}[a] = {a}[a] + {b}[a]\n" for made, a, b in pairs)
        names = [made for made, _, _ in pairs] + names[len(pairs) * 2:]
    return text


def products(count):
    """Each of the one before, which is read under another name for its axis."""
    return ("A : f32[a=64,b=64]\nX0[a] = A[a,b] A[a,b]\n" + "".join(f"X{i}[a] = A[a,b] X{i - 1}[b]\n" for i in range(1, count)))


def reads(count):
    """Each of the place before, which is outside for the first."""
    return "X0 : f32[t=4096]\n" + "".join(f"X{i}[t] = X{i - 1}[t - 1]\n" for i in range(1, count))


def shaped(name):
    return message(1, name) + message(2, message(1, b"\x08\x01" + message(2, message(1, b"\x08\x08"))))


def chain_of_onnx(count):
    nodes = b"".join(message(1, message(1, b"x%d" % i) + message(2, b"x%d" % (i + 1)) + message(4, b"Relu")) for i in range(count))
    return b"\x08\x08" + message(7, nodes + message(11, shaped(b"x0")) + message(12, shaped(b"x%d" % count))) + message(8, b"\x10\x11")


def npy(shape):
    return b"\x93NUMPY\x01\0" + struct.pack("<H", 118) + f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(118).encode()


CHECKED = {
    "parentheses.eq": f"{A}Y[a] = {'(' * SIZE}A[a]{')' * SIZE}\n",
    "calls.eq": f"{A}Y[a] = {'exp(' * (SIZE // 4)}A[a]{')' * (SIZE // 4)}\n",
    "conditions.eq": f"{A}Y[a] = {'where(a>2,' * (SIZE // 14)}A[a]{',0)' * (SIZE // 14)}\n",
    "reads.eq": f"T : i64[a=8]\nY[a] = {'T[' * (SIZE // 3)}a{']' * (SIZE // 3)}\n",
    "terms.eq": f"{A}Y[a] = A[a]{' + A[a]' * (SIZE // 7)}\n",
    "inputs.eq": "".join(f"A{i} : f32[a=8]\n" for i in range(SIZE // 15)),
    "axes.eq": axes(SIZE // 20, 1),
    "errors.eq": "!\n" * (SIZE // 2),
    "long.eq": f"{'A' * (SIZE // 2)} : f32[a=8]\nY[a] = exp({'A' * (SIZE // 2)}[a])\n",
    "zeros.eq": b"\0" * SIZE,
    "attributes.ncd": NCD + "".join(f' a{i}=""' for i in range(SIZE // 10)) + "/>",
    "deep.ncd": "<a>" * (SIZE // 3),
    "comments.svg": "<!--" * (SIZE // 4),
    "tags.svg": "<" * SIZE,
}
MODELS = {"chain.onnx": chain_of_onnx(SIZE // 28), "zeros.onnx": b"\x08\x08" * (SIZE // 2), "lengths.onnx": b"\x3a\xff\xff\xff\x00" * (SIZE // 5)}
ARRAYS = {
    "huge.npy": npy((1 << 40, 1000)),
    "deep.npy": b"\x93NUMPY\x02\0" + struct.pack("<I", SIZE) + b"(" * SIZE,
    "lengths.pb": b"\x0a\xff\xff\xff\x7f" * (SIZE // 5),
}
# Legal programs: what is linear is done, what is not says its bound.
PROGRAMS = {
    "chain.eq": chain(SIZE // 26),
    "held.eq": held(400),
    "sum.eq": f"{A}Y[a] = A[a]{' + A[a]' * 3900}\n",
    "sums.eq": A + "".join(f"Y{i}[a] = A[a]{' + A[a]' * 3900}\n" for i in range(SIZE // 28000)),
    "loose.eq": "".join(f"A{i} : f32[a=8]\n" for i in range(SIZE // 15)) + "Y[a] = A0[a] + A1[a]\n",
}
COMMANDS = (
    ("check",), ("equations",), ("import", "-o", "out.ncd"), ("diff", "{}"), ("rewrite", "--list"), ("evaluate", "--random=1"), ("derive",),
    ("derive", "--fuse=all"), ("derive", "--suggest"), ("derive", "--fuse=best"), ("compare", "--gpu=h100-sxm"), ("pseudocode",), ("verify", "--on=model"),
    ("export", "-o", "out.ncd"), ("export", "-o", "out.svg"), ("export", "-o", "out.svg", "--costs"), ("export", "--as=numpy", "-o", "out.py"),
)
# What is made of a program, which a compiler would take its time for: a diagram with too many operations has none.
MADE = (("optimise", "-o", "out"), ("export", "-o", "out.cu"), ("export", "-o", "out.py"), ("compile",), ("bench",), ("verify", "--on=cpu"),
        ("export", "-o", "out.svg", "--steps"), ("export", "-o", "out.svg", "--expanded"))
TOLD = {
    ("chain.eq", "compare", "--gpu=h100-sxm"): "kernels are searched for and made of at most 8192",
    ("chain.eq", "derive", "--suggest"): "kernels are searched for and made of at most 8192",
    ("chain.eq", "derive", "--fuse=all"): "too many for one kernel, which is made of at most 512",
    ("chain.eq", "export", "-o", "out.cu"): "kernels are searched for and made of at most 8192",
    ("sums.eq", "compare", "--gpu=h100-sxm"): "with 32768 at a time",
    ("many.eq", "export", "-o", "out.cu"): "at most 2048 are made at a time",
}
# What took the square of its length once, and the seconds of processor time that it is held to: less than it took.
SQUARES = {
    ("tree.eq", "verify", "--on=model"): (5, tree(2000)),
    ("wide.eq", "verify", "--on=model"): (9, tree(3000)),
    ("products.eq", "derive"): (8, products(10000)),
    ("reads.eq", "derive"): (5, reads(1000)),
    ("fan.eq", "export", "-o", "out.svg"): (16, fan(40000)),
    ("narrow.eq", "export", "-o", "out.pdf"): (8, fan(12000)),
}
DERIVED = {"twenty.eq": axes(20, 2), "forty.eq": axes(40, 2), "sixteen.eq": axes(16, 64)}


def limit(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def check(tap, folder, name, *arguments, seconds=SECONDS):
    """It exits by itself, well or with a reason, and its memory stays within bounds."""
    with subprocess.Popen([PROGRAM, *arguments], cwd=folder.path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=lambda: limit(seconds)) as run:
        said = run.stderr.read()
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    problem = None
    if run.returncode not in (0, 1):
        problem = f"ended with {run.returncode} after {used.ru_utime:.1f} s"
    elif run.returncode == 1 and not said:
        problem = "gave no reason"
    elif used.ru_maxrss > MEBIBYTES << 10 and not SANITIZED:
        problem = f"took {used.ru_maxrss >> 10} MiB"
    tap.check(f"/bounds/{name}/{'/'.join(each for each in arguments if each != name)}", problem)


def main():
    tap, folder = Tap(), Folder()
    for name, text in {**CHECKED, **MODELS, **ARRAYS, **DERIVED, **PROGRAMS, "many.eq": chain(3000)}.items():
        folder.write(name, text)
    folder.write("scalar.eq", f"{A}Y = sum[a](A[a])\n")
    folder.write("deep.json", "[" * SIZE)
    folder.write("deep.safetensors", struct.pack("<Q", SIZE) + b"[" * SIZE)
    for name in CHECKED:
        check(tap, folder, name, "check", name)
    for name in MODELS:
        check(tap, folder, name, "import", name, "-o", "out.ncd")
    for name in ARRAYS:
        check(tap, folder, name, "evaluate", "scalar.eq", "--in", f"A={name}")
    for name in DERIVED:
        check(tap, folder, name, "derive", name, "--suggest")
    check(tap, folder, "deep.safetensors", "evaluate", "scalar.eq", "--weights", "deep.safetensors")
    check(tap, folder, "deep.json", "export", "scalar.eq", "--roofline", "--measured", "deep.json", "-o", "out.svg")
    for name in PROGRAMS:
        for command, *options in COMMANDS:
            check(tap, folder, name, command, name, *(each.format(name) for each in options))
    for (name, command, *options), (seconds, text) in SQUARES.items():
        folder.write(name, text)
        check(tap, folder, name, command, name, *options, seconds=SECONDS if SANITIZED else seconds)
    for command, *options in MADE:
        check(tap, folder, "chain.eq", command, "chain.eq", *options)
    for (name, command, *options), words in TOLD.items():
        said = folder.failure(1, command, name, *options)
        tap.check(f"/bounds/{name}/{command}/{options[0]}/told", None if words in said else said)
    told = folder.output("derive", "twenty.eq", "--suggest")
    tap.check("/bounds/twenty.eq/told", None if "\nnot proved: there are too many tiles to try" in told else told)
    tap.finish()


main()
