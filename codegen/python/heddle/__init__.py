# SPDX-License-Identifier: MIT
"""Heddle from Python.

`heddle.diagram` shows equations as a figure in a notebook; it needs no PyTorch. `heddle.heddle_torch` makes documents of modules of PyTorch, and
`heddle.heddle_score` measures results. Importing the package is cheap: what it has is imported when it is asked for.
"""

import importlib

WHERE = {"diagram": "notebook", "Diagram": "notebook", "load_ipython_extension": "notebook", "HeddleError": "program"}
__all__ = [*WHERE, "heddle_score", "heddle_torch"]


def __getattr__(name):
    if name in ("heddle_torch", "heddle_score"):
        return importlib.import_module(name)
    if name in WHERE:
        return getattr(importlib.import_module(f"{__name__}.{WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
