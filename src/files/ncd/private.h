/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* The version of the format this program writes. */
#define HEDDLE_NCD_MAJOR 1
#define HEDDLE_NCD_MINOR 0

/* The limits that protect from a hostile file. */
#define HEDDLE_NCD_MAX_BYTES (32 * 1024 * 1024)
#define HEDDLE_NCD_MAX_ELEMENTS 1000000
#define HEDDLE_NCD_MAX_ATTRIBUTES 256
#define HEDDLE_NCD_MAX_ID 256

/* A comment has a part above its statement and one behind it, kept in one string with this mark between. */
#define HEDDLE_COMMENT_MARK '\f'

/* A file being read. */
typedef struct
{
  const char *file_name;
  const char *text;
  gsize length;
  GPtrArray *problems;
  guint errors;
  gboolean newer_major; /* unknown things are skipped */
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram; /* the current one */
  GHashTable *lines; /* object id -> xmlNode, of the current diagram */
} HeddleNcdReader;

/* One attribute an element may have. */
typedef struct
{
  const char *name;
  gboolean required;
} HeddleNcdAttribute;
