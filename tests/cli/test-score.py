# SPDX-License-Identifier: MIT
"""Scores of lists of graphs: the formulas against numbers worked out by hand, and what is prepared where there is no GPU. argv: the folder of Python."""

import importlib.util
import json
import math
import os
import random
import subprocess
import sys

import array_torch
import numpy
from heddle import PROGRAM, Folder, Tap

sys.path.insert(0, sys.argv[1])
from heddle_score import errors, graphnet, graphs, measure, operators, prepare, score  # noqa: E402

tap = Tap()
folder = Folder()


def close(name, one, other):
    tap.check(name, None if math.isclose(one, other, rel_tol=1e-9) else f"{one}, not {other}")


def sample(speedup, from_t=-10, failure=None):
    """Correct from a t on; with a failure, never."""
    outputs = [] if failure else [{"correct": {str(t): t >= from_t for t in score.TOLERANCES}}]
    return {"name": "a", "failure": failure, "why": "", "outputs": outputs, "speedup": {"measured": speedup} if speedup else {}}


# --- the formulas ---

# at t = -5 those of torch.testing.assert_close: rtol 1e-3, 1.6e-2, 1.3e-6 and 1e-7 with atol 1e-5, 1e-5, 1e-5 and 1e-7
for dtype, atol, rtol in (("f16", 1e-5, 1e-3), ("bf16", 1e-5, 1.6e-2), ("f32", 1e-5, 1.3e-6), ("f64", 1e-7, 1e-7)):
    made = score.tolerance(-5, dtype)
    tap.check(f"/score/tolerance/{dtype}", None if numpy.allclose(made, (atol, rtol), rtol=1e-2, atol=0) else repr(made))
tap.equal("/score/tolerance/whole-numbers", score.tolerance(0, "i64"), (0.0, 0.0))

three = [sample(2.0), sample(0.5), sample(4.0, from_t=0)]
close("/score/wrong-counts-b", score.speedup_score(three, -1), 0.1 ** (1 / 3))  # (2 * 0.5 * 0.1)^(1/3)
close("/score/right", score.speedup_score(three, 0), 4.0 ** (1 / 3))  # (2 * 0.5 * 4)^(1/3)
close("/score/slow-counts-more", score.speedup_score(three, 0, penalty=1.0), 2.0 ** (1 / 3))  # 0.5^2
close("/score/failed-counts-otherwise", score.speedup_score(three, -1, failed=0.5), 0.5 ** (1 / 3))
failed = [sample(2.0), sample(4.0, from_t=3), sample(None, failure="compile")]
close("/score/errors/as-before", score.error_aware_score(failed, 0), 0.02 ** (1 / 3))  # 2 * 0.1 * 0.1
close("/score/errors/wrong-let-off", score.error_aware_score(failed, 1), 0.2 ** (1 / 3))  # 2 * 1 * 0.1
close("/score/errors/state-is-kept", score.error_aware_score(failed, 3), 2.0 ** (1 / 3))  # not 4: it was wrong at 1
draw = random.Random(3)
many = [sample(draw.choice((0.25, 0.8, 1.5, 3.0)), from_t=draw.randint(-10, 6)) for _ in range(40)]
for t in (-6, 0, 4):
    p = 0.7
    parts = score.parameters(many, t)
    share, slow = parts["lambda"], parts["eta"]
    close(f"/score/parts/{t}", score.speedup_score(many, t, penalty=p), parts["alpha"] ** share * parts["beta"] ** (share * slow * p) * 0.1 ** (1 - share))
tap.equal("/score/fast-p", [score.fast_p(three, p, t=0) for p in (0, 1, 2)], [1.0, 2 / 3, 1 / 3])

# --- lists ---

folder.write("list.txt", "# two of one name\nsub/soft.eq --set x=8 --default ours.py:soft\nsoft.eq\nnet.py:Net --example 'f32[2, 3]'\n")
listed = graphs.read_list(folder.path / "list.txt")
tap.equal("/score/list/names", [graph["name"] for graph in listed], ["soft", "soft_2", "net_Net"])
tap.equal("/score/list/options", [graph["options"] for graph in listed], [["--set", "x=8"], [], ["--example", "f32[2, 3]"]])
tap.equal("/score/list/default", listed[0]["default"], {"function": f"{folder.path.resolve()}/ours.py:soft"})
folder.write("wrong.txt", "soft.eq --rm -rf\n")
environment = {**os.environ, "PYTHONPATH": sys.argv[1]}


