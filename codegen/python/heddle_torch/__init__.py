# SPDX-License-Identifier: MIT
"""Modules of PyTorch as documents of Heddle.

A module is traced (torch.export where PyTorch has it, else torch.fx with fake tensors: no number is worked out), and written as a model in the
format of ONNX, whose nodes carry the module they are of and the line of the source that made them. `heddle import` makes the document of it, so
that there is one importer, and one account of what an operator means.
"""

from .model import save, to_onnx
from .trace import Trace, trace

__all__ = ["Trace", "save", "to_onnx", "trace"]
