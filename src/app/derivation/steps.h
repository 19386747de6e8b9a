/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor.h"

G_BEGIN_DECLS

/* One step of a derivation, as a proof tells it: what was done, and what it cost from then on. */
typedef struct
{
  char *title; /* "Fuse P and O" */
  double values; /* moved in all */
  double seconds;
  char *needs; /* why it cannot run yet ("needs 36 MiB held"), or NULL */
} HeddleStep;

/* The steps that lead to @schedule: one operation at a time, then its fusions, then its labels in order. Of HeddleStep. */
GPtrArray *heddle_steps_new (HeddleEditor *editor, const HeddleSchedule *schedule);

G_END_DECLS
