/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/region.h"

G_BEGIN_DECLS

/* A region's list of definitions being made. */
typedef struct
{
  HeddleRegionTerm *region;
  const HeddleSizes *sizes;
  GHashTable *members; /* operation ids */
  GHashTable *definitions; /* value id -> index + 1 of the definition that is it */
  guint first, end; /* the members lie here among the diagram's operations */
  guint column; /* of the operation at hand */
  GHashTable *marks; /* value id -> GPtrArray: see region-inside.c */
  gboolean gathers; /* what is read at indices is not held whole */
  const HeddleStoring *storing; /* NULL: each value is where its operation runs */
  HeddleExpr *inside; /* what of the operation's terms is not left out; NULL: all */
} HeddleRegionBuilder;

HeddleDefinition *heddle_definition_new (const char *value, const GArray *axes);
void heddle_definition_free (HeddleDefinition *self);
void heddle_ids_append_once (GArray *ids, const char *id);
gboolean heddle_region_builder_is_member (const HeddleRegionBuilder *self, const HeddleOperation *operation);
/* Whether it is there only to work out again what another kernel makes. */
gboolean heddle_region_builder_is_again (const HeddleRegionBuilder *self, const HeddleOperation *operation);
gboolean heddle_region_builder_is_read_outside (const HeddleRegionBuilder *self, const char *value);
const GArray *heddle_region_builder_value_axes (const HeddleRegionBuilder *self, const char *value);
/* These return the number of the definition. */
guint heddle_region_builder_add (HeddleRegionBuilder *self, HeddleDefinition *definition);
/* Windows of @n axes of which none has any yet. */
GPtrArray *heddle_windows_new_none (guint n);
/* As of a definition: what the axes in @whole (bits) are read at; NULL: nothing of that is bounded. */
GPtrArray *heddle_windows_of_indices (const GPtrArray *indices, guint64 whole);
/* Takes @windows. */
guint heddle_region_builder_add_input (
    HeddleRegionBuilder *self, const char *value, const GArray *axes, guint64 whole, GPtrArray *windows);
guint heddle_region_builder_get_operand (HeddleRegionBuilder *self, const char *value);

/* --- region-inside.c --- */
/* Under what condition a point is a term of @operation's reduction, over INDEX, SIZE and values at the point; NULL: always. Error:
 * %HEDDLE_DERIVE_ERROR_PROGRAM. */
gboolean heddle_region_builder_get_inside (
    HeddleRegionBuilder *self, const HeddleOperation *operation, HeddleExpr **inside, GError **error);
/* The value (id) that a leaf of such a condition is; NULL: none. */
const char *heddle_expr_of_value (const HeddleExpr *leaf);

/* --- region-operations.c --- */
void heddle_region_builder_add_operation (HeddleRegionBuilder *self, const HeddleOperation *operation);

/* --- region-forms.c --- */
void heddle_region_builder_add_scan (HeddleRegionBuilder *self, const HeddleOperation *operation);
void heddle_region_builder_add_select (HeddleRegionBuilder *self, const HeddleOperation *operation);
void heddle_region_builder_add_gather (HeddleRegionBuilder *self, const HeddleOperation *operation);
/* FALSE: it is no maximum with the first place of it. */
gboolean heddle_region_builder_try_argmax (
    HeddleRegionBuilder *self, const HeddleOperation *operation, const HeddleTerm *term);
/* The indices of a REINDEX over the definitions of its operands. */
GPtrArray *heddle_region_builder_bind_indices (HeddleRegionBuilder *self, const HeddleOperation *operation);

/* --- region-concat.c --- */
void heddle_region_builder_add_concat (HeddleRegionBuilder *self, const HeddleOperation *operation);

/* --- region-halos.c: what is read at other indices than its own is held to the windows of those --- */
void heddle_region_term_find_halos (HeddleRegionTerm *region);

/* --- region-check.c: %HEDDLE_DERIVE_ERROR_REGION --- */
gboolean heddle_region_builder_check_sound (const HeddleRegionBuilder *self, GError **error);
gboolean heddle_region_builder_check_convex (const HeddleRegionBuilder *self, GError **error);

G_END_DECLS
