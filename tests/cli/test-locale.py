#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What is exported and printed for programs is the same bytes where numbers are written with a comma."""

import os
import shutil
import subprocess
from pathlib import Path

from heddle import ATTENTION, PROGRAM, Folder, Tap

SOURCE = Path("/usr/share/i18n/locales/de_DE")
LABELS = ("--fuse", "all", "--label", "q:group@smem=128", "--label", "x:stream@smem=64")
EXPORTS = {
    "svg": ("--costs", "--gpu", "h100"),
    "tex": ("--costs", "--gpu", "h100"),
    "roofline.svg": ("--roofline", "--gpu", "h100"),
    "cu": ("--gpu", "h100", "--no-verify"),
}


def run(folder, locale, *arguments):
    """The output of a run in a locale of numbers; nothing else differs, of languages above all."""
    environment = {**os.environ, "LOCPATH": str(folder.path / "locales"), "LC_NUMERIC": locale, "LC_CTYPE": "C.UTF-8"}
    environment.pop("LC_ALL", None)
    return subprocess.run([PROGRAM, *arguments], cwd=folder.path, env=environment, capture_output=True, check=True, timeout=300).stdout


def untimed(text):
    """Without how long the search took."""
    return [line for line in text.splitlines() if b'"milliseconds"' not in line]


def check(tap, folder):
    folder.write("attention.eq", ATTENTION)
    folder.output("derive", "attention.eq", "--gpu", "h100", *LABELS, "--apply", "-o", "fused.ncd")
    for name, options in EXPORTS.items():
        made = []
        for locale in ("C", "de_DE.UTF-8"):
            run(folder, locale, "export", "fused.ncd", *options, "-o", f"made.{name}")
            made.append(folder.read(f"made.{name}"))
        tap.equal(f"/locale/{name}", made[1], made[0])
    tap.equal("/locale/json", *[untimed(run(folder, locale, "derive", "fused.ncd", "--json")) for locale in ("de_DE.UTF-8", "C")])


def main():
    tap, folder = Tap(), Folder()
    if shutil.which("localedef") is None or not SOURCE.exists():
        tap.skip("/locale", "there is no localedef with de_DE")
    else:
        (folder.path / "locales").mkdir()
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder.path / "locales" / "de_DE.UTF-8")], check=True,
                       capture_output=True)
        check(tap, folder)
    tap.finish()


main()
