#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What is exported is run from end to end with no GPU: launchers, libraries and Python modules on stand-ins for CUDA's runtime and driver, whose memory is
simulated and whose kernels are interpreted."""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import threading

import numpy
import stand_in_torch
from heddle import Folder, Tap
from stand_in_torch import Tensor

EQUATIONS = """# attention.eq
Q : f16[q=4096, d=64]
K : f16[x=4096, d]
V : f16[x, d]
S[q,x] = Q[q,d] K[x,d]
P[q,x] = softmax[x](S[q,x] * d^-0.5)
O[q,d] = P[q,x] V[x,d]
"""
WAYS = (("late", "0"), ("early", "0"), ("drawn", "1"), ("drawn", "2"))
LAUNCH_FAILED = 719
# nvcc takes these behind its own: no runtime of NVIDIA's, and PTX that is not compressed beside the code.
PTX = "-cudart none --no-compress -gencode=arch=compute_{0},code=compute_{0}"


def reference(q, k, v):
    scores = q.astype(float) @ k.astype(float).T * q.shape[1] ** -0.5
    weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ v.astype(float)


def inputs(q, x, d=64):
    random = numpy.random.default_rng(q)
    return [random.standard_normal((n, d)).astype(numpy.float16) for n in (q, x, x)]


def far_off(result, arrays):
    wanted = reference(*arrays)
    off = numpy.linalg.norm(result.astype(float) - wanted) / numpy.linalg.norm(wanted)
    return None if off < 2e-3 else f"{off} off"


class Runtime:
    """Arrays on the simulated device."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
        self.library.cudaGetErrorString.restype = ctypes.c_char_p

    def put(self, array):
        address = ctypes.c_void_p()
        assert self.library.cudaMalloc(ctypes.byref(address), ctypes.c_size_t(array.nbytes)) == 0
        assert self.library.cudaMemcpy(address, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes), 1) == 0
        return address

    def get(self, address, shape):
        array = numpy.empty(shape, numpy.float16)
        status = self.library.cudaMemcpy(array.ctypes.data_as(ctypes.c_void_p), address, ctypes.c_size_t(array.nbytes), 2)
        return array if status == 0 else None


def export_library(folder, source, name, gpu, arch, *options):
    folder.output("export", source, "-o", f"{name}.h", "--gpu", gpu, "--no-verify", *options)
    os.environ["NVCC_APPEND_FLAGS"] = PTX.format(arch)
    folder.output("export", source, "-o", f"lib{name}.so", "--gpu", gpu, "--no-verify", *options)
    del os.environ["NVCC_APPEND_FLAGS"]
    return ctypes.CDLL(str(folder.path / f"lib{name}.so"))


def sizes(*values):
    return [ctypes.c_longlong(value) for value in values]


def check_library(tap, folder, runtime, gpu, arch, family):
    library = export_library(folder, "attention.eq", f"attention_{family}", gpu, arch, "--family", family)
    call = library.attention
    message = library.attention_message
    message.restype = ctypes.c_char_p
    for completion, seed in WAYS:
        os.environ.update(STAND_IN_COMPLETION=completion, STAND_IN_SEED=seed)
        arrays = inputs(45, 77)
        places = [runtime.put(array) for array in (*arrays, numpy.zeros((45, 64), numpy.float16))]
        stream = ctypes.c_void_p()
        runtime.library.cudaStreamCreate(ctypes.byref(stream))
        status = call(*places, *sizes(45, 77), stream)
        tap.equal(f"/launch/library/{family}/{completion}-{seed}/status", (status, runtime.library.cudaStreamSynchronize(stream)), (0, 0))
        result = runtime.get(places[3], (45, 64))
        tap.check(f"/launch/library/{family}/{completion}-{seed}", "no result" if result is None else far_off(result, arrays))
    check_again(tap, runtime, call, family)
    rows = {"null": ([None, *places[1:]], (45, 77), b"an array is a null pointer"), "empty": (places, (45, 0), b"a size is less than 1"),
            "misaligned": ([ctypes.c_void_p(places[0].value + 2), *places[1:]], (45, 77), b"an array is not aligned as it has to be")}
    if family == "sm90a":
        rows["too-long"] = (places, (1 << 31, 77), b"an axis of an array that the copy hardware brings is longer than 2147483647")
    for name, (given, lengths, words) in rows.items():
        status = call(*given, *sizes(*lengths), None)
        tap.equal(f"/launch/library/{family}/refused/{name}", (status < 0, message(status)), (True, words))


