#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Names that would be code where they are not taken for text: everything that is exported stays harmless, and compiles. No GPU is needed."""

import ast
import importlib.util
import json
import re
import subprocess
from pathlib import Path
from xml.sax.saxutils import escape

import stand_in_torch
from harmless import figures_problem, kernel_problem
from heddle import Folder, Tap, find_nvcc

NCD = """<?xml version="1.0" encoding="UTF-8"?>
<heddle xmlns="https://heddle.github.io/ns/ncd" version="1.0">
  <meaning>
    <diagram id="d.1" name={D}>
      <axis id="a.q" name={q} size="64"/><axis id="a.d" name={d} size="32"/><axis id="a.x" name={x} size="48"/>
      <value id="v.Q" name={Q} role="input" dtype="f16" axes="a.q a.d"><comment>{C}</comment></value>
      <value id="v.K" name={K} role="input" dtype="f16" axes="a.x a.d"/>
      <value id="v.V" name={V} role="input" dtype="f16" axes="a.x a.d"/>
      <value id="v.S" name={S} axes="a.q a.x"/><value id="v.t" axes="a.q a.x"/>
      <value id="v.P" name={P} axes="a.q a.x"/><value id="v.O" name={O} axes="a.q a.d"/>
      <operation id="o.S" kind="contract" operands="v.Q v.K" result="v.S" axes="a.d"/>
      <operation id="o.t" kind="map" operands="v.S" result="v.t" body="$0*0.125"/>
      <operation id="o.P" kind="softmax" operands="v.t" result="v.P" axes="a.x"/>
      <operation id="o.O" kind="contract" operands="v.P v.V" result="v.O" axes="a.x"/>
    </diagram>
  </meaning>
  <schedule/>
  <presentation><drawing diagram="d.1" title={D}/></presentation>
</heddle>
"""
PLAIN = {name: name for name in "qdxQKVSPO"}
# What a diagram, its title and a comment may be called; of an axis or an array it is what may stand in the braces of a subscript.
TEXTS = {
    "quote": '"; system("x")//', "comment": "*/ int system; /*", "format": "%s%n%d", "markup": "</script><script>alert(1)</script>",
    "python": "'''\"\"\"", "line": "a\nint system;\rimport os", "backslash": "name\\", "trigraph": "name??/", "escape": "\\x22; \\u0022\\0",
    "shell": "$(touch pwned)`touch pwned`", "path": "../../etc/x", "tex": "\\input{/etc/passwd}$#&_^~", "next": "a\u0085b\u2028c\x7fd",
    "order": "\u202ec\u2066d", "letters": "\u0410\u05d0\u200b",
}
# A diagram's name: words of C, C++ and Python, and functions that its module calls or a C program means by that name.
DIAGRAMS = ("while", "lambda", "reversed", "list", "all", "isinstance", "norm", "read", "__global__", "'", "n" * 4096)
# An axis' or an array's: words and macros, and names that are one identifier.
WORDS = dict(zip("qdxQKVSPO", ("static_cast", "INT_MAX", "restrict", "c_{+}", "c_{-}", "c", "wchar_t", "NULL", "typeof")))


def document(diagram, names):
    def attribute(text):
        return '"' + escape(text, {'"': "&quot;", "\n": "&#10;", "\r": "&#13;"}) + '"'
    return NCD.format(C=escape(diagram), D=attribute(diagram), **{key: attribute(name) for key, name in names.items()})


def check_headers(folder, name):
    nvcc = find_nvcc()
    include = nvcc and Path(nvcc).resolve().parent.parent / "include"
    if not include or not include.is_dir():
        return None
    for compiler, language in (("gcc", "c"), ("g++", "c++")):
        run = subprocess.run([compiler, "-x", language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}", name], cwd=folder.path,
                             capture_output=True, text=True, check=False)
        if run.returncode != 0:
            return run.stderr
    return None


