# SPDX-License-Identifier: MIT
"""A module in the place of a model."""

import copy
import types
import warnings

import torch

from .compiler import Compiler
from .options import Options
from .report import Part


def with_own_code(forward):
    """The same function with a code of its own. PyTorch keeps what it compiled by the code of a function, and compiles few times for each: all modules of
    a class have one, and where `forward` is decorated, so have all classes."""
    if not isinstance(forward, types.FunctionType):
        return forward
    made = types.FunctionType(forward.__code__.replace(), forward.__globals__, forward.__name__, forward.__defaults__, forward.__closure__)
    made.__dict__.update(forward.__dict__)
    for name in ("__kwdefaults__", "__annotations__", "__doc__", "__module__", "__qualname__"):
        setattr(made, name, getattr(forward, name))
    return made


def optimise(model, *args, heddle_options=None, **kwargs):
    """A module that computes what `model` does, by kernels of Heddle where it can.

    It is of the model's class, with its signature, its parameters and buffers (the same arrays, by the same names in `state_dict ()`) and its
    modules. It is compiled for arguments like these, and once more for those of other sizes or types. What Heddle does not understand, or has no
    right kernels for, PyTorch runs between the kernels, and arrays on the CPU it runs altogether, with a warning. `heddle_report` of the result
    says what became of each part. Kernels compute no gradients: where those are asked for, PyTorch runs the model.
    """
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"heddle.optimise: {type(model).__name__} is no torch.nn.Module")
    compiler = Compiler(heddle_options or Options())
    fast = copy.copy(model)
    forward = model.__dict__.get("forward") or types.MethodType(with_own_code(type(model).forward), fast)
    object.__setattr__(fast, "forward", torch.compile(forward, backend=compiler, dynamic=False))
    object.__setattr__(fast, "heddle_report", compiler.report)
    if model.training:
        warnings.warn("heddle: the model is in training mode: what is random in it PyTorch runs; model.eval () is what is used later",
                      stacklevel=2)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="heddle: .*its kernels are for a GPU")
        fast(*args, **kwargs)
    if not compiler.report.parts:
        compiler.report.parts.append(Part("part_1", [type(model).__name__], "pytorch", "torch.compile gave no graph of it with an operator in it"))
    compiler.warned.clear()
    return fast
