#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Products by CUTLASS, whose headers its package on PyPI has: nvcc compiles our host programs with them, and they run on the stand-in for CUDA's runtime,
which interprets their PTX: in each completion, with races told. Each program compares its numbers itself. Then faults are planted in the PTX that the program
holds, and nearly all have to be told. A name as the last argument picks cases."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "house")]

from installed import install, skip  # noqa: E402
from planted import LEAST_TOLD, planted  # noqa: E402
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
    "e4m3-pingpong-sm_90a": ("product-sm90.cu", "90a", {"ELEMENT": E4M3, "TILE": "64,128,128", "STAGES": "2", "SIZES": "200,272,640",
                                                        "MAINLOOP": "KernelTmaWarpSpecializedPingpong"}),
}
# A parity that always stays the same, since there is no room for an instruction that turns it round. A wait that is executed once has one of the two.
PARITY = re.compile(r"(mbarrier\.try_wait\.parity\.\S+ \S+ \[[^\]]*\]), %r\d+;")
MOST_SECONDS = 60


def compile_case(nvcc, runtime, source, headers, program, arch, names):
    """nvcc takes values with commas apart, so that the names stand in a file."""
    text = "".join(f"#define {name} {value}\n" for name, value in names.items()) + f'#include "{source}"\n'
    program.with_suffix(".cu").write_text(text, encoding="utf-8")
    includes = [f"-I{folder}" for folder in (HERE, headers / "include", headers / "tools/util/include")]
    done = subprocess.run([nvcc, *OPTIONS, f"-gencode=arch=compute_{arch},code=compute_{arch}", *includes, "-o", str(program), str(program.with_suffix(".cu")), runtime],
                          capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stderr.strip()[-2000:] or "nvcc failed"


def run_program(program, runtime, arch, completion, seed):
    """What is wrong, or None; a kernel that waits for ever is wrong as well."""
    environment = dict(os.environ, LD_LIBRARY_PATH=str(Path(runtime).parent), STAND_IN_ARCH=arch.rstrip("a"), STAND_IN_RACES="1", STAND_IN_COMPLETION=completion,
                       STAND_IN_SEED=seed)
    try:
        done = subprocess.run([str(program)], capture_output=True, text=True, check=False, env=environment, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return f"{completion} {seed}: it does not end"
    return None if done.returncode == 0 else f"{completion} {seed}: {done.stdout.strip() or done.stderr.strip() or done.returncode}"


def write_changed(program, changed, begin, end, instead):
    """The program with something else in its PTX, which is as long as before."""
    code = program.read_bytes()
    changed.write_bytes(code[:begin] + (instead or ";").rjust(end - begin).encode() + code[end:])
    changed.chmod(0o755)


def places(text):
    """What is planted in the text of a program: a name, where it begins and ends, and what stands there instead, in one way or another."""
    for name, begin, end, instead in planted(text, 0):
        if len(instead) <= end - begin:
            yield name, begin, end, (instead,)
    for n, found in enumerate(PARITY.finditer(text)):
        yield f"{found[0][:60]} #{n}", *found.span(), (f"{found[1]}, 0;", f"{found[1]}, 1;")


def plant(program, runtime, arch):
    """How many faults were planted, and which were not told. Instructions that the program never comes to are left out: a trap in their place changes nothing. So
    are barriers that nobody uses, of an epilogue that reads nothing: without them all is the same."""
    changed, text, n, missed = program.with_suffix(".planted"), program.read_bytes().decode("latin-1"), 0, []

    def is_told(begin, end, instead, ways):
        write_changed(program, changed, begin, end, instead)
        return any(run_program(changed, runtime, arch, *way) for way in ways)

    for name, begin, end, faults in places(text):
        if not is_told(begin, end, "trap;", WAYS[:1]) or (name.startswith("mbarrier.init") and not is_told(begin, end, ";", WAYS[:1])):
            continue
        n += 1
        if not any(is_told(begin, end, instead, WAYS) for instead in faults):
            missed.append(name)
    changed.unlink(missing_ok=True)
    return n, missed


def main(runtime, folder, wanted=""):
    nvcc = shutil.which("nvcc") or ("/usr/local/cuda/bin/nvcc" if Path("/usr/local/cuda/bin/nvcc").exists() else None)
    if nvcc is None or os.environ.get("HEDDLE_COMPILER") == "none":
        skip("there is no nvcc on this machine")
    python = install(folder, "CUTLASS", (PACKAGE,), "--no-deps")
    headers = next(Path(python).parents[1].glob("lib/python*/site-packages/cutlass_library/source"), None)
    if headers is None:
        skip(f"{PACKAGE} has no headers")
    tap, n, missed = Tap(), 0, []
    for name, (source, arch, names) in CASES.items():
        if wanted not in name:
            continue
        program = Path(folder) / name
        problem = compile_case(nvcc, runtime, source, headers, program, arch, names)
        problems = [problem] if problem else [wrong for way in WAYS if (wrong := run_program(program, runtime, arch, *way)) is not None]
        tap.check(f"/cutlass/{name}", problems)
        if not problems:
            more = plant(program, runtime, arch)
            n, missed = n + more[0], missed + [f"{name}: {fault}" for fault in more[1]]
    for fault in missed:
        print(f"# not told: {fault}")
    print(f"# {n - len(missed)} of {n} planted faults were told")
    tap.check("/cutlass/planted", None if n - len(missed) >= LEAST_TOLD * n else missed)
    tap.finish()


main(*sys.argv[1:])
