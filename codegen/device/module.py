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


def _results(sizes, device):
    """Arrays for what is computed, of which nothing is known yet."""
    return [_torch.empty(tuple(sizes[axis] for axis in axes), dtype=getattr(_torch, dtype), device=device) for _, dtype, axes in _OUTPUTS]


def _packed(results):
    return results[0] if len(results) == 1 else tuple(results)


class _Kept:
    """What was worked out, by all that it follows from. Of more than @most the one that was not asked for the longest goes."""

    def __init__(self, most):
        self.most, self.known, self.lock = most, {}, _threading.Lock()

    def get(self, key):
        with self.lock:
            value = self.known.pop(key, None)
            if value is not None:
                self.known[key] = value
        return value

    def put(self, key, value):
        with self.lock:
            self.known[key] = value
            while len(self.known) > self.most:
                del self.known[next(iter(self.known))]


class _Driver:
    """NVIDIA's driver, by its own interface: no compiler and no other library is needed."""

    def __init__(self):
        self.library = None
        self.contexts = {}
        self.functions = {}
        self.lock = _threading.Lock()
        self.none = _ctypes.c_void_p()
        self.left = _ctypes.byref(_ctypes.c_void_p())  # the context that was left: nobody asks for it

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

    def check(self, function, status):
        if status != 0:
            words = _ctypes.c_char_p()
            self.library.cuGetErrorString(_ctypes.c_int(status), _ctypes.byref(words))
            _fail(RuntimeError, f"{function}: {(words.value or b'unknown error').decode()} ({status})")

    def call(self, function, *arguments):
        self.check(function, getattr(self.library, function)(*arguments))

    def context(self, index):
        """The context that PyTorch works in."""
        if index not in self.contexts:
            device, context = _ctypes.c_int(), _ctypes.c_void_p()
            self.call("cuDeviceGet", _ctypes.byref(device), _ctypes.c_int(index))
            self.call("cuDevicePrimaryCtxRetain", _ctypes.byref(context), device)
            self.contexts[index] = context
        return self.contexts[index]

    def function(self, index, kernel):
        """The kernel, in the context at hand; one without code of its own is started with other arrays than the one that has it."""
        key = (index, kernel["entry"])
        if key not in self.functions:
            module, function = _ctypes.c_void_p(), _ctypes.c_void_p()
            code = _zlib.decompress(_base64.b64decode(kernel["code"]))
            self.call("cuModuleLoadData", _ctypes.byref(module), _ctypes.c_char_p(code))
            self.call("cuModuleGetFunction", _ctypes.byref(function), module, _ctypes.c_char_p(kernel["entry"].encode()))
            if kernel["shared"] > 48 * 1024:  # more than that has to be asked for: attribute 8
                self.call("cuFuncSetAttribute", function, _ctypes.c_int(8), _ctypes.c_int(kernel["shared"]))
            self.functions[key] = function
        return self.functions[key]

    def load(self, index, kernels):
        """The context on a device, and the kernels in it."""
        with self.lock:
            if self.library is None:
                self.open()
            context = self.context(index)
            self.call("cuCtxPushCurrent_v2", context)
            try:
                return context, [self.function(index, kernel) for kernel in kernels]
            finally:
                self.library.cuCtxPopCurrent_v2(self.left)

    def launch(self, context, launches, stream):
        """Starts kernels in order, in whichever thread: nothing that they share is written."""
        library, stream = self.library, _ctypes.c_void_p(stream)
        self.check("cuCtxPushCurrent_v2", library.cuCtxPushCurrent_v2(context))
        try:
            for head, pointers, _ in launches:
                status = library.cuLaunchKernel(*head, stream, pointers, self.none)
                if status != 0:
                    self.check("cuLaunchKernel", status)
        finally:
            library.cuCtxPopCurrent_v2(self.left)


_driver = _Driver()
_BYTES = {"float64": 8, "int64": 8, "float32": 4, "int32": 4, "float16": 2, "bfloat16": 2}  # of an element; of any other type it is one
_MAP_KINDS = {"float16": 6, "bfloat16": 9}  # as the driver counts types; bytes are 0


