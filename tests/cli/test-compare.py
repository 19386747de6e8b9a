#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""compare: machines and types side by side, and what would move the bound."""

import os

from heddle import ATTENTION, Folder, Tap

LABELS = ("--label", "q:group=128", "--label", "x:stream=64")


def rows(result):
    return {(row["gpu"], row["dtype"]): row for row in result["comparisons"]}


def check_rows(tap, folder):
    result = folder.json("compare", "attention.eq", "--gpu", "h100", "--gpu", "a100", "--dtype", "f16", "--dtype", "e4m3", *LABELS)
    found = rows(result)
    tap.equal("/compare/rows", sorted(found), sorted((gpu, dtype) for gpu in ("h100-sxm", "a100-80-sxm") for dtype in ("f16", "e4m3")))
    values = 2 * 4096 * 128 + 2 * 4096 * 128 * 32
    tap.equal("/compare/bytes", [found["h100-sxm", dtype]["transfer_bytes"] for dtype in ("f16", "e4m3")], [2 * values, values])
    tap.equal("/compare/kernels", [len(row["kernels"]) for row in result["comparisons"]], [1] * 4)
    tap.equal("/compare/tiles", {row["kernels"][0]["tiles"] for row in result["comparisons"]}, {"g_q=128 s_x=64"})
    held = found["h100-sxm", "f16"]["memory_bytes"]
    tap.equal("/compare/occupancy", [round(found[gpu, "f16"]["occupancy"], 9) for gpu in ("h100-sxm", "a100-80-sxm")],
              [round(total / (held + 1024), 9) for total in (233472, 167936)])
    # Of the 9.7 TB/s that L2 sustains and the 83 % of the tensor cores' 989.4 TFLOP/s, with these labels: all of q against 32 loads of K and V.
    l2, tensor = 2 * values / 9.7e12, 4 * 4096 * 4096 * 128 / (.83 * 989.4e12)
    row = found["h100-sxm", "f16"]
    tap.equal("/compare/bound", row["bound"], "tensor")
    crossing = [c for c in row["crossings"] if c["figure"] == "l2-bandwidth"][0]
    tap.check("/compare/crossing", None if crossing["bound"] == "l2" and abs(crossing["factor"] / (l2 / tensor) - 1) < 1e-4
              and abs(crossing["at"] / (5.5e12 * l2 / tensor) - 1) < 1e-4 else str(crossing))


def check_best(tap, folder):
    """Without labels each machine gets its own best, which no label given beats."""
    best = rows(folder.json("compare", "attention.eq", "--gpu", "h100", "--gpu", "l4"))
    given = rows(folder.json("compare", "attention.eq", "--gpu", "h100", "--gpu", "l4", *LABELS))
    for gpu in ("h100-sxm", "l4"):
        tap.check(f"/compare/best/{gpu}", None if best[gpu, "f16"]["expected_s"] <= given[gpu, "f16"]["expected_s"] else "a label beats the best")
        derived = folder.json("derive", "attention.eq", "--gpu", gpu, "--fuse", "all", "--suggest")
        tap.equal(f"/compare/best/{gpu}/derive", best[gpu, "f16"]["expected_s"], derived["total"]["expected_s"])
    folder.output("derive", "attention.eq", "--gpu", "h100", "--fuse", "all", *LABELS, "--apply", "-o", "labelled.ncd")
    fresh = rows(folder.json("compare", "labelled.ncd", "--gpu", "h100"))
    kept = rows(folder.json("compare", "labelled.ncd", "--gpu", "h100", "--keep-labels"))
    tap.equal("/compare/fresh", fresh["h100-sxm", "f16"]["expected_s"], best["h100-sxm", "f16"]["expected_s"])
    tap.equal("/compare/kept", kept["h100-sxm", "f16"]["expected_s"], given["h100-sxm", "f16"]["expected_s"])


def check_network(tap, folder):
    """What fits no memory as one kernel is compared by its equations, as derive prices them."""
    network = os.path.join(os.environ["HEDDLE_DATADIR"], "examples", "decoder-transformer.ncd")
    row, = folder.json("compare", network, "--gpu", "h100")["comparisons"]
    derived = folder.json("derive", network, "--gpu", "h100", "--fuse", "none", "--suggest")
    tap.equal("/compare/network", (row["fits"], len(row["kernels"])), (True, len(derived["kernels"])))
    tap.equal("/compare/network/time", row["expected_s"], derived["total"]["expected_s"])
    tap.equal("/compare/network/crossings", (row["crossings_searched"], row["crossings"]), (False, []))
    asked, = folder.json("compare", network, "--gpu", "h100", "--fuse", "all")["comparisons"]
    tap.equal("/compare/network/asked", (asked["fits"], len(asked["kernels"])), (False, 1))


def check_texts(tap, folder):
    text = folder.output("compare", "attention.eq", "--gpu", "h100", "--gpu", "mi300x", "--gpu", "two-level", "--dtype", "f16")
    tap.check("/compare/table", None if all(part in text for part in ("h100-sxm", "mi300x", "two-level", "What would move the bound")) else text)
    tap.check("/compare/usage", None if "--gpu" in folder.failure(2, "compare", "attention.eq") else "no usage")
    tap.check("/compare/gpu", None if "h1000" in folder.failure(1, "compare", "attention.eq", "--gpu", "h1000") else "h1000")
    tap.check("/compare/dtype", None if "f17" in folder.failure(2, "compare", "attention.eq", "--gpu", "h100", "--dtype", "f17") else "f17")
    said = folder.failure(1, "compare", "attention.eq", "--gpu", "h100", "--fuse", "all", "--label", "d:group=8")
    tap.check("/compare/refused", None if "d" in said else said)


def main():
    tap, folder = Tap(), Folder()
    folder.write("attention.eq", ATTENTION)
    check_rows(tap, folder)
    check_best(tap, folder)
    check_network(tap, folder)
    check_texts(tap, folder)
    tap.finish()


main()