def call(*arguments):
    return subprocess.run([sys.executable, "-m", "heddle_score", *arguments], cwd=folder.path, capture_output=True, text=True, env=environment, check=False)


tap.equal("/score/list/wrong", call("prepare", "--list", "wrong.txt", "-o", "w").returncode, 2)
tap.equal("/score/only/wrong", call("prepare", "--only", "nothing", "-o", "w").returncode, 2)
tap.equal("/score/nothing-there", call("score", "w").returncode, 2)

# --- the operators that come with it can be read, and give what they say ---

for name, (text, _) in operators.OPERATORS.items():
    run = folder.run("check", folder.write(f"{name}.eq", text))
    tap.check(f"/score/operators/{name}", None if run.returncode == 0 and callable(eval(operators.OPERATORS[name][1])) else run.stderr)  # noqa: S307

# --- what is prepared ---

folder.write("soft.eq", "X : f16[x=64, m=96]\nP[x,m] = softmax[m](X[x,m])\n")
folder.write("broken.eq", "X : f16[x=64]\nY[y] = X[x]\n")
folder.write("graphs.txt", "soft.eq\nbroken.eq\n")
run = call("prepare", "--list", "graphs.txt", "--heddle", PROGRAM, "-o", "made")
tap.equal("/score/prepare/status", run.returncode, 0)
first, second = json.loads(folder.read("made/samples.json"))["samples"]
compiler = not folder.run("compile", "soft.eq").returncode
tap.equal("/score/prepare/failure", [first["failure"], second["failure"]], [None if compiler else "compile", "compile"])
tap.check("/score/prepare/why", None if "broken.eq:2" in second["why"] else second["why"])
tap.check("/score/prepare/predicted", None if first["speedup"]["predicted"] > 0.5 else repr(first["speedup"]))
if compiler:
    # one number in a hundred is rounded to 11 bits: right to 1e-3, not to 1e-6
    right = first["outputs"][0]["correct"]
    tap.equal("/score/prepare/correct", [first["outputs"][0]["dtype"], right["-5"], right["-10"]], ["f16", True, False])
told = call("score", "made")
tap.check("/score/told", None if told.returncode == 0 and "| -5 |" in told.stdout and "broken failed: compile" in told.stdout else told.stdout + told.stderr)
reference = numpy.array([1.0, math.inf, math.nan])
tap.equal("/score/compare", [prepare.compare(numpy.array(other), reference, "f32")["-5"]
                             for other in ([1.0000011, math.inf, math.nan], [1.0001, math.inf, math.nan], [1.0, 3.0, math.nan], [1.0, math.inf])],
          [True, False, False, False])

# --- samples of GraphNet: folders whose model takes every array as an argument ---

META = """class Program_weight_tensor_meta_L_x_:
\tname = "L_x_"
\tshape = [4, 3]
\tdtype = "torch.float32"
\tdevice = "cuda:0"
\tmean = 0.500
\tstd = 0.250
\tdata = None

class Program_weight_tensor_meta_L_self_buffers_var_:
\tname = "L_self_buffers_var_"
\tshape = [3]
\tdtype = "torch.float32"
\tmean = 3.0
\tstd = float("inf")

class Program_weight_tensor_meta_s1:
\tname = "s1"
\tshape = []
\tdtype = "torch.int64"
\tmean = None
\tstd = None
\tdata = [0]
"""
MODEL = """import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, s1 : torch.SymInt, L_x_ : torch.Tensor, L_self_buffers_var_ : torch.nn.parameter.Parameter):
        return (L_x_ * L_self_buffers_var_,)
"""
for name in ("samples/timm/net.one", "samples/odd", *(f"run/{name}/made" for name in ("good", "slow", "wrong", "rough", "faulty", "two", "module", "sample", "alone", "missing"))):
    (folder.path / name).mkdir(parents=True)
