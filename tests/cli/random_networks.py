# SPDX-License-Identifier: MIT
"""Random networks in the language of equations, of the sizes that models have: products, norms, softmax, sums, masks, maps, sums of two arrays and transposed
reads. What they compute does not matter; what their kernels cost does."""

SIZES = (1, 3, 16, 64, 77, 128, 256, 1000, 1024, 4096)
MAPS = ("relu({})", "gelu({})", "silu({})", "{} * 0.5", "exp(-abs({}))", "sigmoid({}) + 1", "tanh({})")
ROWS = ("softmax", "rmsnorm", "layernorm")
SUMS = ("sum", "max", "mean", "logsumexp")
# No array has more elements, so that all fit into the memory of a GPU.
MOST = 2**26


class Network:
    """Its axes have sizes; each statement reads arrays that stand before it."""

    def __init__(self, random):
        self.random = random
        self.sizes = {axis: random.choice(SIZES) for axis in "abcdef"}
        self.type = random.choice(("f16", "f16", "bf16", "f32"))
        self.inputs = []
        self.statements = []
        self.arrays = {}
        self.unread = set()
        self.weigh("X", self.axes(random.randint(2, 3)))
        for _ in range(random.randint(2, 7)):
            self.step()

    def count(self, axes):
        product = 1
        for axis in axes:
            product *= self.sizes[axis]
        return product

    def axes(self, number):
        """Some axes at random whose array is not too large."""
        while True:
            axes = tuple(self.random.sample("abcdef", number))
            if self.count(axes) <= MOST:
                return axes

    def weigh(self, name, axes):
        self.inputs.append((name, axes))
        self.arrays[name] = axes

    def store(self, axes, text, reads):
        name = f"T{len(self.statements)}"
        self.statements.append(f"{name}[{','.join(axes)}] = {text}")
        self.arrays[name] = axes
        self.unread -= set(reads)
        self.unread.add(name)

    def pick(self):
        """An array, most often the last."""
        names = list(self.arrays)
        return names[-1] if self.random.random() < 0.7 else self.random.choice(names)

    def read(self, name):
        return f"{name}[{','.join(self.arrays[name])}]"

    def product(self, name, axes):
        """A product with a weight that takes one or two axes of the array and brings others."""
        summed = tuple(self.random.sample(axes, self.random.randint(1, min(2, len(axes)))))
        kept = tuple(axis for axis in axes if axis not in summed)
        free = [axis for axis in "abcdef" if axis not in axes]
        brought = tuple(self.random.sample(free, self.random.randint(1, min(2, len(free)))))
        shared = tuple(axis for axis in kept if self.random.random() < 0.15)
        weight = f"W{len(self.inputs)}"
        if max(self.count(kept + brought), self.count(shared + summed + brought)) > MOST:
            return False
        order = list(shared + summed + brought)
        self.random.shuffle(order)
        self.weigh(weight, tuple(order))
        self.store(kept + brought, f"{self.read(name)} {self.read(weight)}", (name,))
        return True

    def step(self):
        name = self.pick()
        axes = self.arrays[name]
        choice = self.random.randint(0, 9)
        if choice <= 3 and axes and len(axes) < 6 and self.product(name, axes):
            return
        if choice == 4 and axes:
            function, bound = self.random.choice(ROWS), self.random.choice(axes)
            given = bound if function == "softmax" else f"{bound}, eps=1e-5"
            self.store(axes, f"{function}[{given}]({self.read(name)})", (name,))
        elif choice == 5 and axes:
            bound = self.random.choice(axes)
            self.store(tuple(axis for axis in axes if axis != bound), f"{self.random.choice(SUMS)}[{bound}]({self.read(name)})", (name,))
        elif choice == 6 and len(axes) > 1:
            order = list(axes)
            self.random.shuffle(order)
            self.store(tuple(order), self.read(name), (name,))
        elif choice == 7 and axes:
            gain = f"W{len(self.inputs)}"
            self.weigh(gain, (axes[-1],))
            self.store(axes, f"{self.read(name)} * {self.read(gain)}", (name,))
        elif choice == 8 and len(axes) > 1:
            self.store(axes, f"where({axes[0]} <= {axes[1]}, {self.read(name)}, 0)", (name,))
        else:
            other = next((other for other, others in self.arrays.items() if other != name and set(others) == set(axes)), None)
            if other:
                self.store(axes, f"{self.read(name)} + {self.read(other)}", (name, other))
            else:
                self.store(axes, self.random.choice(MAPS).format(self.read(name)), (name,))

    def text(self):
        """The network as equations; arrays that nothing reads are its results."""
        sized, lines = set(), []
        for name, axes in self.inputs:
            typed = ",".join(axis if axis in sized else f"{axis}={self.sizes[axis]}" for axis in axes)
            sized.update(axes)
            lines.append(f"{name} : {self.type}[{typed}]")
        results = [name for name in self.arrays if name in self.unread]
        return "\n".join([*lines, *self.statements, f"-> {', '.join(results)}"]) + "\n"
