#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the desktop asks of the program: thumbnails, and a manual page that tells what the program tells.

test-desktop.py MAN-PAGE THUMBNAILER MIME-TYPES"""

import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

from heddle import ATTENTION, Folder, Tap


def size_of(data):
    return struct.unpack(">II", data[16:24]) if data[:8] == b"\x89PNG\r\n\x1a\n" else None


def check_thumbnails(tap, folder):
    for size in (64, 256):
        folder.output("thumbnail", "a.eq", "a.png", str(size))
        width, height = size_of(folder.read("a.png"))
        # Attention is wider than high: its longer side is what was asked for.
        tap.check(f"/desktop/thumbnail/{size}", None if abs(width - size) <= 1 and 8 < height < width else (width, height))


def check_wrong(tap, folder):
    folder.write("wrong.eq", "A[i")
    folder.failure(1, "thumbnail", "wrong.eq", "wrong.png", "64")
    tap.check("/desktop/thumbnail/nothing-half-written", None if not (folder.path / "wrong.png").exists() else "written")
    for name, arguments in (("missing", []), ("zero", ["0"]), ("word", ["large"]), ("huge", ["100000"])):
        said = folder.failure(2, "thumbnail", "a.eq", "a.png", *arguments)
        tap.check(f"/desktop/thumbnail/{name}", None if "thumbnail" in said else said)


def check_entry(tap, path):
    entry = dict(line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)
    good = (entry["Exec"].split() == ["heddle", "thumbnail", "%i", "%o", "%s"]
            and "application/x-heddle-diagram" in entry["MimeType"].split(";"))
    tap.check("/desktop/thumbnailer", None if good else entry)


def check_mime_types(tap, folder, path):
    """What the desktop takes files for: by their suffix, and a document without one by how it starts."""
    if not all(map(shutil.which, ("update-mime-database", "gio"))):
        tap.skip("/desktop/mime", "shared-mime-info or gio is missing")
        return
    packages = folder.path / "share" / "mime" / "packages"
    packages.mkdir(parents=True)
    shutil.copy(path, packages / "heddle.xml")
    environment = dict(os.environ, XDG_DATA_HOME=str(folder.path / "none"), XDG_DATA_DIRS=f"{folder.path / 'share'}:/usr/share")
    subprocess.run(["update-mime-database", packages.parent], env=environment, capture_output=True, check=True)
    folder.output("import", "a.eq", "-o", "a.ncd")
    shutil.copy(folder.path / "a.ncd", folder.path / "nameless")
    for name, wanted in (("a.ncd", "application/x-heddle-diagram"), ("a.eq", "text/x-heddle-equations"), ("nameless", "application/x-heddle-diagram")):
        told = subprocess.run(["gio", "info", "-a", "standard::content-type", folder.path / name], env=environment, capture_output=True,
                              text=True, check=True).stdout
        tap.check(f"/desktop/mime/{name}", None if f"content-type: {wanted}" in told else told)


def check_man_page(tap, folder, path):
    """Every command and every option that --help tells stands in it."""
    page = path.read_text(encoding="utf-8").replace("\\-", "-")
    commands = re.findall(r"^  ([a-z]+) +[A-Z]", folder.output("--help").split("Commands:")[1], re.MULTILINE)
    common = page.split(".SH COMMON OPTIONS", 1)[-1].split(".SH ", 1)[0]
    tap.check("/desktop/man-page/ascii", None if page.isascii() else "troff warns of what is not ASCII")
    tap.check("/desktop/man-page/commands", None if len(commands) >= 14 else commands)
    for command in commands:
        told = folder.output(command, "--help").split("Application Options:")[-1]
        options = re.findall(r"(--[a-z-]+)", told)
        section = page.split(f".SS heddle {command} ", 1)[-1].split(".SS ", 1)[0] + common
        missing = [option for option in options if option not in section]
        tap.check(f"/desktop/man-page/{command}", None if options and not missing else missing or "no options")


def main():
    tap, folder = Tap(), Folder()
    man_page, thumbnailer, mime_types = (Path(argument) for argument in sys.argv[1:4])
    folder.write("a.eq", ATTENTION)
    check_thumbnails(tap, folder)
    check_wrong(tap, folder)
    check_entry(tap, thumbnailer)
    check_mime_types(tap, folder, mime_types)
    check_man_page(tap, folder, man_page)
    tap.finish()


main()