def check_again(tap, runtime, call, family):
    """What a launcher keeps of a call serves none with other sizes or other places, in this thread or in another."""
    arrays = inputs(45, 77)
    places = [runtime.put(array) for array in (*arrays, numpy.zeros((45, 64), numpy.float16))]
    elsewhere = [runtime.put(array) for array in arrays]

    def run(name, q, x, order=(0, 1, 2), at=places):
        status = call(*[at[i] for i in order], places[3], *sizes(q, x), None)
        result = runtime.get(places[3], (q, 64)) if runtime.library.cudaDeviceSynchronize() == 0 and status == 0 else None
        rows = [(arrays[i] if at is places else others[i])[:n] for i, n in zip(order, (q, x, x))]
        tap.check(f"/launch/library/{family}/again/{name}", f"no result: {status}" if result is None else far_off(result, rows))

    others = arrays
    run("first", 45, 77)
    run("same", 45, 77)
    run("sizes", 30, 60)
    run("exchanged", 45, 77, (0, 2, 1))
    run("elsewhere", 30, 60, at=elsewhere)
    run("grown", 45, 77, at=elsewhere)
    others = [array[::-1].copy() for array in arrays]
    for place, array in zip(elsewhere, others):
        runtime.library.cudaMemcpy(place, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes), 1)
    run("other-numbers", 30, 60, at=elsewhere)
    thread = threading.Thread(target=run, args=("thread", 41, 33))
    thread.start()
    thread.join()


def check_workspace(tap, folder, runtime):
    folder.output("derive", "attention.eq", "--gpu", "a100", "--fuse", "all", "--label", "q:group@smem=64", "--label", "x:group@smem=64", "--label",
                  "x:stream@smem=32", "--apply", "-o", "parts.ncd")
    library = export_library(folder, "parts.ncd", "parts", "a100", "80")
    library.attention_workspace.restype = ctypes.c_size_t
    library.attention_message.restype = ctypes.c_char_p
    arrays = inputs(33, 150)
    places = [runtime.put(array) for array in (*arrays, numpy.zeros((33, 64), numpy.float16))]
    bytes_ = library.attention_workspace(*sizes(33, 150))
    # three parts of 33 rows, each at least a row's 64 sums, maximum and sum in f32
    tap.check("/launch/workspace/bytes", None if bytes_ >= 3 * 33 * 66 * 4 else str(bytes_))
    room = runtime.put(numpy.zeros(bytes_, numpy.uint8))
    short = library.attention(*places, *sizes(33, 150), room, ctypes.c_size_t(bytes_ - 1), None)
    tap.equal("/launch/workspace/short", (short < 0, library.attention_message(short)), (True, b"the workspace is missing, misaligned or too small"))
    status = library.attention(*places, *sizes(33, 150), room, ctypes.c_size_t(bytes_), None)
    tap.equal("/launch/workspace/status", (status, runtime.library.cudaDeviceSynchronize()), (0, 0))
    tap.check("/launch/workspace/right", far_off(runtime.get(places[3], (33, 64)), arrays))


def check_fault(tap, folder, runtime):
    """A kernel that reads what was freed: the launch goes well, and waiting for it tells."""
    library = ctypes.CDLL(str(folder.path / "libattention_sm80.so"))
    arrays = inputs(45, 77)
    places = [runtime.put(array) for array in (*arrays, numpy.zeros((45, 64), numpy.float16))]
    runtime.library.cudaFree(places[1])
    status = library.attention(*places, *sizes(45, 77), None)
    waited = runtime.library.cudaDeviceSynchronize()
    words = runtime.library.cudaGetErrorString(waited).decode()
    tap.equal("/launch/fault", (status, waited, "attention_kernel" in words and "released" in words), (0, LAUNCH_FAILED, True))


