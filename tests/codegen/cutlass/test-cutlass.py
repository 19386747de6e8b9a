#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Products by CUTLASS, whose headers its package on PyPI has: nvcc compiles our host programs with them, and they run on the stand-in for CUDA's runtime,
which interprets their PTX: in each completion, with races told. Each program compares its numbers itself. A name as the last argument picks cases."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "house")]

from installed import install, skip  # noqa: E402
from tap import Tap  # noqa: E402

PACKAGE = "nvidia-cutlass==4.2.0.0"
WAYS = (("late", "0"), ("early", "0"), ("drawn", "1"), ("drawn", "2"))
OPTIONS = ("-std=c++17", "--expt-relaxed-constexpr", "-cudart", "none", "--no-compress", "-w")
COOPERATIVE = {"MAINLOOP": "KernelTmaWarpSpecializedCooperative", "EPILOGUE": "TmaWarpSpecializedCooperative"}
E4M3 = "cutlass::float_e4m3_t"

# A source, its architecture, and what stands for the names in it.
CASES = {
    "f16-sm_80": ("product-sm80.cu", "80", {}),
    "f16-by-columns-sm_80": ("product-sm80.cu", "80", {"RIGHT_LAYOUT": "RowMajor", "TILE": "128,64,32", "WARP": "64,32,32"}),
    "f16-sums-sm_80": ("product-sm80.cu", "80", {"SUM": "cutlass::half_t"}),
    "tf32-sm_80": ("product-sm80.cu", "80", {"ELEMENT": "cutlass::tfloat32_t", "TILE": "64,64,16", "WARP": "32,32,16", "STEP": "16,8,8"}),
    "f16-sm_90a": ("product-sm90.cu", "90a", {}),
    "f16-multicast-sm_90a": ("product-sm90.cu", "90a", {"TILE": "128,128,64", "CLUSTER": "2,1,1", "RIGHT_LAYOUT": "RowMajor", **COOPERATIVE}),
    "e4m3-pingpong-sm_90a": ("product-sm90.cu", "90a", {"ELEMENT": E4M3, "TILE": "64,128,128", "MAINLOOP": "KernelTmaWarpSpecializedPingpong"}),
}


def compile_case(nvcc, runtime, source, headers, program, arch, names):
    """nvcc takes values with commas apart, so that the names stand in a file."""
    text = "".join(f"#define {name} {value}\n" for name, value in names.items()) + f'#include "{source}"\n'
    program.with_suffix(".cu").write_text(text, encoding="utf-8")
    includes = [f"-I{folder}" for folder in (HERE, headers / "include", headers / "tools/util/include")]
    done = subprocess.run([nvcc, *OPTIONS, f"-gencode=arch=compute_{arch},code=compute_{arch}", *includes, "-o", str(program), str(program.with_suffix(".cu")), runtime],
                          capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stderr.strip()[-2000:] or "nvcc failed"


def run_program(program, runtime, arch, completion, seed):
    environment = dict(os.environ, LD_LIBRARY_PATH=str(Path(runtime).parent), STAND_IN_ARCH=arch.rstrip("a"), STAND_IN_RACES="1", STAND_IN_COMPLETION=completion,
                       STAND_IN_SEED=seed)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False, env=environment)
    return None if done.returncode == 0 else f"{completion} {seed}: {done.stdout.strip() or done.stderr.strip() or done.returncode}"


def main(runtime, folder, wanted=""):
    nvcc = shutil.which("nvcc") or ("/usr/local/cuda/bin/nvcc" if Path("/usr/local/cuda/bin/nvcc").exists() else None)
    if nvcc is None or os.environ.get("HEDDLE_COMPILER") == "none":
        skip("there is no nvcc on this machine")
    python = install(folder, "CUTLASS", (PACKAGE,), "--no-deps")
    headers = next(Path(python).parents[1].glob("lib/python*/site-packages/cutlass_library/source"), None)
    if headers is None:
        skip(f"{PACKAGE} has no headers")
    tap = Tap()
    for name, (source, arch, names) in CASES.items():
        if wanted not in name:
            continue
        program = Path(folder) / name
        problem = compile_case(nvcc, runtime, source, headers, program, arch, names)
        problems = [problem] if problem else [wrong for way in WAYS if (wrong := run_program(program, runtime, arch, *way)) is not None]
        tap.check(f"/cutlass/{name}", problems)
    tap.finish()


main(*sys.argv[1:])
