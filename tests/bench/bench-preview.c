/* SPDX-License-Identifier: MIT */

/* What one frame of a drag costs: an axis is held over a level, the label is derived, the scene drawn anew from it. Printed as a ratio
 * to a frame of 60 Hz. */

#include "app/derivation/proposal.h"
#include "app/editor/editor.h"
#include "app/editor/preview.h"
#include "derive/derivation/schedule-text.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "files/equations/document.h"

#define FRAME_US (1e6 / 60)
#define ROUNDS 200

static const char attention[] = "Q : f16[y=4096, k=128]\n"
                                "K : f16[x=4096, k]\n"
                                "V : f16[x, k]\n"
                                "S[y,x] = Q[y,k] K[x,k]\n"
                                "P[y,x] = softmax[x](S[y,x] * k^-0.5)\n"
                                "O[y,k] = P[y,x] V[x,k]\n";

static HeddleEditor *
new_editor (void)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (attention, -1, "bench", problems);
  g_autoptr (HeddleDocument) document = heddle_document_new_from_snapshot (snapshot);

  return heddle_editor_new (document);
}

static void
fuse_all (HeddleEditor *editor)
{
  g_autoptr (GError) error = NULL;
  HeddleSchedule *schedule = heddle_schedule_fuse (heddle_editor_get_diagram (editor), NULL, "all", &error);

  g_assert_no_error (error);
  heddle_editor_set_preview_schedule (editor, schedule);
  g_assert_true (heddle_editor_commit_preview (editor, "Fuse"));
}

/* The label as it is tried while the axis is held there. */
static void
hover (HeddleEditor *editor, const char *axis, HeddleLabelKind kind, gint64 size)
{
  g_autoptr (HeddleProposal) proposal = heddle_proposal_new (editor, axis, "smem", kind, size);

  g_assert_nonnull (proposal->schedule);
  heddle_editor_set_preview_schedule (editor, g_steal_pointer (&proposal->schedule));
  g_assert_nonnull (heddle_editor_get_preview_derivation (editor));
}

static void
draw (HeddleEditor *editor)
{
  HeddleFigure figure = { .diagram = heddle_editor_get_diagram (editor),
    .schedule = heddle_editor_get_shown_schedule (editor),
    .derivation = heddle_editor_get_shown_derivation (editor),
    .sizes = heddle_editor_get_sizes (editor),
    .show = HEDDLE_SHOW_LABELS | HEDDLE_SHOW_COLUMNS };

  heddle_scene_unref (heddle_figure_render (&figure));
}

static void
report (const char *what, double microseconds)
{
  g_print ("%-44s %8.1f us  %6.3f of a frame\n", what, microseconds, microseconds / FRAME_US);
}

int
main (void)
{
  g_autoptr (HeddleEditor) editor = new_editor ();
  const char *y = heddle_diagram_find_axis (heddle_editor_get_diagram (editor), "y")->id;
  const char *x = heddle_diagram_find_axis (heddle_editor_get_diagram (editor), "x")->id;
  gint64 deriving = 0, drawing = 0, fitting = 0, start;

  fuse_all (editor);
  hover (editor, y, HEDDLE_LABEL_GROUP, 128);
  heddle_editor_commit_preview (editor, "Group");
  for (guint i = 0; i < ROUNDS; i++)
    {
      start = g_get_monotonic_time ();
      hover (editor, x, HEDDLE_LABEL_STREAM, 16 << i % 5);
      deriving += g_get_monotonic_time () - start;
      start = g_get_monotonic_time ();
      draw (editor);
      drawing += g_get_monotonic_time () - start;
      start = g_get_monotonic_time ();
      heddle_proposal_fits (editor, x, "smem", HEDDLE_LABEL_STREAM, 256);
      fitting += g_get_monotonic_time () - start;
    }
  report ("hover: derive the label that is tried", (double) deriving / ROUNDS);
  report ("hover: lay out and draw the diagram with it", (double) drawing / ROUNDS);
  report ("hover: both", (double) (deriving + drawing) / ROUNDS);
  report ("whether another size fits", (double) fitting / ROUNDS);
  return 0;
}
