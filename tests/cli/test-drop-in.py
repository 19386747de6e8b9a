#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What takes the place of a module of PyTorch, from end to end with no GPU: kernels are interpreted on a stand-in for the driver, and what comes out is
held against the module itself. Needs PyTorch; models of transformers and torchvision are tried where those are installed."""

import ctypes
import inspect
import os
import subprocess
import sys
import warnings

import stand_in_torch
from heddle import PROGRAM, Folder, Tap

try:
    import torch
except ImportError:
    torch = None

HOSTILE = '"""\nraise SystemExit(9)  # */ $(false)'
TOLERANCE = 2e-4  # of f32, sums in another order


def check_status(driver, status):
    """Raises what the stand-in says of a kernel that it could not run."""
    told = ctypes.c_char_p()
    driver.cuGetErrorString(status, ctypes.byref(told))
    if status != 0:
        raise AssertionError(told.value.decode())


def interpreted(packages, driver_path):
    """The package, whose kernels run on the stand-in."""
    del sys.modules["heddle"]
    sys.path.insert(0, packages)
    import heddle
    from heddle import kernels
    driver = ctypes.CDLL(driver_path)
    driver.cuInit(0)
    context = ctypes.c_void_p()
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    heddle.launches = 0

    def place(bytes_):
        address = ctypes.c_uint64()
        assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(max(bytes_, 256))) == 0
        return address.value

    def load(path):
        real = sys.modules["torch"]
        try:
            stand_in, _ = stand_in_torch.install(capability=(8, 0), operators=False)
            stand_in.empty = lambda shape, dtype, device: stand_in_torch.Tensor(
                shape, dtype, device, address=place(8 * torch.Size(shape).numel()))
            module = plain_load(path)
        finally:
            sys.modules["torch"] = real
        ptx = path.parent / "kernels.ptx"
        subprocess.run([PROGRAM, "export", path.parent / "result.ncd", "-o", ptx, "--gpu", "a100", "--no-verify"], check=True)
        module.STAND_IN_PTX = str(ptx)
        return module

    def start(self, arguments):
        os.environ["STAND_IN_PTX"] = self.module.STAND_IN_PTX
        given = {}
        for name, _, _ in self.module._INPUTS:
            array = (arguments[self.places[name]] if name in self.places else self.constants[name]).detach().contiguous()
            bytes_ = array.numel() * array.element_size()
            address = place(bytes_)
            assert driver.cuMemcpyHtoD_v2(ctypes.c_uint64(address), ctypes.c_void_p(array.data_ptr()), ctypes.c_size_t(bytes_)) == 0
            given[name] = stand_in_torch.Tensor(array.shape, str(array.dtype), stand_in_torch.Device("cuda"), address=address)
        with stand_in_torch.driver_in_place(driver):
            made = self.function(**given)
        check_status(driver, driver.cuCtxSynchronize())
        heddle.launches += len(self.module._GPUS[0]["kernels"])
        results = []
        for each, like in zip([made[i] for i in self.order] if isinstance(made, tuple) else [made], self.results):
            back = torch.empty(tuple(each.shape), dtype=getattr(torch, each.dtype.rpartition(".")[2]))
            assert driver.cuMemcpyDtoH_v2(ctypes.c_void_p(back.data_ptr()), ctypes.c_uint64(each.address),
                                          ctypes.c_size_t(back.numel() * back.element_size())) == 0
            results.append(back.to(like.dtype).reshape(like.shape))
        return results

    plain_load = kernels.load
    kernels.plain, kernels.plain_start = (kernels.Runner.obstacle, plain_load), kernels.Runner.start
    kernels.load, kernels.Runner.start, kernels.Runner.obstacle = load, start, lambda self, arguments: None
    return heddle


def tensors_of(result):
    from torch.utils._pytree import tree_leaves
    return [leaf for leaf in tree_leaves(dict(result) if hasattr(result, "keys") else result) if isinstance(leaf, torch.Tensor)]


def far_off(found, wanted):
    if [tuple(one.shape) for one in found] != [tuple(one.shape) for one in wanted] or [o.dtype for o in found] != [o.dtype for o in wanted]:
        return f"{[(o.shape, o.dtype) for o in found]} and not {[(o.shape, o.dtype) for o in wanted]}"
    for one, other in zip(found, wanted):
        off = (one.double() - other.double()).norm() / other.double().norm().clamp(min=1e-30)
        if not off < TOLERANCE:
            return f"{off} off"
    return None


