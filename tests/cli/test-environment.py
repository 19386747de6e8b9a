#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The same work in many environments: it makes the same bytes in each, or says what is in the way. Numbers with a comma are in test-locale.py."""

import os
import resource
import shutil
import stat
import subprocess
from pathlib import Path

from heddle import PROGRAM, Folder, Tap, find_nvcc

EQUATIONS = """Q : f16[q=64, d=16]
K : f16[x=64, d]
V : f16[x, d]
S[q,x] = Q[q,d] K[x,d]
P[q,x] = softmax[x](S[q,x] * d^-0.5)
O[q,d] = P[q,x] V[x,d]
"""
# What is written, or None: what is printed.
COMMANDS = {
    "svg": (("export", "a.eq", "-o", "out.svg"), "out.svg"),
    "pdf": (("export", "a.eq", "-o", "out.pdf"), "out.pdf"),
    "tex": (("export", "a.eq", "--costs", "--gpu", "h100", "-o", "out.tex"), "out.tex"),
    "ncd": (("import", "a.eq", "-o", "out.ncd"), "out.ncd"),
    "cu": (("export", "a.eq", "--gpu", "a100", "--no-verify", "-o", "out.cu"), "out.cu"),
    "npy": (("evaluate", "a.eq", "--random", "1", "--out", "O=out.npy"), "out.npy"),
    "check": (("check", "a.eq", "--json"), None),
    "equations": (("equations", "a.eq"), None),
    "derive": (("derive", "a.eq", "--gpu", "h100", "--json"), None),
    "gpus": (("gpus", "--json"), None),
}
KERNEL = (("export", "a.eq", "--gpu", "a100", "--no-verify", "-o", "out.ptx"), "out.ptx")
# A file system in which nobody can make a file, root neither.
READ_ONLY = "/proc"
MISSING = "/proc/none"
# What is changed of the environment; None: it is unset.
ROWS = {
    "locale-c": {"LC_ALL": "C"},
    "locale-missing": {"LC_ALL": "xx_XX.UTF-8"},
    "locale-turkish": {"LC_ALL": "tr_TR.UTF-8"},
    "locale-persian": {"LC_ALL": "fa_IR.UTF-8"},
    "zone-first": {"TZ": "Pacific/Kiritimati"},
    "zone-last": {"TZ": "<-12>12"},
    "zone-nonsense": {"TZ": "../../etc/passwd"},
    "home-unset": {"HOME": None, "XDG_CACHE_HOME": None, "XDG_CONFIG_HOME": None, "XDG_DATA_HOME": None, "XDG_STATE_HOME": None},
    "home-missing": {"HOME": MISSING, "XDG_CACHE_HOME": None, "XDG_CONFIG_HOME": None, "XDG_DATA_HOME": None, "XDG_STATE_HOME": None},
    "home-relative": {"HOME": "somewhere", "XDG_CACHE_HOME": None, "XDG_DATA_HOME": None},
    "cache-missing": {"XDG_CACHE_HOME": MISSING, "HEDDLE_COMPILE_CACHE": None},
    "cache-read-only": {"XDG_CACHE_HOME": READ_ONLY, "HEDDLE_COMPILE_CACHE": None},
    "cache-file": {"XDG_CACHE_HOME": "{folder}/a.eq", "HEDDLE_COMPILE_CACHE": None},
    "data-read-only": {"XDG_DATA_HOME": READ_ONLY, "XDG_CONFIG_HOME": READ_ONLY, "XDG_STATE_HOME": READ_ONLY},
    "temporary-missing": {"TMPDIR": MISSING},
    "temporary-read-only": {"TMPDIR": READ_ONLY},
    "temporary-file": {"TMPDIR": "{folder}/a.eq"},
    "path-empty": {"PATH": ""},
    "terminal-nonsense": {"TERM": "nonsense", "COLUMNS": "-1", "LINES": "0"},
    "runtime-missing": {"XDG_RUNTIME_DIR": MISSING, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/proc/none"},
}


def environment(folder, changes):
    changed = {**os.environ, "LOCPATH": str(folder.path / "locales"), **changes}
    return {name: value.format(folder=folder.path) for name, value in changed.items() if value is not None}


def run(folder, arguments, output=None, changes=None, **options):
    """How it ended, and what it made."""
    if output:
        (folder.path / output).unlink(missing_ok=True)
    done = subprocess.run([PROGRAM, *arguments], cwd=folder.path, env=environment(folder, changes or {}), check=False, timeout=300,
                          **{"capture_output": True, **options})
    if output:
        return done, folder.read(output) if (folder.path / output).exists() else None
    # But for how long the search took.
    return done, done.stdout and b"\n".join(line for line in done.stdout.splitlines() if b'"milliseconds"' not in line)


def differs(done, made, whole):
    if done.returncode != 0:
        return f"it ended with {done.returncode}: {done.stderr.decode(errors='replace')[:300]}"
    return None if made == whole else "it made other bytes"


def make_locales(folder):
    """Those of them that can be made here; without them they are missing ones, in which the same must hold."""
    (folder.path / "locales").mkdir()
    for name in ("tr_TR", "fa_IR"):
        if shutil.which("localedef") and Path("/usr/share/i18n/locales", name).exists():
            subprocess.run(["localedef", "-i", name, "-f", "UTF-8", str(folder.path / "locales" / f"{name}.UTF-8")], check=True, capture_output=True)


def check_rows(tap, folder):
    whole = {name: run(folder, *command) for name, command in COMMANDS.items()}
    for name, (done, made) in whole.items():
        tap.check(f"/environment/plain/{name}", differs(done, made, made) or (None if made else "it made nothing"))
    for row, changes in ROWS.items():
        problems = []
        for name, command in COMMANDS.items():
            wrong = differs(*run(folder, *command, changes), whole[name][1])
            problems += [f"{name}: {wrong}"] if wrong else []
        tap.check(f"/environment/{row}", problems)
    return whole


def check_masks(tap, folder):
    for mask in (0o000, 0o027, 0o077, 0o277):
        run(folder, *COMMANDS["svg"], preexec_fn=lambda mask=mask: os.umask(mask))
        tap.equal(f"/environment/umask/{mask:03o}", f"{stat.S_IMODE((folder.path / 'out.svg').stat().st_mode):03o}", f"{0o666 & ~mask:03o}")


def check_kernels(tap, folder):
    """What a compiler needs is a folder for its files; what was compiled before is remembered only where it can be."""
    if not find_nvcc():
        tap.skip("/environment/kernel", "there is no CUDA compiler on this machine")
        return
    fresh = {"HEDDLE_COMPILER": "nvcc", "HEDDLE_COMPILE_CACHE": "none"}
    done, whole = run(folder, *KERNEL, fresh)
    tap.check("/environment/kernel/plain", differs(done, whole, whole))
    for row in ("cache-missing", "cache-read-only", "cache-file", "home-unset", "home-missing", "locale-turkish"):
        tap.check(f"/environment/kernel/{row}", differs(*run(folder, *KERNEL, {**fresh, "HEDDLE_COMPILE_CACHE": None, **ROWS[row]}), whole))
    for row in ("temporary-missing", "temporary-read-only", "temporary-file"):
        done, made = run(folder, *KERNEL, {**fresh, **ROWS[row]})
        place = environment(folder, ROWS[row])["TMPDIR"]
        said = done.stderr.decode()
        tap.check(f"/environment/kernel/{row}", None if done.returncode == 1 and place in said and made is None else f"{done.returncode}: {said}")


def check_compilers(tap, folder):
    """Stand-ins for nvcc that cannot do its work."""
    (folder.path / "bin").mkdir()
    stand_in = folder.path / "bin" / "nvcc"
    for name, text, status, said in (("fails", "#!/bin/sh\nexit 7\n", 1, "nvcc"), ("no-program", "nothing\n", 1, "nvcc"),
                                     ("killed", "#!/bin/sh\nkill -9 $$\n", 1, "signal 9"),
                                     ("silent", "#!/bin/sh\nexit 0\n", 1, ""), ("words", "#!/bin/sh\nprintf '\\033[31mno\\n' >&2; exit 1\n", 1, "no")):
        stand_in.write_text(text, encoding="utf-8")
        stand_in.chmod(0o755)
        done, made = run(folder, *KERNEL, {"HEDDLE_COMPILER": "nvcc", "HEDDLE_COMPILE_CACHE": "none", "PATH": f"{stand_in.parent}:{os.environ['PATH']}"})
        words = done.stderr.decode(errors="replace")
        right = done.returncode == status and said in words and words and "\033" not in words and made is None
        tap.check(f"/environment/compiler/{name}", None if right else f"{done.returncode}: {words}")
    done, made = run(folder, *KERNEL, {"HEDDLE_COMPILER": "none", "HEDDLE_COMPILE_CACHE": "none"})
    tap.check("/environment/compiler/none", None if done.returncode == 3 and made is None else f"{done.returncode}: {done.stderr}")


def close(*numbers):
    for number in numbers:
        os.close(number)


def check_streams(tap, folder, whole):
    """What is printed arrives, or the status says that it did not; a file is never written in its place."""
    for numbers in ((0,), (1,), (2,), (0, 1, 2)):
        problems = []
        for name in ("svg", "pdf", "tex", "cu", "npy"):
            wrong = differs(*run(folder, *COMMANDS[name], preexec_fn=lambda numbers=numbers: close(*numbers)), whole[name][1])
            problems += [f"{name}: {wrong}"] if wrong else []
        tap.check(f"/environment/closed/{''.join(map(str, numbers))}", problems)
    for name in ("check", "equations", "derive", "gpus"):
        done, _ = run(folder, COMMANDS[name][0], preexec_fn=lambda: close(1))
        tap.equal(f"/environment/closed-output/{name}", done.returncode, 1)
        with open("/dev/full", "wb") as full:
            done, _ = run(folder, COMMANDS[name][0], capture_output=False, stdout=full, stderr=subprocess.PIPE)
        tap.check(f"/environment/full-output/{name}", None if done.returncode == 1 and b"No space left" in done.stderr else f"{done.returncode}: {done.stderr}")


def check_places(tap, folder, whole):
    """A working folder that is gone, and files that may not be long."""
    gone = folder.path / "gone"
    gone.mkdir()
    script = f'rmdir "{gone}"; exec "$0" "$@"'
    command = [str(folder.path / word) if word in ("a.eq", "out.svg") else word for word in COMMANDS["svg"][0]]
    (folder.path / "out.svg").unlink()
    subprocess.run(["sh", "-c", script, PROGRAM, *command], cwd=gone, env=environment(folder, {}), check=False, capture_output=True, timeout=300)
    tap.check("/environment/folder-gone", None if folder.read("out.svg") == whole["svg"][1] else "it made other bytes")
    gone.mkdir()
    done = subprocess.run(["sh", "-c", script, PROGRAM, "check", "a.eq"], cwd=gone, env=environment(folder, {}), check=False, capture_output=True, timeout=300)
    tap.check("/environment/folder-gone/relative", None if done.returncode == 1 and b"a.eq" in done.stderr else f"{done.returncode}: {done.stderr}")
    names = set(os.listdir(folder.path))
    folder.write("out.pdf", "before")
    done = subprocess.run([PROGRAM, *COMMANDS["pdf"][0]], cwd=folder.path, env=environment(folder, {}), check=False, capture_output=True, timeout=300,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    right = done.returncode == 1 and b"out.pdf" in done.stderr and folder.read("out.pdf") == b"before"
    tap.check("/environment/long-file", None if right else f"{done.returncode}: {done.stderr}")
    tap.equal("/environment/long-file/left", sorted(set(os.listdir(folder.path)) - names), [])


def main():
    tap, folder = Tap(), Folder()
    folder.write("a.eq", EQUATIONS)
    make_locales(folder)
    whole = check_rows(tap, folder)
    check_masks(tap, folder)
    check_kernels(tap, folder)
    check_compilers(tap, folder)
    check_streams(tap, folder, whole)
    check_places(tap, folder, whole)
    tap.finish()


main()
