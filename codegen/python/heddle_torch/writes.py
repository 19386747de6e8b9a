# SPDX-License-Identifier: MIT
"""What a trace writes into arrays that are there already: a diagram has no such step, so none may be left when it is made."""

import torch

from .failures import Untraceable, one_line


def written(node):
    """The nodes whose arrays an operator writes into, by its schema."""
    schema = getattr(node.target, "_schema", None)
    if node.op != "call_function" or schema is None or not isinstance(node.target, torch._ops.OpOverload):
        return []
    found = []
    for i, argument in enumerate(schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            given = node.kwargs.get(argument.name, node.args[i] if i < len(node.args) else None)
            found += [given] if isinstance(given, torch.fx.Node) else [each for each in given or () if isinstance(each, torch.fx.Node)]
    return found


def is_view(node):
    """Returns whether what a node makes lies within the array of another."""
    schema = getattr(node.target, "_schema", None)
    return schema is not None and any(each.alias_info is not None and not each.alias_info.is_write for each in schema.returns)


def refuse(trace, describe):
    """Refuses a trace with a write that would be lost: into what the module is given or keeps, or into a part of an array. A write into a whole array
    that the module made is what stands for it from there on."""
    for node in trace.nodes:
        for into in written(node):
            if into.op in ("placeholder", "get_attr"):
                raise Untraceable(one_line(describe(node), f"{node.target} writes into “{into.target}”, which the module is given or keeps"))
            if is_view(into):
                raise Untraceable(one_line(describe(node), f"{node.target} writes into a part of an array, which would be lost"))