def options(heddle, **more):
    return heddle.Options(gpu="a100", verify=False, program=PROGRAM, **more)


def check(tap, heddle, name, model, arguments, keywords=None, least=1):
    """The model and what takes its place give the same, with kernels started, of which at least `least` were made."""
    keywords = keywords or {}
    model.eval()
    fast = heddle.optimise(model, *arguments, heddle_options=options(heddle), **keywords)
    before = heddle.launches
    with torch.no_grad():
        wanted, found = model(*arguments, **keywords), fast(*arguments, **keywords)
    tap.check(f"/drop-in/{name}", far_off(tensors_of(found), tensors_of(wanted)))
    tap.check(f"/drop-in/{name}/kernels", None if heddle.launches - before >= least else str(fast.heddle_report))
    tap.equal(f"/drop-in/{name}/place", (isinstance(fast, type(model)), list(fast.state_dict()), inspect.signature(fast.forward)),
              (True, list(model.state_dict()), inspect.signature(model.forward)))
    return fast


if torch is not None:
    class Mixed(torch.nn.Module):
        """With an operator that Heddle does not know in the middle, a buffer that is written, a keyword and a dictionary. The names are hostile."""

        def __init__(self):
            super().__init__()
            self.first, self.norm, self.last = torch.nn.Linear(16, 32), torch.nn.LayerNorm(32), torch.nn.Linear(32, 8)
            self.register_buffer("calls", torch.zeros(3))
            self.register_module(HOSTILE, torch.nn.Linear(8, 8))

        def forward(self, x, *, scale=2.0):
            self.calls[1] += 1
            y = torch.nn.functional.gelu(self.norm(self.first(x))) * scale
            y = torch.special.bessel_j0(y)
            y = self.last(y)
            return {"out": self._modules[HOSTILE](y), "sum": y.sum(-1)}

    class Decoder(torch.nn.Module):
        """A block with rotary embedding, causal attention by PyTorch's own function and a gated network."""

        def __init__(self, width=32, heads=4):
            super().__init__()
            self.heads = heads
            self.qkv, self.out = torch.nn.Linear(width, 3 * width, bias=False), torch.nn.Linear(width, width, bias=False)
            self.gate, self.up, self.down = (torch.nn.Linear(*s, bias=False) for s in ((width, 64), (width, 64), (64, width)))
            self.one, self.two = torch.nn.RMSNorm(width), torch.nn.RMSNorm(width)

        def turn(self, x):
            half = x.shape[-1] // 2
            angles = torch.arange(x.shape[2])[:, None] / 10 ** (torch.arange(half) / half)
            cos, sin = torch.cos(angles).repeat(1, 2), torch.sin(angles).repeat(1, 2)
            return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin

        def forward(self, x):
            b, n, m = x.shape
            q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.qkv(self.one(x)).chunk(3, -1))
            a = torch.nn.functional.scaled_dot_product_attention(self.turn(q), self.turn(k), v, is_causal=True)
            x = x + self.out(a.transpose(1, 2).reshape(b, n, m))
            y = self.two(x)
            return x + self.down(torch.nn.functional.silu(self.gate(y)) * self.up(y))


    class Asked(torch.nn.Linear):
        """With a default, a keyword, and a call of what it is made of."""

        def __init__(self):
            super().__init__(4, 4)

        def forward(self, x, scale=2., *, shift: float = 1.) -> torch.Tensor:
            return super().forward(x) * scale + shift


def check_mixed(tap, heddle):
    model, x = Mixed(), torch.randn(5, 16)
    fast = check(tap, heddle, "mixed", model, (x,), {"scale": 3.0}, 2)
    report = fast.heddle_report
    by = [part.by for part in report.parts]
    tap.check("/drop-in/mixed/parts", None if by.count("heddle") >= 2 and any("bessel_j0" in p.reason for p in report.parts if p.by == "pytorch") else str(report))
    tap.check("/drop-in/mixed/table", None if "run by PyTorch" in str(report) and "<td>" in report._repr_html_() else str(report))
    before = model.calls[1].item()
    with torch.no_grad():
        fast(x)
    tap.equal("/drop-in/mixed/written", (model.calls[1].item(), fast.calls is model.calls), (before + 1, True))
    with torch.no_grad():  # weights are shared, and other sizes are compiled for
        model.last.weight.mul_(2)
        other = torch.randn(7, 16)
        tap.check("/drop-in/mixed/shared", far_off(tensors_of(fast(other)), tensors_of(model(other))))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        loss = fast(x)["out"].sum()
        loss.backward()
    tap.equal("/drop-in/mixed/gradients", (model.first.weight.grad is not None, any("no_grad" in str(w.message) for w in told)), (True, True))


