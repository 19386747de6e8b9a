#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program of each GPU, as it is written: ranks are threads, and every kernel is a copy, so that what comes out is what the collectives moved."""

import re
import shutil
import subprocess
import sys

import numpy
from heddle import Folder, Tap

RANKS = 4
# All maps are copies; a sum over one k on each GPU is one, too, of parts that are summed over GPUs then.
MOVED = """X : f32[a=2, i=8, j=12, b=3]
U : f32[a, j, b, k=4]
Y[a,i,j,b] = X[a,i,j,b] * 1
Z[a,i,j,b] = Y[a,i,j,b] * 1
W[a,i,j,b] = Z[a,i,j,b] * 1
V[a,i,j,b] = W[a,i,j,b] * 1
R[a,j,b] = sum[k](U[a,j,b,k])
T[a,j,b] = R[a,j,b] * 1
"""
COPIED = dict(re.findall(r"^(\w)\[.*= (?:sum\[k\]\()?(\w)\[", MOVED, re.M))
LABELS = ("Y/i:group@node=2", "Z/j:group@node=3", "V/i:group@node=2", "R/k:group@node=1", "T/j:group@node=3")

MAIN = """#include "threads.h"
#include <string.h>
{launchers}
{program}
static float *
read_floats (const char *name, size_t n)
{{
  float *array = (float *) calloc (n, sizeof *array);
  FILE *file = fopen (name, "rb");
  if (fread (array, sizeof *array, n, file) != n)
    abort ();
  fclose (file);
  return array;
}}

static int
run (int rank, ncclComm_t comm)
{{
  char name[64];
  size_t bytes = moved_workspace ();
  void *workspace = aligned_alloc (256, (bytes + 255) / 256 * 256);
{arrays}
  int status = moved ({call}, workspace, bytes, comm, NULL);
{saves}
  free (workspace);
  return status;
}}

int
main (void)
{{
  return run_ranks ({ranks}, run);
}}
"""


def piece(array, dim, rank):
    return numpy.ascontiguousarray(numpy.split(array, RANKS, dim)[rank])


def launchers(text):
    """Each copies to what it writes, a piece of X or U in size, what that is a copy of."""
    made = []
    for name, arguments in re.findall(r'extern "C" int\n(moved_\d+) \(([^)]*)\)', text):
        arguments = re.sub(r"\s+", " ", arguments)
        copies = "".join(f'  memcpy ({target}, {COPIED[target]}, bytes_of ("{target}"));\n' for target in re.findall(r", void \*(\w+)", arguments))
        made.append(f'extern "C" int {name} ({arguments})\n{{\n{copies}  return 0;\n}}\n'
                    f'extern "C" const char *{name}_message (int status)\n{{\n  return "";\n}}\n')
    return made


def main(stand_in):
    tap, folder = Tap(), Folder()
    if shutil.which("g++") is None:
        tap.skip("/shard-run", "there is no compiler of C++")
        tap.finish()
        return
    folder.write("moved.eq", MOVED)
    given = [word for label in LABELS for word in ("--label", label)]
    folder.output("derive", "moved.eq", "--gpu", "h100", "--fuse", "none", "--suggest", *given, "--apply", "-o", "moved.ncd")
    kinds = [row["kind"] for row in folder.json("derive", "moved.ncd")["sharding"]["collectives"]]
    tap.equal("/shard-run/collectives", sorted(kinds), ["all-gather", "all-to-all", "reduce-scatter", "slice"])
    folder.output("export", "moved.ncd", "--no-verify", "-o", "moved.cu")
    text = folder.read("moved.cu").decode()
    program = text[text.index("static size_t\nmoved_inner_bytes"):text.rindex("#endif")]
    random = numpy.random.default_rng(5)
    x, u = (random.standard_normal(shape).astype("f4") for shape in ((2, 8, 12, 3), (2, 12, 3, 4)))
    arrays = {"X_i_node": [piece(x, 1, rank) for rank in range(RANKS)], "U_k_node": [piece(u, 3, rank) for rank in range(RANKS)]}
    wanted = {"V_i_node": [piece(x, 1, rank) for rank in range(RANKS)], "T_j_node": [piece(u.sum(3), 1, rank) for rank in range(RANKS)]}
    sizes = {name: pieces[0].size for name, pieces in {**arrays, **wanted}.items()}
    # what a GPU makes of each: a piece of it, all of it, or a part of all of it
    made = {"Y": x.size // RANKS, "Z": x.size // RANKS, "W": x.size, "V": x.size // RANKS, "R": u.size // RANKS, "T": u.size // RANKS // RANKS}
    table = "".join(f'  if (strcmp (name, "{name}") == 0)\n    return {n} * sizeof (float);\n' for name, n in made.items())
    for name, pieces in arrays.items():
        for rank, array in enumerate(pieces):
            array.tofile(folder.path / f"{name}.{rank}")
    reads = "".join(f'  snprintf (name, sizeof name, "{name}.%d", rank);\n  float *{name} = read_floats (name, {sizes[name]});\n' for name in arrays)
    reads += "".join(f"  float *{name} = (float *) calloc ({sizes[name]}, sizeof (float));\n" for name in wanted)
    saves = "".join(f'  {{\n    snprintf (name, sizeof name, "{name}.%d", rank);\n    FILE *file = fopen (name, "wb");\n'
                    f"    fwrite ({name}, sizeof (float), {sizes[name]}, file);\n    fclose (file);\n  }}\n" for name in wanted)
    order = re.search(r"extern \"C\" int\nmoved \(([^)]*)\)", program)[1]
    call = ", ".join(name for name in re.findall(r"\*(\w+)", order) if name in sizes)
    source = MAIN.format(launchers="static size_t\nbytes_of (const char *name)\n{\n" + table + "  abort ();\n}\n" + "".join(launchers(text)), program=program,
                         arrays=reads, call=call, saves=saves, ranks=RANKS)
    folder.write("moved.cc", source)
    built = subprocess.run(["g++", "-std=c++17", "-fpermissive", "-w", "-I", f"{stand_in}/threads", "-I", stand_in, "-o", "moved", "moved.cc", "-x", "c++",
                            f"{stand_in}/threads.c", "-lpthread"], cwd=folder.path, capture_output=True, text=True, check=False)
    tap.check("/shard-run/builds", None if built.returncode == 0 else built.stderr[:2000])
    run = subprocess.run([str(folder.path / "moved")], cwd=folder.path, capture_output=True, text=True, timeout=60, check=False)
    tap.equal("/shard-run/status", run.returncode, 0)
    for name, pieces in wanted.items():
        found = [numpy.fromfile(folder.path / f"{name}.{rank}", "f4").reshape(pieces[rank].shape) for rank in range(RANKS)]
        tap.check(f"/shard-run/{name}", None if all(numpy.allclose(one, other, rtol=1e-5) for one, other in zip(found, pieces)) else repr(found[1])[:300])
    tap.finish()


main(*sys.argv[1:])
