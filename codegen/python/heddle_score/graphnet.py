# SPDX-License-Identifier: MIT
"""Samples of GraphNet (`samples/` of PaddlePaddle/GraphNet): a folder with `model.py`, whose GraphModule takes every array as an argument, and
`weight_meta.py` (and, of older ones, `input_meta.py`), which say what each is like. What is said of arrays is read and never run."""

import ast
import math
import re
from pathlib import Path

from .errors import Misused

TYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "float": "f32", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "uint8": "u8", "bool": "bool"}
CLASS = "GraphModule"
NUMBERS = {"inf": math.inf, "nan": math.nan}
#: How much of the spread that is told GraphNet gives random arrays (`graph_net/torch/utils.py`, replay_tensor).
SPREAD = 0.2


def plain(name):
    """A name as Python and files have it."""
    return re.sub(r"\W+", "_", name).strip("_")


def is_sample(folder):
    return (folder / "model.py").is_file() and (folder / "weight_meta.py").is_file()


def find(folder):
    """The samples at or below a folder, in order."""
    if is_sample(folder):
        return [folder]
    return [sample for below in sorted(folder.iterdir()) if below.is_dir() for sample in find(below)]


def _value(node, path):
    if isinstance(node, ast.Name) and node.id in NUMBERS:
        return NUMBERS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Name) and node.operand.id in NUMBERS:
        return -NUMBERS[node.operand.id]
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "float" and len(node.args) == 1:
        return float(ast.literal_eval(node.args[0]))
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise Misused(f"{path}:{node.lineno}: expected a number, a text or a list of them") from error


def read_meta(path):
    """What is said of each array, by name."""
    arrays = {}
    for statement in _parse(path).body:
        if not isinstance(statement, ast.ClassDef):
            continue
        said = {part.targets[0].id: _value(part.value, path) for part in statement.body
                if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)}
        if not isinstance(said.get("name"), str) or not isinstance(said.get("shape"), (list, tuple)) or not isinstance(said.get("dtype"), str):
            raise Misused(f"{path}:{statement.lineno}: expected the name, the shape and the dtype of an array")
        arrays[said["name"]] = said
    return arrays


def _parse(path):
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, RecursionError) as error:
        raise Misused(f"{path}: {error}") from error


def arguments_of(path):
    """The arguments of GraphModule.forward, in order."""
    for statement in _parse(path).body:
        if isinstance(statement, ast.ClassDef) and statement.name == CLASS:
            for part in statement.body:
                if isinstance(part, ast.FunctionDef) and part.name == "forward":
                    return [argument.arg for argument in part.args.args[1:]]
    raise Misused(f"{path}: there is no {CLASS}.forward")


def arrays_of(folder):
    """What is said of each argument, in order: [(argument, {"shape", "dtype", "mean", "std", "data", "min_val", "max_val"})]."""
    folder = Path(folder)
    said = {}
    for name in ("input_meta.py", "weight_meta.py"):
        if (folder / name).is_file():
            said.update(read_meta(folder / name))
    names = arguments_of(folder / "model.py")
    for name in names:
        if name not in said:
            raise Misused(f"{folder}: nothing is said of {name}")
    return [(name, said[name]) for name in names]


def _example(name, said, folder):
    dtype = TYPES.get(said["dtype"].split(".")[-1])
    if dtype is None:
        raise Misused(f"{folder}: {name} is of {said['dtype']}, which Heddle has not")
    return f"{dtype}[{','.join(str(int(size)) for size in said['shape'])}]"


def options_of(folder):
    """Those of heddle_torch."""
    return [word for name, said in arrays_of(folder) for word in ("--example", _example(name, said, folder))]


def on_cpu(text):
    """The source of a model that makes its arrays on the CPU: a trace needs no GPU."""
    text = re.sub(r"device\(\s*type\s*=\s*(['\"])cuda\1\s*(?:,\s*index\s*=\s*\d+\s*)?\)", r"device(type=\1cpu\1)", text)
    return re.sub(r"(['\"])cuda(?::\d+)?\1", r"\1cpu\1", text)


def scaled(numbers, said):
    """Standard normal numbers, of a type that has a mean, made like those that are told of: as GraphNet makes them."""
    mean, spread = (said.get(word) if said.get(word) is not None and math.isfinite(said[word]) else other for word, other in (("mean", 0.0), ("std", 0.1)))
    numbers = numbers * (spread * SPREAD) + mean
    low, high = said.get("min_val"), said.get("max_val")
    return numbers.clip(low, high) if low is not None or high is not None else numbers
