# SPDX-License-Identifier: MIT
"""Operators that say where numbers go: shapes, parts, places, and arrays of nothing but their places."""

import torch

from .operators import argument, operator, shape_of
from .wire import TYPES

END = (1 << 63) - 1


# --- shapes -----------------------------------------------------------------------------------------------

@operator("view", "reshape", "_unsafe_view", "flatten", "unflatten", "view_as", "reshape_as", "squeeze", "unsqueeze", "_reshape_alias",
          "_reshape_copy", "view_copy", "squeeze_copy", "unsqueeze_copy")
def reshape(model, node, value):
    x, base = model.name(node.args[0]), str(node.target).split(".")[1]
    shape = shape_of(node.args[0])
    if shape == list(value.shape):
        return x
    if base.startswith("unsqueeze"):
        axis = node.args[1]
        return model.add("Unsqueeze", [x, model.constant([axis if axis >= 0 else axis + len(shape) + 1])])
    if base.startswith("squeeze"):
        axes = argument(node, 1, "dim")
        axes = range(len(shape)) if axes is None else [axes] if isinstance(axes, int) else axes
        axes = [axis for axis in axes if shape[axis] == 1]
        return model.add("Squeeze", [x, model.constant(axes)])
    return model.add("Reshape", [x, model.constant(list(value.shape))])


@operator("permute", "permute_copy", "movedim", "transpose", "transpose_copy", "swapaxes", "swapdims", "t", "t_copy", "numpy_T")
def permute(model, node, value):
    base, rank = str(node.target).split(".")[1], len(value.shape)
    order = list(range(rank))
    if base.startswith("permute"):
        order = [axis % rank for axis in node.args[1]]
    elif base == "movedim":
        source, target = ([each] if isinstance(each, int) else list(each) for each in node.args[1:3])
        moved = {t % rank: s % rank for s, t in zip(source, target)}
        rest = iter(axis for axis in order if axis not in moved.values())
        order = [moved[axis] if axis in moved else next(rest) for axis in range(rank)]
    elif base in ("t", "t_copy", "numpy_T"):
        order.reverse()
    else:
        a, b = (axis % rank for axis in node.args[1:3])
        order[a], order[b] = b, a
    return model.add("Transpose", [model.name(node.args[0])], perm=order) if order != sorted(order) else model.name(node.args[0])


@operator("expand", "expand_as", "expand_copy", "broadcast_to")
def expand(model, node, value):
    if shape_of(node.args[0]) == list(value.shape):
        return model.name(node.args[0])
    return model.add("Expand", [model.name(node.args[0]), model.constant(list(value.shape))])


@operator("meshgrid")
def meshgrid(model, node, value):
    shape, arrays = list(value[0].shape), list(node.args[0])
    places = list(range(len(arrays)))
    if argument(node, 1, "indexing", "ij") == "xy" and len(arrays) > 1:
        places[:2] = [1, 0]
    made = []
    for each, place in zip(arrays, places):
        apart = model.add("Reshape", [model.name(each), model.constant([-1 if at == place else 1 for at in range(len(shape))])])
        made.append(model.add("Expand", [apart, model.constant(shape)]))
    return made


@operator("repeat", "tile")
def repeat(model, node, value):
    x, times = model.name(node.args[0]), list(node.args[1])
    shape = shape_of(node.args[0])
    if len(times) > len(shape):
        x = model.add("Reshape", [x, model.constant([1] * (len(times) - len(shape)) + shape)])
    return model.add("Tile", [x, model.constant([1] * (len(shape) - len(times)) + times)])


@operator("repeat_interleave.self_int")
def repeat_interleave(model, node, value):
    times, axis, shape = node.args[1], argument(node, 2, "dim"), shape_of(node.args[0])
    if axis is None:
        return None
    axis %= len(shape)
    between = model.add("Unsqueeze", [model.name(node.args[0]), model.constant([axis + 1])])
    between = model.add("Expand", [between, model.constant([*shape[:axis + 1], times, *shape[axis + 1:]])])
    return model.add("Reshape", [between, model.constant(list(value.shape))])


@operator("pixel_shuffle")
def pixel_shuffle(model, node, value):
    return model.add("DepthToSpace", [model.name(node.args[0])], blocksize=node.args[1], mode="CRD")


# --- parts and wholes ------------------------------------------------------------------------------------------

@operator("cat", "concat", "concatenate")
def cat(model, node, value):
    axis = argument(node, 1, "dim", 0)
    arrays = [each for each in node.args[0] if shape_of(each) != [0]]
    return model.add("Concat", [model.operand(each, value.dtype) for each in arrays], axis=axis % len(value.shape))


@operator("stack")
def stack(model, node, value):
    axis = argument(node, 1, "dim", 0) % len(value.shape)
    parts = [model.add("Unsqueeze", [model.operand(each, value.dtype), model.constant([axis])]) for each in node.args[0]]
    return model.add("Concat", parts, axis=axis)


