/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/analysis/call-private.h"
#include "diagram/graph/diagram-private.h"
#include "diagram/flatten/flatten.h"

G_BEGIN_DECLS

/* What a flattened diagram is held to. */
#define HEDDLE_MAX_FLAT_OPERATIONS 200000
#define HEDDLE_MAX_FLAT_OBJECTS 1000000

typedef struct _HeddleFlattener HeddleFlattener;

/* Which of the times of a repetition: an axis of the parameters, and where along it. */
typedef struct
{
  const char *axis;
  guint index;
} HeddleTime;

/* What a call, wherever its own caller is in a repetition, has once: the axes of what is called. */
typedef struct
{
  char *ids, *name; /* begin the ids and names of these */
  GHashTable *axes; /* callee's axis -> flat axis */
  GHashTable *numbers; /* callee's axis that nothing runs along -> HeddleExpr over flat axes */
  const char *repeat_axis; /* leads in the parameters; NULL: not needed so far */
  gint64 times;
} HeddleBinding;

/* A diagram being written out: what its things are in the flat diagram. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleBinding *binding; /* NULL: the diagram that is flattened, whose axes and values are their own */
  char *ids, *name; /* begin the ids and names of values and operations */
  GHashTable *values; /* value -> flat value */
  GHashTable *targets; /* value -> the flat value that it is to be */
  GArray *times; /* of HeddleTime */
  guint depth;
  HeddleFlatFrame *place; /* in the map */
} HeddleExpansion;

struct _HeddleFlattener
{
  const HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram; /* that is flattened */
  HeddleDiagram *flat;
  GHashTable *overrides; /* or NULL */
  const char *only; /* the one call that is taken apart; NULL: all */
  GHashTable *names; /* taken */
  GHashTable *bindings; /* ids of a call -> HeddleBinding */
  GHashTable *parameters; /* id -> flat value */
  GPtrArray *claims; /* of HeddleClaim */
  GPtrArray *open; /* of HeddleDiagram: those being written out */
  HeddleFlatMap *map;
  const char *call; /* of the diagram, at hand */
  guint n_calls;
  GError *error;
};

/* Two sizes that must agree. */
typedef struct
{
  const char *call;
  HeddleExpr *a, *b; /* over flat axes */
  char *message; /* when they do not */
} HeddleClaim;

void heddle_claim_free (HeddleClaim *self);
/* Why it cannot be done, once. */
void heddle_flatten_fail (HeddleFlattener *self, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* --- flatten.c --- */
/* @diagram with the one call taken apart. */
HeddleDiagram *heddle_flatten_call (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *call, GError **error);

/* --- flatten-values.c: values that stand between, and what a diagram is given --- */
const HeddleValue *heddle_flatten_value (const HeddleFlattener *self, const char *id);
/* @axes of the frame's diagram as flat ones. */
GArray *heddle_expansion_axes (const HeddleExpansion *frame, const GArray *axes);
/* @own: the operation of the frame's diagram that it is; NULL: it only reads */
HeddleOperation *heddle_flatten_add_operation (HeddleFlattener *self, const HeddleExpansion *frame,
    const char *own, const char *id, const HeddleOperationKind *kind, const GArray *operands,
    const char *result, const GArray *axes);
/* A value of the frame that is none of its own diagram's alone. */
const char *heddle_flatten_add_value (HeddleFlattener *self, const HeddleExpansion *frame,
    const HeddleValue *value, HeddleDtype dtype, const GArray *axes);
/* @result is @operand at @indices (taken). */
void heddle_flatten_add_read (HeddleFlattener *self, const HeddleExpansion *frame, const char *operand,
    const char *result, GPtrArray *indices);
/* The index of each axis: those before @own as they are, then @own. */
GPtrArray *heddle_flatten_indices (const GArray *axes, const GArray *own);
void heddle_flatten_take_inputs (HeddleFlattener *self, HeddleExpansion *frame, const char *const *arguments);

/* --- flatten-copy.c: what a diagram's own operations make --- */
/* The axes that come before a value's own, in any of the operands. */
GArray *heddle_expansion_woven (
    HeddleFlattener *self, const HeddleExpansion *frame, const HeddleOperation *operation);
/* The flat value that a value of the frame is to be, made now. */
const char *heddle_expansion_make (
    HeddleFlattener *self, HeddleExpansion *frame, const char *id, const GArray *woven);
/* Whether all that an operation speaks of is there. */
gboolean heddle_expansion_is_whole (const HeddleExpansion *frame, const HeddleOperation *operation);
GArray *heddle_expansion_operands (const HeddleExpansion *frame, const HeddleOperation *operation);
void heddle_flatten_copy (HeddleFlattener *self, HeddleExpansion *frame, const HeddleOperation *operation);

/* --- flatten-call.c: the operations of a diagram, calls written out --- */
void heddle_expansion_clear (HeddleExpansion *frame);
gboolean heddle_flatten_run (HeddleFlattener *self, HeddleExpansion *frame);

/* --- flatten-map.c, flatten-schedule.c --- */
HeddleFlatMap *heddle_flat_map_new (void);
HeddleFlatFrame *heddle_flat_map_add_frame (HeddleFlatMap *self, const HeddleFlatFrame *caller,
    const char *call, const HeddleDiagram *diagram, const char *ids, GHashTable *axes);
void heddle_flat_map_add_operation (
    HeddleFlatMap *self, HeddleFlatFrame *frame, const char *flat, const char *operation);
/* What it is to somebody who looks at @frame: itself, or the call that it lies in; NULL: only a read, or elsewhere. */
const char *heddle_flat_origin_seen_from (const HeddleFlatOrigin *self, const HeddleFlatFrame *frame);
/* The schedules of the document as one of @flat; NULL: they say nothing. */
HeddleSchedule *heddle_flat_map_lift_schedule (
    const HeddleFlatMap *self, const HeddleSnapshot *snapshot, const HeddleDiagram *flat);

/* --- flatten-names.c --- */
/* "a.b", or something short that is as different where that is long. */
char *heddle_flatten_join (const char *a, const char *b);
const char *heddle_flatten_id (HeddleFlattener *self, const char *wanted);
/* A name that is not taken yet; it is now. @name NULL, or for an array too long a name: NULL. */
char *heddle_flatten_name (HeddleFlattener *self, const char *prefix, const char *name);
HeddleAxis *heddle_flatten_add_axis (
    HeddleFlattener *self, const char *id, const char *prefix, const char *name, HeddleExpr *size);

/* --- flatten-bind.c --- */
/* Which axes of the flat diagram those of the callee are, and how often it is called. NULL: it failed. */
const HeddleBinding *heddle_flatten_bind (HeddleFlattener *self, const HeddleExpansion *caller,
    const HeddleOperation *call, const char *const *arguments);
void heddle_binding_free (HeddleBinding *self);
const char *heddle_expansion_axis (const HeddleExpansion *frame, const char *axis);
/* A HeddleExprReplace: @frame's axes as flat ones. */
HeddleExpr *heddle_expansion_leaf (const HeddleExpr *leaf, gpointer frame);
/* The axis that leads in what the callee has of its own each time. */
const char *heddle_flatten_repeat_axis (HeddleFlattener *self, HeddleBinding *binding);

G_END_DECLS
