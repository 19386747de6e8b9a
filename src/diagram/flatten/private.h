/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/expression/expr.h"
#include "diagram/flatten/map.h"
#include "diagram/graph/diagram.h"

/* The limits of a flattened diagram. */
#define HEDDLE_MAX_FLAT_OPERATIONS 200000
#define HEDDLE_MAX_FLAT_OBJECTS 1000000

typedef struct _HeddleFlattener HeddleFlattener;

/* One repetition of a call: an axis of the parameters, and the place along it. */
typedef struct
{
  const char *axis;
  guint index;
} HeddleFlatTime;

/* The axes of what a call calls, which it has once, even if its caller is repeated. */
typedef struct
{
  char *ids, *name; /* begin the ids and names of these */
  GHashTable *axes; /* callee's axis -> flat axis */
  GHashTable *numbers; /* callee's axis that nothing runs along -> HeddleExpr over flat axes */
  const char *repeat_axis; /* leads in the parameters; NULL: not needed so far */
  const char *scan_axis; /* flat; of a scan; NULL: of another call */
  GHashTable *recurrences; /* of a scan whose step is linear, see linear.h; NULL: of another call */
  gint64 times;
} HeddleBinding;

/* A diagram that is being expanded: what its objects are in the flat diagram. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleBinding *binding; /* NULL: the diagram that is flattened, whose axes and values are their own */
  char *ids, *name; /* begin the ids and names of values and operations */
  GHashTable *values; /* value -> flat value */
  GHashTable *targets; /* value -> the flat value that it is to become */
  GArray *times; /* of HeddleFlatTime */
  guint depth;
  HeddleFlatFrame *place; /* in the map */
} HeddleExpansion;

struct _HeddleFlattener
{
  const HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram; /* the diagram that is flattened */
  HeddleDiagram *flat;
  GHashTable *overrides; /* or NULL */
  const char *only; /* the one call that is taken apart; NULL: all */
  gboolean keeps_scans; /* those that would be written out step by step stay calls */
  GHashTable *names; /* taken */
  GHashTable *bindings; /* ids of a call -> HeddleBinding */
  GHashTable *parameters; /* id -> flat value */
  GPtrArray *claims; /* of HeddleClaim */
  GPtrArray *open; /* of HeddleDiagram: those being written out */
  HeddleFlatMap *map;
  const char *call; /* the current call of the diagram */
  guint n_calls;
  GError *error;
};

/* Two sizes that must agree. */
typedef struct
{
  const char *call;
  HeddleExpr *a, *b; /* over flat axes */
  char *message; /* the error if they do not agree */
} HeddleClaim;
