#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every text field of every file that is read, in turn, holds what would be code in all languages that are written. What takes it stays harmless."""

import json
import os
import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from harmless import figures_problem, kernel_problem, module_problem, page_problem, terminal_problem
from heddle import ATTENTION, Folder, Tap, find_nvcc
from onnx_file import message

DATA = Path(__file__).parents[2] / "data"
NAMESPACE = "https://heddle.github.io/ns/ncd"
CODE = "*/ int system; /* \"); system(\"x\") // '''\"\"\" </script><script>alert(1)</script> \\input{/etc/passwd} $(touch pwned)`touch pwned` %s%n ??/ \\"
# With lines and signs that a terminal obeys; what refuses it is tried without.
POISONS = {"lines": f"{CODE}\n#include <x>\r\x1b[31m\u2028\u202e{CODE}", "line": CODE}
BENCH = {"diagram": "attention", "on": "gpu", "gpu": "NVIDIA H100", "machine": "h100-sxm", "dtype": "f16", "date": "2025-01-01", "flops": 1e9,
         "transfer_bytes": 1000000, "total": {"kernel": "total", "median_s": 2e-5, "least_s": 1e-5, "most_s": 3e-5, "expected_s": 1e-5}}


# Each is written of texts of its own: of the machine, of steps, of what was measured.
CHARTS = ("--roofline", "--costs", "--steps", "--expanded")


def part(number, data):
    return message(number, data if isinstance(data, bytes) else data.encode())


ONNX = {"producer": "producer", "graph": "graph", "input": "x", "node": "node", "output": "y", "operator": "Relu", "domain": "", "document": "words",
        "dimension": "batch"}


def onnx(words):
    def shaped(name):
        return part(1, name) + part(2, part(1, b"\x08\x01" + part(2, part(1, part(2, words["dimension"])) + part(1, b"\x08\x08"))))
    node = part(1, words["input"]) + part(2, words["output"]) + part(3, words["node"]) + part(4, words["operator"]) + part(6, words["document"])
    node += part(7, words["domain"])
    graph = part(1, node) + part(2, words["graph"]) + part(10, words["document"]) + part(11, shaped(words["input"])) + part(12, shaped(words["output"]))
    return b"\x08\x08" + part(2, words["producer"]) + part(7, graph) + part(8, b"\x10\x11")


class Check:
    """Commands that take a poisoned file, and what they leave."""

    def __init__(self, tap, folder):
        self.tap, self.folder = tap, folder
        self.written = self.pages = 0

    def run(self, problems, *arguments):
        """Whether it was taken. What is said is fit for a terminal either way."""
        run = self.folder.run(*arguments)
        if run.returncode not in (0, 1):
            problems.append(f"{arguments[0]} ended with {run.returncode}: {run.stderr[:300]}")
        problems += filter(None, [terminal_problem(run.stdout), terminal_problem(run.stderr)])
        if run.returncode == 0 and "--json" in arguments:
            json.loads(run.stdout)
        self.written += run.returncode == 0 and arguments[0] == "export"
        return run.returncode == 0

    def export(self, problems, file, *options):
        """A kernel and figures of a document, as far as there are any."""
        for suffix in ("cu", "h"):
            if self.run(problems, "export", file, "-o", f"q.{suffix}", "--no-verify", *options):
                problems += filter(None, [kernel_problem(self.folder.read(f"q.{suffix}").decode())])
        self.figure(problems, file)

    def module(self, problems, file, *options):
        """A module of Python, which is compiled, or readable code, which is not."""
        if self.run(problems, "export", file, "-o", "q.py", "--no-verify", *options):
            problems += filter(None, [module_problem(self.folder.read("q.py"))])

    def report(self, problems, file, *options):
        """The report and the kernels of a model that is made faster."""
        shutil.rmtree(self.folder.path / "faster", ignore_errors=True)
        if self.run(problems, "optimise", file, "-o", "faster", "--no-verify", "--no-cache", *options):
            for path in sorted((self.folder.path / "faster").rglob("*")):
                if path.suffix == ".html":
                    problems += filter(None, [page_problem(path.read_text(encoding="utf-8"))])
                    self.pages += 1
                elif path.suffix == ".py":
                    problems += filter(None, [module_problem(path.read_bytes())])
                elif path.suffix in (".cu", ".h"):
                    problems += filter(None, [kernel_problem(path.read_text(encoding="utf-8"))])
                elif path.suffix == ".json":
                    json.loads(path.read_text(encoding="utf-8"))

    def figure(self, problems, file, *options):
        if all([self.run(problems, "export", file, "-o", f"q.{suffix}", *options) for suffix in ("svg", "tex")]):
            problems += filter(None, [figures_problem(self.folder.read("q.svg"), self.folder.read("q.tex"))])

    def point(self, name, problems):
        if (self.folder.path / "pwned").exists():
            problems.append("a command was run")
        self.tap.check(f"/quoting/{name}", problems)


