# SPDX-License-Identifier: MIT-0
# What reference code for Python begins with: the part for a library, then the part for all.
# --- numpy ---
import math

import numpy as np

arange = lambda n: np.arange(n, dtype=float)
as_array, whole, permute, reshape, spread = np.asarray, (lambda x: np.asarray(x).astype(int)), np.transpose, np.reshape, np.broadcast_to
exp, log, sqrt, sin, cos, tanh, absolute, floor, ceil = np.exp, np.log, np.sqrt, np.sin, np.cos, np.tanh, np.abs, np.floor, np.ceil
power, remainder, least, largest, choose, einsum = np.power, np.mod, np.minimum, np.maximum, np.where, np.einsum
clip, stack, concatenate = np.clip, np.stack, np.concatenate
erf = np.vectorize(math.erf, otypes=[float])
total = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min}
descending = lambda x, at: np.argsort(-np.asarray(x), axis=at, kind="stable")
# --- jax ---
import jax.numpy as jnp
from jax.scipy.special import erf

arange = lambda n: jnp.arange(n) * 1.0
as_array, whole, permute, reshape, spread = jnp.asarray, (lambda x: jnp.asarray(x).astype(int)), jnp.transpose, jnp.reshape, jnp.broadcast_to
exp, log, sqrt, sin, cos, tanh, absolute, floor, ceil = jnp.exp, jnp.log, jnp.sqrt, jnp.sin, jnp.cos, jnp.tanh, jnp.abs, jnp.floor, jnp.ceil
power, remainder, least, largest, choose, einsum = jnp.power, jnp.mod, jnp.minimum, jnp.maximum, jnp.where, jnp.einsum
clip, stack, concatenate = jnp.clip, jnp.stack, jnp.concatenate
total = {"sum": jnp.sum, "prod": jnp.prod, "max": jnp.max, "min": jnp.min}
descending = lambda x, at: jnp.argsort(-jnp.asarray(x), axis=at, stable=True)
# --- torch ---
import torch


def on_arrays(function):
    """Takes numbers as well."""
    return lambda *given: function(*[x if isinstance(x, torch.Tensor) else torch.tensor(x, dtype=torch.get_default_dtype()) for x in given])


def along(function):
    """Over several axes, one after the other."""
    def over(x, axis, keepdims):
        for at in axis:
            x = function(x, at)
        return x
    return over


arange = lambda n: torch.arange(n, dtype=torch.get_default_dtype())
as_array, whole, permute, reshape, spread = on_arrays(lambda x: x), on_arrays(lambda x: x.long()), torch.permute, torch.reshape, torch.broadcast_to
exp, log, sqrt, sin, cos, tanh, absolute, floor, ceil, erf = map(on_arrays, (
    torch.exp, torch.log, torch.sqrt, torch.sin, torch.cos, torch.tanh, torch.abs, torch.floor, torch.ceil, torch.erf))
power, remainder, least, largest, choose, einsum = *map(on_arrays, (torch.pow, torch.remainder, torch.minimum, torch.maximum)), torch.where, torch.einsum
clip, stack, concatenate = torch.clip, torch.stack, torch.cat
total = {"sum": along(lambda x, at: x.sum(at, keepdim=True)), "prod": along(lambda x, at: x.prod(at, keepdim=True)),
         "max": along(lambda x, at: x.amax(at, keepdim=True)), "min": along(lambda x, at: x.amin(at, keepdim=True))}
descending = lambda x, at: torch.argsort(x, dim=at, descending=True, stable=True)
# --- all ---


def where(condition, one, other):
    return choose(as_array(condition) != 0, one, other)


def rsqrt(x):
    return 1 / sqrt(x)


def sigmoid(x):
    return 1 / (1 + exp(-as_array(x)))


def relu(x):
    return largest(x, 0.0)


def gated(x, gate):
    """x times a gate, which is closed at minus infinity."""
    return where(gate == 0, 0.0, x * gate)


def gelu(x):
    return gated(x, 0.5 * (1 + erf(x * 0.5 ** 0.5)))


def silu(x):
    return gated(x, sigmoid(x))


def place(x, axes, among):
    """An array with the axes `axes`, "q d", as one with those of `among`: 1 long along the axes that it has not; axes 1 long may go."""
    axes, among, x = axes.split(), among.split(), as_array(x)
    gone = [i for i, axis in enumerate(axes) if axis not in among]
    x = permute(x, tuple(gone + [axes.index(axis) for axis in among if axis in axes]))
    sizes = iter(x.shape[len(gone):])
    return reshape(x, tuple(next(sizes) if axis in axes else 1 for axis in among))


def over(how, x, axes, gone):
    """A reduction over the axes `gone`, which stay, 1 long."""
    return total[how](x, axis=tuple(axes.split().index(axis) for axis in gone.split()), keepdims=True)


def inside(sizes, indices):
    """Where indices lie within an array of these sizes."""
    good = as_array(1.0) == 1
    for index, size in zip(indices, sizes):
        good = good & (floor(index) >= 0) & (floor(index) < size)
    return good


def read(x, indices, shape):
    """An array read at indices: 0 outside of it."""
    x = as_array(x)
    at = tuple(spread(whole(clip(floor(index), 0, size - 1)), shape) for index, size in zip(indices, x.shape))
    return where(spread(inside(x.shape, indices), shape), x[at] if at else spread(x, shape), 0.0)


def join(arrays, at, shape):
    """Arrays one after the other along axis number `at`."""
    return concatenate([spread(x, (*shape[:at], x.shape[at], *shape[at + 1:])) for x in arrays], at)


def scan(factor, term, at, shape):
    """state = factor * state + term along axis number `at`, from 0; the state after each point."""
    factor, term = spread(as_array(factor), shape), spread(as_array(term), shape)
    states, state = [], 0.0
    for i in range(shape[at]):
        here = (slice(None),) * at + (i,)
        state = factor[here] * state + term[here]
        states.append(state)
    return stack(states, at)


def places_of_largest(x, at, count):
    """Where along axis number `at` the largest are, in order."""
    return descending(x, at)[(slice(None),) * at + (slice(0, count),)] * 1.0
