#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What no validator of its own looks at: the Flatpak manifest, the list of translatable files, names that must agree.

flatpak-builder needs the network for its runtime, so that the manifest is held against the keys it asks for instead.
Usage: test-data.py SOURCE-ROOT APPLICATION-ID
"""

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "po"))

import potfiles
from tap import Tap

CUT_SHORT = re.compile(r'_ \(\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+)G_[A-Z0-9_]+')
MANIFEST_KEYS = ("id", "runtime", "runtime-version", "sdk", "command", "finish-args", "modules")
BUILD_SYSTEMS = ("autotools", "cmake", "cmake-ninja", "meson", "simple", "qmake")
SOURCE_KEYS = {"dir": ("path",), "git": ("url",), "archive": ("url", "sha256"), "file": ("path",), "patch": ("path",)}


def icon_names(application):
    return f"scalable/apps/{application}.svg", f"symbolic/apps/{application}-symbolic.svg"


def manifest_problems(root, path, application):
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for key in MANIFEST_KEYS:
        if not manifest.get(key):
            yield f"{path.name}: no {key}"
    if manifest.get("id") != application or path.stem != application:
        yield f"{path.name}: the id is not {application}"
    for argument in manifest.get("finish-args", []):
        if not re.fullmatch(r"--[a-z-]+(=.+)?", argument):
            yield f"{path.name}: {argument} is no argument of flatpak build-finish"
    for module in manifest.get("modules", []):
        yield from module_problems(root, path, module)


def builder_problems(path):
    """What flatpak-builder itself says of the manifest: it reads it without the network."""
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(["flatpak-builder", "--show-manifest", str(path)], capture_output=True, text=True,
                              cwd=folder, check=False)
    if said.returncode != 0 or "app-id" not in said.stdout and '"id"' not in said.stdout:
        yield f"{path.name}: {said.stderr.strip() or 'flatpak-builder printed no manifest'}"


def module_problems(root, path, module):
    where = f"{path.name}: module {module.get('name', '(without a name)')}"
    if not module.get("name") or module.get("buildsystem") not in BUILD_SYSTEMS or not module.get("sources"):
        yield f"{where}: a name, a buildsystem and sources are needed"
    for source in module.get("sources", []):
        for key in SOURCE_KEYS.get(source.get("type"), ("type",)):
            if key not in source:
                yield f"{where}: a source of type {source.get('type')} needs {key}"
        if source.get("type") == "git" and not (source.get("tag") or source.get("commit")):
            yield f"{where}: a git source without tag or commit changes by itself"
        if source.get("type") == "dir" and (path.parent / source.get("path", "")).resolve() != root.resolve():
            yield f"{where}: {source.get('path')} is not the root of the project"


def potfiles_problems(root):
    listed = (root / "po" / "POTFILES").read_text(encoding="utf-8").splitlines()
    marked = potfiles.marked_files(root)
    yield from (f"po/POTFILES lacks {name}: ./run translations" for name in marked if name not in listed)
    yield from (f"po/POTFILES lists {name}, which has nothing to translate" for name in listed if name not in marked)
    if listed != sorted(listed):
        yield "po/POTFILES is not sorted"


def split_problems(root):
    """xgettext ends a text at a macro of GLib, as in "%" G_GUINT64_FORMAT; it knows those of <inttypes.h>, such as PRIu64."""
    for name in potfiles.marked_files(root):
        if name.endswith(".c"):
            for text in CUT_SHORT.findall((root / name).read_text(encoding="utf-8")):
                yield f"{name}: {text} is cut short by a macro"


def translation_problems(root):
    languages = [word for line in (root / "po" / "LINGUAS").read_text(encoding="utf-8").splitlines()
                 if not line.startswith("#") for word in line.split()]
    yield from (f"po/LINGUAS lists {language}, but po/{language}.po is not there"
                for language in languages if not (root / "po" / f"{language}.po").exists())
    yield from (f"{path.name} is not in po/LINGUAS" for path in (root / "po").glob("*.po") if path.stem not in languages)


def naming_problems(root, application):
    desktop = configparser.RawConfigParser(interpolation=None)
    desktop.optionxform = str
    desktop.read(root / "data" / f"{application}.desktop.in", encoding="utf-8")
    entry = desktop["Desktop Entry"]
    if entry["Icon"] != application:
        yield "the desktop file's icon is not the application's"
    info = ElementTree.parse(root / "data" / f"{application}.metainfo.xml.in").getroot()
    mime = ElementTree.parse(root / "data" / f"{application}.mime.xml").getroot()
    declared = {element.get("type") for element in mime.iter("{http://www.freedesktop.org/standards/shared-mime-info}mime-type")}
    wanted = {"the desktop file": set(entry["MimeType"].strip(";").split(";")),
              "the metainfo": {element.text for element in info.iter("mediatype")}}
    for name, found in wanted.items():
        if found != declared:
            yield f"{name} opens {sorted(found)}, the MIME types are {sorted(declared)}"
    version = re.search(r"version: '([^']+)'", (root / "meson.build").read_text(encoding="utf-8")).group(1)
    release = info.find("releases/release").get("version")
    if release != version:
        yield f"the newest release of the metainfo is {release}, the project's version {version}"


def mime_problems(root, application):
    """What the desktop's own tool says of the MIME types, and whether it knows them afterwards."""
    with tempfile.TemporaryDirectory() as scratch:
        database = Path(scratch) / "mime"
        (database / "packages").mkdir(parents=True)
        shutil.copy(root / "data" / f"{application}.mime.xml", database / "packages" / f"{application}.xml")
        run = subprocess.run(["update-mime-database", str(database)], capture_output=True, text=True, check=False,
                             env={**os.environ, "XDG_DATA_HOME": scratch})
        yield from (run.stdout + run.stderr).splitlines()
        globs = (database / "globs").read_text(encoding="utf-8")
        yield from (f"*.{suffix} has no type" for suffix in ("ncd", "eq") if f":*.{suffix}\n" not in globs)


def icon_problems(root, application):
    for name in icon_names(application):
        run = subprocess.run(["rsvg-convert", str(root / "data" / "icons" / "hicolor" / name)], capture_output=True, check=False)
        if run.returncode or not run.stdout.startswith(b"\x89PNG"):
            yield f"{name} is no picture: {run.stderr.decode()}"


def main(root, application):
    tap = Tap()
    tap.check("/data/flatpak", manifest_problems(root, root / "flatpak" / f"{application}.json", application))
    if shutil.which("flatpak-builder"):
        tap.check("/data/flatpak-builder", builder_problems(root / "flatpak" / f"{application}.json"))
    else:
        tap.skip("/data/flatpak-builder", "flatpak-builder is not installed")
    tap.check("/data/potfiles", potfiles_problems(root))
    tap.check("/data/whole-texts", split_problems(root))
    tap.check("/data/translations", translation_problems(root))
    tap.check("/data/mime", mime_problems(root, application))
    tap.check("/data/icons", icon_problems(root, application))
    tap.check("/data/names", naming_problems(root, application))
    tap.finish()


main(Path(sys.argv[1]).resolve(), sys.argv[2])
