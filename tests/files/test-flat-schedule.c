/* SPDX-License-Identifier: MIT */

/* A schedule of a document with definitions, as one of the flat diagram and back: each kernel stays with the diagram it is of. */

#include "equations-case.h"

#include "diagram/base/error.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/schedule.h"
#include "diagram/flatten/call-schedules.h"
#include "diagram/flatten/flatten.h"
#include "diagram/flatten/map.h"
#include "diagram/flatten/schedule.h"
#include "diagram/graph/diagram.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"

#define TEXT                                                                                                 \
  "def step(X[x,m]) -> Y[x,m]:\n  param W : [m, f=8]\n  H[x,f] = relu(X[x,m] W[m,f])\n"                      \
  "  Y[x,m] = X[x,m] + H[x,f] W[m,f]\n\nX : [x=32, m=16]\nA[x,m] = step^3(X)\nB[x,m] = 2 * A[x,m]\n"         \
  "C[x,m] = step(B)\n"

typedef struct
{
  HeddleSnapshot *snapshot, *flat;
  HeddleDiagram *top, *step, *diagram; /* the last: the flat one */
  HeddleFlatMap *map;
} Case;

static void
flatten (Case *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->map, heddle_flat_map_free);
  g_clear_pointer (&self->flat, heddle_snapshot_unref);
  self->flat = heddle_snapshot_flatten_mapped (self->snapshot, self->top, NULL, &self->map, NULL, &error);
  g_assert_no_error (error);
  self->diagram = heddle_snapshot_get_diagram (self->flat, NULL);
}

static void
begin (Case *self)
{
  *self = (Case){ .snapshot = equations_read (TEXT) };
  self->top = heddle_snapshot_get_diagram (self->snapshot, NULL);
  self->step = heddle_snapshot_get_diagram (self->snapshot, "step");
  flatten (self);
}

static void
end (Case *self)
{
  heddle_flat_map_free (self->map);
  heddle_snapshot_unref (self->flat);
  heddle_snapshot_unref (self->snapshot);
}

static const char *
producer (const HeddleDiagram *diagram, const char *name)
{
  const HeddleValue *value = heddle_diagram_find_value (diagram, name);

  g_assert_nonnull (value);
  return heddle_diagram_get_producer (diagram, value->id)->id;
}

/* The operations that make the values named. */
static GArray *
producers (const HeddleDiagram *diagram, const char *const *names)
{
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; names[i] != NULL; i++)
    heddle_ids_append (ids, producer (diagram, names[i]));
  return ids;
}

static void
test_origins (void)
{
  Case self;
  const HeddleFlatFrame *frame = NULL;

  begin (&self);
  g_assert_cmpuint (self.map->frames->len, ==, 5); /* the top, three times, once */
  g_assert_true (heddle_flat_map_see (self.map, producer (self.diagram, "B")) == producer (self.top, "B"));
  g_assert_true (
      heddle_flat_map_see (self.map, producer (self.diagram, "A.2.H")) == producer (self.top, "A"));
  frame = heddle_flat_map_find_frame (self.map, self.step->id, producer (self.top, "C"));
  g_assert_true (frame->call == producer (self.top, "C"));
  g_assert_true (heddle_flat_frame_get_axis (frame, heddle_diagram_find_axis (self.step, "x")->id)
                 == heddle_diagram_find_axis (self.top, "x")->id);
  g_assert_true (heddle_flat_frame_find_axis (frame, heddle_diagram_find_axis (self.top, "m")->id)
                 == heddle_diagram_find_axis (self.step, "m")->id);
  end (&self);
}

