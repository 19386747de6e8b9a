#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Recurrent networks: ONNX's RNN, GRU and LSTM as scans of one cell, against NumPy; PyTorch's against themselves, where it is installed.

Usage: test-recurrent.py FOLDER-OF-HEDDLE_TORCH
"""

import itertools
import sys

import numpy as np

from heddle import PROGRAM, Folder, Tap
from onnx_file import graph_of, model, node, tensor

random = np.random.default_rng(11)
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def weight(*shape):
    return (random.standard_normal(shape) * .5).astype("float32")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step(kind, before_reset, x, w, r, b, h, c):
    """One step by ONNX's own formulas: gates i, o, f, c of an LSTM, z, r, h of a GRU."""
    gates = GATES[kind]
    wx, (wb, rb) = [x @ part.T for part in np.split(w, gates)], np.split(b, 2)
    wb, rb, r = np.split(wb, gates), np.split(rb, gates), np.split(r, gates)
    rh = [h @ part.T for part in r]
    if kind == "RNN":
        return np.tanh(wx[0] + rh[0] + wb[0] + rb[0]), c
    if kind == "LSTM":
        i, o, f, g = (wx[k] + rh[k] + wb[k] + rb[k] for k in range(4))
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        return sigmoid(o) * np.tanh(c), c
    z, reset = (sigmoid(wx[k] + rh[k] + wb[k] + rb[k]) for k in range(2))
    if before_reset:
        new = np.tanh(wx[2] + wb[2] + reset * (rh[2] + rb[2]))
    else:
        new = np.tanh(wx[2] + (reset * h) @ r[2].T + wb[2] + rb[2])
    return (1 - z) * new + z * h, c


def run(kind, before_reset, direction, x, w, r, b, h, c):
    """[steps, directions, batch, hidden], and the last states, [directions, batch, hidden] each."""
    sides, lasts, cells = [], [], []
    for d in range(w.shape[0]):
        order = range(len(x) - 1, -1, -1) if direction == "reverse" or d == 1 else range(len(x))
        state, cell, states = h[d].astype("float64"), c[d].astype("float64"), {}
        for t in order:
            state, cell = step(kind, before_reset, x[t].astype("float64"), w[d], r[d], b[d], state, cell)
            states[t] = state
        sides.append(np.stack([states[t] for t in range(len(x))]))
        lasts.append(state)
        cells.append(cell)
    return np.stack(sides, 1), np.stack(lasts), np.stack(cells)


