#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Kernels against PyTorch, in one run.

Where Heddle is:   kernels.py export --gpu h200 -o FOLDER [--only NAME…]
Where a GPU is:    python3 kernels.py run FOLDER [--repeat 50]      (needs PyTorch and what is in FOLDER, not Heddle)

`run` first checks every result, then times what the GPU does, medians of many, with inputs that rotate past the L2 cache, and prints a table with what
the machine itself reaches. Calls are captured in a CUDA graph, one for each set of inputs, and events stand around a replay: the host plays no part. Where
something cannot be captured, many calls lie between two events, and a ~ stands before its time, which may be the host's. How long the host works at a call,
ours and the other's, stands in a column of its own. What the model predicted stands beside it, as a prediction.
"""

import argparse
import datetime
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

CAUSAL = "M[h,y,x] = where(x <= y, S[h,y,x] * k^-0.5, -inf)\nP[h,y,x] = softmax[x](M[h,y,x])\n"
FULL = "P[h,y,x] = softmax[x](S[h,y,x] * k^-0.5)\n"


def attention(n, d, causal, heads):
    return (f"Q : f16[h={heads}, y={n}, k={d}]\nK : f16[h, x={n}, k]\nV : f16[h, x, k]\nS[h,y,x] = Q[h,y,k] K[h,x,k]\n"
            + (CAUSAL if causal else FULL) + "O[h,y,k] = P[h,y,x] V[h,x,k]\n")


def grouped(n, d, groups, shared, queries):
    return (f"Q : f16[g={groups}, r={shared}, y={queries}, k={d}]\nK : f16[g, x={n}, k]\nV : f16[g, x, k]\nS[g,r,y,x] = Q[g,r,y,k] K[g,x,k]\n"
            "P[g,r,y,x] = softmax[x](S[g,r,y,x] * k^-0.5)\nO[g,r,y,k] = P[g,r,y,x] V[g,x,k]\n")


def product(n, dtype):
    return f"A : {dtype}[a={n}, k={n}]\nB : {dtype}[k, b={n}]\nC[a,b] = A[a,k] B[k,b]\n"


def rows(body, extra=""):
    return f"X : f16[x=16384, m=4096]\n{extra}{body}\n"


def cases():
    """Name: what it is, its equations, FLOP, bytes that have to move, and the reference for PyTorch."""
    made = {}

    def add(name, kind, text, flops=0, moved=0, **more):
        made[name] = {"kind": kind, "text": text, "flops": flops, "bytes": moved, **more}

    for n, dtype in ((4096, "f16"), (8192, "f16"), (8192, "bf16")):
        add(f"matmul_{n}_{dtype}", "matmul", product(n, dtype), 2 * n**3)
    for d in (64, 128, 256):
        for n in (1024, 4096, 16384):
            for causal in (False, True):
                heads = 16384 * 2048 // (n * d)
                flops = 4 * heads * n * n * d // (2 if causal else 1)
                add(f"attention_{d}_{n}" + ("_causal" if causal else ""), "attention", attention(n, d, causal, heads), flops, causal=causal)
    add("gqa_128_4096", "grouped", grouped(4096, 128, 8, 4, 4096), 4 * 32 * 4096 * 4096 * 128)
    add("decode_128_16384", "grouped", grouped(16384, 128, 32, 4, 1), 0, 2 * 32 * 16384 * 128 * 2)
    plain = 2 * 16384 * 4096 * 2
    add("softmax", "softmax", rows("Y[x,m] = softmax[m](X[x,m])"), 0, plain)
    add("rmsnorm", "rmsnorm", rows("Y[x,m] = rmsnorm[m](X[x,m]) * g[m]", "g : f16[m]\n"), 0, plain)
    add("layernorm", "layernorm", rows("Y[x,m] = layernorm[m](X[x,m]) * g[m] + b[m]", "g : f16[m]\nb : f16[m]\n"), 0, plain)
    add("rmsnorm_linear", "rmsnorm_linear", "X : f16[x=8192, m=4096]\ng : f16[m]\nW : f16[m, n=4096]\nY[x,n] = (rmsnorm[m](X[x,m]) * g[m]) W[m,n]\n",
        2 * 8192 * 4096 * 4096)
    add("swiglu", "swiglu", "X : f16[x=8192, m=4096]\nW : f16[m, f=11008]\nV : f16[m, f]\nU : f16[f, m]\nG[x,f] = silu(X[x,m] W[m,f])\n"
        "H[x,f] = X[x,m] V[m,f]\nY[x,m] = (G[x,f] * H[x,f]) U[f,m]\n", 6 * 8192 * 4096 * 11008)
    add("mlp", "mlp", "X : f16[x=8192, m=4096]\nW : f16[m, f=16384]\nU : f16[f, m]\nH[x,f] = gelu(X[x,m] W[m,f])\nY[x,m] = H[x,f] U[f,m]\n",
        4 * 8192 * 4096 * 16384)
    return made


# --- where Heddle is ---


def export(options):
    """Each case as a Python module with its kernels, and what the model says of it."""
    heddle = os.environ.get("HEDDLE", "heddle")
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {}
    for name, case in cases().items():
        if options.only and name not in options.only:
            continue
        source = folder / f"{name}.eq"
        source.write_text(case["text"], encoding="utf-8")
        done = subprocess.run([heddle, "export", str(source), "-o", str(folder / f"{name}.py"), "--gpu", options.gpu], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            manifest[name] = {"missing": done.stderr.strip()}
            print(f"{name}: {done.stderr.strip()}", file=sys.stderr)
            continue
        module = (folder / f"{name}.py").read_text(encoding="utf-8")
        bounds = [float(line.split(":")[1].split("ms")[0]) for line in module.splitlines() if line.startswith("#   bound on ")]
        families = sorted({line.split()[2].rstrip(":,") for line in module.splitlines() if line.startswith("#   family ")})
        manifest[name] = {"predicted_ms": sum(bounds), "kernels": len(bounds), "families": families,
                          "verified": "NOT VERIFIED" not in module}
    (folder / "manifest.json").write_text(json.dumps({"gpu": options.gpu, "cases": manifest}, indent=1) + "\n", encoding="utf-8")
    return 0


# --- where a GPU is ---


def load(folder, name):
    spec = importlib.util.spec_from_file_location(f"heddle_{name}", folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, getattr(module, name)


def references(torch, case):
    """What PyTorch has for a case: the first one is what results are checked against, in f32 where that fits."""
    functional = torch.nn.functional
    kind = case["kind"]

    def compiled(function):
        return torch.compile(function, mode="max-autotune-no-cudagraphs")

    def attend(*arrays):
        return functional.scaled_dot_product_attention(*(a[None] for a in arrays), is_causal=case.get("causal", False))[0]

    def attend_grouped(q, k, v):
        return functional.scaled_dot_product_attention(q.flatten(0, 1)[None], k[None], v[None], enable_gqa=True)[0].unflatten(0, q.shape[:2])

    def by(backend, function):
        def call(*arrays):
            with torch.nn.attention.sdpa_kernel(backend):
                return function(*arrays)
        return call

    if kind == "matmul":
        return {"cuBLAS": torch.matmul}
    if kind in ("attention", "grouped"):
        function = attend if kind == "attention" else attend_grouped
        backends = torch.nn.attention.SDPBackend
        return {"SDPA": function, "FLASH": by(backends.FLASH_ATTENTION, function), "CUDNN": by(backends.CUDNN_ATTENTION, function),
                "EFFICIENT": by(backends.EFFICIENT_ATTENTION, function)}
    plain = {
        "softmax": lambda x: torch.softmax(x, -1),
        "rmsnorm": lambda x, g: functional.rms_norm(x, x.shape[-1:], g),
        "layernorm": lambda x, g, b: functional.layer_norm(x, x.shape[-1:], g, b),
        "rmsnorm_linear": lambda x, g, w: functional.rms_norm(x, x.shape[-1:], g) @ w,
        "swiglu": lambda x, w, v, u: (functional.silu(x @ w) * (x @ v)) @ u,
        "mlp": lambda x, w, u: functional.gelu(x @ w) @ u,
    }[kind]
    return {"eager": plain, "torch.compile": compiled(plain)}


def make_inputs(torch, module, seed):
    """Random arrays at the sizes of the case, scaled so that sums stay small."""
    generator = torch.Generator(device="cuda").manual_seed(seed)
    sizes = dict(module._SIZES)
    return [torch.randn([sizes[axis] for axis in axes], generator=generator, device="cuda", dtype=torch.float32).mul_(0.5).to(getattr(torch, dtype))
            for _, dtype, axes in module._INPUTS]


def copies_of(torch, inputs, most_bytes):
    """As many sets of inputs as reach past the L2 cache."""
    one = sum(array.numel() * array.element_size() for array in inputs)
    return [inputs] + [[array.clone() for array in inputs] for _ in range(min(15, most_bytes // max(one, 1)))]


def warm_up(torch, function, sets):
    """On a stream of its own, as capturing wants it: kernels are loaded, and libraries have their workspaces."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for inputs in sets[:3]:
            function(*inputs)
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()


