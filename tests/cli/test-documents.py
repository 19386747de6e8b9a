#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check, equations, import: what is read, what is written, what is refused; and that no file is touched in vain."""

import json
import shutil
import subprocess
import sys

from heddle import ATTENTION, CANONICAL, Folder, Tap


def check_equations(tap, folder):
    folder.write("attention.eq", ATTENTION)
    text = folder.output("equations", "attention.eq")
    tap.equal("/documents/equations/canonical", text, CANONICAL)
    folder.write("canonical.eq", text)
    tap.equal("/documents/equations/fixed-point", folder.output("equations", "canonical.eq"), text)
    tap.equal("/documents/equations/end-of-options", folder.output("equations", "--", "attention.eq"), text)
    tap.equal("/documents/equations/json", folder.json("equations", "attention.eq"), {"diagram": "attention", "equations": CANONICAL})
    tap.equal("/documents/equations/diagram", folder.output("equations", "attention.eq", "--diagram", "attention"), text)
    said = folder.failure(1, "equations", "attention.eq", "--diagram", "other")
    tap.check("/documents/equations/no-diagram", None if "there is no diagram “other”" in said else said)


def check_import(tap, folder, schema):
    folder.write("attention.eq", ATTENTION)
    tap.equal("/documents/import/coverage", folder.output("import", "attention.eq", "-o", "a.ncd"), "a.ncd: 4 of 4 operators understood\n")
    tap.equal("/documents/import/equations", folder.output("equations", "a.ncd"), CANONICAL)
    folder.output("import", "attention.eq", "-o", "b.ncd")
    tap.check("/documents/import/same-bytes", None if folder.read("a.ncd") == folder.read("b.ncd") else "they differ")
    folder.output("import", "a.ncd", "-o", "c.ncd")
    tap.check("/documents/import/again", None if folder.read("a.ncd") == folder.read("c.ncd") else "they differ")
    xmllint = shutil.which("xmllint")
    if xmllint is None:
        tap.check("/documents/import/schema", "xmllint is missing")
        return
    run = subprocess.run([xmllint, "--nonet", "--noout", "--relaxng", schema, folder.path / "a.ncd"], capture_output=True, text=True, check=False)
    tap.check("/documents/import/schema", run.stderr if run.returncode else None)


WRONG = {
    "syntax.eq": ("A : f64[i=3]\nO[i] = A[i] +\n", "syntax.eq:2:14: error: expected a number, a name or “(”, found the end of the line\nO[i] = A[i] +\n             ^\n"),
    "names.eq": ("O[i=3] = B[i]\n", "names.eq:1:10: error: “B” is not known"),
    "bytes.eq": (b"A : f64[i=3]\n\xff\n", "bytes.eq:2:1: error: the byte 0xFF"),
    "deep.eq": ("O = " + "(" * 100000 + "\n", "deep.eq:1:506: error: nested more than 500 levels deep"),
    "truncated.ncd": (None, "truncated.ncd:"),
    "entity.ncd": ('<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "c">]>\n<heddle xmlns="https://heddle.github.io/ns/ncd" version="1.0"/>\n', "entity.ncd:"),
    "other.ncd": ("<svg/>\n", "other.ncd:"),
}


def check_wrong(tap, folder):
    """Every error has its place, exits with 1, and leaves what is there as it was."""
    folder.write("attention.eq", ATTENTION)
    folder.output("import", "attention.eq", "-o", "a.ncd")
    for name, (text, message) in WRONG.items():
        text = text if text is not None else folder.read("a.ncd")[:700]
        folder.write(name, text)
        before = folder.read(name)
        folder.write("out.ncd", "as it was")
        for command in (["check", name], ["equations", name], ["evaluate", name, "--random", "1"], ["import", name, "-o", "out.ncd"]):
            said = folder.failure(1, *command)
            tap.check(f"/documents/wrong/{name}/{command[0]}", None if message in said else said)
        untouched = folder.read(name) == before and folder.read("out.ncd") == b"as it was"
        left = [path.name for path in folder.path.iterdir() if path.name.startswith((name + ".", "out.ncd."))]
        tap.check(f"/documents/wrong/{name}/untouched", None if untouched and not left else f"it was changed; left: {left}")


def check_check(tap, folder):
    folder.write("attention.eq", ATTENTION)
    tap.equal("/documents/check/good", folder.output("check", "attention.eq"), "")
    tap.equal("/documents/check/good-json", folder.json("check", "attention.eq"),
              {"file": "attention.eq", "problems": [], "errors": 0, "warnings": 0})
    folder.write("two.eq", "A : f64[i=0]\nB[i] = A[i] $\nC[i] = z\n")
    run = folder.run("check", "two.eq", "--json")
    found = json.loads(run.stdout)
    tap.equal("/documents/check/status", (run.returncode, found["errors"]), (1, 3))
    tap.equal("/documents/check/all", sorted((p["line"], p["column"], p["severity"]) for p in found["problems"]),
              [(1, 11, "error"), (2, 13, "error"), (3, 8, "error")])
    folder.write("open.eq", "A : f64[i]\nB : f64[i]\nO[i] = A[i] * 2\n")
    run = folder.run("check", "open.eq", "--json")
    messages = {p["severity"]: p["message"] for p in json.loads(run.stdout)["problems"]}
    tap.equal("/documents/check/open", (run.returncode, messages), (1, {"warning": "Nothing reads B", "error": "The size of i is not given"}))


