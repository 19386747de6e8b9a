# SPDX-License-Identifier: MIT
"""A module in the place of a model."""

import copy
import functools
import logging
import types
import warnings

import torch
from heddle_torch.failures import uncallable, untraceable
from heddle_torch.sizes import Fixed, open_sizes

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


class Several:
    """Calls what is compiled for the sizes of its arguments, each set of which is planned once. The model itself takes arguments of sizes that were not left
    open, with a warning."""

    def __init__(self, forward, sizes, compiled):
        self.forward, self.sizes, self.compiled = forward, sizes, compiled
        self.made, self.warned = {}, set()

    def __call__(self, *args, **kwargs):
        try:
            values = self.sizes.values_of(args, kwargs)
        except Fixed as error:
            if str(error) not in self.warned:
                self.warned.add(str(error))
                warnings.warn(f"heddle: PyTorch runs the model: {error}", stacklevel=2)
            return self.forward(*args, **kwargs)
        if values not in self.made:
            self.made[values] = self.compiled()
        return self.made[values](*args, **kwargs)


def for_sizes(model, forward, compiled, args, kwargs, dynamic_shapes):
    """Returns what runs for `forward` where sizes are left open. Raises a line where the model cannot take them."""
    try:
        sizes = open_sizes(model, args, kwargs, dynamic_shapes)
    except Exception as error:  # whatever torch.export raises
        raise untraceable(error, model) from None
    return functools.wraps(forward)(Several(forward, sizes, compiled))


def optimise(model, *args, heddle_options=None, dynamic_shapes=None, **kwargs):
    """A module that computes what `model` does, by kernels of Heddle where it can.

    It is of the model's class, with its signature, its parameters and buffers (the same arrays, by the same names in `state_dict ()`) and its
    modules. It is compiled for arguments like these, and once more for those of other sizes or types. What Heddle does not understand, or has no
    right kernels for, PyTorch runs between the kernels, and arrays on the CPU it runs altogether, with a warning. `heddle_report` of the result
    says what became of each part. Kernels compute no gradients: where those are asked for, PyTorch runs the model.
    `dynamic_shapes`: which sizes of the arguments may change, and between which bounds, as torch.export takes it. The model is planned once more for each
    set of them, however many there are; beyond the bounds, or where another size is not the example's, PyTorch runs it, with a warning.
    """
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"heddle.optimise: {type(model).__name__} is no torch.nn.Module")
    compiler = Compiler(heddle_options or Options())
    fast = copy.copy(model)
    forward = model.__dict__.get("forward") or types.MethodType(type(model).forward, fast)

    def compiled():
        return in_parts(model, torch.compile(with_own_code(forward), backend=compiler, dynamic=False))

    run = compiled() if dynamic_shapes is None else for_sizes(model, forward, compiled, args, kwargs, dynamic_shapes)
    object.__setattr__(fast, "forward", run)
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
