/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "derive/report/roofline.h"

G_BEGIN_DECLS

/* the results of `heddle bench --json` */
char *heddle_bench_write (const HeddlePlan *plan, const HeddleBench *bench); /* newly allocated */
HeddleBenchResult *heddle_bench_result_new (const HeddlePlan *plan, const HeddleBench *bench);
HeddleBenchResult *heddle_bench_result_read (const char *path, GError **error);

G_END_DECLS
