# SPDX-License-Identifier: MIT
"""What a module does, as a graph of ATen's operators."""

import contextlib
import inspect
import os
import re
import sys
import traceback
from dataclasses import dataclass, field, replace
from operator import getitem

import torch
from torch import fx

from . import writes
from .failures import FRAME, untraceable
from .operators import find
from .operators_recurrent import has_more
from .sizes import SETS, Fixed, open_sizes

TORCH = os.path.dirname(torch.__file__) + os.sep
HERE = os.path.dirname(__file__) + os.sep
LONGEST_SOURCE = 100
DEEPEST = 200  # frames of a trace that are looked at


@dataclass
class Trace:
    """Nodes of torch.fx, in order; what the placeholders are; the numbers of what is no input."""
    name: str
    nodes: list
    inputs: dict = field(default_factory=dict)  # placeholder's name -> name of the argument
    arrays: dict = field(default_factory=dict)  # placeholder's or attribute's name -> (name of the parameter or buffer, array)
    constants: set = field(default_factory=set)  # of those names: numbers that are no parameters
    by: str = ""  # how it was traced
    open: list = field(default_factory=list)  # sizes that are left open
    open_dimensions: dict = field(default_factory=dict)  # placeholder's name -> {dimension: name of the open size}
    others: list = field(default_factory=list)  # the same module at other values of those
    written: list = field(default_factory=list)  # buffers and arguments whose new values are the first outputs of the graph, by name


def value_of(node):
    """The fake array, or list of them, that a node makes."""
    for key in ("val", "fake_result", "tensor_meta"):
        if node.meta.get(key) is not None:
            return node.meta[key]
    return None


def path_of(node):
    """The modules around a node, the outermost first: ["layers.0", "attention", "qkv"]."""
    if "heddle_path" in node.meta:
        stack = node.meta["heddle_path"]
    else:
        stack = [str(entry[0]) for entry in (node.meta.get("nn_module_stack") or {}).values()]
        stack = [re.sub(r"^L\['self'\]\.?", "", path) for path in stack]
    parts, around = [], ""
    for path in stack:
        path = re.sub(r"@\d+$", "", path)
        if path and path != around:
            parts.append(path[len(around) + 1:] if path.startswith(around + ".") else path)
            around = path
    return parts


def source_of(node):
    """The innermost line that is not PyTorch's own: "model.py:17: scores = q @ k"."""
    for frame in reversed(list(FRAME.finditer(node.meta.get("stack_trace") or node.stack_trace or ""))):
        name = frame["file"]
        if not name.startswith((TORCH, HERE, "<")):
            return f"{os.path.basename(name)}:{frame['line']}: {(frame['code'] or '').strip()}"[:LONGEST_SOURCE]
    return ""


def name_of(function):
    return getattr(function, "__name__", None) or type(function).__name__


def argument_names(function, count):
    """What the function calls its arguments."""
    try:
        parameters = inspect.signature(function.forward if isinstance(function, torch.nn.Module) else function).parameters.values()
    except (TypeError, ValueError):
        parameters = ()
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [names[i] if i < len(names) else f"x{i}" for i in range(count)]


