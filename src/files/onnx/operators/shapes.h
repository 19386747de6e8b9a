/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"

/* Joins any number of flows end to end along @axis. Their sizes along the other dimensions are the same. */
gboolean heddle_import_join (HeddleImport *self, HeddleFlow *flows, guint n, guint axis, HeddleFlow *result);
/* Gives output @output: the flows end to end along @axis. Refuses the node if their other sizes differ. */
gboolean heddle_import_concat (HeddleImport *self, guint output, HeddleFlow *flows, guint n, guint axis);
