#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Which files hold text to translate.  With --write, writes po/POTFILES; `./run translations` does, and then merges."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARKED = {
    ".c": re.compile(r"(?<![A-Za-z0-9_])(N?C?_|g_dngettext|ngettext|g_dgettext|gettext) \("),
    ".ui": re.compile(r'translatable="(yes|true)"'),
}
DATA_SUFFIXES = (".desktop.in", ".metainfo.xml.in", ".gschema.xml")


def has_text(path):
    pattern = MARKED.get(path.suffix)
    return pattern is not None and pattern.search(path.read_text(encoding="utf-8")) is not None


def marked_files(root=ROOT):
    data = [path for path in (root / "data").iterdir() if path.name.endswith(DATA_SUFFIXES)]
    code = [path for folder in ("src", "codegen", "ui") for path in (root / folder).rglob("*") if path.is_file() and has_text(path)]
    return sorted(str(path.relative_to(root)) for path in data + code)


if __name__ == "__main__":
    text = "".join(name + "\n" for name in marked_files())
    if sys.argv[1:] == ["--write"]:
        (ROOT / "po" / "POTFILES").write_text(text, encoding="utf-8")
    else:
        print(text, end="")