def check_cpu(tap, heddle):
    """Without the stand-in: what is on the CPU PyTorch runs, and says so."""
    from heddle import kernels
    kept = kernels.Runner.obstacle, kernels.load
    kernels.Runner.obstacle, kernels.load = kernels.plain
    try:
        model, x = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU()).eval(), torch.randn(3, 4)
        fast = heddle.optimise(model, x, heddle_options=options(heddle))
        with warnings.catch_warnings(record=True) as told, torch.no_grad():
            warnings.simplefilter("always")
            tap.check("/drop-in/cpu", far_off([fast(x)], [model(x)]))
        tap.equal("/drop-in/cpu/report", [part.by for part in fast.heddle_report.parts], ["heddle"])
        tap.equal("/drop-in/cpu/said", ["it was given arrays on cpu" in str(each.message) for each in told], [True])
    finally:
        kernels.Runner.obstacle, kernels.load = kept


def check_encoder(tap, heddle):
    """A layer of torch.nn that in the state of evaluation is one operator is taken apart, and nobody else's setting is changed."""
    encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(32, 4, 48, batch_first=True), 1, enable_nested_tensor=False)
    fast = check(tap, heddle, "encoder", encoder, (torch.randn(2, 7, 32),))
    tap.equal("/drop-in/encoder/parts", {part.by for part in fast.heddle_report.parts}, {"heddle"})
    tap.equal("/drop-in/encoder/setting", torch.backends.mha.get_fastpath_enabled(), True)


def check_in_place(tap, heddle):
    """Batch norms are in one part with what is around them, also where something is written in place: PyTorch then says them in an operator that has
    two more results, which are empty."""
    def layer(given, made):
        return [torch.nn.Conv2d(given, made, 3, padding=1, bias=False), torch.nn.BatchNorm2d(made), torch.nn.ReLU(inplace=True)]

    fast = check(tap, heddle, "in-place", torch.nn.Sequential(*layer(3, 4), *layer(4, 4)), (torch.randn(1, 3, 6, 5),))
    tap.equal("/drop-in/in-place/parts", [part.by for part in fast.heddle_report.parts], ["heddle"])


def check_weights(tap, heddle):
    """What the model has of its own are parameters of the document, each by itself, and what it is given are inputs."""
    model = torch.nn.Sequential(*(torch.nn.Linear(8, 8) for _ in range(3))).eval()
    folder = Folder()
    heddle.optimise(model, torch.randn(2, 8), heddle_options=options(heddle, folder=folder.path))
    lines = folder.output("equations", "graph-1/heddle_part_0.ncd").splitlines()
    declared = [line.split(" :")[0].split() for line in lines if " : f32[" in line]
    tap.equal("/drop-in/weights", sorted(len(words) for words in declared if words[-1].startswith("a")), [1] + 6 * [2])


def check_start(tap):
    """What the kernels cannot take as it comes is made over, nothing else is, and results are of the operators' types and shapes."""
    from heddle import kernels
    runner = kernels.Runner.__new__(kernels.Runner)
    given = {}
    runner.__dict__.update(reads=[("b", 1), ("a", 0)], order=[1, 0], types=[(torch.float32, (6,)), (torch.float16, (2, 3))], able=set(), constants={},
                           function=lambda **arrays: (given.update(arrays), (made[0], made[1]))[1])
    made = torch.arange(6.0).half().reshape(2, 3), torch.arange(6.0).half().reshape(2, 3)
    plain, room = torch.zeros(8, 4), torch.zeros(65)
    results = kernels.plain_start(runner, [plain, torch.zeros(4, 8).t()])
    tap.equal("/drop-in/start/as-it-comes", (given["a"] is plain, given["b"].is_contiguous()), (True, True))
    tap.equal("/drop-in/start/results", [(r.dtype, tuple(r.shape)) for r in results], [(torch.float32, (6,)), (torch.float16, (2, 3))])
    tap.equal("/drop-in/start/untouched", results[1] is made[0], True)
    kernels.plain_start(runner, [room[1:], torch.nn.Parameter(torch.zeros(4, 8))])
    tap.equal("/drop-in/start/made-over", (given["a"].data_ptr() % 16, given["b"].requires_grad), (0, False))
    obstacle = kernels.plain[0]
    runner.able = {torch.device("cpu")}
    tap.equal("/drop-in/obstacle/able", obstacle(runner, [plain, room]), None)
    tap.equal("/drop-in/obstacle/another", "meta" in obstacle(runner, [plain, room.to("meta")]), True)


