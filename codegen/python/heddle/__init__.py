# SPDX-License-Identifier: MIT
"""Heddle from Python.

    import heddle
    fast = heddle.optimise(model, *example)      # a module in the place of the model
    print(fast.heddle_report)
    faster = torch.compile(model, backend="heddle")

`heddle.diagram` shows equations as a figure in a notebook; it needs no PyTorch. `heddle.heddle_torch` makes documents of modules, and
`heddle.heddle_score` measures results. Importing the package is cheap: what needs PyTorch is imported when it is asked for. The backend is
entered when PyTorch is there already, or with the first use of what needs it.
"""

import importlib
import sys

WHERE = {"optimise": "module", "Options": "options", "Report": "report", "Part": "report", "backend": "compiler", "diagram": "notebook",
         "Diagram": "notebook", "load_ipython_extension": "notebook", "HeddleError": "program"}
__all__ = [*WHERE, "heddle_score", "heddle_torch"]


def __getattr__(name):
    if name in ("heddle_torch", "heddle_score"):
        return importlib.import_module(name)
    if name in WHERE:
        return getattr(importlib.import_module(f"{__name__}.{WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if "torch" in sys.modules:
    from . import compiler  # noqa: F401  (it enters the backend)
