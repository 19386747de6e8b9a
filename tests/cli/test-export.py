#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""export, compile, verify: figures and kernels as files, kernels interpreted and compared."""

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from heddle import ATTENTION, CANONICAL, Folder, Tap, find_nvcc

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
    folder.run("export", "attention.eq", "-o", "wide.svg", "--width", "3.25in")
    root = ElementTree.fromstring(folder.read("wide.svg"))
    tap.check("/export/options/width", None if root.get("width") in ("234pt", "3.25in") else root.get("width"))
    folder.run("export", "attention.eq", "-o", "venue.svg", "--venue", "icml-column")
    tap.check("/export/options/venue", None if folder.read("venue.svg") == folder.read("wide.svg") else "another width")
    folder.output("export", "attention.eq", "-o", "lines.svg", "--wrap", "2.5in")
    sizes = [[float(ElementTree.fromstring(folder.read(name)).get(side).removesuffix("pt")) for side in ("width", "height")] for name in ("a.svg", "lines.svg")]
    tap.check("/export/options/wrap", None if sizes[0][0] > 180 >= sizes[1][0] and sizes[1][1] > sizes[0][1] else str(sizes))
    folder.output("export", "attention.eq", "-o", "lines.ncd", "--wrap", "2.5in")
    tap.check("/export/options/wrap-saved", None if b' wrap="360"' in folder.read("lines.ncd") else "not in the document")
    folder.output("export", "lines.ncd", "-o", "again.svg", "--no-source")
    folder.output("export", "attention.eq", "-o", "lines.svg", "--wrap", "2.5in", "--no-source")
    tap.check("/export/options/wrap-of-document", None if folder.read("again.svg") == folder.read("lines.svg") else "they differ")
    folder.output("export", "lines.ncd", "-o", "one.svg", "--wrap", "none", "--no-source")
    folder.output("export", "attention.eq", "-o", "bare.svg", "--no-source")
    tap.check("/export/options/wrap-none", None if folder.read("one.svg") == folder.read("bare.svg") else "they differ")
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
                                    ("wrap", 2, ("-o", "a.svg", "--wrap", "wide")),
                                    ("wrap-short", 2, ("-o", "a.svg", "--wrap", "0.3in")),
                                    ("venue", 2, ("-o", "a.svg", "--venue", "home")), ("show", 2, ("-o", "a.svg", "--show", "all")),
                                    ("output", 2, ()), ("folder", 1, ("-o", "nowhere", "--as", "svg"))):
        tap.check(f"/export/options/wrong/{name}", None if folder.failure(status, "export", "attention.eq", *arguments) else "said nothing")
    tap.check("/export/options/wrong/nothing-left", None if not (folder.path / "a.doc").exists() else "a.doc")


