# SPDX-License-Identifier: MIT
"""Products, norms, convolutions, pooling, attention."""

import math
import string

import torch

from .operators import argument, operator, shape_of

# --- products ------------------------------------------------------------------------------------------------

@operator("mm", "bmm", "matmul", "mv", "dot")
def matmul(model, node, value):
    return model.add("MatMul", [model.operand(each, value.dtype) for each in node.args[:2]])


def linear_of(model, x, weight, bias, rank):
    """x W^T + b: the weight is read as it lies."""
    letters = string.ascii_lowercase[:rank - 1]
    made = model.add("Einsum", [x, weight], equation=f"{letters}y,zy->{letters}z")
    return made if bias is None else model.add("Add", [made, bias])


@operator("linear")
def linear(model, node, value):
    x, weight = (model.name(each) for each in node.args[:2])
    bias = argument(node, 2, "bias")
    if len(shape_of(node.args[1])) != 2:
        return None
    return linear_of(model, x, weight, None if bias is None else model.name(bias), len(shape_of(node.args[0])))


@operator("addmm", "baddbmm")
def addmm(model, node, value):
    bias, a, b = (model.operand(each, value.dtype) for each in node.args[:3])
    product = model.add("MatMul", [a, b])
    for name, side in (("alpha", "product"), ("beta", "bias")):
        scale = node.kwargs.get(name, 1)
        if scale != 1:
            scaled = model.add("Mul", [product if side == "product" else bias, model.constant(float(scale), value.dtype)])
            product, bias = (scaled, bias) if side == "product" else (product, scaled)
    return model.add("Add", [product, bias])


@operator("einsum")
def einsum(model, node, value):
    return model.add("Einsum", [model.operand(each, value.dtype) for each in node.args[1]], equation=node.args[0])


@operator("outer")
def outer(model, node, value):
    return model.add("Einsum", [model.operand(each, value.dtype) for each in node.args[:2]], equation="i,j->ij")


# --- attention --------------------------------------------------------------------------------------------------

