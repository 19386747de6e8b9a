# SPDX-License-Identifier: MIT
"""The graphs that are scored: a list in a file, or the operators that come with the package."""

import shlex
from pathlib import Path

from . import graphnet
from .errors import Misused
from .operators import OPERATORS


def _equations(line, folder, words):
    path = folder / words[0]
    options, default = [], None
    rest = iter(words[1:])
    for word in rest:
        value = next(rest, None)
        if value is None or word not in ("--set", "--default", "--dtype", "--diagram"):
            raise Misused(f"{line}: expected FILE [--set AXIS=SIZE…] [--dtype TYPE] [--diagram NAME] [--default FILE.py:FUNCTION]")
        if word == "--default":
            default = {"function": str(folder / value)}
        else:
            options += [word, value]
    return {"name": path.stem, "path": str(path), "options": options, "default": default}


def _module(folder, words):
    source = words[0] if not words[0].rpartition(":")[0].endswith(".py") else str(folder / words[0])
    return {"name": words[0].replace(".py:", "_").replace(":", "_").replace("/", "_").replace(".", "_"), "module": source, "options": words[1:],
            "default": {"module": source, "arguments": words[1:]}}


def _samples(line, folder, words):
    """Those of GraphNet in a folder. One that cannot be read is a graph that fails, and not the end of the others."""
    if len(words) > 1:
        raise Misused(f"{line}: expected FOLDER alone")
    found = graphnet.find(folder / words[0])
    if not found:
        raise Misused(f"{line}: there is no folder with model.py and weight_meta.py")
    return [{"name": graphnet.plain(str(Path(words[0]).joinpath(sample.relative_to(folder / words[0])))), "sample": str(sample), "options": [],
             "default": {"graphnet": str(sample)}} for sample in found]


def read_list(path):
    """A line is a document, equations or a model of ONNX with options of `heddle optimise` and the framework's function, if there is one; a module of
    PyTorch with the options of `heddle_torch`; or a folder with samples of GraphNet. "#" begins a comment."""
    folder = Path(path).resolve().parent
    graphs = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            if (folder / words[0]).is_dir():
                graphs += _samples(line, folder, words)
            else:
                graphs.append(_equations(line, folder, words) if words[0].endswith((".eq", ".ncd", ".onnx")) else _module(folder, words))
    names = [graph["name"] for graph in graphs]
    for i, graph in enumerate(graphs):
        if graph["name"] in names[:i]:
            graph["name"] = f"{graph['name']}_{i + 1}"
    return graphs


def operators(only=None):
    for name in only or ():
        if name not in OPERATORS:
            raise Misused(f"{name}: there is no such operator; there are: {' '.join(OPERATORS)}")
    return [{"name": name, "text": text, "options": [], "default": {"operator": name}} for name, (text, _) in OPERATORS.items()
            if not only or name in only]
