# SPDX-License-Identifier: MIT
"""ATen's operators in terms of ONNX's. What an operator means is not said here: that is what `heddle import` knows.

A function gets the model, the node of torch.fx, and the fake array (or list of them) that the node makes; it gives the name of the value, or None:
then the node becomes a box.
"""

import math
from functools import lru_cache

import torch

from .wire import TYPES

TABLE = {}


def operator(*names):
    def enter(function):
        TABLE.update({name: function for name in names})
        return function
    return enter


@lru_cache(maxsize=None)
def find(target):
    """The function of "aten.add.Tensor": by its whole name, or by "add"."""
    from . import operators_layers, operators_recurrent, operators_shapes, operators_writes  # noqa: F401  (they enter theirs)
    parts = str(target).split(".")
    if parts[0] != "aten":
        return None
    return TABLE.get(".".join(parts[1:])) or TABLE.get(parts[1])


def argument(node, place, name, otherwise=None):
    if name in node.kwargs:
        return node.kwargs[name]
    return node.args[place] if len(node.args) > place else otherwise


def shape_of(node):
    from .trace import value_of
    return list(value_of(node).shape)


def dtype_of(node):
    from .trace import value_of
    return value_of(node).dtype


# --- each number by itself --------------------------------------------------------------------------------

UNARY = {"relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "abs": "Abs", "neg": "Neg",
         "erf": "Erf", "sin": "Sin", "cos": "Cos", "tan": "Tan", "sinh": "Sinh", "cosh": "Cosh", "floor": "Floor", "ceil": "Ceil",
         "round": "Round", "sign": "Sign", "reciprocal": "Reciprocal", "mish": "Mish", "hardswish": "HardSwish", "selu": "Selu",
         "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh", "logical_not": "Not"}


def unary(model, node, value):
    base = str(node.target).split(".")[1].rstrip("_")
    return model.add(UNARY[base], [model.operand(node.args[0], torch.bool if base == "logical_not" else value.dtype)])


TABLE.update({name: unary for name in UNARY})
TABLE.update({f"{name}_": unary for name in ("relu", "sigmoid", "tanh", "hardswish")})


@operator("bitwise_not")
def bitwise_not(model, node, value):
    return model.add("Not" if value.dtype == torch.bool else "BitwiseNot", [model.operand(node.args[0])])


@operator("rsqrt")
def rsqrt(model, node, value):
    return model.add("Reciprocal", [model.add("Sqrt", [model.operand(node.args[0], value.dtype)])])


@operator("square")
def square(model, node, value):
    x = model.operand(node.args[0])
    return model.add("Mul", [x, x])


@operator("silu", "silu_")
def silu(model, node, value):
    x = model.operand(node.args[0])
    return model.add("Mul", [x, model.add("Sigmoid", [x])])


@operator("gelu")
def gelu(model, node, value):
    return model.add("Gelu", [model.operand(node.args[0])], approximate=argument(node, 1, "approximate", "none"))


@operator("softplus")
def softplus(model, node, value):
    if (argument(node, 1, "beta", 1), argument(node, 2, "threshold", 20)) != (1, 20):
        return None
    return model.add("Softplus", [model.operand(node.args[0])])


@operator("log_sigmoid", "log_sigmoid_forward")
def log_sigmoid(model, node, value):
    opposite = model.add("Neg", [model.operand(node.args[0])])
    made = model.add("Neg", [model.add("Softplus", [opposite])])
    return [made, made] if isinstance(value, (list, tuple)) else made


@operator("elu", "leaky_relu", "leaky_relu_", "celu")
def with_slope(model, node, value):
    base = str(node.target).split(".")[1].rstrip("_")
    op, slope = {"elu": ("Elu", 1.), "leaky_relu": ("LeakyRelu", .01), "celu": ("Celu", 1.)}[base]
    return model.add(op, [model.operand(node.args[0])], alpha=float(argument(node, 1, "alpha", slope)))


@operator("hardsigmoid")
def hardsigmoid(model, node, value):
    return model.add("HardSigmoid", [model.operand(node.args[0])], alpha=1 / 6, beta=.5)


@operator("hardtanh", "clamp", "hardtanh_", "relu6")
def clamp(model, node, value):
    bounds = {"hardtanh": (-1., 1.), "relu6": (0., 6.)}.get(str(node.target).split(".")[1].rstrip("_"), (None, None))
    low, high = argument(node, 1, "min", bounds[0]), argument(node, 2, "max", bounds[1])
    return model.add("Clip", [model.operand(node.args[0], value.dtype),
                              *(None if end is None else model.operand(end, value.dtype) for end in (low, high))])


@operator("clamp_min", "clamp_max")
def clamp_one(model, node, value):
    op = "Max" if "min" in str(node.target) else "Min"
    return model.add(op, [model.operand(node.args[0], value.dtype), model.operand(node.args[1], value.dtype)])


