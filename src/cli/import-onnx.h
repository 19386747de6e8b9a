/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "cli/options.h"
#include "diagram/base/dtype.h"

/* Makes a document of the model at @path. @constants: NAME=FILE, or NULL. Prints what was understood of it. */
HeddleExit heddle_import_onnx (
    const HeddleOptions *options, const char *path, char **constants, HeddleDtype f32_as, const char *output);
