# SPDX-License-Identifier: MIT
"""Random programs in the language of equations: their text, and what they mean, worked out point by point with nothing of the program's own code.

An expression is a tuple, its head first: ("number", x), ("size", axis), ("read", array, (index, ...)), ("map", text, (expression, ...)),
("where", (axis, sign, number), yes, no), ("reduce", kind, axis, expression), ("norm", kind, axis, expression), ("scan", axis, expression),
("product", (read, ...)), which is summed over the axes that the left side lacks. An index is (axis, factor, shift): factor * axis + shift."""

import itertools
import math
from collections import Counter

import numpy

# How a function is written, and what it is. All take any real number.
MAPS = {
    "-{0}": lambda x: -x,
    "tanh({0})": math.tanh,
    "sigmoid({0})": lambda x: 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x)),
    "exp(tanh({0}))": lambda x: math.exp(math.tanh(x)),
    "sin({0})": math.sin,
    "log(1 + {0}*{0})": lambda x: math.log(1 + x * x),
    "rsqrt(1 + {0}*{0})": lambda x: 1 / math.sqrt(1 + x * x),
    "silu({0})": lambda x: x / (1 + math.exp(-x)) if x > -700 else 0.0,
    "gelu({0})": lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))),
    "{0} + {1}": lambda x, y: x + y,
    "{0} - {1}": lambda x, y: x - y,
    "{0} * {1}": lambda x, y: x * y,
    "{0} / (2 + {1}*{1})": lambda x, y: x / (2 + y * y),
    "relu({0})": lambda x: max(x, 0.0),
    "abs({0})": abs,
    "max({0}, {1})": max,
    "min({0}, {1})": min,
}
ROUGH = {"relu({0})", "abs({0})", "max({0}, {1})", "min({0}, {1})"}
SIGNS = {"<=": lambda x, y: x <= y, ">": lambda x, y: x > y, "==": lambda x, y: x == y}
MAPS_OF_PRODUCTS = {"*": lambda *factors: math.prod(factors)}
EPS = 1e-3
# Beyond this a sum has too few digits left for what it is made of.
LARGEST = 1e6


class LeftOut(Exception):
    """A read outside its array, of which the reduction that it names goes without this point."""


class Program:
    """Sizes of axes, inputs with their axes, and statements (name, axes, expression), each after what it reads."""

    def __init__(self, sizes, inputs, statements, dtype="f64"):
        self.sizes, self.inputs, self.statements, self.dtype = sizes, inputs, statements, dtype

    def outputs(self):
        read = {name for _, _, expression in self.statements for name in arrays_of(expression)}
        return [name for name, _, _ in self.statements if name not in read]

    def axes_of(self, array):
        return self.inputs[array] if array in self.inputs else next(axes for name, axes, _ in self.statements if name == array)

    def used(self):
        """Inputs that something reads."""
        read = {name for _, _, expression in self.statements for name in arrays_of(expression)}
        return [name for name in self.inputs if name in read]

    def text(self):
        told, lines = set(), []

        def declare(axis):
            known = axis in told
            told.add(axis)
            return axis if known else f"{axis}={self.sizes[axis]}"
        for name in self.used():
            lines.append(f"{name} : {self.dtype}[{', '.join(map(declare, self.inputs[name]))}]")
        for name, axes, expression in self.statements:
            inside = text_of(expression)
            left = f"[{','.join(map(declare, axes))}]" if axes else ""
            lines.append(f"{name}{left} = {inside}")
        return "\n".join(lines) + "\n"


def children(expression):
    head = expression[0]
    return {"map": lambda: expression[2], "where": lambda: expression[2:], "reduce": lambda: expression[3:], "norm": lambda: expression[3:],
            "scan": lambda: expression[2:], "product": lambda: expression[1]}.get(head, lambda: ())()