/* A value of a definition that lies otherwise in memory does so each of the four times, and is stored there. */
static void
test_layouts (void)
{
  static const char *const made[] = { "A.1.H", "A.2.H", "A.3.H", "C.H" };
  Case self;
  g_autoptr (GArray) turned = heddle_ids_new ();
  g_autoptr (GError) error = NULL;
  HeddleSchedule *flat = NULL;
  const HeddleSchedule *stored = NULL;
  const char *h = NULL;
  guint n_lost = 0;

  begin (&self);
  h = heddle_diagram_find_value (self.step, "H")->id;
  flat = heddle_snapshot_get_schedule (self.flat, self.diagram);
  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    {
      const HeddleValue *value = heddle_diagram_find_value (self.diagram, made[i]);

      g_array_set_size (turned, 0);
      heddle_ids_append (turned, heddle_ids_index (value->axes, 1));
      heddle_ids_append (turned, heddle_ids_index (value->axes, 0));
      heddle_schedule_set_layout (flat, value->id, turned);
    }
  g_assert_true (heddle_flat_map_store_schedule (
      self.map, self.snapshot, self.diagram, flat, HEDDLE_FLAT_CALLS_TOGETHER, &n_lost, &error));
  g_assert_cmpuint (n_lost, ==, 0);
  stored = heddle_snapshot_find_schedule (self.snapshot, self.step);
  g_assert_nonnull (stored);
  g_assert_cmpuint (stored->layouts->len, ==, 1);
  g_assert_true (heddle_ids_index (heddle_schedule_get_layout (stored, h)->axes, 0)
                 == heddle_diagram_find_axis (self.step, "f")->id);
  flatten (&self);
  flat = heddle_snapshot_get_schedule (self.flat, self.diagram);
  g_assert_cmpuint (flat->layouts->len, ==, G_N_ELEMENTS (made));
  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    g_assert_nonnull (
        heddle_schedule_get_layout (flat, heddle_diagram_find_value (self.diagram, made[i])->id));
  /* where one call wants none, the others' is kept; where the top has a value of its own, it is the top's */
  g_array_set_size (turned, 0);
  heddle_schedule_set_layout (flat, heddle_diagram_find_value (self.diagram, made[1])->id, NULL);
  heddle_ids_append (turned, heddle_diagram_find_axis (self.top, "m")->id);
  heddle_ids_append (turned, heddle_diagram_find_axis (self.top, "x")->id);
  heddle_schedule_set_layout (flat, heddle_diagram_find_value (self.diagram, "B")->id, turned);
  g_assert_true (heddle_flat_map_store_schedule (
      self.map, self.snapshot, self.diagram, flat, HEDDLE_FLAT_CALLS_TOGETHER, &n_lost, &error));
  g_assert_cmpuint (n_lost, ==, 0);
  stored = heddle_snapshot_find_schedule (self.snapshot, self.top);
  g_assert_cmpuint (stored->layouts->len, ==, 1);
  stored = heddle_snapshot_find_schedule (self.snapshot, self.step);
  g_assert_cmpuint (stored->layouts->len, ==, 1);
  /* an output of a definition cannot lie otherwise: the caller has its value */
  flatten (&self);
  flat = heddle_snapshot_get_schedule (self.flat, self.diagram);
  heddle_schedule_set_layout (flat, heddle_diagram_find_value (self.diagram, "C")->id, turned);
  g_assert_true (heddle_flat_map_store_schedule (
      self.map, self.snapshot, self.diagram, flat, HEDDLE_FLAT_CALLS_TOGETHER, &n_lost, &error));
  g_assert_cmpuint (n_lost, ==, 1);
  end (&self);
}

/* Where a call gives a result along an axis of its own, what only renames that axis is a kernel, whose labels are kept with the result. */
static void
test_reads (void)
{
  Case self = {
    .snapshot = equations_read (
        "def mix(X[x,n]; c) -> Y[x,c]:\n  param W : [n, c]\n  Y[x,c] = X[x,n] W[n,c]\n\n"
        "X : [x=32, m=16]\naxis f = 8\nA[x,f] = mix(X, f)\nB[x,f] = mix(A, f)\nC[x,f] = 2 * B[x,f]\n")
  };
  g_autoptr (GError) error = NULL;
  HeddleSchedule *flat = NULL;
  HeddleRegion *region = NULL;
  const HeddleOperation *read = NULL;
  const HeddleFlatOrigin *origin = NULL;
  guint n_lost = 0;

  self.top = heddle_snapshot_get_diagram (self.snapshot, NULL);
  flatten (&self);
  read = heddle_diagram_get_producer (self.diagram, heddle_diagram_find_value (self.diagram, "B")->id);
  origin = g_hash_table_lookup (self.map->origins, read->id);
  g_assert_null (origin->operation);
  flat = heddle_snapshot_get_schedule (self.flat, self.diagram);
  region = heddle_schedule_add_region (flat);
  heddle_ids_append (region->operations, read->id);
  g_ptr_array_add (region->labels,
      heddle_label_new (heddle_diagram_find_axis (self.top, "x")->id, "smem", HEDDLE_LABEL_GROUP, 4));
  g_assert_true (heddle_flat_map_store_schedule (
      self.map, self.snapshot, self.diagram, flat, HEDDLE_FLAT_CALLS_TOGETHER, &n_lost, &error));
  g_assert_cmpuint (n_lost, ==, 0);
  flatten (&self);
  flat = heddle_snapshot_get_schedule (self.flat, self.diagram);
  read = heddle_diagram_get_producer (self.diagram, heddle_diagram_find_value (self.diagram, "B")->id);
  region = heddle_schedule_region_of (flat, read->id);
  g_assert_nonnull (region);
  g_assert_cmpuint (region->labels->len, ==, 1);
  g_assert_cmpint (((HeddleLabel *) g_ptr_array_index (region->labels, 0))->size, ==, 4);
  end (&self);
}

