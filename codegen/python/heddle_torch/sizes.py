# SPDX-License-Identifier: MIT
"""Sizes that a model leaves open: those that torch.export calls dynamic, by their names.

torch.export says whether a model can take them at all. Then the model is traced at three sets of sizes, and each trace becomes a document. Where those differ in
nothing but lengths of axes, and these follow from the open sizes, the document holds for all sizes: its axes are as long as the open ones say.
"""

import inspect
import itertools
import re
from dataclasses import dataclass, field
from fractions import Fraction

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

SETS = 3
FARTHEST = 32  # from the example's size
AXIS = re.compile(r'(?P<head>\s*<axis id="[^"]*" name="(?P<name>[^"]*)" size=")(?P<size>\d+)("/>)')
DIAGRAM = re.compile(r'\s*<diagram id="([^"]*)"')
CALL = re.compile(r' calls="([^"]*)"')
NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")


class Fixed(ValueError):
    """A size cannot stay open, in one line."""


@dataclass
class Open:
    """A size by its name, what it was in the example, and what it may be at most, or None."""
    name: str
    value: int
    least: int
    most: object
    others: list = field(default_factory=list)  # what it is in the other traces

    def __str__(self):
        return f"{self.name} = {self.value} ({self.least} or more)" if self.most is None else f"{self.name} = {self.value} ({self.least} to {self.most})"


def dims_of(spec, value):
    """Pairs of an array and what `spec` says of its dimensions: {dimension: Dim}."""
    if isinstance(value, torch.Tensor):
        pairs = spec.items() if isinstance(spec, dict) else enumerate(spec or ())
        return [(value, {place: dim for place, dim in pairs if hasattr(dim, "__name__")})]
    if spec is None or isinstance(value, (str, bytes)):
        return []
    if isinstance(value, dict):
        return [pair for key, each in value.items() if key in spec for pair in dims_of(spec[key], each)]
    return [pair for one, each in zip(spec, value) for pair in dims_of(one, each)] if isinstance(value, (list, tuple)) else []


def said_of(module, examples, keywords, dynamic_shapes):
    """Returns what was said of each array among the arguments, by its id."""
    bound = inspect.signature(module.forward).bind(*examples, **keywords).arguments
    named = dynamic_shapes if isinstance(dynamic_shapes, dict) else dict(zip(bound, dynamic_shapes))
    return {id(array): dims for name, value in bound.items() for array, dims in dims_of(named.get(name), value)}


def symbol_of(size):
    """The symbol that a size is, or is computed of; None if it is a number or has several."""
    symbols = list(size.node.expr.free_symbols) if isinstance(size, torch.SymInt) else []
    return symbols[0] if len(symbols) == 1 else None


def bounds_of(program, symbol):
    bounds = program.range_constraints.get(symbol)
    least, most = (int(bounds.lower), bounds.upper) if bounds is not None else (1, None)
    return max(1, least), int(most) if most is not None and most.is_finite and most < 1 << 40 else None


def other_values(size, ratios):
    """Two other values within the bounds, so far apart that no size grows as another one does: `ratios` has how the others grow. None if there are none."""
    near = [*range(size.value + 1, size.value + FARTHEST), *range(size.value - 1, max(size.least, size.value - FARTHEST) - 1, -1)]
    near = [value for value in near if size.most is None or value <= size.most]
    for one, other in itertools.permutations(near, 2):
        ratio = Fraction(other - size.value, one - size.value)
        if ratio not in ratios:
            ratios.add(ratio)
            return [one, other]
    return None