def check_print(tap, folder):
    """What a figure is looked at for before it goes into a paper."""
    for venue, inches in (("icml-column", 3.25), ("icml-page", 6.75), ("neurips", 5.5), ("iclr", 5.5), ("cvpr-column", 3.25), ("cvpr-page", 6.875),
                          ("aaai-column", 3.3), ("aaai-page", 6.975), ("tmlr", 6.5)):
        folder.run("export", "attention.eq", "-o", "v.svg", "--venue", venue)
        root = ElementTree.fromstring(folder.read("v.svg"))
        tap.equal(f"/export/print/{venue}", root.get("width"), f"{inches * 72:g}pt")
    tap.equal("/export/print/good", folder.run("export", "attention.eq", "-o", "good.svg", "--venue", "tmlr", "--strict").stderr, "")
    tap.equal("/export/print/column", folder.run("export", "attention.eq", "-o", "column.svg", "--venue", "icml-column", "--strict").stderr, "")
    tap.equal("/export/print/one-line", folder.run("export", "attention.eq", "-o", "line.svg", "--venue", "icml-column", "--wrap", "none", "--strict").stderr, "")
    folder.output("import", "attention.eq", "-o", "plain.ncd")
    folder.write("note.ncd", folder.read("plain.ncd").decode().replace("<presentation/>",
                 '<presentation><drawing diagram="d.attention"><annotation id="n.1" x="460" y="200" text="A note"/></drawing></presentation>'))
    said = folder.failure(1, "export", "note.ncd", "-o", "note.svg", "--venue", "icml-column", "--strict")
    tap.check("/export/print/note", None if said.startswith("note.ncd: warning: the text “") else said)
    run = folder.run("export", "attention.eq", "-o", "small.svg", "--venue", "icml-column", "--width", "2.5in", "--wrap", "none")
    tap.check("/export/print/warns", None if run.returncode == 0 and run.stderr.startswith("attention.eq: warning: the text “")
              and (folder.path / "small.svg").exists() else run.stderr)
    said = folder.failure(1, "export", "attention.eq", "-o", "strict.pdf", "--venue", "icml-column", "--width", "2.5in", "--wrap", "none", "--strict")
    tap.check("/export/print/strict", None if said == run.stderr and not (folder.path / "strict.pdf").exists() else said)
    said = folder.failure(1, "export", "attention.eq", "-o", "strict.pdf", "--venue", "neurips", "--width", "6in", "--strict")
    tap.equal("/export/print/wide", said, "attention.eq: warning: the figure is 6.00 in wide, and there are 5.50 in; make it 5.50 in wide\n")
    run = folder.run("export", "attention.eq", "-o", "json.svg", "--venue", "icml-column", "--width", "2.5in", "--wrap", "none", "--json")
    tap.check("/export/print/json", None if '"remedy"' in run.stdout and '"json.svg"' in run.stdout else run.stdout)
    drawn = 'xmlns="https://heddle.github.io/ns/ncd" version="1.0">\n<meaning>\n<diagram id="d" name="d">\n'
    folder.write("foo.ncd", f'<heddle {drawn}<axis id="a.x" name="\\foo" size="3"/>\n<value id="v.A" name="A_{{\\baz}}" role="input" axes="a.x"/>\n'
                            '</diagram>\n</meaning>\n</heddle>\n')
    folder.write("foo.eq", "B : f32[x=8]\nY[x] = B[x] * 2\nZ_{\\foo}[x] = exp(Y[x])\n")
    for name, places in {"foo.ncd": ("foo.ncd:4:1", "foo.ncd:5:1"), "foo.eq": ("foo.eq:3:1",)}.items():
        warned = folder.run("check", name).stderr
        said = folder.failure(1, "export", name, "-o", "foo.svg", "--venue", "neurips", "--strict")
        tap.equal(f"/export/print/command/{name}", [line.split(" no label")[0] for line in said.splitlines() if "no label can set" in line],
                  [f"{place}: error:" for place in places])
        tap.equal(f"/export/print/command/{name}/check", [place for place in places if f"{place}: warning: no label can set" not in warned], [])
        tap.equal(f"/export/print/command/{name}/written", (folder.path / "foo.svg").exists(), False)
    tap.equal("/export/print/kernels", folder.run("export", "attention.eq", "-o", "x.eq", "--venue", "icml-column", "--strict").stderr, "")


def check_themes(tap, folder):
    for theme in ("paper", "light", "dark"):
        folder.output("export", "attention.eq", "-o", f"{theme}.svg", "--theme", theme)
    tap.check("/export/themes/dark", None if b'class="paper"' in folder.read("dark.svg") and b'fill="#1e1e1e"' in folder.read("dark.svg") else "no dark ground")
    tap.check("/export/themes/light", None if b'class="paper"' not in folder.read("light.svg") else "a ground")
    tap.check("/export/themes/default", None if folder.read("paper.svg") == folder.read("a.svg") else "another than paper")
    for suffix in ("png", "pdf", "tex"):
        folder.output("export", "attention.eq", "-o", f"dark.{suffix}", "--theme", "dark")
        folder.output("export", "attention.eq", "-o", f"plain.{suffix}")
        tap.check(f"/export/themes/{suffix}", None if folder.read(f"dark.{suffix}") != folder.read(f"plain.{suffix}") else "the same")
    tap.check("/export/themes/wrong", None if "paper, light, dark or contrast" in folder.failure(2, "export", "attention.eq", "-o", "a.svg", "--theme", "red") else "")


def has_compiler(folder):
    return folder.run("compile", "attention.eq", *SMALL, "--gpu", "h100").returncode != 3


PRIMED = """# primed.eq
A_{1} : f32[\\lambda_{2}=48, i_1=32]  # ξ′ → ∞
B' : f32[i_1]
C_{αβ}[\\lambda_{2}] = A_{1}[\\lambda_{2},i_1] B'[i_1]
"""