/* Calls that want other labels than most have a schedule of their own, which a file keeps; together again, all have the definition's. */
static void
test_apart (void)
{
  Case self;
  g_autoptr (GPtrArray) problems = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *written = NULL;
  HeddleSchedule *flat = NULL;
  const HeddleSchedule *own = NULL, *all = NULL;
  HeddleRegion *region = NULL;
  const char *x = NULL;
  gsize length = 0;
  guint n_lost = 0;

  begin (&self);
  x = heddle_diagram_find_axis (self.top, "x")->id;
  flat = heddle_snapshot_get_schedule (self.flat, self.diagram);
  for (guint i = 0; i < 4; i++)
    {
      static const char *const made[] = { "A.1.H", "A.2.H", "A.3.H", "C.H" };

      region = heddle_schedule_add_region (flat);
      heddle_ids_append (region->operations, producer (self.diagram, made[i]));
      g_ptr_array_add (region->labels, heddle_label_new (x, "smem", HEDDLE_LABEL_GROUP, i == 1 ? 4 : 8));
    }
  g_assert_true (heddle_flat_map_store_schedule (
      self.map, self.snapshot, self.diagram, flat, HEDDLE_FLAT_CALLS_APART, &n_lost, &error));
  g_assert_no_error (error);
  g_assert_true (heddle_flat_map_has_call_schedules (self.map, self.snapshot));
  g_assert_cmpuint (self.snapshot->schedules->len, ==, 2);
  written = heddle_ncd_write (self.snapshot, &length, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (written, "call=\"o.A.2\""));
  heddle_snapshot_unref (self.snapshot);
  self.snapshot = heddle_ncd_read (written, length, NULL, problems);
  g_assert_cmpuint (problems->len, ==, 0);
  self.top = heddle_snapshot_get_diagram (self.snapshot, NULL);
  self.step = heddle_snapshot_get_diagram (self.snapshot, "step");
  flatten (&self);
  own = heddle_snapshot_find_call_schedule (
      self.snapshot, self.step, self.top->id, g_intern_string ("o.A.2"));
  all = heddle_snapshot_find_schedule (self.snapshot, self.step);
  g_assert_nonnull (own);
  region = g_ptr_array_index (all->regions, 0);
  g_assert_cmpint (((HeddleLabel *) g_ptr_array_index (region->labels, 0))->size, ==, 8);
  flat = heddle_snapshot_get_schedule (self.flat, self.diagram);
  region = heddle_schedule_region_of (flat, producer (self.diagram, "A.2.H"));
  g_assert_cmpint (((HeddleLabel *) g_ptr_array_index (region->labels, 0))->size, ==, 4);
  region = heddle_schedule_region_of (flat, producer (self.diagram, "C.H"));
  g_assert_cmpint (((HeddleLabel *) g_ptr_array_index (region->labels, 0))->size, ==, 8);
  /* a call that gets what the others have has none of its own any more */
  region = heddle_schedule_region_of (flat, producer (self.diagram, "A.2.H"));
  ((HeddleLabel *) g_ptr_array_index (region->labels, 0))->size = 8;
  g_assert_true (heddle_flat_map_store_schedule (
      self.map, self.snapshot, self.diagram, flat, HEDDLE_FLAT_CALLS_APART, &n_lost, &error));
  g_assert_false (heddle_flat_map_has_call_schedules (self.map, self.snapshot));
  end (&self);
}

