# SPDX-License-Identifier: MIT
"""What may be asked for where a model is optimised."""

from dataclasses import dataclass
from typing import Optional

# What a device calls itself, and the machine of Heddle that it is; the first that fits.
DEVICES = (("H100 PCIe", "h100-pcie"), ("H100", "h100-sxm"), ("H200", "h200-sxm"), ("B200", "b200"), ("A100", "a100-80-sxm"), ("L40S", "l40s"),
           ("A10", "a10"), ("L4", "l4"), ("5090", "rtx-5090"), ("4090", "rtx-4090"), ("3090", "rtx-3090"))
DEFAULT_GPU = "h100-sxm"


@dataclass
class Options:
    """`gpu`: a name of `heddle gpus`; None: the device that is there, else h100-sxm. `verify`: whether kernels are checked, which takes seconds for
    each part. `steps`: after how many the search for the kernels of a part ends; None: as many as the program takes by itself, which are some minutes. `program`: the command line of Heddle. `folder`: where documents, sources and reports of the parts are kept; None: nowhere."""
    gpu: Optional[str] = None
    verify: bool = True
    steps: Optional[int] = None
    program: str = "heddle"
    folder: Optional[str] = None

    def machine(self):
        import torch
        if self.gpu is not None:
            return self.gpu
        if not torch.cuda.is_available():
            return DEFAULT_GPU
        device = torch.cuda.get_device_name()
        return next((machine for name, machine in DEVICES if name in device), DEFAULT_GPU)