def captured(torch, function, sets):
    """A graph with a call for each set, as a function; or None and why it cannot be."""
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            for inputs in sets:
                function(*inputs)  # what it returns goes back, and the next call may have its place
        graph.replay()
        torch.cuda.synchronize()
    except RuntimeError as error:
        torch.cuda.synchronize()
        return None, str(error).splitlines()[0]
    return graph.replay, None


def runs_of(sets, repeat):
    """How often all sets are gone through, so that @repeat calls are timed."""
    return max(5, repeat // len(sets))


def between_events(torch, function, count, repeat):
    """Milliseconds of one of the @count calls that a function makes: the median of @repeat runs, each behind one that keeps the GPU busy until the host
    has started it."""
    times = []
    for _ in range(repeat):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        function()
        begin.record()
        function()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / count)
    return statistics.median(times)


def host_time_of(torch, function, sets, repeat):
    """Microseconds that the host works at a call: the least of @repeat runs of few calls, of which none has to wait for the GPU."""
    least = float("inf")
    for _ in range(repeat):
        torch.cuda.synchronize()
        began = time.perf_counter()
        for inputs in sets:
            function(*inputs)
        least = min(least, (time.perf_counter() - began) / len(sets))
    torch.cuda.synchronize()
    return least * 1e6


def time_of(torch, function, sets, repeat):
    """What a call costs: {"ms": of the GPU, "host_us": of the host, "uncaptured": None, or why the time may be the host's}."""
    runs = runs_of(sets, repeat)
    warm_up(torch, function, sets)
    host = host_time_of(torch, function, sets, runs)
    replay, reason = captured(torch, function, sets)

    def calls():
        for inputs in sets:
            function(*inputs)

    return {"ms": between_events(torch, replay or calls, len(sets), runs), "host_us": host, "uncaptured": reason}


