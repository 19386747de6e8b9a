#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Above one GPU: axes grouped over GPUs, priced, run on simulated ones and compared with the whole, and written with NCCL's calls."""

import re
import subprocess
import sys

from heddle import Folder, Tap, find_nvcc

MLP = """X : f32[n=512, m=256]
W1 : f32[m, f=1024]
W2 : f32[f, c=256]
H[n,f] = X[n,m] W1[m,f]
G[n,f] = gelu(H[n,f])
Y[n,c] = G[n,f] W2[f,c]
Z[n,c] = Y[n,c] + 1
"""

HEADS = """X : f32[q=64, m=32]
Z : f32[x=64, m]
W_Q : f32[m, h=8, d=16]
W_K : f32[m, h, d]
W_V : f32[m, h, d]
W_O : f32[h, d, m]
Q[q,h,d] = X[q,m] W_Q[m,h,d]
K[x,h,d] = Z[x,m] W_K[m,h,d]
V[x,h,d] = Z[x,m] W_V[m,h,d]
S[q,h,x] = Q[q,h,d] K[x,h,d]
P[q,h,x] = softmax[x](S[q,h,x] * d^-0.5)
A[q,h,d] = P[q,h,x] V[x,h,d]
O[q,m] = A[q,h,d] W_O[h,d,m]
"""

# Sequence parallel around a tensor-parallel block (Korthikanti et al., 2022): rows are split where each is normalised, columns where they are multiplied.
SEQUENCE = """X : f32[n=64, m=32]
W1 : f32[m, f=64]
W2 : f32[f, c=32]
A[n,m] = rmsnorm[m](X[n,m])
H[n,f] = relu(A[n,m] W1[m,f])
Y[n,c] = H[n,f] W2[f,c]
R[n,c] = rmsnorm[c](Y[n,c])
"""

REDUCED = """X : f32[n=64, m=32]
a[m] = max[n](X[n,m])
b[m] = mean[n](X[n,m])
c[m] = sum[n](X[n,m])
Y[m] = a[m] + b[m] * c[m]
"""

# Keys over GPUs; where few of them are looked at, some GPUs have none for a row, and some rows none at all.
KEYS = """Q : f16[h=4, q=64, d=16]
K : f16[h, x=256, d]
V : f16[h, x, d]
B : f16[q, x]
S[h,q,x] = Q[h,q,d] K[h,x,d]
T[h,q,x] = where(B[q,x] > 0.9, S[h,q,x] * d^-0.5, -inf)
P[h,q,x] = softmax[x](T[h,q,x])
O[h,q,d] = P[h,q,x] V[h,x,d]
L[h,q] = logsumexp[x](T[h,q,x])
R[h,q,d] = O[h,q,d] + 1
"""

CAUSAL = """Q : f16[h=4, q=64, d=16]
K : f16[h, x=64, d]
V : f16[h, x, d]
S[h,q,x] = Q[h,q,d] K[h,x,d]
T[h,q,x] = where(x <= q, S[h,q,x] * d^-0.5, -inf)
P[h,q,x] = softmax[x](T[h,q,x])
O[h,q,d] = P[h,q,x] V[h,x,d]
"""

EXCHANGE = ["ncclGroupStart", "ncclSend", "ncclRecv", "ncclGroupEnd"]
NONE = ("--gpu", "h100", "--fuse", "none")


def labels(*given):
    return [word for label in given for word in ("--label", label)]


def verified(tap, folder, name, file, gpus, *given):
    found = folder.json("verify", file, *NONE, "--on", "model", *labels(*given))
    tap.equal(f"/shard/verify/{name}", (found["passed"], found["method"], found["detail"]),
              (True, "shards", f"{gpus} simulated GPUs, compared with the whole"))


