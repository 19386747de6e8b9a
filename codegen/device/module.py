# SPDX-License-Identifier: MIT-0
# The part of an exported Python module that is the same in all: what is above the line is not copied.
# --- what runs them: the same text in every file that Heddle makes ---


def _fail(kind, text):
    raise kind(f"{_NAME}: {text}")


def _describe(dtype, axes, fixed):
    """float16[q, d=128]"""
    names = [f"{axis}={fixed[axis]}" if axis in fixed else axis for axis in axes]
    return f"{dtype}[{', '.join(names)}]"


def _gpu_of(device):
    """The kernels for a device: those of its own architecture, or an older one of the same generation."""
    major, minor = _torch.cuda.get_device_capability(device)
    found = None
    for gpu in _GPUS:
        of_major, of_minor = gpu["capability"]
        fits = minor == of_minor if gpu["arch"].endswith("a") else minor >= of_minor
        if major == of_major and fits and (found is None or of_minor >= found["capability"][1]):
            found = gpu
    if found is None:
        made = ", ".join(gpu["arch"] for gpu in _GPUS)
        _fail(RuntimeError, f"made for {made}, and this device is sm_{major}{minor}: export once more with --gpu for it")
    return found


def _sizes_of(gpu, arrays, extra):
    """Checks types and shapes; returns how long each axis is."""
    fixed = gpu["fixed"]
    sizes = dict(extra)
    for (name, dtype, axes), array in zip(_INPUTS, arrays):
        wanted = _describe(dtype, axes, fixed)
        if array.dtype != getattr(_torch, dtype, None):
            _fail(TypeError, f"{name} is of {array.dtype}, not {wanted}")
        if len(array.shape) != len(axes):
            _fail(ValueError, f"{name} has {len(array.shape)} axes, not {wanted}")
        for axis, size in zip(axes, array.shape):
            if sizes.setdefault(axis, size) != size:
                _fail(ValueError, f"axis {axis} is {sizes[axis]} long, and {size} in {name}, which is {wanted}")
    sizes = {**fixed, **sizes}
    for axis, size_of in _DERIVED:
        size = size_of(sizes)
        if sizes.setdefault(axis, size) != size:
            _fail(ValueError, f"axis {axis} is {sizes[axis]} long, and has to be {size}, since it follows from the other axes")
    for axis, size in sizes.items():
        if size < 1:
            _fail(ValueError, f"axis {axis} is {size} long: there is nothing to compute")
        if size != fixed.get(axis, size):
            _fail(ValueError, f"axis {axis} is {size} long, and these kernels are made for {fixed[axis]}: export them once more with "
                              f"--set {axis}={size}")
    for one, other in gpu["equal"]:
        if sizes[one] != sizes[other]:
            _fail(ValueError, f"axes {one} and {other} have to be equally long")
    return sizes


def _device_of(arrays):
    """Checks where the arrays are: on one GPU, row-major, without gaps."""
    device = None
    for (name, _, _), array in zip(_INPUTS, arrays):
        if not isinstance(array, _torch.Tensor):
            _fail(TypeError, f"{name} is of {type(array).__name__}, not a tensor")
        if array.device.type != "cuda":
            none = "" if _torch.cuda.is_available() else ", and PyTorch finds no CUDA device here"
            _fail(ValueError, f"{name} is on {array.device}, not on a GPU{none}")
        device = device or array.device
        if array.device != device:
            _fail(ValueError, f"{name} is on {array.device}, and {_INPUTS[0][0]} on {device}")
        if not array.is_contiguous():
            _fail(ValueError, f"{name} has strides {tuple(array.stride())}: these kernels take arrays in row-major order without gaps; "
                              f"give {name}.contiguous ()")
    return device or _torch.device("cuda", _torch.cuda.current_device())


def _check_alignment(gpu, arrays):
    for (name, _, _), array in zip(_INPUTS, arrays):
        bytes_ = gpu["alignment"][name]
        if array.data_ptr() % bytes_ != 0:
            _fail(ValueError, f"{name} begins at an address that is no multiple of {bytes_}: give {name}.clone ()")


def _results(sizes, device):
    """Arrays for what is computed, of which nothing is known yet."""
    return [_torch.empty(tuple(sizes[axis] for axis in axes), dtype=getattr(_torch, dtype), device=device) for _, dtype, axes in _OUTPUTS]


