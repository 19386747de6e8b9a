# SPDX-License-Identifier: MIT
"""Where Heddle is: each graph optimised, its result compared with the original, and what the model predicts. No GPU is needed, nor PyTorch but for
graphs that are modules of it."""

import ast
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy

from . import graphnet
from .errors import Misused
from .score import ACCURACY, NAMES, TOLERANCES, tolerance

NAMESPACE = {"": "https://heddle.github.io/ns/ncd"}
SECONDS = 1800


class Failed(Exception):
    """What a graph failed at: the kind, and why."""

    def __init__(self, kind, why):
        super().__init__(why)
        self.kind = kind


def call(kind, *words):
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise Failed(kind, f"not done in {SECONDS} s") from error
    if done.returncode != 0:
        raise Failed(kind, done.stderr.strip()[-400:])
    return done.stdout


def source_of(graph, folder, heddle):
    """The document of a graph, in its folder."""
    if "path" in graph and not graph["path"].endswith(".onnx"):
        return graph["path"]
    if "text" in graph:
        path = folder / f"{graph['name']}.eq"
        path.write_text(graph["text"], encoding="utf-8")
        return path
    path = folder / f"{graph['name']}.ncd"
    if "path" in graph:
        call("import", heddle, "import", graph["path"], "-o", path)
    elif "sample" in graph:
        model = folder / f"{graph['name']}.py"
        try:
            options = graphnet.options_of(graph["sample"])
        except Misused as error:
            raise Failed("import", str(error)) from error
        model.write_text(graphnet.on_cpu((Path(graph["sample"]) / "model.py").read_text(encoding="utf-8")), encoding="utf-8")
        call("import", sys.executable, "-m", "heddle_torch", f"{model}:{graphnet.CLASS}", *options, "-o", path, "--heddle", heddle)
    else:
        call("import", sys.executable, "-m", "heddle_torch", graph["module"], *graph["options"], "-o", path, "--heddle", heddle)
    return path


def each(option, paths):
    return [word for name, path in paths.items() for word in (option, f"{name}={path}")]


def values_of(folder):
    """Names of inputs, and outputs with their types: of the flat result and its module."""
    diagram = ElementTree.parse(folder / "result.ncd").getroot().find("meaning/diagram", NAMESPACE)
    inputs = [value.get("name") for value in diagram.findall("value", NAMESPACE) if value.get("role") in ("input", "parameter")]
    for statement in ast.parse(next(folder.glob("*.py")).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "_OUTPUTS":
            return inputs, {name: NAMES.get(dtype, dtype) for name, dtype, _ in ast.literal_eval(statement.value)}
    raise Failed("compile", "the module tells no outputs")


def compare(ours, theirs, dtype):
    """At which t the output is right; NaN and infinity have to be where the reference has them, and there has to be something else."""
    right = {}
    if theirs.size > 0 and not numpy.isfinite(theirs).any():
        raise Failed("evaluate", "the original gives no number to compare with")
    for t in TOLERANCES:
        atol, rtol = tolerance(t, dtype)
        right[str(t)] = ours.shape == theirs.shape and bool(numpy.allclose(ours, theirs, rtol=rtol, atol=atol, equal_nan=True))
    return right


def shape_inputs(graph, arrays):
    """Makes random inputs like what is told of them, where something is: variances are positive, weights small."""
    told = {graphnet.plain(name): said for name, said in graphnet.arrays_of(graph["sample"])} if "sample" in graph else {}
    for name, path in arrays.items():
        numbers, said = numpy.load(path), told.get(graphnet.plain(name))
        if said is None or said.get("mean") is None or numbers.dtype.kind != "f":
            continue
        numbers = graphnet.scaled(numbers, said).astype(numbers.dtype)
        if said["dtype"].endswith("bfloat16"):
            numbers = (numbers.astype(numpy.float32).view(numpy.uint32) & 0xFFFF0000).view(numpy.float32).astype(numbers.dtype)
        numpy.save(path, numbers)


def check(source, graph, folder, heddle, report):
    """The result with every array rounded as it is stored, against the original in f64 on the same numbers, at sizes at which that is quick."""
    sizes = [word for size in report["compared_at"].split() for word in ("--set", size)]
    inputs, outputs = values_of(folder / "made")
    arrays = {name: folder / f"in-{i}.npy" for i, name in enumerate(inputs)}
    ours = {name: folder / f"out-{i}.npy" for i, name in enumerate(outputs)}
    theirs = {name: folder / f"reference-{i}.npy" for i, name in enumerate(outputs)}
    made = folder / "made" / "result.ncd"
    call("evaluate", heddle, "evaluate", made, *sizes, "--random", "1", "--dtype", report["dtype"], *each("--out", arrays))
    shape_inputs(graph, arrays)
    call("evaluate", heddle, "evaluate", made, *sizes, "--precision", "declared", "--dtype", report["dtype"], *each("--in", arrays), *each("--out", ours))
    call("evaluate", heddle, "evaluate", source, *sizes, *each("--in", arrays), *each("--out", theirs),
         *(graph["options"][i + k] for i, word in enumerate(graph["options"]) if word == "--diagram" for k in (0, 1)))
    return [{"name": name, "dtype": dtype, "correct": compare(numpy.load(ours[name]), numpy.load(theirs[name]), dtype)} for name, dtype in outputs.items()]


def one(graph, folder, heddle, gpu):
    """A sample: what came of one graph."""
    sample = {"name": graph["name"], "default": graph["default"], "failure": None, "why": None, "outputs": [], "speedup": {}}
    folder.mkdir(parents=True, exist_ok=True)
    try:
        source = source_of(graph, folder, heddle)
        options = graph["options"] if "path" in graph else []
        report = json.loads(call("compile", heddle, "optimise", source, "--gpu", gpu, "-o", folder / "made", "--json", *options))
        sample.update(kernels=report["after"]["kernels"], predicted_s=report["after"]["expected_s"], default_s=report["before"]["expected_s"],
                      verification=[piece["verification"] for piece in report["pieces"]])
        sample["speedup"]["predicted"] = report["speedup"]
        if not report["verified"]:
            raise Failed("compile", "; ".join(sample["verification"]))
        sample["outputs"] = check(source, graph, folder, heddle, report)
        if not all(output["correct"]["4"] for output in sample["outputs"]):
            sample["failure"] = ACCURACY
    except Failed as error:
        sample.update(failure=error.kind, why=str(error))
    return sample


def prepare(graphs, folder, heddle, gpu):
    """Optimises all graphs; writes `samples.json` after each, so that one that was stopped is worth something."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    samples = []
    for graph in graphs:
        sample = one(graph, folder / graph["name"], heddle, gpu)
        samples.append(sample)
        said = f"{sample['failure']}: {sample['why']}" if sample["failure"] else f"{sample['predicted_s'] * 1e6:.1f} µs, {sample['speedup']['predicted']:.2f}x predicted"
        print(f"{graph['name']}: {said}", file=sys.stderr)
        (folder / "samples.json").write_text(json.dumps({"gpu": gpu, "samples": samples}, indent=1) + "\n", encoding="utf-8")
    return samples
