# SPDX-License-Identifier: MIT
"""Where a GPU and PyTorch are, without Heddle: each module against the framework's default, correctness first, then medians by events."""

import importlib.util
import json
import statistics
import sys
from pathlib import Path

from .operators import OPERATORS
from .score import ACCURACY, NAMES, TOLERANCES, tolerance


def load(path):
    spec = importlib.util.spec_from_file_location(f"heddle_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def default_of(torch, default):
    """The framework's own: a function of the same inputs; NULL: there is none to compare with."""
    if default is None:
        return None
    if "operator" in default:
        function = eval(OPERATORS[default["operator"]][1])  # noqa: S307: of this package
        return lambda *inputs: function(torch, *inputs)
    if "function" in default:
        path, _, name = default["function"].rpartition(":")
        return getattr(load(Path(path)), name)
    return None


def make_inputs(torch, module, seed=1):
    """Random arrays at the sizes of the module, whole numbers within the first rows of what they may index."""
    generator = torch.Generator(device="cuda").manual_seed(seed)
    sizes = dict(module._SIZES)
    made = []
    for _, dtype, axes in module._INPUTS:
        shape, kind = [sizes[axis] for axis in axes], getattr(torch, dtype)
        if kind.is_floating_point:
            made.append(torch.randn(shape, generator=generator, device="cuda").mul_(0.5).to(kind))
        else:
            made.append(torch.randint(0, max(1, min(sizes.values())), shape, generator=generator, device="cuda").to(kind))
    return made


def as_list(results):
    return list(results) if isinstance(results, (tuple, list)) else [results]


def compare(torch, ours, theirs):
    """Every output at every t, with the tolerances of its type."""
    outputs = []
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
        ours, theirs = getattr(module, files[0].stem), default_of(torch, sample["default"])
        if theirs is None:
            return {**result, "failure": "default", "why": "there is nothing of the framework to compare with"}
        inputs = make_inputs(torch, module)
        result["outputs"] = compare(torch, ours(*inputs), theirs(*inputs))
        result["failure"] = None if all(output["correct"]["4"] for output in result["outputs"]) else ACCURACY
        if result["failure"] is None:
            l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 50 << 20)
            sets = sets_of(torch, inputs, 4 * l2)
            result["measured_s"], result["measured_default_s"] = time_of(torch, ours, sets, repeat), time_of(torch, theirs, sets, repeat)
            result["speedup"]["measured"] = result["measured_default_s"] / result["measured_s"]
    except (RuntimeError, TypeError, ValueError) as error:
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