def _blocks_of(kernel, sizes):
    blocks = 1
    for axis, tile in kernel["grid"]:
        blocks *= -(-sizes[axis] // tile)
    if blocks > 2147483647:
        _fail(ValueError, f"these sizes need {blocks} blocks, and a grid has 2147483647 at most")
    return blocks


def _check_lengths(kernel, sizes):
    """The copy hardware counts along an axis with 32 bits and a sign."""
    for name, axes, _ in kernel.get("maps", ()):
        for axis in axes:
            if sizes[axis] > 2147483647:
                _fail(ValueError, f"axis {axis} of {name} is {sizes[axis]} long, and these kernels take 2147483647 at most")


def _elements(shape):
    n = 1
    for size in shape:
        n *= size
    return n


def _views_of(gpu, types, sizes):
    """Arrays that lie in others, in all of what is at the places or from a first row on: how many bytes behind their beginning. Adds them to @types."""
    views = []
    for name, base, places, first, axes, alignment in gpu["views"]:
        dtype, shape = types[base]
        offset = 0
        for place, size in zip(places, shape):
            if place >= size:
                _fail(ValueError, f"{base} has no part {places}: an axis of it is {size} long")
            offset = offset * size + place
        rest = shape[len(places):]
        own = tuple(sizes.get(axis, axis) for axis in axes)
        before, there = (first or 0) * _elements(rest[1:]), _elements(rest)
        if _elements(own) != there if first is None else before + _elements(own) > there:
            _fail(ValueError, f"{base} is of {list(shape)}, and cannot be read as {list(own)}")
        types[name] = dtype, own
        views.append((name, base, (offset * there + before) * _BYTES.get(dtype, 1), alignment, places))
    return views


def _map_of(address, dtype, sizes, box):
    """What the copy hardware is told of an array: nothing where its rows are not aligned to 16 bytes, when kernels do without."""
    n, bytes_ = len(sizes), _BYTES.get(dtype, 1)
    memory = (_ctypes.c_ubyte * 192)()
    place = -_ctypes.addressof(memory) % 64  # the driver wants it aligned
    value = (_ctypes.c_ubyte * 128).from_buffer(memory, place)
    sides, strides = list(reversed(sizes)), []
    for size in sides[:-1]:
        strides.append(size * (strides[-1] if strides else bytes_))
    if strides[0] % 16 == 0:
        kind = 0 if bytes_ == 1 else _MAP_KINDS[dtype]  # then: not interleaved, 128-byte swizzle, 256-byte promotion, zeros outside
        _driver.call("cuTensorMapEncodeTiled", _ctypes.byref(value), _ctypes.c_int(kind), _ctypes.c_uint32(n), _ctypes.c_void_p(address),
                     (_ctypes.c_uint64 * n)(*sides), (_ctypes.c_uint64 * (n - 1))(*strides), (_ctypes.c_uint32 * n)(*reversed(box)),
                     (_ctypes.c_uint32 * n)(*[1] * n), _ctypes.c_int(0), _ctypes.c_int(3), _ctypes.c_int(3), _ctypes.c_int(0))
    return value


# What is kept, by all that it follows from. Addresses come back in rotation, and a model calls the same kernels with many arrays.
_plans, _launches, _maps = _Kept(64), _Kept(256), _Kept(256)


def _map_at(*key):
    value = _maps.get(key)
    if value is None:
        value = _map_of(*key)
        _maps.put(key, value)
    return value


class _Plan:
    """All that follows from the shapes, the types and the device of what is read, and not from where it lies. Nothing of it changes."""

    def __init__(self, gpu, device, sizes):
        for axis, (whole, tile) in gpu["parts"].items():
            sizes[axis] = -(-sizes[whole] // tile)
        arrays = [*_INPUTS, *_OUTPUTS, *gpu["workspace"]]
        types = {name: (dtype, tuple(sizes[axis] for axis in axes)) for name, dtype, axes in arrays}
        self.device, self.names = device, [name for name, _, _ in arrays]
        self.alignment = [(name, gpu["alignment"][name]) for name, _, _ in _INPUTS]
        self.made = [(types[name][1], getattr(_torch, dtype)) for name, dtype, _ in arrays[len(_INPUTS):]]
        self.views = _views_of(gpu, types, sizes)
        for kernel in gpu["kernels"]:
            _check_lengths(kernel, sizes)
        blocks = [_blocks_of(kernel, sizes) for kernel in gpu["kernels"]]
        self.context, functions = _driver.load(device.index, gpu["kernels"])
        self.kernels = [self.kernel(*each, types, sizes) for each in zip(gpu["kernels"], functions, blocks)]

    @staticmethod
    def kernel(kernel, function, blocks, types, sizes):
        """What the driver is given first; the arguments, sizes and names of arrays; the maps behind them; room for the arguments and for pointers to all."""
        one = _ctypes.c_uint(1)
        head = (function, _ctypes.c_uint(blocks), one, one, _ctypes.c_uint(kernel["threads"]), one, one, _ctypes.c_uint(kernel["shared"]))
        arguments = [sizes[name] if what == "size" else name for what, name in kernel["arguments"]]
        maps = [(name, types[name][0], tuple(sizes[axis] for axis in axes), box) for name, axes, box in kernel.get("maps", ())]
        return head, arguments, maps, _ctypes.c_longlong * len(arguments), _ctypes.c_void_p * (len(arguments) + len(maps))

    def allocate(self):
        """Arrays for what is computed, of which nothing is known yet, and those between kernels."""
        return [_torch.empty(shape, dtype=dtype, device=self.device) for shape, dtype in self.made]

    def launches(self, addresses):
        """The kernels with their arguments, where the arrays begin at these addresses. What is pointed to is kept beside them."""
        known = dict(zip(self.names, addresses))
        for name, bytes_ in self.alignment:
            if known[name] % bytes_ != 0:
                _fail(ValueError, f"{name} begins at an address that is no multiple of {bytes_}: give {name}.clone ()")
        for name, base, offset, bytes_, places in self.views:
            known[name] = known[base] + offset
            if known[name] % bytes_ != 0:
                _fail(ValueError, f"{base}: its part {places} begins at an address that is no multiple of {bytes_}")
        made = []
        for head, arguments, maps, values_of, pointers_of in self.kernels:
            values = values_of(*[known.get(each, each) for each in arguments])
            begin = _ctypes.addressof(values)
            maps = [_map_at(known[name], *rest) for name, *rest in maps]
            pointers = pointers_of(*range(begin, begin + 8 * len(arguments), 8), *[_ctypes.addressof(each) for each in maps])
            made.append((head, pointers, (values, maps)))
        return made


def _plan_of(arrays, given):
    """Checks everything but addresses."""
    device = _device_of(arrays)
    gpu = _gpu_of(device)
    return _Plan(gpu, device, _sizes_of(gpu, arrays, zip(_EXTRA, given)))


def _stream_reader():
    """What gives the current stream of a device as a number; as PyTorch's compiler asks for it, where that is there."""
    quick = getattr(getattr(_torch, "_C", None), "_cuda_getCurrentRawStream", None)
    return quick or (lambda index: _torch.cuda.current_stream(index).cuda_stream)


_stream_of = _stream_reader()


def _run(*arguments):
    """Computes the results on the stream that is current."""
    arrays, given = arguments[:len(_INPUTS)], arguments[len(_INPUTS):]
    key = [*given] if arrays else [*given, _torch.cuda.current_device()]
    for array in arrays:
        if not isinstance(array, _torch.Tensor) or not array.is_contiguous():
            key = None  # to be refused
            break
        key += (array.shape, array.dtype, array.device)
    plan = _plans.get(tuple(key)) if key is not None else None
    if plan is None:
        if arrays and all(isinstance(array, _torch.Tensor) and array.device.type == "meta" for array in arrays):
            return _fake(*arguments)  # before PyTorch 2.4 nobody else asks for it
        plan = _plan_of(arrays, given)
        _plans.put(tuple(key), plan)
    made = plan.allocate()
    key = (plan, *[array.data_ptr() for array in arrays], *[array.data_ptr() for array in made])
    launches = _launches.get(key)
    if launches is None:
        launches = plan.launches(key[1:])
        _launches.put(key, launches)
    _driver.launch(plan.context, launches, _stream_of(plan.device.index))
    return _packed(made[:len(_OUTPUTS)])


def _fake(*arguments):
    """The types of the results, for torch.compile and torch.export: nothing is computed."""
    arrays, given = arguments[:len(_INPUTS)], arguments[len(_INPUTS):]
    device = arrays[0].device
    gpu = _gpu_of(device) if device.type == "cuda" else _GPUS[0]
    sizes = _sizes_of(gpu, arrays, zip(_EXTRA, given))
    return _packed(_results(sizes, device))


def _register():
    """The operator as torch.compile knows it; before PyTorch 2.4, and where nothing is read or more than its operators take, the plain function."""
    library = getattr(_torch, "library", None)
    if not hasattr(library, "custom_op") or not 0 < len(_INPUTS) <= 64:
        return _run
    operator = library.custom_op(_OPERATOR, _run, mutates_args=(), schema=_SCHEMA)
    operator.register_fake(_fake)
    return operator


_operator = _register()


def _is_seen_in():
    """Functions of PyTorch that give nothing where no mode, tracer or transformation is at work. None where it has them elsewhere."""
    core = getattr(_torch, "_C", None)
    found = (getattr(core, "_len_torch_dispatch_stack", None), getattr(core, "_get_tracing_state", None),
             getattr(getattr(core, "_functorch", None), "peek_interpreter_stack", None))
    return found if all(found) and hasattr(getattr(_torch, "compiler", None), "is_compiling") else None


_onlookers = _is_seen_in()


def _is_plain(arrays, extra):
    """Whether nobody asks for operators, so that the way to them, which costs more than all the rest, can be left out."""
    if _onlookers is None or _torch.compiler.is_compiling():
        return False
    modes, tracer, transformation = _onlookers
    if modes() or tracer() is not None or transformation() is not None:
        return False
    for array in arrays:
        if type(array) is not _torch.Tensor and type(array) is not _torch.nn.Parameter:
            return False
    for size in extra:
        if type(size) is not int:
            return False
    return True


def _call(arrays, extra):
    if _torch.is_grad_enabled():
        for array in arrays:
            if getattr(array, "requires_grad", False):
                _fail(RuntimeError, "no gradients go through these kernels: call them under torch.no_grad (), or give arrays without requires_grad")
    return _run(*arrays, *extra) if _is_plain(arrays, extra) else _operator(*arrays, *extra)
