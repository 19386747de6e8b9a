#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""gpus, derive, pseudocode, verify: the figures of attention on the two-level machine, and what labels are refused."""

import json
import os
import re
import shutil
from pathlib import Path

from heddle import ATTENTION, Folder, Tap

TWO_LEVEL = ("--gpu", "two-level", "--memory", "116224", "--columns", "operands")

# Closed forms of attention with q = x = 4096, d = 128, at 227 KiB of 2-byte elements.
FIGURES = {
    "given": (("--fuse", "all", "--label", "q:group@smem=373", "--label", "x:stream@smem=64"), 12582912, [11]),
    "stream-given": (("--fuse", "all", "--suggest", "--label", "x:stream@smem=64"), 12582912, [11]),
    "suggested": (("--fuse", "all", "--suggest"), 11534336, [10]),
    "apart": (("--fuse", "none", "--suggest"), 73400320, None),
}


def check_figures(tap, folder):
    for name, (arguments, transfers, groups) in FIGURES.items():
        result = folder.json("derive", "attention.eq", *TWO_LEVEL, *arguments)
        tap.equal(f"/derive/figures/{name}/transfers", result["total"]["transfer_elements"], transfers)
        tap.equal(f"/derive/figures/{name}/exact", result["search"]["exact"], True)
        if groups is not None:
            tap.equal(f"/derive/figures/{name}/groups", [kernel["groups"] for kernel in result["kernels"]], groups)
    tap.equal("/derive/figures/kernels", [kernel["operations"] for kernel in result["kernels"]], [["S"], ["P"], ["O"]])
    result = folder.json("derive", "attention.eq", "--gpu", "two-level", "--memory", "116224", "--fuse", "all", "--suggest",
                         "--label", "x:stream@smem=64")
    tap.equal("/derive/figures/all-columns", (result["total"]["transfer_elements"], result["kernels"][0]["groups"]), (15728640, 14))


def check_keys(tap, folder):
    result = folder.json("derive", "attention.eq", *TWO_LEVEL, *FIGURES["given"][0])
    kernel, level = result["kernels"][0], result["kernels"][0]["levels"][0]
    tap.equal("/derive/keys/top", [key for key in ("diagram", "gpu", "dtype", "kernels", "total", "search") if key not in result], [])
    tap.equal("/derive/keys/kernel", [key for key in (
        "operations", "labels", "levels", "groups", "waves", "ridge_tile", "flops", "special_ops", "units", "workers_per_level",
        "intensity_flops_per_byte", "time", "illegal") if key not in kernel], [])
    tap.equal("/derive/keys/labels", kernel["labels"], [{"axis": "q", "kind": "group", "level": "smem", "size": 373},
                                                        {"axis": "x", "kind": "stream", "level": "smem", "size": 64}])
    tap.equal("/derive/keys/symbolic", level["transfer_symbolic"], "2*q*d + 2*x*d*ceil(q/g_q)")
    tap.equal("/derive/keys/memory", (level["memory_elements"], level["memory_symbolic"]), (2 * 373 * 128 + 2 * 64 * 128, "2*g_q*d + 2*s_x*d"))
    tap.equal("/derive/keys/whole-numbers", (type(kernel["flops"]), type(level["transfer_elements"])), (int, int))
    tap.equal("/derive/keys/operations", kernel["operations"], ["S", "P", "O"])


def check_names(tap, folder):
    """A kernel is called the same in the table, by compare and by what chose it, whether what it computes has a name or not."""
    folder.write("names.eq", "X : f16[b=64, m=32]\nparam U : f16[m, h=64]\nT[b,h] = tanh(X[b,m] U[m,h])\n"
                             "Y[b,h] = softmax[h](exp(T[b,h]) + T[b,h])\nZ[b] = sum[h](Y[b,h])\n")
    table = folder.output("derive", "names.eq", "--gpu", "h100", "--suggest", "--fuse", "best")
    heads = [line for line in table.splitlines()[1:table.splitlines().index(next(line for line in table.splitlines() if line.startswith("total")))]
             if not line.startswith(" ")]
    chosen = next(line for line in table.splitlines() if line.startswith("kernels: ")).split(":")[1].split(",")[0].strip()
    kernels = folder.json("derive", "names.eq", "--gpu", "h100", "--suggest", "--fuse", "best")["kernels"]
    tap.equal("/derive/names/chosen", chosen, " | ".join(" ".join(kernel["operations"]) for kernel in kernels))
    tap.equal("/derive/names/heads", heads, chosen.split(" | ") if len(kernels) > 1 else ["names"])
    apart = [kernel["operations"] for kernel in folder.json("derive", "names.eq", "--gpu", "h100")["kernels"]]
    compared = folder.json("compare", "names.eq", "--gpu", "h100", "--gpu", "a100")["comparisons"]
    tap.equal("/derive/names/apart", apart, [["T"], ["Y"], ["Z"]])
    tap.equal("/derive/names/compared", [[kernel["kernel"] for kernel in row["kernels"]] for row in compared], [heads] * 2)


