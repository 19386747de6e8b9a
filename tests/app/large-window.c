/* SPDX-License-Identifier: MIT */

#include "large-window.h"

#include <glib/gstdio.h>

#include "app/canvas/canvas.h"
#include "app/canvas/scene.h"
#include "app/derivation/proposal.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/ncd/write.h"
#include "tests/bench/large.h"
#include "app/editor/private.h"

#define N_OPERATIONS 1200

HeddleEditor *
editor_of (HeddleWindow *window)
{
  return heddle_window_get_editor (window);
}

char *
write_file (void)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();
  g_autofree char *folder = g_dir_make_tmp ("heddle-large-XXXXXX", NULL), *text = NULL;
  char *path = g_build_filename (folder, "network.ncd", NULL);
  gsize length;

  heddle_snapshot_add_diagram (snapshot, large_network (N_OPERATIONS));
  text = heddle_ncd_write (snapshot, &length, NULL);
  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return path;
}

void
remove_file (char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
}

void
wait_for_all (HeddleWindow *window)
{
  HeddleCanvas *canvas = heddle_window_get_canvas (window);

  robot_until (!heddle_editor_is_deriving (editor_of (window)) && editor_of (window)->previewing == NULL);
  robot_until (!heddle_canvas_is_composing (canvas));
  robot_settle (GTK_WIDGET (canvas));
}

HeddleSchedule *
label_axis (HeddleEditor *editor, guint axis)
{
  const HeddleAxis *at = g_ptr_array_index (heddle_editor_get_flat_diagram (editor)->axes, axis);
  g_autoptr (HeddleProposal) proposal = heddle_proposal_new (editor, at->id, "smem", HEDDLE_LABEL_GROUP, 16);

  g_assert_nonnull (proposal->schedule);
  return g_steal_pointer (&proposal->schedule);
}
