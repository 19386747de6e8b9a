#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a person takes away of kernels: a Python module, libraries for several GPUs, a launcher in C. No GPU is needed, and no PyTorch."""

import ast
import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import types

import stand_in_torch
from heddle import ATTENTION, PROGRAM, Folder, Tap, find_nvcc

SPLIT = """# decode.eq
Q : f16[q=1, d=64]
K : f16[x=8192, d]
V : f16[x, d]
S[q,x] = Q[q,d] K[x,d]
P[q,x] = softmax[x](S[q,x] * d^-0.5)
O[q,d] = P[q,x] V[x,d]
"""
LAMBDA = """# lambda.eq
in : f32[\\lambda=8]
len[\\lambda] = in[\\lambda] + 1
"""


def load(folder, name, **options):
    """The module and its stand-ins."""
    torch, driver = stand_in_torch.install(**options)
    spec = importlib.util.spec_from_file_location(name.replace(".", "_").replace("/", "_"), folder.path / name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, torch, driver


def arrays(torch, **shapes):
    return {name: torch.Tensor(shape, torch.float16, torch.device("cuda")) for name, shape in shapes.items()}


def refusal(function, *arguments):
    try:
        function(*arguments)
    except (TypeError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was said"


def check_byte_maps(tap, folder):
    """Of 8-bit elements rows are half as long, and 128 of them make a panel."""
    text = "# bytes.eq\nA : e4m3[a=4096, k=4096]\nB : e4m3[b=4096, k]\nC : f16[a, b]\nC[a,b] = A[a,k] B[b,k]\n"
    (folder.path / "bytes.eq").write_text(text, encoding="utf-8")
    folder.output("export", "bytes.eq", "-o", "bytes.py", "--gpu", "h100", "--family", "sm90a")
    module, torch, driver = load(folder, "bytes.py", capability=(9, 0))
    with stand_in_torch.driver_in_place(driver):
        module.bytes_(**{name: torch.Tensor((rows, 64), torch.float8_e4m3fn, torch.device("cuda")) for name, rows in (("A", 65), ("B", 33))})
    tap.equal("/module/maps/of-bytes", [(each["kind"], each["sizes"], each["strides"], each["box"][0]) for each in driver.maps],
              [(0, [64, 65], [64], 128), (0, [64, 33], [64], 128)])


def check_tensor_maps(tap, folder):
    """For sm_90a the copy hardware is told of the arrays, and the kernel gets that behind its other arguments; not where rows are not aligned."""
    folder.output("export", "attention.eq", "-o", "hopper.py", "--gpu", "h100", "--family", "sm90a")
    module, torch, driver = load(folder, "hopper.py", capability=(9, 0))
    given = arrays(torch, Q=(130, 128), K=(77, 128), V=(77, 128))
    with stand_in_torch.driver_in_place(driver):
        result = module.attention(**given)
    tap.equal("/module/maps/arguments", driver.launches[0]["values"],
              [given["Q"].address, given["K"].address, given["V"].address, result.address, 130, 77, -1, -2, -3])
    tap.equal("/module/maps/arrays", [each["array"] for each in driver.maps], [given[name].address for name in "QKV"])
    tap.equal("/module/maps/of-k", {key: driver.maps[1][key] for key in ("aligned", "bytes", "kind", "sizes", "strides", "steps", "how")},
              {"aligned": 0, "bytes": 128, "kind": 6, "sizes": [128, 77], "strides": [256], "steps": [1, 1], "how": (0, 3, 3, 0)})
    long = arrays(torch, Q=(1 << 31, 128), K=(77, 128), V=(77, 128))
    with stand_in_torch.driver_in_place(driver):
        tap.equal("/module/maps/too-long", refusal(module.attention, *long.values()),
                  "ValueError: attention: axis q of Q is 2147483648 long, and these kernels take 2147483647 at most")
    tap.check("/module/maps/box", None if driver.maps[1]["box"][0] == 64 and driver.maps[1]["box"][1] in (64, 128) else str(driver.maps[1]["box"]))
    (folder.path / "matrices.eq").write_text("# matrices.eq\nA : f16[a=4096, k=4096]\nB : f16[k, b=4096]\nC[a,b] = A[a,k] B[k,b]\n", encoding="utf-8")
    folder.output("export", "matrices.eq", "-o", "matrices.py", "--gpu", "h100", "--family", "sm90a")
    module, torch, driver = load(folder, "matrices.py", capability=(9, 0))
    with stand_in_torch.driver_in_place(driver):
        module.matrices(**arrays(torch, A=(65, 64), B=(64, 33)))
    check_byte_maps(tap, folder)
    tap.equal("/module/maps/aligned-alone", ([each["sizes"] for each in driver.maps], driver.launches[0]["values"][-2:]), ([[64, 65]], [-1, 0]))


def check_many_arguments(tap, folder):
    """More arrays than an operator of PyTorch takes, as a model of a few layers has: the module is a plain function."""
    names = [f"A_{i}" for i in range(65)]
    (folder.path / "many.eq").write_text("".join(f"{name} : f32[i=64]\n" for name in names) + f"B[i] = {' + '.join(f'{name}[i]' for name in names)}\n",
                                         encoding="utf-8")
    folder.output("export", "many.eq", "-o", "many.py", "--gpu", "a100", "--no-verify")
    module, torch, driver = load(folder, "many.py")
    with stand_in_torch.driver_in_place(driver):
        result = module.many(**{name: stand_in_torch.Tensor((64,), "torch.float32", stand_in_torch.Device("cuda")) for name, _, _ in module._INPUTS})
    tap.equal("/module/many-arguments", (result.shape, len(module._INPUTS), len(torch.library.operators)), ((64,), 65, 0))


def check_launch(tap, folder):
    """attention, 130 queries: tiles of 64 take three blocks."""
    folder.output("export", "attention.eq", "-o", "attention.py", "--gpu", "a100")
    module, torch, driver = load(folder, "attention.py")
    given = arrays(torch, Q=(130, 128), K=(77, 128), V=(77, 128))
    with stand_in_torch.driver_in_place(driver):
        result = module.attention(**given)
        module.attention(**given)
    launch = driver.launches[0]
    tap.equal("/module/result", (result.shape, result.dtype, result.device.type), ((130, 128), "torch.float16", "cuda"))
    tap.equal("/module/launch", (launch["entry"], launch["grid"], launch["stream"]), ("attention_kernel", (3, 1, 1), 77))
    tap.equal("/module/arguments", launch["values"], [given["Q"].address, given["K"].address, given["V"].address, result.address, 130, 77])
    tap.equal("/module/once", (driver.code, len(driver.launches), driver.contexts()), ([b"\x7fELF"], 2, []))
    tap.equal("/module/shared", driver.attributes, [("attention_kernel", 8, launch["shared"])])
    (name, operator), = torch.library.operators.items()
    tap.equal("/module/operator", (name.split("_")[0], operator.schema, operator.mutates),
              ("heddle::attention", "(Tensor a0, Tensor a1, Tensor a2) -> Tensor", ()))
    count = len(driver.launches)
    fake = operator.fake(*given.values())
    tap.equal("/module/fake", (fake.shape, fake.dtype, len(driver.launches)), ((130, 128), "torch.float16", count))
    with stand_in_torch.driver_in_place(driver):
        enormous = arrays(torch, Q=(64 * 100000, 128), K=(77, 128), V=(77, 128))
        tap.equal("/module/driver", refusal(module.attention, *enormous.values()), "RuntimeError: attention: cuLaunchKernel: a made-up fault (701)")
    older, _, driver = load(folder, "attention.py", operators=False)
    with stand_in_torch.driver_in_place(driver):
        tap.equal("/module/without-operators", older.attention(**given).shape, (130, 128))
    check_refusals(tap, folder)


def check_refusals(tap, folder):
    module, torch, driver = load(folder, "attention.py")
    cuda = torch.device("cuda")

    def half(shape, **more):
        return torch.Tensor(shape, torch.float16, more.pop("device", cuda), **more)

    good = (half((4, 128)), half((6, 128)), half((6, 128)))
    rows = (
        ("list", ([1], *good[1:]), "TypeError: attention: Q is of list, not a tensor"),
        ("dtype", (torch.Tensor((4, 128), torch.float32, cuda), *good[1:]), "TypeError: attention: Q is of torch.float32, not float16[q, d=128]"),
        ("rank", (half((2, 4, 128)), *good[1:]), "ValueError: attention: Q has 3 axes, not float16[q, d=128]"),
        ("shape", (*good[:2], half((7, 128))), "ValueError: attention: axis x is 6 long, and 7 in V, which is float16[x, d=128]"),
        ("fixed", (half((4, 64)), half((6, 64)), half((6, 64))), "ValueError: attention: axis d is 64 long, and these kernels are made for 128"),
        ("empty", (half((0, 128)), *good[1:]), "ValueError: attention: axis q is 0 long: there is nothing to compute"),
        ("cpu", (half((4, 128), device=torch.device("cpu")), *good[1:]), "ValueError: attention: Q is on cpu:0, not on a GPU"),
        ("devices", (*good[:2], half((6, 128), device=torch.device("cuda", 1))), "ValueError: attention: V is on cuda:1, and Q on cuda:0"),
        ("strides", (half((4, 128), strides=(1, 4)), *good[1:]), "ValueError: attention: Q has strides (1, 4)"),
        ("alignment", (half((4, 128), address=4098), *good[1:]), "ValueError: attention: Q begins at an address that is no multiple of 16"),
    )
    with stand_in_torch.driver_in_place(driver):
        for name, given, words in rows:
            said = refusal(module.attention, *given)
            tap.check(f"/module/refused/{name}", None if said.startswith(words) else said)
        torch.gradients = True
        said = refusal(module.attention, half((4, 128), requires_grad=True), *good[1:])
        tap.check("/module/refused/gradients", None if "no gradients" in said and "torch.no_grad" in said else said)
    tap.equal("/module/refused/nothing-started", driver.launches, [])
    module, torch, driver = load(folder, "attention.py", capability=(12, 0))
    said = refusal(module.attention, *good)
    tap.check("/module/refused/device", None if "made for sm_80, and this device is sm_120" in said else said)


def check_several(tap, folder):
    """One file for two GPUs: each runs its own kernels; an A6000 runs those of an A100."""
    folder.output("export", "attention.eq", "-o", "both.py", "--gpu", "a100", "--gpu", "h100", "--no-verify")
    for capability, arch in (((8, 0), "sm_80"), ((8, 6), "sm_80"), ((9, 0), "sm_90a")):
        module, torch, _ = load(folder, "both.py", capability=capability)
        tap.equal(f"/module/several/{capability[0]}-{capability[1]}", module._gpu_of(torch.device("cuda"))["arch"], arch)
    folder.failure(1, "export", "attention.eq", "-o", "both.cu", "--gpu", "a100", "--gpu", "h100")
    tap.check("/module/several/cu", None if not (folder.path / "both.cu").exists() else "written")


def check_split(tap, folder):
    """Split over x: partial states go through arrays that the module makes itself."""
    folder.write("decode.eq", SPLIT)
    folder.output("export", "decode.eq", "-o", "decode.py", "--gpu", "a100", "--no-verify")
    module, torch, driver = load(folder, "decode.py")
    gpu = module._GPUS[0]
    if not gpu["parts"]:
        tap.check("/module/split", "this machine's plan splits nothing: the test wants another example")
        return
    (part, (whole, size)), = gpu["parts"].items()
    given = arrays(torch, Q=(1, 64), K=(5000, 64), V=(5000, 64))
    with stand_in_torch.driver_in_place(driver):
        module.decode(**given)
    n = (5000 + size - 1) // size
    made = [tensor.shape for tensor in torch.made[1:]]
    tap.equal("/module/split/parts", (whole, part, len(driver.launches)), ("x", part, 2))
    tap.check("/module/split/workspace", None if made and all(n in shape for shape in made) else f"{made} with {n} parts")
    tap.check("/module/split/arguments", None if n in driver.launches[1]["values"] else str(driver.launches[1]["values"]))


def check_names(tap, folder):
    """Names of the document are no code, and no word of Python's."""
    folder.write("lambda.eq", LAMBDA)
    folder.output("export", "lambda.eq", "-o", "lambda.py", "--gpu", "a100", "--no-verify")
    module, torch, driver = load(folder, "lambda.py")
    with stand_in_torch.driver_in_place(driver):
        result = getattr(module, "lambda_")(torch.Tensor((8,), torch.float32, torch.device("cuda")))
    tap.equal("/names/words", result.shape, (8,))
    folder.output("import", "attention.eq", "-o", "hostile.ncd")
    text = folder.read("hostile.ncd").decode()
    folder.write("hostile.ncd", text.replace('name="attention"', 'name="&quot;; system(&quot;x&quot;)//"'))
    tap.check("/names/hostile/name", None if "&quot;; system(" in folder.read("hostile.ncd").decode() else "the name is not there")
    for suffix in ("py", "cu", "h"):
        folder.output("export", "hostile.ncd", "-o", f"hostile.{suffix}", "--gpu", "a100", "--no-verify")
    module, torch, driver = load(folder, "hostile.py")
    given = arrays(torch, Q=(64, 128), K=(6, 128), V=(6, 128))
    with stand_in_torch.driver_in_place(driver):
        module.system_x(*given.values())
    tap.equal("/names/hostile/module", driver.launches[0]["entry"], "system_x_kernel")
    tree = ast.parse(folder.read("hostile.py"))
    imports = [node.names[0].name for node in ast.walk(tree) if isinstance(node, ast.Import)]
    tap.equal("/names/hostile/imports", sorted(imports), ["base64", "ctypes", "threading", "torch", "zlib"])
    code = [line.split("//")[0] for line in folder.read("hostile.cu").decode().splitlines()]
    tap.equal("/names/hostile/kernel", [line for line in code if "system(" in line or "import" in line], [])
    tap.check("/names/hostile/compiles", None if folder.run("compile", "hostile.ncd", "--gpu", "a100").returncode == 0 else "no")


CALLER = """#include <stdio.h>
#include "attention.h"
int main (void)
{
  static char room[64];
  int status = attention (0, room, room, room, 4, 4, 0);
  if (status >= 0) return 1;
  printf ("%s\\n", attention_message (status));
  status = attention (room, room, room, room, 0, 4, 0);
  printf ("%s\\n", attention_message (status));
  return 0;
}
"""


def check_libraries(tap, folder):
    """Built by nvcc for two architectures; a C program calls the launcher and reads why it refused."""
    for suffix in ("so", "fatbin"):
        folder.output("export", "attention.eq", "-o", f"libattention.{suffix}", "--gpu", "a100", "--gpu", "h100", "--no-verify")
        found = [arch for arch in (b"sm_80", b"sm_90a") if arch in folder.read(f"libattention.{suffix}")]
        images = folder.read(f"libattention.{suffix}").count(b"\x7fELF")
        tap.check(f"/library/{suffix}/architectures", None if images >= 2 or len(found) == 2 else f"{images} images, {found}")
    tap.equal("/library/so/elf", folder.read("libattention.so")[:4], b"\x7fELF")
    said = folder.failure(1, "export", "attention.eq", "-o", "small.so", "--gpu", "a100", "--gpu", "rtx-4090", "--no-verify")
    tap.check("/library/too-small", None if "KiB of shared memory" in said and "first" in said else said)
    folder.output("export", "attention.eq", "-o", "attention.h", "--gpu", "a100", "--no-verify")
    folder.write("caller.c", CALLER)
    include = next((path for path in ("/usr/local/cuda/include",) if os.path.isdir(path)), "/usr/include")
    subprocess.run(["gcc", "-Wall", "-Werror", f"-I{include}", "caller.c", "./libattention.so", "-o", "caller"], cwd=folder.path, check=True)
    run = subprocess.run(["./caller"], cwd=folder.path, capture_output=True, text=True, check=False)
    tap.equal("/library/launcher", run.stdout, "an array is a null pointer\na size is less than 1\n")


def check_benchmark(tap, folder, script):
    """The script that times kernels on another machine exports what it carries there."""
    subprocess.run([sys.executable, script, "export", "--gpu", "h200", "-o", str(folder.path / "bench"), "--only", "rmsnorm", "gqa_128_4096"],
                   check=True, stdout=subprocess.DEVNULL, env={**os.environ, "HEDDLE": PROGRAM})
    about = json.loads((folder.path / "bench" / "manifest.json").read_text())
    tap.equal("/bench/cases", (about["gpu"], sorted(about["cases"])), ("h200", ["gqa_128_4096", "rmsnorm"]))
    tap.equal("/bench/about", [(case["verified"], case["kernels"], case["predicted_ms"] > 0) for case in about["cases"].values()], [(True, 1, True)] * 2)
    tap.equal("/bench/families", about["cases"]["gqa_128_4096"]["families"], ["sm_90a"])
    module, torch, driver = load(folder, "bench/rmsnorm.py", capability=(9, 0))
    tap.equal("/bench/sizes", module._SIZES, (("x", 16384), ("m", 4096)))
    given = arrays(torch, X=(16384, 4096), g=(4096,))
    with stand_in_torch.driver_in_place(driver):
        tap.equal("/bench/runs", module.rmsnorm(*given.values()).shape, (16384, 4096))


class Clocks:
    """As much of torch.cuda as times are taken by: a host and a GPU with clocks of their own, in microseconds."""

    def __init__(self):
        self.host, self.gpu, self.nodes = 0.0, 0.0, None
        clocks = self

        class Stream:
            def wait_stream(self, other):
                pass

        class Event:
            def __init__(self, enable_timing):
                pass

            def record(self):
                self.at = clocks.gpu = max(clocks.gpu, clocks.host)

            def synchronize(self):
                clocks.synchronize()

            def elapsed_time(self, other):
                return (other.at - self.at) / 1e3

        class Graph:
            def replay(self):
                clocks.host += 8
                for length in self.nodes:
                    clocks.enqueue(length)

        self.Stream, self.Event, self.CUDAGraph, self.current_stream = Stream, Event, Graph, Stream
        self.stream = lambda stream: contextlib.nullcontext()

    def synchronize(self):
        if self.nodes is not None:
            raise RuntimeError("operation not permitted when stream is capturing")
        self.host = max(self.host, self.gpu)

    def enqueue(self, length):
        if self.nodes is not None:
            self.nodes.append(length)
        else:
            self.gpu = max(self.gpu, self.host) + length

    @contextlib.contextmanager
    def graph(self, graph):
        graph.nodes = self.nodes = []
        try:
            yield
        finally:
            self.nodes = None


def check_times(tap, script):
    """A kernel of 10 us whose call takes the host 100: neither is taken for the other."""
    spec = importlib.util.spec_from_file_location("kernels", script)
    kernels = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernels)
    clocks = Clocks()
    torch = types.SimpleNamespace(cuda=clocks)
    kernels.time = types.SimpleNamespace(perf_counter=lambda: clocks.host * 1e-6)

    def call(waits):
        clocks.host += 100
        clocks.enqueue(10)
        if waits:
            clocks.synchronize()

    for n in (1, 16):
        time = kernels.time_of(torch, call, [(False,)] * n, 50)
        tap.equal(f"/bench/times/{n}/captured", time["uncaptured"], None)
        # with one call alone the host's start of a graph stands behind an earlier one of 10 us
        tap.check(f"/bench/times/{n}", None if abs(time["ms"] - 0.010) < 1e-6 and abs(time["host_us"] - 100) < 1e-6 else str(time))
    time = kernels.time_of(torch, call, [(True,)] * 4, 50)
    tap.equal("/bench/times/waits/why", time["uncaptured"], "operation not permitted when stream is capturing")
    tap.check("/bench/times/waits", None if time["ms"] > 0.09 and kernels.written(time).startswith("~") else str(time))


def main():
    tap, folder = Tap(), Folder()
    check_times(tap, sys.argv[1])
    folder.write("attention.eq", ATTENTION)
    if folder.run("compile", "attention.eq", "--gpu", "a100").returncode == 3:
        said = folder.failure(3, "export", "attention.eq", "-o", "a.py", "--gpu", "a100")
        tap.check("/module/missing", None if "CUDA" in said else said)
        tap.finish()
        return
    check_launch(tap, folder)
    check_many_arguments(tap, folder)
    check_tensor_maps(tap, folder)
    check_several(tap, folder)
    check_split(tap, folder)
    check_names(tap, folder)
    check_benchmark(tap, folder, sys.argv[1])
    if find_nvcc():
        check_libraries(tap, folder)
    tap.finish()


main()