def check_module(folder, name):
    """It is Python, defines one function, and runs."""
    tree = ast.parse(folder.read(name))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    if len(functions) != 1:
        return f"functions: {functions}"
    torch, driver = stand_in_torch.install()
    spec = importlib.util.spec_from_file_location("hostile", folder.path / name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with stand_in_torch.driver_in_place(driver):
        shapes = ((64, 32), (48, 32), (48, 32))
        result = getattr(module, functions[0])(*[torch.Tensor(shape, torch.float16, torch.device("cuda")) for shape in shapes])
    return None if result.shape == (64, 32) and driver.launches else f"{result.shape}, {len(driver.launches)} launches"


def check_exports(tap, folder, name, text, compiler):
    folder.write("h.ncd", text)
    for suffix in ("cu", "h", "py") if compiler else ("cu", "h"):
        folder.output("export", "h.ncd", "-o", f"h.{suffix}", "--gpu", "a100", "--no-verify")
    for suffix in ("svg", "tex"):
        folder.output("export", "h.ncd", "-o", f"h.{suffix}")
    tap.check(f"/hostile/{name}/kernel", kernel_problem(folder.read("h.cu").decode()))
    tap.check(f"/hostile/{name}/figures", figures_problem(folder.read("h.svg"), folder.read("h.tex")))
    if compiler:
        tap.check(f"/hostile/{name}/compiles", folder.run("compile", "h.ncd", "--gpu", "a100").stderr or None)
        tap.check(f"/hostile/{name}/header", check_headers(folder, "h.h"))
        tap.check(f"/hostile/{name}/module", check_module(folder, "h.py"))


def check_launcher(tap, folder, name):
    """By nvcc, as a library is made, with the headers that a run-time compiler does without."""
    nvcc = find_nvcc()
    if nvcc:
        run = subprocess.run([nvcc, "-std=c++17", "-arch=sm_80", "-c", "-o", "h.o", "h.cu"], cwd=folder.path, capture_output=True, text=True, check=False)
        tap.check(f"/hostile/{name}/launcher", (run.stdout + run.stderr) if run.returncode != 0 else None)


MACHINE = (Path(__file__).parents[2] / "data" / "hardware" / "h100-sxm.machine").read_text(encoding="utf-8")
INJECTED = "\\n#ifndef GUARD\\n#include <stdlib.h>\\n__attribute__((constructor)) static void run(void) { system(\"touch pwned\"); }\\n#endif\\n//"


def check_machine(tap, folder, compiler):
    """A title of a machine with lines of C in it is refused; signs that end no line stay in the comments."""
    title = re.search("^Title=(.*)$", MACHINE, re.MULTILINE).group(0)
    folder.write("lines.machine", MACHINE.replace(title, title + INJECTED, 1))
    for suffix in ("cu", "h", "py"):
        said = folder.failure(1, "export", "plain.ncd", "-o", f"m.{suffix}", "--gpu", "lines.machine", "--no-verify")
        tap.check(f"/hostile/machine/refused/{suffix}", None if "[Machine] Title: has a control character" in said and "lines.machine:" in said else said)
    folder.write("signs.machine", MACHINE.replace(title, title + " */ int system; /* ??/ \\\\", 1))
    for suffix in ("cu", "h", "py") if compiler else ("cu", "h"):
        folder.output("export", "plain.ncd", "-o", f"m.{suffix}", "--gpu", "signs.machine", "--no-verify")
    tap.check("/hostile/machine/kernel", kernel_problem(folder.read("m.cu").decode()))
    tap.check("/hostile/machine/header", check_headers(folder, "m.h"))
    if compiler:
        tap.check("/hostile/machine/module", ast.parse(folder.read("m.py")) and None)


def check_optimised(tap, folder):
    """The folder of a whole model: files by harmless names, a page without scripts of others, JSON."""
    text = TEXTS["markup"]
    folder.write("h.ncd", document("../" + text, {key: f"{name}_{{{text}}}" for key, name in PLAIN.items()}))
    run = folder.run("optimise", "h.ncd", "--gpu", "a100", "-o", "out", "--no-verify", "--no-cache", "--json")
    tap.equal("/hostile/optimised", run.returncode, 0)
    json.loads(run.stdout)
    names = sorted(path.name for path in (folder.path / "out").iterdir())
    tap.check("/hostile/optimised/files", None if all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*\.[a-z]+", name) for name in names) else names)
    page = folder.read("out/report.html").decode()
    tap.check("/hostile/optimised/page", "a script" if "<script>alert" in page else None)
    tap.check("/hostile/optimised/nothing-beside", None if sorted(path.name for path in folder.path.iterdir() if "etc" in path.name) == [] else "written")


def main():
    tap, folder = Tap(), Folder()
    folder.write("plain.ncd", document("plain", PLAIN))
    compiler = folder.run("compile", "plain.ncd", "--gpu", "a100").returncode != 3
    for name, text in TEXTS.items():
        subscript = text if name != "line" else "i"
        check_exports(tap, folder, name, document(text, {key: f"{letter}_{{{subscript}}}" for key, letter in PLAIN.items()}), compiler)
    for name in DIAGRAMS:
        check_exports(tap, folder, f"called/{name[:16]}", document(name, PLAIN), compiler)
    check_launcher(tap, folder, "long")
    check_exports(tap, folder, "words", document("norm", WORDS), compiler)
    check_launcher(tap, folder, "words")
    tap.check("/hostile/nothing-run", "a command of a name was run" if (folder.path / "pwned").exists() else None)
    check_machine(tap, folder, compiler)
    check_optimised(tap, folder)
    tap.finish()


main()
