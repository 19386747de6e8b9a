#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The judge of the sanitizers' reports: each kind of fault, made on purpose, fails a test, and GLib's own habits do not."""

import subprocess
import tempfile
from pathlib import Path

from tap import Tap

PROGRAM = r"""
#include <glib.h>
#include <stdlib.h>
#include <string.h>

int
main (int argc, char **argv)
{
  const char *fault = argv[1];
  volatile int number = 0x7fffffff;
  char *block = malloc (16);

  if (strcmp (fault, "interned") == 0)
    for (int i = 0; i < 30000; i++)
      {
        char *name = g_strdup_printf ("name-%d", i);
        g_intern_string (name);
        g_free (name);
      }
  if (strcmp (fault, "overflow") == 0)
    block[argc + 14] = 1;
  if (strcmp (fault, "undefined") == 0)
    number += argc;
  if (strcmp (fault, "child") == 0)
    {
      char *command = g_strdup_printf ("%s overflow; true", argv[0]);
      int status = system (command);
      g_free (command);
      free (block);
      return status;
    }
  if (strcmp (fault, "leak") != 0)
    free (block);
  block = NULL;
  return strcmp (fault, "status") == 0 ? 7 : 0;
}
"""

CASES = [
    ("none", 0, ""),
    ("interned", 0, ""),
    ("status", 7, ""),
    ("leak", 1, "Direct leak of 16 byte"),
    ("overflow", 1, "heap-buffer-overflow"),
    ("undefined", 1, "signed integer overflow"),
    ("child", 1, "heap-buffer-overflow"),
]

tap = Tap()
with tempfile.TemporaryDirectory() as scratch:
    source = Path(scratch) / "fault.c"
    source.write_text(PROGRAM, encoding="utf-8")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "glib-2.0"], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["gcc", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", str(source), *flags,
                    "-o", f"{scratch}/fault"], check=True)
    for name, status, report in CASES:
        run = subprocess.run([Path(__file__).with_name("sanitized"), f"{scratch}/fault", name], capture_output=True, text=True, check=False)
        tap.equal(f"/sanitized/{name}", (run.returncode, report in run.stderr, bool(run.stderr)), (status, True, bool(report)))
tap.finish()