def check_newer(tap, folder):
    """A document of a newer major version is read with a warning, and nothing is made of it that would lose what it has more."""
    folder.write("attention.eq", ATTENTION)
    folder.output("import", "attention.eq", "-o", "a.ncd")
    folder.write("newer.ncd", folder.read("a.ncd").replace(b'ncd" version="1.', b'ncd" version="2.'))
    for command in ("equations", "check"):
        run = folder.run(command, "newer.ncd")
        tap.check(f"/documents/newer/{command}", None if run.returncode == 0 and "newer.ncd: warning: " in run.stderr else run.stderr)
    for command in (["import", "newer.ncd"], ["export", "newer.ncd"], ["derive", "newer.ncd", "--suggest", "--apply"]):
        said = folder.failure(1, *command, "-o", "other.ncd")
        tap.check(f"/documents/newer/{command[0]}", None if "newer version" in said and not (folder.path / "other.ncd").exists() else said)
    folder.write("minor.ncd", folder.read("a.ncd").replace(b'ncd" version="1.0', b'ncd" version="1.9'))
    tap.equal("/documents/newer/minor", folder.output("equations", "minor.ncd"), CANONICAL)


def check_usage(tap, folder):
    folder.write("attention.eq", ATTENTION)
    cases = {
        "no-file": ("equations",),
        "two-files": ("equations", "attention.eq", "attention.eq"),
        "option": ("equations", "--wrong", "attention.eq"),
        "set": ("equations", "--set", "q", "attention.eq"),
        "dtype": ("equations", "--dtype", "f15", "attention.eq"),
        "import": ("import", "attention.eq"),
        "import-suffix": ("import", "attention.eq", "-o", "a.svg"),
        "command": ("optimise", "attention.eq"),
        "gpus": ("gpus", "attention.eq"),
        "derive": ("derive", "attention.eq", "--apply"),
        "columns": ("derive", "attention.eq", "--columns", "none"),
        "verify": ("verify", "attention.eq"),
    }
    for name, arguments in cases.items():
        said = folder.failure(2, *arguments)
        tap.check(f"/documents/usage/{name}", None if "heddle" in said and "--help" in said else said)
    said = folder.failure(1, "equations", "nowhere.eq")
    tap.check("/documents/usage/nowhere", None if said.startswith("nowhere.eq: error: ") else said)
    for command in ("check", "equations", "import", "evaluate", "gpus", "derive", "pseudocode", "compile", "verify", "export"):
        text = folder.output(command, "--help")
        tap.check(f"/documents/usage/help/{command}", None if f"heddle {command}" in text and "--json" in text else text)
    tap.check("/documents/usage/help", None if "derive" in folder.output("--help") else "no list of commands")
    tap.check("/documents/usage/version", None if folder.output("--version").startswith("heddle ") else "no version")


NAMED = """def shifted(x[a=3]) -> y[a]:
  y[a] = x[a] * 2

X : f32[a=3]
Y[a] = X[a] + 1
-> Y
"""


def check_titles(tap, folder):
    """A diagram of a document may have any text for a name; what equations cannot call so is left out of them."""
    folder.write("named.eq", NAMED)
    folder.output("import", "named.eq", "-o", "named.ncd")
    for name, there in (("shifted", True), ("sh(ifted", False), ("Figure 2", False)):
        folder.write("titled.ncd", folder.read("named.ncd").replace(b'name="shifted"', f'name="{name}"'.encode()))
        folder.output("export", "titled.ncd", "-o", "titled.eq")
        tap.equal(f"/documents/titles/{name}", (b"def " in folder.read("titled.eq"), folder.run("check", "titled.eq").returncode), (there, 0))
    # What is called stays, under a name that a text can have and that nothing else has.
    folder.write("called.eq", NAMED.replace("X[a] + 1", "shifted(X) + 1"))
    folder.output("import", "called.eq", "-o", "called.ncd")
    plain = folder.output("equations", "called.ncd")
    for name, written in (("f&gt;=", "f"), ("sh(ifted", "shifted"), ("2 1", "d"), ("where", "where2"), ("f.1", "f1"), ("ca lled", "called2"), ("f.g", "f.g")):
        folder.write("titled.ncd", folder.read("called.ncd").replace(b'name="shifted"', f'name="{name}"'.encode()))
        text = folder.output("equations", "titled.ncd")
        tap.equal(f"/documents/titles/called/{name}", text, plain.replace("shifted", written))
        folder.write("titled.eq", text)
        tap.equal(f"/documents/titles/called/{name}/check", folder.run("check", "titled.eq").returncode, 0)


def main(schema):
    tap, folder = Tap(), Folder()
    check_equations(tap, folder)
    check_import(tap, folder, schema)
    check_wrong(tap, Folder())
    check_check(tap, folder)
    check_newer(tap, folder)
    check_usage(tap, folder)
    check_titles(tap, folder)
    tap.finish()


main(sys.argv[1])
