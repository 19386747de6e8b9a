#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Seed corpora of the fuzz targets, from the examples and data of the project: seeds.py HEDDLE SOURCE-ROOT FOLDER [TARGET…].

Each target gets a folder of its name in FOLDER, and where it helps a dictionary TARGET.dict of the words that its files are made of.
"""

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_BYTES = 40_000  # mutants of longer files are slow and show no more
TESTDATA = Path("/usr/share/libonnx-testdata/data")
# Whose kernels, and whose pictures with a source, are seeds.
COMPILED = ("attention", "softmax", "layer-norm", "inner-product")
PICTURES = ("attention", "convolution", "multi-head-attention", "indexing", "rms-norm", "swiglu")
SMALL = ("attention", "causal-attention", "softmax", "layer-norm", "matrix-product", "convolution", "max-pooling", "linear-recurrence", "concatenation",
         "embedding", "quantised-linear", "cross-entropy", "outer-product", "diagonal", "transpose", "sliding-window-attention")

EQUATIONS = (
    "A : f32[a=4]\n-> A\n", "T : i64[a=3]\nY[a] = T[a] * 0.5\n", "A : f32[t=9]\nY[t] = cumsum[t](A[t-1])\n",
    "A : f32[a=4]\nY[a] = where(a > 2, A[a], 0)\n", "A : f32[a=8, b=8]\nY[a] = max[b](A[a,b]) + sum[b](A[a,b])\nZ[a,c] = A[a,a+c]\n",
    "def f(X[a=4, b=4]) -> Y[a]:\n  Y[a] = sum[b](X[a,b])\n\nA : f32[a=4, b=4]\nZ[a] = f(A)\n", "A : f16[a=4]\nY[] = A[a] A[a]\n-> Y\n",
)
# A document may call a diagram anything.
DOCUMENT = """<heddle xmlns="https://heddle.github.io/ns/ncd" version="1.0"><meaning>
<diagram id="d.d" name="d"><axis id="a.a" name="a" size="4"/><value id="v.A" name="A" role="input" dtype="f32" axes="a.a"/>
<value id="v.Z" name="Z" axes="a.a"/><operation id="o.Z" kind="call" operands="v.A" result="v.Z" calls="d.f"/></diagram>
<diagram id="d.f" name="f&gt;=" outputs="v.Y"><axis id="a.a" name="a" size="4"/><value id="v.X" name="X" role="input" axes="a.a"/>
<value id="v.Y" name="Y" axes="a.a"/><operation id="o.Y" kind="map" operands="v.X" result="v.Y" body="$0 + 1"/></diagram></meaning></heddle>
"""
EQUATION_WORDS = (
    "->", "def ", " = ", " : f16", " : i64", " : f32", "sum[", "mean[", "max[", "min[", "prod[", "cumsum[", "cumprod[", "cummax[", "softmax[",
    "argmax[", "topk[", "scan[", "where(", "exp(", "log(", "sqrt(", "tanh(", "relu(", "sigmoid(", "abs(", "floor(", "inf", "1e300", "d^-0.5",
)
BENCH = """{"diagram": "attention", "on": "gpu", "gpu": "NVIDIA H100", "machine": "h100-sxm", "dtype": "f16", "date": "2026-01-02T03:04:05Z",
"flops": 1e12, "transfer_bytes": 1000000, "launches": 20, "sets": 3, "total": {"median_s": 1e-3, "least_s": 9e-4, "most_s": 2e-3, "expected_s": 1e-3},
"kernels": [{"kernel": "attention_0", "median_s": 1e-3, "least_s": 9e-4, "most_s": 2e-3, "expected_s": 1e-3}]}
"""
PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 p0, .param .u64 p1, .param .u32 p2)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<8>;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %rd1, [p0];
  ld.param.u64 %rd2, [p1];
  ld.param.u32 %r1, [p2];
  mov.u32 %r2, %tid.x;
  setp.ge.s32 %p1, %r2, %r1;
  @%p1 bra DONE;
  mul.wide.s32 %rd3, %r2, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.f32 %f1, [%rd4];
  fma.rn.f32 %f2, %f1, %f1, 0f3F800000;
  shl.b32 %r3, %r2, 2;
  mov.u32 %r4, tile;
  add.s32 %r5, %r4, %r3;
  st.shared.f32 [%r5], %f2;
  bar.sync 0;
  ld.shared.f32 %f3, [%r5];
  add.s64 %rd5, %rd2, %rd3;
  st.global.f32 [%rd5], %f3;
DONE:
  ret;
}
"""
ARRAYS = (("<f4", 1, (3, 5), 4), ("<f8", 2, (), 8), (">f4", 1, (7,), 4), ("<i8", 1, (2, 2, 2), 8), ("|b1", 3, (0, 4), 1), ("<f2", 1, (1,), 2))


