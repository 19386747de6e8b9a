# SPDX-License-Identifier: MIT
"""What came of a model: a table of its parts, in text and in HTML."""

from dataclasses import dataclass, field
from html import escape
from typing import Optional

HEAD = ("part", "operators", "kernels: eager", "Inductor", "Heddle", "µs: eager", "Inductor", "Heddle", "verification")


@dataclass
class Part:
    """Operators of a model that run together. `by`: "heddle" or "pytorch"; `reason`: why PyTorch runs it, or which of its kernels are unfused and why. What
    PyTorch would start without a compiler (eager) and with Inductor is modelled, and priced by the same clock; None: it has no price."""
    name: str
    operators: list
    by: str = "heddle"
    reason: Optional[str] = None
    kernels_eager: Optional[int] = None
    kernels_inductor: Optional[int] = None
    kernels: Optional[int] = None
    expected_eager_s: Optional[float] = None
    expected_inductor_s: Optional[float] = None
    expected_s: Optional[float] = None
    verification: str = ""
    ways: int = 0  # to make its kernels
    searched: int = 0  # of those: the others were too many for the steps of the search

    def row(self):
        if self.by != "heddle":
            return (self.name, str(len(self.operators)), *[""] * 6, f"run by PyTorch: {self.reason}")
        told = f"{self.verification}; left unfused: {self.reason}" if self.reason else self.verification
        if self.searched < self.ways:
            told += f"; searched {self.searched} of {self.ways} ways to make its kernels"
        kernels = (self.kernels_eager, self.kernels_inductor, self.kernels)
        seconds = (self.expected_eager_s, self.expected_inductor_s, self.expected_s)
        return (self.name, str(len(self.operators)), *map(str, kernels), *("" if s is None else f"{s * 1e6:.4g}" for s in seconds), told)


@dataclass
class Report:
    """Of all graphs that were compiled: there are several where a model branches, or was called with other sizes."""
    gpu: str
    parts: list = field(default_factory=list)

    def __str__(self):
        rows = [HEAD, *(part.row() for part in self.parts)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD) - 1)]
        lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[-1]]).rstrip() for row in rows]
        return "\n".join([f"{self.gpu}; times are the model's, and nothing was measured", *lines])

    def _repr_html_(self):
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in part.row()) + "</tr>" for part in self.parts)
        head = "".join(f"<th>{escape(cell)}</th>" for cell in HEAD)
        return f"<p>{escape(self.gpu)}; times are the model's, and nothing was measured</p><table><tr>{head}</tr>{rows}</table>"