PROGRAM_TEXT = """#include <cstdio>
#include <cstdlib>
#include "attention.cu"
static void *
array (const char *name, size_t bytes)
{
  void *host = calloc (bytes, 1), *device = nullptr;
  FILE *file = fopen (name, "rb");
  if (file && fread (host, 1, bytes, file) != bytes)
    abort ();
  if (file)
    fclose (file);
  if (cudaMalloc (&device, bytes) != cudaSuccess || cudaMemcpyAsync (device, host, bytes, cudaMemcpyHostToDevice, 0) != cudaSuccess)
    abort ();
  return device;
}

int
main ()
{
  const int q = 45, x = 77, d = 64;
  void *Q = array ("Q.bin", q * d * 2), *K = array ("K.bin", x * d * 2), *V = array ("V.bin", x * d * 2), *O = array ("none", q * d * 2);
  static unsigned char result[q * d * 2];
  cudaEvent_t begin, end;
  float milliseconds = 0;
  cudaEventCreate (&begin);
  cudaEventCreate (&end);
  cudaEventRecord (begin);
  int status = attention (Q, K, V, O, q, x, 0);
  cudaEventRecord (end);
  if (status != 0 || cudaEventSynchronize (end) != cudaSuccess)
    return puts (attention_message (status)), 1;
  cudaEventElapsedTime (&milliseconds, begin, end);
  cudaMemcpy (result, O, sizeof result, cudaMemcpyDeviceToHost);
  FILE *file = fopen ("O.bin", "wb");
  fwrite (result, 1, sizeof result, file);
  fclose (file);
  printf ("%s\\n", milliseconds > 0 ? "timed" : "not timed");
  return cudaFree (Q) == cudaSuccess ? 0 : 1;
}
"""


def check_program(tap, folder, runtime_path, nvcc):
    folder.output("export", "attention.eq", "-o", "attention.cu", "--gpu", "h100", "--family", "sm90a", "--no-verify")
    folder.write("main.cu", PROGRAM_TEXT)
    arrays = inputs(45, 77)
    for name, array in zip("QKV", arrays):
        (folder.path / f"{name}.bin").write_bytes(array.tobytes())
    subprocess.run([nvcc, "-std=c++17", *PTX.format("90a").split(), "-o", "program", "main.cu", runtime_path], cwd=folder.path, check=True)
    run = subprocess.run(["./program"], cwd=folder.path, capture_output=True, text=True, check=False,
                         env={**os.environ, "LD_LIBRARY_PATH": os.path.dirname(runtime_path)})
    tap.equal("/launch/program", (run.returncode, run.stdout, run.stderr), (0, "timed\n", ""))
    result = numpy.frombuffer(folder.read("O.bin"), numpy.float16).reshape(45, 64)
    tap.check("/launch/program/right", far_off(result, arrays))


def check_module(tap, folder, driver_path):
    """The module's own code is for a GPU; its kernels are run from the PTX that is exported of the same."""
    for suffix in ("py", "ptx"):
        folder.output("export", "attention.eq", "-o", f"hopper.{suffix}", "--gpu", "h100", "--family", "sm90a", "--no-verify")
    os.environ["STAND_IN_PTX"] = str(folder.path / "hopper.ptx")
    driver = ctypes.CDLL(driver_path)
    context = ctypes.c_void_p()
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)

    def place(bytes_):
        address = ctypes.c_uint64()
        assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(bytes_)) == 0
        return address.value

    torch, _ = stand_in_torch.install(capability=(9, 0))
    torch.empty = lambda shape, dtype, device: Tensor(shape, dtype, device, address=place(2 * numpy.prod(shape)))
    spec = importlib.util.spec_from_file_location("hopper", folder.path / "hopper.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for completion, seed in WAYS:
        os.environ.update(STAND_IN_COMPLETION=completion, STAND_IN_SEED=seed)
        arrays = inputs(70, 50)
        given = {}
        for name, array in zip("QKV", arrays):
            address = place(array.nbytes)
            driver.cuMemcpyHtoD_v2(ctypes.c_uint64(address), array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
            given[name] = Tensor(array.shape, torch.float16, torch.device("cuda"), address=address)
        with stand_in_torch.driver_in_place(driver):
            made = module.attention(**given)
        result = numpy.empty((70, 64), numpy.float16)
        status = driver.cuCtxSynchronize() or driver.cuMemcpyDtoH_v2(result.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(made.address),
                                                                     ctypes.c_size_t(result.nbytes))
        tap.equal(f"/launch/module/{completion}-{seed}/status", status, 0)
        tap.check(f"/launch/module/{completion}-{seed}", far_off(result, arrays))


def main(runtime_path, driver_path):
    tap, folder = Tap(), Folder()
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.path.exists(nvcc):
        tap.skip("/launch", "there is no nvcc, which builds launchers")
        tap.finish()
        return
    os.environ["STAND_IN_RACES"] = "1"
    folder.write("attention.eq", EQUATIONS)
    runtime = Runtime(runtime_path)
    check_library(tap, folder, runtime, "h100", "90a", "sm90a")
    check_library(tap, folder, runtime, "a100", "80", "sm80")
    check_workspace(tap, folder, runtime)
    check_program(tap, folder, runtime_path, nvcc)
    check_module(tap, folder, driver_path)
    check_fault(tap, folder, runtime)
    tap.finish()


main(*sys.argv[1:])
