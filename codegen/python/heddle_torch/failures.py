# SPDX-License-Identifier: MIT
"""Why a module cannot be traced, in one line: the module's path, the line of its source, and the reason."""

import os
import re
import traceback

import torch

HERE = os.path.dirname(__file__)
OWN = (os.path.dirname(torch.__file__) + os.sep, HERE + os.sep, os.path.join(os.path.dirname(HERE), "heddle") + os.sep, "<")
LONGEST_REASON = 200
FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in [^\n]*(?:\n\s*(?P<code>[^\n]+))?')


class Untraceable(RuntimeError):
    """The message is one line; __cause__, where there is one, has the rest."""


def one_line(place, reason):
    lines = [line.strip() for line in str(reason).splitlines() if line.strip()]
    if len(lines) > 1 and "Constraints violated" in lines[0] and lines[1].startswith("- "):  # which ones are told below
        lines[0] = f"{lines[0].partition('!')[0]}: {lines[1][2:]}"
    return f"{place}: {lines[0][:LONGEST_REASON]}" if lines else f"{place}: no reason was given"


def place_of(error, module):
    """Where an error rose: "layers.0.attention, model.py:17: if x.sum() > 0:"."""
    names = {id(part): name for name, part in module.named_modules()}
    path, line = "", ""
    frames = list(traceback.walk_tb(error.__traceback__))
    for (frame, number), summary in zip(frames, traceback.extract_tb(error.__traceback__)):
        if frame.f_code.co_filename.startswith(OWN):
            continue
        path = names.get(id(frame.f_locals.get("self")), path)
        line = f"{os.path.basename(summary.filename)}:{number}: {(summary.line or '').strip()}"
    return ", ".join(each for each in (path, line) if each) or type(module).__name__


def untraceable(error, module):
    """The error that a tracer raised as one line."""
    return Untraceable(one_line(place_of(error, module), f"{type(error).__name__}: {error}".lstrip()))


def uncallable(error, module):
    """The error with which PyTorch's compiler ended as one line: the line of the model's source that it tells of, and what was wrong there."""
    innermost = error
    while (innermost.__cause__ or innermost.__context__) is not None:
        innermost = innermost.__cause__ or innermost.__context__
    frames = [frame for frame in FRAME.finditer(str(error)) if not frame["file"].startswith(OWN)]
    told = [f"{os.path.basename(frame['file'])}:{frame['line']}: {(frame['code'] or '').strip()}" for frame in frames[-1:]]
    return Untraceable(one_line(", ".join([type(module).__name__, *told]), f"{type(innermost).__name__}: {innermost}"))
