#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a call of an exported Python module costs the host, beside a plain ctypes call with as many arguments as a launch has.

    HEDDLE=build/src/heddle tests/bench/launch.py [MODULE.py…]

No GPU and no PyTorch are needed: arrays and PyTorch are the stand-ins of tests/cli, and the driver is a library of functions that do nothing, built here
by the C compiler. So PyTorch's own allocator, dispatcher and tensors are not in it, and of the driver nothing but the way to it. Times are of the
thread's processor time, the least of many; addresses stay (`same`) or come back in rotation
(`rotating`), what is computed lies always elsewhere (`new`), or all is worked out anew, as where shapes are new (`first`).
"""

import argparse
import ctypes
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
import stand_in_torch  # noqa: E402

CASES = {
    "product": "A : f16[a=4096, k=4096]\nB : f16[k, b=4096]\nC[a,b] = A[a,k] B[k,b]\n",
    "attention": "Q : f16[h=16, y=1024, k=64]\nK : f16[h, x=1024, k]\nV : f16[h, x, k]\nS[h,y,x] = Q[h,y,k] K[h,x,k]\n"
                 "P[h,y,x] = softmax[x](S[h,y,x] * k^-0.5)\nO[h,y,k] = P[h,y,x] V[h,x,k]\n",
    "softmax": "X : f16[x=16384, m=4096]\nY[x,m] = softmax[m](X[x,m])\n",
}
NAMES = ("cuInit", "cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuModuleLoadData", "cuModuleGetFunction",
         "cuFuncSetAttribute", "cuTensorMapEncodeTiled", "cuLaunchKernel", "cuGetErrorString")
ROTATION = 16
CALLS, ROUNDS = 200, 15


def make_driver(folder):
    """A driver that says yes and does nothing."""
    source = folder / "driver.c"
    source.write_text("".join(f"int {name} (void) {{ return 0; }}\n" for name in NAMES), encoding="utf-8")
    library = folder / "driver.so"
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return ctypes.CDLL(str(library))


def load(path):
    spec = importlib.util.spec_from_file_location(f"launch_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, getattr(module, path.stem)


def cost(function, inputs, calls=CALLS):
    """Microseconds of a call."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.thread_time()
        for i in range(calls):
            function(*inputs[i % len(inputs)])
        best = min(best, (time.thread_time() - began) / calls)
    return best * 1e6


def plain_call(driver):
    """As much as a launch by ctypes costs at the least."""
    one, nothing = ctypes.c_uint(1), ctypes.c_void_p()
    pointers = (ctypes.c_void_p * 5)()
    return cost(driver.cuLaunchKernel, [(nothing, one, one, one, one, one, one, one, nothing, pointers, nothing)])


class Addresses:
    """The allocator: what is computed comes to lie where it lay before, or always elsewhere."""

    def __init__(self, torch):
        self.torch, self.next, self.stay = torch, 1 << 40, True

    def empty(self, shape, dtype, device):
        self.next += 0 if self.stay else 4096
        return self.torch.Tensor(shape, dtype, device, address=self.next)


def measure(path, torch, driver):
    with stand_in_torch.driver_in_place(driver):
        module, function = load(path)
        allocator = Addresses(torch)
        torch.empty = allocator.empty
        sizes = dict(module._SIZES)
        cuda = torch.device("cuda")
        sets = [[torch.Tensor([sizes[axis] for axis in axes], getattr(torch, dtype), cuda) for _, dtype, axes in module._INPUTS] for _ in range(ROTATION)]
        function(*sets[0])
        row = {"same": cost(function, sets[:1]), "rotating": cost(function, sets)}
        allocator.stay = False
        row["new"] = cost(function, sets)
        if hasattr(module, "_plans"):  # not one that an older Heddle made
            row["first"] = cost(lambda *arrays: (module._plans.known.clear(), function(*arrays)), sets[:1], 20)
    return len(module._INPUTS) + len(module._OUTPUTS), row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", type=Path, help="exported before, for sm_90a (default: a product, attention and a softmax, exported now)")
    options = parser.parse_args()
    torch, _ = stand_in_torch.install(capability=(9, 0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case, text in CASES.items() if not options.modules else ():
            (folder / f"{case}.eq").write_text(text, encoding="utf-8")
            made = subprocess.run([os.environ.get("HEDDLE", "heddle"), "export", str(folder / f"{case}.eq"), "-o", str(folder / f"{case}.py"), "--gpu", "h200",
                                   "--no-verify"], check=False, stdout=subprocess.DEVNULL)
            if made.returncode == 3:
                print("there is no CUDA compiler")
                return
            made.check_returncode()
            options.modules.append(folder / f"{case}.py")
        driver = make_driver(folder)
        unit = plain_call(driver)
        print(f"a plain ctypes call: {unit:.2f} us")
        print("| module | arrays | addresses | host time of a call, us | plain calls |\n|---|---|---|---|---|")
        for path in options.modules:
            arrays, row = measure(path, torch, driver)
            for how, us in row.items():
                print(f"| {path.stem} | {arrays} | {how} | {us:.1f} | {us / unit:.1f} |")


if __name__ == "__main__":
    main()