class Seeds:
    def __init__(self, heddle, root, folder):
        self.heddle, self.root, self.folder = heddle, root, folder

    def put(self, target, name, data):
        place = self.folder / target
        place.mkdir(parents=True, exist_ok=True)
        data = data.encode() if isinstance(data, str) else data
        if len(data) <= MOST_BYTES:
            (place / name).write_bytes(data)

    def copy(self, target, paths):
        for path in sorted(paths):
            self.put(target, path.name, path.read_bytes())

    def export(self, target, source, suffix, *options):
        """What the program makes of a document; nothing where it cannot, as without a compiler."""
        with tempfile.TemporaryDirectory() as folder:
            to = Path(folder) / f"{source.stem}{suffix}"
            subprocess.run([self.heddle, "export", source, "-o", to, *options], capture_output=True, check=False)
            if to.exists():
                self.put(target, to.name, to.read_bytes())

    def words(self, target, words):
        text = "".join(f'"{word}"\n' for word in sorted(set(words)) if re.fullmatch(r"[\w.:/ =<>-]+", word))
        (self.folder / f"{target}.dict").write_text(text, encoding="utf-8")


def array(kind, version, shape, size):
    """A file as NumPy writes it, with numbers that say nothing."""
    count = size
    for extent in shape:
        count *= extent
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY" + bytes((version, 0)) + struct.pack("<H" if version == 1 else "<I", len(head)) + head + bytes(i % 251 for i in range(count))


def documents(seeds):
    return {path.stem: path for folder in ("examples", "figures") for path in (seeds.root / "data" / folder).glob("*.ncd")}


def element_words(seeds):
    return re.findall(r'name="([\w:-]+)"|<value>([^<]+)</value>', (seeds.root / "data" / "ncd.rng").read_text(encoding="utf-8"))


def make_equations(seeds):
    for number, text in enumerate(EQUATIONS):
        seeds.put("eq", f"short-{number}", text)
    for name in SMALL:
        seeds.export("eq", documents(seeds)[name], ".eq")
    seeds.words("eq", EQUATION_WORDS)


def make_documents(seeds):
    seeds.copy("ncd", documents(seeds).values())
    seeds.put("ncd", "short", DOCUMENT)
    seeds.words("ncd", [word for pair in element_words(seeds) for word in pair if word])


def make_pictures(seeds):
    for name in PICTURES:
        seeds.export("svg", documents(seeds)[name], ".svg", "--outlines")
        seeds.export("svg", documents(seeds)[name], ".svg")
    seeds.words("svg", ["<svg", "<metadata>", "heddle:source", "sha256=", "xmlns:heddle=", "]]>", "&amp;", "&lt;"])


def make_small(target):
    def make(seeds):
        seeds.copy(target, (documents(seeds)[name] for name in SMALL))
        for number, text in enumerate(EQUATIONS):
            seeds.put(target, f"short-{number}", text)
        seeds.put(target, "short", DOCUMENT)
    return make


def make_models(seeds):
    seeds.copy("onnx", (seeds.root / "tests" / "cli" / "models").glob("*.onnx"))
    for path in sorted(TESTDATA.glob("*/*/model.onnx"))[::12]:
        seeds.put("onnx", path.parent.name, path.read_bytes())


def make_tensors(seeds):
    seeds.copy("safetensors", (seeds.root / "tests" / "cli" / "models").glob("*.safetensors"))
    head = b'{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"__metadata__":{"b":"c"}}'
    seeds.put("safetensors", "short", struct.pack("<Q", len(head)) + head + bytes(16))


def make_arrays(seeds):
    for number, row in enumerate(ARRAYS):
        seeds.put("npy", str(number), array(*row))


def make_protocol(seeds):
    # dims 2 and 3, float, the name "a", then 6 numbers
    seeds.put("pb", "short", b"\x08\x02\x08\x03\x10\x01\x42\x01a\x4a\x18" + bytes(range(24)))
    for path in sorted(TESTDATA.glob("node/*/test_data_set_0/input_0.pb"))[::20]:
        seeds.put("pb", path.parent.parent.name, path.read_bytes())


def make_tables(target, folder):
    def make(seeds):
        paths = sorted((seeds.root / "data" / folder).glob(f"*.{target}"))
        seeds.copy(target, paths)
        seeds.words(target, re.findall(r"^(\[?\w[\w ]*[\]=])", "\n".join(path.read_text(encoding="utf-8") for path in paths), re.MULTILINE))
    return make


def make_bench(seeds):
    seeds.put("bench", "short", BENCH)
    seeds.words("bench", re.findall(r'"(\w+)"', BENCH))


def make_ptx(seeds):
    seeds.put("ptx", "short", PTX)
    for name in COMPILED:
        seeds.export("ptx", documents(seeds)[name], ".ptx", "--gpu", "a100", "--no-verify", "--family", "general")
    rows = "\n".join(path.read_text(encoding="utf-8") for path in sorted((seeds.root / "codegen" / "ptx" / "instructions").glob("*.c")))
    seeds.words("ptx", re.findall(r'{ "([a-z0-9_.]+)",', rows) + re.findall(r"\.\w+|%\w+", PTX))


MAKERS = {
    "eq": make_equations, "ncd": make_documents, "svg": make_pictures, "paste": make_small("paste"), "figure": make_small("figure"),
    "kernel": make_small("kernel"), "onnx": make_models, "safetensors": make_tensors, "npy": make_arrays, "pb": make_protocol,
    "machine": make_tables("machine", "hardware"), "accounting": make_tables("accounting", "accounting"),
    "measured": make_tables("measured", "measured"), "bench": make_bench, "ptx": make_ptx,
}


def make_seeds(heddle, root, folder, targets=()):
    for target in targets or MAKERS:
        MAKERS[target](Seeds(heddle, Path(root), Path(folder)))


if __name__ == "__main__":
    make_seeds(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