def merged(tap, folder):
    """Softmax along keys that lie over GPUs: one gather of the log-sums and one sum of what each makes, and in the data type of the whole."""
    verified(tap, folder, "keys", "keys.eq", 8, "x:group@node=32")
    verified(tap, folder, "keys-and-heads", "keys.eq", 16, "x:group@cluster=64", "h:group@node=1")
    verified(tap, folder, "keys-and-queries", "keys.eq", 8, "x:group@node=64", "q:group@cluster=32")
    verified(tap, folder, "keys-and-channels", "keys.eq", 8, "x:group@node=64", "d:group@cluster=8")
    for seed in range(2, 6):
        found = folder.json("verify", "keys.eq", *NONE, "--on", "model", "--set", "x=8", "--seed", str(seed), *labels("x:group@node=1"))
        tap.equal(f"/shard/verify/masked/{seed}", [row["passed"] for row in found["kernels"]], [True, True])
    found = folder.json("derive", "keys.eq", "--gpu", "h100", "--fuse", "S,T,P,O", "--suggest", *labels("x:group@node=32", "R/q:group@node=8"))
    logs, out = 8 * 4 * 64 * 4, 4 * 64 * 16 * 2
    tap.equal("/shard/price/merge", [(row["kind"], row["value"], row["axis"], row["bytes"], row["sent_bytes"]) for row in found["sharding"]["collectives"]],
              [("all-gather", "O_log_sums", "parts", logs, 7 / 8 * logs), ("slice", "O_shares", "parts", logs, 0),
               ("all-gather", "L_log_sums", "parts", logs, 7 / 8 * logs), ("reduce-scatter", "O", "q", out, 7 / 8 * out)])
    long = ("--gpu", "h100", "--fuse", "S,T,P,O", "--suggest", "--set", "q=1024", "--set", "x=65536", "--set", "d=128")
    kernel = folder.json("derive", "keys.eq", *long, *labels("x:group@node=8192"))["kernels"][0]
    tap.equal("/shard/price/merge/streams", [(label["kind"], label["level"]) for label in kernel["labels"] if label["axis"] == "x"],
              [("group", "node"), ("stream", "smem")])
    tap.equal("/shard/price/merge/work", kernel["flops"] * 8, folder.json("derive", "keys.eq", *long)["kernels"][0]["flops"])


def exchanged(tap, folder):
    """Pieces of one axis become pieces of another, as between rows and heads (Jacobs et al., "DeepSpeed Ulysses", 2023): a piece of a piece to each."""
    given = ("Q/q:group@node=16", "K/x:group@node=16", "V/x:group@node=16", "S/h:group@node=2", "P/h:group@node=2", "A/h:group@node=2", "O/q:group@node=16")
    verified(tap, folder, "rows-and-heads", "heads.eq", 4, *given)
    found = folder.json("derive", "heads.eq", *NONE, "--suggest", *labels(*given))["sharding"]
    size = 64 * 8 * 16 * 4
    tap.equal("/shard/price/exchange", [(row["kind"], row["value"], row["axis"], row["bytes"], row["sent_bytes"]) for row in found["collectives"]],
              [("all-to-all", "Q", "h", size, 3 / 16 * size), ("all-to-all", "K", "h", size, 3 / 16 * size), ("all-to-all", "V", "h", size, 3 / 16 * size),
               ("all-to-all", "A", "q", size, 3 / 16 * size)])
    folder.output("derive", "heads.eq", *NONE, "--suggest", *labels(*given), "--apply", "-o", "exchange.ncd")