folder.write("samples/timm/net.one/weight_meta.py", META)
folder.write("samples/timm/net.one/model.py", MODEL.replace(" : torch.SymInt", "").replace(" : torch.Tensor", "").replace(" : torch.nn.parameter.Parameter", ""))
folder.write("samples/timm/net.one/graph_net.json", '{"framework": "torch"}')
folder.write("samples/odd/weight_meta.py", "import os\nos.remove('samples')\nclass A:\n    name = 'x'\n    shape = [__import__('os').getpid()]\n    dtype = 'torch.float32'\n")
folder.write("samples/odd/model.py", MODEL)
folder.write("samples/README.md", "")
folder.write("folders.txt", "samples\n")
found = graphs.read_list(folder.path / "folders.txt")
tap.equal("/score/graphnet/found", [graph["name"] for graph in found], ["samples_odd", "samples_timm_net_one"])
tap.equal("/score/graphnet/arguments", graphnet.options_of(found[1]["sample"]), ["--example", "i64[]", "--example", "f32[4,3]", "--example", "f32[3]"])
try:
    graphnet.options_of(found[0]["sample"])
    tap.check("/score/graphnet/is-not-run", "it was taken")
except errors.Misused as error:
    tap.check("/score/graphnet/is-not-run", None if "weight_meta.py:5: expected a number" in str(error) else str(error))
tap.equal("/score/graphnet/on-cpu", graphnet.on_cpu("torch.ones(3, device = device(type='cuda', index=0)).to('cuda:1')"),
          "torch.ones(3, device = device(type='cpu')).to('cpu')")
numbers = graphnet.scaled(numpy.array([-1.0, 0.0, 2.0]), {"mean": 0.5, "std": 0.25, "min_val": 0.48, "max_val": None})
tap.check("/score/graphnet/like-what-is-told", None if numpy.allclose(numbers, [0.48, 0.5, 0.6]) else repr(numbers))
folder.write("none.txt", "made\n")
tap.equal("/score/graphnet/none", call("prepare", "--list", "none.txt", "-o", "w").returncode, 2)
run = call("prepare", "--list", "folders.txt", "--heddle", PROGRAM, "-o", "of-samples")
failures = [(one["failure"], one["why"]) for one in json.loads(folder.read("of-samples/samples.json"))["samples"]]
tap.equal("/score/graphnet/fails-alone", (run.returncode, failures[0][0], "expected a number" in failures[0][1], len(failures)), (0, "import", True, 2))

# --- measuring, on a stand-in: the modules and the framework's functions are ours, and so is the clock ---

MADE = """import torch
_INPUTS = (("L_x_", "float32", ("a", "b")), ("L_self_buffers_var_", "float32", ("b",)))
_SIZES = (("a", 4), ("b", 3))
CALLS = []
def {name}(x, w):
    torch.cuda.Event.clock.seconds += {seconds}
    CALLS.append((x, w))
    {body}
"""


def put(name, body="return x * w", seconds=0.001):
    folder.write(f"run/{name}/made/{name}.py", MADE.format(name=name, body=body, seconds=seconds))


def prepared(name, default, failure=None):
    return {"name": name, "default": default, "failure": failure, "why": None, "outputs": [], "speedup": {"predicted": 3.0}}


folder.write("base.py", """import torch
def product(x, w):
    torch.cuda.Event.clock.seconds += 0.004
    return x * w
class Net(torch.nn.Module):
    def __init__(self):
        self.L_self_buffers_var_ = torch.Tensor([1.0, 2.0, 3.0], torch.float32)
    def forward(self, x):
        torch.cuda.Event.clock.seconds += 0.002
        return x * self.L_self_buffers_var_
""")
FUNCTION = {"function": f"{folder.path}/base.py:product"}
NET = {"module": f"{folder.path}/base.py:Net", "arguments": []}
put("good")
put("slow", seconds=0.008)
put("wrong", "return x * w + 1e9")
put("rough", "return x * w + 0.01")
put("faulty", "raise RuntimeError('an illegal address')")
put("two", "return x, w")
put("module")
put("sample")
put("alone")
cases = [prepared("good", FUNCTION), prepared("slow", FUNCTION), prepared("wrong", FUNCTION), prepared("rough", FUNCTION), prepared("faulty", FUNCTION), prepared("two", FUNCTION),
         prepared("module", NET), prepared("sample", found[1]["default"]), prepared("alone", None), prepared("not-made", FUNCTION, "compile"),
         prepared("missing", {"function": f"{folder.path}/base.py:nothing"})]