def with_children(expression, new):
    head = expression[0]
    if head in ("map",):
        return (*expression[:2], tuple(new))
    if head == "product":
        return ("product", tuple(new))
    keep = {"where": 2, "reduce": 3, "norm": 3, "scan": 2}[head]
    return (*expression[:keep], *new)


def arrays_of(expression):
    return {expression[1]} if expression[0] == "read" else set().union(*map(arrays_of, children(expression)))


def occurs(axis, expression):
    """What is reduced, normalised or scanned has the axis: something is read along it."""
    if expression[0] == "read":
        return any(own == axis and factor for own, factor, _ in expression[2])
    if expression[0] == "reduce" and expression[2] == axis:
        return False
    return any(occurs(axis, child) for child in children(expression))


def is_smooth(expression):
    """Whether differences tell the derivative."""
    if expression[0] == "map" and expression[1] in ROUGH or expression[0] == "reduce" and expression[1] in ("max", "min"):
        return False
    return all(map(is_smooth, children(expression)))


# --- text ---


def text_of_index(index):
    axis, factor, shift = index
    if axis is None or factor == 0:
        return str(shift)
    if factor == -1:
        return f"{shift} - {axis}"
    return f"{axis} {'-' if shift < 0 else '+'} {abs(shift)}" if shift else axis


def text_of(expression):
    head = expression[0]
    if head == "number":
        return f"({expression[1]})" if expression[1] < 0 else str(expression[1])
    if head == "size":
        return f"size({expression[1]})"
    if head == "read":
        return expression[1] + (f"[{','.join(map(text_of_index, expression[2]))}]" if expression[2] else "")
    inside = [text_of(child) for child in children(expression)]
    if head == "map":
        return "(" + expression[1].format(*inside) + ")"
    if head == "where":
        axis, sign, number = expression[1]
        return f"where(index({axis}) {sign} {number}, {inside[0]}, {inside[1]})"
    if head == "product":
        return " ".join(inside)
    kind = "cumsum" if head == "scan" else expression[1]
    option = f", eps={EPS}" if kind in ("rmsnorm", "layernorm", "l2norm") else ""
    return f"{kind}[{expression[-2]}{option}]({inside[0]})"


# --- meaning ---

# A point has, for each axis, a place and the marks of the reductions that the place comes from. What a name stands for is worked out where it is
# read, so that a name changes nothing: the language says the same.


def read(world, expression, point, around):
    places, marks = [], set()
    for axis, factor, shift in expression[2]:
        place, own = point[axis] if axis else (0, frozenset())
        places.append(place * factor + shift)
        marks |= own if factor else frozenset()
    sizes = [world.program.sizes[axis] for axis in world.program.axes_of(expression[1])]
    if not all(0 <= place < size for place, size in zip(places, sizes)):
        for mark in reversed(around):
            if mark in marks:
                raise LeftOut(mark)
        return 0.0
    if expression[1] in world.numbers:
        return float(world.numbers[expression[1]][tuple(places)])
    _, axes, inner = world.statements[expression[1]]
    froms = [point[axis][1] if axis and factor else frozenset() for axis, factor, _ in expression[2]]
    return statement(world, axes, inner, dict(zip(axes, zip(places, froms))), around)


def terms(world, axes, expression, point, around, ranges=None):
    """What is there at each point along axes, but for what is left out."""
    mark = object()
    for places in itertools.product(*(ranges or [range(world.program.sizes[axis]) for axis in axes])):
        try:
            yield value(world, expression, {**point, **{axis: (place, frozenset([mark])) for axis, place in zip(axes, places)}}, [*around, mark])
        except LeftOut as left:
            if left.args[0] is not mark:
                raise


def reduce(kind, found):
    if kind == "mean":
        return sum(found) / len(found)
    if kind == "logsumexp":
        most = max(found)
        return most + math.log(sum(math.exp(x - most) for x in found))
    return {"sum": sum, "prod": math.prod, "max": max, "min": min}[kind](found)