def check_one(tap, folder, name, kind, direction="forward", before_reset=0, layout=0, bias=True, first=True, steps=5, batch=2, hidden=3):
    """Imports a model of one node and compares all it gives."""
    gates, sides, features = GATES[kind], 2 if direction == "bidirectional" else 1, 2
    w, r = weight(sides, gates * hidden, features), weight(sides, gates * hidden, hidden)
    b = weight(sides, 2 * gates * hidden) if bias else np.zeros((sides, 2 * gates * hidden), "float32")
    states = [weight(sides, batch, hidden) if first else np.zeros((sides, batch, hidden), "float32") for _ in range(2)]
    x, turn = weight(steps, batch, features), (1, 0, 2)
    weights = {"W": w, "R": r, **({"B": b} if bias else {})}
    inputs = {"x": x.transpose(turn) if layout else x}
    names = ["x", "W", "R", "B" if bias else "", ""]
    if first:
        names += ["h", "c"] if kind == "LSTM" else ["h"]
        inputs.update({key: state.transpose(turn) if layout else state for key, state in zip(names[5:], states)})
    outputs = ["y", "yh", "yc"] if kind == "LSTM" else ["y", "yh"]
    more = {"linear_before_reset": before_reset} if kind == "GRU" else {}
    shapes = {"y": (batch, steps, sides, hidden) if layout else (steps, sides, batch, hidden)}
    shape = (batch, sides, hidden) if layout else (sides, batch, hidden)
    while names[-1] == "":
        names.pop()
    folder.write("m.onnx", model([node(kind, names, outputs, hidden_size=hidden, direction=direction, layout=layout, **more)],
                                 [(key, "float32", list(array.shape)) for key, array in inputs.items()],
                                 [(key, "float32", list(shapes.get(key, shape))) for key in outputs], weights))
    tap.equal(f"{name}/opaque", folder.json("import", "m.onnx", "-o", "m.ncd")["opaque"], [])
    for key, array in inputs.items():
        folder.write(f"{key}.pb", tensor(key, np.ascontiguousarray(array)))
    folder.output("evaluate", "m.ncd", "--weights", "m.onnx", *(part for key in inputs for part in ("--in", f"{key}={key}.pb")),
                  *(part for key in outputs for part in ("--out", f"{key}={key}.npy")))
    wanted = dict(zip(("y", "yh", "yc"), run(kind, before_reset, direction, x, w, r, b, *states)))
    if layout:
        wanted = {key: array.transpose((2, 0, 1, 3) if key == "y" else turn) for key, array in wanted.items()}
    for key in outputs:
        found = np.load(folder.path / f"{key}.npy")
        off = np.abs(found - wanted[key]).max() if found.shape == wanted[key].shape else found.shape
        tap.check(f"{name}/{key}", None if not isinstance(off, tuple) and off < 1e-6 else f"off by {off}")
    return folder.output("equations", "m.ncd")


def check_kinds(tap, folder):
    """Each network in each direction, with and without what may be left out, in both orders of its input."""
    for (kind, before_reset), direction, layout, given in itertools.product(
            (("RNN", 0), ("LSTM", 0), ("GRU", 0), ("GRU", 1)), ("forward", "reverse", "bidirectional"), (0, 1), (True, False)):
        name = f"/recurrent/{kind}-{before_reset}-{direction}-{layout}-{'all' if given else 'bare'}"
        check_one(tap, folder, name, kind, direction, before_reset, layout, given, given)


def check_sizes(tap, folder):
    """One step, one row, one unit; and more steps than arrays are joined at once."""
    for kind in GATES:
        for key, sizes in (("step", {"steps": 1}), ("row", {"batch": 1}), ("unit", {"hidden": 1}), ("one", {"steps": 1, "batch": 1, "hidden": 1}),
                           ("alike", {"steps": 3, "batch": 3, "hidden": 3}), ("two", {"steps": 2, "batch": 2, "hidden": 2}), ("long", {"steps": 300})):
            check_one(tap, folder, f"/recurrent/{kind}-{key}", kind, "bidirectional" if key == "two" else "forward", **sizes)


def check_text(tap, folder):
    """A person sees the cell once, whatever the number of steps and directions."""
    text = check_one(tap, folder, "/recurrent/text/model", "LSTM", "bidirectional", steps=40)
    tap.equal("/recurrent/text/definitions", [line for line in text.splitlines() if line.startswith("def ")],
              ["def lstm(h[u], c[u], i[u], o[u], f[u], g[u]; R_i, R_o, R_f, R_g) -> h'[u], c'[u]:"])
    tap.equal("/recurrent/text/scans", text.count(" = lstm["), 2)
    folder.write("again.eq", text)
    tap.equal("/recurrent/text/again", folder.output("equations", "again.eq"), text)


