# SPDX-License-Identifier: MIT
"""Compiles kernels of Triton for sm_80, sm_89 and sm_90 and runs them on the stand-in for NVIDIA's driver, which interprets their PTX: in each completion,
with races told, against NumPy. Then faults are planted in their PTX, and most have to be told. Needs Triton and NumPy."""

import ctypes
import os
import re
import sys
import warnings

warnings.filterwarnings("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "house")]

import kernels  # noqa: E402
import numpy as np  # noqa: E402
from planted import LEAST_TOLD, planted  # noqa: E402
from tap import Tap  # noqa: E402
from triton import compile as compile_triton  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402

WAYS = (("late", 0), ("early", 0), ("drawn", 1), ("drawn", 2))
SHARED_BYTES = 8  # the attribute of a kernel


# --- types ---

def to_bfloat(array):
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bfloat(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


# e4m3: a bias of 7, 3 bits of fraction, no infinities.
E4M3 = np.array([(-1.0 if v & 0x80 else 1.0) * ((v & 7) / 8 * 2.0**-6 if v >> 3 & 15 == 0 else (1 + (v & 7) / 8) * 2.0 ** ((v >> 3 & 15) - 7))
                 for v in range(256)])
FINITE = np.array([v for v in range(128) if v != 0x7F])


def to_e4m3(array):
    nearest = FINITE[np.abs(E4M3[FINITE][None, :] - np.abs(array).reshape(-1, 1)).argmin(1)]
    return (nearest + 128 * (array.reshape(-1) < 0)).astype(np.uint8).reshape(array.shape)


# The name in Triton; how an array is stored and read again; how near results are.
TYPES = {
    "f16": ("fp16", lambda a: a.astype(np.float16), lambda a: a.astype(float), 2e-3),
    "bf16": ("bf16", to_bfloat, lambda a: from_bfloat(a).astype(float), 1.2e-2),
    "f32": ("fp32", lambda a: a.astype(np.float32), lambda a: a.astype(float), 1e-5),
    "tf32": ("fp32", lambda a: a.astype(np.float32), lambda a: a.astype(float), 2e-3),
    "e4m3": ("fp8e4nv", to_e4m3, lambda a: E4M3[a], 2e-3),
}


# --- the device ---

class Device:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.code = None

    def words(self, status):
        text = ctypes.c_char_p()
        self.library.cuGetErrorString(status, ctypes.byref(text))
        return text.value.decode(errors="replace")

    def __enter__(self):
        context = ctypes.c_void_p()
        self.library.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
        return self

    def __exit__(self, *_):
        self.library.cuDevicePrimaryCtxRelease_v2(0)

    def load(self, text):
        module = ctypes.c_void_p()
        status = self.library.cuModuleLoadData(ctypes.byref(module), ctypes.c_char_p(text.encode()))
        return (module, None) if status == 0 else (None, self.words(status))

    def put(self, array):
        address = ctypes.c_uint64()
        assert self.library.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(array.nbytes)) == 0
        self.library.cuMemcpyHtoD_v2(address, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
        return address

    def get(self, address, like):
        array = np.empty_like(like)
        self.library.cuMemcpyDtoH_v2(array.ctypes.data_as(ctypes.c_void_p), address, ctypes.c_size_t(array.nbytes))
        return array

    def tensor_map(self, address, array, about):
        """The map and what Triton passes behind it."""
        memory = (ctypes.c_ubyte * 192)()
        place = -ctypes.addressof(memory) % 64
        value = (ctypes.c_ubyte * 128).from_buffer(memory, place)
        n, size = array.ndim, array.itemsize
        strides = [stride // size for stride in array.strides]
        types = {2: 6, 4: 7, 1: 0}
        status = self.library.cuTensorMapEncodeTiled(
            value, types[size], n, address, (ctypes.c_uint64 * n)(*reversed(array.shape)), (ctypes.c_uint64 * n)(*[s * size for s in reversed(strides[:-1])]),
            (ctypes.c_uint32 * n)(*reversed(about["block_size"])), (ctypes.c_uint32 * n)(*[1] * n), 0, about["swizzle"], 2, 0)
        assert status == 0, "no tensor map"
        return [value, *map(ctypes.c_int32, array.shape), *map(ctypes.c_int64, strides)]

    def launch(self, module, entry, grid, threads, shared, arguments):
        function = ctypes.c_void_p()
        assert self.library.cuModuleGetFunction(ctypes.byref(function), module, entry.encode()) == 0
        self.library.cuFuncSetAttribute(function, SHARED_BYTES, shared)
        pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(argument) for argument in arguments])
        status = self.library.cuLaunchKernel(function, *grid, threads, 1, 1, shared, None, pointers, None)
        status = status or self.library.cuCtxSynchronize()
        return None if status == 0 else self.words(status)


# --- cases ---

class Case:
    """A kernel for one architecture: @given are its arrays in the order of its parameters, a result as zeros; then numbers."""

    def __init__(self, name, kernel, arch, given, numbers, constants, grid, result, wanted, tolerance, types, warps=4, stages=3, blocks=None):
        self.name, self.arch, self.given, self.numbers, self.grid = f"{name}-sm_{arch}", arch, given, numbers, (*grid, 1, 1)[:3]
        self.result, self.wanted, self.tolerance, self.types, self.threads = result, wanted, tolerance, types, 32 * warps
        names = kernel.arg_names
        signature = {}
        for place, (type_, block) in enumerate(zip(types, blocks or [None] * len(types))):
            signature[names[place]] = f"tensordesc<{TYPES[type_][0]}{list(block)}>".replace(" ", "") if block else f"*{TYPES[type_][0]}"
        for place, number in enumerate(numbers):
            signature[names[len(types) + place]] = "fp32" if isinstance(number, float) else "i32"
        signature.update({constant: "constexpr" for constant in constants})
        whole = [place for place in range(len(types) + len(numbers))
                 if place < len(types) or (isinstance(numbers[place - len(types)], int) and numbers[place - len(types)] % 16 == 0)]
        source = ASTSource(fn=kernel, signature=signature, constexprs=constants,
                           attrs={} if blocks else {(place,): [["tt.divisibility", 16]] for place in whole})
        made = compile_triton(source, target=GPUTarget("cuda", arch, 32), options={"num_warps": warps, "num_stages": stages})
        self.text, self.about = made.asm["ptx"], made.metadata

    def run(self, device, text, completion, seed, out_of=None):
        """Nothing where the result is right, else what is wrong."""
        os.environ.update(STAND_IN_COMPLETION=completion, STAND_IN_SEED=str(seed))
        with device:
            module, refused = device.load(text)
            if refused is not None:
                return refused
            places = [device.put(array) for array in self.given]
            arguments = []
            maps = iter(self.about.tensordesc_meta or ())
            for place, array in zip(places, self.given):
                arguments += device.tensor_map(place, array, next(maps)) if self.about.tensordesc_meta else [place]
            arguments += [ctypes.c_float(n) if isinstance(n, float) else ctypes.c_int32(n) for n in self.numbers]
            arguments += [ctypes.c_uint64(0), ctypes.c_uint64(0)]
            wrong = device.launch(module, self.about.name, self.grid, self.threads, self.about.shared, arguments)
            if wrong is None:
                wrong = self.compare(device.get(places[self.result], self.given[self.result]))
            device.library.cuModuleUnload(module)
            return wrong

    def compare(self, found):
        found = TYPES[self.types[self.result]][2](found)
        off = np.linalg.norm(found - self.wanted) / np.linalg.norm(self.wanted)
        return None if off <= self.tolerance else f"{off:.3g} off, {self.tolerance} is allowed"


def values(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape)


def product_case(arch, type_, sizes, tiles, warps=4, stages=3):
    m, n, k = sizes
    _, store, load, tolerance = TYPES[type_]
    a, b = store(values(m, k)), store(values(k, n))
    result = "f32" if type_ == "tf32" else type_
    c = TYPES[result][1](np.zeros((m, n)))
    bm, bn, bk = tiles
    return Case(f"product-{type_}-{bm}x{bn}x{bk}", kernels.product, arch, [a, b, c], [m, n, k], {"BM": bm, "BN": bn, "BK": bk}, (-(-m // bm), -(-n // bn)),
                2, load(a) @ load(b), tolerance, [type_, type_, result], warps, stages)


def product_along_case(arch, type_, sizes, tiles, warps=4):
    m, n, k = sizes
    _, store, load, tolerance = TYPES[type_]
    a, b, c = store(values(m, k)), store(values(n, k)), np.zeros((m, n), np.float16)
    bm, bn, bk = tiles
    return Case(f"product-{type_}", kernels.product_along, arch, [a, b, c], [m, n, k], {"BM": bm, "BN": bn, "BK": bk}, (m // bm, n // bn),
                2, load(a) @ load(b).T, tolerance, [type_, type_, "f16"], warps)


def descriptor_case(type_, sizes, tiles, warps=4, stages=3):
    m, n, k = sizes
    _, store, load, tolerance = TYPES[type_]
    a, b, c = store(values(m, k)), store(values(k, n)), store(np.zeros((m, n)))
    bm, bn, bk = tiles
    return Case(f"product-by-descriptors-{type_}-{bm}x{bn}x{bk}", kernels.product_by_descriptors, 90, [a, b, c], [m, n, k], {"BM": bm, "BN": bn, "BK": bk},
                (-(-m // bm), -(-n // bn)), 2, load(a) @ load(b), tolerance, [type_] * 3, warps, stages, [(bm, bk), (bk, bn), (bm, bn)])


def copy_case():
    x = values(100, 96).astype(np.float16)
    return Case("copy-by-descriptors", kernels.copy_by_descriptors, 90, [np.zeros_like(x), x], [], {"BM": 32, "BN": 32}, (4, 3), 0, 2 * x.astype(float), 1e-3,
                ["f16", "f16"], blocks=[(32, 32), (32, 32)])


def row_cases(arch):
    x = values(5, 700).astype(np.float16)
    gain = values(700).astype(np.float16)
    exact = x.astype(float)
    powers = np.exp(exact - exact.max(1, keepdims=True))
    apart = exact - exact.mean(1, keepdims=True)
    yield Case("softmax", kernels.softmax, arch, [np.zeros_like(x), x], [700], {"BLOCK": 1024}, (5,), 0, powers / powers.sum(1, keepdims=True), 2e-3, ["f16"] * 2)
    yield Case("norm", kernels.norm, arch, [np.zeros_like(x), x, gain], [700, 1e-5], {"BLOCK": 1024}, (5,), 0,
               apart / np.sqrt((apart**2).mean(1, keepdims=True) + 1e-5) * gain.astype(float), 2e-3, ["f16"] * 3)
    rows = values(100, 72).astype(np.float16)
    yield Case("transpose", kernels.transpose, arch, [np.zeros((72, 100), np.float16), rows], [100, 72], {"BLOCK": 32}, (4, 3), 0, rows.T.astype(float), 0,
               ["f16"] * 2)


def attention_case(arch, warps=4, stages=2):
    heads, n, d = 2, 128, 64
    q, k, v = (values(heads, n, d + i)[:, :, :d].astype(np.float16) for i in range(3))
    q, k, v = map(np.ascontiguousarray, (q, k, v))
    scores = q.astype(float) @ k.astype(float).transpose(0, 2, 1) / 8
    weights = np.exp(scores - scores.max(2, keepdims=True))
    wanted = weights / weights.sum(2, keepdims=True) @ v.astype(float)
    return Case("attention", kernels.attention, arch, [q, k, v, np.zeros_like(q)], [float(np.log2(np.e) / 8), n], {"D": d, "BM": 64, "BN": 32}, (n // 64, heads), 3,
                wanted, 2e-3, ["f16"] * 4, warps, stages)


def cases():
    for arch in (80, 89, 90):
        yield from row_cases(arch)
        yield product_case(arch, "f16", (100, 96, 160), (64, 64, 32))
        yield product_case(arch, "bf16", (64, 64, 128), (64, 64, 32))
        yield product_case(arch, "tf32", (64, 64, 96), (64, 64, 32))
        yield attention_case(arch)
    yield product_along_case(89, "e4m3", (64, 64, 256), (64, 64, 64))
    yield product_along_case(90, "e4m3", (64, 64, 256), (64, 64, 64))
    yield product_case(90, "f16", (128, 128, 192), (128, 128, 64), warps=8)
    yield descriptor_case("f16", (64, 64, 256), (64, 64, 64))
    yield descriptor_case("f16", (128, 128, 448), (128, 128, 64), warps=8, stages=4)
    yield descriptor_case("bf16", (128, 32, 128), (64, 32, 32))
    yield copy_case()


# --- faults ---

def plant(tap, device, case, some):
    told = missed = 0
    for n, (name, begin, end, instead) in enumerate(planted(case.text, case.threads)):
        if n % some != 0:
            continue
        text = case.text[:begin] + instead + case.text[end:]
        if any(case.run(device, text, *way) is not None for way in WAYS):
            told += 1
        else:
            missed += 1
            print(f"# {case.name}: not told: {name}")
    return told, missed


def main(driver_path, *options):
    tap, device = Tap(), Device(driver_path)
    os.environ["STAND_IN_RACES"] = "1"
    device.library.cuGetErrorString.argtypes = [ctypes.c_int, ctypes.c_void_p]
    told = missed = 0
    for case in cases():
        if options and options[0] not in case.name:
            continue
        problems = [f"{completion} {seed}: {wrong}" for completion, seed in WAYS if (wrong := case.run(device, case.text, completion, seed)) is not None]
        tap.check(f"/triton/{case.name}", problems)
        if not problems and re.search("product|attention|copy|transpose", case.name):
            more = plant(tap, device, case, 1 if case.arch == 90 else 2)
            told, missed = told + more[0], missed + more[1]
    print(f"# {told} of {told + missed} planted faults were told")
    tap.check("/triton/planted", None if told >= LEAST_TOLD * (told + missed) else f"{told} of {told + missed}")
    tap.finish()


main(*sys.argv[1:])