def _packed(results):
    return results[0] if len(results) == 1 else tuple(results)


class _Driver:
    """NVIDIA's driver, by its own interface: no compiler and no other library is needed."""

    def __init__(self):
        self.library = None
        self.contexts = {}
        self.functions = {}
        self.lock = _threading.Lock()

    def open(self):
        for name in ("libcuda.so.1", "libcuda.so", "nvcuda.dll"):
            try:
                self.library = _ctypes.CDLL(name)
                break
            except OSError:
                continue
        if self.library is None:
            _fail(RuntimeError, "NVIDIA's driver (libcuda.so.1) was not found")
        self.call("cuInit", _ctypes.c_uint(0))

    def call(self, function, *arguments):
        status = getattr(self.library, function)(*arguments)
        if status != 0:
            words = _ctypes.c_char_p()
            self.library.cuGetErrorString(_ctypes.c_int(status), _ctypes.byref(words))
            _fail(RuntimeError, f"{function}: {(words.value or b'unknown error').decode()} ({status})")

    def context(self, index):
        """The context that PyTorch works in."""
        if index not in self.contexts:
            device, context = _ctypes.c_int(), _ctypes.c_void_p()
            self.call("cuDeviceGet", _ctypes.byref(device), _ctypes.c_int(index))
            self.call("cuDevicePrimaryCtxRetain", _ctypes.byref(context), device)
            self.contexts[index] = context
        return self.contexts[index]

    def load(self, kernel):
        """The kernel, in the context at hand; one without code of its own is started with other arrays than the one that has it."""
        module, function = _ctypes.c_void_p(), _ctypes.c_void_p()
        code = _zlib.decompress(_base64.b64decode(kernel["code"]))
        self.call("cuModuleLoadData", _ctypes.byref(module), _ctypes.c_char_p(code))
        self.call("cuModuleGetFunction", _ctypes.byref(function), module, _ctypes.c_char_p(kernel["entry"].encode()))
        if kernel["shared"] > 48 * 1024:  # more than that has to be asked for: attribute 8
            self.call("cuFuncSetAttribute", function, _ctypes.c_int(8), _ctypes.c_int(kernel["shared"]))
        return function

    def encode(self, *arguments):
        with self.lock:
            if self.library is None:
                self.open()
        self.call("cuTensorMapEncodeTiled", *arguments)

    def launch(self, index, kernel, blocks, arguments, stream):
        pointers = (_ctypes.c_void_p * len(arguments))(*[_ctypes.addressof(argument) for argument in arguments])
        with self.lock:
            if self.library is None:
                self.open()
            self.call("cuCtxPushCurrent_v2", self.context(index))
            try:
                key = (index, kernel["entry"])
                if key not in self.functions:
                    self.functions[key] = self.load(kernel)
                one, none = _ctypes.c_uint(1), _ctypes.c_void_p()
                self.call("cuLaunchKernel", self.functions[key], _ctypes.c_uint(blocks), one, one, _ctypes.c_uint(kernel["threads"]), one, one,
                          _ctypes.c_uint(kernel["shared"]), _ctypes.c_void_p(stream), pointers, none)
            finally:
                self.library.cuCtxPopCurrent_v2(_ctypes.byref(_ctypes.c_void_p()))


_driver = _Driver()


def _map_of(array, sizes, box):
    """What the copy hardware is told of an array of 16-bit elements, or of bytes: nothing where its rows are not aligned to 16 bytes, when kernels do without."""
    n = len(sizes)
    memory = (_ctypes.c_ubyte * 192)()
    place = -_ctypes.addressof(memory) % 64  # the driver wants it aligned
    value = (_ctypes.c_ubyte * 128).from_buffer(memory, place)
    sides, strides = list(reversed(sizes)), []
    for size in sides[:-1]:
        strides.append(size * (strides[-1] if strides else array.element_size()))
    if strides[0] % 16 == 0:
        kind = 0 if array.element_size() == 1 else {_torch.float16: 6, _torch.bfloat16: 9}[array.dtype]  # then: not interleaved, 128-byte swizzle, 256-byte promotion, zeros outside
        _driver.encode(_ctypes.byref(value), _ctypes.c_int(kind), _ctypes.c_uint32(n), _ctypes.c_void_p(array.data_ptr()),
                       (_ctypes.c_uint64 * n)(*sides), (_ctypes.c_uint64 * (n - 1))(*strides), (_ctypes.c_uint32 * n)(*reversed(box)),
                       (_ctypes.c_uint32 * n)(*[1] * n), _ctypes.c_int(0), _ctypes.c_int(3), _ctypes.c_int(3), _ctypes.c_int(0))
    return value