def normalise(world, expression, point, around):
    kind, axis, inner = expression[1:]
    own = list(terms(world, [axis], inner, point, around, [[point[axis][0]]]))
    found = list(terms(world, [axis], inner, point, around))
    if not own:
        return 0.0
    if kind == "softmax":
        most = max(found)
        return math.exp(own[0] - most) / sum(math.exp(x - most) for x in found)
    centre = sum(found) / len(found) if kind == "layernorm" else 0.0
    square = sum((x - centre) ** 2 for x in found) / (1 if kind == "l2norm" else len(found))
    return (own[0] - centre) / math.sqrt(square + EPS)


def value(world, expression, point, around):
    head = expression[0]
    if head == "number":
        return float(expression[1])
    if head == "size":
        return float(world.program.sizes[expression[1]])
    if head == "read":
        return read(world, expression, point, around)
    if head == "map":
        return (MAPS.get(expression[1]) or MAPS_OF_PRODUCTS[expression[1]])(*[value(world, child, point, around) for child in expression[2]])
    if head == "where":
        axis, sign, number = expression[1]
        return value(world, expression[2 if SIGNS[sign](point[axis][0], number) else 3], point, around)
    if head == "reduce":
        return reduce(expression[1], list(terms(world, [expression[2]], expression[3], point, around)))
    if head == "norm":
        return normalise(world, expression, point, around)
    if head == "sums":
        return sum(terms(world, expression[1], expression[2], point, around))
    return sum(terms(world, [expression[1]], expression[2], point, around, [range(point[expression[1]][0] + 1)]))


def statement(world, axes, expression, point, around):
    """A product of reads is summed over the axes that the left side lacks: first each factor over those that it alone has, then all over the others. Where
    no read is outside its array that is one sum; where one is, of a name's own expression above all, the innermost sum that can leaves it out."""
    if expression[0] != "product":
        return value(world, expression, point, around)
    summed = [list(dict.fromkeys(axis for axis, scale, _ in factor[2] if axis and scale and axis not in axes)) for factor in expression[1]]
    counts = Counter(axis for own in summed for axis in own)
    factors = tuple(("sums", alone, factor) if (alone := [axis for axis in own if counts[axis] == 1]) else factor
                    for own, factor in zip(summed, expression[1]))
    return sum(terms(world, [axis for axis in counts if counts[axis] > 1], ("map", "*", factors), point, around))


class World:
    """A program with numbers for its inputs."""

    def __init__(self, program, numbers):
        self.program, self.numbers = program, numbers
        self.statements = {name: (name, axes, expression) for name, axes, expression in program.statements}

    def array(self, name):
        _, axes, expression = self.statements[name]
        result = numpy.zeros([self.program.sizes[axis] for axis in axes])
        for places in itertools.product(*[range(self.program.sizes[axis]) for axis in axes]):
            result[places] = statement(self, axes, expression, {axis: (place, frozenset()) for axis, place in zip(axes, places)}, [])
        return result


def evaluate(program, numbers):
    """The outputs by name; None: some of it is infinite or no number, of which nothing is said here."""
    world = World(program, numbers)
    try:
        arrays = {name: world.array(name) for name in program.outputs()}
    except (ValueError, OverflowError, ZeroDivisionError):
        return None
    return arrays if all(numpy.isfinite(array).all() and numpy.abs(array).max(initial=0) < LARGEST for array in arrays.values()) else None


def fit(expression, axis, size):
    """After an axis was made shorter: its reversed reads begin at the new end."""
    if expression[0] == "read":
        return ("read", expression[1], tuple((own, factor, size - 1) if own == axis and factor == -1 else (own, factor, shift)
                                             for own, factor, shift in expression[2]))
    inner = children(expression)
    return with_children(expression, [fit(child, axis, size) for child in inner]) if inner else expression


