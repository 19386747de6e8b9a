#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One small decoder, as torch.onnx writes it and as heddle_torch traces it: the diagrams say the same, and what NumPy says. The models that are stored
in models/ are read everywhere; where there is PyTorch, it is traced here too.

Usage: test-imports.py FOLDER-OF-HEDDLE_TORCH FOLDER-OF-MODELS
"""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from heddle import PROGRAM, Folder, Tap

PACKAGE, MODELS = (Path(argument).resolve() for argument in sys.argv[1:3])
HEADS, LAYERS = 2, 2
IDS = np.array([[1, 5, 0, 10, 3, 3], [7, 2, 9, 4, 4, 6]])
TYPES = {"F32": "float32", "I64": "int64"}
WAYS = ("onnx", "fx", "export")


def read_safetensors(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    head = json.loads(data[8:8 + size])
    return {name: np.frombuffer(data[8 + size:][slice(*entry["data_offsets"])], TYPES[entry["dtype"]]).reshape(entry["shape"])
            .astype("float64") for name, entry in head.items()}


def normal(x, scale, shift):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale + shift


def expected(w, ids):
    """decoder.py by hand."""
    h = w["words.weight"][ids] + w["places.weight"][:ids.shape[1]]
    for layer in range(LAYERS):
        p = {name.split(".", 2)[2]: array for name, array in w.items() if name.startswith(f"layers.{layer}.")}
        x = normal(h, p["norm1.weight"], p["norm1.bias"])
        q, k, v = np.split(x @ p["attention.qkv.weight"].T + p["attention.qkv.bias"], 3, -1)
        q, k, v = (each.reshape(*ids.shape, HEADS, -1).swapaxes(1, 2) for each in (q, k, v))
        s = np.where(np.tri(ids.shape[1]) > 0, np.exp(q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])), 0)
        a = (s / s.sum(-1, keepdims=True) @ v).swapaxes(1, 2).reshape(h.shape)
        h = h + a @ p["attention.out.weight"].T + p["attention.out.bias"]
        u = normal(h, p["norm2.weight"], p["norm2.bias"]) @ p["mlp.0.weight"].T + p["mlp.0.bias"]
        h = h + (u * (1 + np.vectorize(math.erf)(u / math.sqrt(2))) / 2) @ p["mlp.2.weight"].T + p["mlp.2.bias"]
    return normal(h, w["norm.weight"], w["norm.bias"]) @ w["head.weight"].T


def evaluate(folder, document, weights):
    np.save(folder.path / "ids.npy", IDS)
    folder.output("evaluate", document, "--weights", str(weights), "--in", "ids=ids.npy", "--out", "output=o.npy")
    return np.load(folder.path / "o.npy")


def compare(tap, name, found, wanted):
    same = found.shape == wanted.shape and np.abs(found - wanted).max() < 1e-6 * np.abs(wanted).max()
    tap.check(name, None if same else f"{found} and not {wanted}")


def check_stored(tap):
    folder = Folder()
    wanted = expected(read_safetensors(MODELS / "decoder.safetensors"), IDS)
    found = {}
    for way in WAYS:
        said = folder.json("import", str(MODELS / f"decoder-{way}.onnx"), "-o", f"{way}.ncd")
        tap.equal(f"/imports/{way}/opaque", said["opaque"], [])
        tap.equal(f"/imports/{way}/check", folder.run("check", f"{way}.ncd").returncode, 0)
        weights = MODELS / ("decoder-onnx.onnx" if way == "onnx" else "decoder.safetensors")
        found[way] = evaluate(folder, f"{way}.ncd", weights)
        compare(tap, f"/imports/{way}/values", found[way], wanted)
    for way in WAYS[1:]:
        difference = np.abs(found[way] - found["onnx"]).max() / np.abs(wanted).max()
        tap.check(f"/imports/{way}/as-onnx", None if difference < 1e-6 else f"off by {difference}")
    text = folder.output("equations", "export.ncd")
    for way in WAYS:
        found = folder.output("equations", f"{way}.ncd")
        tap.check(f"/imports/{way}/repeated", None if f"layers[n,s,m] = layer^{LAYERS}(" in found else "no repetition")
    said = folder.json("import", str(MODELS / "decoder-export.onnx"), "-o", "unrolled.ncd", "--unrolled")
    unrolled = folder.output("equations", "unrolled.ncd")
    weights = [line for line in unrolled.splitlines() if line.startswith("param ")]
    tap.check("/imports/unrolled", None if "layer^" not in unrolled and len(weights) > 2 * LAYERS else unrolled)
    compare(tap, "/imports/unrolled/values", evaluate(folder, "unrolled.ncd", MODELS / "decoder.safetensors"), wanted)
    refused = folder.run("import", "export.ncd", "-o", "again.ncd", "--unrolled")
    tap.check("/imports/unrolled/refused", None if refused.returncode == 2 and "--unrolled is for models of ONNX" in refused.stderr else refused.stderr)
    tap.check("/imports/export/source", None if "# decoder.py:20: scores = q @ k.transpose" in text else "no line of the source")
    tap.check("/imports/fx/no-rows", None if "floor(r" not in folder.output("equations", "fx.ncd") else "places are put into rows")
    folder.write("export.eq", text)
    tap.equal("/imports/export/text", folder.output("equations", "export.eq"), text)
    document = folder.read("export.ncd").decode()
    tap.check("/imports/export/modules", [f"no block {title}" for title in ("attention", "mlp") if f'title="{title}"' not in document])


# --- with PyTorch --------------------------------------------------------------------------------------

PIECES = """
import torch
from torch import nn
from torch.nn import functional as F

