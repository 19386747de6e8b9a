# SPDX-License-Identifier: MIT
"""As much of PyTorch and of NVIDIA's driver as exported modules call: what they start is written down."""

import contextlib
import ctypes
import itertools
import sys
import threading
import types


class Device:
    def __init__(self, kind, index=0):
        self.type, self.index = kind, index

    def __eq__(self, other):
        return (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    def __str__(self):
        return f"{self.type}:{self.index}"


class Tensor:
    addresses = itertools.count(4096, 4096)

    def __init__(self, shape, dtype, device, strides=None, address=None, requires_grad=False):
        self.shape, self.dtype, self.device, self.requires_grad = tuple(shape), dtype, device, requires_grad
        self.strides = strides
        self.address = next(Tensor.addresses) if address is None else address

    def stride(self):
        return self.strides

    def element_size(self):
        return {"torch.float8_e4m3fn": 1, "torch.float16": 2, "torch.bfloat16": 2}.get(self.dtype, 4)

    def is_contiguous(self):
        return self.strides is None

    def data_ptr(self):
        return self.address


class Parameter(Tensor):
    pass


class Core:
    """torch._C, as far as it says who looks on, and which stream is current on a device."""

    def __init__(self):
        self.modes, self.tracer, self.transformation, self.streams = 0, None, None, {}
        self._functorch = types.SimpleNamespace(peek_interpreter_stack=lambda: self.transformation)

    def _len_torch_dispatch_stack(self):
        return self.modes

    def _get_tracing_state(self):
        return self.tracer

    def _cuda_getCurrentRawStream(self, index):
        return self.streams.get(index, 77)


class Library:
    """torch.library: operators by name, with what is registered for them."""

    def __init__(self):
        self.operators = {}

    def custom_op(self, name, function, mutates_args, schema):
        if schema.count("Tensor ") > 64:
            raise RuntimeError("The function schema has more arguments than this PyTorch build supports")
        operator = types.SimpleNamespace(name=name, function=function, mutates=mutates_args, schema=schema, fake=None, calls=0)

        def call(*arguments):
            operator.calls += 1
            return operator.function(*arguments)

        call.register_fake = lambda fake: setattr(operator, "fake", fake)
        self.operators[name] = operator
        return call


class Driver:
    """libcuda: takes code, gives handles, notes launches with what their arguments point to."""

    def __init__(self):
        self.launches, self.code, self.attributes, self.maps = [], [], [], []
        self.threads = threading.local()  # each has contexts of its own

    def cuInit(self, flags):
        return 0

    def cuGetErrorString(self, status, words):
        ctypes.cast(words, ctypes.POINTER(ctypes.c_char_p))[0] = b"a made-up fault"
        return 0

    def cuDeviceGet(self, device, index):
        device._obj.value = index.value
        return 0

    def cuDevicePrimaryCtxRetain(self, context, device):
        context._obj.value = 1000 + device.value
        return 0

    def contexts(self):
        return vars(self.threads).setdefault("contexts", [])

    def cuCtxPushCurrent_v2(self, context):
        self.contexts().append(context.value)
        return 0

    def cuCtxPopCurrent_v2(self, context):
        self.contexts().pop()
        return 0

    def cuModuleLoadData(self, module, image):
        address = ctypes.cast(image, ctypes.c_void_p).value
        self.code.append(ctypes.string_at(address, 4))
        module._obj.value = len(self.code)
        return 0

    def cuModuleGetFunction(self, function, module, name):
        function._obj.value = module.value
        self.names = {**getattr(self, "names", {}), module.value: name.value.decode()}
        return 0

    def cuFuncSetAttribute(self, function, attribute, value):
        self.attributes.append((self.names[function.value], attribute.value, value.value))
        return 0

    def cuTensorMapEncodeTiled(self, where, kind, rank, array, sizes, strides, box, steps, interleave, swizzle, promotion, fill):
        """Notes what the map is of; the map holds minus its number."""
        n, place = rank.value, ctypes.addressof(where._obj)
        self.maps.append({"aligned": place % 64, "bytes": len(where._obj), "kind": kind.value, "array": array.value, "sizes": list(sizes)[:n],
                          "strides": list(strides)[:n - 1], "box": list(box)[:n], "steps": list(steps)[:n],
                          "how": (interleave.value, swizzle.value, promotion.value, fill.value)})
        ctypes.c_longlong.from_address(place).value = -len(self.maps)
        return 0

    def cuLaunchKernel(self, function, x, y, z, threads, ty, tz, shared, stream, arguments, extra):
        values = [ctypes.cast(pointer, ctypes.POINTER(ctypes.c_longlong))[0] for pointer in arguments]
        self.launches.append({"entry": self.names[function.value], "grid": (x.value, y.value, z.value), "threads": threads.value,
                              "shared": shared.value, "stream": stream.value, "context": self.contexts()[-1], "values": values})
        return 0 if x.value < 100000 else 701


def install(capability=(8, 0), operators=True, core=True):
    """Puts the stand-ins where a module that is loaded next finds them. Without operators, or without its core: a PyTorch that has them elsewhere."""
    torch = types.ModuleType("torch")
    driver = Driver()
    for name in ("float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "int64", "int32", "bool"):
        setattr(torch, name, f"torch.{name}")
    torch.Tensor, torch.device, torch.gradients = Tensor, Device, False
    torch.made = []

    def empty(shape, dtype, device):
        torch.made.append(Tensor(shape, dtype, device))
        return torch.made[-1]

    torch.empty = empty
    torch.is_grad_enabled = lambda: torch.gradients
    torch.cuda = types.SimpleNamespace(is_available=lambda: True, get_device_capability=lambda device: capability, current_device=lambda: 0,
                                       current_stream=lambda index: types.SimpleNamespace(cuda_stream=77))
    torch.nn = types.SimpleNamespace(Parameter=Parameter)
    torch.compiling = False
    torch.compiler = types.SimpleNamespace(is_compiling=lambda: torch.compiling)
    if core:
        torch._C = Core()
    torch.library = Library() if operators else types.SimpleNamespace()
    sys.modules["torch"] = torch
    return torch, driver


@contextlib.contextmanager
def driver_in_place(driver):
    """ctypes finds the stand-in for libcuda."""
    real = ctypes.CDLL

    def open_library(name):
        if name == "libcuda.so.1":
            return driver
        raise OSError(name)

    ctypes.CDLL = open_library
    try:
        yield
    finally:
        ctypes.CDLL = real