@operator("log2", "log10", "log1p", "exp2", "expm1")
def shifted(model, node, value):
    base, x = str(node.target).split(".")[1], model.operand(node.args[0], value.dtype)
    one = model.constant(1., value.dtype)
    if base == "log1p":
        return model.add("Log", [model.add("Add", [x, one])])
    if base == "expm1":
        return model.add("Sub", [model.add("Exp", [x]), one])
    if base == "exp2":
        return model.add("Pow", [model.constant(2., value.dtype), x])
    return model.add("Div", [model.add("Log", [x]), model.constant(math.log({"log2": 2, "log10": 10}[base]), value.dtype)])


# --- two arrays ---------------------------------------------------------------------------------------------

COMPARISONS = {"eq": "Equal", "lt": "Less", "le": "LessOrEqual", "gt": "Greater", "ge": "GreaterOrEqual"}
LOGIC = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor", "bitwise_and": "And", "bitwise_or": "Or", "bitwise_xor": "Xor",
         "__and__": "And", "__or__": "Or", "__xor__": "Xor"}
BINARY = {"mul": "Mul", "pow": "Pow", "maximum": "Max", "minimum": "Min", "mul_": "Mul"}


def binary(model, node, value):
    op = BINARY[str(node.target).split(".")[1]]
    return model.add(op, [model.operand(each, value.dtype) for each in node.args[:2]])


TABLE.update({name: binary for name in BINARY})


@operator("add", "sub", "rsub", "add_", "sub_")
def add(model, node, value):
    base = str(node.target).split(".")[1].rstrip("_")
    x, y = (model.operand(each, value.dtype) for each in node.args[:2])
    scale = argument(node, 2, "alpha", 1)
    if base == "rsub":
        x, y = y, x
    if scale != 1:
        scaled = model.add("Mul", [x if base == "rsub" else y, model.constant(scale, value.dtype)])
        x, y = (scaled, y) if base == "rsub" else (x, scaled)
    return model.add("Add" if base == "add" else "Sub", [x, y])


def floor_divide(model, node, value):
    """Of whole numbers: what is left over is taken off first."""
    a, b = (model.operand(each, value.dtype) for each in node.args[:2])
    return model.add("Div", [model.add("Sub", [a, model.add("Mod", [a, b])]), b])


@operator("div", "div_", "true_divide", "floor_divide")
def div(model, node, value):
    quotient = model.add("Div", [model.operand(each, value.dtype) for each in node.args[:2]])
    rounding = node.kwargs.get("rounding_mode") or ("floor" if "floor_divide" in str(node.target) else None)
    if rounding is None or (rounding == "trunc" and not value.dtype.is_floating_point):
        return quotient
    if rounding == "floor" and value.dtype.is_floating_point:
        return model.add("Floor", [quotient])
    return floor_divide(model, node, value) if rounding == "floor" else None


@operator("remainder", "fmod")
def remainder(model, node, value):
    fmod = "fmod" in str(node.target)
    if value.dtype.is_floating_point and not fmod:
        return None
    return model.add("Mod", [model.operand(each, value.dtype) for each in node.args[:2]], fmod=int(fmod))


def common_dtype(node):
    arrays = [dtype_of(each) for each in node.args[:2] if isinstance(each, torch.fx.Node)]
    if len(arrays) == 2:
        return torch.promote_types(*arrays)
    number = next(each for each in node.args[:2] if not isinstance(each, torch.fx.Node))
    whole = not isinstance(number, float) or arrays[0].is_floating_point
    return arrays[0] if whole else torch.float32


def compare(model, node, value):
    dtype = common_dtype(node)
    return model.add(COMPARISONS[str(node.target).split(".")[1]], [model.operand(each, dtype) for each in node.args[:2]])


TABLE.update({name: compare for name in COMPARISONS})


@operator("ne")
def differ(model, node, value):
    dtype = common_dtype(node)
    return model.add("Not", [model.add("Equal", [model.operand(each, dtype) for each in node.args[:2]])])


def logic(model, node, value):
    base = str(node.target).split(".")[1]
    bits = not base.startswith("logical") and value.dtype != torch.bool
    return model.add(f"Bitwise{LOGIC[base]}" if bits else LOGIC[base], [model.operand(each, value.dtype if bits else torch.bool) for each in node.args[:2]])


TABLE.update({name: logic for name in LOGIC})


@operator("where")
def where(model, node, value):
    if len(node.args) != 3:
        return None
    return model.add("Where", [model.operand(node.args[0], torch.bool), *(model.operand(each, value.dtype) for each in node.args[1:])])


@operator("masked_fill")
def masked_fill(model, node, value):
    return model.add("Where", [model.operand(node.args[1]), model.operand(node.args[2], value.dtype), model.operand(node.args[0])])


@operator("addcmul")
def addcmul(model, node, value):
    if node.kwargs.get("value", 1) != 1:
        return None
    x, a, b = (model.operand(each, value.dtype) for each in node.args[:3])
    return model.add("Add", [x, model.add("Mul", [a, b])])


# --- the same numbers ----------------------------------------------------------------------------------------

