# SPDX-License-Identifier: MIT
"""A trace as a model in the format of ONNX, and that as a document."""

import operator
import os
import subprocess
import tempfile
from pathlib import Path

import torch

from . import wire
from .operators import find
from .sizes import Fixed, join
from .trace import path_of, source_of, value_of

OPSET = 21


class ImportFailed(Exception):
    """heddle import did not make a document; `status` is how it ended."""

    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


class Model:
    """A graph in the making. Values are names; the operators of `operators` add nodes to it."""

    def __init__(self, trace):
        self.trace = trace
        self.nodes, self.tensors, self.inputs, self.outputs, self.infos = [], [], [], [], []
        self.names = {}  # node -> name of its value, or list of them
        self.taken = {}
        self.told = set()  # names whose types are said
        self.node = None  # at hand
        self.parameters = {}

    # --- what operators use ---

    def fresh(self, stem):
        number = self.taken[stem] = self.taken.get(stem, 0) + 1
        return stem if number == 1 else f"{stem}.{number}"

    def add(self, op, inputs, count=1, domain="", **attributes):
        """A node; gives the name of what it makes, or a list of them."""
        path = "/".join(["", *path_of(self.node), self.node.name])
        outputs = [self.fresh(self.node.name) for _ in range(count)]
        self.nodes.append(wire.node(op, ["" if i is None else i for i in inputs], outputs, path, source_of(self.node), domain,
                                    {name: value for name, value in attributes.items() if value is not None}))
        return outputs[0] if count == 1 else outputs

    def constant(self, numbers, dtype=torch.int64):
        """The name of an array of these numbers."""
        array = numbers.to(dtype) if isinstance(numbers, torch.Tensor) and dtype.is_floating_point else numbers
        array = array if isinstance(array, torch.Tensor) else torch.tensor(array, dtype=dtype)
        is_read = array.dtype.is_floating_point and array.dim() > 0  # the document may have it as a parameter
        name = self.fresh(f"constant{len(self.parameters)}" if is_read else "number")
        self.tensors.append(wire.tensor(name, array, True))
        if is_read:
            self.parameters[name] = array
        return name

    def name(self, node):
        return self.names[node]

    def operand(self, argument, dtype=None):
        """The name of an argument, a node or a number, as an array of `dtype`."""
        if isinstance(argument, torch.fx.Node):
            name, own = self.names[argument], value_of(argument).dtype
            return name if dtype in (None, own) else self.add("Cast", [name], to=wire.TYPES[dtype])
        return self.constant(argument, dtype if dtype is not None else torch.float32)

    # --- the walk ---

    def take(self, node):
        if node.op == "placeholder" and node.name in self.trace.inputs:
            name = self.fresh(self.trace.inputs[node.name])
            value = value_of(node)
            if isinstance(value, torch.Tensor) or hasattr(value, "shape"):
                open_ = self.trace.open_dimensions.get(node.name, {})
                self.inputs.append(wire.info(name, value.dtype, [open_.get(i, size) for i, size in enumerate(value.shape)]))
            self.names[node] = name
            self.told.add(name)
        elif node.op in ("placeholder", "get_attr"):
            raw, array = self.trace.arrays.get(node.name, (node.name, None))
            if array is None:
                return
            name = self.fresh(raw)
            self.tensors.append(wire.tensor(name, array, node.name in self.trace.constants or array.dim() == 0))
            self.parameters[name] = array
            self.names[node] = name
            self.told.add(name)
        elif node.op == "call_function":
            self.call(node)
        elif node.op == "output":
            self.finish(node.args[0])

    def call(self, node):
        self.node = node
        if node.target is operator.getitem:
            self.names[node] = self.names[node.args[0]][node.args[1]]
            return
        function = find(node.target)
        made = function(self, node, value_of(node)) if function is not None else None
        self.names[node] = made if made is not None else self.box(node)
        self.tell_type(node)

    def tell_type(self, node):
        """So that what the importer does not understand still has a type."""
        name, value = self.names[node], value_of(node)
        if isinstance(name, str) and name and name not in self.told and getattr(value, "dtype", None) in wire.TYPES:
            self.infos.append(wire.info(name, value.dtype, value.shape))
            self.told.add(name)

    def box(self, node):
        """What no operator stands for; its types are said."""
        values = value_of(node)
        values = [values] if hasattr(values, "shape") else list(values or ())
        inputs = [self.names[argument] for argument in node.all_input_nodes if isinstance(self.names.get(argument), str)]
        made = self.add(str(node.target).split(".default")[0].replace(".", "_"), inputs, len(values), "pytorch")
        names = [made] if len(values) == 1 else made
        for name, value in zip(names, values):
            if hasattr(value, "shape"):
                self.infos.append(wire.info(name, value.dtype, value.shape))
                self.told.add(name)
        return names if isinstance(value_of(node), (list, tuple)) else made

    def finish(self, results):
        """The module's outputs, and behind them what it wrote into buffers and arguments, as "k.after"."""
        results = [results] if isinstance(results, torch.fx.Node) else list(results)
        after = results[:len(self.trace.written)]
        results = [r for r in results[len(after):] if isinstance(r, torch.fx.Node)]
        for i, result in enumerate(results):
            self.finish_output(result, "output" if len(results) == 1 else f"output_{i + 1}")
        for target, result in zip(self.trace.written, after):
            self.finish_output(result, f"{target}.after")

    def finish_output(self, result, name):
        name = self.fresh(name)
        self.nodes.append(wire.node("Identity", [self.names[result]], [name], "", "", "", {}))
        self.outputs.append(wire.info(name, value_of(result).dtype, value_of(result).shape))

    def data(self):
        for node in self.trace.nodes:
            self.take(node)
        parts = [*(wire.message(1, each) for each in self.nodes), wire.text(2, self.trace.name),
                 *(wire.message(5, each) for each in self.tensors), *(wire.message(11, each) for each in self.inputs),
                 *(wire.message(12, each) for each in self.outputs), *(wire.message(13, each) for each in self.infos)]
        return wire.model(b"".join(parts), OPSET)