put("missing")
folder.write("run/samples.json", json.dumps({"gpu": "h100", "samples": cases}))
real = sys.modules.pop("torch", None)
stand_in, clock = array_torch.install()
measure.run(folder.path / "run", 9)
sys.modules.pop("torch")
if real is not None:
    sys.modules["torch"] = real
told = json.loads(folder.read("run/measured.json"))
by_name = {one["name"]: one for one in told["samples"]}
tap.equal("/score/run/about", (told["gpu"], told["made_for"]), ("a stand-in", "h100"))
tap.equal("/score/run/failures", {name: one["failure"] for name, one in by_name.items()},
          {"good": None, "slow": None, "wrong": "accuracy", "rough": None, "faulty": "run", "two": "run", "module": None, "sample": None, "alone": "default",
           "not-made": "compile", "missing": "run"})
tap.equal("/score/run/sample", by_name["sample"]["why"], None)
tap.equal("/score/run/why", ["illegal address" in by_name["faulty"]["why"], "2 outputs" in by_name["two"]["why"], "nothing" in by_name["missing"]["why"]],
          [True, True, True])
for name, speedup in (("good", 4.0), ("slow", 0.5), ("module", 2.0)):
    close(f"/score/run/speedup/{name}", by_name[name]["speedup"]["measured"], speedup)
tap.equal("/score/run/not-timed", "measured" in by_name["wrong"]["speedup"], False)
# wrong by 0.01: right where the tolerance is 10^t or more
tap.equal("/score/run/tolerance", [by_name["rough"]["outputs"][0]["correct"][str(t)] for t in (-3, -2)], [False, True])
# what is told of arrays is what they are: about 3, at a finite spread, and the module's own parameters
calls = {name: sys.modules[f"heddle_{name}"].CALLS for name in ("sample", "module")}
tap.check("/score/run/like-what-is-told", None if numpy.allclose(calls["sample"][0][1].numbers, 3.0, atol=0.2) else repr(calls["sample"][0][1].numbers))
tap.equal("/score/run/own-parameters", calls["module"][0][1].numbers.tolist(), [1.0, 2.0, 3.0])
# inputs reach past four times the L2 cache of 4096 bytes: 60 bytes a set, at most 15 more
tap.equal("/score/run/sets", len({id(x) for x, _ in calls["module"]}), 9)
# 4, 1/2 and 2 times as fast, and eight that are not right at -5, not timed or of which the framework takes no time on this clock
close("/score/run/score", score.speedup_score(told["samples"], -5), (4 * 0.5 * 2 * 0.1 ** 8) ** (1 / 11))
scored = call("score", "run").stdout
tap.check("/score/run/scored", None if "11 graphs, speed-ups measured" in scored and "faulty failed: run: an illegal address" in scored else scored)

# --- measuring, as far as that goes without a GPU ---

if importlib.util.find_spec("torch") is None:
    tap.skip("/score/measure", "PyTorch is not installed")
else:
    import torch

    outputs = measure.compare(torch, torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0001]))
    tap.equal("/score/measure/compare", [outputs[0]["dtype"], outputs[0]["correct"]["-5"], outputs[0]["correct"]["-3"]], ["f32", False, True])
    x = torch.randn(5, 7)
    made = measure.default_of(torch, {"operator": "log_softmax"})(x)
    tap.check("/score/measure/default", None if torch.allclose(made, x - x.logsumexp(1, True), atol=1e-6) else "it is another function")
    if not torch.cuda.is_available():
        tap.equal("/score/measure/no-gpu", call("run", "made").returncode, 1)
tap.finish()