class Plain(torch.nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


# --- torch.export ---------------------------------------------------------------------------------

def decompositions(graph):
    """How PyTorch says what no operator stands for in terms of what some do, where it can."""
    from torch._decomp import get_decompositions
    unknown = [node.target for node in graph.nodes
               if node.op == "call_function" and node.target is not getitem and (find(node.target) is None or has_more(node))]
    return get_decompositions(unknown)


def is_plain(graph):
    """Returns whether nothing in a graph writes, and nothing is wrapped for no_grad, autocast or a checkpoint."""
    return not any(writes.written(node) or str(node.target).startswith("wrap_") for node in graph.nodes if node.op == "call_function")


def exported(module, examples, keywords=None):
    """The module as a torch.export.ExportedProgram, of operators that `find` knows where PyTorch can say it in them."""
    with torch.no_grad():
        program = torch.export.export(module, tuple(examples), keywords or {})
        if not is_plain(program.graph):
            program = program.run_decompositions({})
    table = decompositions(program.graph)
    return decomposed(program, table) if table else program


def decomposed(program, table):
    """The program with what `table` says of its operators, but for those that PyTorch then cannot go on with."""
    try:
        return program.run_decompositions(table)
    except RuntimeError:
        if len(table) == 1:
            return program
    for each, meaning in table.items():
        program = decomposed(program, {each: meaning})
    return program


def is_plain_call(examples, keywords):
    """Returns whether a module is given arrays alone, one for each argument: dictionaries, lists and keywords have names that PyTorch makes up."""
    return not keywords and all(isinstance(each, torch.Tensor) for each in examples)


def by_export(module, examples, name, names, keywords):
    program = exported(module, examples, keywords)
    result = Trace(name, list(program.graph.nodes), by="torch.export")
    arguments = iter(names if is_plain_call(examples, keywords) else [])
    buffers = dict(program.named_buffers())
    for spec in program.graph_signature.input_specs:
        kind = spec.kind.name
        if kind == "USER_INPUT":
            result.inputs[spec.arg.name] = next(arguments, spec.arg.name)
            continue
        array = program.state_dict.get(spec.target)
        if array is None:
            array = program.constants.get(spec.target, buffers.get(spec.target))
        result.arrays[spec.arg.name] = (spec.target, array)
        if kind == "CONSTANT_TENSOR":
            result.constants.add(spec.arg.name)
    result.written = [spec.target for spec in program.graph_signature.output_specs if spec.kind.name.endswith("_MUTATION")]
    return result


def by_open_export(module, examples, name, names, keywords, dynamic_shapes):
    """Traces as by_export does, with what torch.export calls dynamic sizes left open, and with two more traces at other values of them."""
    sizes = open_sizes(module, examples, keywords, dynamic_shapes)
    if not sizes.open:
        raise Fixed("torch.export leaves no size open")
    result = with_open(by_export(module, examples, name, names, keywords), sizes, list(sizes.open.values()))
    for number in range(SETS - 1):
        others, more = sizes.examples(number)
        own = [replace(size, value=size.others[number]) for size in sizes.open.values()]
        result.others.append(with_open(by_export(module, others, name, names, more), sizes, own))
    return result


def with_open(traced, sizes, own):
    """The trace, which knows which dimensions of its inputs are open. `own`: the sizes with their values in it."""
    traced.open = own
    arrays = [node.name for node in traced.nodes if node.op == "placeholder" and node.name in traced.inputs and isinstance(value_of(node), torch.Tensor)]
    traced.open_dimensions = {node: sizes.names(place) for node, place in zip(arrays, sizes.shapes)}
    return traced


# --- torch.fx --------------------------------------------------------------------------------------

class Places:
    """Says of each node that a tracer makes in which module, and by which lines, it was made."""

    def __init__(self, module):
        self.stack, self.hooks = [], []
        for path, part in module.named_modules():
            if path:
                self.hooks.append(part.register_forward_pre_hook(self.entering(path)))
                self.hooks.append(part.register_forward_hook(self.leaving))

    def entering(self, path):
        def enter(*_):
            self.stack.append(path)
        return enter

    def leaving(self, *_):
        self.stack.pop()

    def watch(self, tracer):
        create = tracer.create_proxy

        def create_proxy(*arguments, **keywords):
            proxy = create(*arguments, **keywords)
            proxy.node.meta["heddle_path"] = list(self.stack)
            proxy.node.meta["stack_trace"] = "".join(traceback.format_list(traceback.extract_stack(limit=DEEPEST)))
            return proxy

        tracer.create_proxy = create_proxy

    def remove(self):
        for hook in self.hooks:
            hook.remove()


class Values(fx.Interpreter):
    """Notes what each node makes, as fake arrays."""

    def run_node(self, n):
        value = super().run_node(n)
        n.meta["val"] = value
        return value


def tracer_at_work():
    from torch.fx.experimental import proxy_tensor
    for name in ("get_proxy_mode", "get_innermost_proxy_mode"):
        mode = getattr(proxy_tensor, name, lambda: None)()
        if mode is not None:
            return mode.tracer
    for mode in proxy_tensor.get_torch_dispatch_modes():
        if hasattr(mode, "tracer"):
            return mode.tracer
    raise RuntimeError("this PyTorch has neither torch.export nor a tracer of torch.fx that can be used")


def functional_call(module, arrays, arguments):
    if hasattr(torch, "func"):
        return torch.func.functional_call(module, arrays, arguments)
    from torch.nn.utils.stateless import functional_call as older
    return older(module, arrays, arguments)


def by_fx(module, examples, name, names, keywords):
    if not is_plain_call(examples, keywords):
        raise TypeError("torch.fx takes arrays alone, one for each argument: neither keywords nor dictionaries")
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx
    arrays = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    places = Places(module)

    def run(given, *arguments):
        places.watch(tracer_at_work())
        return functional_call(module, dict(zip(arrays, given)), arguments)

    given = [array.detach() for array in arrays.values()]
    try:
        with torch.no_grad():
            graph = make_fx(run, tracing_mode="fake")(given, *examples)
            table = decompositions(graph.graph)
            if table:
                graph = make_fx(run, decomposition_table=table, tracing_mode="fake")(given, *examples)
    finally:
        places.remove()
    graph.graph.eliminate_dead_code()
    constants = {node.target: getattr(graph, node.target) for node in graph.graph.nodes if node.op == "get_attr"}
    with FakeTensorMode() as mode, torch.no_grad():
        for target, array in constants.items():
            setattr(graph, target, mode.from_tensor(array))
        Values(graph).run(*map(mode.from_tensor, [*given, *examples]))
    result = Trace(name, list(graph.graph.nodes), by="torch.fx")
    placeholders = [node.name for node in result.nodes if node.op == "placeholder"]
    result.arrays = dict(zip(placeholders, arrays.items()))
    result.inputs = dict(zip(placeholders[len(arrays):], names))
    for node in result.nodes:
        if node.op == "get_attr":
            result.arrays[node.name] = (node.name, constants[node.target])
            result.constants.add(node.name)
    return result


def has_cache(given):
    """Returns whether a cache of transformers is among what a module is given. torch.export is then told what arrays are in one."""
    from torch.utils._pytree import tree_leaves
    found = getattr(sys.modules.get("transformers"), "DynamicCache", None)
    if found is None or not any(isinstance(leaf, found) for leaf in tree_leaves(given, is_leaf=lambda each: isinstance(each, found))):
        return False
    with contextlib.suppress(ImportError):  # older ones have said it by themselves
        from transformers.integrations.executorch import register_dynamic_cache_export_support
        register_dynamic_cache_export_support()
    return True


class Plainer:
    """For its time a model of transformers keeps nothing from one call to the next, unless it is given a cache, which it then gives back with what it added,
    and its experts are products of matrices that are read at indices, where they would be sorted into groups of a length that nobody knows."""

    def __init__(self, module, given=()):
        self.keeps = has_cache(given)
        self.configurations = list({id(each): each for each in (getattr(part, "config", None) for part in module.modules()) if each is not None}.values())
        self.changed = []

    def change(self, name, was, value):
        for each in self.configurations:
            if getattr(each, name, None) in was:
                self.changed.append((each, name, getattr(each, name)))
                setattr(each, name, value)

    def __enter__(self):
        self.change("use_cache", (not self.keeps,), self.keeps)
        self.change("_experts_implementation", ("grouped_mm", "eager"), "batched_mm")

    def __exit__(self, *_):
        for each, name, value in reversed(self.changed):
            setattr(each, name, value)


def describe(node):
    return ", ".join(each for each in (".".join(path_of(node)), source_of(node)) if each) or node.name


def trace(thing, examples, use_fx=False, keywords=None, dynamic_shapes=None):
    """`thing`, a torch.nn.Module (put into its state of evaluation) or a function, on arguments like `examples` and `keywords`: arrays, or dictionaries and
    lists of them. `dynamic_shapes`: which of their sizes stay open, with their names, as torch.export takes it. Raises Untraceable, with one line."""
    name, names = name_of(thing), argument_names(thing, len(examples))
    module = thing if isinstance(thing, torch.nn.Module) else Plain(thing)
    was_training = module.training
    module.eval()
    has_export = hasattr(torch, "export") and hasattr(torch.export, "export")
    try:
        with Plainer(module, (examples, keywords)):
            if dynamic_shapes is not None and (use_fx or not has_export):
                raise Fixed("torch.fx leaves no sizes open")
            if dynamic_shapes is not None and isinstance(module, Plain):
                dynamic_shapes = (tuple(dynamic_shapes.get(each) for each in names) if isinstance(dynamic_shapes, dict) else tuple(dynamic_shapes),)
            if dynamic_shapes is not None:
                result = by_open_export(module, examples, name, names, keywords or {}, dynamic_shapes)
            else:
                result = (by_fx if use_fx or not has_export else by_export)(module, examples, name, names, keywords or {})
    except Exception as error:
        raise untraceable(error, module) from error
    finally:
        module.train(was_training)
    writes.refuse(result, describe)
    return result