def check_backend(tap, heddle):
    tap.equal("/drop-in/backend", "heddle" in torch._dynamo.list_backends(), True)
    nothing = heddle.optimise(torch.nn.Linear(4, 4).eval(), torch.randn(2, 4), heddle_options=heddle.Options(program="/nowhere/heddle"))
    tap.check("/drop-in/no-program", None if "/nowhere/heddle" in nothing.heddle_report.parts[0].reason else str(nothing.heddle_report))


def check_assertions(tap, heddle):
    """What PyTorch asserts of types is no part: there is nothing to make of it."""
    class Asserting(torch.nn.Module):
        def forward(self, x):
            torch.ops.aten._assert_tensor_metadata.default(x, None, None, torch.float32)
            y = x + 1
            torch.ops.aten._assert_tensor_metadata.default(y, None, None, torch.float32)
            return y * 2

    fast = heddle.optimise(Asserting(), torch.randn(2), heddle_options=heddle.Options(program="/nowhere/heddle"))
    tap.equal("/drop-in/assertions", [len(part.operators) for part in fast.heddle_report.parts], [2])
    # nor does it make a result of what is left between two operators
    from heddle import compiler
    fused, calls = compiler.cut(torch.export.export(Asserting(), (torch.randn(2),)), {})
    (returned,) = (node.args[0] for node in fused.get_submodule(calls[0].target).graph.nodes if node.op == "output")
    tap.equal("/drop-in/assertions/results", (len(calls), isinstance(returned, torch.fx.Node) or len(returned)), (1, True))


def check_refused(tap, heddle):
    """What a model itself cannot do with the arguments is one line, with the line of its source."""
    try:
        heddle.optimise(Asked().eval(), torch.randn(2, 5), heddle_options=heddle.Options(program="/nowhere/heddle"))
        said = "nothing"
    except RuntimeError as error:
        said = str(error)
    good = said.startswith("Asked, test-drop-in.py:") and "super().forward(x) * scale + shift" in said and "[2, 5]" in said and "\n" not in said
    tap.check("/drop-in/refused", None if good else said)


def check_many(tap, heddle):
    """Modules of one class are each compiled, however many there are, and one that PyTorch gives no graph of is told."""
    nowhere = heddle.Options(program="/nowhere/heddle")
    made = [heddle.optimise(Asked().eval(), torch.randn(2, 4), heddle_options=nowhere) for _ in range(12)]
    tap.equal("/drop-in/many", [len(fast.heddle_report.parts) for fast in made], [1] * 12)
    tap.check("/drop-in/many/compiled", [str(fast.heddle_report) for fast in made if "/nowhere/heddle" not in fast.heddle_report.parts[0].reason])
    tap.equal("/drop-in/many/signature", inspect.signature(made[0].forward), inspect.signature(Asked().forward))
    kept = heddle.optimise(torch.nn.Identity().eval(), torch.randn(2), heddle_options=nowhere)
    tap.equal("/drop-in/many/nothing", [(part.by, "no graph" in part.reason) for part in kept.heddle_report.parts], [("pytorch", True)])
    # all of torch.nn has one code in between, of which nothing was compiled just now
    made = [heddle.optimise(torch.nn.Sequential(torch.nn.Linear(4, 4)).eval(), torch.randn(2, 4), heddle_options=nowhere) for _ in range(12)]
    tap.check("/drop-in/many/of-torch", [str(fast.heddle_report) for fast in made if "/nowhere/heddle" not in fast.heddle_report.parts[0].reason])


def check_models(tap, heddle, corpus, names):
    """Small configurations of the corpus, with random weights."""
    sys.path.insert(0, corpus)
    from corpus import MODELS
    for name in names:
        try:
            model, arguments, keywords = MODELS[name]()
        except ImportError as error:
            tap.skip(f"/drop-in/{name}", str(error))
            continue
        check(tap, heddle, name, model, arguments, keywords)