/* What a definition fuses and labels is fused and labelled each of the four times it is called, on the caller's axis. */
static void
test_lift (void)
{
  Case self;
  g_autoptr (GArray) ids = NULL;
  g_autoptr (GError) error = NULL;
  const char *region = NULL;
  const char *x = NULL;
  const HeddleSchedule *schedule = NULL;

  begin (&self);
  ids = producers (self.step, (const char *[]){ "H", "Y", NULL });
  x = heddle_diagram_find_axis (self.step, "x")->id;
  g_assert_true (heddle_edit_fuse (self.snapshot, self.step, ids, &region, &error));
  g_assert_true (
      heddle_edit_set_label (self.snapshot, self.step, region, x, "smem", HEDDLE_LABEL_GROUP, 8, &error));
  flatten (&self);
  schedule = heddle_snapshot_find_schedule (self.flat, self.diagram);
  g_assert_nonnull (schedule);
  g_assert_cmpuint (schedule->regions->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      const HeddleRegion *lifted = g_ptr_array_index (schedule->regions, i);
      static const char *const names[] = { "A.1.H", "A.2.H", "A.3.H", "C.H" };

      g_assert_true (heddle_ids_contain (lifted->operations, producer (self.diagram, names[i])));
      g_assert_nonnull (heddle_region_get_label (
          lifted, heddle_diagram_find_axis (self.top, "x")->id, "smem", HEDDLE_LABEL_GROUP));
    }
  end (&self);
}

/* What is fused and labelled once in the flat diagram is so in the definition; storing what was lifted changes nothing. */
static void
test_store (void)
{
  Case self;
  g_autoptr (GArray) ids = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL, *after = NULL;
  const HeddleSchedule *schedule = NULL;
  const HeddleRegion *stored = NULL;
  const char *region = NULL;
  guint n_lost = 99;
  gsize length;

  begin (&self);
  ids = producers (self.diagram, (const char *[]){ "A.2.H", "A.2.Y", NULL });
  g_assert_true (heddle_edit_fuse (self.flat, self.diagram, ids, &region, &error));
  g_assert_true (heddle_edit_set_label (self.flat, self.diagram, region,
      heddle_diagram_find_axis (self.diagram, "x")->id, "smem", HEDDLE_LABEL_STREAM, 4, &error));
  g_assert_true (heddle_flat_map_store_schedule (self.map, self.snapshot, self.diagram,
      heddle_snapshot_find_schedule (self.flat, self.diagram), HEDDLE_FLAT_CALLS_TOGETHER, &n_lost, &error));
  g_assert_cmpuint (n_lost, ==, 0);
  g_assert_null (heddle_snapshot_find_schedule (self.snapshot, self.top));
  schedule = heddle_snapshot_find_schedule (self.snapshot, self.step);
  g_assert_cmpuint (schedule->regions->len, ==, 1);
  stored = g_ptr_array_index (schedule->regions, 0);
  g_assert_true (heddle_ids_contain (stored->operations, producer (self.step, "H")));
  g_assert_true (heddle_ids_contain (stored->operations, producer (self.step, "Y")));
  g_assert_cmpint (heddle_region_get_label (
                       stored, heddle_diagram_find_axis (self.step, "x")->id, "smem", HEDDLE_LABEL_STREAM)
                       ->size,
      ==, 4);

  before = heddle_ncd_write (self.snapshot, &length, &error);
  flatten (&self);
  g_assert_true (heddle_flat_map_store_schedule (self.map, self.snapshot, self.diagram,
      heddle_snapshot_find_schedule (self.flat, self.diagram), HEDDLE_FLAT_CALLS_TOGETHER, &n_lost, &error));
  after = heddle_ncd_write (self.snapshot, &length, &error);
  g_assert_cmpstr (after, ==, before);
  end (&self);
}

/* Fuses H and Y of a call, and labels two axes there. */
static void
label_call (Case *self, const char *h, const char *y, HeddleLabelKind of_x, HeddleLabelKind of_m)
{
  g_autoptr (GArray) ids = producers (self->diagram, (const char *[]){ h, y, NULL });
  g_autoptr (GError) error = NULL;
  const char *region = NULL;

  g_assert_true (heddle_edit_fuse (self->flat, self->diagram, ids, &region, &error));
  g_assert_true (heddle_edit_set_label (self->flat, self->diagram, region,
      heddle_diagram_find_axis (self->diagram, "x")->id, "smem", of_x, 4, &error));
  g_assert_true (heddle_edit_set_label (self->flat, self->diagram, region,
      heddle_diagram_find_axis (self->diagram, "m")->id, "smem", of_m, 2, &error));
}