@operator("clone", "contiguous", "detach", "detach_", "alias", "dropout", "lift_fresh_copy", "lift_fresh", "dropout_", "view_of",
          "to", "_to_copy", "type_as", "feature_dropout", "alpha_dropout", "_assert_tensor_metadata", "float", "native_dropout")
def same(model, node, value):
    if value is None:  # an assertion
        return ""
    if isinstance(value, (list, tuple)):
        return [model.name(node.args[0]), model.name(node.args[0])]
    return model.operand(node.args[0], value.dtype)


# --- sums and their like -------------------------------------------------------------------------------------

def axes_of(node, place=1, name="dim"):
    given = argument(node, place, name)
    return [given] if isinstance(given, int) else list(given or [])


REDUCTIONS = {"sum": "ReduceSum", "mean": "ReduceMean", "amax": "ReduceMax", "amin": "ReduceMin", "prod": "ReduceProd",
              "logsumexp": "ReduceLogSumExp"}


def reduce(model, node, value):
    axes = axes_of(node)
    keep = argument(node, 2, "keepdim", False)
    inputs = [model.operand(node.args[0], value.dtype), *([model.constant(axes)] if axes else [])]
    return model.add(REDUCTIONS[str(node.target).split(".")[1]], inputs, keepdims=int(keep))


TABLE.update({name: reduce for name in REDUCTIONS})


@operator("max", "min")
def extreme(model, node, value):
    high = str(node.target).split(".")[1] == "max"
    if len(node.args) == 1:
        return model.add("ReduceMax" if high else "ReduceMin", [model.name(node.args[0])], keepdims=0)
    if isinstance(node.args[1], torch.fx.Node):
        return model.add("Max" if high else "Min", [model.operand(each, value.dtype) for each in node.args[:2]])
    x, keep = model.name(node.args[0]), int(argument(node, 2, "keepdim", False))
    return [model.add("ReduceMax" if high else "ReduceMin", [x, model.constant([node.args[1]])], keepdims=keep),
            model.add("ArgMax" if high else "ArgMin", [x], axis=node.args[1], keepdims=keep)]


@operator("argmax", "argmin")
def place_of_extreme(model, node, value):
    axis = argument(node, 1, "dim")
    if axis is None:
        return None
    op = "ArgMax" if "argmax" in str(node.target) else "ArgMin"
    return model.add(op, [model.name(node.args[0])], axis=axis, keepdims=int(argument(node, 2, "keepdim", False)))


@operator("var", "std")
def variance(model, node, value):
    axes = axes_of(node)
    correction = argument(node, 2, "correction", 1)
    correction = int(correction) if correction is not None else 1
    x, shape = model.name(node.args[0]), shape_of(node.args[0])
    axes = axes or list(range(len(shape)))
    count, keep = math.prod(shape[axis] for axis in axes), int(argument(node, 3, "keepdim", False))
    centred = model.add("Sub", [x, model.add("ReduceMean", [x, model.constant(axes)], keepdims=1)])
    total = model.add("ReduceSum", [model.add("Mul", [centred, centred]), model.constant(axes)], keepdims=keep)
    mean = model.add("Div", [total, model.constant(float(count - correction), value.dtype)])
    return model.add("Sqrt", [mean]) if "std" in str(node.target) else mean


@operator("linalg_vector_norm", "norm.ScalarOpt_dim")
def vector_norm(model, node, value):
    order, axes = argument(node, 1, "ord", 2), axes_of(node, 2)
    if order not in (1, 2):
        return None
    inputs = [model.operand(node.args[0], value.dtype), *([model.constant(axes)] if axes else [])]
    return model.add(f"ReduceL{int(order)}", inputs, keepdims=int(argument(node, 3, "keepdim", False)))


@operator("cumsum")
def cumsum(model, node, value):
    return model.add("CumSum", [model.operand(node.args[0], value.dtype), model.constant(node.args[1])])


@operator("softmax", "_softmax", "log_softmax", "_log_softmax")
def softmax(model, node, value):
    op = "LogSoftmax" if "log_softmax" in str(node.target) else "Softmax"
    return model.add(op, [model.operand(node.args[0], value.dtype)], axis=node.args[1])


@operator("topk")
def topk(model, node, value):
    x, count = model.name(node.args[0]), node.args[1]
    return model.add("TopK", [x, model.constant([count])], 2, axis=argument(node, 2, "dim", -1),
                     largest=int(argument(node, 3, "largest", True)))


@operator("any", "all")
def quantify(model, node, value):
    axes = axes_of(node)
    x = model.add("Cast", [model.operand(node.args[0], torch.bool)], to=TYPES[torch.int64])
    inputs = [x, *([model.constant(axes)] if axes else [])]
    op = "ReduceMax" if str(node.target).split(".")[1] == "any" else "ReduceMin"
    return model.add("Cast", [model.add(op, inputs, keepdims=int(argument(node, 2, "keepdim", False)))], to=TYPES[torch.bool])
