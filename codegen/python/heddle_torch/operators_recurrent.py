# SPDX-License-Identifier: MIT
"""Recurrent networks: one of ONNX's for each layer and direction, which the importer makes a scan of a cell."""

from .operators import operator, shape_of
from .operators_layers import linear_of

# PyTorch's arrays have the gates in another order than ONNX's: this is the place of each of ONNX's.
GATES = {"LSTM": [0, 3, 1, 2], "GRU": [1, 0, 2], "RNN": [0]}
KINDS = {"lstm": "LSTM", "gru": "GRU", "rnn_tanh": "RNN"}


def kind_of(target):
    """The network of "aten.lstm.input"; None: it is none, or rows have lengths of their own."""
    parts = str(target).split(".")
    return KINDS.get(parts[1]) if parts[0] == "aten" and parts[2:] == ["input"] else None


def has_more(node):
    """Returns whether a network does more than ONNX's: it projects its state, or leaves units out as it learns."""
    kind = kind_of(node.target)
    if kind is None:
        return False
    parameters, biases, layers, dropout, train, both = node.args[2:8]
    return len(parameters) != layers * (1 + both) * (4 if biases else 2) or bool(dropout and train)


def side(model, kind, x, states, parameters, reverse):
    """One layer in one direction: what it gives at each step, and after the last one."""
    w, r, *biases = (model.add("Unsqueeze", [model.name(each), model.constant([0])]) for each in parameters)
    b = model.add("Concat", biases, axis=1) if biases else None
    more = {"linear_before_reset": 1} if kind == "GRU" else {}
    made = model.add(kind, [x, w, r, b, None, *states], 3 if kind == "LSTM" else 2, direction="reverse" if reverse else "forward",
                     hidden_size=shape_of(parameters[1])[1], gates=GATES[kind], **more)
    return model.add("Squeeze", [made[0], model.constant([1])]), made[1:]


@operator(*(f"{name}.input" for name in KINDS))
def recurrent(model, node, value):
    kind = kind_of(node.target)
    states, parameters, biases, layers, _, _, both, batch_first = node.args[1:9]
    states = [model.name(each) for each in (states if kind == "LSTM" else [states])]
    count, last = (4 if biases else 2), [[] for _ in states]
    if has_more(node):
        return None
    x = model.name(node.args[0])
    if batch_first:
        x = model.add("Transpose", [x], perm=[1, 0, 2])
    for layer in range(layers):
        sides = []
        for reverse in range(1 + both):
            place = layer * (1 + both) + reverse
            first = [model.add("Slice", [each, *map(model.constant, ([place], [place + 1], [0]))]) for each in states]
            y, after = side(model, kind, x, first, parameters[place * count:(place + 1) * count], reverse)
            sides.append(y)
            for each, state in zip(last, after):
                each.append(state)
        x = model.add("Concat", sides, axis=2) if both else sides[0]
    if batch_first:
        x = model.add("Transpose", [x], perm=[1, 0, 2])
    return [x, *(model.add("Concat", each, axis=0) if len(each) > 1 else each[0] for each in last)]


# --- cells, of which a loop of the person's own makes a network ---------------------------------------------

def halves(model, node, state):
    """Returns what comes of the input and what of the state, of all gates at once."""
    x, _, w, r, *biases = node.args
    biases = [None if each is None else model.name(each) for each in [*biases, None, None][:2]]
    return [linear_of(model, each, model.name(weight), bias, 2) for each, weight, bias in ((model.name(x), w, biases[0]), (state, r, biases[1]))]


def gates_of(model, array, count, hidden):
    return model.add("Split", [array, model.constant([hidden] * count)], count, axis=1)


def gated(model, function, *terms):
    return model.add(function, [model.add("Add", list(terms))])


@operator("lstm_cell")
def lstm_cell(model, node, value):
    h, c = (model.name(each) for each in node.args[1])
    both = model.add("Add", halves(model, node, h))
    i, f, g, o = gates_of(model, both, 4, shape_of(node.args[1][0])[-1])
    i, f, g, o = (model.add(function, [each]) for function, each in (("Sigmoid", i), ("Sigmoid", f), ("Tanh", g), ("Sigmoid", o)))
    after = model.add("Add", [model.add("Mul", [f, c]), model.add("Mul", [i, g])])
    return [model.add("Mul", [o, model.add("Tanh", [after])]), after]


@operator("gru_cell")
def gru_cell(model, node, value):
    h = model.name(node.args[1])
    (x_r, x_z, x_n), (h_r, h_z, h_n) = (gates_of(model, each, 3, shape_of(node.args[1])[-1]) for each in halves(model, node, h))
    r, z = gated(model, "Sigmoid", x_r, h_r), gated(model, "Sigmoid", x_z, h_z)
    new = gated(model, "Tanh", x_n, model.add("Mul", [r, h_n]))
    return model.add("Add", [new, model.add("Mul", [z, model.add("Sub", [h, new])])])


@operator("rnn_tanh_cell", "rnn_relu_cell")
def rnn_cell(model, node, value):
    return gated(model, "Relu" if "relu" in str(node.target) else "Tanh", *halves(model, node, model.name(node.args[1])))
