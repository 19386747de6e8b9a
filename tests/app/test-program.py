#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The real program on a desktop of its own: read as a screen reader reads it, started twice, killed and started again.

Runs below with-display: an X server and a session bus; the bus of assistive technology comes with it."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
from tap import Tap  # noqa: E402

PROGRAM = os.environ["HEDDLE"]
DATA = Path(os.environ["HEDDLE_DATADIR"])
PATIENCE = 60
CONTRACTION = "Contraction over k of Q and K, result S, y by x"


def gdbus(address, *arguments):
    bus = ["--address", address] if address else ["--session"]
    run = subprocess.run(["gdbus", "call", *bus, *arguments], capture_output=True, text=True, check=False, timeout=30)
    return run.stdout.strip() if run.returncode == 0 else ""


class Screen:
    """What is on the screen, by names, as assistive technology is told."""

    def __init__(self):
        said = gdbus(None, "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method", "org.a11y.Bus.GetAddress")
        self.address = ast.literal_eval(said)[0]

    def property(self, place, name):
        said = gdbus(self.address, "--dest", place[0], "--object-path", place[1],
                     "--method", "org.freedesktop.DBus.Properties.Get", "org.a11y.atspi.Accessible", name)
        match = re.match(r"\(<(['\"])(.*)\1>,\)$", said, re.DOTALL)
        return match.group(2) if match else ""

    def children(self, place):
        said = gdbus(self.address, "--dest", place[0], "--object-path", place[1],
                     "--method", "org.a11y.atspi.Accessible.GetChildren")
        return re.findall(r"\('([^']+)', (?:objectpath )?'([^']+)'\)", said)

    def find(self, wanted, least=1):
        """Whether things of that name are there, looked for in breadth."""
        places = [("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")]
        found = 0
        while places:
            place = places.pop(0)
            found += self.property(place, "Name") == wanted
            if found >= least:
                return True
            places += self.children(place)
        return False

    def wait(self, wanted):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.find(wanted):
                return None
            time.sleep(0.2)
        return f"nothing is called {wanted!r}"


def start(*files):
    environment = {key: value for key, value in os.environ.items() if key not in ("GTK_A11Y", "NO_AT_BRIDGE", "G_DEBUG")}
    return subprocess.Popen([PROGRAM, *map(str, files)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def keys(*names):
    for name in names:
        subprocess.run(["xdotool", "key", name], check=True)
        time.sleep(0.15)


def drafts(folder):
    return list((Path(folder) / "heddle" / "drafts").glob("*/*.ncd"))


def main():
    tap = Tap()
    missing = [name for name in ("gdbus", "xdotool") if shutil.which(name) is None]
    if missing:
        tap.check("/program/tools", [f"{name} is missing" for name in missing])
        tap.finish()
        return
    folder = tempfile.TemporaryDirectory(prefix="heddle-program-")
    os.environ["XDG_STATE_HOME"] = os.environ["XDG_DATA_HOME"] = folder.name
    path = Path(folder.name) / "attention.ncd"
    shutil.copy(DATA / "examples" / "attention.ncd", path)
    screen, program = Screen(), start(path)
    try:
        tap.check("/program/read-by-a-screen-reader", screen.wait(CONTRACTION))

        # A second start hands its file to the first process and ends.
        second = start(DATA / "examples" / "softmax.ncd")
        tap.equal("/program/single-instance", second.wait(timeout=PATIENCE), 0)
        tap.check("/program/opened-in-the-first", screen.wait("softmax.ncd"))
        keys("ctrl+Page_Up")
        tap.check("/program/tabs", screen.wait("attention.ncd"))

        # From Q to the first operation, which is taken out: unsaved work, kept without being asked for.
        keys("bracketright", "bracketright", "bracketright", "bracketright", "Delete")
        end = time.monotonic() + PATIENCE
        while not drafts(folder.name) and time.monotonic() < end:
            time.sleep(0.1)
        tap.equal("/program/draft", len(drafts(folder.name)), 1)
        program.kill()
        program.wait()
        program = start()
        tap.check("/program/offered-after-a-crash", screen.wait("Recover"))
    finally:
        program.kill()
        program.wait()
    tap.finish()



def main_on_a_bus():
    """The services that a bus starts write where its daemon writes: the results go by a way of their own."""
    if len(sys.argv) > 1:
        sys.stdout = os.fdopen(int(sys.argv[1]), "w", buffering=1)
        main()
        return 0
    results = os.dup(1)
    command = ["dbus-run-session", "--", sys.executable, __file__, str(results)]
    return subprocess.run(command, stdout=subprocess.DEVNULL, pass_fds=[results], check=False).returncode


sys.exit(main_on_a_bus())