def check_experts(tap, folder):
    """Rows of a mixture of experts are sorted: a block holds one matrix at a time, and reads few, as the exported kernel does."""
    shutil.copy(os.path.join(os.environ["HEDDLE_DATADIR"], "examples", "mixture-of-experts.ncd"), folder.path / "experts.ncd")
    folder.output("derive", "experts.ncd", "--gpu", "h100", "--suggest", "--fuse", "best", "--apply", "-o", "experts.ncd")
    kernel = next(kernel for kernel in folder.json("derive", "experts.ncd", "--gpu", "h100")["kernels"] if kernel["operations"] == ["O"])
    level = kernel["levels"][0]
    tile = {label["axis"]: label["size"] for label in kernel["labels"] if label["kind"] in ("group", "stream")}
    t, s, m, f, n = 4096, 2, 4096, 14336, 8
    rows, blocks = tile["t"] * tile["s"], t // tile["t"] * (s // tile["s"])
    chosen = 1 + (n * (1 - (1 - 1 / n) ** (t * s)) - 1) * rows / (t * s)
    moved = t * s * m + (t * s * f + t * s) * (m // tile["m"]) + chosen * m * f * blocks
    held = rows + tile["f"] * tile["m"] + rows * tile["f"] + rows * tile["m"]
    tap.check("/derive/experts/moved", None if abs(level["transfer_elements"] - moved) <= 1 else f'{level["transfer_elements"]}, not {moved}')
    tap.equal("/derive/experts/held", level["memory_elements"], held)
    tap.check("/derive/experts/fits", None if level["memory_bytes"] < level["capacity_bytes"] else str(level))
    tap.check("/derive/experts/formula", None if "chosen" in level["transfer_symbolic"] and level["memory_symbolic"] == "g_t*g_s + s_f*g_m + g_t*g_s*s_f + g_t*g_s*g_m" else str(level))
    folder.output("export", "experts.ncd", "--gpu", "h100", "--no-verify", "-o", "experts.cu")
    written = " ".join(folder.read("experts.cu").decode().replace("//", "").split())
    tap.check("/derive/experts/exported", None if f'= {level["transfer_elements"]} values' in written
              and f'= {level["memory_elements"]} values' in written else "the file says something else")


def check_refusals(tap, folder):
    run = folder.run("derive", "attention.eq", *TWO_LEVEL, "--fuse", "none", "--label", "P/x:stream@smem=64", "--json")
    illegal = [refusal for kernel in json.loads(run.stdout)["kernels"] for refusal in kernel["illegal"]]
    tap.equal("/derive/refusals/stream", (run.returncode, len(illegal), illegal[0]["axis"], illegal[0]["kind"]), (1, 1, "x", "stream"))
    tap.check("/derive/refusals/words", None if illegal[0]["reason"] and illegal[0]["remedy"] and illegal[0]["reason"] in run.stderr else run.stderr)
    run = folder.run("derive", "attention.eq", *TWO_LEVEL, "--fuse", "all", "--label", "x:group@smem=1000", "--label", "x:stream@smem=64", "--json")
    illegal = json.loads(run.stdout)["kernels"][0]["illegal"]
    tap.equal("/derive/refusals/group", (run.returncode, illegal[0]["axis"], illegal[0]["kind"]), (1, "x", "group"))
    tap.equal("/derive/refusals/nested", illegal[0]["remedy"], "Make it 1024.")
    run = folder.run("derive", "attention.eq", *TWO_LEVEL, "--fuse", "all", "--label", "x:group@smem=1024", "--label", "x:stream@smem=64", "--json")
    tap.equal("/derive/split", (run.returncode, json.loads(run.stdout)["kernels"][0]["groups"]), (0, 4))
    for name, arguments, message in (("label", ("--label", "q:grup@smem=1"), "grup"), ("gpu", ("--gpu", "h1000"), "h1000"),
                                     ("fuse", ("--fuse", "Z"), "Z"), ("place", ("--place", "Z@smem"), "Z"),
                                     ("level", ("--place", "S@attic"), "attic")):
        said = folder.failure(1, "derive", "attention.eq", *arguments)
        tap.check(f"/derive/refusals/{name}", None if message in said else said)


def check_apply(tap, folder):
    folder.output("derive", "attention.eq", *TWO_LEVEL, "--fuse", "all", "--suggest", "--apply", "-o", "derived.ncd")
    again = folder.json("derive", "derived.ncd", "--memory", "116224", "--columns", "operands")
    tap.equal("/derive/apply", (again["gpu"], again["total"]["transfer_elements"], again["kernels"][0]["groups"]), ("two-level", 11534336, 10))
    text = folder.output("derive", "derived.ncd", "--memory", "116224", "--columns", "operands")
    tap.check("/derive/table", None if "11534336" in text and "q:group@smem=410" in text else text)


def check_gpus(tap, folder):
    gpus = {gpu["name"]: gpu for gpu in folder.json("gpus")["gpus"]}
    tap.equal("/gpus/names", [name for name in ("a100-80-sxm", "h100-sxm", "h200-sxm", "b200", "rtx-4090", "two-level") if name not in gpus], [])
    tap.equal("/gpus/aliases", ["a100" in gpus["a100-80-sxm"]["aliases"], "h200" in gpus["h200-sxm"]["aliases"]], [True, True])
    shared = [level for level in gpus["h100-sxm"]["levels"] if level["name"] == "smem"][0]
    tap.equal("/gpus/shared-memory", (shared["capacity_bytes"], shared["count"]), (232448, 132))
    tap.check("/gpus/sources", [name for name, gpu in gpus.items() if not gpu["source"]])
    tap.check("/gpus/table", None if "h100-sxm" in folder.output("gpus") else "no h100-sxm")


def check_own_gpu(tap, folder):
    """A file of the user's own is a machine like the rest; a wrong one is told of by its line."""
    own = folder.path / "own" / "heddle" / "hardware"
    own.mkdir(parents=True)
    text = (Path(os.environ["HEDDLE_DATADIR"]) / "hardware" / "a10.machine").read_text(encoding="utf-8")
    (own / "mine.machine").write_text(text.replace("Name=a10", "Name=mine").replace("Count=72", "Count=36"), encoding="utf-8")
    os.environ["XDG_DATA_HOME"] = str(folder.path / "own")
    tap.check("/gpus/own", None if "mine" in [gpu["name"] for gpu in folder.json("gpus")["gpus"]] else "no machine of one's own")
    tap.equal("/gpus/own/derive", folder.json("derive", "attention.eq", "--gpu", "mine", "--fuse", "all")["gpu"], "mine")
    (own / "wrong.machine").write_text("# wrong\n[Machine]\nName=wrong\nTitle=Wrong\nSource=a test\nSMs=many\n", encoding="utf-8")
    said = folder.failure(1, "gpus")
    tap.check("/gpus/own/wrong", None if "wrong.machine:6: [Machine] SMs: “many” is not a number" in said else said)
    del os.environ["XDG_DATA_HOME"]


def check_comparison_only(tap, folder):
    gpus = {gpu["name"]: gpu for gpu in folder.json("gpus")["gpus"]}
    tap.equal("/gpus/comparison-only", sorted(name for name, gpu in gpus.items() if gpu["comparison_only"]), ["apple-m1-max", "mi300x"])
    for name in ("mi300x", "apple-m1-max"):
        tap.check(f"/gpus/comparison-only/{name}/priced", None if folder.json("derive", "attention.eq", "--gpu", name, "--fuse", "all", "--suggest")["total"]["expected_s"] > 0 else "not priced")
        said = folder.failure(1, "export", "attention.eq", "--gpu", name, "-o", "attention.cu")
        tap.check(f"/gpus/comparison-only/{name}/refused", None if "comparison only" in said else said)


def check_exact(tap, folder):
    huge = folder.json("derive", "attention.eq", "--gpu", "h100", "--fuse", "all", "--label", "q:group=16", "--label", "x:stream=16",
                       "--set", "q=1099511627776", "--set", "x=1099511627776")
    tap.equal("/derive/exact/no", (huge["total"]["exact"], huge["kernels"][0]["levels"][0]["exact"], huge["kernels"][0]["form"]["exact"], huge["kernels"][0]["time"]["exact"]),
              (False,) * 4)
    text = folder.output("derive", "attention.eq", "--gpu", "h100", "--fuse", "all", "--label", "q:group=16", "--label", "x:stream=16",
                         "--set", "q=1099511627776", "--set", "x=1099511627776")
    tap.check("/derive/exact/no-form", None if "form      not exact: a count is beyond 64 bits" in text else text)
    plain = folder.json("derive", "attention.eq", "--gpu", "a100", "--fuse", "all", "--label", "q:group=64", "--label", "x:stream=64")
    kernel = plain["kernels"][0]
    tap.equal("/derive/exact/yes", (plain["total"]["exact"], kernel["levels"][0]["exact"], kernel["form"]["exact"], kernel["time"]["exact"]), (True,) * 4)
    tap.equal("/derive/step", (kernel["levels"][0]["step_elements"], kernel["levels"][0]["step_bytes"]), (2 * 64 * 128, 4 * 64 * 128))
    tap.equal("/derive/energy", (abs(kernel["energy"]["joules"] / (8 * 4096 * 128 * 8 * 3.92e-12) - 1) < 1e-9, kernel["energy"]["unknown"]), (True, ["l2", "smem"]))
    tap.equal("/derive/form", [(term["alpha"], term["beta"], term["bytes_per_value_exponent"]) for term in kernel["form"]["terms"]],
              [(2 * 4096 * 128, 0, 1), (2 * 4096 * 128 * (2 * 128 + 2) * 4096, 1, 2)])
    tap.equal("/derive/flops-by-unit", kernel["flops_by_unit"]["tensor"], 4 * 4096 * 4096 * 128)
    text = folder.output("derive", "attention.eq", "--gpu", "h100", "--fuse", "all", "--label", "q:group=128", "--label", "x:stream=64", "--hierarchy", "--cluster", "2")
    tap.check("/derive/hierarchy", None if "into cluster of 2" in text and "levels in series" in text else text)
    said = folder.failure(2, "derive", "attention.eq", "--gpu", "h100", "--cluster", "500")
    tap.check("/derive/hierarchy/cluster", None if "--cluster 500" in said else said)
    for label in ("q:group=0", "q:group=-1", "q:group=1.5", "q:group=99999999999999999999"):
        said = folder.failure(1, "derive", "attention.eq", "--fuse", "all", "--label", label)
        tap.check(f"/derive/labels/{label}", None if label in said and "2^40" in said else said)


def check_numbers(tap, folder):
    """No number stands for "not given": 0 is refused as -1 is, and so is what 64 bits (--stages and --cluster: 31) do not hold."""
    for option, most in (("memory", 2**63 - 1), ("budget", 2**63 - 1), ("stages", 2**31 - 1), ("cluster", 2**31 - 1)):
        for number in ("0", "-1", "1.5", "1e3", "", str(most + 1), str(-most - 1), "99999999999999999999"):
            said = folder.failure(2, "derive", "attention.eq", "--fuse", "all", f"--{option}", number)
            tap.check(f"/derive/numbers/{option}={number}",
                      None if f"--{option} {number}: expected a whole number of at least 1 and at most {most};" in said else said)
    for command in ("pseudocode", "compile", "verify"):
        said = folder.failure(2, command, "attention.eq", "--memory", "0")
        tap.check(f"/derive/numbers/{command}", None if "--memory 0: expected" in said else said)
    one = folder.json("derive", "attention.eq", *TWO_LEVEL, "--memory", "1", "--fuse", "all", "--suggest")
    tap.equal("/derive/numbers/one", (one["kernels"][0]["levels"][0]["capacity_bytes"], one["kernels"][0]["fits"]), (1, False))


GATHER = "L : f16[n=64, v=300000]\nT : i32[n]\nP[n,v] = softmax[v](L[n,v])\nY[n] = P[n,T[n]]\n"


def check_gathered(tap, folder):
    """What is read at an index of its own along v cannot stream v, and the refusal says that nothing helps; the best cut has kernels that fit."""
    folder.write("gather.eq", GATHER)
    run = folder.run("derive", "gather.eq", "--gpu", "h100", "--fuse", "all", "--label", "v:stream=64", "--json")
    refusal = json.loads(run.stdout)["kernels"][0]["illegal"][0]
    tap.equal("/derive/gather/refused", (run.returncode, refusal["axis"], refusal["operation"], refusal["remedy"]), (1, "v", "Y", ""))
    tap.check("/derive/gather/no-remedy", None if refusal["no_remedy_because"].startswith("No remedy: no part of this kernel") else str(refusal))
    best = folder.json("derive", "gather.eq", "--gpu", "h100", "--suggest", "--fuse", "best")
    tap.equal("/derive/gather/best", (best["written_out"], {kernel["fits"] for kernel in best["kernels"]}), (["P"], {True}))


NORM = "X : f16[n=264, d=300000]\nY[n,d] = layernorm[d](X[n,d])\n"


def check_written_out(tap, folder):
    """A row of 600,000 bytes fits no group's memory: its sums are a kernel of their own, which reads X once and keeps two numbers a row; another
    reads X again, with those two numbers in each of its tiles, and writes Y."""
    folder.write("norm.eq", NORM)
    array, numbers = 264 * 300000 * 2, 2 * 264 * 2
    for name, arguments in (("best", ("--fuse", "best")), ("rewritten", ("--fuse", "best"))):
        result = folder.json("derive", "norm.eq" if name == "best" else "norm.ncd", "--gpu", "h100", "--suggest", *arguments)
        tiles = {label["axis"]: label["size"] for label in result["kernels"][1]["labels"] if label["kind"] == "group"}
        tap.equal(f"/derive/written-out/{name}/bytes", [kernel["levels"][0]["transfer_bytes"] for kernel in result["kernels"]],
                  [array + numbers, 2 * array + numbers * -(-300000 // tiles.get("d", 300000))])
        tap.equal(f"/derive/written-out/{name}/values", result["written_out"], ["Y"] if name == "best" else [])
        tap.check(f"/derive/written-out/{name}/cost", None if abs(result["fusion"]["cost"] - result["total"]["expected_s"]) < 1e-12 else str(result["fusion"]))
        folder.output("rewrite", "norm.eq", "expand-norms", "-o", "norm.ncd")
    apart = folder.json("derive", "norm.eq", "--gpu", "h100", "--suggest", "--fuse", "none")
    tap.equal("/derive/written-out/apart", (apart["written_out"], [kernel["fits"] for kernel in apart["kernels"]]), (["Y"], [True] * 4))
    together = folder.json("derive", "norm.eq", "--gpu", "h100", "--suggest", "--fuse", "all")
    tap.equal("/derive/written-out/asked", (together["written_out"], together["kernels"][0]["fits"]), ([], False))
    short = folder.json("derive", "norm.eq", "--gpu", "h100", "--suggest", "--set", "d=20000")
    tap.equal("/derive/written-out/fits", (short["written_out"], short["total"]["transfer_bytes"]), ([], 4 * 264 * 20000))
    folder.output("derive", "norm.eq", "--gpu", "h100", "--suggest", "--fuse", "best", "--apply", "-o", "applied.ncd")
    again = folder.json("derive", "applied.ncd")
    tap.equal("/derive/written-out/applied", again["total"]["transfer_bytes"], result["total"]["transfer_bytes"])
    text = folder.output("derive", "norm.eq", "--gpu", "h100", "--suggest", "--fuse", "best")
    tap.check("/derive/written-out/text", None if "written out: Y; no memory holds" in text else text)
    compared = folder.json("compare", "norm.eq", "--gpu", "h100")["comparisons"][0]
    tap.equal("/derive/written-out/compared", (compared["fits"], compared["written_out"], compared["transfer_bytes"]), (True, ["Y"], apart["total"]["transfer_bytes"]))


OUTER = "a : f16[i=8192]\nb : f16[j=8192]\nV : f16[j, k=64]\nW[i,j] = a[i] b[j]\nR[i] = sum[j](exp(W[i,j]))\nZ[i,k] = W[i,j] V[j,k]\n"
EXAMPLES = Path(__file__).resolve().parents[2] / "data" / "examples"


def check_places(tap, folder):
    """The blocks of keys and values of a decoding step, 16 MiB each, at the host: they cross its link once, whatever is fused."""
    far = folder.json("derive", str(EXAMPLES / "flash-decoding.ncd"), "--gpu", "h100", "--suggest", "--place", "K@host", "--place", "V@host")
    tap.equal("/derive/place/above", sum(kernel["above_bytes"] for kernel in far["kernels"]), 2 * 64 * 1024 * 128 * 2)
    seconds = sum(kernel["time"]["above_s"] for kernel in far["kernels"])
    tap.equal("/derive/place/above-time", abs(seconds / (2 * 64 * 1024 * 128 * 2 / 64e9) - 1) < 1e-12, True)
    step = folder.json("derive", str(EXAMPLES / "offloaded-decode.ncd"))["kernels"][0]
    cached = 32 * 96 * 512 * 128  # of keys, and of values
    tap.equal("/derive/place/example", [(level["level"], level["transfer_elements"], level["transfer_bytes"], level["transfer_symbolic"]) for level in step["above"]],
              [("host", 2 * cached, 4 * cached, "2*b*h*x*d")])
    tap.equal("/derive/place/example-bound", (step["time"]["bound"], abs(step["time"]["above_s"] / (4 * cached / 64e9) - 1) < 1e-12), ("above", True))
    near = folder.json("derive", str(EXAMPLES / "flash-decoding.ncd"), "--gpu", "h100", "--suggest")
    tap.equal("/derive/place/slower", far["total"]["expected_s"] > 10 * near["total"]["expected_s"], True)
    column = folder.json("derive", "attention.eq", "--gpu", "h100", "--fuse", "all", "--label", "q:group=64", "--label", "x:stream=64", "--place", "Q:S@gmem")
    tap.equal("/derive/place/column", column["total"]["transfer_elements"], 4096 * 128 * (1 + 4096 // 64) + 2 * 4096 * 128 * 64)
    said = folder.failure(1, "derive", "attention.eq", "--fuse", "all", "--place", "Q:O@gmem")
    tap.check("/derive/place/refused", None if "O does not read Q" in said else said)


def check_recompute(tap, folder):
    folder.write("outer.eq", OUTER)
    stored = folder.json("derive", "outer.eq", "--gpu", "h100", "--fuse", "none", "--suggest")
    bound = folder.json("derive", "outer.eq", "--gpu", "h100", "--fuse", "none", "--suggest", "--budget", "3000000")
    small = 2 * (8192 + 8192 + 8192 * 64 + 8192 + 8192 * 64)
    tap.equal("/derive/recompute/held", (stored["total"]["held_bytes"], bound["total"]["held_bytes"], bound["total"]["within_budget"]),
              (small + 2 * 8192 * 8192, small, True))
    tap.equal("/derive/recompute/kernels", [kernel["recomputed"] for kernel in bound["kernels"]], [["W"], ["W"]])
    tap.equal("/derive/recompute/told", "W is recomputed for R" in bound["recomputing"], True)
    tap.equal("/derive/recompute/faster", bound["total"]["expected_s"] < stored["total"]["expected_s"], True)
    folder.output("derive", "outer.eq", "--gpu", "h100", "--fuse", "none", "--recompute", "W:Z", "--recompute", "W:R", "--place", "V@host",
                  "--apply", "-o", "outer.ncd")
    kept = folder.json("derive", "outer.ncd")
    tap.equal("/derive/recompute/file", [(kernel["recomputed"], kernel["above_bytes"]) for kernel in kept["kernels"]],
              [(["W"], 0), (["W"], 8192 * 64 * 2)])
    tap.equal("/derive/recompute/diff", "W when read for Z added: recomputed" in folder.run("diff", "outer.eq", "outer.ncd").stdout, True)
    said = folder.failure(1, "derive", "outer.eq", "--recompute", "a:W")
    tap.check("/derive/recompute/refused", None if "inputs are given" in said else said)
    text = folder.output("derive", "attention.eq", "--gpu", "h100", "--fuse", "all", "--suggest", "--divisors", "mma,copies")
    tap.check("/derive/divisors", None if "16: mma m16n8k16" in text and "8: 16-byte copies" in text else text)


HEADS = """Y : f16[y=512, m=256]
X : f16[x=512, m]
J : f16[m, k=64, h=8]
L : f16[m, k, h]
N : f16[m, k, h]
R : f16[m, k, h]
Q[y,k,h] = Y[y,m] J[m,k,h]
K[x,k,h] = X[x,m] L[m,k,h]
V[x,k,h] = X[x,m] N[m,k,h]
S[y,h,x] = Q[y,k,h] K[x,k,h] * k^-0.5
P[y,h,x] = softmax[x](S[y,h,x])
A[y,k,h] = P[y,h,x] V[x,k,h]
O[y,m] = A[y,k,h] R[m,k,h]
-> O
"""


def check_layouts(tap, folder):
    """What passes between kernels lies as they want it; the document says how, and every command takes it from there."""
    folder.write("heads.eq", HEADS)
    given = ("--gpu", "h100", "--suggest")
    found = folder.json("derive", "heads.eq", *given)
    laid = {one["value"]: one["axes"] for kernel in found["kernels"] for one in kernel["layouts"]}
    tap.equal("/derive/layouts/found", laid["Q"], ["h", "y", "k"])
    folder.output("derive", "heads.eq", *given, "--apply", "-o", "heads.ncd")
    text = folder.read("heads.ncd").decode()
    tap.equal("/derive/layouts/file", text.count("<layout ") >= len(laid), True)
    applied = folder.json("derive", "heads.ncd")
    tap.equal("/derive/layouts/applied", applied["total"]["expected_s"], found["total"]["expected_s"])
    # The layout of an array that a kernel copies has that kernel's labels in it.
    folder.write("drawn.ncd", re.sub(r"<layout [^>]*/>|<layout [^>]*[^/]>.*?</layout>", "", text, flags=re.DOTALL).encode())
    drawn = folder.json("derive", "drawn.ncd")
    tap.equal("/derive/layouts/faster", drawn["total"]["expected_s"] > applied["total"]["expected_s"], True)
    tap.equal("/derive/layouts/none", [kernel["layouts"] for kernel in drawn["kernels"] if kernel["layouts"]], [])
    tap.check("/derive/layouts/told", None if "layout    Q[h,y,k] in memory" in folder.output("derive", "heads.ncd") else "not told")
    tap.equal("/derive/layouts/diff", "layout of Q in memory added: h, y, k" in folder.run("diff", "drawn.ncd", "heads.ncd").stdout, True)
    folder.output("verify", "heads.ncd", "--on", "model")
    folder.output("verify", "heads.ncd", "--on", "cpu")
    tap.equal("/derive/layouts/verified", True, True)
    folder.write("wrong.ncd", text.replace('axes="a.h a.y a.k"', 'axes="a.h a.y"').encode())
    said = folder.failure(1, "derive", "wrong.ncd")
    tap.check("/derive/layouts/refused", None if "are not the axes of" in said else said)


GROUPS = """Q : f16[y=2048, r=4, k=128, g=8]
K : f16[x=2048, k, g]
V : f16[x, k, g]
S[g,y,r,x] = Q[y,r,k,g] K[x,k,g] * k^-0.5
P[g,y,r,x] = softmax[x](S[g,y,r,x])
O[y,r,k,g] = P[g,y,r,x] V[x,k,g]
-> O
"""


def check_copied_inputs(tap, folder):
    """An input that lies otherwise than kernels read it is copied first, by a kernel whose labels the document holds with the layout."""
    folder.write("groups.eq", GROUPS)
    found = folder.json("derive", "groups.eq", "--gpu", "h100", "--suggest")
    laid = [one for kernel in found["kernels"] for one in kernel["layouts"]]
    tap.equal("/derive/copied/found", {"value": "Q_laid", "axes": ["g", "y", "r", "k"]} in laid, True)
    folder.output("derive", "groups.eq", "--gpu", "h100", "--suggest", "--apply", "-o", "groups.ncd")
    text = folder.read("groups.ncd").decode()
    layout = text[text.index('<layout value="v.Q" axes="a.g a.y a.r a.k">'):]
    tap.equal("/derive/copied/labels", '<label axis="a.' in layout[:layout.index("</layout>")], True)
    tap.equal("/derive/copied/hidden", "Q_laid" in text, False)
    applied = folder.json("derive", "groups.ncd")
    tap.equal("/derive/copied/applied", applied["total"]["expected_s"], found["total"]["expected_s"])
    folder.write("given.ncd", re.sub(r"<layout [^>]*/>|<layout .*?</layout>", "", text, flags=re.DOTALL).encode())
    given = folder.json("derive", "given.ncd")
    tap.equal("/derive/copied/faster", given["total"]["expected_s"] > 4 * applied["total"]["expected_s"], True)
    folder.output("check", "groups.ncd")
    for place in ("model", "cpu"):
        folder.output("verify", "groups.ncd", "--on", place)
    tap.equal("/derive/copied/exported", b"Q_laid" in (folder.output("export", "groups.ncd", "--no-verify", "-o", "groups.cu"), folder.read("groups.cu"))[1], True)
    folder.write("wrong.ncd", text.replace('<label axis="a.g" level="smem"', '<label axis="a.none" level="smem"').encode())
    folder.failure(1, "derive", "wrong.ncd")


ODD = """A : f16[a=4096, k={k}]
B : f16[k, b=4096]
C[a,b] = A[a,k] B[k,b]
-> C
"""


def check_copies(tap, folder):
    """Threads copy rows that do not begin at 16 bytes element by element: the price says so, and what it adds. Suggest has such an array copied into the
    other order first, whose rows begin so."""
    times = {}
    tiles = ("--gpu", "h100", "--label", "a:group@smem=128", "--label", "b:group@smem=256", "--label", "k:stream@smem=64")
    for k in (4096, 4097):
        folder.write("odd.eq", ODD.format(k=k))
        kernel, = folder.json("derive", "odd.eq", *tiles)["kernels"]
        times[k] = {part["part"]: part["seconds"] for part in kernel["time"]["parts"]}
    tap.equal("/derive/copies/whole", times[4096]["copies"], 0)
    tap.equal("/derive/copies/odd", times[4097]["copies"] > times[4097]["longest"], True)
    text = folder.output("derive", "odd.eq", *tiles)
    tap.check("/derive/copies/told", None if "element by element" in text and "“heddle optimise” copies such arrays" in text else text)
    copied = folder.json("derive", "odd.eq", "--gpu", "h100", "--suggest")
    tap.equal("/derive/copies/first", copied["kernels"][0]["layouts"], [{"value": "A_laid", "axes": ["k", "a"]}])
    tap.equal("/derive/copies/faster", 2 * copied["total"]["expected_s"] < sum(times[4097].values()), True)


def check_chain(tap, folder):
    """Suggest multiplies three matrices in two steps; whoever keeps one kernel hears how to."""
    chain = str(EXAMPLES / "matrix-chain.ncd")
    text = folder.output("derive", chain, "--gpu", "h100", "--fuse", "all", "--suggest")
    tap.check("/derive/chain/hint", None if "D sums over products of 3 arrays" in text else text)
    folder.output("rewrite", chain, "split-contractions", "-o", "split.ncd")
    split = folder.output("derive", "split.ncd", "--gpu", "h100", "--suggest")
    tap.check("/derive/chain/split", None if "sums over products" not in split else split)
    slow, quick, own = (
        folder.json("derive", path, "--gpu", "h100", "--suggest", *more)
        for path, more in ((chain, ("--fuse", "all")), ("split.ncd", ()), (chain, ())))
    tap.equal("/derive/chain/faster", quick["total"]["expected_s"] < slow["total"]["expected_s"] / 100, True)
    tap.equal("/derive/chain/itself", (own["split"], own["total"]["expected_s"]), (["D"], quick["total"]["expected_s"]))
    folder.output("derive", chain, "--gpu", "h100", "--suggest", "--apply", "-o", "applied.ncd")
    tap.equal("/derive/chain/applied", folder.json("derive", "applied.ncd", "--gpu", "h100")["total"]["expected_s"], quick["total"]["expected_s"])


CHOSEN = """X : f16[t=4096, m=1024]
W : f16[e=8, m, f=2048]
I : i32[t]
Y[t,f] = X[t,m] W[I[t],m,f]
-> Y
"""
ONE = """X : f16[t=4096, m=1024]
W : f16[m, f=2048]
Y[t,f] = X[t,m] W[m,f]
-> Y
"""


def check_chosen(tap, folder):
    """Rows that choose one of eight matrices make eight passes, a little slower than one of a product alone: a block reads each matrix once."""
    found = {}
    for name, text in (("chosen", CHOSEN), ("one", ONE)):
        folder.write(f"{name}.eq", text)
        found[name] = folder.json("derive", f"{name}.eq", "--gpu", "a100", "--suggest")["total"]["expected_s"]
    tap.check("/derive/chosen", None if found["one"] < found["chosen"] < 10 * found["one"] else str(found))


LAYERS = """def layer(X[n,m]; f) -> Y[n,m]:
  param W : [m, f]
  param V : [f, m]
  N[n,m] = rmsnorm[m](X[n,m])
  H[n,f] = relu(N[n,m] W[m,f])
  Y[n,m] = X[n,m] + H[n,f] V[f,m]

X : f16[n=1024, m=512]
axis f = 1024
axis l = {layers}
Y[n,m] = layer^l(X, f)
-> Y
"""


def check_layers(tap, folder):
    """Layers that are alike have the same kernels, which read each layer's weights where they lie."""
    found = {}
    for layers in (2, 24):
        folder.write("layers.eq", LAYERS.format(layers=layers))
        found[layers] = folder.json("derive", "layers.eq", "--gpu", "h100", "--suggest")
    labels = [[(label["kind"], label["size"]) for label in kernel["labels"]] for kernel in found[24]["kernels"]]
    own = len(labels) // 24
    tap.check("/derive/layers/alike", None if labels == labels[:own] * 24 else str(labels))
    tap.equal("/derive/layers/views", [kernel["operations"] for kernel in found[24]["kernels"] if any(".W" in name or ".V" in name for name in kernel["operations"])], [])
    one, all_of_them = (found[layers]["total"]["expected_s"] / layers for layers in (2, 24))
    tap.check("/derive/layers/price", None if all_of_them <= 1.02 * one else f"a layer takes {one} s of two, {all_of_them} s of 24")


def check_pseudocode(tap, folder):
    text = folder.output("pseudocode", "attention.eq", "--gpu", "two-level", *FIGURES["given"][0])
    tap.check("/pseudocode/loops", None if "parfor" in text and "for x" in text and "save O" in text else text)
    tap.equal("/pseudocode/json", folder.json("pseudocode", "attention.eq", "--gpu", "two-level", *FIGURES["given"][0])["kernels"][0]["pseudocode"].strip(), text.strip())


def check_verify(tap, folder):
    for q, x, d in ((77, 129, 40), (1, 33, 16), (1, 1, 1)):
        sizes = ("--set", f"q={q}", "--set", f"x={x}", "--set", f"d={d}")
        for gpu in ("two-level", "h100"):
            result = folder.json("verify", "attention.eq", "--gpu", gpu, "--fuse", "all", "--on", "model", *sizes)
            tap.equal(f"/verify/model/{gpu}/{q}-{x}-{d}", (result["passed"], result["on"], result["method"]), (True, "model", "loop-program"))
            tap.check(f"/verify/model/{gpu}/{q}-{x}-{d}/error", None if result["relative_error"] <= result["tolerance"] else str(result))


OPAQUE = "A : f64[i=2, j=3]\nY[i,j] = A[i,j + 1]\nZ[i,j] = cumsum[j](Y[i,j])\nM[j] = mean[i](Y[i,j])\n"


def check_no_program(tap, folder):
    """Where a kernel has no loop program, verify says why, and does not end on it."""
    folder.write("opaque.eq", OPAQUE)
    said = folder.failure(1, "verify", "opaque.eq", "--on", "model", "--fuse", "none")
    tap.check("/derive/no-program", None if "leaves out terms that another kernel read outside" in said else said)


GUARDED = "A : f64[i=2, j=8]\nY[i,j] = A[i,j + 4]\nZ[i,j] = A[i,j - 4]\nW[i,j] = where({condition}, Y[i,j], Z[i,j])\nM[i] = max[j](W[i,j])\n-> M\n"


def check_guarded(tap, folder):
    """What is read outside and never chosen is in nothing: a kernel may read the choice that another one made. Where it may be chosen, one makes all."""
    for condition, kernels in (("j < 4", 4), ("j <= 3", 4), ("j < 5", 1), ("j < 3", 1)):
        folder.write("guarded.eq", GUARDED.format(condition=condition))
        found = folder.json("derive", "guarded.eq", "--gpu", "h100", "--fuse", "none")
        tap.equal(f"/derive/guarded/{condition}", len(found["kernels"]), kernels)
        for fuse in ("none", "all"):
            run = folder.json("verify", "guarded.eq", "--on", "model", "--fuse", fuse)
            tap.equal(f"/derive/guarded/{condition}/{fuse}", [run["passed"]] if "passed" in run else [one["passed"] for one in run["kernels"]], [True])


def main():
    tap, folder = Tap(), Folder()
    folder.write("attention.eq", ATTENTION)
    check_figures(tap, folder)
    check_keys(tap, folder)
    check_names(tap, folder)
    check_experts(tap, folder)
    check_refusals(tap, folder)
    check_apply(tap, folder)
    check_gpus(tap, folder)
    check_own_gpu(tap, folder)
    check_comparison_only(tap, folder)
    check_exact(tap, folder)
    check_numbers(tap, folder)
    check_gathered(tap, folder)
    check_written_out(tap, folder)
    check_places(tap, folder)
    check_recompute(tap, folder)
    check_layouts(tap, folder)
    check_copied_inputs(tap, folder)
    check_copies(tap, folder)
    check_chain(tap, folder)
    check_chosen(tap, folder)
    check_layers(tap, folder)
    check_pseudocode(tap, folder)
    check_verify(tap, folder)
    check_no_program(tap, folder)
    check_guarded(tap, folder)
    tap.finish()


main()
