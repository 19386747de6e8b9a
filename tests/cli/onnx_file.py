# SPDX-License-Identifier: MIT
"""Writes models of ONNX for the tests, by its description (onnx.proto): nothing else need be installed."""

import struct

import numpy as np

TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "bool": 9, "float64": 11}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, *parts):
    data = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(data)) + data


def text(field, value):
    return message(field, value.encode())


def tensor(name, array):
    """A TensorProto."""
    array = np.asarray(array)
    return b"".join([*(number(1, size) for size in array.shape), number(2, TYPES[array.dtype.name]), text(8, name),
                     message(9, array.tobytes())])


def attribute(name, value):
    """A number, a text, whole numbers; bytes: a graph."""
    if isinstance(value, bytes):
        return text(1, name) + message(6, value) + number(20, 5)
    if isinstance(value, float):
        return text(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    if isinstance(value, int):
        return text(1, name) + number(3, value) + number(20, 2)
    if isinstance(value, str):
        return text(1, name) + text(4, value) + number(20, 3)
    return text(1, name) + b"".join(number(8, i) for i in value) + number(20, 7)


def node(op, inputs, outputs, name="", domain="", **attributes):
    return b"".join([*(text(1, i) for i in inputs), *(text(2, o) for o in outputs), text(3, name), text(4, op),
                     *(message(5, attribute(*pair)) for pair in attributes.items()), *([text(7, domain)] if domain else [])])


def info(name, kind, shape):
    """A ValueInfoProto; None: a size that is left open without a name."""
    dims = b"".join(message(1, text(2, size) if isinstance(size, str) else b"" if size is None else number(1, size)) for size in shape)
    return text(1, name) + message(2, message(1, number(1, TYPES[kind]), message(2, dims)))


def graph_of(nodes, inputs, outputs, weights=None, name="graph", infos=()):
    return b"".join([*(message(1, each) for each in nodes), text(2, name),
                     *(message(5, tensor(*pair)) for pair in (weights or {}).items()),
                     *(message(11, info(*each)) for each in inputs), *(message(12, info(*each)) for each in outputs),
                     *(message(13, info(*each)) for each in infos)])


def function(domain, name, inputs, outputs, nodes):
    """A FunctionProto."""
    return b"".join([text(1, name), *(text(4, each) for each in inputs), *(text(5, each) for each in outputs),
                     *(message(7, each) for each in nodes), text(10, domain)])


def referring(op, inputs, outputs, name, to):
    """A node within a function whose attribute `name` is that called `to` of its call."""
    return node(op, inputs, outputs) + message(5, text(1, name) + text(21, to) + number(20, 1))


def model(nodes, inputs, outputs, weights=None, opset=17, name="graph", functions=(), infos=()):
    graph = graph_of(nodes, inputs, outputs, weights, name, infos)
    return number(1, 8) + message(8, number(2, opset)) + message(7, graph) + b"".join(message(25, each) for each in functions)
