#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two builds of the program without the editor, in different folders, languages, zones and with different masks, are the same bytes."""

import hashlib
import os
import subprocess
import sys

from heddle import Folder, Tap, copy_source

BUILDS = {"one": {"LC_ALL": "C.UTF-8", "TZ": "UTC"}, "another place/with a longer name": {"LC_ALL": "C", "TZ": "Pacific/Kiritimati", "HOME": "/proc/none"}}


def build(source, mask, changes):
    """The program; what a compiler's cache knows is no build."""
    environment = {**os.environ, **changes, "CCACHE_DISABLE": "1"}
    for command in (("meson", "setup", "build", "-Dgui=disabled", "-Dtests=false"), ("ninja", "-C", "build", "src/heddle")):
        done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False, preexec_fn=lambda: os.umask(mask))
        if done.returncode != 0:
            return None, (done.stdout + done.stderr)[-3000:]
    return (source / "build" / "src" / "heddle").read_bytes(), None


def main(root):
    tap, folder = Tap(), Folder()
    programs = {}
    for mask, (name, changes) in zip((0o022, 0o077), BUILDS.items()):
        if not copy_source(root, folder.path / name):
            tap.skip("/reproducible", "the source is no repository of git")
            tap.finish()
        programs[name], problem = build(folder.path / name, mask, changes)
        tap.check(f"/reproducible/{name.split('/')[0].replace(' ', '-')}", problem)
    tap.equal("/reproducible/bytes", *[hashlib.sha256(program or b"").hexdigest() for program in programs.values()])
    tap.check("/reproducible/place", [f"it tells that it was built in {folder.path}" for program in programs.values()
                                      if program and str(folder.path).encode() in program])
    tap.finish()


main(sys.argv[1])