def error_of(torch, ours, theirs):
    ours, theirs = ours.double(), theirs.double()
    return float((ours - theirs).norm() / theirs.norm().clamp_min(1e-30))


def measure(torch, folder, name, case, options, l2_bytes):
    module, ours = load(folder, name)
    inputs = make_inputs(torch, module, 1)
    others = references(torch, case)
    if options.no_compile:
        others.pop("torch.compile", None)
    error = error_of(torch, ours(*inputs), next(iter(others.values()))(*inputs))
    allowed = 2.4e-2 if "bf16" in name else 4e-3  # both sides round
    row = {"error": error, "right": error <= allowed}
    if not row["right"]:
        return row
    sets = copies_of(torch, inputs, 4 * l2_bytes)
    row["heddle"] = time_of(torch, ours, sets, options.repeat)
    row["others"] = {}
    for other, function in others.items():
        try:
            row["others"][other] = time_of(torch, function, sets, options.repeat)
        except RuntimeError as reason:
            row["others"][other] = None
            print(f"{name}: {other}: {str(reason).splitlines()[0]}", file=sys.stderr)
    return row


def ceilings(torch, repeat):
    """What this machine itself reaches: products and copies."""
    a = torch.randn(8192, 8192, device="cuda", dtype=torch.float16)
    flops = 2 * 8192**3 / time_of(torch, torch.matmul, [[a, a.clone()]], repeat)["ms"] / 1e9
    large = torch.empty(1 << 29, device="cuda", dtype=torch.float16)
    to = torch.empty_like(large)
    bandwidth = 2 * large.numel() * 2 / time_of(torch, lambda x: to.copy_(x), [[large]], repeat)["ms"] / 1e6
    return flops, bandwidth


