# SPDX-License-Identifier: MIT
"""The Test Anything Protocol, for the house's own tests."""

import sys


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def check(self, name, problems):
        """One test point: it passes when there is no problem (a list of lines, or a false value)."""
        self.count += 1
        problems = [problems] if isinstance(problems, str) else list(problems or ())
        for problem in problems:
            for line in problem.splitlines():
                print(f"# {line}")
        if problems:
            self.failed += 1
        print(f"{'not ok' if problems else 'ok'} {self.count} {name}", flush=True)

    def equal(self, name, found, expected):
        self.check(name, None if found == expected else f"found {found!r}, expected {expected!r}")

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} {name} # SKIP {reason}", flush=True)

    def finish(self):
        print(f"1..{self.count}", flush=True)
        sys.exit(1 if self.failed else 0)