def to_onnx(traced):
    """The bytes of the model of a trace, and its parameters by name: their numbers are not in it."""
    model = Model(traced)
    return model.data(), model.parameters


def write_beside(path, parts):
    """Renamed when it is whole."""
    path = Path(path)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            for part in parts:
                file.write(part)
        except BaseException:
            os.unlink(file.name)
            raise
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def save(traced, output, weights=None, program="heddle", f32_as=None):
    """Writes the document `output` (or, ending in .onnx, the intermediate model); gives what the import says. `f32_as`: what f32 is kept as."""
    data, parameters = to_onnx(traced)
    if weights is not None:
        write_beside(weights, wire.safetensors(parameters))
    if str(output).endswith(".onnx"):
        write_beside(output, [data])
        return ""
    kept = [] if f32_as is None else ["--f32-as", f32_as]
    said = made_document(data, output, program, [*kept, *sizes_of(traced)])
    if traced.others:
        keep_open(traced, output, program, kept)
    return said + "".join(f"  open: {size}\n" for size in traced.open)


def sizes_of(traced):
    """Returns the options of import that name the open sizes."""
    return [word for size in traced.open for word in ("--set", f"{size.name}={size.value}")]


def made_document(data, output, program, options):
    """Makes a document; gives what the import says."""
    with tempfile.TemporaryDirectory() as folder:
        between = Path(folder) / "model.onnx"
        between.write_bytes(data)
        try:
            run = subprocess.run([program, "import", str(between), "-o", str(output), *options], capture_output=True, text=True, check=False)
        except OSError as error:
            raise ImportFailed(f"{program}: {error.strerror}", 3) from error
    if run.returncode != 0:
        raise ImportFailed(run.stderr.strip().replace(f"{between}: ", ""), run.returncode)
    return run.stdout


def keep_open(traced, output, program, options):
    """Makes the axes of a document as long as its open sizes say; where they cannot, there is no document."""
    output = Path(output)
    documents = [output.read_text(encoding="utf-8")]
    try:
        with tempfile.TemporaryDirectory() as folder:
            for other in traced.others:
                place = Path(folder) / output.name
                made_document(to_onnx(other)[0], place, program, [*options, *sizes_of(other)])
                documents.append(place.read_text(encoding="utf-8"))
        joined = join(documents, {size.name: [size.value, *size.others] for size in traced.open})
    except Fixed as error:
        output.unlink()
        raise ImportFailed(f"sizes that shall be open cannot be: {error}", 1) from error
    write_beside(output, [joined.encode()])
