# SPDX-License-Identifier: MIT
"""The speed-up score S(t) and the error-aware ES(t) of GraphNet (Li et al., "GraphNet: A Large-Scale Computational Graph Dataset for Tensor Compiler
Research", 2025; `graph_net/analysis_util.py` of its repository), and fast_p of KernelBench (Ouyang et al., 2025).

A graph is correct at t if every output is within atol + rtol |reference|. S(t) is the geometric mean over all graphs of the speed-up s where the graph
is correct, of s^(p+1) where it is correct and slower (s < 1), and of b where it is not. Hence S = alpha^lambda beta^(lambda eta p) b^(1-lambda), with
alpha the geometric mean of the speed-ups of the correct graphs, beta that of the slow ones among them, lambda the share of correct graphs and eta the
share of slow ones among the correct. ES(t) is S(t) for t < 1; from there on a graph keeps its state at t = 1, and what failed is let off step by step: a
wrong result at t >= 1, what did not compile or run at t >= 3 counts as 1.
"""

import math

TOLERANCES = range(-10, 5)
#: Decades of the relative tolerance for 5 of t. At t = -5 they are the tolerances of torch.testing.assert_close.
DECADES = {"f16": 3.0, "bf16": 1.796, "f32": 5.886, "f64": 7.0}
#: As PyTorch calls them.
NAMES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}
ACCURACY = "accuracy"


def tolerance(t, dtype):
    """(atol, rtol) at t; (0, 0) for types that have to agree exactly."""
    if dtype not in DECADES:
        return 0.0, 0.0
    rtol = 10.0 ** (t * DECADES[dtype] / 5)
    return (rtol if dtype == "f64" else 10.0 ** t), rtol


def is_correct(sample, t):
    """Returns whether it ran and every output is right at t."""
    return sample["failure"] is None and len(sample["outputs"]) > 0 and all(output["correct"][str(t)] for output in sample["outputs"])


def geometric_mean(numbers):
    numbers = list(numbers)
    return math.exp(sum(math.log(number) for number in numbers) / len(numbers)) if numbers else 1.0


def rectified(speedup, penalty):
    return speedup ** (penalty + 1) if speedup < 1 else speedup


def speedup_score(samples, t, kind="measured", penalty=0.0, failed=0.1):
    """S(t). @kind: which speed-up of a sample; one without it failed."""
    return geometric_mean(rectified(sample["speedup"][kind], penalty) if is_correct(sample, t) and sample["speedup"].get(kind) else failed
                          for sample in samples)


def error_aware_score(samples, t, kind="measured", penalty=0.0, failed=0.1):
    """ES(t)."""
    if t < 1:
        return speedup_score(samples, t, kind, penalty, failed)

    def one(sample):
        if is_correct(sample, 1) and sample["speedup"].get(kind):
            return rectified(sample["speedup"][kind], penalty)
        let_off = 1 if sample["failure"] in (None, ACCURACY) else 3
        return failed if t < let_off else 1.0

    return geometric_mean(map(one, samples))


def parameters(samples, t, kind="measured"):
    """alpha, beta, lambda and eta, of which S(t) is made."""
    right = [sample["speedup"][kind] for sample in samples if is_correct(sample, t) and sample["speedup"].get(kind)]
    slow = [speedup for speedup in right if speedup < 1]
    return {"alpha": geometric_mean(right), "beta": geometric_mean(slow), "lambda": len(right) / len(samples) if samples else 0.0,
            "eta": len(slow) / len(right) if right else 0.0}


def fast_p(samples, p, t=-5, kind="measured"):
    """The share of graphs that are correct and more than p times as fast; p = 0: that are correct."""
    if not samples:
        return 0.0
    return sum(is_correct(sample, t) and (sample["speedup"].get(kind) or 0) > p for sample in samples) / len(samples)


def table(samples, kind, penalty=0.0, failed=0.1):
    """All of it as lines of text."""
    lines = [f"{len(samples)} graphs, speed-ups {kind}, p = {penalty:g}, b = {failed:g}", "| t | S(t) | ES(t) | alpha | beta | lambda | eta |",
             "|---|---|---|---|---|---|---|"]
    for t in TOLERANCES:
        made = parameters(samples, t, kind)
        lines.append(f"| {t} | {speedup_score(samples, t, kind, penalty, failed):.3f} | {error_aware_score(samples, t, kind, penalty, failed):.3f} | "
                     f"{made['alpha']:.3f} | {made['beta']:.3f} | {made['lambda']:.3f} | {made['eta']:.3f} |")
    lines.append("fast_p at t = -5: " + ", ".join(f"fast_{p:g} = {fast_p(samples, p, kind=kind):.3f}" for p in (0, 0.5, 1, 1.5, 2)))
    return lines
