# SPDX-License-Identifier: MIT
"""Scores of lists of graphs: the formulas against numbers worked out by hand, and what is prepared where there is no GPU. argv: the folder of Python."""

import importlib.util
import json
import math
import os
import random
import subprocess
import sys

import numpy
from heddle import PROGRAM, Folder, Tap

sys.path.insert(0, sys.argv[1])
from heddle_score import graphs, measure, operators, prepare, score  # noqa: E402

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
