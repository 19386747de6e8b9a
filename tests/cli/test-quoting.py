#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every text field of every file that is read, in turn, holds what would be code in all languages that are written. What takes it stays harmless."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from harmless import figures_problem, kernel_problem, terminal_problem
from heddle import ATTENTION, Folder, Tap
from onnx_file import message

DATA = Path(__file__).parents[2] / "data"
NAMESPACE = "https://heddle.github.io/ns/ncd"
CODE = "*/ int system; /* \"); system(\"x\") // '''\"\"\" </script><script>alert(1)</script> \\input{/etc/passwd} $(touch pwned)`touch pwned` %s%n ??/ \\"
# With lines and signs that a terminal obeys; what refuses it is tried without.
POISONS = {"lines": f"{CODE}\n#include <x>\r\x1b[31m\u2028\u202e{CODE}", "line": CODE}
BENCH = {"diagram": "attention", "on": "gpu", "gpu": "NVIDIA H100", "machine": "h100-sxm", "dtype": "f16", "date": "2025-01-01", "flops": 1e9,
         "transfer_bytes": 1000000, "total": {"kernel": "total", "median_s": 2e-5, "least_s": 1e-5, "most_s": 3e-5, "expected_s": 1e-5}}


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
        self.written = 0

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


def check_document(check, path, kernels):
    root = ElementTree.fromstring(path.read_bytes())
    ElementTree.register_namespace("", NAMESPACE)
    for kind, name, element in list(xml_fields(root)):
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


def check_keys(check, path, suffix, use):
    """A file of keys: each group's title and each value, in turn."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines):
        if not line or line.startswith("#"):
            continue
        key = line.split("=")[0]
        problems = []
        for name, poison in POISONS.items():
            escaped = poison.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r") if name == "lines" else poison
            poisoned = f"{line[:-1]}{poison.replace(chr(10), ' ')}]" if line.startswith("[") else line + escaped
            check.folder.write(f"q.{suffix}", "\n".join([*lines[:number], poisoned, *lines[number + 1:]]))
            use(problems, f"./q.{suffix}")
        check.point(f"{suffix}/{number}/{key.strip('[]')}", problems)


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
    check_document(check, folder.path / "attention.ncd", True)
    for name in ("unet", "visual_attention"):
        check_document(check, DATA / "figures" / f"{name}.ncd", False)
    check_equations(check)
    check_onnx(check)
    check_json(check)
    check_keys(check, DATA / "hardware" / "h100-sxm.machine", "machine",
               lambda problems, file: [check.run(problems, "derive", "attention.eq", "--gpu", file),
                                       check.export(problems, "attention.ncd", "--gpu", file)])
    check_keys(check, DATA / "accounting" / "hopper-attention.accounting", "accounting",
               lambda problems, file: check.run(problems, "derive", "attention.ncd", "--gpu", "h100", "--accounting", file, "--json"))
    tap.check("/quoting/written", None if check.written > 400 else f"only {check.written} exports took such a text")
    tap.finish()


main()
