# SPDX-License-Identifier: MIT
"""Operators that give an array in which something is written at indices, and those that put numbers in order."""

import torch

from .operators import argument, dtype_of, operator, shape_of


def at_front(model, name, axes, rank):
    """The array with `axes` in front, and the order that puts them back."""
    order = [*axes, *(axis for axis in range(rank) if axis not in axes)]
    back = [order.index(axis) for axis in range(rank)]
    return name if order == sorted(order) else model.add("Transpose", [name], perm=order), back


def put_back(model, name, back):
    return name if back == sorted(back) else model.add("Transpose", [name], perm=back)


def write_rows(model, data, axes, columns, updates, rank, reduction):
    """`data` with `updates` at the places that `columns`, [n, len (axes)], say along `axes`; the updates have the other axes behind n."""
    front, back = at_front(model, data, axes, rank)
    made = model.add("ScatterND", [front, columns, updates], reduction=reduction)
    return put_back(model, made, back)


# --- rows ------------------------------------------------------------------------------------------------------------

@operator("index_copy", "index_add")
def index_copy(model, node, value):
    axis, at = node.args[1] % len(value.shape), node.args[2]
    alpha = node.kwargs.get("alpha", 1)
    if len(shape_of(at)) != 1 or not value.shape:
        return None
    updates, _ = at_front(model, model.operand(node.args[3], value.dtype), [axis], len(value.shape))
    if alpha != 1:
        updates = model.add("Mul", [updates, model.constant(alpha, value.dtype)])
    columns = model.add("Unsqueeze", [model.operand(at, torch.int64), model.constant([1])])
    reduction = "add" if ".index_add." in f"{node.target}." else None
    return write_rows(model, model.name(node.args[0]), [axis], columns, updates, len(value.shape), reduction)


@operator("index_fill")
def index_fill(model, node, value):
    axis, at = node.args[1] % len(value.shape), node.args[2]
    rest = [size for place, size in enumerate(value.shape) if place != axis]
    updates = model.add("Expand", [model.operand(node.args[3], value.dtype), model.constant([*(shape_of(at) or [1]), *rest])])
    columns = model.add("Reshape", [model.operand(at, torch.int64), model.constant([-1, 1])])
    return write_rows(model, model.name(node.args[0]), [axis], columns, updates, len(value.shape), None)


def put_where(model, node, value, places, updates):
    """Where a mask says so: one number everywhere."""
    (axis, mask), = places
    behind = len(value.shape) - axis - len(shape_of(mask))
    if shape_of(updates) not in ([], [1]):
        return None
    kept = model.name(mask)
    if behind:
        kept = model.add("Reshape", [kept, model.constant([*shape_of(mask), *[1] * behind])])
    put = model.operand(updates, value.dtype)
    return model.add("Where", [kept, model.add("Reshape", [put, model.constant([1])]), model.name(node.args[0])])


@operator("index_put", "_unsafe_index_put")
def index_put(model, node, value):
    """At whole numbers along axes beside each other, or where one mask says so."""
    places = [(axis, each) for axis, each in enumerate(node.args[1]) if each is not None]
    updates, adds = node.args[2], argument(node, 3, "accumulate", False)
    masks = [each for _, each in places if dtype_of(each) == torch.bool]
    if masks:
        return put_where(model, node, value, places, updates) if len(places) == 1 and not adds else None
    axes, rank = [axis for axis, _ in places], len(value.shape)
    if not axes or axes != list(range(axes[0], axes[0] + len(axes))):
        return None
    shape = list(torch.broadcast_shapes(*(tuple(shape_of(each)) for _, each in places)))
    spread = [model.add("Expand", [model.operand(each, torch.int64), model.constant(shape)]) for _, each in places]
    columns = model.add("Concat", [model.add("Unsqueeze", [each, model.constant([len(shape)])]) for each in spread], axis=len(shape))
    before, behind = list(value.shape)[:axes[0]], list(value.shape)[axes[-1] + 1:]
    written = model.add("Expand", [model.operand(updates, value.dtype), model.constant([*before, *shape, *behind])])
    if before:  # the axes before the indices come behind those of the indices
        first, count = len(before), len(shape)
        order = [*range(first, first + count), *range(first), *range(first + count, first + count + len(behind))]
        written = model.add("Transpose", [written], perm=order)
    return write_rows(model, model.name(node.args[0]), axes, columns, written, rank, "add" if adds else None)


# --- element by element ------------------------------------------------------------------------------------------------

REDUCTIONS = {"sum": "add", "add": "add", "prod": "mul", "multiply": "mul", "amax": "max", "amin": "min"}


@operator("scatter", "scatter_add", "scatter_reduce")
def scatter(model, node, value):
    base = str(node.target).split(".")[1]
    axis, at, updates = node.args[1:4]
    how = "sum" if base == "scatter_add" else argument(node, 4, "reduce")
    if not value.shape or (how is not None and how not in REDUCTIONS) or argument(node, 5, "include_self", True) is not True:
        return None
    if isinstance(updates, torch.fx.Node):
        updates = model.operand(updates, value.dtype)
        if shape_of(node.args[3]) != shape_of(at):
            return None
    else:
        updates = model.add("Expand", [model.constant(updates, value.dtype), model.constant(shape_of(at))])
    return model.add("ScatterElements", [model.name(node.args[0]), model.operand(at, torch.int64), updates], axis=axis % len(value.shape),
                     reduction=None if how is None else REDUCTIONS[how])


# --- in order ------------------------------------------------------------------------------------------------------------

@operator("sort", "argsort")
def sort(model, node, value):
    base, overload = (str(node.target).split(".") + [""])[1:3]
    places = {name: place for place, name in enumerate(("stable", "dim", "descending") if overload == "stable" else ("dim", "descending"), 1)}
    axis = argument(node, places["dim"], "dim", -1)
    shape = shape_of(node.args[0])
    if not shape:
        return None
    count = model.constant([shape[axis]])
    made = model.add("TopK", [model.name(node.args[0]), count], 2, axis=axis,
                     largest=int(argument(node, places["descending"], "descending", False)))
    return made[1] if base == "argsort" else made
