# SPDX-License-Identifier: MIT
"""Recurrent networks: one of ONNX's for each layer and direction, which the importer makes a scan of a cell."""

from .operators import operator, shape_of

# Where each gate of ONNX's lies in PyTorch's arrays.
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