def rate(case, milliseconds):
    if case["flops"]:
        return f"{case['flops'] / milliseconds / 1e9:.0f} TFLOP/s"
    return f"{case['bytes'] / milliseconds / 1e6:.0f} GB/s"


def written(time):
    return f"{'~' if time['uncaptured'] else ''}{time['ms']:.4f}"


def print_row(name, case, about, row):
    predicted = f"{about['predicted_ms']:.3f}"
    if "heddle" not in row:
        print(f"| {name} | WRONG: {row['error']:.2g} | | | | | {predicted} |", flush=True)
        return
    ours, known = row["heddle"], {other: time for other, time in row["others"].items() if time}
    best = min(known, key=lambda other: known[other]["ms"])
    theirs = known[best]
    print(f"| {name} | {written(ours)} | {rate(case, ours['ms'])} | {best} {written(theirs)} | {theirs['ms'] / ours['ms']:.2f}x "
          f"| {ours['host_us']:.1f} / {theirs['host_us']:.1f} | {predicted} |", flush=True)
    for who, time in {"Heddle": ours, **known}.items():
        if time["uncaptured"]:
            print(f"{name}: {who} was not captured: {time['uncaptured']}", file=sys.stderr)


def run(options):
    import torch  # noqa: PLC0415

    folder = Path(options.folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    properties = torch.cuda.get_device_properties(0)
    flops, bandwidth = ceilings(torch, options.repeat)
    print(f"{datetime.date.today()}, {properties.name}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}; kernels made for {manifest['gpu']}")
    print(f"`{' '.join(sys.argv)}`\n\ncuBLAS f16 8192: {flops:.0f} TFLOP/s; copies: {bandwidth:.0f} GB/s\n")
    print("| case | Heddle, ms | rate | best other, ms | speed | host, us a call: Heddle / other | predicted by the model, ms |\n|---|---|---|---|---|---|---|")
    wrong = False
    for name, case in cases().items():
        if options.only and name not in options.only:
            continue
        about = manifest["cases"].get(name, {"missing": "not exported"})
        if "missing" in about:
            print(f"| {name} | not made: {about['missing']} | | | | | |")
            continue
        row = measure(torch, folder, name, case, options, getattr(properties, "L2_cache_size", 50 << 20))
        wrong = wrong or not row["right"]
        print_row(name, case, about, row)
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("export")
    make.add_argument("--gpu", default="h200")
    make.add_argument("-o", "--output", required=True)
    make.add_argument("--only", nargs="*")
    go = commands.add_parser("run")
    go.add_argument("folder")
    go.add_argument("--repeat", type=int, default=50)
    go.add_argument("--only", nargs="*")
    go.add_argument("--no-compile", action="store_true", help="leave torch.compile out, which takes minutes")
    options = parser.parse_args()
    return export(options) if options.command == "export" else run(options)


if __name__ == "__main__":
    sys.exit(main())
