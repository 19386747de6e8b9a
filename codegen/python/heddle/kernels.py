# SPDX-License-Identifier: MIT
"""The kernels of one part of a model: a document of its operators, what the program makes of that, and how they are started."""

import importlib.util
import json
import tempfile
import warnings
from pathlib import Path

import torch
from heddle_torch.model import Model
from heddle_torch.trace import Trace, value_of

from .program import HeddleError, run

ALIGNMENT = 16
NAMES = {torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16"}


def document(graph, name):
    """The operators of a graph as a model in the format of ONNX, and the constants that it has of its own. Its inputs are called a0, a1 …, as no name
    of a model reaches a signature; those that are weights are parameters."""
    names = {node: f"a{i}" for i, node in enumerate(node for node in graph.nodes if node.op == "placeholder")}
    weights = {node.name: (name, value_of(node)) for node, name in names.items() if node.meta.get("heddle_weight")}
    model = Model(Trace(name, list(graph.nodes), {node.name: each for node, each in names.items() if node.name not in weights}, weights, by="torch.compile"))
    data = model.data()
    return data, {name: array for name, array in model.parameters.items() if name not in names.values()}


def opaque_nodes(graph, name, folder, program):
    """Writes the part's document; gives the names of the nodes that it only has as boxes, with the reasons."""
    between = folder / f"{name}.onnx"
    between.write_bytes(document(graph, name)[0])
    said = json.loads(run(program, "import", between, "-o", folder / f"{name}.ncd", "--json", "--unrolled"))
    return {each["node"].rpartition("/")[2]: f"{each['operator']}: {each['reason']}" for each in said["opaque"]}


def dtype_of(graph):
    """What most of the numbers that a part reads are kept as."""
    sizes = {}
    for node in graph.nodes:
        value = value_of(node) if node.op == "placeholder" else None
        if isinstance(value, torch.Tensor) and value.dtype in NAMES:
            sizes[value.dtype] = sizes.get(value.dtype, 0) + value.numel()
    return NAMES[max(sizes, key=sizes.get)] if sizes else "f32"


def load(path):
    """An exported module."""
    spec = importlib.util.spec_from_file_location(f"heddle_part_{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make(graph, part, folder, options):
    """What the program makes of the part's document, told in `part`. Raises HeddleError."""
    out = folder / f"{part.name}-{options.machine()}"
    asked = [*([] if options.verify else ["--no-verify"]), *([] if options.steps is None else ["--steps", options.steps])]
    said = json.loads(run(options.program, "optimise", folder / f"{part.name}.ncd", "-o", out, "--gpu", options.machine(), "--dtype",
                          dtype_of(graph), "--json", *asked))
    part.kernels_eager, part.kernels_inductor, part.kernels = (said[way]["kernels"] for way in ("eager", "inductor", "after"))
    part.expected_eager_s, part.expected_inductor_s, part.expected_s = (said[way]["expected_s"] for way in ("eager", "inductor", "after"))
    reasons = [piece["fallback"] for piece in said["pieces"] if piece["fallback"]]
    reasons += [f"{bad['values']}: {bad['reason']}" for piece in said["pieces"] for bad in piece["unfused"]]
    part.reason = "; ".join(dict.fromkeys(reasons)) or None
    part.ways, part.searched = (sum(piece[each] for piece in said["pieces"]) for each in ("ways", "searched"))
    part.verification = next((piece["verification"] for piece in said["pieces"] if not piece["verified"]), "verified")
    modules = sorted(out.glob("*.py"))
    if not modules:
        raise HeddleError("there is no CUDA compiler on this machine, which a module for PyTorch needs")
    return modules[0]


class Runner(torch.nn.Module):
    """A part in the graph of a model: its kernels where they can take what comes, and PyTorch's own operators where not."""

    def __init__(self, graph_module, part, path, warned):
        super().__init__()
        self.operators, self.part = graph_module, part
        self.module = load(path)
        self.function = getattr(self.module, path.stem)
        self.warned = warned
        results = next(node for node in graph_module.graph.nodes if node.op == "output").args[0]
        self.is_single = isinstance(results, torch.fx.Node)
        self.results = [value_of(node) for node in ([results] if self.is_single else results)]
        placeholders = [node for node in graph_module.graph.nodes if node.op == "placeholder"]
        self.places = {f"a{i}": i for i in range(len(placeholders))}
        self.constants = document(graph_module.graph, "part")[1]
        # the module gives its results in an order of its own
        told = ["output"] if len(self.results) == 1 else [f"output_{i + 1}" for i in range(len(self.results))]
        made = [name for name, _, _ in self.module._OUTPUTS]
        if sorted(made) != sorted(told) or any(name not in self.places and name not in self.constants for name, _, _ in self.module._INPUTS):
            raise HeddleError("the module that was made has other arguments or results than the part")
        self.order = [made.index(name) for name in told]
        self.reads = [(name, self.places[name]) for name, _, _ in self.module._INPUTS if name in self.places]
        self.fixed = {}  # the constants that are read, by device
        self.types = [(value.dtype, tuple(value.shape)) for value in self.results]
        self.able = set()  # devices whose kernels are there

    def warn(self, text):
        """Once for all parts of a model."""
        if text not in self.warned:
            self.warned.add(text)
            warnings.warn(f"heddle: {self.part.name}: {text}; PyTorch runs it, and the parts like it", stacklevel=3)

    def obstacle(self, arguments):
        """Why the kernels cannot take them, or None."""
        devices = {array.device for array in arguments if isinstance(array, torch.Tensor)}
        if devices and devices <= self.able:
            return None
        if any(device.type != "cuda" for device in devices):
            return f"its kernels are for a GPU, and it was given arrays on {', '.join(sorted(map(str, devices)))}"
        try:
            for device in devices or {torch.device("cuda", torch.cuda.current_device())}:
                self.module._gpu_of(device)
        except (RuntimeError, AssertionError) as error:
            return str(error)
        self.able |= devices
        return None

    def constants_on(self, arguments):
        """The constants that the kernels read, where the arguments are."""
        wanted = [name for name, _, _ in self.module._INPUTS if name in self.constants] if self.constants else []
        device = next((array.device for array in arguments if isinstance(array, torch.Tensor)), None)
        if wanted and device not in self.fixed:
            self.fixed[device] = {name: self.constants[name].to(device) for name in wanted}
        return self.fixed[device] if wanted else {}

    def start(self, arguments):
        """The results, each of the type and shape that the operators give it."""
        given = dict(self.constants_on(arguments))
        for name, place in self.reads:
            array = arguments[place]
            if array.requires_grad:
                array = array.detach()
            if not array.is_contiguous():
                array = array.contiguous()
            given[name] = array.clone() if array.data_ptr() % ALIGNMENT else array
        made = self.function(**given)
        made = [made] if isinstance(made, torch.Tensor) else [made[i] for i in self.order]
        return [each if each.dtype == dtype and each.shape == shape else each.to(dtype).reshape(shape) for each, (dtype, shape) in zip(made, self.types)]

    def forward(self, *arguments):
        obstacle = self.obstacle(arguments)
        if obstacle is not None:
            self.warn(obstacle)
            return self.operators(*arguments)
        made = self.start(arguments)
        return made[0] if self.is_single else made


def scratch(options, number):
    """The folder for what is made of the graph of that number, and what keeps it."""
    if options.folder is not None:
        folder = Path(options.folder) / f"graph-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder, None
    temporary = tempfile.TemporaryDirectory(prefix="heddle-")
    return Path(temporary.name), temporary
