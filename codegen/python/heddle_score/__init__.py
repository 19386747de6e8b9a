# SPDX-License-Identifier: MIT
"""What `heddle optimise` makes of a list of graphs, scored: correctness first, then how many times as fast as the framework's default.

`prepare` works where Heddle is, with no GPU: it optimises each graph, compares result and original as numbers are stored, and keeps what the model
predicts. `run` measures the same modules where a GPU and PyTorch are, without Heddle. `score` prints the scores of either.
"""
