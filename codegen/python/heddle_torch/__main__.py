# SPDX-License-Identifier: MIT
"""python -m heddle_torch model:fn --example f32[2,128] -o model.ncd"""

import argparse
import contextlib
import importlib
import importlib.util
import io
import re
import sys
import traceback
from pathlib import Path

import torch

from .failures import Untraceable
from .model import ImportFailed, save
from .trace import trace

DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i8": torch.int8,
          "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "bool": torch.bool}
EXAMPLE = re.compile(r"(\w+)(?:\[([^][]*)\])?")
SIZE = re.compile(r"\s*(?:(\w+)\s*=\s*)?(\d+)(?:\s*\(\s*(\d+)\s*\.\.\s*(\d+)?\s*\))?\s*")  # words=9 (4..64)


class Misused(Exception):
    """What was asked for cannot be: exit 2."""


def example(text):
    """An array of that type: "f32[2,128]", whose numbers do not count, and by their places the sizes that stay open, with names, what they are at least and
    what at most: "f32[2,words=128 (4..512)]"."""
    match = EXAMPLE.fullmatch(text.strip())
    sizes = [SIZE.fullmatch(size) for size in match[2].split(",")] if match and match[2] and match[2].strip() else []
    if match is None or match[1] not in DTYPES or not all(sizes):
        raise Misused(f"--example {text}: expected TYPE[SIZE,…], such as f32[2,128] or f32[2,words=128 (4..512)] (types: {' '.join(DTYPES)})")
    named = {i: (size[1], *(int(bound) if bound else None for bound in size.groups()[2:])) for i, size in enumerate(sizes) if size[1]}
    return torch.zeros([int(size[2]) for size in sizes], dtype=DTYPES[match[1]]), named


def dims_of(named):
    """Returns what torch.export is told of the names of sizes of arguments; None where no size has one."""
    if not any(named):
        return None
    if not hasattr(getattr(torch, "export", None), "Dim"):
        raise Misused("--example: this PyTorch leaves no sizes open")
    bounds = {}
    for name, *own in (size for each in named for size in each.values()):
        if bounds.setdefault(name, own) != own:
            raise Misused(f"--example: {name} has other bounds where it is named again")
    try:
        dims = {name: torch.export.Dim(name, min=least, max=most) for name, (least, most) in bounds.items()}
    except (AssertionError, ValueError) as error:
        raise Misused(f"--example: {error}") from error
    return tuple({i: dims[name] for i, (name, *_) in each.items()} for each in named)


def load(where):
    """The thing "module:name", or "path/to/file.py:name"."""
    source, _, name = where.rpartition(":")
    if not source or not name:
        raise Misused(f"{where}: expected MODULE:NAME or FILE.py:NAME")
    if source.endswith(".py"):
        path = Path(source).resolve()
        if not path.is_file():
            raise Misused(f"{source}: there is no such file")
        sys.path.insert(0, str(path.parent))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
    else:
        sys.path.insert(0, "")
        try:
            module = importlib.import_module(source)
        except ModuleNotFoundError as error:
            raise Misused(f"{source}: {error}") from error
    thing = module
    for part in name.split("."):
        if not hasattr(thing, part):
            raise Misused(f"{source} has no {name}")
        thing = getattr(thing, part)
    return thing


def as_module(thing, name, examples):
    """A module stays; a class, or a function that takes nothing, makes one; any other function is one."""
    if isinstance(thing, torch.nn.Module):
        return thing
    if isinstance(thing, type) and issubclass(thing, torch.nn.Module):
        return thing()
    if callable(thing) and not examples:
        raise Misused("--example is needed once for each argument")
    if callable(thing):
        return thing
    raise Misused(f"{name} is neither a module nor a function")


def made(thing, call):
    """What a function without arguments gives, where that is a module."""
    if not call:
        return thing
    module = thing()
    if not isinstance(module, torch.nn.Module):
        raise Misused("--call: what it gives is no torch.nn.Module")
    return module


def parse(arguments):
    parser = argparse.ArgumentParser(prog="python -m heddle_torch", description="Makes a document of Heddle of a module of PyTorch.")
    parser.add_argument("source", metavar="MODULE:NAME", help="a torch.nn.Module, a class of them or a function; MODULE may be FILE.py")
    parser.add_argument("--call", action="store_true", help="NAME is a function without arguments that gives the module")
    parser.add_argument("--example", action="append", default=[], metavar="TYPE[SIZES]", help="an argument, in order: f32[2,128]; of f32[2,words=128 (4..512)] the size words stays open, between 4 and 512")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the document (.ncd), or the intermediate model (.onnx)")
    parser.add_argument("--weights", metavar="FILE.safetensors", help="write the parameters there, for heddle evaluate --weights")
    parser.add_argument("--fx", action="store_true", help="trace by torch.fx though there is torch.export")
    parser.add_argument("--f32-as", metavar="TYPE", help="what the module keeps as f32 is kept as this in the document, such as bf16")
    parser.add_argument("--heddle", default="heddle", metavar="PROGRAM", help="the program that makes the document")
    parser.add_argument("--traceback", action="store_true", help="where a module cannot be traced, print all that PyTorch says of it")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    try:
        if not options.output.endswith((".ncd", ".onnx")):
            raise Misused("-o OUT.ncd is needed")
        examples, named = zip(*map(example, options.example)) if options.example else ((), ())
        thing = made(load(options.source), options.call)
        module = as_module(thing, options.source, examples)
        # what tracers print of a failure, the whole graph for one, is told in a line
        with contextlib.nullcontext() if options.traceback else contextlib.redirect_stderr(io.StringIO()):
            traced = trace(module, examples, options.fx, dynamic_shapes=dims_of(named))
        print(save(traced, options.output, options.weights, options.heddle, options.f32_as), end="")
        for name in traced.written:
            print(f"  written: {name}; its new value is the output “{name}.after”")
    except Misused as error:
        print(f"heddle_torch: {error}", file=sys.stderr)
        return 2
    except Untraceable as error:
        if options.traceback:
            traceback.print_exc()
        print(f"heddle_torch: {error}", file=sys.stderr)
        return 1
    except ImportFailed as error:
        print(f"heddle_torch: {error}", file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main())