def over_both(tap, folder):
    """One axis over the GPUs of a server and over servers; parts are summed within a server first, and each GPU sends its share of them to the others."""
    verified(tap, folder, "both", "mlp.eq", 16, "f:group@cluster=256", "f:group@node=64")
    verified(tap, folder, "both-rows", "mlp.eq", 16, "n:group@cluster=128", "n:group@node=32")
    verified(tap, folder, "both-reduced", "reduced.eq", 8, "n:group@cluster=32", "n:group@node=8")
    verified(tap, folder, "both-then-one", "sequence.eq", 16, "A/n:group@node=4", "A/n:group@cluster=16", "H/n:group@cluster=16", "Y/n:group@cluster=16",
             "R/n:group@node=16")
    found = folder.json("derive", "mlp.eq", *NONE, "--suggest", *labels("f:group@cluster=256", "f:group@node=64"))["sharding"]
    size = 512 * 256 * 4
    tap.equal("/shard/price/both", [(row["kind"], row["level"], row["gpus"], row["bytes"], row["sent_bytes"]) for row in found["collectives"]],
              [("reduce-scatter", "node", 4, size, 3 / 4 * size), ("all-reduce", "cluster", 4, size / 4, 2 * 3 / 4 * size / 4),
               ("all-gather", "node", 4, size, 3 / 4 * size)])
    tap.equal("/shard/price/links", [(row["level"], row["gpus"], row["sent_bytes"]) for row in found["links"]],
              [("node", 4, 2 * 3 / 4 * size), ("cluster", 4, 2 * 3 / 4 * size / 4)])
    errors = folder.failure(1, "derive", "keys.eq", *NONE, *labels("x:group@cluster=64", "x:group@node=16"))
    tap.equal("/shard/refused/softmax-over-both", "Softmax works along x" in errors, True)
    folder.output("derive", "mlp.eq", *NONE, "--suggest", *labels("f:group@cluster=256", "f:group@node=64"), "--apply", "-o", "both.ncd")


def executed(tap, folder):
    verified(tap, folder, "data", "mlp.eq", 8, "n:group@node=64")
    verified(tap, folder, "tensor", "mlp.eq", 8, "f:group@node=128")
    verified(tap, folder, "data-and-tensor", "mlp.eq", 16, "f:group@node=256", "n:group@cluster=128")
    verified(tap, folder, "heads", "heads.eq", 4, "h:group@node=2")
    verified(tap, folder, "queries", "heads.eq", 8, "q:group@node=8")
    verified(tap, folder, "sequence", "sequence.eq", 4, "A/n:group@node=16", "H/f:group@node=16", "Y/f:group@node=16", "R/n:group@node=16")
    verified(tap, folder, "max-mean-sum", "reduced.eq", 8, "n:group@node=8")


def priced(tap, folder):
    """Ring: all-reduce sends 2 (n-1)/n of the array, over NVLink 4 at 450 GB/s."""
    found = folder.json("derive", "mlp.eq", *NONE, "--suggest", *labels("f:group@node=128"))
    sharding, kernels = found["sharding"], found["kernels"]
    size = 512 * 256 * 4
    tap.equal("/shard/price/collectives", [(row["kind"], row["value"], row["level"], row["gpus"], row["bytes"], row["sent_bytes"], row["before"])
                                           for row in sharding["collectives"]], [("all-reduce", "Y", "node", 8, size, 2 * 7 / 8 * size, "Z")])
    tap.check("/shard/price/seconds", None if abs(sharding["seconds"] - 2 * 7 / 8 * size / 450e9) < 1e-15 else str(sharding))
    tap.equal("/shard/price/given", {row["value"]: row["pieces"] for row in sharding["given"]},
              {"X": [], "W1": [{"axis": "f", "level": "node"}], "W2": [{"axis": "f", "level": "node"}]})
    # Each GPU has an eighth of the columns to multiply; what is after the sum it does whole.
    whole = folder.json("derive", "mlp.eq", *NONE, "--suggest")["kernels"]
    tap.equal("/shard/price/work", kernels[0]["flops"] * 8, whole[0]["flops"])
    tap.check("/shard/price/total", None if abs(found["total"]["expected_s"] - sum(one["time"]["expected_s"] for one in kernels) - sharding["seconds"]) < 1e-12
              else str(found["total"]))

    found = folder.json("derive", "sequence.eq", *NONE, "--suggest", *labels("A/n:group@node=16", "H/f:group@node=16", "Y/f:group@node=16", "R/n:group@node=16"))
    size = 64 * 32 * 4
    tap.equal("/shard/price/sequence", [(row["kind"], row["value"], row["axis"], row["bytes"], row["sent_bytes"], row["before"])
                                        for row in found["sharding"]["collectives"]],
              [("all-gather", "A", "n", size, 3 / 4 * size, "H"), ("reduce-scatter", "Y", "n", size, 3 / 4 * size, "R")])
    tap.equal("/shard/price/left", found["sharding"]["left"], [{"value": "R", "pieces": [{"axis": "n", "level": "node"}]}])

    # Over the network a GPU sends 50 GB/s.
    found = folder.json("derive", "mlp.eq", *NONE, "--suggest", *labels("f:group@cluster=128"))["sharding"]
    tap.check("/shard/price/network", None if abs(found["seconds"] - 2 * 7 / 8 * 512 * 256 * 4 / 50e9) < 1e-15 else str(found))
    text = folder.output("derive", "mlp.eq", *NONE, "--suggest", *labels("f:group@node=128"))
    tap.equal("/shard/price/text", "all-reduce     Y over node (8 GPUs): 524288 bytes, each sends 917504, 2.039 µs, before Z" in text, True)


