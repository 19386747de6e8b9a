#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""diff: what changed, in words; and git, which shows equations as README says."""

import json
import os
import shutil
import subprocess

from heddle import ATTENTION, PROGRAM, Folder, Tap

CHANGED = ATTENTION.replace("x=4096", "x=2048").replace("softmax", "l2norm")
WORDS = """the size of x: 4096 → 2048
P: P[q,x] = softmax[x](S[q,x] * d^-0.5) → P[q,x] = l2norm[x](S[q,x] * d^-0.5)
"""


def check_words(tap, folder):
    folder.output("import", "attention.eq", "-o", "a.ncd")
    tap.equal("/diff/equal", folder.output("diff", "attention.eq", "a.ncd"), "")
    run = folder.run("diff", "a.ncd", "changed.eq")
    tap.equal("/diff/different", (run.returncode, run.stdout, run.stderr), (1, WORDS, ""))
    found = json.loads(folder.run("diff", "a.ncd", "changed.eq", "--json").stdout)
    tap.equal("/diff/json", (found["equal"], [(one["kind"], one["object"]) for one in found["differences"]]),
              (False, [("size", "x"), ("operation", "P")]))
    tap.equal("/diff/json/equal", folder.json("diff", "a.ncd", "a.ncd"), {"equal": True, "differences": []})
    folder.output("derive", "a.ncd", "--gpu", "h100", "--fuse", "all", "--label", "x:stream@smem=64", "--apply", "-o", "b.ncd")
    said = folder.run("diff", "a.ncd", "b.ncd").stdout
    tap.check("/diff/labels", None if "label x:stream@smem of kernel r.1 added: 64\n" in said else said)


def check_wrong(tap, folder):
    folder.write("bad.eq", "S[q,x] = Q[q,d]\n")
    for name, status, files in (("one", 2, ("a.ncd",)), ("three", 2, ("a.ncd",) * 3), ("bad", 1, ("a.ncd", "bad.eq")),
                                ("missing", 1, ("a.ncd", "nowhere.ncd"))):
        tap.check(f"/diff/wrong/{name}", None if "error: " in folder.failure(status, "diff", *files) else "said nothing")


def git(folder, *arguments):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat"}
    return subprocess.run(["git", *arguments], cwd=folder.path, env=environment, capture_output=True, text=True,
                          encoding="utf-8", check=True).stdout


def check_git(tap, folder):
    folder.write(".gitattributes", "*.ncd diff=heddle\n")
    git(folder, "init", "--quiet")
    git(folder, "config", "diff.heddle.textconv", f"'{PROGRAM}' equations")
    git(folder, "add", "a.ncd", ".gitattributes")
    folder.output("import", "changed.eq", "-o", "a.ncd")
    lines = [line for line in git(folder, "diff").splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    tap.check("/diff/git", None if "-K : f16[x=4096, d]" in lines and "+K : f16[x=2048, d]" in lines and len(lines) == 4 else lines)


def main():
    tap, folder = Tap(), Folder()
    folder.write("attention.eq", ATTENTION)
    folder.write("changed.eq", CHANGED)
    check_words(tap, folder)
    check_wrong(tap, folder)
    if shutil.which("git"):
        check_git(tap, folder)
    else:
        tap.skip("/diff/git", "git is missing")
    tap.finish()


main()