static const HeddleLabel *
find_stored (const Case *self, const char *axis, HeddleLabelKind kind)
{
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (self->snapshot, self->step);

  g_assert_cmpuint (schedule->regions->len, ==, 1);
  return heddle_region_get_label (g_ptr_array_index (schedule->regions, 0),
      heddle_diagram_find_axis (self->step, axis)->id, "smem", kind);
}

static void
store (const Case *self)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (heddle_flat_map_store_schedule (self->map, self->snapshot, self->diagram,
      heddle_snapshot_find_schedule (self->flat, self->diagram), HEDDLE_FLAT_CALLS_TOGETHER, NULL, &error));
}

/* Calls with different labels leave the definition those of one of them, never some of each, which no kernel could have; and what is changed
 * in one call, later in the list, counts. */
static void
test_store_differing (void)
{
  Case self;
  HeddleSchedule *lifted = NULL;

  begin (&self);
  label_call (&self, "A.1.H", "A.1.Y", HEDDLE_LABEL_GROUP, HEDDLE_LABEL_STREAM);
  label_call (&self, "A.2.H", "A.2.Y", HEDDLE_LABEL_STREAM, HEDDLE_LABEL_GROUP);
  store (&self);
  g_assert_nonnull (find_stored (&self, "x", HEDDLE_LABEL_GROUP));
  g_assert_nonnull (find_stored (&self, "m", HEDDLE_LABEL_STREAM));
  g_assert_null (find_stored (&self, "x", HEDDLE_LABEL_STREAM));
  g_assert_null (find_stored (&self, "m", HEDDLE_LABEL_GROUP));

  flatten (&self);
  lifted = heddle_snapshot_find_schedule (self.flat, self.diagram);
  g_assert_cmpuint (lifted->regions->len, ==, 4);
  g_ptr_array_set_size (((HeddleRegion *) g_ptr_array_index (lifted->regions, 2))->labels, 1);
  store (&self);
  g_assert_nonnull (find_stored (&self, "x", HEDDLE_LABEL_GROUP));
  g_assert_null (find_stored (&self, "m", HEDDLE_LABEL_STREAM));
  end (&self);
}

