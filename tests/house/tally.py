#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Counts the tests in the logs of `meson test` (testlog.json): every TAP test point on its own, a validator as one.

Prints `N passed, N failed[, N skipped]` as its last line. Fails when a test failed or when none ran.
"""

import argparse
import json
import re
import sys

PLAN = re.compile(r"^1\.\.(\d+)", re.MULTILINE)
POINT = re.compile(r"^(not )?ok(?:[ \t]+\d+)?((?:[ \t][^\n]*)?)$", re.MULTILINE)
SKIP = re.compile(r"#\s*skip", re.IGNORECASE)
FINE = ("OK", "EXPECTEDFAIL")


def count_points(output):
    """Passed, failed and skipped test points of a TAP stream; what was planned and never ran has failed."""
    passed = failed = skipped = 0
    for negated, rest in POINT.findall(output):
        if negated:
            failed += 1
        elif SKIP.search(rest):
            skipped += 1
        else:
            passed += 1
    planned = max((int(number) for number in PLAN.findall(output)), default=0)
    failed += max(0, planned - passed - failed - skipped)
    if planned == passed + failed + skipped == 0:
        skipped = 1
    return passed, failed, skipped


def count_test(entry):
    """The same of one record of the log: a TAP program counts its points, any other program is one test."""
    output = entry.get("stdout", "")
    result = entry["result"]
    if not PLAN.search(output):
        return (int(result in FINE), int(result not in FINE + ("SKIP",)), int(result == "SKIP"))
    passed, failed, skipped = count_points(output)
    # A crash at the very end, or bytes that are no TAP: all points are fine, and yet the program is not.
    if failed == 0 and result not in FINE + ("SKIP",):
        failed = 1
    return passed, failed, skipped


def complaints(output):
    """The failed points of a TAP stream, each after the remarks right before it, and why it gave up."""
    remarks = []
    for line in output.splitlines():
        if line.startswith("#"):
            remarks.append(line)
            continue
        if line.startswith(("not ok", "Bail out!")):
            yield from remarks[-8:]
            yield line
        remarks = []


def in_suite(entry, suite):
    """Meson names a test `project:suite+suite / name`."""
    before, _, _ = entry["name"].partition(" / ")
    return suite in re.split(r"[:+ ]+", before)


def count_log(lines, no_skips_in=()):
    total = [0, 0, 0]
    for line in lines:
        entry = json.loads(line)
        passed, failed, skipped = count_test(entry)
        if skipped and any(in_suite(entry, suite) for suite in no_skips_in):
            print(f"{entry['name']}: skipped, though everything it needs is here", file=sys.stderr)
            failed, skipped = failed + skipped, 0
        if failed:
            print(f"{entry['name']}: {failed} failed ({entry['result']})", file=sys.stderr)
            for remark in complaints(entry.get("stdout", "")):
                print(f"    {remark}", file=sys.stderr)
        total = [a + b for a, b in zip(total, (passed, failed, skipped))]
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--broken", type=int, default=0, help="this many more failures, such as builds")
    parser.add_argument("--no-skips-in", action="append", default=[], metavar="SUITE")
    parser.add_argument("--may-skip", action="append", default=[], metavar="LOG", help="one of the logs, in which every suite may skip")
    parser.add_argument("logs", nargs="*")
    arguments = parser.parse_args()

    passed, failed, skipped = 0, arguments.broken, 0
    for path in arguments.logs:
        with open(path, encoding="utf-8") as log:
            counts = count_log(log, () if path in arguments.may_skip else arguments.no_skips_in)
        passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
    if passed + failed == 0:
        print("no test ran", file=sys.stderr)
        failed = 1
    sys.stderr.flush()
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