def check_ptx(tap, folder):
    """PTX is ASCII, whatever things are called, and its assembler takes it."""
    folder.write("primed.eq", PRIMED)
    nvcc = find_nvcc()
    assembler = Path(nvcc).with_name("ptxas") if nvcc else None
    for name in ("attention.eq", "primed.eq"):
        for gpu, arch in (("a100", "sm_80"), ("h100", "sm_90a")):
            folder.output("export", name, "-o", "head.ptx", "--gpu", gpu, "--no-verify")
            text = folder.read("head.ptx")
            tap.check(f"/export/ptx/{name}/{gpu}/ascii", None if text.isascii() else "not ASCII")
            if assembler and assembler.is_file():
                run = subprocess.run([assembler, f"-arch={arch}", "-o", "/dev/null", folder.path / "head.ptx"], capture_output=True, text=True, check=False)
                tap.equal(f"/export/ptx/{name}/{gpu}/assembled", (run.returncode, run.stdout + run.stderr), (0, ""))


# Reads outside of arrays in what a state is made of: by a shift, at indices, and in the factor.
GUARDED = {
    "shifted": "A : f32[t=7]\nY[t] = cumsum[t](A[t-1])\n",
    "gathered": "A : f32[b=3]\nT : i64[z=7]\nY[z] = cumsum[z](A[T[z]])\n",
    "factor": "A : f32[t=7]\nB : f32[t]\nC : f32[t]\nY[t] = recurrence[t](A[t], C[t+2])\n",
    "sum": "A : f32[t=7]\nB : f32[t]\nY[t] = recurrence[t](A[t] + B[t], A[t-1] - B[t])\n",
}


def check_guarded_scans(tap, folder):
    for name, text in GUARDED.items():
        folder.write(f"{name}.eq", text)
        result = folder.json("verify", f"{name}.eq", "--gpu", "a100", "--on", "cpu")
        tap.equal(f"/verify/cpu/scan/{name}", (result["passed"], result["method"]), (True, "ptx"))


def check_nothing(tap, folder):
    """What has no operations has no kernels, and all that are asked for them say so."""
    for name, text in (("empty.eq", ""), ("input.eq", "A : f32[a=4]\n-> A\n")):
        folder.write(name, text)
        for suffix in ("cu", "h", "ptx", "cubin", "py", "so", "fatbin"):
            said = folder.failure(1, "export", name, "-o", f"nothing.{suffix}", "--gpu", "h100")
            tap.check(f"/nothing/{name}/export/{suffix}", None if "nothing to compute" in said and not (folder.path / f"nothing.{suffix}").exists() else said)
        for words in (("compile",), ("verify", "--on", "cpu"), ("verify", "--on", "model"), ("optimise", "-o", "nothing"), ("derive",), ("pseudocode",),
                      ("derive", "--suggest", "--fuse", "best", "--budget", "1000"), ("compare", "--gpu", "h100", "--gpu", "a100")):
            said = folder.failure(1, words[0], name, *words[1:])
            tap.check(f"/nothing/{name}/{' '.join(words)}", None if "nothing to compute" in said else said)
        for words in (("check",), ("equations",), ("export", "-o", "nothing.svg"), ("export", "--roofline", "-o", "roofline.svg")):
            tap.equal(f"/nothing/{name}/{' '.join(words)}", folder.run(words[0], name, *words[1:]).returncode, 0)


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
    check_ptx(tap, folder)
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
    if compiler:
        check_guarded_scans(tap, folder)
        # The kernels that are exported, on a whole tile and a ragged one.
        counts = folder.json("verify", "attention.eq", "--gpu", "h100", "--on", "cpu")["counts"]
        tap.equal("/verify/counts", (counts["global_sectors"] >= counts["global_sectors_least"] > 0, 0 < counts["warps_working"] <= counts["warps"],
                                     counts["warp_instructions"]["product"] > 0, sorted(counts["warp_instructions"])),
                  (True, True, True, ["arithmetic", "barrier", "control", "lanes", "memory", "product", "special"]))
        text = folder.output("verify", "attention.eq", "--gpu", "h100", "--on", "cpu")
        tap.check("/verify/counts/text", None if "times the fewest" in text and "warps worked" in text and "% products" in text else text)
    text = folder.output("verify", "attention.eq", "--gpu", "h100", "--on", "model")
    tap.check("/verify/small-sizes", None if text.startswith("verified at q=") and "passed" in text else text)


def main():
    tap, folder = Tap(), Folder()
    folder.write("attention.eq", ATTENTION)
    check_figures(tap, folder)
    check_options(tap, folder)
    check_print(tap, folder)
    check_themes(tap, folder)
    compiler = has_compiler(folder)
    if find_nvcc():
        tap.check("/compile/available", None if compiler else "nvcc is there, and nothing compiles")
    check_nothing(tap, folder)
    check_kernels(tap, folder, compiler)
    check_verify(tap, folder, compiler)
    tap.finish()


main()
