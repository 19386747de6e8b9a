# SPDX-License-Identifier: MIT
"""Where a GPU and PyTorch are, without Heddle: each module against the framework's default, correctness first, then medians by events."""

import importlib.util
import json
import statistics
import sys
from pathlib import Path

from . import graphnet
from .errors import Misused
from .operators import OPERATORS
from .score import ACCURACY, NAMES, TOLERANCES, tolerance


def load(path):
    spec = importlib.util.spec_from_file_location(f"heddle_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def find(where):
    """The thing "file.py:name", or "module:name"."""
    source, _, name = where.rpartition(":")
    thing = load(Path(source)) if source.endswith(".py") else importlib.import_module(source)
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


def call_with(torch, module, state, arguments):
    """The module with these parameters and buffers in place of its own."""
    if hasattr(torch, "func"):
        return torch.func.functional_call(module, state, arguments)
    from torch.nn.utils.stateless import functional_call  # noqa: PLC0415: before PyTorch 2

    return functional_call(module, state, arguments)


class Framework:
    """What the framework does by default with the inputs of our module, which `names` are: a function of them, and of what it gives them."""

    def __init__(self, function, given=None):
        self.function, self.given = function, given or {}

    def __call__(self, *inputs):
        return self.function(*inputs)


def of_module(torch, default, names):
    """A module of PyTorch: its parameters are among our inputs, by name; the others are its arguments, in order."""
    thing = find(default["module"])
    if "--call" in default["arguments"] or isinstance(thing, type):
        thing = thing()
    if not isinstance(thing, torch.nn.Module):
        return Framework(thing)
    thing = thing.to("cuda")
    own = {graphnet.plain(name): (name, array) for name, array in [*thing.named_parameters(), *thing.named_buffers()]}

    def function(*inputs):
        state = {own[name][0]: array for name, array in zip(names, inputs) if name in own}
        with torch.no_grad():
            return call_with(torch, thing, state, tuple(array for name, array in zip(names, inputs) if name not in own))

    return Framework(function, {name: array.detach() for name, (_, array) in own.items()})


def replay(torch, said, generator):
    """An array as GraphNet makes it of what is told: its numbers, whole numbers within a range, or random ones with a mean and a spread."""
    kind, shape = getattr(torch, said["dtype"].split(".")[-1]), list(said["shape"])
    if said.get("data") is not None:
        return torch.tensor(said["data"], device="cuda").to(kind).reshape(shape)
    if kind == torch.bool:
        return torch.randn(shape, generator=generator, device="cuda") > 0.5
    if kind.is_floating_point:
        return graphnet.scaled(torch.randn(shape, generator=generator, device="cuda"), said).to(kind)
    return torch.randint(int(said.get("min_val") or 0), int(said.get("max_val") or 0) + 1, shape, generator=generator, device="cuda").to(kind)


def of_sample(torch, default, names):
    """A sample of GraphNet: all are arguments, by name."""
    module = find(str(Path(default["graphnet"]) / "model.py") + ":" + graphnet.CLASS)().to("cuda")
    generator = torch.Generator(device="cuda").manual_seed(2)
    arrays = {argument: replay(torch, said, generator) for argument, said in graphnet.arrays_of(default["graphnet"])}
    arguments = {graphnet.plain(argument): argument for argument in arrays}

    def function(*inputs):
        with torch.no_grad():
            return module(**{**arrays, **{arguments[name]: array for name, array in zip(names, inputs)}})

    return Framework(function, {name: arrays[argument] for name, argument in arguments.items()})


def default_of(torch, default, names=()):
    """The framework's own, as a function of the same inputs; NULL: there is none to compare with."""
    if default is None:
        return None
    if "operator" in default:
        function = eval(OPERATORS[default["operator"]][1])  # noqa: S307: of this package
        return Framework(lambda *inputs: function(torch, *inputs))
    if "function" in default:
        return Framework(find(default["function"]))
    names = [graphnet.plain(name) for name in names]
    return of_sample(torch, default, names) if "graphnet" in default else of_module(torch, default, names)


def make_inputs(torch, module, given=None, seed=1):
    """Those that the framework's module has, and random arrays at the sizes of ours, whole numbers within the first rows of what they may index."""
    generator = torch.Generator(device="cuda").manual_seed(seed)
    sizes = dict(module._SIZES)
    made = []
    for name, dtype, axes in module._INPUTS:
        shape, kind = [sizes[axis] for axis in axes], getattr(torch, dtype)
        own = (given or {}).get(graphnet.plain(name))
        if own is not None and list(own.shape) == shape:
            made.append(own.to(kind).contiguous())
        elif kind.is_floating_point:
            made.append(torch.randn(shape, generator=generator, device="cuda").mul_(0.5).to(kind))
        else:
            made.append(torch.randint(0, max(1, min(sizes.values())), shape, generator=generator, device="cuda").to(kind))
    return made


def as_list(results):
    return list(results) if isinstance(results, (tuple, list)) else [results]


def compare(torch, ours, theirs):
    """Every output at every t, with the tolerances of its type."""
    outputs = []
    if len(as_list(ours)) != len(as_list(theirs)):
        raise ValueError(f"{len(as_list(ours))} outputs, and the framework's are {len(as_list(theirs))}")
    for i, (one, other) in enumerate(zip(as_list(ours), as_list(theirs))):
        dtype = NAMES.get(str(one.dtype).replace("torch.", ""), "exact")
        right = {}
        for t in TOLERANCES:
            atol, rtol = tolerance(t, dtype)
            right[str(t)] = one.shape == other.shape and bool(torch.allclose(one.double(), other.double(), rtol=rtol, atol=atol, equal_nan=True))
        outputs.append({"name": str(i), "dtype": dtype, "correct": right})
    return outputs


def sets_of(torch, inputs, most_bytes):
    """As many sets of inputs as reach past the L2 cache."""
    one = sum(array.numel() * array.element_size() for array in inputs)
    return [inputs] + [[array.clone() for array in inputs] for _ in range(min(15, most_bytes // max(one, 1)))]


def time_of(torch, function, sets, repeat):
    """Seconds: the median of @repeat runs, by events."""
    for inputs in sets[:3]:
        function(*inputs)
    torch.cuda.synchronize()
    times = []
    for i in range(repeat):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        function(*sets[i % len(sets)])
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times) / 1e3


def measure(torch, sample, folder, repeat):
    """The sample with what was measured; what fails is its failure."""
    result = {**sample, "outputs": [], "speedup": dict(sample["speedup"])}
    files = sorted((folder / sample["name"] / "made").glob("*.py"))
    if sample["failure"] not in (None, ACCURACY) or not files:
        return result
    try:
        module = load(files[0])
        ours, theirs = getattr(module, files[0].stem), default_of(torch, sample["default"], [name for name, _, _ in module._INPUTS])
        if theirs is None:
            return {**result, "failure": "default", "why": "there is nothing of the framework to compare with"}
        inputs = make_inputs(torch, module, theirs.given)
        result["outputs"] = compare(torch, ours(*inputs), theirs(*inputs))
        result["failure"] = None if all(output["correct"]["4"] for output in result["outputs"]) else ACCURACY
        if result["failure"] is None:
            l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 50 << 20)
            sets = sets_of(torch, inputs, 4 * l2)
            result["measured_s"], result["measured_default_s"] = time_of(torch, ours, sets, repeat), time_of(torch, theirs, sets, repeat)
            result["speedup"]["measured"] = result["measured_default_s"] / result["measured_s"]
    except (RuntimeError, TypeError, ValueError, AttributeError, KeyError, OSError, ImportError, Misused) as error:
        result.update(failure="run", why=str(error)[-400:])
    return result


def run(folder, repeat):
    """Measures what was prepared; writes `measured.json`."""
    import torch  # noqa: PLC0415

    if not torch.cuda.is_available():
        raise RuntimeError("PyTorch finds no CUDA device")
    folder = Path(folder)
    prepared = json.loads((folder / "samples.json").read_text(encoding="utf-8"))
    samples = [measure(torch, sample, folder, repeat) for sample in prepared["samples"]]
    about = {"gpu": torch.cuda.get_device_name(0), "torch": torch.__version__, "made_for": prepared["gpu"]}
    (folder / "measured.json").write_text(json.dumps({**about, "samples": samples}, indent=1) + "\n", encoding="utf-8")
    return samples
