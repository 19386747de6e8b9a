/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"

/* The schedule of a derivation: which operations are fused into one kernel, what its axes are labelled with,
 * where values live, and for what machine. The derive room gives it meaning. */

typedef enum
{
  HEDDLE_LABEL_GROUP, /* tiles that run in parallel */
  HEDDLE_LABEL_STREAM, /* chunks that run as a loop with state */
  HEDDLE_LABEL_DIVISOR, /* tile and chunk sizes of the axis are multiples of this */
  HEDDLE_LABEL_ORDER, /* position of the axis' loop, 1 = outermost */
} HeddleLabelKind;

const char *heddle_label_kind_to_string (HeddleLabelKind kind); /* "group" … */
/* Reads a kind as heddle_label_kind_to_string() spells it. Returns FALSE if there is no such kind, and @kind
 * stays as it was. */
gboolean heddle_label_kind_from_string (const char *text, HeddleLabelKind *kind);

/* A label is (region, axis, level, kind, size). It stays when an edit makes it illegal: inactive, with a
 * reason. */
typedef struct
{
  const char *axis; /* axis id */
  char *level; /* "smem", "registers" */
  HeddleLabelKind kind;
  gint64 size;
  char *inactive; /* NULL: active; else why it is not */
} HeddleLabel;

/* The level of one occurrence (value, column) of a value. The column is the operation that reads it; NULL
 * stands for where it is made. */
typedef struct
{
  const char *value;
  const char *column; /* operation id or NULL */
  char *level;
} HeddleResidency;

/* A value that is computed again in the kernel of an operation that reads it, instead of being stored and
 * read there. */
typedef struct
{
  const char *value, *column; /* ids: the value, the operation */
} HeddleRecompute;

/* A memory layout: kernels read a value with its axes in another order than in the diagram, the last one
 * contiguous in memory. What a kernel makes is stored so; an input is copied into that order by a kernel of
 * its own. */
typedef struct
{
  const char *value;
  GArray *axes; /* of const char *: the value's, in that order */
  GPtrArray *labels; /* of HeddleLabel: those of the kernel that copies it */
} HeddleValueLayout;

/* A region: operations fused into one kernel. Operations in no region are priced one named value at a
 * time. */
typedef struct
{
  const char *id; /* "r.1" */
  GArray *operations; /* of const char * */
  GPtrArray *labels; /* of HeddleLabel */
} HeddleRegion;

/* A schedule: how the operations of a diagram are made into kernels. That of a definition holds for all its calls,
 * but those that have a schedule of their own. */
typedef struct
{
  const char *diagram; /* diagram id */
  const char *root,
      *call; /* ids: the diagram from which the one call leads for which it holds, "o.Z.1", as heddle_snapshot_flatten () calls it; NULL: all calls */
  gboolean
      inlined; /* it is of the diagram with what it calls in the place of its calls, as heddle_snapshot_flatten () makes it, whatever definitions say; its ids are of that */
  GPtrArray *regions; /* of HeddleRegion */
  GPtrArray *residency; /* of HeddleResidency */
  GArray *recomputed; /* of HeddleRecompute */
  GPtrArray *layouts; /* of HeddleValueLayout: a value once (document/layout.h) */
  char *gpu; /* "h100-sxm" or NULL */
  HeddleDtype dtype; /* of values whose own is undeclared */
  char *
      divisors; /* for whose sake tiles are multiples of something: "mma,copies,lines,warps" or some of them; NULL: nothing's */
  gint64 budget; /* bytes of the outermost memory that may be held at a time; 0: as much as there is */
} HeddleSchedule;

/* Makes an active label; @axis is interned and @level copied. The caller owns it. */
HeddleLabel *heddle_label_new (const char *axis, const char *level, HeddleLabelKind kind, gint64 size);
/* Returns a copy, with the reason if the label is inactive, which the caller owns. */
HeddleLabel *heddle_label_copy (const HeddleLabel *self);
/* Frees the label with its texts. */
void heddle_label_free (HeddleLabel *self);
/* Makes a residency of @value where @column (an operation's id, or NULL) reads it; ids are interned and
 * @level copied. The caller owns it. */
HeddleResidency *heddle_residency_new (const char *value, const char *column, const char *level);
/* Puts a column of a value (if NULL, all that have no place of their own) at a level; a level of NULL removes
 * what was said of it. */
void heddle_schedule_set_residency (
    HeddleSchedule *self, const char *value, const char *column, const char *level);
/* Returns whether the operation @column works @value out again. Both ids must be interned. */
gboolean heddle_schedule_is_recomputed (const HeddleSchedule *self, const char *value, const char *column);
/* Sets whether the operation @column computes @value again (@recomputed) or reads it. Both ids must be
 * interned. */
