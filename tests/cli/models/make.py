#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the models beside it, which tests read where there is no PyTorch: python3 make.py [PART…] with the parts

  onnx    decoder-onnx.onnx by torch.onnx (made with PyTorch 1.13)
  fx      decoder-fx.onnx by heddle_torch and torch.fx (made with PyTorch 1.13), and decoder.safetensors with the parameters of all
  export  decoder-export.onnx by heddle_torch and torch.export (made with PyTorch 2.15)
"""

import sys
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "codegen" / "python")]

import decoder  # noqa: E402
import heddle_torch  # noqa: E402


def main(parts):
    torch.manual_seed(5)
    model, ids = decoder.Decoder().eval(), torch.zeros(2, 6, dtype=torch.int64)
    if "fx" in parts:
        traced = heddle_torch.trace(model, [ids], use_fx=True)
        heddle_torch.save(traced, HERE / "decoder-fx.onnx", weights=HERE / "decoder.safetensors")
    if "export" in parts:
        heddle_torch.save(heddle_torch.trace(model, [ids]), HERE / "decoder-export.onnx")
    if "onnx" in parts:
        torch.onnx.export(model, (ids,), str(HERE / "decoder-onnx.onnx"), input_names=["ids"], output_names=["output"], opset_version=16,
                          do_constant_folding=False)


main(sys.argv[1:])
