#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Calls of an exported Python module, one after the other and from several threads: what it keeps of a call must never serve one that is not the same. The
oracle is a module that was not called before. No GPU is needed, and no PyTorch."""

import importlib.util
import sys
import threading

import stand_in_torch
from heddle import ATTENTION, Folder, Tap
from stand_in_torch import Device, Tensor

PLACES = (1 << 20, 2 << 20, 3 << 20)
RESULT = 4 << 20
# What a call after the first one has that the first one had not; {} is the same again.
CALLS = {
    "same": {},
    "queries": {"q": 200},
    "keys": {"x": 90},
    "both": {"q": 77, "x": 130},
    "wide": {"d": 64},
    "q-elsewhere": {"at": (5 << 20, PLACES[1], PLACES[2])},
    "k-elsewhere": {"at": (PLACES[0], 5 << 20, PLACES[2])},
    "v-elsewhere": {"at": (*PLACES[:2], 5 << 20)},
    "exchanged": {"at": (PLACES[0], PLACES[2], PLACES[1])},
    "result-elsewhere": {"out": 6 << 20},
    "stream": {"stream": 78},
    "device": {"device": 1},
    "two-devices": {"devices": (0, 1, 0)},
    "cpu": {"kind": "cpu"},
    "type": {"dtype": "torch.bfloat16"},
    "one-type": {"dtypes": ("torch.float16", "torch.float16", "torch.float32")},
    "strides": {"strides": (1, 130)},
    "misaligned": {"at": (PLACES[0] + 2, *PLACES[1:])},
    "gradients": {"requires_grad": True},
    "rank": {"rank": 3},
    "empty": {"x": 0},
    "list": {"list": True},
}
# What a key may leave out, as the text of the module; and a call that then goes wrong.
OMISSIONS = {
    "shapes": ((("array.shape, array.dtype, array.device", "array.dtype, array.device"),), "queries"),
    "types": ((("array.shape, array.dtype, array.device", "array.shape, array.device"),), "type"),
    "devices": ((("array.shape, array.dtype, array.device", "array.shape, array.dtype"),), "device"),
    "strides": (((" or not array.is_contiguous()", ""),), "strides"),
    "plan": ((("_launches.get(key)", "_launches.get(key[1:])"), ("_launches.put(key,", "_launches.put(key[1:],")), "queries"),
    "places-read": ((("_launches.get(key)", "_launches.get((plan, key[-1]))"), ("_launches.put(key,", "_launches.put((plan, key[-1]),")), "k-elsewhere"),
    "places-made": ((("_launches.get(key)", "_launches.get(key[:-1])"), ("_launches.put(key,", "_launches.put(key[:-1],")), "result-elsewhere"),
    "map-places": ((("_maps.get(key)", "_maps.get(key[1:])"), ("_maps.put(key,", "_maps.put(key[1:],")), "k-elsewhere"),
    "map-sizes": ((("_maps.get(key)", "_maps.get((key[0], key[3]))"), ("_maps.put(key,", "_maps.put((key[0], key[3]),")), "keys"),
}


def load(text, name, **options):
    """A module of that text with stand-ins of its own."""
    torch, driver = stand_in_torch.install(**options)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, None))
    exec(compile(text, name, "exec"), module.__dict__)  # noqa: S102: exported just now
    return module, torch, driver


class Caller:
    """Attention of sm_90a, with arrays that come to lie where they are told to."""

    def __init__(self, text):
        self.module, self.torch, self.driver = load(text, "attention", capability=(9, 0))
        self.torch.empty = lambda shape, dtype, device: Tensor(shape, dtype, device, address=self.out)

    def call(self, q=130, x=77, d=128, at=PLACES, out=RESULT, stream=77, device=0, devices=None, kind="cuda", dtype="torch.float16", dtypes=None,
             strides=None, requires_grad=False, rank=2, **more):
        """All that can be seen of a call: what was started with what, and what came back; or the words of a refusal."""
        self.out, self.torch._C.streams, self.torch.gradients = out, {device: stream}, True
        shapes, count = [(n, d) if rank == 2 else (1, n, d) for n in (q, x, x)], len(self.driver.launches)
        arrays = [Tensor(shape, (dtypes or [dtype] * 3)[i], Device(kind, (devices or [device] * 3)[i]), strides if i == 0 else None, at[i], requires_grad)
                  for i, shape in enumerate(shapes)]
        if "list" in more:
            arrays[1] = [1.0]
        with stand_in_torch.driver_in_place(self.driver):
            try:
                result = self.module.attention(*arrays)
            except (TypeError, ValueError, RuntimeError) as error:
                return f"{type(error).__name__}: {error}", len(self.driver.launches) - count
        launch = self.driver.launches[-1]
        maps = [{key: self.driver.maps[-value - 1][key] for key in ("array", "sizes", "strides", "box", "kind")} for value in launch["values"][6:]]
        return {**launch, "values": launch["values"][:6], "maps": maps, "count": len(self.driver.launches) - count,
                "result": (result.shape, result.dtype, result.device.index, result.address)}


def off(text, oracle):
    """The names of calls that do another thing after a first call than they do by themselves."""
    found = []
    for name, given in CALLS.items():
        caller = Caller(text)
        caller.call()
        try:
            done = caller.call(**given)
        except Exception as error:  # noqa: BLE001: whatever a module without a part of its keys runs into
            done = repr(error)
        if done != oracle[name]:
            found.append(name)
    return found


def check_keys(tap, text):
    oracle = {name: Caller(text).call(**given) for name, given in CALLS.items()}
    tap.equal("/calls/first", {key: oracle["same"][key] for key in ("values", "context", "stream", "count", "result")},
              {"values": [*PLACES, RESULT, 130, 77], "context": 1000, "stream": 77, "count": 1, "result": ((130, 128), "torch.float16", 0, RESULT)})
    tap.equal("/calls/first/maps", [(each["array"], each["sizes"]) for each in oracle["same"]["maps"]],
              [(PLACES[0], [128, 130]), (PLACES[1], [128, 77]), (PLACES[2], [128, 77])])
    tap.equal("/calls/first/device", [oracle["device"][key] for key in ("context", "stream")] + [oracle["device"]["result"][2]], [1001, 77, 1])
    refused = [name for name, done in oracle.items() if isinstance(done, tuple)]
    tap.equal("/calls/first/refused", refused,
              ["wide", "two-devices", "cpu", "type", "one-type", "strides", "misaligned", "gradients", "rank", "empty", "list"])
    tap.equal("/calls/first/refused/count", {oracle[name][1] for name in refused}, {0})
    tap.equal("/calls/second", off(text, oracle), [])
    for omission, (changes, name) in OMISSIONS.items():
        changed = text
        for one, other in changes:
            assert changed.count(one) == 1, one
            changed = changed.replace(one, other)
        found = off(changed, oracle)
        tap.check(f"/calls/left-out/{omission}", None if name in found else f"nobody noticed but {found}")


def check_work(tap, text):
    """A call like one before asks the driver for nothing but the launch."""
    caller = Caller(text)
    first = caller.call()
    asked = {name: getattr(caller.driver, name) for name in dir(caller.driver) if name.startswith("cu")}
    done = []
    for name, function in asked.items():
        setattr(caller.driver, name, lambda *arguments, name=name, function=function: (done.append(name), function(*arguments))[1])
    tap.equal("/calls/again", caller.call(), first)
    tap.equal("/calls/again/asked", done, ["cuCtxPushCurrent_v2", "cuLaunchKernel", "cuCtxPopCurrent_v2"])
    done.clear()
    caller.call(q=9, x=13, at=(10 << 20, 11 << 20, 12 << 20))  # what a stream that is captured takes, and a map is made by the host alone
    tap.equal("/calls/captured", done, [
        "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", *["cuTensorMapEncodeTiled"] * 3, "cuCtxPushCurrent_v2", "cuLaunchKernel", "cuCtxPopCurrent_v2"])
    count = len(caller.driver.maps)
    caller.call(out=7 << 20)
    tap.equal("/calls/again/maps", len(caller.driver.maps), count)
    caller.call(at=(8 << 20, *PLACES[1:]))
    tap.equal("/calls/again/one-map", len(caller.driver.maps), count + 1)
    with stand_in_torch.driver_in_place(caller.driver):
        for key in ((9 << 20, "float16", (4, 128), (64, 64)), (9 << 20, "float16", (4, 128), (64, 32)), (9 << 20, "bfloat16", (4, 128), (64, 64))):
            caller.module._map_at(*key)
    tap.equal("/calls/maps/keys", len(caller.driver.maps), count + 4)


def check_bounds(tap, text):
    caller = Caller(text)
    kept = caller.module._Kept(2)
    for key in "ab":
        kept.put(key, key.upper())
    kept.get("a")
    kept.put("c", "C")
    tap.equal("/calls/kept", [kept.get(key) for key in "abc"], ["A", None, "C"])
    for i in range(300):
        caller.call(at=(i * 4096 + 4096, *PLACES[1:]))
        caller.call(q=i + 1)
    module = caller.module
    tap.equal("/calls/bounded", [(len(each.known), each.most) for each in (module._plans, module._launches, module._maps)], [(64, 64), (256, 256), (256, 256)])
    tap.equal("/calls/bounded/right", caller.call(), Caller(text).call())


def check_threads(tap, text):
    """Each has shapes and arrays of its own, and more of them than are kept."""
    module, torch, driver = load(text, "attention", capability=(9, 0))
    module._plans.most, module._launches.most, module._maps.most = 2, 3, 4
    wrong, cuda = [], torch.device("cuda")

    def work(number):
        for i in range(60):
            q, x = number + 1 + i % 3, 100 * number + 1 + i % 2
            arrays = [Tensor((n, 128), torch.float16, cuda, address=((number * 8 + i % 4) * 4 + k + 1) << 20) for k, n in enumerate((q, x, x))]
            result = module.attention(*arrays)
            mine = [launch["values"] for launch in list(driver.launches) if launch["values"][3] == result.address]
            wanted = [*[array.address for array in arrays], result.address, q, x]
            told = [(driver.maps[-value - 1]["array"], driver.maps[-value - 1]["sizes"][1]) for value in mine[0][6:]]
            if len(mine) != 1 or mine[0][:6] != wanted or told != [(array.address, array.shape[0]) for array in arrays] or result.shape != (q, 128):
                wrong.append((mine, wanted))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with stand_in_torch.driver_in_place(driver):
            threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(interval)
    tap.equal("/calls/threads", (wrong, len(driver.launches), len(driver.code)), ([], 480, 1))


def check_operators(tap, text):
    """Whoever looks for operators finds one; otherwise the way to it is left out."""
    ways = {"nobody": {}, "compile": {"compiling": True}, "mode": {"modes": 1}, "tracer": {"tracer": object()}, "transformation": {"transformation": object()},
            "parameter": {"kind": stand_in_torch.Parameter}, "subclass": {"kind": type("Own", (Tensor,), {})}}
    for name, way in ways.items():
        module, torch, driver = load(text, "attention", capability=(9, 0))
        torch.compiling = way.get("compiling", False)
        for attribute in ("modes", "tracer", "transformation"):
            setattr(torch._C, attribute, way.get(attribute, getattr(torch._C, attribute)))
        arrays = [way.get("kind", Tensor)((n, 128), torch.float16, torch.device("cuda")) for n in (4, 6, 6)]
        with stand_in_torch.driver_in_place(driver):
            shape = module.attention(*arrays).shape
        (operator,) = torch.library.operators.values()
        tap.equal(f"/calls/operator/{name}", (shape, operator.calls), ((4, 128), 0 if name in ("nobody", "parameter") else 1))
    module, torch, driver = load(text, "attention", capability=(9, 0), core=False)
    with stand_in_torch.driver_in_place(driver):
        module.attention(*[Tensor((n, 128), torch.float16, torch.device("cuda")) for n in (4, 6, 6)])
    (operator,) = torch.library.operators.values()
    tap.equal("/calls/operator/another-pytorch", (operator.calls, driver.launches[0]["stream"]), (1, 77))


def check_sizes(tap, folder):
    """A size that no array has is a part of the key, and no other number in the place of one."""
    folder.write("extra.eq", "X : f32[n=64]\naxis y = 28\nT[y] = X[2*y]\n-> T\n")
    folder.output("export", "extra.eq", "-o", "extra.py", "--gpu", "a100", "--no-verify")
    module, torch, driver = load(folder.read("extra.py").decode(), "extra")
    x = Tensor((64,), torch.float32, torch.device("cuda"))
    with stand_in_torch.driver_in_place(driver):
        shapes = [module.extra(x).shape, module.extra(x, y=20).shape, module.extra(x, y=28).shape]
        (operator,) = torch.library.operators.values()
        calls = operator.calls
        module.extra(x, y=28.0)
    tap.equal("/calls/sizes", (shapes, [launch["values"][-1] for launch in driver.launches][:3]), ([(28,), (20,), (28,)], [28, 20, 28]))
    tap.equal("/calls/sizes/other-numbers", operator.calls - calls, 1)


def check_views(tap, folder):
    """A part of an array is read where it lies, in each array anew; one that the array has not is refused."""
    folder.write("view.eq", "param W : f32[p=3, m=64]\nX : f32[n=128, m]\nR[m] = W[1,m]\nZ[n,m] = X[n,m] * R[m]\n-> Z\n")
    folder.output("export", "view.eq", "-o", "view.py", "--gpu", "a100", "--no-verify")
    module, torch, driver = load(folder.read("view.py").decode(), "view")
    cuda = torch.device("cuda")

    def call(rows, address):
        given = {"X": Tensor((128, 64), torch.float32, cuda), "W": Tensor((rows, 64), torch.float32, cuda, address=address)}
        try:
            module.view(**given)
        except ValueError as error:
            return str(error)
        return next((value - address for value in driver.launches[-1]["values"] if address <= value < address + rows * 256), None)

    with stand_in_torch.driver_in_place(driver):
        tap.equal("/calls/views", [call(3, 1 << 20), call(3, 2 << 20), call(2, 2 << 20)], [256, 256, 256])
        said = call(1, 1 << 20)
    tap.equal("/calls/views/outside", said, "view: W has no part (1,): an axis of it is 1 long")
    folder.write("view.eq", folder.read("view.eq").decode().replace("W[1,m]", "W[2,m]"))
    folder.output("export", "view.eq", "-o", "other.py", "--gpu", "a100", "--no-verify")
    other, _, _ = load(folder.read("other.py").decode(), "other")
    tap.check("/calls/views/operators", None if other._OPERATOR != module._OPERATOR else f"both are {other._OPERATOR}")
    # an array is read as one of other axes, from its place on, where they are as many elements
    folder.write("regrouped.eq", "param W : f32[m=64, i=96]\nX : f32[m]\naxis h = 3\naxis k = 32\nH[m,h,k] = W[m,(h k)]\n"
                 "param T : f32[v=40, m]\nP[h,m] = T[h+5,m]\nZ[m,h,k] = X[m] * H[m,h,k] + P[h,m]\n-> Z\n")
    folder.output("export", "regrouped.eq", "-o", "regrouped.py", "--gpu", "a100", "--no-verify")
    regrouped, torch, driver = load(folder.read("regrouped.py").decode(), "regrouped")

    def read(columns, rows):
        sizes = {"W": (64, columns), "X": (64,), "T": (rows, 64)}
        given = {name: Tensor(shape, torch.float32, cuda, address=(at + 1) << 20) for at, (name, shape) in enumerate(sizes.items())}
        extra = {axis: size for axis, size in (("h", 3), ("k", 32)) if axis in regrouped._EXTRA}
        try:
            regrouped.regrouped(**given, **extra)
        except ValueError as error:
            return str(error)
        return [value - (3 << 20) for value in driver.launches[-1]["values"] if 3 << 20 <= value < 4 << 20] + [1 << 20 in driver.launches[-1]["values"]]

    with stand_in_torch.driver_in_place(driver):
        tap.equal("/calls/views/regrouped", read(96, 40), [5 * 64 * 4, True])
        said = [read(95, 40), read(96, 7)]
    tap.equal("/calls/views/regrouped/refused", [text.split(": ", 1)[1] for text in said],
              ["W is of [64, 95], and cannot be read as [64, 3, 32]", "T is of [7, 64], and cannot be read as [3, 64]"])
    # from the first row on, too: a table of positions is longer than the words
    folder.write("table.eq", "param T : f32[v=40, m=64]\nX : f32[s=9, m]\nP[s,m] = T[s+0,m]\nZ[s,m] = X[s,m] * P[s,m]\n-> Z\n")
    folder.output("export", "table.eq", "-o", "table.py", "--gpu", "a100", "--no-verify")
    first, torch, driver = load(folder.read("table.py").decode(), "table")

    def read_first(rows):
        given = {"T": Tensor((rows, 64), torch.float32, cuda, address=3 << 20), "X": Tensor((9, 64), torch.float32, cuda, address=1 << 20)}
        try:
            first.table(**given)
        except ValueError as error:
            return str(error)
        return 3 << 20 in driver.launches[-1]["values"]

    with stand_in_torch.driver_in_place(driver):
        tap.equal("/calls/views/first", [read_first(40), read_first(9), read_first(8)],
                  [True, True, "table: T is of [8, 64], and cannot be read as [9, 64]"])


def main():
    tap, folder = Tap(), Folder()
    folder.write("attention.eq", ATTENTION)
    if folder.run("export", "attention.eq", "-o", "attention.py", "--gpu", "h100", "--family", "sm90a", "--no-verify").returncode == 3:
        tap.skip("/calls", "there is no CUDA compiler")
        tap.finish()
    text = folder.read("attention.py").decode()
    check_keys(tap, text)
    check_work(tap, text)
    check_bounds(tap, text)
    check_threads(tap, text)
    check_operators(tap, text)
    check_sizes(tap, folder)
    check_views(tap, folder)
    tap.finish()


main()
