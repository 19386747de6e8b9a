# SPDX-License-Identifier: MIT
"""The backend of torch.compile: a graph is cut into parts that kernels are made for, and what PyTorch runs between them."""

import operator
import warnings

import torch
from heddle_torch.operators import find
from heddle_torch.trace import exported, value_of
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from .kernels import NAMES, Runner, make, opaque_nodes, scratch
from .options import Options
from .program import HeddleError
from .report import Part, Report

MOST_ROUNDS = 4
# A part of these alone computes nothing: PyTorch makes no copy for most of them.
VIEWS = {"view", "reshape", "permute", "transpose", "t", "expand", "unsqueeze", "squeeze", "slice", "select", "alias", "detach", "_unsafe_view",
         "getitem", "clone", "contiguous"}
TYPES = {*NAMES, torch.int64, torch.int32, torch.bool}


def base_name(node):
    return "getitem" if node.target is operator.getitem else str(node.target).split(".")[1 if str(node.target).startswith("aten.") else 0]


def read_results(node, values):
    """Those of an operator's results that something reads: a batch norm that does not train has two more, which are empty."""
    read = {user.args[1] for user in node.users if user.target is operator.getitem and user.users}
    return [value for i, value in enumerate(values) if i in read]


class Support(OperatorSupportBase):
    """Which nodes Heddle understands: those that an operator stands for, but for `known`, which turned out to be boxes."""

    def __init__(self, known):
        self.known = known

    def is_node_supported(self, submodules, node):
        value = value_of(node)
        if node.op != "call_function" or node.name in self.known:
            return False
        if node.target is operator.getitem:
            return self.is_node_supported(submodules, node.args[0])
        values = read_results(node, value) if isinstance(value, (list, tuple)) else [value]
        return find(node.target) is not None and all(isinstance(v, torch.Tensor) and v.dtype in TYPES and v.numel() > 0 for v in values)


def computes(partition):
    return any(base_name(node) not in VIEWS for node in partition.nodes)


def tell_types(values, are_weights, operators):
    """What a part reads is of the types of what it is given, and a weight where that is one."""
    placeholders = [node for node in operators.graph.nodes if node.op == "placeholder"]
    for placeholder, value, is_weight in zip(placeholders, values, are_weights):
        placeholder.meta.update(val=value, heddle_weight=is_weight)


def is_weight(example):
    """Returns whether an argument of a graph is a parameter of the model. Of a single number its value would be in the document."""
    return isinstance(example, torch.nn.Parameter) and example.dim() > 0


def value_at(graph_module, node):
    value = value_of(node)
    if value is None and node.op == "get_attr":
        value = graph_module
        for step in node.target.split("."):
            value = getattr(value, step)
    return value


def drop_assertions(module):
    """Takes out what asserts types that are known by now: it would keep what it reads from being left between kernels."""
    for node in list(module.graph.nodes):
        if base_name(node) == "_assert_tensor_metadata":
            module.graph.erase_node(node)
    module.recompile()


def cut(program, known, are_weights=()):
    """The graph as a module of which each part is a submodule; gives it with the nodes that call them. `are_weights`: of each argument, whether it is one."""
    module = unlifted(program)
    drop_assertions(module)
    partitioner = CapabilityBasedPartitioner(module, Support(known), allows_single_node_partition=True)
    partitions = [partition for partition in partitioner.propose_partitions() if computes(partition)]
    fused = partitioner.fuse_partitions(partitions, prefix="heddle_part_")
    weights = {node for node, is_weight in zip((n for n in fused.graph.nodes if n.op == "placeholder"), are_weights) if is_weight}
    calls = [node for node in fused.graph.nodes if node.op == "call_module" and node.target.startswith("heddle_part_")]
    for call in calls:
        values = [value_at(fused, argument) for argument in call.args]
        tell_types(values, [argument in weights for argument in call.args], fused.get_submodule(call.target))
    return fused, calls


def unlifted(program):
    """The program as a module that has its arrays, and writes into what it was given where the model does."""
    try:
        return program.module(check_guards=False)
    except TypeError:  # before PyTorch 2.9
        return program.module()


class Compiler:
    """What torch.compile calls with each graph. `report` has a row for each part of all of them."""

    def __init__(self, options=None):
        self.options = options or Options()
        self.report = Report(self.options.machine())
        self.kept = []
        self.warned = set()

    def __call__(self, graph_module, examples):
        if torch.is_grad_enabled() and any(isinstance(e, torch.Tensor) and e.requires_grad for e in examples):
            return self.leave(graph_module, "gradients go through it, which kernels do not compute: call it under torch.no_grad ()")
        try:
            return self.compile(graph_module, examples)
        except Exception as error:  # whatever PyTorch or the program raises: the model still runs
            lines = str(error).strip().splitlines()
            return self.leave(graph_module, f"{type(error).__name__}: {lines[0] if lines else 'no reason was given'}")

    def leave(self, graph_module, reason):
        """PyTorch runs the graph as it is."""
        nodes = [node.name for node in graph_module.graph.nodes if node.op.startswith("call_")]
        self.report.parts.append(Part(f"part_{len(self.report.parts) + 1}", nodes, "pytorch", reason))
        warnings.warn(f"heddle: PyTorch runs {len(nodes)} operators: {reason}", stacklevel=2)
        return graph_module.forward

    def compile(self, graph_module, examples):
        folder, kept = scratch(self.options, len(self.kept) + 1)
        self.kept.append(kept)
        program = exported(graph_module, examples)
        known, reasons = {}, {}
        for _ in range(MOST_ROUNDS):
            fused, calls = cut(program, known, [is_weight(each) for each in examples])
            found = {}
            for call in calls:
                reasons[call.target] = self.look(fused, call, folder, found)
            if not found:
                break
            known |= found
        for call in calls:
            self.replace(fused, call, folder, reasons[call.target])
        self.tell_rest(fused, known)
        return fused

    def look(self, fused, call, folder, found):
        """Adds the boxes of a part to `found`; gives why it cannot be a document at all, or None."""
        try:
            found |= opaque_nodes(fused.get_submodule(call.target).graph, call.target, folder, self.options.program)
        except HeddleError as error:
            return str(error)
        return None

    def replace(self, fused, call, folder, reason):
        """The part by its kernels, if they can be made."""
        operators = fused.get_submodule(call.target)
        nodes = [node.name for node in operators.graph.nodes if node.op == "call_function"]
        part = Part(call.target, nodes)
        try:
            if reason is not None:
                raise HeddleError(reason)
            setattr(fused, call.target, Runner(operators, part, make(operators.graph, part, folder, self.options), self.warned))
        except HeddleError as error:
            part.by, part.reason = "pytorch", str(error)
        part.name = f"part_{len(self.report.parts) + 1}"
        self.report.parts.append(part)

    def tell_rest(self, fused, known):
        """A row for what is between the parts and computes something."""
        for node in fused.graph.nodes:
            if node.op == "call_function" and base_name(node) not in VIEWS:
                reason = known.get(node.name, f"{node.target} is an operator that Heddle does not know")
                self.report.parts.append(Part(f"part_{len(self.report.parts) + 1}", [node.name], "pytorch", reason))


def backend(graph_module, examples, **_):
    """torch.compile(model, backend="heddle")."""
    return Compiler()(graph_module, examples)


torch._dynamo.register_backend(backend, name="heddle")