def xml_fields(root):
    """Each attribute of each kind of element once, and each kind's own text."""
    seen = set()
    for element in root.iter():
        kind = element.tag.rpartition("}")[2]
        for name in [*element.attrib, *([None] if (element.text or "").strip() else [])]:
            if (kind, name) not in seen:
                seen.add((kind, name))
                yield kind, name, element


def check_document(check, path, kernels, seen, again=True):
    """Every field of a document; unless @again, those that no document before it had."""
    root = ElementTree.fromstring(path.read_bytes())
    ElementTree.register_namespace("", NAMESPACE)
    for kind, name, element in list(xml_fields(root)):
        if (kind, name) in seen and not again:
            continue
        seen.add((kind, name))
        before = element.text if name is None else element.attrib[name]
        problems = []
        # XML has no such characters at all, but for ends of lines.
        for poison in (re.sub("[\x1b]", "", POISONS["lines"]), POISONS["line"], f"x_{{{CODE}}}"):
            if name is None:
                element.text = poison
            else:
                element.attrib[name] = poison
            check.folder.write("q.ncd", ElementTree.tostring(root))
            if check.run(problems, "check", "q.ncd", "--json"):
                check.figure(problems, "q.ncd")
                if kernels:
                    check.export(problems, "q.ncd", "--gpu", "a100")
        if name is None:
            element.text = before
        else:
            element.attrib[name] = before
        check.point(f"{path.stem}/{kind}/{name or 'text'}", problems)


def poisoned_lines(line):
    """A line of a file of keys with what it should not have: as it is, and as such files spell it."""
    for poison in POISONS.values():
        spelt = poison.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
        for text in (poison.replace("\n", " "), spelt):
            yield f"{line[:-1]}{text}]" if line.startswith("[") else line + text


def check_keys(check, path, suffix, use):
    """A file of keys: each group's title and each value, in turn."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines):
        if not line or line.startswith("#"):
            continue
        key = line.split("=")[0]
        problems = []
        for poisoned in poisoned_lines(line):
            check.folder.write(f"q.{suffix}", "\n".join([*lines[:number], poisoned, *lines[number + 1:]]))
            use(problems, f"./q.{suffix}")
        check.point(f"{suffix}/{number}/{key.strip('[]')}", problems)


def check_names(check):
    """The name of a file is the name of what is in it."""
    for number, name in enumerate((CODE.replace("/", "|"), "a\n#include <x>\n", "\x1b[31mred", "$(touch pwned)", "`touch pwned`", "'; touch pwned; '", "<script>",
                                   "\"\"\"", "\u202e*|", "-o", "a\\", os.fsdecode(b"a\xff\xe2"))):
        problems = []
        check.folder.write(f"{name}.eq", ATTENTION)
        check.run(problems, "check", f"./{name}.eq", "--json")
        check.export(problems, f"./{name}.eq", "--gpu", "a100")
        check.figure(problems, f"./{name}.eq", "--roofline", "--gpu", "a100")
        for style in ("torch", "jax", "numpy"):
            check.module(problems, f"./{name}.eq", "--as", style)
        if check.run(problems, "import", f"./{name}.eq", "-o", "q.ncd"):
            ElementTree.fromstring(check.folder.read("q.ncd"))
        if number < 3 or name == "<script>":
            check.report(problems, f"./{name}.eq", "--gpu", "a100", "--set", "q=32", "--set", "x=32", "--set", "d=16")
        check.point(f"name/{number}", problems)


def check_arguments(check):
    """What is typed is said again in errors, and a size, a type or a name of it is never code."""
    for option in ("--gpu", "--set", "--dtype", "--diagram", "--family", "--label", "--fuse", "--venue", "--width", "--theme", "--show", "--accounting"):
        problems = []
        for poison in POISONS.values():
            for command in (("export", "attention.eq", "-o", "q.cu", "--no-verify"), ("export", "attention.eq", "-o", "q.svg"), ("derive", "attention.eq")):
                run = check.folder.run(*command, option, poison)
                problems += filter(None, [terminal_problem(run.stdout), terminal_problem(run.stderr)])
                if run.returncode not in (0, 1, 2, 3):
                    problems.append(f"{command[0]} {option} ended with {run.returncode}: {run.stderr[:200]}")
        check.point(f"argument/{option}", problems)


def check_measured(check):
    """What others published lies in the folder of data."""
    data, before = check.folder.path / "data", os.environ.get("HEDDLE_DATADIR")
    shutil.copytree(DATA, data, ignore=shutil.ignore_patterns("measured", "figures", "examples", "help", "screenshots", "icons"))
    (data / "measured").mkdir()
    os.environ["HEDDLE_DATADIR"] = str(data)
    lines = (DATA / "measured" / "heddle-h100-labelled.measured").read_text(encoding="utf-8").split("\n")[:18]
    for number, line in enumerate(lines):
        if not line or line.startswith("#"):
            continue
        problems = []
        for poisoned in poisoned_lines(line):
            check.folder.write("data/measured/q.measured", "\n".join([*lines[:number], poisoned, *lines[number + 1:]]))
            check.run(problems, "accuracy")
            check.run(problems, "accuracy", "--parts", "--json")
        check.point(f"measured/{number}/{line.split('=')[0].strip('[]')}", problems)
    os.environ.pop("HEDDLE_DATADIR")
    if before is not None:
        os.environ["HEDDLE_DATADIR"] = before


def check_machine(check, problems, file):
    """A machine's texts stand in kernels, modules, charts and reports."""
    if not check.run(problems, "derive", "attention.eq", "--gpu", file):
        return
    check.export(problems, "attention.ncd", "--gpu", file)
    for chart in CHARTS:
        check.figure(problems, "attention.ncd", chart, "--gpu", file)
    check.run(problems, "derive", "attention.ncd", "--gpu", file, "--json")
    check.run(problems, "compare", "attention.ncd", "--gpu", file, "--json")
    if find_nvcc():
        check.module(problems, "sum.eq", "--gpu", file)
    check.report(problems, "sum.eq", "--gpu", file)


