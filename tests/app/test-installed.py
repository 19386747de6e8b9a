#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program as it is installed: a copy in a folder of its own, which a bus starts by name and by file.

test-installed.py BUILD-ROOT PREFIX. Runs below with-display."""

import configparser
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
from tap import Tap  # noqa: E402

NAME = "io.github.heddle.Heddle"
OBJECT = "/io/github/heddle/Heddle"
PATIENCE = 60


def run(*command, **how):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, timeout=PATIENCE, **how)


def call(method, *arguments, to=NAME, at=OBJECT):
    return run("gdbus", "call", "--session", "--dest", to, "--object-path", at, "--method", method, *arguments)


def is_running():
    return "(true,)" in call("org.freedesktop.DBus.NameHasOwner", NAME, to="org.freedesktop.DBus", at="/org/freedesktop/DBus").stdout


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)
    return condition()


def has_window(title):
    return run("xdotool", "search", "--onlyvisible", "--name", title).stdout.strip() != ""


def install(build, folder, prefix):
    """The tree below FOLDER/PREFIX, its service made to start the copy that is there."""
    done = run("meson", "install", "-C", build, "--no-rebuild", "--destdir", folder)
    if done.returncode != 0:
        raise SystemExit(f"Bail out! {done.stdout}{done.stderr}")
    tree = folder / prefix.relative_to("/")
    run("glib-compile-schemas", tree / "share" / "glib-2.0" / "schemas")
    return tree


def service_of(tree):
    parser = configparser.ConfigParser()
    parser.optionxform = str
    path = tree / "share" / "dbus-1" / "services" / f"{NAME}.service"
    parser.read(path)
    return path, parser


def check_files(tap, tree, prefix):
    _, service = service_of(tree)
    program = prefix / "bin" / "heddle"
    tap.equal("/installed/service/name", service["D-BUS Service"]["Name"], NAME)
    tap.equal("/installed/service/starts", service["D-BUS Service"]["Exec"], f"{program} --gapplication-service")
    wanted = ["bin/heddle", f"share/applications/{NAME}.desktop", f"share/metainfo/{NAME}.metainfo.xml", f"share/mime/packages/{NAME}.xml",
              f"share/thumbnailers/{NAME}.thumbnailer", f"share/icons/hicolor/scalable/apps/{NAME}.svg", "share/heddle/examples/attention.ncd",
              "share/heddle/hardware", "share/heddle/help", f"share/glib-2.0/schemas/{NAME}.gschema.xml", "share/man/man1/heddle.1"]
    wanted += [f"share/locale/{language}/LC_MESSAGES/heddle.mo" for language in ("de", "he")]
    tap.check("/installed/files", [f"{name} is not installed" for name in wanted if not (tree / name).exists()])
    desktop = run("desktop-file-validate", tree / "share" / "applications" / f"{NAME}.desktop")
    tap.check("/installed/desktop", (desktop.stdout + desktop.stderr).strip() or None)
    metainfo = run("appstreamcli", "validate", "--no-net", tree / "share" / "metainfo" / f"{NAME}.metainfo.xml")
    tap.check("/installed/metainfo", None if metainfo.returncode == 0 else metainfo.stdout)


def search(method, *arguments):
    return call(f"org.gnome.Shell.SearchProvider2.{method}", *arguments, at=f"{OBJECT}/SearchProvider").stdout


def check_search(tap, tree):
    """What the desktop's search finds of the examples and of what was opened lately, and opens."""
    parser = configparser.ConfigParser()
    parser.optionxform = str
    parser.read(tree / "share" / "gnome-shell" / "search-providers" / f"{NAME}.search-provider.ini")
    provider = parser["Shell Search Provider"]
    tap.equal("/installed/search/place", (provider["BusName"], provider["ObjectPath"]), (NAME, f"{OBJECT}/SearchProvider"))
    found = search("GetInitialResultSet", "['CAUSAL', 'attention']")
    example = str(tree / "share" / "heddle" / "examples" / "causal-attention.ncd")
    tap.equal("/installed/search/example", found.strip(), f"(['{example}'],)")
    tap.check("/installed/search/recent", None if "opened.ncd" in search("GetSubsearchResultSet", "[]", "['opened']") else "it is not found")
    tap.equal("/installed/search/nothing", search("GetInitialResultSet", "['no such diagram']").strip(), "(@as [],)")
    metas = search("GetResultMetas", f"['{example}']")
    tap.check("/installed/search/described", None if "'name': <'Causal Attention'>" in metas else metas)
    search("ActivateResult", example, "['causal']", "0")
    tap.check("/installed/search/opened", None if wait_for(lambda: has_window("Causal")) else "it is not shown")


def check_activation(tap, tree, folder):
    tap.check("/installed/activation/not-running", "it runs already" if is_running() else None)
    started = call("org.freedesktop.Application.Activate", "{}")
    tap.check("/installed/activation/activate", started.stderr.strip() or None)
    tap.check("/installed/activation/runs", None if wait_for(is_running) else "the bus did not start it")
    tap.check("/installed/activation/window", None if wait_for(lambda: has_window("Heddle")) else "there is no window")

    file = folder / "opened.ncd"
    shutil.copy(tree / "share" / "heddle" / "examples" / "softmax.ncd", file)
    opened = call("org.freedesktop.Application.Open", f"['{file.as_uri()}']", "{}")
    tap.check("/installed/activation/open", opened.stderr.strip() or None)
    tap.check("/installed/activation/opened", None if wait_for(lambda: has_window("opened.ncd")) else "the file is not shown")
    check_search(tap, tree)
    call("org.freedesktop.Application.ActivateAction", "quit", "[]", "{}")
    tap.check("/installed/activation/quit", None if wait_for(lambda: not is_running()) else "it goes on running")


def main(tree, prefix, folder):
    tap = Tap()
    check_files(tap, tree, prefix)
    check_activation(tap, tree, folder)
    tap.finish()


def main_on_a_bus(build, prefix):
    """A bus that knows the copy; what it starts writes where the bus writes, so that the results go by a way of their own."""
    with tempfile.TemporaryDirectory(prefix="heddle-installed-") as name:
        folder = Path(name)
        tree = install(build, folder, prefix)
        path, service = service_of(tree)
        original = path.read_text(encoding="utf-8")
        home = folder / "home"
        services = home / "dbus-1" / "services"
        services.mkdir(parents=True)
        (services / path.name).write_text(original.replace(f"Exec={prefix}", f"Exec={tree}"), encoding="utf-8")
        environment = dict(os.environ, XDG_DATA_HOME=str(home), XDG_DATA_DIRS=f"{tree / 'share'}:/usr/local/share:/usr/share",
                           XDG_STATE_HOME=str(folder / "state"), HEDDLE_DATADIR=str(tree / "share" / "heddle"),
                           HEDDLE_LOCALEDIR=str(tree / "share" / "locale"), GSETTINGS_SCHEMA_DIR=str(tree / "share" / "glib-2.0" / "schemas"))
        environment.pop("G_DEBUG", None)
        results = os.dup(1)
        command = ["dbus-run-session", "--", sys.executable, __file__, "--on-bus", str(tree), str(prefix), str(folder), str(results)]
        return subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, pass_fds=[results], check=False).returncode


if __name__ == "__main__":
    if sys.argv[1] == "--on-bus":
        sys.stdout = os.fdopen(int(sys.argv[5]), "w", buffering=1)
        main(Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        sys.exit(main_on_a_bus(Path(sys.argv[1]), Path(sys.argv[2])))