/* A whole call may be fused with what stands beside it, a part of one may not. */
static void
test_across (void)
{
  Case self;
  g_autoptr (GArray) whole = NULL, part = NULL;
  g_autoptr (GError) error = NULL;
  const HeddleRegion *stored = NULL;

  begin (&self);
  whole = heddle_flat_map_get_operations (self.map, self.diagram, producer (self.top, "C"));
  g_assert_cmpuint (whole->len, >=, 4);
  heddle_ids_append (whole, producer (self.diagram, "B"));
  g_assert_true (heddle_edit_fuse (self.flat, self.diagram, whole, NULL, &error));
  g_assert_true (heddle_flat_map_store_schedule (self.map, self.snapshot, self.diagram,
      heddle_snapshot_find_schedule (self.flat, self.diagram), HEDDLE_FLAT_CALLS_TOGETHER, NULL, &error));
  stored = g_ptr_array_index (heddle_snapshot_find_schedule (self.snapshot, self.top)->regions, 0);
  g_assert_cmpuint (stored->operations->len, ==, 2);
  g_assert_true (heddle_ids_contain (stored->operations, producer (self.top, "B")));
  g_assert_true (heddle_ids_contain (stored->operations, producer (self.top, "C")));

  flatten (&self);
  g_ptr_array_set_size (heddle_snapshot_find_schedule (self.flat, self.diagram)->regions, 0);
  part = producers (self.diagram, (const char *[]){ "B", "C.H", NULL });
  g_assert_true (heddle_edit_fuse (self.flat, self.diagram, part, NULL, &error));
  g_assert_false (heddle_flat_map_store_schedule (self.map, self.snapshot, self.diagram,
      heddle_snapshot_find_schedule (self.flat, self.diagram), HEDDLE_FLAT_CALLS_TOGETHER, NULL, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  end (&self);
}

/* Writes the document and reads it again. */
static void
reread (Case *self)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *written = NULL;
  gsize length = 0;

  written = heddle_ncd_write (self->snapshot, &length, &error);
  g_assert_no_error (error);
  heddle_snapshot_unref (self->snapshot);
  self->snapshot = heddle_ncd_read (written, length, NULL, problems);
  g_assert_cmpuint (problems->len, ==, 0);
  self->top = heddle_snapshot_get_diagram (self->snapshot, NULL);
  self->step = heddle_snapshot_get_diagram (self->snapshot, "step");
  flatten (self);
}

/* A kernel of a part of a call and what stands beside it is kept by the schedule of the diagram without calls, with
 * labels of any axis, whatever definitions say, until it is stored with them again. */
static void
test_inlined (void)
{
  Case self;
  g_autoptr (GArray) part = NULL;
  g_autoptr (GError) error = NULL;
  HeddleSchedule *flat = NULL;
  HeddleRegion *region = NULL;
  guint n_lost = 1;

  begin (&self);
  heddle_snapshot_get_schedule (self.snapshot, self.top)->gpu = g_strdup ("a100-sxm-80gb");
  region = heddle_schedule_add_region (heddle_snapshot_get_schedule (self.snapshot, self.step));
  heddle_ids_append (region->operations, producer (self.step, "H"));
  flatten (&self);
  flat = heddle_snapshot_get_schedule (self.flat, self.diagram);
  g_assert_cmpuint (flat->regions->len, ==, 4);
  part = producers (self.diagram, (const char *[]){ "B", "C.H", NULL });
  g_assert_true (heddle_edit_fuse (self.flat, self.diagram, part, NULL, &error));
  region = heddle_schedule_region_of (flat, producer (self.diagram, "C.H"));
  g_ptr_array_add (region->labels,
      heddle_label_new (heddle_diagram_find_axis (self.diagram, "x")->id, "smem", HEDDLE_LABEL_GROUP, 4));
  g_assert_true (heddle_flat_map_store_schedule (
      self.map, self.snapshot, self.diagram, flat, HEDDLE_FLAT_CALLS_INLINED, &n_lost, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_lost, ==, 0);

  reread (&self);
  flat = heddle_snapshot_find_schedule (self.flat, self.diagram);
  g_assert_cmpstr (flat->gpu, ==, "a100-sxm-80gb");
  g_assert_cmpuint (flat->regions->len, ==, 4);
  region = heddle_schedule_region_of (flat, producer (self.diagram, "C.H"));
  g_assert_true (region == heddle_schedule_region_of (flat, producer (self.diagram, "B")));
  g_assert_cmpuint (region->labels->len, ==, 1);

  /* what is not there is left out: a call that went, or an id that a file made up */
  region = g_ptr_array_index (heddle_snapshot_find_inlined_schedule (self.snapshot, self.top)->regions, 0);
  heddle_ids_append (region->operations, g_intern_string ("o.nowhere"));
  g_ptr_array_add (
      region->labels, heddle_label_new (g_intern_string ("a.nowhere"), "smem", HEDDLE_LABEL_GROUP, 2));
  reread (&self);
  flat = heddle_snapshot_find_schedule (self.flat, self.diagram);
  g_assert_cmpuint (flat->regions->len, ==, 4);
  for (guint i = 0; i < flat->regions->len; i++)
    {
      region = g_ptr_array_index (flat->regions, i);
      g_assert_false (heddle_ids_contain (region->operations, g_intern_string ("o.nowhere")));
      g_assert_cmpuint (region->labels->len, <=, 1);
    }

  heddle_schedule_free (g_ptr_array_steal_index (self.flat->schedules, 0));
  flat = heddle_snapshot_get_schedule (self.flat, self.diagram);
  g_assert_true (heddle_flat_map_store_schedule (
      self.map, self.snapshot, self.diagram, flat, HEDDLE_FLAT_CALLS_TOGETHER, &n_lost, &error));
  g_assert_null (heddle_snapshot_find_inlined_schedule (self.snapshot, self.top));
  end (&self);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flat-schedule/origins", test_origins);
  g_test_add_func ("/flat-schedule/lift", test_lift);
  g_test_add_func ("/flat-schedule/store", test_store);
  g_test_add_func ("/flat-schedule/layouts", test_layouts);
  g_test_add_func ("/flat-schedule/reads", test_reads);
  g_test_add_func ("/flat-schedule/apart", test_apart);
  g_test_add_func ("/flat-schedule/store-differing", test_store_differing);
  g_test_add_func ("/flat-schedule/across", test_across);
  g_test_add_func ("/flat-schedule/inlined", test_inlined);
  return g_test_run ();
}