def counted(tap, folder):
    """A mask that counts along keys or queries over GPUs goes by the numbers of the places that each has."""
    verified(tap, folder, "causal/keys", "causal.eq", 8, "x:group@node=8")
    verified(tap, folder, "causal/queries", "causal.eq", 4, "q:group@node=16")
    verified(tap, folder, "causal/keys-and-queries", "causal.eq", 16, "x:group@node=16", "q:group@cluster=16")
    found = folder.json("derive", "causal.eq", *NONE, "--suggest", *labels("x:group@node=8"))["sharding"]["given"]
    tap.equal("/shard/counted/given", found[-1], {"value": "x_places", "pieces": [{"axis": "x", "level": "node"}]})


def kept(tap, folder):
    """Groups over GPUs stay whatever is fused; what is best to fuse is found for what each GPU does."""
    folder.output("derive", "keys.eq", "--gpu", "h100", "--fuse", "S,T,P,O", "--suggest", *labels("x:group@node=32"), "--apply", "-o", "kept.ncd")
    above = {"axis": "x", "level": "node", "kind": "group", "size": 32}
    for fuse in ("none", "file", "best"):
        found = folder.json("derive", "kept.ncd", "--fuse", fuse, "--suggest")
        tap.equal(f"/shard/kept/{fuse}", ([label for label in found["kernels"][0]["labels"] if label["level"] == "node"], found["sharding"]["gpus"]),
                  ([above], 8))
    found = folder.json("derive", "keys.eq", "--gpu", "h100", "--fuse", "best", "--suggest", *labels("x:group@node=32"))
    tap.equal("/shard/kept/best/fused", found["kernels"][0]["operations"][:2] + [len(found["sharding"]["collectives"])], ["S", "T", 4])
    found = folder.json("compare", "kept.ncd", "--gpu", "h100", "--gpu", "a100")["comparisons"]
    tap.equal("/shard/compare/gpus", [row["gpus"] for row in found], [8, 8])
    tap.equal("/shard/compare/links", found[1]["links_s"] / found[0]["links_s"], 450e9 / 300e9)
    tap.equal("/shard/compare/elsewhere", folder.run("compare", "kept.ncd", "--gpu", "l40s").returncode, 1)
    slow = folder.json("compare", "mlp.eq", "--gpu", "h100", "--fuse", "none", *labels("f:group@cluster=128"))["comparisons"][0]
    tap.equal("/shard/compare/bound", (slow["bound"], slow["sent_bytes"]), ("links", 2 * 7 / 8 * 512 * 256 * 4))
    text = folder.output("pseudocode", "kept.ncd", "--fuse", "none", "--suggest")
    tap.equal("/shard/pseudocode/pieces", (" 256" in text, "… 32" in text), (False, True))