def check_gates(tap, folder):
    """Gates in another order, as PyTorch has them, and orders that are none."""
    w, r = weight(1, 12, 2), weight(1, 12, 3)
    for name, gates, opaque in (("other", [2, 3, 0, 1], []), ("twice", [0, 1, 1, 3], ["the attribute “gates”"]), ("few", [0, 1], ["the attribute “gates”"]),
                                ("far", [0, 1, 2, 4], ["the attribute “gates”"]), ("below", [0, 1, 2, -1], ["the attribute “gates”"])):
        folder.write("m.onnx", model([node("LSTM", ["x", "W", "R"], ["y"], hidden_size=3, gates=gates)], [("x", "float32", [4, 2, 2])],
                                     [("y", "float32", [4, 1, 2, 3])], {"W": w, "R": r}))
        tap.equal(f"/recurrent/gates/{name}", [each["reason"] for each in folder.json("import", "m.onnx", "-o", "m.ncd")["opaque"]], opaque)
        if not opaque:
            x = weight(4, 2, 2)
            folder.write("x.pb", tensor("x", x))
            folder.output("evaluate", "m.ncd", "--weights", "m.onnx", "--in", "x=x.pb", "--out", "y=y.npy")
            turned = [np.concatenate([np.split(each[0], 4)[gate] for gate in gates])[None] for each in (w, r)]
            wanted = run("LSTM", 0, "forward", x, *turned, np.zeros((1, 24)), *np.zeros((2, 1, 2, 3)))[0]
            tap.check(f"/recurrent/gates/{name}/values", None if np.abs(np.load(folder.path / "y.npy") - wanted).max() < 1e-6 else "other values")


def check_scan(tap, folder):
    """ONNX's Scan, step by step: a state, two arrays read at each place, and one that is made at each; what it is not read as is a box."""
    body = graph_of([node("Add", ["h", "x"], ["s"]), node("Tanh", ["s"], ["next"]), node("Mul", ["next", "w"], ["made"])],
                    [("h", "float32", [3]), ("x", "float32", [3]), ("w", "float32", [])],
                    [("next", "float32", [3]), ("made", "float32", [3])], None, "body")
    for name, steps, more, reason in (("steps", 5, {}, None), ("one", 1, {}, None), ("long", 65, {}, "it has more than 64 iterations"),
                                      ("backwards", 5, {"scan_input_directions": [1, 0]}, "the attribute “scan_input_directions”"),
                                      ("across", 5, {"scan_output_axes": [1]}, "the attribute “scan_output_axes”"),
                                      ("all", 5, {"num_scan_inputs": 4}, "its graph does not fit its inputs"),
                                      ("none", 5, {"num_scan_inputs": 0}, "its graph does not fit its inputs")):
        attributes = {"body": body, "num_scan_inputs": 2, **more}
        inputs = [("h", "float32", [3]), ("x", "float32", [steps, 3]), ("w", "float32", [steps])]
        folder.write("m.onnx", model([node("Scan", ["h", "x", "w"], ["last", "all"], **attributes)], inputs,
                                     [("last", "float32", [3]), ("all", "float32", [steps, 3])]))
        said = folder.json("import", "m.onnx", "-o", "m.ncd")["opaque"]
        tap.equal(f"/recurrent/scan/{name}/opaque", [each["reason"] for each in said], [] if reason is None else [reason])
        if reason is not None:
            continue
        h, x, w = weight(3), weight(steps, 3), weight(steps)
        for key, array in (("h", h), ("x", x), ("w", w)):
            folder.write(f"{key}.pb", tensor(key, array))
        folder.output("evaluate", "m.ncd", "--in", "h=h.pb", "--in", "x=x.pb", "--in", "w=w.pb", "--out", "last=last.npy", "--out", "all=all.npy")
        made = []
        for t in range(steps):
            h = np.tanh(h.astype("float64") + x[t])
            made.append(h * w[t])
        for key, wanted in (("last", h), ("all", np.stack(made))):
            found = np.load(folder.path / f"{key}.npy")
            tap.check(f"/recurrent/scan/{name}/{key}", None if found.shape == wanted.shape and np.abs(found - wanted).max() < 1e-6 else str(found))