def check_json(check):
    for where in [(key,) for key in BENCH if isinstance(BENCH[key], str)] + [("total", "kernel")]:
        problems = []
        for poison in POISONS.values():
            poisoned = json.loads(json.dumps(BENCH))
            (poisoned if len(where) == 1 else poisoned["total"])[where[-1]] = poison
            check.folder.write("q.json", json.dumps(poisoned))
            check.figure(problems, "attention.ncd", "--roofline", "--gpu", "h100", "--measured", "q.json")
        check.point(f"json/{'/'.join(where)}", problems)


def check_onnx(check):
    for field in ONNX:
        problems = []
        for poison in POISONS.values():
            check.folder.write("q.onnx", onnx({**ONNX, field: poison}))
            if check.run(problems, "import", "q.onnx", "-o", "q.ncd", "--json"):
                check.run(problems, "equations", "q.ncd")
                check.export(problems, "q.ncd", "--gpu", "a100")
        check.point(f"onnx/{field}", problems)


def check_equations(check):
    problems = []
    for poison in (CODE, CODE.replace("\\", "")):
        check.folder.write("q.eq", f"# {poison}\n{ATTENTION}")
        check.run(problems, "equations", "q.eq")
        check.export(problems, "q.eq", "--gpu", "a100")
    check.point("equations/comment", problems)


def main():
    tap, folder = Tap(), Folder()
    check = Check(tap, folder)
    folder.write("attention.eq", ATTENTION)
    folder.output("derive", "attention.eq", "--gpu", "h100", "--fuse", "all", "--label", "q:group@smem=128", "--label", "x:stream@smem=64", "--apply", "-o",
                  "attention.ncd")
    folder.write("sum.eq", "A : f32[a=64, b=32]\nY[a] = sum[b](A[a,b])\n")
    seen = set()
    check_document(check, folder.path / "attention.ncd", True, seen)
    for name in ("figures/unet", "figures/visual_attention"):
        check_document(check, DATA / f"{name}.ncd", False, seen)
    for path in [*sorted((DATA / "examples").glob("*.ncd")), *sorted((DATA / "figures").rglob("*.ncd"))]:
        check_document(check, path, False, seen, again=False)
    check_equations(check)
    check_names(check)
    check_arguments(check)
    check_measured(check)
    check_onnx(check)
    check_json(check)
    check_keys(check, DATA / "hardware" / "h100-sxm.machine", "machine",
               lambda problems, file: check_machine(check, problems, file))
    check_keys(check, DATA / "accounting" / "hopper-attention.accounting", "accounting",
               lambda problems, file: check.run(problems, "derive", "attention.ncd", "--gpu", "h100", "--accounting", file, "--json"))
    tap.check("/quoting/written", None if check.written > 400 else f"only {check.written} exports took such a text")
    tap.check("/quoting/pages", None if check.pages > 4 else f"only {check.pages} reports took such a text")
    tap.finish()


main()
