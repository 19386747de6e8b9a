#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""export, compile, verify: figures and kernels as files, kernels interpreted and compared."""

import shutil
import xml.etree.ElementTree as ElementTree

from heddle import ATTENTION, CANONICAL, Folder, Tap

BEGINNINGS = {"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG", "tex": b"% A figure", "ncd": b"<?xml", "eq": b"# attention.eq\n"}
SMALL = ("--set", "q=33", "--set", "x=65", "--set", "d=16")


def check_figures(tap, folder):
    for suffix, beginning in BEGINNINGS.items():
        folder.output("export", "attention.eq", "-o", f"a.{suffix}")
        tap.check(f"/export/figures/{suffix}", None if folder.read(f"a.{suffix}").startswith(beginning) else "another kind of file")
        folder.output("export", "attention.eq", "-o", f"b.{suffix}")
        tap.check(f"/export/figures/{suffix}/same", None if folder.read(f"a.{suffix}") == folder.read(f"b.{suffix}") else "they differ")
    tap.equal("/export/figures/source", folder.output("equations", "a.svg"), CANONICAL)
    folder.output("export", "a.svg", "-o", "c.svg")
    tap.check("/export/figures/svg-of-svg", None if folder.read("a.svg") == folder.read("c.svg") else "they differ")
    tap.equal("/export/figures/equations", folder.read("a.eq").decode(), CANONICAL)


def check_options(tap, folder):
    folder.output("export", "attention.eq", "-o", "wide.svg", "--width", "3.25in")
    root = ElementTree.fromstring(folder.read("wide.svg"))
    tap.check("/export/options/width", None if root.get("width") in ("234pt", "3.25in") else root.get("width"))
    folder.output("export", "attention.eq", "-o", "venue.svg", "--venue", "icml-column")
    tap.check("/export/options/venue", None if folder.read("venue.svg") == folder.read("wide.svg") else "another width")
    folder.output("export", "attention.eq", "-o", "bare.svg", "--no-source")
    tap.check("/export/options/no-source", None if b"softmax[x]" not in folder.read("bare.svg") and folder.run("equations", "bare.svg").returncode == 1 else "the source is there")
    folder.output("export", "attention.eq", "-o", "small.png", "--dpi", "96")
    folder.output("export", "attention.eq", "-o", "large.png", "--dpi", "192")
    widths = [int.from_bytes(folder.read(name)[16:20], "big") for name in ("small.png", "large.png")]
    tap.check("/export/options/dpi", None if abs(widths[1] - 2 * widths[0]) <= 2 else str(widths))
    folder.output("export", "attention.eq", "-o", "outline.svg", "--text", "outline")
    tap.check("/export/options/outline", None if b"<text" in folder.read("a.svg") and b"<text" not in folder.read("outline.svg") else "letters")
    (folder.path / "figures").mkdir()
    folder.write("other.eq", "A : f64[i=3]\nO[i] = A[i] + 1\n")
    result = folder.json("export", "attention.eq", "other.eq", "-o", "figures", "--as", "svg,png")
    tap.equal("/export/options/several", sorted(path.name for path in (folder.path / "figures").iterdir()),
              ["attention.png", "attention.svg", "other.png", "other.svg"])
    tap.equal("/export/options/json", len(result["written"]), 4)
    for name, status, arguments in (("suffix", 1, ("-o", "a.doc")), ("width", 2, ("-o", "a.svg", "--width", "3")),
                                    ("venue", 2, ("-o", "a.svg", "--venue", "home")), ("show", 2, ("-o", "a.svg", "--show", "all")),
                                    ("output", 2, ()), ("folder", 1, ("-o", "nowhere", "--as", "svg"))):
        tap.check(f"/export/options/wrong/{name}", None if folder.failure(status, "export", "attention.eq", *arguments) else "said nothing")
    tap.check("/export/options/wrong/nothing-left", None if not (folder.path / "a.doc").exists() else "a.doc")


def has_compiler(folder):
    return folder.run("compile", "attention.eq", *SMALL, "--gpu", "h100").returncode != 3


def check_kernels(tap, folder, compiler):
    folder.output("export", "attention.eq", "-o", "a.cu", "--gpu", "h100", *SMALL)
    folder.output("export", "attention.eq", "-o", "a.h", "--gpu", "h100", *SMALL)
    tap.check("/export/kernels/cu", None if b"__global__" in folder.read("a.cu") else "no kernel")
    tap.check("/export/kernels/h", None if b"attention" in folder.read("a.h") else "no launcher")
    folder.output("export", "attention.eq", "-o", "unchecked.cu", "--gpu", "h100", "--no-verify", *SMALL)
    tap.check("/export/kernels/not-verified", None if b"NOT VERIFIED" in folder.read("unchecked.cu") else "no word of it")
    if not compiler:
        said = folder.failure(3, "compile", "attention.eq", *SMALL, "--gpu", "h100")
        tap.check("/compile/missing", None if "NVRTC" in said else said)
        return
    for suffix, beginning in (("ptx", b""), ("cubin", b"\x7fELF")):
        folder.output("export", "attention.eq", "-o", f"a.{suffix}", "--gpu", "h100", *SMALL)
        tap.check(f"/export/kernels/{suffix}", None if folder.read(f"a.{suffix}").startswith(beginning) else "another kind of file")
    tap.check("/export/kernels/target", None if b".target sm_90a" in folder.read("a.ptx") else "another target")
    for gpu, arch in (("a100", "sm_80"), ("h100", "sm_90a")):
        kernels = folder.json("compile", "attention.eq", "--gpu", gpu, *SMALL)["kernels"]
        keys = [key for key in ("name", "arch", "registers", "shared_bytes", "spill_bytes", "local_bytes", "milliseconds") if key not in kernels[0]]
        tap.equal(f"/compile/{gpu}", (keys, kernels[0]["arch"], kernels[0]["registers"] > 0), ([], arch, True))


def check_verify(tap, folder, compiler):
    for q, x, d in ((77, 129, 40), (1, 19, 8), (1, 1, 1)):
        sizes = ("--set", f"q={q}", "--set", f"x={x}", "--set", f"d={d}")
        if not compiler:
            said = folder.failure(3, "verify", "attention.eq", "--gpu", "h100", "--on", "cpu", *sizes)
            tap.check(f"/verify/cpu/{q}-{x}-{d}", None if "NVRTC" in said else said)
            continue
        result = folder.json("verify", "attention.eq", "--gpu", "h100", "--on", "cpu", *sizes)
        tap.equal(f"/verify/cpu/{q}-{x}-{d}", (result["passed"], result["on"], result["method"]), (True, "cpu", "ptx"))
        tap.check(f"/verify/cpu/{q}-{x}-{d}/error", None if 0 <= result["relative_error"] <= result["tolerance"] else str(result))
    text = folder.output("verify", "attention.eq", "--gpu", "h100", "--on", "model")
    tap.check("/verify/small-sizes", None if text.startswith("verified at q=") and "passed" in text else text)
    tap.check("/verify/gpu", None if "GPU" in folder.failure(3, "verify", "attention.eq", "--on", "gpu") else "said nothing")


def main():
    tap, folder = Tap(), Folder()
    folder.write("attention.eq", ATTENTION)
    check_figures(tap, folder)
    check_options(tap, folder)
    compiler = has_compiler(folder)
    if shutil.which("nvcc"):
        tap.check("/compile/available", None if compiler else "nvcc is there, and nothing compiles")
    check_kernels(tap, folder, compiler)
    check_verify(tap, folder, compiler)
    tap.finish()


main()
