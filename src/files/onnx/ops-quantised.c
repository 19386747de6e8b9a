/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "files/onnx/import.h"

const HeddleOnnxOperator heddle_onnx_quantised[] = {
  { NULL },
};