def words(svg):
    """What is written in a figure, without the spaces that are places."""
    return re.sub(r"\s", "", re.sub(r"<[^>]*>", "", svg.decode()))


def drawn(tap, folder):
    """Labels above GMEM are tags on their wires, counts are those of one GPU, and the roofline has a slope for the link."""
    folder.output("derive", "keys.eq", "--gpu", "h100", "--fuse", "S,T,P,O", "--suggest", "--set", "x=8192", "--set", "q=1024", "--set", "d=128",
                  *labels("x:group@node=1024", "S/x:stream@smem=64"), "--apply", "-o", "drawn.ncd")
    folder.output("export", "drawn.ncd", "--set", "x=8192", "-o", "drawn.svg")
    svg = words(folder.read("drawn.svg"))
    tap.equal("/shard/figure/counts", "8groupsofxinparallel" in svg and "16stepsoverx" in svg, True)
    tap.equal("/shard/figure/tag", "node=1024" in svg, True)
    folder.output("export", "drawn.ncd", "--set", "x=8192", "--roofline", "--gpu", "h100", "-o", "roofline.svg")
    tap.equal("/shard/figure/roofline", "NVLinknode,0.45TB/s" in words(folder.read("roofline.svg")), True)


def interpreted(tap, folder):
    """The kernels of each GPU, and what they pass, against the whole."""
    if not find_nvcc():
        tap.skip("/shard/cpu", "there is no compiler of CUDA")
        return
    for name, file, fuse, gpus, given in (("tensor", "mlp.eq", "none", 4, ("f:group@node=256",)),
                                          ("keys", "keys.eq", "S,T,P,O", 2, ("x:group@node=128",))):
        found = folder.json("verify", file, "--gpu", "h100", "--fuse", fuse, "--on", "cpu", *labels(*given))
        rows = found["kernels"]
        tap.equal(f"/shard/cpu/{name}", [row["method"] for row in rows if not row["passed"]], [])
        tap.equal(f"/shard/cpu/{name}/how", [row["detail"] for row in rows if row["method"] == "shards"][:1], [f"{gpus} simulated GPUs, compared with the whole"])
        tap.equal(f"/shard/cpu/{name}/kernels", sum(row["method"] == "ptx" for row in rows) >= 3, True)


def refused(tap, folder):
    cases = {
        "softmax": ("weights.eq", ("x:group@node=32",), "P/x", "Softmax works along x"),
        "ragged": ("mlp.eq", ("f:group@node=300",), "", "leave a shorter one"),
        "too-many": ("mlp.eq", ("f:group@node=64",), "", "joins 8"),
        "stream": ("mlp.eq", ("f:stream@node=128",), "", "GPUs work at the same time"),
        "unlike": ("mlp.eq", ("H/f:group@node=128", "Z/n:group@node=256"), "", "another kernel has"),
    }
    for name, (file, given, _where, why) in cases.items():
        errors = folder.failure(1, "derive", file, *NONE, *labels(*given))
        tap.equal(f"/shard/refused/{name}", why in errors, True)
    errors = folder.failure(1, "derive", "keys.eq", "--gpu", "h100", "--fuse", "S,T,P,O,R", *labels("x:group@node=32"))
    tap.equal("/shard/refused/read-inside", "is read by other kernels alone" in errors, True)
    errors = folder.failure(1, "derive", "mlp.eq", "--gpu", "h100", "--fuse", "all", *labels("f:group@node=128"))
    tap.equal("/shard/refused/parts-inside", "Y is in parts" in errors and "as a kernel of its own" in errors, True)
    found = folder.run("derive", "mlp.eq", "--gpu", "l40s", *labels("f:group@node=128"))
    tap.equal("/shard/refused/no-link", (found.returncode, "no level “node”" in found.stderr), (1, True))
    folder.output("derive", "mlp.eq", *NONE, "--suggest", *labels("f:group@node=128"), "--apply", "-o", "tp.ncd")
    for kind in ("ptx", "py"):
        errors = folder.failure(1, "export", "tp.ncd", "--gpu", "h100", "--no-verify", "-o", f"tp.{kind}")
        tap.equal(f"/shard/refused/{kind}", "above GMEM" in errors and "-o FILE.cu" in errors, True)