@operator("scaled_dot_product_attention", "_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_attention_math")
def attention(model, node, value):
    flash = "flash" in str(node.target)
    result = value[0] if isinstance(value, (list, tuple)) else value
    q, k, v = (model.name(each) for each in node.args[:3])
    mask = argument(node, 3 if not flash else 99, "attn_mask")
    dropout, causal = (argument(node, 3, "dropout_p", 0.), argument(node, 4, "is_causal", False)) if flash \
        else (argument(node, 4, "dropout_p", 0.), argument(node, 5, "is_causal", False))
    shape, rank = shape_of(node.args[0]), len(shape_of(node.args[0]))
    keys = shape_of(node.args[1])
    if dropout or rank < 2:
        return None
    if node.kwargs.get("enable_gqa") and keys[-3] != shape[-3]:
        k, v = (grouped(model, each, shape_of(node.args[i]), shape[-3] // keys[-3]) for i, each in ((1, k), (2, v)))
    letters = string.ascii_lowercase[:rank - 2]
    scores = model.add("Einsum", [q, k], equation=f"{letters}xz,{letters}yz->{letters}xy")
    scale = node.kwargs.get("scale")
    scores = model.add("Mul", [scores, model.constant(1 / math.sqrt(shape[-1]) if scale is None else float(scale), result.dtype)])
    if causal:
        ones = model.add("ConstantOfShape", [model.constant([shape[-2], keys[-2]])], value=torch.ones(1, dtype=torch.bool))
        scores = where(model, model.add("Trilu", [ones, model.constant(0)], upper=0), scores, result.dtype)
    if mask is not None:
        from .trace import value_of
        boolean = value_of(mask).dtype == torch.bool
        scores = where(model, model.name(mask), scores, result.dtype) if boolean else model.add("Add", [scores, model.name(mask)])
    weights = model.add("Softmax", [scores], axis=-1)
    made = model.add("Einsum", [weights, v], equation=f"{letters}xy,{letters}yz->{letters}xz")
    return [made] if isinstance(value, (list, tuple)) else made


def where(model, kept, scores, dtype):
    return model.add("Where", [kept, scores, model.constant(-math.inf, dtype)])


def grouped(model, name, shape, times):
    """Each head `times` times, one after another."""
    *around, heads, length, width = shape
    name = model.add("Unsqueeze", [name, model.constant([len(around) + 1])])
    name = model.add("Expand", [name, model.constant([*around, heads, times, length, width])])
    return model.add("Reshape", [name, model.constant([*around, heads * times, length, width])])


# --- norms ---------------------------------------------------------------------------------------------------------

@operator("layer_norm", "native_layer_norm")
def layer_norm(model, node, value):
    result = value[0] if isinstance(value, (list, tuple)) else value
    weight, bias = argument(node, 2, "weight"), argument(node, 3, "bias")
    dims = list(node.args[1])
    scale = model.name(weight) if weight is not None else model.constant(torch.ones(dims, dtype=result.dtype))
    made = model.add("LayerNormalization", [model.name(node.args[0]), scale, None if bias is None else model.name(bias)],
                     axis=-len(dims), epsilon=float(argument(node, 4, "eps", 1e-5)))
    return [made] if isinstance(value, (list, tuple)) else made


@operator("rms_norm")
def rms_norm(model, node, value):
    x, dims = model.name(node.args[0]), list(node.args[1])
    weight, epsilon = argument(node, 2, "weight"), argument(node, 3, "eps")
    epsilon = torch.finfo(value.dtype).eps if epsilon is None else epsilon
    mean = model.add("ReduceMean", [model.add("Mul", [x, x]), model.constant(list(range(-len(dims), 0)))], keepdims=1)
    root = model.add("Sqrt", [model.add("Add", [mean, model.constant(float(epsilon), value.dtype)])])
    made = model.add("Div", [x, root])
    return made if weight is None else model.add("Mul", [made, model.name(weight)])


@operator("batch_norm", "_native_batch_norm_legit_no_training", "native_batch_norm", "cudnn_batch_norm", "_native_batch_norm_legit")
def batch_norm(model, node, value):
    result = value[0] if isinstance(value, (list, tuple)) else value
    base = str(node.target).split(".")[1]
    x, scale, shift, mean, variance = node.args[:5]
    if base != "_native_batch_norm_legit_no_training" and node.args[5]:
        return None  # statistics of this batch
    epsilon = node.args[6] if base.endswith("no_training") else node.args[7]
    channels = shape_of(node.args[0])[1]
    given = [model.constant(torch.full((channels,), number, dtype=result.dtype)) if each is None else model.name(each)
             for each, number in ((scale, 1.), (shift, 0.), (mean, 0.), (variance, 1.))]
    made = model.add("BatchNormalization", [model.name(x), *given], epsilon=float(epsilon))
    return [made] if isinstance(value, (list, tuple)) else made


@operator("group_norm")
def group_norm(model, node, value):
    channels = shape_of(node.args[0])[1]
    weight, bias = argument(node, 2, "weight"), argument(node, 3, "bias")
    given = [model.constant(torch.full((channels,), number, dtype=value.dtype)) if each is None else model.name(each)
             for each, number in ((weight, 1.), (bias, 0.))]
    return model.add("GroupNormalization", [model.name(node.args[0]), *given], num_groups=node.args[1],
                     epsilon=float(argument(node, 4, "eps", 1e-5)))


# --- windows ---------------------------------------------------------------------------------------------------------

def spread(given, rank):
    given = [given] if isinstance(given, int) else list(given)
    return given * rank if len(given) == 1 else given


def convolve(model, node, stride, padding, dilation, transposed, output_padding, groups):
    x, weight, bias = node.args[0], node.args[1], argument(node, 2, "bias")
    kernel = shape_of(weight)[2:]
    rank = len(kernel)
    stride, dilation = spread(stride, rank), spread(dilation, rank)
    pads = padding if isinstance(padding, str) else spread(padding, rank)
    if pads == "same":
        total = [d * (k - 1) for d, k in zip(dilation, kernel)]
        pads = [each // 2 for each in total] + [each - each // 2 for each in total]
    else:
        pads = [0] * (2 * rank) if pads == "valid" else pads + pads
    inputs = [model.name(x), model.name(weight), *([] if bias is None else [model.name(bias)])]
    more = {"output_padding": spread(output_padding, rank)} if transposed else {}
    return model.add("ConvTranspose" if transposed else "Conv", inputs, strides=stride, pads=pads, dilations=dilation, group=groups,
                     kernel_shape=kernel, **more)


@operator("convolution", "_convolution")
def convolution(model, node, value):
    return convolve(model, node, *node.args[3:9])


@operator("conv1d", "conv2d", "conv3d")
def conv(model, node, value):
    if len(value.shape) != len(shape_of(node.args[1])):
        return None
    return convolve(model, node, argument(node, 3, "stride", 1), argument(node, 4, "padding", 0), argument(node, 5, "dilation", 1),
                    False, 0, argument(node, 6, "groups", 1))


@operator("conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
def conv_transpose(model, node, value):
    return convolve(model, node, argument(node, 3, "stride", 1), argument(node, 4, "padding", 0), argument(node, 7, "dilation", 1),
                    True, argument(node, 5, "output_padding", 0), argument(node, 6, "groups", 1))


@operator("max_pool1d", "max_pool2d", "max_pool3d", "max_pool2d_with_indices")
def max_pool(model, node, value):
    result = value[0] if isinstance(value, (list, tuple)) else value
    rank = len(result.shape) - 2
    kernel = spread(node.args[1], rank)
    stride = spread(argument(node, 2, "stride", []) or kernel, rank)
    padding, dilation = spread(argument(node, 3, "padding", 0), rank), spread(argument(node, 4, "dilation", 1), rank)
    made = model.add("MaxPool", [model.name(node.args[0])], kernel_shape=kernel, strides=stride, pads=padding + padding,
                     dilations=dilation, ceil_mode=int(argument(node, 5, "ceil_mode", False)))
    return [made] if isinstance(value, (list, tuple)) else made


@operator("avg_pool1d", "avg_pool2d", "avg_pool3d")
def avg_pool(model, node, value):
    rank = len(value.shape) - 2
    kernel = spread(node.args[1], rank)
    padding = spread(argument(node, 3, "padding", 0), rank)
    if argument(node, 6, "divisor_override") is not None:
        return None
    return model.add("AveragePool", [model.name(node.args[0])], kernel_shape=kernel, pads=padding + padding,
                     strides=spread(argument(node, 2, "stride", []) or kernel, rank), ceil_mode=int(argument(node, 4, "ceil_mode", False)),
                     count_include_pad=int(argument(node, 5, "count_include_pad", True)))


def shares(size, target):
    """How much of each number is in each mean: windows from floor (i size / target) to ceil ((i + 1) size / target)."""
    table = torch.zeros(target, size, dtype=torch.float64)
    for i in range(target):
        first, end = i * size // target, -(-(i + 1) * size // target)
        table[i, first:end] = 1 / (end - first)
    return table


def averaged(model, name, sizes, wanted, dtype):
    letters = string.ascii_lowercase[:2 + len(sizes)]
    for place, (size, target) in enumerate(zip(sizes, wanted), 2):
        if size != target:
            made = letters[:place] + "z" + letters[place + 1:]
            name = model.add("Einsum", [name, model.constant(shares(size, target), dtype)], equation=f"{letters},z{letters[place]}->{made}")
    return name


@operator("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "_adaptive_avg_pool2d")
def adaptive_pool(model, node, value):
    """As a pooling where the windows are all of one size, else as a product for each axis."""
    rank = len(value.shape) - 2
    sizes, wanted = shape_of(node.args[0])[2:], list(value.shape)[2:]
    if rank < 1:
        return None
    if any(size % target for size, target in zip(sizes, wanted)):
        return averaged(model, model.operand(node.args[0], value.dtype), sizes, wanted, value.dtype)
    if all(target == 1 for target in wanted):
        return model.add("GlobalAveragePool", [model.name(node.args[0])])
    kernel = [size // target for size, target in zip(sizes, wanted)]
    return model.add("AveragePool", [model.name(node.args[0])], kernel_shape=kernel, strides=kernel)


@operator("upsample_nearest2d", "upsample_nearest1d", "upsample_bilinear2d")
def upsample(model, node, value):
    size = list(value.shape)
    if "bilinear" in str(node.target):
        mode, way = "linear", "align_corners" if node.args[2] else "half_pixel"
    else:
        mode, way = "nearest", "asymmetric"
    return model.add("Resize", [model.name(node.args[0]), None, None, model.constant(size)], mode=mode,
                     coordinate_transformation_mode=way, nearest_mode="floor" if mode == "nearest" else None)


@operator("glu")
def glu(model, node, value):
    axis = argument(node, 1, "dim", -1)
    a, b = model.add("Split", [model.name(node.args[0])], 2, axis=axis, num_outputs=2)
    return model.add("Mul", [a, model.add("Sigmoid", [b])])
