# SPDX-License-Identifier: MIT
"""Models of ONNX as bytes (onnx.proto), and arrays as safetensors: no package but PyTorch is needed."""

import ctypes
import json
import struct

import torch

TYPES = {torch.float32: 1, torch.uint8: 2, torch.int8: 3, torch.int16: 5, torch.int32: 6, torch.int64: 7, torch.bool: 9,
         torch.float16: 10, torch.float64: 11, torch.bfloat16: 16, torch.complex64: 14, torch.complex128: 15}
SAFE_TYPES = {torch.float32: "F32", torch.uint8: "U8", torch.int8: "I8", torch.int16: "I16", torch.int32: "I32", torch.int64: "I64",
              torch.bool: "BOOL", torch.float16: "F16", torch.float64: "F64", torch.bfloat16: "BF16"}


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


def numbers_of(array):
    array = array.detach().cpu().contiguous()
    return ctypes.string_at(array.data_ptr(), array.numel() * array.element_size()) if array.numel() else b""


def tensor(name, array, with_numbers):
    """A TensorProto; without numbers: its type and shape."""
    head = b"".join([*(number(1, size) for size in array.shape), number(2, TYPES[array.dtype]), text(8, name)])
    return head + (message(9, numbers_of(array)) if with_numbers else b"")


def attribute(name, value):
    if isinstance(value, torch.Tensor):
        return text(1, name) + message(5, tensor("", value, True)) + number(20, 4)
    if isinstance(value, float):
        return text(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    if isinstance(value, int):
        return text(1, name) + number(3, value) + number(20, 2)
    if isinstance(value, str):
        return text(1, name) + text(4, value) + number(20, 3)
    return text(1, name) + b"".join(number(8, i) for i in value) + number(20, 7)


def node(op, inputs, outputs, name, source, domain, attributes):
    return b"".join([*(text(1, i) for i in inputs), *(text(2, o) for o in outputs), text(3, name), text(4, op),
                     *(message(5, attribute(*pair)) for pair in attributes.items()), *([text(6, source)] if source else []),
                     *([text(7, domain)] if domain else [])])


def info(name, dtype, shape):
    """A ValueInfoProto; a dimension of which there is a name and no size is left open."""
    dims = b"".join(message(1, text(2, size) if isinstance(size, str) else number(1, size)) for size in shape)
    return text(1, name) + message(2, message(1, number(1, TYPES[dtype]), message(2, dims)))


def model(graph, opset):
    return number(1, 8) + text(2, "heddle_torch") + message(8, number(2, opset)) + message(7, graph)


def safetensors(arrays):
    """The bytes of a file, part by part."""
    head, at = {}, 0
    for name, array in arrays.items():
        size = array.numel() * array.element_size()
        head[name] = {"dtype": SAFE_TYPES[array.dtype], "shape": list(array.shape), "data_offsets": [at, at + size]}
        at += size
    data = json.dumps(head).encode()
    data += b" " * (-len(data) % 8)
    yield struct.pack("<Q", len(data)) + data
    for array in arrays.values():
        yield numbers_of(array)