class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1, stride=2), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(4, 5)
        self.register_buffer("offset", torch.arange(5.) / 8)

    def forward(self, image):
        x = self.body(image)
        x = F.adaptive_avg_pool2d(x, 1).flatten(1)
        return F.log_softmax(self.head(x) + self.offset, -1)

def pieces(x, y):
    a, b = torch.chunk(x, 2, -1)
    c = torch.cat([torch.sigmoid(a) * b, F.silu(b)], -1)
    d = torch.where(c > 0, c, 2 - c).clamp(max=1.5).transpose(0, 1)
    e = torch.einsum("ji,jk->ik", d, y[1:4]) if d.shape[0] == 3 else d @ y
    e = F.logsigmoid(e) + torch.addcdiv(e, e, e * e + 2)
    return e.sum(-1), torch.rsqrt(e.var(0) + 1), torch.roll(F.pad(e, (1, 0), value=3.), 1, 0).mean()

def places(x):
    i, j = torch.arange(4), torch.arange(3) + 2
    rows, columns = i[:, None], j[None]
    marks = torch.diff(i, prepend=i[:1] - 1) != 1
    inside = (rows <= columns).__and__(columns.bitwise_and(1) == 0)
    return x[rows, columns] * inside, x.unsqueeze(0)[:, rows, columns].sum(0), torch.cumsum(marks, 0) + torch.diff(j).sum()

def writes(x, y):
    order, at = torch.argsort(x[0]), torch.arange(6) // 4 + 1
    a = x.index_copy(1, order[:2], y[:, :2]).index_add(0, at[3:5], y[:2], alpha=2)
    a = a.index_put((order[:3], torch.arange(3)), y[0, :3], accumulate=True) + y.index_put((y > 0,), torch.tensor(3.))
    a = a.index_fill(0, at[:1], 7.)
    b = x.scatter(1, torch.argsort(y, 1)[:, :3], y[:, :3]) + y.scatter_add(0, torch.argsort(x, 0), x * 2)
    b = b * x.scatter_reduce(0, torch.argsort(y, 0), y, "amax") + x.scatter(1, order[:, None], 9.)
    i, j = torch.meshgrid(x[0], y[:, 1], indexing="xy")
    return a, b, i - j, torch.sort(y, 0, descending=True)[0], torch.div(at * 7 - 20, 3, rounding_mode="floor")

class Attention(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)