@operator("split", "split_with_sizes", "chunk", "tensor_split", "split_with_sizes_copy", "split_copy")
def split(model, node, value):
    axis = argument(node, 2, "dim", 0)
    sizes = [list(part.shape)[axis] for part in value]
    made = model.add("Split", [model.name(node.args[0]), model.constant(sizes)], len(sizes), axis=axis)
    return made if len(sizes) > 1 else [made]


@operator("unbind", "unbind_copy")
def unbind(model, node, value):
    axis = argument(node, 1, "dim", 0)
    return [model.add("Gather", [model.name(node.args[0]), model.constant(i)], axis=axis) for i in range(len(value))]


@operator("select", "select_copy")
def select(model, node, value):
    axis, place = node.args[1:3]
    size = shape_of(node.args[0])[axis]
    return model.add("Gather", [model.name(node.args[0]), model.constant(place % size)], axis=axis)


@operator("slice", "slice_copy", "narrow")
def take_slice(model, node, value):
    axis = argument(node, 1, "dim", 0)
    first, end, step = argument(node, 2, "start", 0) or 0, argument(node, 3, "end"), argument(node, 4, "step", 1)
    if "narrow" in str(node.target):
        end = first + node.args[3]
    end = END if end is None else end
    if shape_of(node.args[0]) == list(value.shape) and step == 1:
        return model.name(node.args[0])
    return model.add("Slice", [model.name(node.args[0]), *(model.constant([each]) for each in (first, end, axis, step))])


def put_between(model, node, value, part, first, end, axis):
    """The first argument with `part` along `axis` in the place of what lies from `first` to `end`."""
    x, size = model.name(node.args[0]), value.shape[axis]
    pieces = [model.add("Slice", [x, *(model.constant([each]) for each in (low, high, axis))]) if high > low else None
              for low, high in ((0, first), (end, size))]
    pieces = [each for each in (pieces[0], part, pieces[1]) if each is not None]
    return model.add("Concat", pieces, axis=axis) if len(pieces) > 1 else part


@operator("select_scatter")
def select_scatter(model, node, value):
    axis, place = argument(node, 2, "dim") % len(value.shape), argument(node, 3, "index")
    if isinstance(place, torch.fx.Node):
        return None
    place %= value.shape[axis]
    part = model.add("Unsqueeze", [model.operand(node.args[1], value.dtype), model.constant([axis])])
    return put_between(model, node, value, part, place, place + 1, axis)


@operator("slice_scatter")
def slice_scatter(model, node, value):
    axis, step = argument(node, 2, "dim", 0) % len(value.shape), argument(node, 5, "step", 1)
    if step != 1 or any(isinstance(each, torch.fx.Node) for each in node.args[2:]):
        return None
    first, end, _ = slice(argument(node, 3, "start"), argument(node, 4, "end")).indices(value.shape[axis])
    return put_between(model, node, value, model.operand(node.args[1], value.dtype), first, max(first, end), axis) if end > first else model.name(node.args[0])


@operator("copy")
def copy(model, node, value):
    return model.add("Expand", [model.operand(node.args[1], value.dtype), model.constant(list(value.shape))])


@operator("flip")
def flip(model, node, value):
    axes = list(node.args[1])
    ends = [[-1] * len(axes), [-END] * len(axes), axes, [-1] * len(axes)]
    return model.add("Slice", [model.name(node.args[0]), *map(model.constant, ends)])


@operator("roll")
def roll(model, node, value):
    shifts, axes = (list(each) for each in (node.args[1], argument(node, 2, "dims", [])))
    name = model.name(node.args[0])
    if len(axes) != len(shifts):
        return None
    for shift, axis in zip(shifts, axes):
        size = list(value.shape)[axis]
        cut = -shift % size
        if cut == 0:
            continue
        tail = model.add("Slice", [name, *(model.constant([each]) for each in (cut, END, axis))])
        head = model.add("Slice", [name, *(model.constant([each]) for each in (0, cut, axis))])
        name = model.add("Concat", [tail, head], axis=axis % len(value.shape))
    return name


