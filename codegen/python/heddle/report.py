# SPDX-License-Identifier: MIT
"""What came of a model: a table of its parts, in text and in HTML."""

from dataclasses import dataclass, field
from html import escape
from typing import Optional

HEAD = ("part", "operators", "kernels before", "after", "µs before", "after", "verification")


@dataclass
class Part:
    """Operators of a model that run together. `by`: "heddle" or "pytorch"; `reason`: why PyTorch runs it, or its kernels are unfused."""
    name: str
    operators: list
    by: str = "heddle"
    reason: Optional[str] = None
    kernels_before: Optional[int] = None
    kernels: Optional[int] = None
    expected_before_s: Optional[float] = None
    expected_s: Optional[float] = None
    verification: str = ""

    def row(self):
        if self.by != "heddle":
            return (self.name, str(len(self.operators)), "", "", "", "", f"run by PyTorch: {self.reason}")
        told = f"{self.verification}; left unfused: {self.reason}" if self.reason else self.verification
        return (self.name, str(len(self.operators)), str(self.kernels_before), str(self.kernels), f"{self.expected_before_s * 1e6:.4g}",
                f"{self.expected_s * 1e6:.4g}", told)


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
