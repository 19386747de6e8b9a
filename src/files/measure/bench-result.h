/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "derive/report/roofline.h"

/* Returns a measurement as `heddle bench --json` prints it; newly allocated. */
char *heddle_bench_write (const HeddlePlan *plan, const HeddleBench *bench);
/* Returns what a roofline needs to know of a measurement that was just made; the caller owns it. */
HeddleBenchResult *heddle_bench_result_new (const HeddlePlan *plan, const HeddleBench *bench);
/* Reads a file that `heddle bench --json` wrote (transfer full). NULL means that @error is set: of GFileError, or
 * HEDDLE_FILES_ERROR_FORMAT where it is no such file or lacks its date, its GPU or what was counted. */
HeddleBenchResult *heddle_bench_result_read (const char *path, GError **error);