@operator("constant_pad_nd", "pad")
def pad(model, node, value):
    mode = argument(node, 2, "mode", "constant") if ".pad." in f"{node.target}." else "constant"
    fill = argument(node, 3 if ".pad." in f"{node.target}." else 2, "value", 0) or 0
    names = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}
    pairs, rank = list(node.args[1]), len(value.shape)
    if mode not in names:
        return None
    before, after = [0] * rank, [0] * rank
    for i in range(len(pairs) // 2):
        before[rank - 1 - i], after[rank - 1 - i] = pairs[2 * i:2 * i + 2]
    return model.add("Pad", [model.name(node.args[0]), model.constant(before + after), model.operand(fill, value.dtype)],
                     mode=names[mode])


@operator("tril", "triu")
def triangle(model, node, value):
    return model.add("Trilu", [model.name(node.args[0]), model.constant(argument(node, 1, "diagonal", 0))],
                     upper=int("triu" in str(node.target)))


# --- places that are numbers themselves ------------------------------------------------------------------------

@operator("embedding")
def embedding(model, node, value):
    return model.add("Gather", [model.name(each) for each in node.args[:2]])


@operator("index_select")
def index_select(model, node, value):
    return model.add("Gather", [model.name(node.args[0]), model.name(node.args[2])], axis=node.args[1])


@operator("gather")
def gather(model, node, value):
    return model.add("GatherElements", [model.name(node.args[0]), model.name(node.args[2])], axis=node.args[1])


def one_by_one(model, node, value, places):
    """Places that lie along dimensions of their own, as a column of rows and a row of columns do, are read one after another. None: they do not."""
    from .trace import value_of
    count = max(value_of(each).dim() for _, each in places)
    along, first, name = [], places[0][0], model.name(node.args[0])
    for _, each in places:
        shape = [1] * (count - value_of(each).dim()) + shape_of(each)
        own = [dim for dim, size in enumerate(shape) if size != 1]
        if along and own and own[0] <= max(along):
            return None
        along += own
        at = model.add("Reshape", [model.name(each), model.constant([shape[dim] for dim in own])])
        name = model.add("Gather", [name, at], axis=first)
        first += len(own)
    return model.add("Reshape", [name, model.constant(list(value.shape))])


@operator("index")
def index(model, node, value):
    """Along one axis, or along axes beside each other with places of one shape."""
    from .trace import value_of
    places = [(axis, each) for axis, each in enumerate(node.args[1]) if each is not None]
    if not places or value is None or any(value_of(each).dtype == torch.bool for _, each in places):
        return None
    x, first, n = model.name(node.args[0]), places[0][0], len(places)
    if n == 1:
        return model.add("Gather", [x, model.name(places[0][1])], axis=first)
    if [axis for axis, _ in places] != list(range(first, first + n)):
        return None
    apart = one_by_one(model, node, value, places)
    if apart is not None:
        return apart
    shape = list(torch.broadcast_shapes(*(value_of(each).shape for _, each in places)))
    spread = [model.add("Expand", [model.operand(each, torch.int64), model.constant(shape)]) for _, each in places]
    columns = [model.add("Unsqueeze", [each, model.constant([len(shape)])]) for each in spread]
    rank, before = len(shape_of(node.args[0])), list(range(first))
    if before:  # what is read comes first, and goes back behind them
        x = model.add("Transpose", [x], perm=[*range(first, first + n), *before, *range(first + n, rank)])
    found = model.add("GatherND", [x, model.add("Concat", columns, axis=len(shape))])
    if not before:
        return found
    moved = [len(shape) + axis for axis in before]
    return model.add("Transpose", [found], perm=[*moved, *range(len(shape)), *range(len(shape) + first, len(shape) + rank - n)])


@operator("diff")
def diff(model, node, value):
    axis, rank = argument(node, 2, "dim", -1), len(value.shape)
    sides = [argument(node, place, name) for place, name in ((3, "prepend"), (4, "append"))]
    if argument(node, 1, "n", 1) != 1 or value.dtype == torch.bool:
        return None
    x = [model.name(each) for each in (sides[0], node.args[0], sides[1]) if each is not None]
    x = model.add("Concat", x, axis=axis % rank) if len(x) > 1 else x[0]
    return model.add("Sub", [model.add("Slice", [x, *(model.constant([each]) for each in ends)]) for ends in ((1, END, axis), (0, -1, axis))])


# --- arrays of nothing ------------------------------------------------------------------------------------------

def fill(model, value, number):
    array = torch.tensor([number], dtype=value.dtype)
    return model.add("ConstantOfShape", [model.constant(list(value.shape))], value=array)


@operator("zeros", "ones", "zeros_like", "ones_like", "new_zeros", "new_ones", "empty", "empty_like", "new_empty", "empty_permuted", "empty_strided")
def zeros_or_ones(model, node, value):
    return fill(model, value, int("ones" in str(node.target)))


@operator("full", "full_like", "new_full", "scalar_tensor", "fill")
def full(model, node, value):
    if "scalar_tensor" in str(node.target):
        return model.constant(node.args[0], value.dtype)
    number = node.args[2] if "new_full" in str(node.target) else node.args[1]
    return None if isinstance(number, torch.fx.Node) else fill(model, value, number)


@operator("arange")
def arange(model, node, value):
    ends = [each for each in node.args if isinstance(each, (int, float))]
    first, end, step = (0, ends[0], 1) if len(ends) == 1 else (*ends, 1)[:3]
    return model.add("Range", [model.constant(each, value.dtype) for each in (first, end, step)])


@operator("eye")
def eye(model, node, value):
    zeros = fill(model, value, 0)
    return model.add("EyeLike", [zeros], dtype=TYPES[value.dtype])


@operator("tensor", "_tensor_constant")
def tensor(model, node, value):
    return model.constant(node.args[0], value.dtype)
