/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "cli/options.h"
#include "diagram/base/dtype.h"

/* How a model is read. */
typedef struct
{
  char **constants; /* NAME=FILE, or NULL */
  HeddleDtype f32_as; /* what f32 is stored as; unset: as it is */
  gboolean unrolled; /* layers that are alike stay one by one */
} HeddleImportChoices;

/* Makes a document of the model at @path. Prints what was understood of it. */
HeddleExit heddle_import_onnx (
    const HeddleOptions *options, const char *path, const HeddleImportChoices *choices, const char *output);