def work(program, expression, points):
    """How many points of expressions are worked out for so many of this one."""
    if expression[0] == "read" and expression[1] not in program.inputs:
        return points + statement_work(program, expression[1], points)
    inner = points * program.sizes[expression[-2]] if expression[0] in ("reduce", "norm", "scan") else points
    return points + sum(work(program, child, inner) for child in children(expression))


def statement_work(program, name, points):
    axes, expression = next((axes, expression) for own, axes, expression in program.statements if own == name)
    summed = math.prod(size for axis, size in program.sizes.items() if axis not in axes) if expression[0] == "product" else 1
    return work(program, expression, points * summed)


def total_work(program):
    return sum(statement_work(program, name, math.prod(program.sizes[axis] for axis in program.axes_of(name))) for name in program.outputs())


# --- at random ---

# Points that a program may take: our own evaluator is no fast one, and differences of gradients ask it often.
MOST_WORK = 5000


class Maker:
    """Programs of a few statements; the same from the same seed."""

    def __init__(self, random):
        self.random = random
        self.sizes = {axis: random.randint(1, 5) for axis in "ijkl"}
        self.inputs = {name: tuple(random.sample("ijkl", random.randint(1, 3))) for name in "ABC"[:random.randint(1, 3)]}
        self.statements = []

    def arrays(self):
        return {**self.inputs, **{name: axes for name, axes, _ in self.statements}}

    def index(self, axis, plain):
        size = self.sizes[axis]
        choice = self.random.randint(0, 9)
        if plain or choice < 6:
            return (axis, 1, 0)
        if choice == 6:
            return (axis, -1, size - 1)
        if choice == 7:
            return (None, 0, self.random.randrange(size))
        return (axis, 1, self.random.choice((-2, -1, 1, 2)))

    def read(self, free, plain):
        """An array whose axes are free here; None: there is none."""
        fit = [(name, axes) for name, axes in self.arrays().items() if set(axes) <= set(free)]
        if not fit:
            return None
        name, axes = self.random.choice(fit)
        return ("read", name, tuple(self.index(axis, plain) for axis in axes))

    def leaf(self, free, plain):
        if free and self.random.random() < 0.1:
            return ("size", self.random.choice(sorted(free)))
        found = self.read(free, plain) if self.random.random() < 0.9 else None
        return found or ("number", self.random.choice((0.5, 1.5, 2, -1.25, 3)))

    def expression(self, free, depth, plain=False):
        """Over the axes that are free: indices of them may be read."""
        choice = self.random.randint(0, 11)
        if depth == 0 or choice < 2:
            return self.leaf(free, plain)
        bound = self.random.choice("ijkl")
        if choice < 6:
            text = self.random.choice(list(MAPS))
            return ("map", text, tuple(self.expression(free, depth - 1, plain) for _ in range(2 if "{1}" in text else 1)))
        if choice < 9:
            if bound in free:
                return self.expression(free, depth - 1, plain)
            kind = self.random.choice(("sum", "sum", "max", "min", "mean", "prod", "logsumexp"))
            inner = self.expression({*free, bound}, depth - 1, plain)
            return ("reduce", kind, bound, inner) if occurs(bound, inner) else self.leaf(free, plain)
        if not free:
            return self.leaf(free, plain)
        axis = self.random.choice(sorted(free))
        if choice < 11:
            inner = self.expression(free, depth - 1, plain)
            if not occurs(axis, inner):
                return inner
            kind = self.random.choice(("softmax", "rmsnorm", "layernorm", "l2norm"))
            return ("norm", kind, axis, inner) if choice == 9 else ("scan", axis, inner)
        condition = (axis, self.random.choice(list(SIGNS)), self.random.randrange(self.sizes[axis]))
        return ("where", condition, self.expression(free, depth - 1, plain), self.expression(free, depth - 1, plain))

    def contraction(self, axes):
        reads = [self.read("ijkl", False) for _ in range(self.random.randint(2, 3))]
        seen = {axis for factor in reads for axis, scale, _ in factor[2] if axis and scale}
        return ("product", tuple(reads)), tuple(axis for axis in axes if axis in seen)

    def statement(self, number):
        axes = tuple(self.random.sample("ijkl", self.random.randint(0, 3)))
        if self.random.random() < 0.3:
            expression, axes = self.contraction(axes)
        else:
            expression = ("number", 1)
            while not arrays_of(expression):
                axes = tuple(self.random.sample("ijkl", self.random.randint(0, 3)))
                expression = self.expression(set(axes), self.random.randint(1, 4))
        self.statements.append((f"Y{number}", axes, expression))

    def program(self):
        for number in range(self.random.randint(1, 4)):
            self.statement(number)
        program = Program(self.sizes, self.inputs, self.statements, self.random.choice(("f64", "f32")))
        while total_work(program) > MOST_WORK and max(self.sizes.values()) > 1:
            largest = max(self.sizes, key=self.sizes.get)
            self.sizes[largest] -= 1
            program.statements = [(name, axes, fit(expression, largest, self.sizes[largest])) for name, axes, expression in program.statements]
        return program


