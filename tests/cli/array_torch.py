# SPDX-License-Identifier: MIT
"""As much of PyTorch as heddle_score calls where it measures, on arrays of NumPy and with a clock that each function moves as it likes."""

import sys
import types

import numpy


class Type:
    def __init__(self, name, numpy_type, is_floating_point):
        self.name, self.numpy_type, self.is_floating_point = name, numpy_type, is_floating_point

    def __str__(self):
        return f"torch.{self.name}"


class Tensor:
    def __init__(self, numbers, dtype):
        self.numbers, self.dtype = numpy.asarray(numbers, dtype.numpy_type), dtype

    shape = property(lambda self: self.numbers.shape)

    def to(self, dtype):
        return self if isinstance(dtype, str) else Tensor(self.numbers, dtype)

    def mul_(self, factor):
        self.numbers *= factor
        return self

    def clip(self, low, high):
        return Tensor(self.numbers.clip(low, high), self.dtype)

    def reshape(self, shape):
        return Tensor(self.numbers.reshape(shape), self.dtype)

    def clone(self):
        return Tensor(self.numbers.copy(), self.dtype)

    def double(self):
        return self

    def detach(self):
        return self

    def contiguous(self):
        return self

    def numel(self):
        return self.numbers.size

    def element_size(self):
        return self.numbers.itemsize

    def _with(self, other, function):
        return Tensor(function(self.numbers, other.numbers if isinstance(other, Tensor) else other), self.dtype)

    def __add__(self, other):
        return self._with(other, numpy.add)

    def __mul__(self, other):
        return self._with(other, numpy.multiply)

    def __matmul__(self, other):
        return self._with(other, numpy.matmul)

    def __gt__(self, other):
        return Tensor(self.numbers > other, TYPES["bool"])


TYPES = {name: Type(name, numpy_type, is_real) for name, numpy_type, is_real in (
    ("float64", "f8", True), ("float32", "f4", True), ("float16", "f2", True), ("int64", "i8", False), ("int32", "i4", False), ("bool", "?", False))}


class Module:
    """Parameters are attributes that are tensors."""

    def to(self, _device):
        return self

    def named_parameters(self):
        return [(name, value) for name, value in vars(self).items() if isinstance(value, Tensor)]

    def named_buffers(self):
        return []

    def __call__(self, *arguments, **keywords):
        return self.forward(*arguments, **keywords)


class Clock:
    def __init__(self):
        self.seconds = 0.0


class Event:
    clock = Clock()

    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.at = Event.clock.seconds

    def synchronize(self):
        pass

    def elapsed_time(self, other):
        return (other.at - self.at) * 1e3


class Generator:
    def __init__(self, device):
        assert device == "cuda"

    def manual_seed(self, seed):
        self.random = numpy.random.default_rng(seed)
        return self


class NoGrad:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def functional_call(module, state, arguments):
    own = {name: getattr(module, name) for name in state}
    vars(module).update(state)
    try:
        return module(*arguments)
    finally:
        vars(module).update(own)


def tensor(numbers, device):
    return Tensor(numbers, TYPES["float64"])


def install():
    """The stand-in where a module that is loaded next finds it; and its clock."""
    torch = types.ModuleType("torch")
    for name, kind in TYPES.items():
        setattr(torch, name, kind)
    torch.Tensor, torch.Generator, torch.no_grad, torch.tensor, torch.__version__ = Tensor, Generator, NoGrad, tensor, "0 (a stand-in)"
    torch.device = str
    torch.nn = types.SimpleNamespace(Module=Module)
    torch.func = types.SimpleNamespace(functional_call=functional_call)
    torch.randn = lambda shape, generator, device: Tensor(generator.random.standard_normal(shape), TYPES["float32"])
    torch.randint = lambda low, high, shape, generator, device: Tensor(generator.random.integers(low, high, shape), TYPES["int64"])
    torch.allclose = lambda a, b, rtol, atol, equal_nan: bool(numpy.allclose(a.numbers.astype("f8"), b.numbers.astype("f8"), rtol, atol, equal_nan))
    torch.cuda = types.SimpleNamespace(is_available=lambda: True, synchronize=lambda: None, Event=Event, get_device_name=lambda _: "a stand-in",
                                       get_device_properties=lambda _: types.SimpleNamespace(L2_cache_size=4096))
    sys.modules["torch"] = torch
    return torch, Event.clock
