#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Models of ONNX at the command line, against NumPy."""

import json
import math
import os
import re

import numpy as np

from heddle import Folder, Tap
from onnx_file import function, graph_of, model, node, referring, tensor

SEQUENCE, WIDTH, HEADS, HIDDEN, WORDS, LAYERS = 6, 8, 2, 16, 11, 2
random = np.random.default_rng(3)
np.seterr(invalid="ignore")
erf = np.vectorize(math.erf)


def weight(*shape):
    return (random.standard_normal(shape) * .5).astype("float32")


def transformer():
    """A causal decoder as PyTorch exports one: heads by reshapes and transpositions, GELU by its parts."""
    weights = {"wte": weight(WORDS, WIDTH), "wpe": weight(SEQUENCE, WIDTH), "head": weight(WIDTH, WORDS),
               "heads": np.array([0, 0, HEADS, WIDTH // HEADS]), "joined": np.array([0, 0, WIDTH]),
               "root": np.array(math.sqrt(WIDTH // HEADS), "float32"), "two": np.array(math.sqrt(2), "float32"),
               "one": np.array(1, "float32"), "half": np.array(.5, "float32"),
               "mask": np.where(np.tri(SEQUENCE) > 0, 0, -1e9).astype("float32")}
    nodes = [node("Gather", ["wte", "input.ids:0"], ["emb"]), node("Add", ["emb", "wpe"], ["h0"])]
    for layer in range(LAYERS):
        at = f"/layers.{layer}/"
        names = {"n1": (WIDTH,), "b1": (WIDTH,), "n2": (WIDTH,), "b2": (WIDTH,), "o": (WIDTH, WIDTH), "up": (WIDTH, HIDDEN),
                 "bias": (HIDDEN,), "down": (HIDDEN, WIDTH), **{c: (WIDTH, WIDTH) for c in "qkv"}}
        weights.update({f"{layer}.{name}": weight(*shape) for name, shape in names.items()})

        def add(op, inputs, output, where="", **attributes):
            full = [i if i in weights or i.startswith("h") else f"{layer}.{i}" if f"{layer}.{i}" in weights else at + i
                    for i in inputs]
            nodes.append(node(op, full, [output if output.startswith("h") else at + output], f"{at}{where}{op}", **attributes))

        add("LayerNormalization", [f"h{layer}", "n1", "b1"], "x", axis=-1)
        for c in "qkv":
            add("MatMul", ["x", c], f"p{c}", "attention/")
            add("Reshape", [f"p{c}", "heads"], f"r{c}", "attention/")
            add("Transpose", [f"r{c}"], f"t{c}", "attention/", perm=[0, 2, 3, 1] if c == "k" else [0, 2, 1, 3])
        add("MatMul", ["tq", "tk"], "s", "attention/")
        add("Div", ["s", "root"], "scaled", "attention/")
        add("Add", ["scaled", "mask"], "masked", "attention/")
        add("Softmax", ["masked"], "probabilities", "attention/", axis=-1)
        add("MatMul", ["probabilities", "tv"], "context", "attention/")
        add("Transpose", ["context"], "back", "attention/", perm=[0, 2, 1, 3])
        add("Reshape", ["back", "joined"], "flat", "attention/")
        add("MatMul", ["flat", "o"], "out", "attention/")
        add("Add", [f"h{layer}", "out"], "mid")
        add("LayerNormalization", ["mid", "n2", "b2"], "y", axis=-1)
        add("MatMul", ["y", "up"], "wide", "mlp/")
        add("Add", ["wide", "bias"], "biased", "mlp/")
        add("Div", ["biased", "two"], "g1", "mlp/")
        add("Erf", ["g1"], "g2", "mlp/")
        add("Add", ["g2", "one"], "g3", "mlp/")
        add("Mul", ["biased", "g3"], "g4", "mlp/")
        add("Mul", ["g4", "half"], "g5", "mlp/")
        add("MatMul", ["g5", "down"], "narrow", "mlp/")
        add("Add", ["mid", "narrow"], f"h{layer + 1}")
    nodes.append(node("MatMul", [f"h{LAYERS}", "head"], ["logits"]))
    return model(nodes, [("input.ids:0", "int64", ["batch", SEQUENCE])], [("logits", "float32", ["batch", SEQUENCE, WORDS])],
                 weights, name="decoder"), weights, len(nodes)


def normal(x, scale, shift):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale + shift


def expected_logits(w, ids):
    w = {name: array.astype("float64") for name, array in w.items()}
    h = w["wte"][ids] + w["wpe"]
    for layer in range(LAYERS):
        p = {name.split(".", 1)[1]: array for name, array in w.items() if name.startswith(f"{layer}.")}
        x = normal(h, p["n1"], p["b1"])
        q, k, v = ((x @ p[c]).reshape(*ids.shape, HEADS, -1).swapaxes(1, 2) for c in "qkv")
        s = q @ k.swapaxes(-1, -2) / math.sqrt(WIDTH // HEADS)
        e = np.where(np.tri(SEQUENCE) > 0, np.exp(s), 0)
        a = (e / e.sum(-1, keepdims=True) @ v).swapaxes(1, 2).reshape(*ids.shape, WIDTH)
        h = h + a @ p["o"]
        u = normal(h, p["n2"], p["b2"]) @ p["up"] + p["bias"]
        h = h + (u * (erf(u / math.sqrt(2)) + 1) / 2) @ p["down"]
    return h @ w["head"]


def check_transformer(tap, folder):
    data, weights, count = transformer()
    folder.write("decoder.onnx", data)
    said = folder.output("import", "decoder.onnx", "-o", "decoder.ncd", "--set", "batch=3")
    tap.equal("/onnx/transformer/coverage", said, f"decoder.ncd: {count} of {count} operators understood\n")
    tap.equal("/onnx/transformer/check", folder.run("check", "decoder.ncd").returncode, 0)
    ids = random.integers(0, WORDS, (3, SEQUENCE))
    folder.write("ids.pb", tensor("input.ids:0", ids))
    folder.output("evaluate", "decoder.ncd", "--weights", "decoder.onnx", "--in", "input.ids:0=ids.pb", "--out", "logits=o.npy")
    found, wanted = np.load(folder.path / "o.npy"), expected_logits(weights, ids)
    tap.equal("/onnx/transformer/shape", found.shape, wanted.shape)
    error = np.abs(found - wanted).max() / np.abs(wanted).max()
    tap.check("/onnx/transformer/values", None if error < 1e-6 else f"off by {error}")
    document = folder.read("decoder.ncd").decode()
    tap.check("/onnx/transformer/small", None if len(document) < 40000 else f"{len(document)} bytes: are weights in it?")
    tap.check("/onnx/transformer/modules", [f"no block {title}" for title in ("attention", "mlp")
                                           if f'title="{title}"' not in document])
    text = folder.output("equations", "decoder.ncd")
    tap.check("/onnx/transformer/repeated", None if f"= layer^{LAYERS}(" in text and "layers.1" not in text else text)
    names = {line.split("[")[0].strip() for line in text.splitlines()}
    tap.equal("/onnx/transformer/results", {"attention", "mlp"} <= names, True)
    tap.check("/onnx/transformer/parts", None if "param q : f32[" in text and "# onnx: 0.q;1.q" in text else text)
    folder.write("decoder.eq", text)
    tap.equal("/onnx/transformer/text", folder.output("equations", "decoder.eq"), text)
    folder.output("export", "decoder.ncd", "-o", "decoder.svg")
    tap.check("/onnx/transformer/figure", None if b"<svg" in folder.read("decoder.svg")[:400] else "no figure")


def check_box(tap, folder):
    nodes = [node("Relu", ["X"], ["r"], "first"), node("Mystery", ["r"], ["Y"], "the \"second\"\n", domain="a.b", depth=3)]
    folder.write("box.onnx", model(nodes, [("X", "float32", ["rows", 4])], [("Y", "float32", ["rows", 2])]))
    said = folder.json("import", "box.onnx", "-o", "box.ncd")
    tap.equal("/onnx/box/counts", (said["operators"], said["understood"]), (2, 1))
    tap.equal("/onnx/box/list", said["opaque"], [
        {"node": "the \"second\"\n", "operator": "a.b.Mystery", "reason": "no such operator is known"}])
    tap.equal("/onnx/box/assumed", said["assumed"], ["rows = 2"])
    tap.check("/onnx/box/said", None if "1 of 2 operators understood" in folder.output("import", "box.onnx", "-o", "box.ncd")
              else "the coverage is not told")
    tap.equal("/onnx/box/check", folder.run("check", "box.ncd").returncode, 0)
    text = folder.output("equations", "box.ncd")
    tap.check("/onnx/box/definition", None if "def Mystery(" in text else text)
    said = folder.run("import", "box.onnx", "-o", "box.ncd", "--set", "row=3").stderr
    tap.equal("/onnx/box/no-such-size", said, "box.onnx: warning: --set row: the model leaves no size of that name open\n")
    folder.write("model.py", "import torch\n\ndef f(x):\n    return x\n")
    for name in ("model.py", "box.onnx"):
        said = folder.failure(1, "import" if name == "model.py" else "optimise", name, "-o", "none.ncd")
        tap.check(f"/onnx/box/another-way/{name}", None if said.splitlines()[-1].startswith(f"{name}: error: a mod") and said.count("error") == 1 else said)
    folder.write("box.eq", text)
    tap.equal("/onnx/box/text", folder.output("equations", "box.eq"), text)
    tap.equal("/onnx/box/text-check", folder.run("check", "box.eq").returncode, 0)
    said = folder.failure(1, "evaluate", "box.ncd", "--random", "1")
    tap.check("/onnx/box/evaluate", None if "Mystery" in said else said)
    folder.output("export", "box.ncd", "-o", "box.svg")
    tap.check("/onnx/box/figure", None if b"Mystery" in folder.read("box.svg") else "the box has no name")
    folder.failure(1, "derive", "box.ncd", "--gpu", "h100")


def check_open_sizes(tap, folder):
    """Sizes that a model leaves open without a name are called after the input and the place."""
    weights = {"W": weight(4, 3)}
    data = model([node("MatMul", ["X", "W"], ["Y"])], [("X", "float32", [None, "rows", 4])], [("Y", "float32", [None, "rows", 3])], weights)
    folder.write("open.onnx", data)
    tap.equal("/onnx/open-sizes/assumed", folder.json("import", "open.onnx", "-o", "open.ncd")["assumed"], ["X.0 = 2", "rows = 2"])
    tap.equal("/onnx/open-sizes/given", folder.json("import", "open.onnx", "-o", "open.ncd", "--set", "X.0=5", "--set", "rows=6")["assumed"], [])
    x = weight(5, 6, 4)
    folder.write("x.pb", tensor("X", x))
    folder.output("evaluate", "open.ncd", "--weights", "open.onnx", "--in", "X=x.pb", "--out", "Y=y.npy")
    tap.check("/onnx/open-sizes/values", None if np.abs(np.load(folder.path / "y.npy") - x @ weights["W"]).max() < 1e-6 else "other values")


def recurrent(hidden):
    """Layers of a network that nobody knows, with a norm and a way around it. @hidden: of each layer."""
    nodes, weights = [], {"g": np.ones(4, "float32"), "zero": np.array([1])}
    for layer, size in enumerate(hidden):
        at = f"/layers.{layer}/"
        weights |= {f"{layer}.W": weight(1, 4 * size, 4), f"{layer}.R": weight(1, 4 * size, size), f"{layer}.o": weight(size, 4)}
        nodes += [node("Mystery", [f"h{layer}", f"{layer}.W", f"{layer}.R"], [f"y{layer}", f"last{layer}", f"state{layer}"], f"{at}rnn/Mystery",
                       domain="a.b", hidden_size=size),
                  node("Squeeze", [f"y{layer}", "zero"], [f"s{layer}"], f"{at}Squeeze"),
                  node("MatMul", [f"s{layer}", f"{layer}.o"], [f"m{layer}"], f"{at}MatMul"),
                  node("Add", [f"m{layer}", f"h{layer}"], [f"a{layer}"], f"{at}Add"),
                  node("LayerNormalization", [f"a{layer}", "g"], [f"h{layer + 1}"], f"{at}norm/LayerNormalization", axis=-1)]
    infos = [(f"y{layer}", "float32", [6, 1, 3, size]) for layer, size in enumerate(hidden)]
    return model(nodes, [("h0", "float32", [6, 3, 4])], [(f"h{len(hidden)}", "float32", [6, 3, 4])], weights, infos=infos)


def check_repeated_boxes(tap, folder):
    """What is not understood is repeated with the module it is in, where it is the same function each time."""
    folder.write("lstm.onnx", recurrent([5, 5, 5]))
    said = folder.json("import", "lstm.onnx", "-o", "lstm.ncd")
    tap.equal("/onnx/repeated-boxes/opaque", [each["operator"] for each in said["opaque"]], ["a.b.Mystery"] * 3)
    tap.equal("/onnx/repeated-boxes/check", folder.run("check", "lstm.ncd").returncode, 0)
    text = folder.output("equations", "lstm.ncd")
    tap.check("/onnx/repeated-boxes/repeated", None if "= layer^3(" in text and "# onnx: 0.W;1.W;2.W" in text else text)
    tap.equal("/onnx/repeated-boxes/one-definition", text.count("def Mystery"), 1)
    folder.write("lstm.eq", text)
    tap.equal("/onnx/repeated-boxes/text", folder.output("equations", "lstm.eq"), text)
    folder.output("export", "lstm.ncd", "-o", "lstm.svg")
    folder.write("lstm.onnx", recurrent([5, 7]))
    folder.output("import", "lstm.onnx", "-o", "lstm.ncd")
    text = folder.output("equations", "lstm.ncd")
    tap.equal("/onnx/repeated-boxes/other-functions", (text.count("def Mystery"), "layer^" in text), (2, False))


def check_recurrent(tap, folder):
    """An LSTM in both directions, longer than what is joined at once, against steps of NumPy; too long a one is a box."""
    steps, hidden = 40, 3
    w, r, b = weight(2, 4 * hidden, 2), weight(2, 4 * hidden, hidden), weight(2, 8 * hidden)
    nodes = [node("LSTM", ["x", "W", "R", "B"], ["y", "", "c"], hidden_size=hidden, direction="bidirectional")]
    for name, count in (("lstm", steps), ("long", 10001)):
        folder.write(f"{name}.onnx", model(nodes, [("x", "float32", [count, 2, 2])], [("y", "float32", [count, 2, 2, hidden]), ("c", "float32", [2, 2, hidden])],
                                           {"W": w, "R": r, "B": b}))
    tap.equal("/onnx/recurrent/opaque", folder.json("import", "lstm.onnx", "-o", "lstm.ncd")["opaque"], [])
    x, found = weight(steps, 2, 2), {}
    folder.write("x.pb", tensor("x", x))
    folder.output("evaluate", "lstm.ncd", "--weights", "lstm.onnx", "--in", "x=x.pb", "--out", "y=y.npy", "--out", "c=c.npy")
    for side, order in ((0, range(steps)), (1, range(steps - 1, -1, -1))):
        h, c = np.zeros((2, hidden)), np.zeros((2, hidden))
        for t in order:
            i, o, f, g = np.split(x[t] @ w[side].T + h @ r[side].T + b[side, :4 * hidden] + b[side, 4 * hidden:], 4, -1)
            c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
            h = np.tanh(c) / (1 + np.exp(-o))
            found[side, t] = h
        tap.check(f"/onnx/recurrent/cell-{side}", None if np.abs(np.load(folder.path / "c.npy")[side] - c).max() < 1e-6 else "the cell is another")
    off = max(np.abs(np.load(folder.path / "y.npy")[t, side] - h).max() for (side, t), h in found.items())
    tap.check("/onnx/recurrent/values", None if off < 1e-6 else f"off by {off}")
    said = folder.json("import", "long.onnx", "-o", "long.ncd")["opaque"]
    tap.equal("/onnx/recurrent/long", [each["reason"] for each in said], ["it has more than 10000 iterations"])
    nodes = [node("LSTM", ["x", "W", "R", "B"], [f"y{i}"], hidden_size=hidden) for i in range(4)]
    folder.write("much.onnx", model(nodes, [("x", "float32", [2400, 2, 2])], [(f"y{i}", "float32", [2400, 1, 2, hidden]) for i in range(4)],
                                    {"W": w[:1], "R": r[:1], "B": b[:1]}))
    said = folder.json("import", "much.onnx", "-o", "much.ncd")["opaque"]
    tap.equal("/onnx/recurrent/much", [each["reason"] for each in said], ["what is within comes to too much"])


def check_writes(tap, folder):
    """Parts written at indices that are worked out: the last one at a place stays; in a whole row, and counted from the end."""
    nodes = [node("ScatterND", ["x", "at", "u"], ["y"]), node("ScatterElements", ["x", "rows", "v"], ["z"], axis=1, reduction="max")]
    inputs = [("x", "float32", [5, 4]), ("at", "int64", [3, 1]), ("u", "float32", [3, 4]), ("rows", "int64", [5, 3]), ("v", "float32", [5, 3])]
    folder.write("writes.onnx", model(nodes, inputs, [("y", "float32", [5, 4]), ("z", "float32", [5, 4])], opset=18))
    tap.equal("/onnx/writes/opaque", folder.json("import", "writes.onnx", "-o", "writes.ncd")["opaque"], [])
    given = {"x": weight(5, 4), "at": np.array([[3], [-5], [3]]), "u": weight(3, 4), "rows": random.integers(-4, 4, (5, 3)), "v": weight(5, 3)}
    given["u"][1, 2] = np.inf
    for name, array in given.items():
        folder.write(f"{name}.pb", tensor(name, array))
    folder.output("evaluate", "writes.ncd", *(part for name in given for part in ("--in", f"{name}={name}.pb")), "--out", "y=y.npy", "--out", "z=z.npy")
    y, z = given["x"].copy(), given["x"].copy()
    y[given["at"][:, 0]] = given["u"]
    np.maximum.at(z, (np.arange(5)[:, None], given["rows"]), given["v"])
    tap.equal("/onnx/writes/parts", np.load(folder.path / "y.npy").tolist(), y.astype("float64").tolist())
    tap.equal("/onnx/writes/elements", np.load(folder.path / "z.npy").tolist(), z.astype("float64").tolist())


def check_ones(tap, folder):
    """Pictures of one place: what a convolution sums over is not taken for the places, however many axes have the size 1."""
    weights = {"W": weight(6, 4, 1, 1), "D": weight(6, 1, 3, 3), "V": weight(4, 6, 1, 1)}
    nodes = [node("Conv", ["X", "W"], ["a"]), node("Conv", ["a", "D"], ["b"], group=6, pads=[1, 1, 1, 1]), node("Conv", ["b", "V"], ["c"]),
             node("Add", ["X", "c"], ["Y"])]
    folder.write("ones.onnx", model(nodes, [("X", "float32", [1, 4, 1, 1])], [("Y", "float32", [1, 4, 1, 1])], weights))
    folder.output("import", "ones.onnx", "-o", "ones.ncd")
    x = weight(1, 4, 1, 1)
    folder.write("x.pb", tensor("X", x))
    folder.output("evaluate", "ones.ncd", "--weights", "ones.onnx", "--in", "X=x.pb", "--out", "Y=y.npy")
    wanted = x[0, :, 0, 0] + weights["V"][:, :, 0, 0] @ (weights["D"][:, 0, 1, 1] * (weights["W"][:, :, 0, 0] @ x[0, :, 0, 0]))
    tap.check("/onnx/ones", None if np.abs(np.load(folder.path / "y.npy")[0, :, 0, 0] - wanted).max() < 1e-6 else "other values")


def check_recognised(tap, folder):
    """Norms spelled out, SiLU, what changes nothing, and a causal mask of indices that a model works out: said as a person would."""
    weights = {"two": np.array(2, "float32"), "small": np.array(1e-5, "float32"), "one": np.array(1, "float32"), "last": np.array([-1]),
               "first": np.array([0]), "end": np.array([6]), "next": np.array([1]), "zero": np.array(0), "six": np.array(6), "step": np.array(1),
               "minus": np.array([-1]), "low": np.array(-np.inf, "float32"), "column": np.array([6, 1]), "row": np.array([1, 6])}
    nodes = [node("Pow", ["X", "two"], ["p"]), node("ReduceMean", ["p"], ["m"], axes=[-1]), node("Add", ["m", "small"], ["e"]),
             node("Sqrt", ["e"], ["r"]), node("Div", ["one", "r"], ["i"]), node("Mul", ["X", "i"], ["rms"]), node("Mul", ["rms", "one"], ["same"]),
             node("ReduceMean", ["same"], ["mean"], axes=[-1]), node("Sub", ["same", "mean"], ["c"]), node("Mul", ["c", "c"], ["cc"]),
             node("ReduceMean", ["cc"], ["v"], axes=[-1]), node("Add", ["v", "small"], ["ve"]), node("Sqrt", ["ve"], ["vr"]), node("Div", ["c", "vr"], ["ln"]),
             node("Sigmoid", ["ln"], ["g"]), node("Mul", ["ln", "g"], ["s"]),
             node("Range", ["zero", "six", "step"], ["at"]), node("Concat", ["minus", "at"], ["more"], axis=0),
             node("Slice", ["more", "first", "end"], ["before"]), node("Sub", ["at", "before"], ["steps"]), node("Equal", ["steps", "step"], ["together"]),
             node("Reshape", ["at", "column"], ["rows"]), node("Gather", ["at", "at"], ["read"]), node("Reshape", ["read", "row"], ["columns"]),
             node("LessOrEqual", ["columns", "rows"], ["causal"]), node("And", ["causal", "together"], ["kept"]),
             node("Where", ["kept", "s", "low"], ["masked"]), node("Softmax", ["masked"], ["Y"], axis=-1)]
    folder.write("known.onnx", model(nodes, [("X", "float32", [6, 6])], [("Y", "float32", [6, 6])], weights))
    folder.output("import", "known.onnx", "-o", "known.ncd")
    text = folder.output("equations", "known.ncd").partition("  #")[0].split("\n\n")[-1]
    tap.equal("/onnx/recognised/lines", [line for line in text.splitlines() if " = " in line],
              ["t3[n,m] = silu(layernorm[m, eps=1e-05](rmsnorm[m, eps=1e-05](X[n,m])))", "Y[n,m] = softmax[m](where(m <= n, t3[n,m], -inf))"])
    x = weight(6, 6).astype("float64")
    folder.write("x.pb", tensor("X", x.astype("float32")))
    folder.output("evaluate", "known.ncd", "--in", "X=x.pb", "--out", "Y=y.npy")
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
    x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    e = np.where(np.tri(6) > 0, np.exp(x / (1 + np.exp(-x))), 0)
    tap.check("/onnx/recognised/values", None if np.abs(np.load(folder.path / "y.npy") - e / e.sum(-1, keepdims=True)).max() < 1e-5 else "other values")


def check_many_joined(tap, folder):
    """More arrays end to end than an importer has labels for."""
    names = [f"x{i}" for i in range(128)]
    folder.write("many.onnx", model([node("Concat", names, ["y"], axis=1)], [(name, "float32", [2, 1 + i % 2]) for i, name in enumerate(names)],
                                    [("y", "float32", [2, 192])]))
    tap.equal("/onnx/many-joined/opaque", folder.json("import", "many.onnx", "-o", "many.ncd")["opaque"], [])
    arrays = [weight(2, 1 + i % 2) for i in range(128)]
    for name, array in zip(names, arrays):
        folder.write(f"{name}.pb", tensor(name, array))
    folder.output("evaluate", "many.ncd", *(part for name in names for part in ("--in", f"{name}={name}.pb")), "--out", "y=y.npy")
    tap.equal("/onnx/many-joined/values", np.load(folder.path / "y.npy").tolist(), np.concatenate(arrays, 1).astype("float64").tolist())


def rotating():
    """Layers of which each turns the first half of what it gets by the same angles, as half of each head of Phi and GPT-NeoX, and joins the rest to it."""
    sections = {"half": np.array([0]), "two": np.array([2]), "four": np.array([4]), "eight": np.array([8]), "last": np.array([-1])}
    nodes, weights = [], {**sections, **{f"{layer}.g": weight(8) for layer in range(3)}}
    for layer in range(3):
        def add(op, inputs, output, **attributes):
            nodes.append(node(op, [f"{layer}.{i}" if i in made else i for i in inputs], [output if output.startswith("h") else f"{layer}.{output}"],
                              f"/layers.{layer}/{op}", **attributes))
            made.add(output)

        made = {"g"}
        add("Slice", [f"h{layer}", "half", "four", "last"], "turned")
        add("Slice", [f"h{layer}", "four", "eight", "last"], "rest")
        add("Slice", ["turned", "half", "two", "last"], "a")
        add("Slice", ["turned", "two", "four", "last"], "b")
        add("Neg", ["b"], "minus")
        add("Concat", ["minus", "a"], "other", axis=-1)
        add("Mul", ["turned", "cos"], "x")
        add("Mul", ["other", "sin"], "y")
        add("Add", ["x", "y"], "sum")
        add("Concat", ["sum", "rest"], "all", axis=-1)
        add("Mul", ["all", "g"], f"h{layer + 1}")
    inputs = [("h0", "float32", [2, 6, 8]), ("cos", "float32", [6, 4]), ("sin", "float32", [6, 4])]
    return model(nodes, inputs, [("h3", "float32", [2, 6, 8])], weights), weights


def check_rotation(tap, folder):
    """A definition that joins what it gets to something else is of the sizes of the model."""
    data, weights = rotating()
    folder.write("rotating.onnx", data)
    folder.output("import", "rotating.onnx", "-o", "rotating.ncd")
    tap.equal("/onnx/rotation/check", folder.run("check", "rotating.ncd").returncode, 0)
    text = folder.output("equations", "rotating.ncd")
    tap.check("/onnx/rotation/repeated", None if "= layer^3(" in text else text)
    x, cos, sin = random.standard_normal((2, 6, 8)), random.standard_normal((6, 4)), random.standard_normal((6, 4))
    for name, array in (("x", x), ("cos", cos), ("sin", sin)):
        np.save(folder.path / f"{name}.npy", array)
    folder.output("evaluate", "rotating.ncd", "--weights", "rotating.onnx", "--in", "h0=x.npy", "--in", "cos=cos.npy", "--in", "sin=sin.npy",
                  "--out", "h3=y.npy")
    for layer in range(3):
        turned = x[..., :4]
        x = np.concatenate([turned * cos + np.concatenate([-turned[..., 2:], turned[..., :2]], -1) * sin, x[..., 4:]], -1) * weights[f"{layer}.g"]
    tap.check("/onnx/rotation/values", None if np.allclose(np.load(folder.path / "y.npy"), x, 1e-6, 1e-6) else "other values")


def check_rows(tap, folder):
    """Places and heads that are put into rows for a product of matrices, and taken apart after it, stay the axes that they are."""
    weights = {"W": weight(8, 12), "b": weight(12), "V": weight(2, 2, 6, 5), "rows": np.array([-1, 8]), "apart": np.array([2, 3, 12]),
               "heads": np.array([2, 3, 2, 6]), "batch": np.array([4, 3, 6]), "columns": np.array([4, 6, 5]), "back": np.array([2, 2, 3, 5]),
               "half": np.array(.5, "float32"), "joined": np.array([2, 2, 15])}
    nodes = [node("Reshape", ["X", "rows"], ["x"]), node("Gemm", ["x", "W", "b"], ["y"]), node("Mul", ["y", "half"], ["z"]),
             node("Reshape", ["z", "apart"], ["a"]), node("Reshape", ["a", "heads"], ["h"]), node("Transpose", ["h"], ["t"], perm=[0, 2, 1, 3]),
             node("Reshape", ["t", "batch"], ["q"]), node("Reshape", ["V", "columns"], ["k"]), node("MatMul", ["q", "k"], ["s"]),
             node("Reshape", ["s", "back"], ["u"]), node("Relu", ["u"], ["r"]), node("Reshape", ["r", "joined"], ["Y"])]
    folder.write("rows.onnx", model(nodes, [("X", "float32", [2, 3, 8])], [("Y", "float32", [2, 2, 15])], weights))
    folder.output("import", "rows.onnx", "-o", "rows.ncd")
    text = folder.output("equations", "rows.ncd")
    tap.check("/onnx/rows/apart", None if "Gemm" not in text and text.count("mod(") == 1 and "=4]" not in text else text)
    given = random.standard_normal((2, 3, 8))
    np.save(folder.path / "x.npy", given)
    folder.output("evaluate", "rows.ncd", "--weights", "rows.onnx", "--in", "X=x.npy", "--out", "Y=y.npy")
    heads = (.5 * (given @ weights["W"] + weights["b"])).reshape(2, 3, 2, 6).swapaxes(1, 2)
    wanted = np.maximum(heads @ weights["V"], 0).reshape(2, 2, 15)
    found = np.load(folder.path / "y.npy")
    tap.check("/onnx/rows/values", None if found.shape == wanted.shape and np.allclose(found, wanted, 1e-6, 1e-6) else f"{found} and not {wanted}")
    # a sequence of one that is made rows, and a sequence again, was one all the while
    nodes = [node("Reshape", ["X", "flat"], ["a"]), node("Gemm", ["a", "W", "b"], ["c"]), node("Reshape", ["c", "back"], ["d"]), node("Relu", ["d"], ["Y"])]
    weights = {"W": weight(4, 6), "b": weight(6), "flat": np.array([3, 4]), "back": np.array([1, 3, 6])}
    folder.write("rows.onnx", model(nodes, [("X", "float32", [1, 3, 4])], [("Y", "float32", [1, 3, 6])], weights))
    folder.output("import", "rows.onnx", "-o", "rows.ncd")
    text = folder.output("equations", "rows.ncd")
    tap.check("/onnx/rows/of-one", None if "[0," not in text and "Y[n," in text else text)
    given = random.standard_normal((1, 3, 4))
    np.save(folder.path / "x.npy", given)
    folder.output("evaluate", "rows.ncd", "--weights", "rows.onnx", "--in", "X=x.npy", "--out", "Y=y.npy")
    found, wanted = np.load(folder.path / "y.npy"), np.maximum(given @ weights["W"] + weights["b"], 0)
    tap.check("/onnx/rows/of-one/values", None if found.shape == wanted.shape and np.allclose(found, wanted, 1e-6, 1e-6) else f"{found} and not {wanted}")
    # rows of another kind are not taken for those that were put together
    nodes = [node("Reshape", ["X", "one"], ["a"]), node("Reshape", ["X", "other"], ["b"]), node("Add", ["a", "b"], ["Y"])]
    folder.write("rows.onnx", model(nodes, [("X", "float32", [1, 3, 4])], [("Y", "float32", [12, 12])],
                                    {"one": np.array([12]), "other": np.array([12, 1])}))
    folder.output("import", "rows.onnx", "-o", "rows.ncd")
    given = random.standard_normal((1, 3, 4))
    np.save(folder.path / "x.npy", given)
    folder.output("evaluate", "rows.ncd", "--in", "X=x.npy", "--out", "Y=y.npy")
    tap.check("/onnx/rows/broadcast", None if np.allclose(np.load(folder.path / "y.npy"), given.reshape(12) + given.reshape(12, 1)) else "other values")


def check_constants(tap, folder):
    nodes = [node("Reshape", ["X", "shape"], ["Y"])]
    folder.write("r.onnx", model(nodes, [("X", "float32", [2, 6]), ("shape", "int64", [2])], [("Y", "float32", ["a", "b"])]))
    tap.equal("/onnx/constant/wanted", folder.json("import", "r.onnx", "-o", "r.ncd")["wanted"], ["shape"])
    np.save(folder.path / "s.npy", np.array([3, -1]))
    said = folder.json("import", "r.onnx", "-o", "r.ncd", "--constant", "shape=s.npy")
    tap.equal("/onnx/constant/understood", said["understood"], 1)
    np.save(folder.path / "x.npy", np.arange(12.).reshape(2, 6))
    folder.output("evaluate", "r.ncd", "--in", "X=x.npy", "--out", "Y=y.npy")
    tap.equal("/onnx/constant/values", np.load(folder.path / "y.npy").tolist(), np.arange(12.).reshape(3, 4).tolist())
    folder.failure(2, "import", "r.onnx", "-o", "r.ncd", "--constant", "shape")
    folder.failure(1, "import", "r.onnx", "-o", "r.ncd", "--constant", "shape=none.npy")


def groups(x):
    return normal(x.reshape(2, 2, -1), 1, 0).reshape(x.shape)


def layer(x):
    return (x - x.mean((1, 2), keepdims=True)) / np.sqrt(x.var((1, 2), keepdims=True) + 1e-5)


def place(points, size, before):
    """Half-pixel places of `points` in an array of `before` of which `size` points are made."""
    return (np.arange(points) + 0.5) * before / size - 0.5


def smoothed(x, size):
    """Fewer points along the last dimension, the triangle as much wider as there are fewer."""
    scale = size / x.shape[-1]
    reach = math.ceil(1 / scale)
    out = np.zeros((*x.shape[:-1], size))
    for r, at in enumerate(place(size, size, x.shape[-1])):
        taps = np.arange(math.floor(at) - reach + 1, math.floor(at) + reach + 1)
        weights = np.clip(1 - scale * np.abs(taps - at), 0, 1)
        out[..., r] = x[..., np.clip(taps, 0, x.shape[-1] - 1)] @ (weights / weights.sum())
    return out


def pooled(x, window, stride, dilation, pad, counts_padding):
    """Means along the last dimension, as many as begin in the array or the padding before it."""
    n, reach = x.shape[-1], (window - 1) * dilation + 1
    count = math.ceil((n + 2 * pad - reach) / stride) + 1
    out = []
    for o in range(count):
        at = o * stride - pad + dilation * np.arange(window)
        if at[0] >= n:
            break
        inside = at[(at >= 0) & (at < n)]
        out.append(x[..., inside].sum(-1) / ((at < n + pad).sum() if counts_padding else len(inside)))
    return np.stack(out, -1)


def columns_put_back(columns, size, window, stride):
    out = np.zeros((columns.shape[0], columns.shape[1] // window, size))
    for k in range(window):
        for i in range(columns.shape[2]):
            out[:, :, i * stride + k] += columns.reshape(len(columns), -1, window, columns.shape[2])[:, :, k, i]
    return out


def quantised(x, scale, zero, low, high):
    return np.clip(np.round(x / scale) + zero, low, high)


X = random.standard_normal((2, 4, 6))
S, B = random.standard_normal((2, 4))
W, V = random.standard_normal((2, 4, 6))
BLOCKS, ZEROS = np.abs(random.standard_normal((2, 4, 2))) + .1, random.integers(-9, 9, (2, 4, 2)).astype("int8")
I, J = random.integers(-2**31, 2**31, (2, 3, 1)).astype("int32"), random.integers(-2**31, 2**31, (2, 1, 4)).astype("int32")
U = random.integers(0, 256, (5,)).astype("uint8")
MEANS = X.mean((0, 2)), X.var((0, 2))


def reading(op, inputs, weights, wanted, opset=18, **attributes):
    """A row of one node that reads X first."""
    return opset, [node(op, ["X", *inputs], ["Y"], **attributes)], {"X": X}, weights, {"Y": wanted}


def of_two(op, a, b, wanted):
    return 18, [node(op, ["A", "B"], ["Y"])], {"A": a, "B": b}, {}, {"Y": wanted}


# name: operator set, nodes, inputs, arrays of the model, outputs
NEWER = {
    "mean": reading("ReduceMean", ["axes"], {"axes": np.array([1])}, X.mean(1), keepdims=0),
    "all": reading("ReduceMax", ["axes"], {"axes": np.zeros(0, "int64")}, X, noop_with_empty_axes=1),
    **{op: reading(f"Reduce{op}", ["axes"], {"axes": np.array([-1, 0])}, function(X), keepdims=0) for op, function in {
        "L1": lambda x: np.abs(x).sum((0, 2)), "L2": lambda x: np.sqrt((x * x).sum((0, 2))), "LogSumExp": lambda x: np.log(np.exp(x).sum((0, 2))),
        "Min": lambda x: x.min((0, 2)), "Prod": lambda x: x.prod((0, 2)), "SumSquare": lambda x: (x * x).sum((0, 2))}.items()},
    "none": (18, [node("Slice", ["X", "zero", "zero", "axis"], ["e"]), node("ReduceSum", ["e", "axis"], ["a"]), node("ReduceMin", ["e", "axis"], ["b"]),
                  node("Concat", ["a", "b"], ["Y"], axis=1)], {"X": X}, {"zero": np.array([0]), "axis": np.array([1])},
             {"Y": np.stack([np.zeros((2, 6)), np.full((2, 6), math.inf)], 1)}),
    "split": (18, [node("Split", ["X"], ["a", "b"], axis=2, num_outputs=2), node("Sub", ["a", "b"], ["Y"])], {"X": X}, {}, {"Y": X[:, :, :3] - X[:, :, 3:]}),
    "split-uneven": (18, [node("Split", ["X"], ["a", "b", "c", "Y"], axis=2, num_outputs=4)], {"X": X}, {}, {"a": X[:, :, :2], "c": X[:, :, 4:]}),
    "pad": reading("Pad", ["pads", "", "axes"], {"pads": np.array([1, 2]), "axes": np.array([-1])}, np.pad(X, ((0, 0), (0, 0), (1, 2)))),
    "crop-pad": reading("CenterCropPad", ["shape"], {"shape": np.array([7, 3])}, np.pad(X[:, :, 1:4], ((0, 0), (1, 2), (0, 0))), axes=[1, -1]),
    "mish": reading("Mish", [], {}, X * np.tanh(np.log1p(np.exp(X)))),
    "layers": reading("LayerNormalization", ["W", "V"], {"W": W, "V": V}, layer(X) * W + V, 17, axis=-2),
    "and": of_two("BitwiseAnd", I, J, I & J),
    "or": of_two("BitwiseOr", I, J, I | J),
    "xor": of_two("BitwiseXor", I, J, I ^ J),
    "not": (18, [node("BitwiseNot", ["A"], ["Y"]), node("BitwiseNot", ["U"], ["Z"])], {"A": I, "U": U}, {}, {"Y": ~I, "Z": ~U}),
    "columns": (18, [node("Col2Im", ["C", "size", "window"], ["Y"], strides=[2])], {"C": X[:, :, :3]}, {"size": np.array([6]), "window": np.array([2])},
                {"Y": columns_put_back(X[:, :, :3], 6, 2, 2)}),
    "columns-one": (18, [node("Col2Im", ["C", "size", "window"], ["Y"])], {"C": X[:, :, :1]}, {"size": np.array([4]), "window": np.array([4])},
                    {"Y": columns_put_back(X[:, :, :1], 4, 4, 1)}),
    "group-sides": reading("GroupNormalization", ["S", "B"], {"S": S[:2], "B": B[:2]}, groups(X) * S[:2].repeat(2)[:, None] + B[:2].repeat(2)[:, None],
                           num_groups=2),
    "antialias": reading("Resize", ["", "", "size"], {"size": np.array([4])}, smoothed(X, 4), mode="linear", antialias=1, axes=[2]),
    "resize-ratio": reading("Resize", ["", "", "size"], {"size": np.array([8, 9])},
                            X[:, np.ceil(place(6, 6, 4) - .5).clip(0, 3).astype(int)][:, :, np.ceil(place(9, 9, 6) - .5).clip(0, 5).astype(int)],
                            axes=[1, 2], keep_aspect_ratio_policy="not_larger"),
    "wrap": reading("Pad", ["pads"], {"pads": np.array([0, 0, 2, 0, 0, 1])}, np.pad(X, ((0, 0), (0, 0), (2, 1)), mode="wrap"), 19, mode="wrap"),
    "mean-of-windows": reading("AveragePool", [], {}, pooled(X, 3, 2, 2, 1, False), 19, kernel_shape=[3], strides=[2], dilations=[2], pads=[1, 1], ceil_mode=1),
    "mean-of-padding": reading("AveragePool", [], {}, pooled(X, 3, 2, 2, 1, True), 19, kernel_shape=[3], strides=[2], dilations=[2], pads=[1, 1], ceil_mode=1,
                               count_include_pad=1),
    "first-places": (18, [node("Range", ["zero", "six", "one"], ["at"]), node("Gather", ["T", "at"], ["g"]), node("Add", ["X", "g"], ["Y"])], {"X": X},
                     {"T": np.arange(18.).reshape(9, 2).repeat(3, 1), "zero": np.array(0), "six": np.array(4), "one": np.array(1)},
                     {"Y": X + np.arange(18.).reshape(9, 2).repeat(3, 1)[:4]}),
    "shape": (19, [node("Shape", ["X"], ["Y"], start=-2, end=3)], {"X": X}, {}, {"Y": np.array([4, 6])}),
    "reshape": (19, [node("Slice", ["X", "zero", "zero", "zero"], ["e"]), node("Reshape", ["e", "shape"], ["r"], allowzero=1), node("Shape", ["r"], ["Y"])],
                {"X": X}, {"zero": np.array([0]), "shape": np.array([5, 0, 3])}, {"Y": np.array([5, 0, 3])}),
    "bytes": reading("QuantizeLinear", ["scale", "zero"], {"scale": np.array(.5), "zero": np.array(0, "uint8")}, quantised(X, .5, 0, 0, 255), 19),
    "equal": (19, [node("Equal", ["X", "X"], ["q"]), node("Cast", ["q"], ["Y"], to=11)], {"X": X}, {}, {"Y": np.ones_like(X)}),
    "gelu": reading("Gelu", [], {}, X * (1 + erf(X / math.sqrt(2))) / 2, 20),
    "gelu-tanh": reading("Gelu", [], {}, X * (1 + np.tanh(math.sqrt(2 / math.pi) * (X + 0.044715 * X**3))) / 2, 20, approximate="tanh"),
    "infinite": (20, [node("IsInf", ["X"], ["q"], detect_negative=0), node("IsNaN", ["X"], ["r"]), node("Or", ["q", "r"], ["s"]), node("Cast", ["s"], ["Y"], to=11)],
                 {"X": np.array([1, math.inf, -math.inf, math.nan])}, {}, {"Y": np.array([0., 1, 0, 1])}),
    "many": (20, [node("ReduceMax", ["q"], ["m"], keepdims=0), node("Cast", ["m"], ["Y"], to=11)], {"q": X > 0}, {}, {"Y": np.array(1.)}),
    "one-hot": (20, [node("Gather", ["X", "last"], ["Y"], axis=0)], {"X": X}, {"last": np.array([-1, 0])}, {"Y": X[[-1, 0]]}),
    "groups": reading("GroupNormalization", ["S", "B"], {"S": S, "B": B}, groups(X) * S[:, None] + B[:, None], 21, num_groups=2),
    "blocks": reading("QuantizeLinear", ["scales", "zeros"], {"scales": BLOCKS, "zeros": ZEROS},
                      quantised(X, BLOCKS.repeat(3, 2), ZEROS.repeat(3, 2), -128, 127), 21, axis=2, block_size=3),
    "from-blocks": (21, [node("DequantizeLinear", ["Q", "scales", "zeros"], ["Y"], axis=2, block_size=4)], {"Q": np.arange(-24, 24).reshape(X.shape).astype("int8")},
                    {"scales": BLOCKS, "zeros": ZEROS},
                    {"Y": (np.arange(-24, 24).reshape(X.shape) - ZEROS.repeat(4, 2)[:, :, :6].astype(int)) * BLOCKS.repeat(4, 2)[:, :, :6]}),
    "training": (18, [node("BatchNormalization", ["X", "S", "B", "M", "D"], ["Y", "mean", "variance"], training_mode=1, momentum=.75)], {"X": X},
                 {"S": S, "B": B, "M": B, "D": S},
                 {"Y": (X - MEANS[0][:, None]) / np.sqrt(MEANS[1][:, None] + 1e-5) * S[:, None] + B[:, None],
                  "mean": .75 * B + .25 * MEANS[0], "variance": .75 * S + .25 * MEANS[1]}),
    "window-of-one": (18, [node("GlobalAveragePool", ["X"], ["g"]), node("Conv", ["g", "K"], ["Y"], pads=[1, 1])], {"X": X}, {"K": random.standard_normal((1, 4, 3))}, None),
}
NEWER["window-of-one"] = (*NEWER["window-of-one"][:4], {"Y": np.einsum("nc,oc->no", X.mean(2), NEWER["window-of-one"][3]["K"][:, :, 1])[:, :, None]})


def check_newer(tap, folder):
    """What operator sets 17 to 21 changed, and what the packaged models do not reach, against NumPy."""
    for name, (opset, nodes, inputs, weights, outputs) in NEWER.items():
        folder.write("m.onnx", model(nodes, [(key, array.dtype.name, array.shape) for key, array in inputs.items()],
                                     [(key, array.dtype.name, array.shape) for key, array in outputs.items()], weights, opset))
        said = folder.json("import", "m.onnx", "-o", "m.ncd")
        for key, array in inputs.items():
            np.save(folder.path / f"{key}.npy", array)
        run = folder.run("evaluate", "m.ncd", "--weights", "m.onnx", *(f"--in={key}={key}.npy" for key in inputs), *(f"--out={key}={key}_out.npy" for key in outputs))
        found = {key: np.load(folder.path / f"{key}_out.npy") for key in outputs} if run.returncode == 0 else {}
        good = said["opaque"] == [] and all(key in found and found[key].shape == wanted.shape and np.allclose(found[key], wanted, 1e-7, 1e-9)
                                            for key, wanted in outputs.items())
        tap.check(f"/onnx/newer/{name}", None if good else f"{said}: {run.stderr} {found} and not {outputs}")


def check_places(tap, folder):
    """A convolution that has a window at each place keeps the axes of the places; one by 1 sums over channels alone."""
    rng = np.random.default_rng(3)
    x = rng.standard_normal((2, 3, 6, 5))
    one, two = rng.standard_normal((4, 3, 1, 1)), rng.standard_normal((4, 4, 3, 3))
    nodes = [node("Conv", ["X", "A"], ["a"]), node("Conv", ["a", "B"], ["b"], pads=[1, 1, 1, 1]), node("Add", ["a", "b"], ["Y"])]
    folder.write("m.onnx", model(nodes, [("X", "float64", x.shape)], [("Y", "float64", (2, 4, 6, 5))], {"A": one, "B": two}))
    np.save(folder.path / "x.npy", x)
    folder.output("import", "m.onnx", "-o", "m.ncd")
    text = folder.output("equations", "m.ncd")
    reads = [line for line in text.splitlines() if re.search(r"[+-] *\w+[,\]]", line)]
    tap.check("/onnx/places/one-read", None if len(reads) == 1 and "axis y" not in text else text)
    tap.check("/onnx/places/one-sum", None if re.search(r"X\[n,c,\w+,\w+\] A\[\w+,c,0,0\]", text) else text)
    folder.output("evaluate", "m.ncd", "--weights", "m.onnx", "--in", "X=x.npy", "--out", "Y=y.npy")
    a = np.einsum("ncyx,oc->noyx", x, one[:, :, 0, 0])
    wide = np.pad(a, ((0, 0), (0, 0), (1, 1), (1, 1)))
    b = sum(np.einsum("ncyx,oc->noyx", wide[:, :, p:p + 6, q:q + 5], two[:, :, p, q]) for p in range(3) for q in range(3))
    tap.check("/onnx/places/numbers", None if np.allclose(np.load(folder.path / "y.npy"), a + b, 1e-9) else text)


ANYTHING = np.array([[1., -2, 0], [math.inf, -math.inf, math.nan]])
ROW = np.array([math.nan, math.inf, 0])
NOT_FINITE = [
    ("scalar", [node("Add", ["X", "c"], ["Y"])], {"c": np.array(math.nan)}, ANYTHING + math.nan),
    ("zero", [node("Mul", ["X", "c"], ["Y"])], {"c": np.array(0.)}, ANYTHING * 0),
    ("under", [node("Div", ["c", "X"], ["Y"])], {"c": np.array(0.)}, 0 / np.where(ANYTHING == 0, math.nan, ANYTHING)),
    ("row", [node("Mul", ["X", "c"], ["Y"])], {"c": ROW}, ANYTHING * ROW),
    ("attribute", [node("LeakyRelu", ["X"], ["Y"], alpha=math.nan)], {}, np.where(ANYTHING < 0, math.nan, ANYTHING)),
    ("folded", [node("Div", ["c", "c"], ["d"]), node("Where", ["c", "d", "X"], ["Z"]), node("Mul", ["Z", "d"], ["Y"])],
     {"c": np.array(0.)}, ANYTHING * math.nan),
]


def check_not_finite(tap, folder):
    """Numbers of a model that are infinite or none at all, and 0 times such."""
    np.save(folder.path / "x.npy", ANYTHING)
    for name, nodes, weights, wanted in NOT_FINITE:
        folder.write("m.onnx", model(nodes, [("X", "float64", (2, 3))], [("Y", "float64", (2, 3))], weights))
        folder.output("import", "m.onnx", "-o", "m.ncd")
        folder.output("evaluate", "m.ncd", "--weights", "m.onnx", "--in", "X=x.npy", "--out", "Y=y.npy")
        found = np.load(folder.path / "y.npy")
        tap.check(f"/onnx/not-finite/{name}", None if np.array_equal(found, wanted, True) else f"{found} and not {wanted}")


TWICE = graph_of([node("Mul", ["X", "two"], ["doubled"])], [], [("doubled", "float64", (2, 4, 6))], {"two": np.array(2.)}, "then")
LESS = graph_of([node("Sub", ["X", "two"], ["less"])], [], [("less", "float64", (2, 4, 6))], {"two": np.array(2.)}, "else")
BODY = graph_of([node("Add", ["h", "X"], ["next"]), node("ReduceSum", ["next"], ["total"], keepdims=0), node("Identity", ["go"], ["on"])],
                [("time", "int64", []), ("go", "bool", []), ("h", "float64", (2, 4, 6))],
                [("on", "bool", []), ("next", "float64", (2, 4, 6)), ("total", "float64", [])], None, "body")
LEAK = function("own", "Leak", ["A"], ["B"], [referring("LeakyRelu", ["A"], ["inner"], "alpha", "slope"), node("Neg", ["inner"], ["B"])])
OUTER = function("own", "Outer", ["A"], ["B"], [node("Leak", ["A"], ["inner"], "", "own", slope=.5), node("Relu", ["inner"], ["B"])])
CONTROL = [
    ("then", [node("If", ["yes"], ["Y"], then_branch=TWICE, else_branch=LESS)], {"yes": np.array(True)}, 2 * X, 2),
    ("else", [node("If", ["no"], ["Y"], then_branch=TWICE, else_branch=LESS)], {"no": np.array(False)}, X - 2, 2),
    ("loop", [node("Loop", ["n", "", "X"], ["Y", "Z"], body=BODY)], {"n": np.array(3)}, 4 * X, 4),
    ("scans", [node("Loop", ["n", "", "X"], ["Z", "Y"], body=BODY)], {"n": np.array(3)}, X.sum() * np.array([2., 3, 4]), 4),
    ("function", [node("Leak", ["X"], ["Y"], "", "own", slope=.25)], {}, -np.where(X < 0, X / 4, X), 3),
    ("functions", [node("Outer", ["X"], ["Y"], "", "own")], {}, np.maximum(-np.where(X < 0, X / 2, X), 0), 5),
]


def check_control(tap, folder):
    """Graphs within nodes, and functions of the model, are put in the place of what calls them."""
    np.save(folder.path / "x.npy", X)
    for name, nodes, weights, wanted, count in CONTROL:
        folder.write("m.onnx", model(nodes, [("X", "float64", X.shape)], [("Y", "float64", wanted.shape)], weights, 17, "m", (LEAK, OUTER)))
        said = folder.json("import", "m.onnx", "-o", "m.ncd")
        folder.output("evaluate", "m.ncd", "--weights", "m.onnx", "--in", "X=x.npy", "--out", "Y=y.npy")
        found = np.load(folder.path / "y.npy")
        good = found.shape == wanted.shape and np.allclose(found, wanted, 1e-7, 1e-9) and said["opaque"] == []
        tap.check(f"/onnx/control/{name}", None if good else f"{said}: {found} and not {wanted}")
        tap.equal(f"/onnx/control/{name}/count", said["operators"], count)
    many = function("own", "Many", ["A"], ["B"], [node("Many", ["A"], [f"b{i}"], "", "own") for i in range(9)] + [node("Neg", ["b8"], ["B"])])
    endless = graph_of([node("Identity", ["h"], ["next"]), node("Identity", ["go"], ["on"])],
                       [("time", "int64", []), ("go", "bool", []), ("h", "float64", X.shape)],
                       [("on", "bool", []), ("next", "float64", X.shape)], None, "body")
    around = function("own", "Around", ["A"], ["B"], [node("Around", ["A"], ["B"], "", "own")])
    for name, nodes, words in (("endless", [node("Loop", ["", "", "X"], ["Y"], body=endless)], "more than 64 iterations"),
                               ("many", [node("Many", ["X"], ["Y"], "", "own")], "comes to too much"),
                               ("around", [node("Around", ["X"], ["Y"], "", "own")], "more than 16 deep")):
        folder.write("m.onnx", model(nodes, [("X", "float64", X.shape)], [("Y", "float64", X.shape)], {}, 17, "m", (around, many)))
        said = folder.json("import", "m.onnx", "-o", "m.ncd")["opaque"]
        tap.check(f"/onnx/control/{name}", None if any(words in each["reason"] for each in said) else str(said))


def check_types(tap, folder):
    """f32 is kept as another type where one is asked for; i64 and what is worked out of it stay, and the model's arrays are rounded."""
    given, factor = np.float32(1) + np.arange(12, dtype="float32").reshape(3, 4) / 512, np.float32(1 / 3)
    nodes = [node("Gather", ["X", "I"], ["A"]), node("MatMul", ["A", "W"], ["Y"])]
    folder.write("t.onnx", model(nodes, [("X", "float32", [3, 4]), ("I", "int64", [2])], [("Y", "float32", [2, 4])],
                                 {"W": np.eye(4, dtype="float32") * factor}))
    np.save(folder.path / "x.npy", given)
    np.save(folder.path / "i.npy", np.array([2, 0]))
    found = {}
    for kept in ("f32", "bf16"):
        folder.output("import", "t.onnx", "-o", "t.ncd", "--f32-as", kept)
        text = folder.output("equations", "t.ncd")
        tap.equal(f"/onnx/types/{kept}", (text.count(f"{kept}["), text.count("i64[")), (2, 1))
        folder.output("evaluate", "t.ncd", "--weights", "t.onnx", "--in", "X=x.npy", "--in", "I=i.npy", "--out", "Y=y.npy", "--precision", "declared")
        found[kept] = np.load(folder.path / "y.npy")
    tap.check("/onnx/types/exact", None if np.allclose(found["f32"], given[[2, 0]] * factor, rtol=1e-6) else found["f32"])
    apart = np.abs(found["bf16"] / found["f32"] - 1).max()
    tap.check("/onnx/types/rounded", None if 2**-12 < apart < 2**-6 else apart)
    folder.failure(2, "import", "t.onnx", "-o", "t.ncd", "--f32-as", "i64")
    folder.failure(2, "import", "t.onnx", "-o", "t.ncd", "--f32-as", "f17")


def check_failures(tap, folder):
    folder.write("bad.onnx", b"\x3a\xff\x01nothing")
    said = folder.failure(1, "import", "bad.onnx", "-o", "bad.ncd")
    tap.check("/onnx/failures/place", None if "byte 0" in said else said)
    tap.check("/onnx/failures/nothing-written", None if not (folder.path / "bad.ncd").exists() else "bad.ncd")
    folder.failure(1, "import", "none.onnx", "-o", "bad.ncd")
    folder.write("a.eq", "A : f32[i=3]\nB[i] = A[i] + 1\n")
    folder.failure(2, "import", "a.eq", "-o", "a.ncd", "--constant", "A=a.npy")
    folder.failure(2, "import", "a.eq", "-o", "a.ncd", "--f32-as", "bf16")


def check_made(tap, folder):
    """What is written is a document without errors, whatever the model."""
    folder.write("m.onnx", model([node("Neg", ["X"], ["Y"])], [("X", "float32", [3])], [("Y", "float32", [3])] * 2))
    folder.output("import", "m.onnx", "-o", "m.ncd")
    tap.equal("/onnx/made/output-twice", (folder.run("check", "m.ncd").returncode, folder.output("equations", "m.ncd").count("-> ")), (0, 1))
    for op, shape, places in (("Gather", [4], [2]), ("GatherElements", [4], [2]), ("GatherND", [4], [2, 1])):
        folder.write("m.onnx", model([node(op, ["X", "I"], ["Y"])], [("X", "float32", shape), ("I", "float32", places)], [("Y", "float32", [2])]))
        said = folder.json("import", "m.onnx", "-o", "m.ncd")
        tap.equal(f"/onnx/made/{op}", [each["reason"] for each in said["opaque"]], ["the indices are not whole numbers (i64 or i32)"])
        tap.equal(f"/onnx/made/{op}/check", folder.run("check", "m.ncd").returncode, 0)
    for op in ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"):
        folder.write("m.onnx", model([node(op, ["X", "I"], ["Y"])], [("X", "float32", [2, 4]), ("I", "float32", [2])], [("Y", "float32", [])]))
        said = folder.json("import", "m.onnx", "-o", "m.ncd")
        tap.equal(f"/onnx/made/{op}", [each["reason"] for each in said["opaque"]], ["the indices are not whole numbers (i64 or i32)"])


# op, attributes, inputs, and the shape of the output: an array of one element is not spread over others here.
APART = [
    ("NegativeLogLikelihoodLoss", {"reduction": "none"}, {"X": [1, 5], "I": [3]}, [3]),
    ("NegativeLogLikelihoodLoss", {"reduction": "none"}, {"X": [3, 5], "I": [1]}, [3]),
    ("NegativeLogLikelihoodLoss", {}, {"X": [3, 5, 1], "I": [3, 2]}, []),
    ("NegativeLogLikelihoodLoss", {}, {"X": [3, 5], "I": [3], "W": [1]}, []),
    ("SoftmaxCrossEntropyLoss", {}, {"X": [1, 5], "I": [3]}, []),
    ("SoftmaxCrossEntropyLoss", {}, {"X": [3, 5], "I": [3], "W": [4]}, []),
    ("GatherND", {"batch_dims": 1}, {"X": [1, 5, 6], "I": [3, 2]}, [3]),
    ("GatherND", {"batch_dims": 1}, {"X": [3, 5, 6], "I": [1, 2]}, [3]),
    ("GatherElements", {"axis": 1}, {"X": [1, 5], "I": [3, 2]}, [3, 2]),
]


PARTS = [("ScatterElements", {"axis": 1}, {"X": [3, 5], "I": [2, 2], "U": [2, 2]}, [3, 5])]


def check_apart(tap, folder):
    """Nodes whose inputs have sizes that ONNX does not allow are boxes, and the document has no errors."""
    for number, (op, attributes, inputs, shape) in enumerate(APART + PARTS):
        reason = "indices for a part of the data alone" if number >= len(APART) else "the shapes of the inputs do not fit together"
        infos = [(name, "int64" if name == "I" else "float32", sizes) for name, sizes in inputs.items()]
        folder.write("m.onnx", model([node(op, list(inputs), ["Y"], **attributes)], infos, [("Y", "float32", shape)], {}, 18))
        said = folder.json("import", "m.onnx", "-o", "m.ncd")
        tap.equal(f"/onnx/apart/{op}/{number}", [each["reason"] for each in said["opaque"]], [reason])
        tap.equal(f"/onnx/apart/{op}/{number}/check", folder.run("check", "m.ncd").returncode, 0)


# op, attributes, shapes of the inputs, number of outputs
EMPTY = [
    ("DepthToSpace", {"blocksize": 2}, [[1, 8, 0, 3]], 1),
    ("SpaceToDepth", {"blocksize": 2}, [[1, 0, 4, 4]], 1),
    ("LayerNormalization", {"axis": 1}, [[2, 0, 3], [0, 3]], 3),
    ("LpNormalization", {"p": 1}, [[2, 0]], 1),
    ("LRN", {"size": 3}, [[1, 0, 4]], 1),
    ("GroupNormalization", {"num_groups": 2}, [[1, 4, 0], [2], [2]], 1),
    ("ConvTranspose", {}, [[1, 0, 4], [0, 2, 3]], 1),
    ("MatMul", {}, [[2, 0], [0, 3]], 1),
]


def check_empty(tap, folder):
    """Arrays without elements, which no document has, make a box of what would compute with them."""
    for op, attributes, shapes, outputs in EMPTY:
        inputs, results = [f"X{i}" for i in range(len(shapes))], [f"Y{i}" for i in range(outputs)]
        folder.write("m.onnx", model([node(op, inputs, results, **attributes)], [(name, "float32", shape) for name, shape in zip(inputs, shapes)],
                                     [(name, "float32", [1]) for name in results], {}, 18))
        said = folder.json("import", "m.onnx", "-o", "m.ncd")
        tap.equal(f"/onnx/empty/{op}", [each["reason"] for each in said["opaque"]], ["an array without elements"])
        tap.equal(f"/onnx/empty/{op}/check", folder.run("check", "m.ncd").returncode, 0)


def check_names(tap, folder):
    """Names of a model are words of a figure, not orders to TeX."""
    evil = "\\input{/etc/passwd}%$#&^_~\"<img src=x>\n\\write18{touch owned}"
    folder.write("m.onnx", model([node("MatMul", [evil + "X", "W" + evil], ["t" + evil], "/" + evil + "/a"), node("Mystery", ["t" + evil], [evil + "Y"], evil, evil)],
                                 [(evil + "X", "float32", ["b" + evil, 4]), ("W" + evil, "float32", [4, 3])], [(evil + "Y", "float32", [2, 3])], None, 17, evil))
    tap.equal("/onnx/names/import", folder.run("import", "m.onnx", "-o", "m.ncd", "--set", "b=2").returncode, 0)
    folder.output("export", "m.ncd", "-o", "m.tex")
    text = re.sub(r"(?m)^%.*$", "", folder.read("m.tex").decode())
    orders = set(re.findall(r"\\([A-Za-z]+)", text))
    tap.check("/onnx/names/tikz", None if "heddlebox" in orders and not orders & {"input", "write", "immediate", "openin", "csname"} else str(orders))
    words = re.sub(r"\{[A-Za-z0-9-]+\}", "", text)  # names of nodes, which are letters, digits and hyphens
    tap.check("/onnx/names/tikz-words", None if "write18" not in words and "/etc" not in words else "a name is there as it was")


ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def check_modules_named(tap, folder):
    """What a module comes to is called after it, however it is called: as a function or a word of the language, too."""
    modules = "sum softmax layernorm def param axis where index size inf and not n X relu import lambda self t1 conv.2d layers.7".split()
    nodes, last = [], "X"
    for i, name in enumerate(modules):
        nodes += [node("Softmax", [last], [f"v{i}"], f"/{name}/Softmax"), node("Relu", [f"v{i}"], [f"w{i}"], f"/{name}/Relu")]
        last = f"w{i}"
    folder.write("m.onnx", model([*nodes, node("Exp", [last], ["Y"])], [("X", "float32", [3, 4])], [("Y", "float32", [3, 4])]))
    folder.output("import", "m.onnx", "-o", "m.ncd")
    text = folder.output("equations", "m.ncd")
    names = [line.split("[")[0] for line in text.splitlines() if " = relu(" in line]
    tap.equal("/onnx/modules-named/names", names, [
        *(f"{name}_2" for name in "sum softmax layernorm def param axis where index size inf and not n X relu".split()), "import", "lambda", "self", "t1", "v2d", "t22"])
    folder.write("m.eq", text)
    tap.equal("/onnx/modules-named/text", folder.output("equations", "m.eq"), text)
    # what the model itself calls its results is for them alone
    nodes = [node("Softmax", ["X"], ["a"], "/0/output/S"), node("Exp", ["a"], ["b"], "/1/output/E"), node("Sigmoid", ["b"], ["c"], "/2/output/S"),
             node("Relu", ["c"], ["output_2"], "/head/R"), node("Exp", ["output_2"], ["output_1"], "/tail/E")]
    folder.write("o.onnx", model(nodes, [("X", "float32", [3, 4])], [("output_1", "float32", [3, 4]), ("output_2", "float32", [3, 4])]))
    folder.output("import", "o.onnx", "-o", "o.ncd")
    made = [line.split("[")[0] for line in folder.output("equations", "o.ncd").splitlines() if "] = " in line]
    tap.equal("/onnx/modules-named/results", made, ["output", "output_3", "output_4", "output_2", "output_1"])
    nodes = [node("Softmax", ["X"], ["a"], "/0/output/S"), node("Exp", ["a"], ["b"], "/1/output/E"), node("Relu", ["b"], ["output"], "/head/R")]
    folder.write("p.onnx", model(nodes, [("X", "float32", [3, 4])], [("output", "float32", [3, 4])]))
    folder.output("import", "p.onnx", "-o", "p.ncd")
    made = [line.split("[")[0] for line in folder.output("equations", "p.ncd").splitlines() if "] = " in line]
    tap.equal("/onnx/modules-named/result", made, ["output_2", "output_3", "output"])


def check_orders(tap, folder):
    """Names of a model are no orders to the terminal, and make no lines of their own in what is said, nor in the report."""
    os.environ["XDG_CACHE_HOME"] = str(folder.path)
    evil = "\x1b]0;owned\x07\x1b[2J\r\x7f\x9b31m\u202eecila\u2066\nforged: error: "
    nodes = [node("MatMul", [evil + "X", evil + "W"], [evil + "t"], evil + "/a"), node(evil, [evil + "t"], [evil + "Y"], evil, evil)]
    inputs, outputs = [(evil + "X", "float32", [evil + "n", 4])], [(evil + "Y", "float32", [2, 3])]
    folder.write("m.onnx", model(nodes, inputs, outputs, {evil + "W": np.eye(4, 3, dtype="float32")}, 17, evil))
    folder.write("c.onnx", model([node("Relu", [evil + "none"], [evil + "Y"], evil)], inputs, outputs, None, 17, evil))
    folder.write("o.onnx", model(nodes[:1], inputs, [(evil + "t", "float32", [2, 3])], {evil + "W": np.eye(4, 3, dtype="float32")}, 17, evil))
    calls = [("import", "m.onnx", "-o", "m.ncd"), ("import", "m.onnx", "-o", "m.ncd", "--json"), ("import", "c.onnx", "-o", "c.ncd"),
             ("import", "c.onnx", "-o", "c.ncd", "--json"), ("import", "o.onnx", "-o", "o.ncd"), ("check", "m.ncd"), ("check", "m.ncd", "--json"),
             ("equations", "m.ncd"), ("diff", "m.ncd", "o.ncd"), ("derive", "o.ncd", "--gpu", "h100", "--json"), ("derive", "o.ncd", "--gpu", "h100"),
             ("evaluate", "m.ncd", "--random", "1"), ("evaluate", "o.ncd", "--in", f"{evil}=x.npy"), ("evaluate", "o.ncd", "--in", f"{evil}X=none.npy"),
             ("optimise", "o.ncd", "--gpu", "h100", "-o", "out", "--no-verify", "--no-cache"),
             ("optimise", "o.ncd", "--gpu", "h100", "-o", "out", "--no-verify", "--no-cache", "--json")]
    for i, call in enumerate(calls):
        run = folder.run(*call)
        said = run.stdout + run.stderr
        found = ORDERS.search(said)
        tap.check(f"/onnx/orders/{i}-{call[0]}", None if not found and (said or call[0] == "check") else f"{call}: {said!r}")
        forged = [line for line in said.splitlines() if line.startswith("forged")]
        if call[0] == "import":
            tap.check(f"/onnx/orders/{i}-{call[0]}/lines", forged)
    tap.check("/onnx/orders/said", None if "\\u001b]0;owned" in folder.run("import", "c.onnx", "-o", "c.ncd").stderr else "no such name")
    tap.equal("/onnx/orders/json", json.loads(folder.run("import", "m.onnx", "-o", "m.ncd", "--json").stdout)["opaque"][0]["node"], evil)
    for name in ("report.html", "report.json"):
        text = folder.read(f"out/{name}").decode()
        tap.check(f"/onnx/orders/{name}", None if not ORDERS.search(text) and not re.search("&#x[01]?[0-9a-f];", text) else repr(ORDERS.search(text)))


def main():
    tap = Tap()
    for check in (check_names, check_modules_named, check_transformer, check_box, check_open_sizes, check_repeated_boxes, check_recurrent, check_writes, check_ones, check_recognised, check_many_joined, check_rotation, check_rows, check_constants, check_types, check_newer, check_places, check_not_finite, check_control, check_made, check_apart, check_empty, check_failures, check_orders):
        check(tap, Folder())
    tap.finish()


main()
