#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""ThreadSanitizer sees a race, and none where GLib orders what threads do.

Usage: test-threads.py PLANTED-RACE
"""

import os
import subprocess
import sys
from pathlib import Path

from tap import Tap

WRAPPER = Path(__file__).with_name("threads")


def run(program, how):
    return subprocess.run([WRAPPER, program, how], capture_output=True, text=True, check=False, timeout=120, env={**os.environ, "LD_PRELOAD": ""})


def main(program):
    tap = Tap()
    ordered, raced = run(program, "ordered"), run(program, "raced")
    tap.check("/threads/ordered", None if ordered.returncode == 0 and not ordered.stderr else f"{ordered.returncode}: {ordered.stderr}")
    tap.check("/threads/raced", None if raced.returncode != 0 and "data race" in raced.stderr and "planted-race.c" in raced.stderr else
              f"{raced.returncode}: {raced.stderr[:500]}")
    tap.finish()


main(sys.argv[1])
