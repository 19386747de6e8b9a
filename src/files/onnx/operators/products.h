/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"

/* Makes @result the matrix product of @a and @b. FALSE means that it was refused. */
gboolean heddle_import_matmul (
    HeddleImport *self, const HeddleFlow *a, const HeddleFlow *b, int type, HeddleFlow *result);