def check_torch(tap, folder):
    """Modules of PyTorch become scans, layer by layer and direction by direction; what projects its state is unrolled by PyTorch."""
    try:
        import torch
    except ImportError:
        tap.skip("/recurrent/torch", "PyTorch is not installed")
        return
    sys.path.insert(0, sys.argv[1])
    from heddle_torch.model import save
    from heddle_torch.trace import trace

    class Network(torch.nn.Module):
        def __init__(self, network):
            super().__init__()
            self.network = network

        def forward(self, x):
            y, state = self.network(x)
            return (y, *state) if isinstance(state, tuple) else (y, state)

    nn, x = torch.nn, torch.randn(5, 2, 3)
    for name, network, scans in (("lstm", nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True), 4), ("gru", nn.GRU(3, 4, num_layers=2), 2),
                                 ("rnn", nn.RNN(3, 4, bias=False, bidirectional=True), 2), ("relu", nn.RNN(3, 4, nonlinearity="relu"), 0),
                                 ("projected", nn.LSTM(3, 4, proj_size=2), 0)):
        module = Network(network).eval()
        with torch.no_grad():
            wanted = [each.numpy() for each in module(x)]
        save(trace(module, (x,)), folder.path / "m.ncd", folder.path / "m.safetensors", PROGRAM)
        text = folder.output("equations", "m.ncd")
        np.save(folder.path / "x.npy", x.numpy())
        outputs = text.strip().splitlines()[-1].removeprefix("-> ").split(", ")
        folder.output("evaluate", "m.ncd", "--weights", "m.safetensors", "--in", "x=x.npy", *(part for each in outputs for part in ("--out", f"{each}={each}.npy")))
        off = max(np.abs(np.load(folder.path / f"{each}.npy") - one).max() for each, one in zip(outputs, wanted, strict=True))
        tap.check(f"/recurrent/torch/{name}", None if off < 1e-6 else f"off by {off}")
        tap.equal(f"/recurrent/torch/{name}/scans", sum(text.count(f" = {cell}[") for cell in ("lstm", "gru", "rnn")), scans)


def check_cells(tap, folder):
    """A loop of the person's own over cells of PyTorch, which is unrolled."""
    try:
        import torch
    except ImportError:
        tap.skip("/recurrent/cells", "PyTorch is not installed")
        return
    from heddle_torch.model import save
    from heddle_torch.trace import trace

    class Loop(torch.nn.Module):
        def __init__(self, cell):
            super().__init__()
            self.cell = cell

        def forward(self, x):
            state = None
            for each in x:
                state = self.cell(each, state)
            return state if isinstance(state, tuple) else (state,)

    nn, x = torch.nn, torch.randn(3, 2, 3)
    for name, cell in (("lstm", nn.LSTMCell(3, 4)), ("gru", nn.GRUCell(3, 4)), ("bare", nn.GRUCell(3, 4, bias=False)), ("tanh", nn.RNNCell(3, 4)),
                       ("relu", nn.RNNCell(3, 4, nonlinearity="relu"))):
        module = Loop(cell).eval()
        with torch.no_grad():
            wanted = [each.numpy() for each in module(x)]
        save(trace(module, (x,)), folder.path / "m.ncd", folder.path / "m.safetensors", PROGRAM)
        np.save(folder.path / "x.npy", x.numpy())
        outputs = folder.output("equations", "m.ncd").strip().splitlines()[-1].removeprefix("-> ").split(", ")
        if len(wanted) == 1:
            outputs = ["output"]
        folder.output("evaluate", "m.ncd", "--weights", "m.safetensors", "--in", "x=x.npy", *(part for each in outputs for part in ("--out", f"{each}={each}.npy")))
        off = max(np.abs(np.load(folder.path / f"{each}.npy") - one).max() for each, one in zip(outputs, wanted, strict=True))
        tap.check(f"/recurrent/cells/{name}", None if off < 1e-6 else f"off by {off}")


def main():
    tap = Tap()
    for check in (check_kinds, check_sizes, check_text, check_gates, check_scan, check_torch, check_cells):
        check(tap, Folder())
    tap.finish()


main()
