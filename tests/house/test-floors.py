#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The floors of the house: diagram < derive < {figure, codegen} < files < cli < app < main.c.

No include and no linked symbol may run up or across; nothing below app knows GTK; diagram and derive know GLib, GObject,
GIO and libm alone.  Usage: test-floors.py SOURCE-ROOT BUILD-ROOT
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import Tap

FLOORS = {"diagram": 0, "derive": 1, "figure": 2, "codegen": 2, "files": 3, "cli": 4, "app": 5, "main": 6}
PLAIN_ROOMS = ("diagram", "derive")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
WINDOW_HEADER = re.compile(r"^(gtk|gdk|gsk|adwaita|adw|gtksourceview|graphene)\b")
WINDOW_SYMBOL = re.compile(r"^_?(gtk|gdk|gsk|adw|graphene)_")
PLAIN_HEADER = re.compile(
    r"^(glib|glib-object|gmodule|glib-unix|(glib|gio|gobject)/.+|sys/.+"
    r"|assert|complex|ctype|errno|fcntl|fenv|float|inttypes|limits|locale|math|signal|std[a-z]+|string|strings|time|unistd"
    r")(\.h)?$")
PLAIN_LIBRARIES = ("libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0", "libc.so.6", "libm.so.6", "libgcc_s.so.1")


def room_directory(root, room):
    return root / "codegen" if room == "codegen" else root / "src" / room


def room_files(root, room):
    if room == "main":
        return [path for path in [root / "src" / "main.c"] if path.exists()]
    return sorted(path for path in room_directory(root, room).rglob("*") if path.suffix in (".c", ".h"))


def room_of(root, path):
    parts = path.relative_to(root).parts
    if parts[0] == "codegen":
        return "codegen"
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    return None


def may_see(room, other):
    return room == other or FLOORS[other] < FLOORS[room]


def own_header(root, path, name):
    """Where a quoted include leads: beside the file, then from the root, then from src/; None for a generated header."""
    for base in (path.parent, root, root / "src"):
        candidate = (base / name).resolve()
        if candidate.exists():
            return candidate
    return None


def include_problems(root, room):
    root = root.resolve()
    for path in room_files(root, room):
        for bracket, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            where = f"{path.relative_to(root)} includes {name}"
            target = own_header(root, path, name) if bracket == '"' else None
            other = room_of(root, target) if target else None
            if other and not may_see(room, other):
                yield f"{where}: {room} must not see {other}"
            if FLOORS[room] < FLOORS["app"] and WINDOW_HEADER.match(name):
                yield f"{where}: GTK below app"
            if room in PLAIN_ROOMS and bracket == "<" and not PLAIN_HEADER.match(name):
                yield f"{where}: {room} uses GLib, GObject, GIO and libm alone"


def symbols(path, *options):
    listing = subprocess.run(["nm", "-P", *options, str(path)], capture_output=True, text=True, check=False)
    if listing.returncode:
        raise RuntimeError(f"nm {path}: {listing.stderr.strip()}")
    return {line.split()[0].split("@")[0] for line in listing.stdout.splitlines() if len(line.split()) > 1}


def library_of(build, room):
    return room_directory(build, room) / f"lib{room}.a"


def plain_symbols():
    found = {"_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"}
    for library in PLAIN_LIBRARIES:
        path = subprocess.run(["gcc", f"-print-file-name={library}"], capture_output=True, text=True, check=True).stdout.strip()
        found |= symbols(path, "-D", "--defined-only")
    return found


def symbol_problems(room, defined, wanted, plain):
    """defined: the symbols of each room; wanted: those that this room's archive leaves open."""
    for symbol in sorted(wanted - defined[room]):
        owners = [other for other in defined if symbol in defined[other]]
        if owners and not any(may_see(room, other) for other in owners):
            yield f"{room} calls {symbol} of {owners[0]}"
        if FLOORS[room] < FLOORS["app"] and WINDOW_SYMBOL.match(symbol):
            yield f"{room} calls {symbol}: GTK below app"
        if room in PLAIN_ROOMS and not owners and symbol not in plain:
            yield f"{room} calls {symbol}, which GLib, GObject, GIO, libm and libc do not have"


def check_the_checks(tap):
    """Each kind of trespass, made on purpose, is seen."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for name, text in {
            "src/diagram/axis.h": "",
            "src/diagram/axis.c": '#include "axis.h"\n#include <math.h>\n#include <gio/gio.h>\n#include "derive/cost.h"\n',
            "src/derive/cost.h": '#include "diagram/axis.h"\n#include <pango/pango.h>\n',
            "src/figure/draw.c": '#include "codegen/cuda.h"\n',
            "codegen/cuda.h": '#include <gtk/gtk.h>\n#include "../src/figure/../derive/cost.h"\n',
            "src/app/window.c": '#include <gtk/gtk.h>\n#include "codegen/cuda.h"\n',
        }.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        expected = {"diagram": 1, "derive": 1, "figure": 1, "codegen": 1, "app": 0}
        for room, number in expected.items():
            tap.equal(f"/self/includes/{room}", len(list(include_problems(root, room))), number)
    defined = {"diagram": {"a"}, "derive": {"b"}, "figure": {"c"}, "codegen": {"d"}, "app": {"e"}}
    for room, wanted, number in (
        ("diagram", {"a", "cos"}, 0), ("diagram", {"b"}, 1), ("diagram", {"pango_x"}, 1), ("figure", {"b", "d"}, 1),
        ("codegen", {"c"}, 1), ("codegen", {"gtk_init"}, 1), ("app", {"gtk_init", "a", "b", "c", "d"}, 0),
    ):
        found = list(symbol_problems(room, defined, wanted, {"cos"}))
        tap.equal(f"/self/symbols/{room}/{'+'.join(sorted(wanted))}", len(found), number)


def main(source, build):
    tap = Tap()
    check_the_checks(tap)
    for room in FLOORS:
        if room_files(source, room):
            tap.check(f"/includes/{room}", include_problems(source, room))
    built = [room for room in FLOORS if room != "main" and library_of(build, room).exists()]
    defined = {room: symbols(library_of(build, room), "-g", "--defined-only") for room in built}
    plain = plain_symbols()
    for room in built:
        tap.check(f"/symbols/{room}", symbol_problems(room, defined, symbols(library_of(build, room), "-u"), plain))
    tap.finish()


main(Path(sys.argv[1]), Path(sys.argv[2]))