def values(program, random):
    """Numbers that every type keeps."""
    return {name: numpy.array([random.randint(-16, 16) / 8 for _ in range(math.prod(program.sizes[axis] for axis in axes))]).reshape(
        [program.sizes[axis] for axis in axes]) for name, axes in program.inputs.items()}


# --- smaller ones ---


def smaller_expressions(expression):
    for child in children(expression):
        if expression[0] != "product":
            yield child
    for i, child in enumerate(children(expression)):
        if expression[0] == "product" and len(expression[1]) > 2:
            yield ("product", expression[1][:i] + expression[1][i + 1:])
        for less in smaller_expressions(child):
            yield with_children(expression, [*children(expression)[:i], less, *children(expression)[i + 1:]])
    if expression[0] == "read" and any(index != (index[0], 1, 0) for index in expression[2] if index[0]):
        yield ("read", expression[1], tuple((axis, 1, 0) if axis else (axis, factor, shift) for axis, factor, shift in expression[2]))


def is_whole(program):
    """Every array that is read is there, and every index stands for an axis that is bound."""
    names = set(program.inputs)
    for name, axes, expression in program.statements:
        if not arrays_of(expression) or not arrays_of(expression) <= names or not (expression[0] == "product" or is_bound(expression, set(axes))):
            return False
        names.add(name)
    return bool(program.statements)


def is_bound(expression, free):
    if expression[0] == "read":
        return all(axis in free for axis, factor, _ in expression[2] if axis and factor)
    if expression[0] in ("size",):
        return expression[1] in free
    if expression[0] == "where" and expression[1][0] not in free or expression[0] in ("norm", "scan") and expression[-2] not in free:
        return False
    if expression[0] in ("reduce", "norm", "scan") and not occurs(expression[-2], expression[-1]):
        return False
    inner = {*free, expression[2]} if expression[0] == "reduce" else free
    return all(is_bound(child, inner) for child in children(expression))


def smaller(program):
    """Programs that say less than this one."""
    statements = program.statements
    for i, (name, axes, expression) in enumerate(statements):
        yield Program(program.sizes, program.inputs, statements[:i] + statements[i + 1:], program.dtype)
        yield Program(program.sizes, {**program.inputs, name: axes}, statements[:i] + statements[i + 1:], program.dtype)
        for less in smaller_expressions(expression):
            yield Program(program.sizes, program.inputs, [*statements[:i], (name, axes, less), *statements[i + 1:]], program.dtype)
    for axis, size in program.sizes.items():
        if size > 1:
            yield Program({**program.sizes, axis: size - 1}, program.inputs, statements, program.dtype)


def shrink(program, fails, most=300):
    """The least program found that still fails."""
    tries = 0
    while True:
        for less in smaller(program):
            if is_whole(less) and tries < most:
                tries += 1
                if fails(less):
                    program = less
                    break
        else:
            return program
