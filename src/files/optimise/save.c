/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "codegen/base/names.h"
#include "codegen/compile/compile.h"
#include "codegen/emit/emit.h"
#include "codegen/module/compile-all.h"
#include "codegen/module/module.h"
#include "codegen/module/python.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/base/save.h"
#include "files/equations/write.h"
#include "files/ncd/write.h"
#include "files/optimise/report-html.h"
#include "files/optimise/report-json.h"
#include "files/optimise/save.h"

typedef struct
{
  const HeddleOptimised *made;
  const char *folder;
  GPtrArray *written;
  GCancellable *cancellable;
  GPtrArray *texts; /* of HeddleKernelText: with what was verified in their comments */
} Save;

HeddleSnapshot *
heddle_optimised_snapshot (const HeddleOptimised *self)
{
  HeddleSnapshot *snapshot = heddle_snapshot_new ();
  HeddleDiagram *diagram = heddle_snapshot_add_diagram (snapshot, heddle_diagram_copy (self->result));
  HeddleSchedule *schedule = heddle_schedule_copy (self->schedule);

  schedule->diagram = diagram->id;
  g_ptr_array_add (snapshot->schedules, schedule);
  return snapshot;
}

/* Writes a file; takes @data. */
static gboolean
write_file (Save *self, const char *name, char *data, gssize length, GError **error)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  gboolean good
      = data != NULL && heddle_file_save (path, data, length < 0 ? strlen (data) : (gsize) length, error);

  g_free (data);
  if (good && self->written != NULL)
    g_ptr_array_add (self->written, g_steal_pointer (&path));
  return good;
}

/* Returns the worst verification of all kernels: some may be verified and others not. */
static char *
verification_of (const HeddleOptimised *self)
{
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const HeddleOptimisedPiece *piece = g_ptr_array_index (self->pieces, i);

      if (!g_str_has_prefix (piece->verification, "verified"))
        return g_strdup (piece->verification);
    }
  if (self->pieces->len == 1)
    return g_strdup (((const HeddleOptimisedPiece *) g_ptr_array_index (self->pieces, 0))->verification);
  return g_strdup (
      "verified on the CPU, PTX interpreted, in the part of the model that it belongs to: see report.html");
}

static gboolean
write_source (Save *self, GError **error)
{
  const HeddlePlan *plan = self->made->plan;
  g_autofree char *equations = heddle_equations_write (self->made->original), *header = NULL,
                  *name = heddle_c_function (plan->whole->name), *cuda = g_strconcat (name, ".cu", NULL),
                  *h = g_strconcat (name, ".h", NULL);
  char *source
      = heddle_codegen_module (plan->whole, self->texts, plan->sizes, plan->dtype, equations, &header, error);

  return source != NULL && write_file (self, cuda, source, -1, error)
         && write_file (self, h, g_steal_pointer (&header), -1, error);
}

/* Writes the module for Python. It needs a compiler; without one there is no module, and the report says
 * so. */
static gboolean
write_python (Save *self, GError **error)
{
  const HeddlePlan *plan = self->made->plan;
  HeddleGpuKernels kernels = { (HeddlePlan *) plan, self->texts, NULL };
  g_autoptr (GPtrArray) gpus = g_ptr_array_new ();
  g_autofree char *equations = heddle_equations_write (self->made->original),
                  *name = heddle_c_function (plan->whole->name), *file = g_strconcat (name, ".py", NULL);
  gboolean good = FALSE;

  g_ptr_array_add (gpus, &kernels);
  if (heddle_gpu_kernels_compile (&kernels, self->cancellable, error))
    good = write_file (
        self, file, heddle_codegen_python (self->made->original, gpus, equations, error), -1, error);
  g_clear_pointer (&kernels.cubins, g_ptr_array_unref);
  return good;
}

static gboolean
write_document (Save *self, GError **error)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_optimised_snapshot (self->made);
  gsize length = 0;
  char *data = heddle_ncd_write (snapshot, &length, error);

  return write_file (self, "result.ncd", data, (gssize) length, error);
}

static gboolean
write_all (Save *self, GError **error)
{
  if (!write_document (self, error) || !write_source (self, error))
    return FALSE;
  if (heddle_compile_is_available (NULL) && !write_python (self, error))
    return FALSE;
  return write_file (self, "report.json", heddle_optimised_json (self->made), -1, error)
         && write_file (self, "report.html", heddle_optimised_html (self->made), -1, error);
}

gboolean
heddle_optimised_save (const HeddleOptimised *self, const char *folder, GPtrArray *written,
    GCancellable *cancellable, GError **error)
{
  const HeddlePlan *plan = self->plan;
  g_autofree char *verification = verification_of (self);
  Save save = { self, folder, written, cancellable };
  gboolean good;

  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("%s cannot be made: %s"), folder,
          g_strerror (errno));
      return FALSE;
    }
  save.texts = heddle_codegen_emit_all (plan->diagram, plan->derivation, plan->sizes, plan->machine,
      plan->dtype, plan->family, verification, error);
  if (save.texts == NULL)
    return FALSE;
  good = write_all (&save, error);
  g_ptr_array_unref (save.texts);
  return good;
}
