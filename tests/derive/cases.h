/* SPDX-License-Identifier: MIT */
#pragma once

#include "fixture.h"

/* Small diagrams that between them have what a loop program can have. */
typedef struct
{
  const char *name, *text;
  const char *fuse;
  const char *groups; /* axes that may be grouped */
  const char *streams; /* axes that may stream */
  const char *axes; /* all, to be given random sizes */
} Case;

extern const Case cases[];
extern const guint n_cases;
