# SPDX-License-Identifier: MIT
"""A module in the place of a model."""

import copy
import functools
import logging
import types
import warnings

import torch
from heddle_torch.failures import uncallable

from .compiler import Compiler
from .options import Options
from .report import Part


def with_own_code(forward):
    """Calls `forward`, and has a code of its own. PyTorch keeps what it compiled by the code of a function, compiles few times for each, and where nothing
    was to be compiled once, never again: all modules of a class have one, classes whose `forward` is decorated alike, and all of torch.nn."""
    def run(*args, **kwargs):
        return forward(*args, **kwargs)
    made = types.FunctionType(run.__code__.replace(), run.__globals__, run.__name__, None, run.__closure__)
    return functools.wraps(forward)(made)


def in_parts(model, forward):
    """Calls `forward` while torch.nn's layers of transformers are of operators of which kernels are made. In the state of evaluation they are else one
    operator for a whole layer, which nobody can look into."""
    if not any(isinstance(part, (torch.nn.TransformerEncoderLayer, torch.nn.MultiheadAttention)) for part in model.modules()):
        return forward

    def run(*args, **kwargs):
        was = torch.backends.mha.get_fastpath_enabled()
        torch.backends.mha.set_fastpath_enabled(False)
        try:
            return forward(*args, **kwargs)
        finally:
            torch.backends.mha.set_fastpath_enabled(was)
    return functools.wraps(forward)(run)


def compile_for(fast, model, args, kwargs):
    """Calls what was made of a model for the first time. What the model itself cannot do with the arguments is told in a line, and not logged before."""
    logger = logging.getLogger("torch._subclasses.fake_tensor")
    was, logger.disabled = logger.disabled, True
    try:
        fast(*args, **kwargs)
    except torch._dynamo.exc.TorchDynamoException as error:
        raise uncallable(error, model) from None
    finally:
        logger.disabled = was


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
    forward = model.__dict__.get("forward") or types.MethodType(type(model).forward, fast)
    compiled = torch.compile(with_own_code(forward), backend=compiler, dynamic=False)
    object.__setattr__(fast, "forward", in_parts(model, compiled))
    object.__setattr__(fast, "heddle_report", compiler.report)
    if model.training:
        warnings.warn("heddle: the model is in training mode: what is random in it PyTorch runs; model.eval () is what is used later",
                      stacklevel=2)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="heddle: .*its kernels are for a GPU")
        compile_for(fast, model, args, kwargs)
    if not compiler.report.parts:
        compiler.report.parts.append(Part("part_1", [type(model).__name__], "pytorch", "torch.compile gave no graph of it with an operator in it"))
    compiler.warned.clear()
    return fast