class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    @torch.no_grad()
    def angles(self, x):
        with torch.autocast("cpu", enabled=False):
            return torch.cos(x) * 2

    def forward(self, x):
        from torch.utils.checkpoint import checkpoint
        y = torch.zeros(3, 4)
        y[1] = x[0] + 1
        y[:, 2:] = 5
        return checkpoint(self.inner, x, use_reentrant=False) * self.angles(x) + y

class Cache(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(4, 3))

    def forward(self, x):
        self.kept[1:3] = x * 2
        x.add_(1)
        return self.kept.sum(0) + x[0]

class Parted(nn.Module):
    def __init__(self):
        super().__init__()
        self.branch = Branch()

    def forward(self, x):
        return self.branch(x)

class Branch(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x

def strange(x):
    return torch.fft.fft(x).real + 1
"""

CASES = [
    ("convolutions", "pieces.py:Convolutions", [(2, 3, 8, 8)]),
    ("pieces", "pieces.py:pieces", [(3, 4), (3, 6)]),
    ("places", "pieces.py:places", [(5, 6)]),
    ("writes", "pieces.py:writes", [(5, 5), (5, 5)]),
    ("attention", "pieces.py:Attention", [(2, 5, 4), (2, 5, 4), (2, 5, 4)]),
]


def run_package(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "ignore"}
    return subprocess.run([sys.executable, "-m", "heddle_torch", *map(str, arguments), "--heddle", PROGRAM], capture_output=True, text=True,
                          cwd=folder.path, env=environment, check=False)


def check_case(tap, torch, case, flags):
    """What PyTorch itself works out is what the diagram says."""
    name, source, shapes = case
    folder = Folder()
    folder.write("pieces.py", PIECES.encode())
    run = run_package(folder, source, *(f"--example=f32{list(shape)}" for shape in shapes), "-o", "m.ncd", "--weights", "m.safetensors", *flags)
    at = f"/torch-import/{name}{''.join(flags)}"
    if run.returncode != 0:
        tap.check(at, run.stderr)
        return
    space = {}
    exec(PIECES, space)  # the same source
    module = space[source.split(":")[1]]
    names = {"pieces": "xy", "places": "x", "writes": "xy", "convolutions": ["image"], "attention": "qkv", "wrapped": "x"}[name]
    if isinstance(module, type):
        module = module().eval()
    weights = read_all(torch, folder.path / "m.safetensors")
    if hasattr(module, "load_state_dict"):
        module.load_state_dict({key: weights[key] for key in module.state_dict() if key in weights}, strict=False)
    torch.manual_seed(1)
    arguments = [torch.randn(shape) for shape in shapes]
    for letter, argument in zip(names, arguments):
        np.save(folder.path / f"{letter}.npy", argument.numpy())
    with torch.no_grad():
        wanted = module(*arguments)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    outputs = ["output"] if len(wanted) == 1 else [f"output_{i + 1}" for i in range(len(wanted))]
    folder.output("evaluate", "m.ncd", "--weights", "m.safetensors", *(f"--in={letter}={letter}.npy" for letter in names),
                  *(f"--out={output}={output}.npy" for output in outputs))
    good = all(np.allclose(np.load(folder.path / f"{output}.npy"), each.numpy(), 1e-4, 1e-5) for output, each in zip(outputs, wanted))
    understood, of = run.stdout.split(": ")[1].split(" of ")
    tap.check(at, None if good and understood == of.split()[0] else f"{run.stdout} or the values differ")


def read_all(torch, path):
    return {name: torch.tensor(array, dtype=torch.float32) for name, array in read_safetensors(path).items()}


def check_traced(tap, torch, flags):
    folder = Folder()
    at = f"/torch-import/decoder{''.join(flags)}"
    folder.write("decoder.py", (MODELS / "decoder.py").read_bytes())
    run = run_package(folder, "decoder.py:Decoder", "--example", "i64[2,6]", "-o", "d.ncd", *flags)
    tap.check(f"{at}/run", None if run.returncode == 0 else run.stderr)
    wanted = expected(read_safetensors(MODELS / "decoder.safetensors"), IDS)
    compare(tap, f"{at}/values", evaluate(folder, "d.ncd", MODELS / "decoder.safetensors"), wanted)
    for case in CASES:
        if case[0] == "attention" and not hasattr(torch.nn.functional, "scaled_dot_product_attention"):
            continue
        check_case(tap, torch, case, flags)


def check_unknown(tap):
    """An operator that this importer does not know is one box: what is made of its results is still known, by the types that are told."""
    folder = Folder()
    folder.write("pieces.py", PIECES.encode())
    run = run_package(folder, "pieces.py:pieces", "--example", "f32[3,4]", "--example", "f32[3,6]", "-o", "m.onnx")
    tap.check("/torch-import/unknown/run", None if run.returncode == 0 else run.stderr)
    model = folder.read("m.onnx")
    tap.equal("/torch-import/unknown/there", model.count(b"\x07Sigmoid"), 2)  # torch.sigmoid, and within silu
    folder.write("m.onnx", model.replace(b"\x07Sigmoid", b"\x07Unknown", 1))
    said = folder.json("import", "m.onnx", "-o", "m.ncd")
    tap.equal("/torch-import/unknown/boxes", [each["operator"] for each in said["opaque"]], ["Unknown"])
    tap.equal("/torch-import/unknown/understood", said["understood"], said["operators"] - 1)


def check_written(tap):
    """What a module writes into its buffers and arguments is an output, and in no way lost."""
    folder = Folder()
    folder.write("pieces.py", PIECES.encode())
    run = run_package(folder, "pieces.py:Cache", "--example", "f32[2,3]", "-o", "m.ncd", "--weights", "m.safetensors")
    tap.equal("/torch-import/written/told", [line.split(";")[0] for line in run.stdout.splitlines()[1:]], ["  written: kept", "  written: x"])
    x = np.arange(6.).reshape(2, 3)
    np.save(folder.path / "x.npy", x)
    folder.output("evaluate", "m.ncd", "--weights", "m.safetensors", "--in=x=x.npy",
                  *(f"--out={name}={i}.npy" for i, name in enumerate(("output", "kept.after", "x.after"))))
    kept = np.concatenate([np.zeros((1, 3)), 2 * x, np.zeros((1, 3))])
    for i, wanted in enumerate((kept.sum(0) + x[0] + 1, kept, x + 1)):
        compare(tap, f"/torch-import/written/{i}", np.load(folder.path / f"{i}.npy"), wanted)
    run = run_package(folder, "pieces.py:Cache", "--example", "f32[2,3]", "-o", "f.ncd", "--fx")
    tap.check("/torch-import/written/fx", None if run.returncode == 1 and "self.kept[1:3] = x * 2: aten.copy_" in run.stderr else f"{run.stdout}{run.stderr}")
    tap.check("/torch-import/written/fx/nothing", None if not (folder.path / "f.ncd").exists() else "there is a document")


STEP = """
import torch
import transformers


def step():
    sizes = {"vocab_size": 30, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
             "max_position_embeddings": 16, "pad_token_id": 0, "use_cache": False}
    torch.manual_seed(3)
    model = transformers.LlamaModel(transformers.LlamaConfig(**sizes)).eval()
    with torch.no_grad():
        return model, torch.tensor([[5]]), model(torch.tensor([[3, 1, 4, 2]]), use_cache=True).past_key_values
"""


def arrays_of(cache):
    return [layer.keys for layer in cache.layers], [layer.values for layer in cache.layers]


def check_cache(tap, torch):
    """A cache that a model of transformers is given is arrays that come in, and comes out with what the model adds to it."""
    try:
        import transformers  # noqa: F401
    except ImportError:
        tap.skip("/torch-import/cache", "transformers is not installed")
        return
    sys.path.insert(0, str(PACKAGE))
    from heddle_torch import save, trace
    folder, space = Folder(), {}
    exec(STEP, space)
    model, word, cache = space["step"]()
    traced = trace(model, (word,), keywords={"past_key_values": cache})
    save(traced, folder.path / "m.ncd", folder.path / "m.safetensors", PROGRAM)
    tap.equal("/torch-import/cache/config", model.config.use_cache, False)
    keys, values = arrays_of(cache)
    given = {"input_ids": word, **{f"past_key_values_key_cache_{i}": each for i, each in enumerate(keys)},
             **{f"past_key_values_value_cache_{i}": each for i, each in enumerate(values)}}
    tap.equal("/torch-import/cache/inputs", set(traced.inputs.values()), set(given))
    for name, array in given.items():
        np.save(folder.path / f"{name}.npy", array.numpy())
    outputs = [f"output_{i + 1}" for i in range(5)]
    folder.output("evaluate", "m.ncd", "--weights", "m.safetensors", *(f"--in={name}={name}.npy" for name in given),
                  *(f"--out={output}={output}.npy" for output in outputs))
    with torch.no_grad():
        made = model(word, past_key_values=cache, use_cache=True)
    keys, values = arrays_of(made.past_key_values)
    found = [np.load(folder.path / f"{output}.npy") for output in outputs]
    far = [i for i, (one, other) in enumerate(zip(found, [made.last_hidden_state, *keys, *values])) if not np.allclose(one, other.numpy(), 1e-4, 1e-5)]
    tap.equal("/torch-import/cache/values", ([each.shape for each in found[1:]], far), ([(1, 1, 5, 8)] * 4, []))


def check_one_line(tap):
    """What cannot be traced is told in a line with the module's path and that of the source; the rest on demand."""
    folder = Folder()
    folder.write("pieces.py", PIECES.encode())
    arguments = ("pieces.py:Parted", "--example", "f32[3]", "-o", "m.ncd")
    said = run_package(folder, *arguments)
    good = said.returncode == 1 and said.stderr.count("\n") == 1 and "branch, pieces.py:" in said.stderr and "return x if x.sum() > 0" in said.stderr
    tap.check("/torch-import/one-line", None if good else f"{said.returncode}: {said.stderr}")
    said = run_package(folder, *arguments, "--traceback")
    tap.check("/torch-import/one-line/traceback", None if said.returncode == 1 and "Traceback (most" in said.stderr else said.stderr)


OPEN = """
import torch
from torch.nn import functional as F

class Mixer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(8, 24)

    def forward(self, x):
        batch, words, _ = x.shape
        q, k, v = self.qkv(x).view(batch, words, 3, 2, 4).permute(2, 0, 3, 1, 4)
        mask = torch.ones(words, words, dtype=torch.bool).tril()
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(batch, words, 8)
        return torch.cat([y, y + 1, x[:, 1:]], 1)

def counted(x):
    return x.sum(1) / x.shape[1]

def fixed(x):
    return x.view(-1, 8) if x.shape[1] == 9 else x
"""


def check_open(tap, torch):
    """Sizes that have names stay open: a document that was made at some holds at others, and one that cannot is refused."""
    folder = Folder()
    folder.write("open.py", OPEN.encode())
    run = run_package(folder, "open.py:Mixer", "--example", "f32[batch=2, words=9 (4..64), 8]", "-o", "m.ncd", "--weights", "m.safetensors")
    tap.equal("/torch-import/open/said", (run.returncode, [line.split(" (")[0] for line in run.stdout.splitlines()[1:]], run.stderr),
              (0, ["  open: batch = 2", "  open: words = 9"], ""))
    tap.equal("/torch-import/open/check", folder.run("check", "m.ncd").returncode, 0)
    text = folder.output("equations", "m.ncd")
    tap.check("/torch-import/open/axes", None if "words=9" in text and "= 3 * words - 1" in text and "26" not in text else text)
    space = {}
    exec(OPEN, space)  # the same source
    module = space["Mixer"]().eval()
    module.load_state_dict(read_all(torch, folder.path / "m.safetensors"))
    for batch, words in ((2, 9), (5, 4), (3, 21)):
        x = torch.randn(batch, words, 8)
        np.save(folder.path / "x.npy", x.numpy())
        folder.output("evaluate", "m.ncd", "--weights", "m.safetensors", "--set", f"batch={batch}", "--set", f"words={words}", "--in", "x=x.npy", "--out", "output=o.npy")
        compare(tap, f"/torch-import/open/{batch}x{words}", np.load(folder.path / "o.npy"), module(x).detach().double().numpy())
    half, auto = torch.export.Dim("half", min=2, max=9), torch.export.Dim.AUTO
    rows = (("derived", lambda x, y: torch.cat([x, x]) + y, (4, 8), ({0: half}, {0: 2 * half}), "half", "2*half"),
            ("unnamed", lambda x, y: x @ x.T + y, (4, 4), ({0: auto}, {0: auto, 1: auto}), "size_1", "size_1"))
    sys.path.insert(0, str(PACKAGE))
    import heddle_torch
    for name, function, (first, second), shapes, open_name, length in rows:
        traced = heddle_torch.trace(function, (torch.randn(first, 5), torch.randn(second, 5 if name == "derived" else first)), dynamic_shapes=shapes)
        said = heddle_torch.save(traced, folder.path / f"{name}.ncd", program=PROGRAM)
        text = folder.output("equations", f"{name}.ncd")
        tap.check(f"/torch-import/open/{name}", None if f"  open: {open_name} = 4 " in said and f"={length}" in text else said + text)
    for name, size, words in (("counted", "words", "a number of the model depends on words"), ("fixed", "words", "ConstraintViolation|Constraints violated|specialized")):
        run = run_package(folder, f"open.py:{name}", "--example", f"f32[2, {size}=9 (4..64), 8]", "-o", "none.ncd")
        good = run.returncode == 1 and any(word in run.stderr for word in words.split("|")) and run.stderr.count("\n") == 1
        tap.check(f"/torch-import/open/{name}", None if good and not (folder.path / "none.ncd").exists() else run.stderr)


def check_refusals(tap):
    folder = Folder()
    folder.write("pieces.py", PIECES.encode())
    rows = (("example", ("pieces.py:pieces", "--example", "f32[2", "-o", "a.ncd"), 2, "expected TYPE[SIZE"),
            ("name", ("pieces.py:none", "-o", "a.ncd"), 2, "has no none"),
            ("file", ("none.py:none", "-o", "a.ncd"), 2, "there is no such file"),
            ("sizes", ("pieces.py:pieces", "--example", "f32[n=2 (3..1)]", "-o", "a.ncd"), 2, "--example: "),
            ("bounds", ("pieces.py:pieces", "--example", "f32[n=2 (1..4), n=2]", "-o", "a.ncd"), 2, "n has other bounds where it is named again"),
            ("size", ("pieces.py:pieces", "--example", "f32[n=m]", "-o", "a.ncd"), 2, "expected TYPE[SIZE"),
            ("output", ("pieces.py:pieces", "-o", "a.png"), 2, "-o OUT.ncd is needed"))
    for name, arguments, status, words in rows:
        run = run_package(folder, *arguments)
        tap.check(f"/torch-import/refused/{name}", None if run.returncode == status and words in run.stderr else f"{run.returncode}: {run.stderr}")
    run = run_package(folder, "pieces.py:strange", "--example", "f32[4]", "-o", "a.ncd")
    tap.check("/torch-import/box", None if "a box: pytorch." in run.stdout and "fft" in run.stdout else run.stdout + run.stderr)


def main():
    tap = Tap()
    check_stored(tap)
    try:
        import torch
    except ImportError:
        tap.skip("/torch-import", "PyTorch is not installed")
        tap.finish()
    check_traced(tap, torch, [])
    if hasattr(torch, "export"):
        check_traced(tap, torch, ["--fx"])
        check_case(tap, torch, ("wrapped", "pieces.py:Wrapped", [(3, 4)]), [])
        check_written(tap)
        check_cache(tap, torch)
        check_one_line(tap)
        check_open(tap, torch)
    check_unknown(tap)
    check_refusals(tap)
    tap.finish()


main()