def _check_lengths(kernel, sizes):
    """The copy hardware counts along an axis with 32 bits and a sign."""
    for name, axes, _ in kernel.get("maps", ()):
        for axis in axes:
            if sizes[axis] > 2147483647:
                _fail(ValueError, f"axis {axis} of {name} is {sizes[axis]} long, and these kernels take 2147483647 at most")


def _blocks_of(kernel, sizes):
    blocks = 1
    for axis, tile in kernel["grid"]:
        blocks *= -(-sizes[axis] // tile)
    if blocks > 2147483647:
        _fail(ValueError, f"these sizes need {blocks} blocks, and a grid has 2147483647 at most")
    return blocks


def _run(*arguments):
    """Computes the results on the stream that is current."""
    arrays, given = arguments[:len(_INPUTS)], arguments[len(_INPUTS):]
    if arrays and all(isinstance(array, _torch.Tensor) and array.device.type == "meta" for array in arrays):
        return _fake(*arguments)  # before PyTorch 2.4 nobody else asks for it
    device = _device_of(arrays)
    gpu = _gpu_of(device)
    sizes = _sizes_of(gpu, arrays, zip(_EXTRA, given))
    _check_alignment(gpu, arrays)
    for axis, (whole, tile) in gpu["parts"].items():
        sizes[axis] = -(-sizes[whole] // tile)
    for kernel in gpu["kernels"]:
        _check_lengths(kernel, sizes)
    results = _results(sizes, device)
    known = {name: array for (name, _, _), array in zip(_INPUTS + _OUTPUTS, [*arrays, *results])}
    for name, dtype, axes in gpu["workspace"]:
        known[name] = _torch.empty(tuple(sizes[axis] for axis in axes), dtype=getattr(_torch, dtype), device=device)
    for name, base, places, bytes_ in gpu["views"]:
        known[name] = known[base][places]
        if known[name].data_ptr() % bytes_ != 0:
            _fail(ValueError, f"{base}: its part {places} begins at an address that is no multiple of {bytes_}")
    stream = _torch.cuda.current_stream(device).cuda_stream
    for kernel in gpu["kernels"]:
        values = [_ctypes.c_longlong(sizes[name]) if what == "size" else _ctypes.c_void_p(known[name].data_ptr())
                  for what, name in kernel["arguments"]]
        values += [_map_of(known[name], [sizes[axis] for axis in axes], box) for name, axes, box in kernel.get("maps", ())]
        _driver.launch(device.index, kernel, _blocks_of(kernel, sizes), values, stream)
    return _packed(results)


def _fake(*arguments):
    """The types of the results, for torch.compile and torch.export: nothing is computed."""
    arrays, given = arguments[:len(_INPUTS)], arguments[len(_INPUTS):]
    device = arrays[0].device
    gpu = _gpu_of(device) if device.type == "cuda" else _GPUS[0]
    sizes = _sizes_of(gpu, arrays, zip(_EXTRA, given))
    return _packed(_results(sizes, device))


def _register():
    """The operator as torch.compile knows it; before PyTorch 2.4, and where nothing is read, the plain function."""
    library = getattr(_torch, "library", None)
    if not hasattr(library, "custom_op") or not _INPUTS:
        return _run
    operator = library.custom_op(_OPERATOR, _run, mutates_args=(), schema=_SCHEMA)
    operator.register_fake(_fake)
    return operator


_operator = _register()


def _call(arrays, extra):
    if _torch.is_grad_enabled() and any(getattr(array, "requires_grad", False) for array in arrays):
        _fail(RuntimeError, "no gradients go through these kernels: call them under torch.no_grad (), or give arrays without requires_grad")
    return _operator(*arrays, *extra)