void heddle_schedule_set_recomputed (
    HeddleSchedule *self, const char *value, const char *column, gboolean recomputed);
/* Lays @value out with its axes in the order of @axes (NULL: as in the diagram). Ids must be interned.
 * Returns the layout, owned by the schedule, with no labels yet; NULL if @axes is NULL. */
HeddleValueLayout *heddle_schedule_set_layout (HeddleSchedule *self, const char *value, const GArray *axes);
/* Returns the layout of a value (an interned id), owned by the schedule, or NULL. */
const HeddleValueLayout *heddle_schedule_get_layout (const HeddleSchedule *self, const char *value);
/* Makes a region without operations and labels; @id is interned. The caller owns it. */
HeddleRegion *heddle_region_new (const char *id);
/* Frees the region with its labels. */
void heddle_region_free (HeddleRegion *self);
/* Returns the label of that axis (an interned id), level and kind, owned by the region and active or not;
 * NULL if there is none. */
HeddleLabel *heddle_region_get_label (
    const HeddleRegion *self, const char *axis, const char *level, HeddleLabelKind kind);
/* Returns whether the labels of the region, active or not, are @labels (of HeddleLabel). */
gboolean heddle_region_has_labels (const HeddleRegion *self, const GPtrArray *labels);
/* Returns whether @value (an interned id) is laid out with its axes in just that order. */
gboolean heddle_schedule_has_layout (const HeddleSchedule *self, const char *value, const GArray *axes);
/* Makes an empty schedule of the diagram with that id. The caller owns it. */
HeddleSchedule *heddle_schedule_new (const char *diagram_id);
/* Returns a deep copy, which the caller owns. */
HeddleSchedule *heddle_schedule_copy (const HeddleSchedule *self);
/* Frees the schedule with all it holds. */
void heddle_schedule_free (HeddleSchedule *self);
/* Adds a new, empty region with an id of its own and returns it. */
HeddleRegion *heddle_schedule_add_region (HeddleSchedule *self);
/* Returns the region of that id, owned by the schedule, or NULL. */
HeddleRegion *heddle_schedule_get_region (const HeddleSchedule *self, const char *region_id);
/* Returns the region that an operation (an interned id) is in, owned by the schedule, or NULL. */
HeddleRegion *heddle_schedule_region_of (const HeddleSchedule *self, const char *operation_id);

/* The presentation: what a person arranged by hand, apart from the meaning. */
typedef struct
{
  const char *object; /* the id of the thing moved */
  double dx, dy; /* px at 100 %, from where the layout puts it */
} HeddleNudge;

typedef struct
{
  const char *object;
  char *fill; /* a class of the palette ("core", "scale", …) or "#RRGGBB" */
} HeddleFill;

typedef enum
{
  HEDDLE_DEFINITIONS_NONE,
  HEDDLE_DEFINITIONS_BELOW,
} HeddleDefinitions;

typedef enum
{
  HEDDLE_BANDS_PLAIN,
  HEDDLE_BANDS_SHADED, /* data types and operations on bands of two colours */
} HeddleBands;

typedef enum
{
  HEDDLE_SEPARATORS_DRAWN,
  HEDDLE_SEPARATORS_NONE, /* a string diagram: no lines between arrays, and no arrows of scalars */
} HeddleSeparators;

typedef enum
{
  HEDDLE_COPIES_FEW, /* a copy whose wires would cross more than a few others is named instead */
  HEDDLE_COPIES_WIRES, /* all are wires */
} HeddleCopies;

typedef struct
{
  const char *diagram;
  char *title; /* shown above the figure; NULL: none */
  double wrap; /* px at 100 %: wrapped into lines no longer than this; 0: one line */
  GArray *nudges; /* of HeddleNudge */
  GPtrArray *fills; /* of HeddleFill */
  int definitions; /* HeddleDefinitions: whether the definitions used are drawn with it */
  int bands; /* HeddleBands */
  int separators; /* HeddleSeparators */
  int copies; /* HeddleCopies */
  GPtrArray *annotations; /* of HeddleAnnotation */
  GPtrArray *blocks; /* of HeddleBlock */
  GPtrArray *bundles; /* of HeddleBundle */
  GPtrArray *skips; /* of HeddleSkip */
  GPtrArray *looks; /* of HeddleLook */
  GPtrArray *panels; /* of HeddlePanel */
} HeddlePresentation;
/* Returns whether any region has a label; @self may be NULL. */
gboolean heddle_schedule_has_labels (const HeddleSchedule *self);
/* Adds copies of the labels of @other that @self has no label in the place of. */
void heddle_region_take_labels (HeddleRegion *self, const HeddleRegion *other);
