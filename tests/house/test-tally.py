#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The counter behind the last line of `./run test`: what it counts, and that nothing slips through."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import Tap

TALLY = Path(__file__).with_name("tally.py")


def tally(*entries, arguments=()):
    """The last line and the exit status for a log of (name, result, output)."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as log:
        for name, result, output in entries:
            log.write(json.dumps({"name": name, "result": result, "stdout": output}) + "\n")
        log.flush()
        done = subprocess.run([sys.executable, str(TALLY), *arguments, log.name], capture_output=True, text=True, check=False)
    return done.stdout.rstrip("\n").split("\n")[-1], done.returncode


THREE = "TAP version 13\n# random seed: R02S\n1..3\nok 1 /a\nok 2 /b\nok 3 /c\n"

CASES = [
    ("every point counts", [("heddle:diagram / a", "OK", THREE)], [], ("3 passed, 0 failed", 0)),
    ("two programs add up", [("heddle:a / a", "OK", THREE), ("heddle:b / b", "OK", THREE)], [], ("6 passed, 0 failed", 0)),
    ("a failed point", [("heddle:a / a", "FAIL", THREE.replace("ok 2", "not ok 2"))], [], ("2 passed, 1 failed", 1)),
    ("a skipped point", [("heddle:a / a", "OK", THREE.replace("/b", "/b # SKIP no nvcc"))], [], ("2 passed, 0 failed, 1 skipped", 0)),
    ("points lost in a crash fail", [("heddle:a / a", "ERROR", "1..5\nok 1 /a\nok 2 /b\n")], [], ("2 passed, 3 failed", 1)),
    ("a crash after the last point fails", [("heddle:a / a", "ERROR", THREE)], [], ("3 passed, 1 failed", 1)),
    ("a crash before the plan fails", [("heddle:a / a", "ERROR", "")], [], ("0 passed, 1 failed", 1)),
    ("a plan at the end", [("heddle:a / a", "OK", "ok 1 x\nok 2 y\n1..2\n")], [], ("2 passed, 0 failed", 0)),
    ("a timeout fails", [("heddle / v", "TIMEOUT", "")], [], ("0 passed, 1 failed", 1)),
    ("a validator passes", [("heddle:house / v", "OK", "all is well\n")], [], ("1 passed, 0 failed", 0)),
    ("a validator fails", [("heddle:house / v", "FAIL", "")], [], ("0 passed, 1 failed", 1)),
    ("talk is no test point", [("heddle:a / a", "OK", "1..1\nok, here we go\nok 1 /a\n")], [], ("1 passed, 0 failed", 0)),
    ("a skipped program", [("heddle:a / a", "OK", THREE), ("heddle:b / b", "SKIP", "1..0 # SKIP no display\n")], [], ("3 passed, 0 failed, 1 skipped", 0)),
    ("nothing but skips is a failure", [("heddle:a / a", "SKIP", "")], [], ("0 passed, 1 failed, 1 skipped", 1)),
    ("an empty log is a failure", [], [], ("0 passed, 1 failed", 1)),
    ("a broken build is a failure", [("heddle:a / a", "OK", THREE)], ["--broken", "1"], ("3 passed, 1 failed", 1)),
    ("a skip that must not be", [("heddle:codegen / a", "OK", THREE.replace("/b", "/b # SKIP no nvcc"))], ["--no-skips-in", "codegen"], ("2 passed, 1 failed", 1)),
    ("the same in two suites", [("heddle:codegen+long / a", "OK", THREE.replace("/b", "/b # SKIP"))], ["--no-skips-in", "codegen"], ("2 passed, 1 failed", 1)),
    ("a skip elsewhere may be", [("heddle:app / codegen", "OK", THREE.replace("/b", "/b # SKIP"))], ["--no-skips-in", "codegen"], ("2 passed, 0 failed, 1 skipped", 0)),
]

tap = Tap()
with tempfile.NamedTemporaryFile("w", suffix=".json") as hidden:
    hidden.write(json.dumps({"name": "heddle:codegen / a", "result": "OK", "stdout": THREE.replace("/b", "/b # SKIP no nvcc")}) + "\n")
    hidden.flush()
    CASES.append(("a skip where CUDA is hidden", [("heddle:codegen / a", "OK", THREE)], ["--no-skips-in", "codegen", "--may-skip", hidden.name, hidden.name],
                  ("5 passed, 0 failed, 1 skipped", 0)))
    for name, entries, arguments, expected in CASES:
        tap.equal(name, tally(*entries, arguments=arguments), expected)
tap.finish()