def calls(text):
    return re.findall(r"\b(nccl\w+|\w+_\d) \(", text[text.index("extern \"C\" int\n", text.index("#include <nccl.h>")):])


def written(tap, folder, stand_in):
    folder.output("derive", "sequence.eq", *NONE, "--suggest", *labels("A/n:group@node=16", "H/f:group@node=16", "Y/f:group@node=16", "R/n:group@node=16"),
                  "--apply", "-o", "sp.ncd")
    folder.output("derive", "keys.eq", "--gpu", "h100", "--fuse", "S,T,P,O", "--suggest", *labels("x:group@node=32"), "--apply", "-o", "keys.ncd")
    for name, wanted in {"tp": ["tp_1", "ncclAllReduce", "tp_2"], "sp": ["sp_1", "ncclAllGather", "sp_2", "ncclReduceScatter", "sp_3"],
                         "keys": ["keys_1", "ncclAllGather", "ncclAllGather", "keys_2", "ncclCommUserRank", "keys_3", "ncclAllReduce", "keys_4"],
                         "exchange": ["exchange_1", "exchange_2", *EXCHANGE * 3, "exchange_3", *EXCHANGE, "exchange_4"],
                         "both": ["both_1", "ncclReduceScatter", "ncclAllReduce", "ncclAllGather", "both_2"]}.items():
        folder.output("export", f"{name}.ncd", "--gpu", "h100", "--no-verify", "-o", f"{name}.cu")
        folder.output("export", f"{name}.ncd", "--gpu", "h100", "--no-verify", "-o", f"{name}.h")
        text = folder.read(f"{name}.cu").decode()
        # segments are called by the diagram's name
        stem = re.search(r"// (\w+) over \d+ GPUs", text).group(1)
        found = [call.replace(stem, name) for call in calls(text) if not call.startswith("ncclGet")]
        tap.equal(f"/shard/export/{name}/calls", found, wanted)
        tap.equal(f"/shard/export/{name}/header", f"int {stem} (const void *" in folder.read(f"{name}.h").decode(), True)
    tap.equal("/shard/export/reduce", re.search(r"ncclAllReduce \(Y, Y, (\d+), (\w+), (\w+), node_comm", folder.read("tp.cu").decode()).groups(),
              (str(512 * 256), "ncclFloat", "ncclSum"))
    nvcc = find_nvcc()
    if not nvcc:
        return
    for name in ("tp", "sp", "keys", "exchange", "both"):
        run = subprocess.run([nvcc, "-std=c++17", "-arch=sm_90a", "-I", stand_in, "-shared", "-Xcompiler", "-fPIC", "-o", f"{name}.so", f"{name}.cu",
                              f"{stand_in}/nccl.c"], cwd=folder.path, capture_output=True, text=True, check=False)
        tap.check(f"/shard/export/{name}/links", None if run.returncode == 0 else run.stderr)


def main(stand_in):
    tap, folder = Tap(), Folder()
    for name, text in {"mlp": MLP, "heads": HEADS, "sequence": SEQUENCE, "reduced": REDUCED, "keys": KEYS, "causal": CAUSAL,
                       "weights": KEYS.replace("R[h,q,d] = O[h,q,d] + 1", "-> O, P")}.items():
        folder.write(f"{name}.eq", text)
    executed(tap, folder)
    merged(tap, folder)
    exchanged(tap, folder)
    over_both(tap, folder)
    counted(tap, folder)
    kept(tap, folder)
    drawn(tap, folder)
    interpreted(tap, folder)
    priced(tap, folder)
    refused(tap, folder)
    written(tap, folder, stand_in)
    tap.finish()


main(*sys.argv[1:])