class Sizes:
    """The open sizes of a program: which dimension of which input each is."""

    def __init__(self, program, module, examples, keywords, dynamic_shapes):
        said = said_of(module, examples, keywords, dynamic_shapes)
        leaves, self.tree = tree_flatten((tuple(examples), keywords))
        self.leaves, self.shapes, self.open = leaves, {}, {}
        shapes = [node.meta.get("val") for node in program.graph.nodes
                  if node.op == "placeholder" and node.name in program.graph_signature.user_inputs]
        arrays = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        shapes = [value.shape for value in shapes if isinstance(value, torch.Tensor)]
        if len(arrays) != len(shapes):
            raise Fixed("the program has other inputs than the arguments")
        for place, shape in zip(arrays, shapes):
            self.shapes[place] = list(shape)
            for i, size in enumerate(shape):
                self.note(program, size, leaves[place].shape[i], said.get(id(leaves[place]), {}).get(i))
        ratios = set()
        for size in self.open.values():
            size.others = other_values(size, ratios)
            if size.others is None:
                raise Fixed(f"size {size.name} has too few values from {size.least} to {size.most}")

    def note(self, program, size, value, dim):
        """A size has the name that was given to it, else one by its number."""
        symbol = symbol_of(size)
        if symbol is None or symbol in self.open or size.node.expr != symbol:
            return
        name = getattr(dim, "__name__", "")
        self.open[symbol] = Open(name if NAME.fullmatch(name) else f"size_{len(self.open) + 1}", value, *bounds_of(program, symbol))

    def names(self, place):
        """The names of open dimensions of an argument's array."""
        return {i: self.open[size.node.expr].name for i, size in enumerate(self.shapes.get(place, ()))
                if isinstance(size, torch.SymInt) and size.node.expr in self.open}

    def examples(self, number):
        """Arguments of other sizes."""
        values = {symbol: size.others[number] for symbol, size in self.open.items()}
        made = list(self.leaves)
        for place, shape in self.shapes.items():
            own = [int(size.node.expr.subs(values)) if symbol_of(size) in values else made[place].shape[i] for i, size in enumerate(shape)]
            made[place] = made[place].new_zeros(own)
        return tree_unflatten(made, self.tree)

    def values_of(self, args, kwargs):
        """The open sizes of arguments, in order. Raises Fixed where they are none that the model was exported for."""
        leaves, tree = tree_flatten((tuple(args), kwargs))
        if tree != self.tree:
            raise Fixed("the arguments are others than those of the example")
        values = {}
        for place, shape in self.shapes.items():
            own = tuple(leaves[place].shape) if isinstance(leaves[place], torch.Tensor) else ()
            if len(own) != len(shape):
                raise Fixed("an argument is no array of as many dimensions as that of the example")
            for size, value in zip(shape, own):
                if isinstance(size, torch.SymInt) and size.node.expr in self.open:
                    values.setdefault(size.node.expr, value)
        for symbol, size in self.open.items():
            if values[symbol] < size.least or (size.most is not None and values[symbol] > size.most):
                raise Fixed(f"{size.name} is {values[symbol]} and not {size.least} {'or more' if size.most is None else f'to {size.most}'}")
        for place, shape in self.shapes.items():
            for i, size in enumerate(shape):
                wanted = int(size.node.expr.subs(values)) if isinstance(size, torch.SymInt) else size
                if leaves[place].shape[i] != wanted:
                    raise Fixed(f"dimension {i} of an array is {leaves[place].shape[i]}, where it is to be {wanted}")
        return tuple(values[symbol] for symbol in self.open)


def open_sizes(module, examples, keywords, dynamic_shapes):
    """The sizes that torch.export leaves open. Raises what it raises where the model cannot take them, or Fixed."""
    with torch.no_grad():
        program = torch.export.export(module, tuple(examples), keywords, dynamic_shapes=dynamic_shapes)
    return Sizes(program, module, examples, keywords, dynamic_shapes)


# --- documents --------------------------------------------------------------------------------------

def follow(values, sizes):
    """Returns what an axis of these lengths, one for each set of sizes, is as long as: a name, a factor and a term; None if nothing says it."""
    for name, own in sizes.items():
        factor, rest = divmod(values[1] - values[0], own[1] - own[0])
        if rest == 0 and all(value == factor * size + values[0] - factor * own[0] for value, size in zip(values, own)):
            return name, factor, values[0] - factor * own[0]
    return None


def expression(name, factor, term):
    text = f"size({name})" if factor == 1 else f"{factor} * size({name})"
    return f"{text} + {term}" if term > 0 else f"{text} - {-term}" if term < 0 else text


def join(documents, sizes):
    """The first of documents that were made at several sizes, with axes whose lengths follow from the open ones. Raises Fixed."""
    lines = [document.split("\n") for document in documents]
    if len({len(each) for each in lines}) != 1:
        raise Fixed(f"other operators come of other sizes ({', '.join(sizes)})")
    made, known, is_called = [], set(), False
    called = set(CALL.findall(documents[0]))
    for same in zip(*lines):
        matches = [AXIS.fullmatch(line) for line in same]
        if DIAGRAM.match(same[0]):
            known, is_called = set(), DIAGRAM.match(same[0])[1] in called
        if all(matches) and matches[0]["name"] in sizes:
            known.add(matches[0]["name"])
        if len(set(same)) == 1:
            made.append(same[0])
            continue
        if not all(matches) or len({match["name"] for match in matches}) != 1:
            raise Fixed(f"a number of the model depends on {', '.join(sizes)}: {same[0].strip()[:120]}")
        name, found = matches[0]["name"], follow([int(match["size"]) for match in matches], sizes)
        if found is None:
            raise Fixed(f"axis {name} is as long as no open size says")
        made.append((same[0], matches[0], found, known, is_called))
    return "\n".join(line if isinstance(line, str) else tied(*line) for line in made)


def tied(line, match, found, known, is_called):
    """The line of an axis. The open size itself stays as it is; in a definition a call says how long it is."""
    name = found[0]
    if (match["name"], 1, 0) == found:
        return line.replace(f' size="{match["size"]}"', "") if is_called else line
    if match["name"] == name:
        raise Fixed(f"axis {name} is as long as {expression(*found)} says")
    if name not in known:
        raise Fixed(f"axis {match['name']} is as long as {name} says, which is not known where it stands")
    return f"{match['head']}{expression(*found)}{match[4]}"
