/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"

G_BEGIN_DECLS

/* The flows end to end along @axis, however many. Their sizes along the others are the same. */
gboolean heddle_import_join (HeddleImport *self, HeddleFlow *flows, guint n, guint axis, HeddleFlow *result);
/* Output @output: the flows end to end along @axis. Their sizes along the others are the same. */
gboolean heddle_import_concat (HeddleImport *self, guint output, HeddleFlow *flows, guint n, guint axis);

G_END_DECLS