def check_several(tap, heddle):
    """Sizes that are left open: kernels for each that comes, PyTorch beyond the bounds, and a line where the model cannot have them."""
    class Pairs(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Linear(16, 16)

        def forward(self, x, *, y):
            return torch.cat([self.first(x).relu(), y], 1)

    def given(words, more=None):
        return (torch.randn(2, words, 16),), {"y": torch.randn(2, words if more is None else more, 16)}

    model, words = Pairs().eval(), torch.export.Dim("words", min=3, max=12)
    args, kwargs = given(5)
    fast = heddle.optimise(model, *args, heddle_options=options(heddle), dynamic_shapes={"x": {1: words}, "y": {1: words}}, **kwargs)
    parts = len(fast.heddle_report.parts)
    with torch.no_grad():
        for size, kernels, planned in ((5, 1, parts), (9, 1, 2 * parts), (5, 1, 2 * parts), *((n, 1, (n - 7) * parts) for n in (10, 11, 12))):
            args, kwargs = given(size)
            before = heddle.launches
            tap.check(f"/drop-in/several/{size}-{planned}", far_off([fast(*args, **kwargs)], [model(*args, **kwargs)]))
            tap.equal(f"/drop-in/several/{size}-{planned}/planned", (heddle.launches - before >= kernels, len(fast.heddle_report.parts)), (True, planned))
        for name, (args, kwargs), words_ in (("most", given(13), "words is 13 and not 3 to 12"), ("other", given(5, 7), "dimension 1 of an array is 7, where it is to be 5"),
                                             ("fixed", ((torch.randn(1, 5, 16),), {"y": torch.randn(1, 5, 16)}), "dimension 0 of an array is 1, where it is to be 2")):
            before = heddle.launches
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                found = fast(*args, **kwargs)
            tap.check(f"/drop-in/several/{name}", far_off([found], [model(*args, **kwargs)]))
            tap.equal(f"/drop-in/several/{name}/said", ([str(each.message) for each in told], heddle.launches), ([f"heddle: PyTorch runs the model: {words_}"], before))
    tap.equal("/drop-in/several/signature", inspect.signature(fast.forward), inspect.signature(model.forward))
    width = torch.export.Dim("width", min=3, max=64)
    args, kwargs = given(5)
    try:
        heddle.optimise(model, *args, heddle_options=options(heddle), dynamic_shapes={"x": {2: width}, "y": {2: width}}, **kwargs)
        said = "nothing was said"
    except RuntimeError as error:
        said = str(error)
    tap.check("/drop-in/several/refused", None if said.startswith("Pairs") and "\n" not in said and "width" in said else said)


def check_own(tap, heddle):
    check_mixed(tap, heddle)
    check_cpu(tap, heddle)
    check_encoder(tap, heddle)
    check_in_place(tap, heddle)
    check_weights(tap, heddle)
    check_start(tap)
    check_backend(tap, heddle)
    check_assertions(tap, heddle)
    check_refused(tap, heddle)
    check_many(tap, heddle)
    check_several(tap, heddle)
    normed = torch.nn.Sequential(torch.nn.Linear(16, 8), torch.nn.LayerNorm(8), torch.nn.ReLU())
    short = heddle.optimise(normed.eval(), torch.randn(3, 16), heddle_options=options(heddle, steps=1)).heddle_report
    (part,) = short.parts
    tap.equal("/drop-in/short", (0 < part.searched < part.ways, f"; searched {part.searched} of {part.ways} ways to make its kernels" in str(short)), (True, True))
    check(tap, heddle, "decoder", Decoder(), (torch.randn(2, 9, 32),))
    block = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
                                torch.nn.Conv2d(8, 4, 3, stride=2), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(4, 5))
    uneven = torch.nn.Sequential(torch.nn.Conv2d(2, 3, 3), torch.nn.AdaptiveAvgPool2d((3, 4)), torch.nn.LayerNorm(4, elementwise_affine=False))
    check(tap, heddle, "constants", uneven, (torch.randn(1, 2, 9, 8),))
    check(tap, heddle, "convolutions", block, (torch.randn(2, 3, 12, 12),))


def main(packages, driver_path, corpus, *names):
    tap, folder = Tap(), Folder()
    if torch is None:
        tap.skip("/drop-in", "PyTorch is not installed")
        tap.finish()
    folder.write("c.eq", "A : [i=8]\nB[i] = A[i] + 1\n")
    if folder.run("compile", "c.eq").returncode != 0:
        tap.skip("/drop-in", "there is no CUDA compiler")
        tap.finish()
    torch.manual_seed(3)
    heddle = interpreted(packages, driver_path)
    if names:
        check_models(tap, heddle, corpus, names)
    else:
        check_own(tap, heddle)
    tap.finish()


main(*sys.argv[1:])
