/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/level-cost.h"
#include "derive/machine/find.h"
#include "derive/machine/key-file.h"
#include "derive/report/accounting.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/print.h"
#include "diagram/expression/tree.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define HEAD "Accounting"
#define SUFFIX ".accounting"
#define MAX_QUANTITIES 200

static void
quantity_free (HeddleQuantity *self)
{
  g_free (self->title);
  g_free (self->unit);
  g_free (self->text);
  g_clear_pointer (&self->value, heddle_expr_unref);
  g_free (self);
}

void
heddle_accounting_free (HeddleAccounting *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->title);
  g_free (self->source);
  g_free (self->note);
  g_ptr_array_unref (self->quantities);
  g_free (self);
}

/* --- reading --------------------------------------------------------------------------------- */

static gboolean
is_identifier (const char *name)
{
  gboolean good = g_ascii_isalpha (name[0]);

  for (const char *p = name; *p != '\0'; p++)
    good = good && (g_ascii_isalnum (*p) || *p == '_');
  return good;
}

static void
read_quantity (HeddleKeyFile *file, HeddleAccounting *self, const char *group)
{
  static const char *const known[] = { "Title", "Unit", "Value", "Result", NULL };
  HeddleQuantity *quantity = g_new0 (HeddleQuantity, 1);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (self->quantities, quantity);
  quantity->name = g_intern_string (group);
  quantity->title = heddle_key_file_get_text (file, group, "Title", TRUE);
  quantity->unit = heddle_key_file_get_text (file, group, "Unit", FALSE);
  quantity->text = heddle_key_file_get_text (file, group, "Value", TRUE);
  quantity->result = heddle_key_file_get_flag (file, group, "Result");
  heddle_key_file_check_keys (file, group, known, _ ("is not a key of an accounting"));
  if (!is_identifier (group))
    heddle_key_file_fail (
        file, group, NULL, "%s", _ ("is not a name for a quantity: letters, digits and “_”"));
  else if (self->quantities->len > MAX_QUANTITIES)
    heddle_key_file_fail (file, group, NULL, _ ("an accounting has at most %d quantities"), MAX_QUANTITIES);
  else if (quantity->text != NULL)
    quantity->value = heddle_expr_parse (quantity->text, NULL, NULL, &error);
  if (error != NULL)
    heddle_key_file_fail (file, group, "Value", "%s", error->message);
}

static void
read_head (HeddleKeyFile *file, HeddleAccounting *self)
{
  static const char *const known[] = { "Title", "Source", "Note", "Kind", NULL };
  g_autofree char *kind = heddle_key_file_get_text (file, HEAD, "Kind", TRUE);

  self->title = heddle_key_file_get_text (file, HEAD, "Title", TRUE);
  self->source = heddle_key_file_get_text (file, HEAD, "Source", TRUE);
  self->note = heddle_key_file_get_text (file, HEAD, "Note", FALSE);
  self->kind = g_strcmp0 (kind, "calibrated") == 0 ? HEDDLE_ACCOUNTING_CALIBRATED : HEDDLE_ACCOUNTING_DERIVED;
  if (kind != NULL && !g_str_equal (kind, "derived") && !g_str_equal (kind, "calibrated"))
    heddle_key_file_fail (file, HEAD, "Kind", _ ("“%s” is neither derived nor calibrated"), kind);
  heddle_key_file_check_keys (file, HEAD, known, _ ("is not a key of an accounting"));
}

static char *
name_of_path (const char *path)
{
  char *name = g_path_get_basename (path);

  if (g_str_has_suffix (name, SUFFIX))
    name[strlen (name) - strlen (SUFFIX)] = '\0';
  return name;
}

static HeddleAccounting *
load (const char *path, GError **error)
{
  g_autoptr (HeddleKeyFile) file = heddle_key_file_new (path, error);
  g_autoptr (HeddleAccounting) self = NULL;
  g_auto (GStrv) groups = NULL;

  if (file == NULL)
    return NULL;
  self = g_new0 (HeddleAccounting, 1);
  self->name = name_of_path (path);
  self->quantities = g_ptr_array_new_with_free_func ((GDestroyNotify) quantity_free);
  read_head (file, self);
  groups = g_key_file_get_groups (file->file, NULL);
  for (char **group = groups; *group != NULL && file->error == NULL; group++)
    if (!g_str_equal (*group, HEAD))
      read_quantity (file, self, *group);
  if (file->error == NULL)
    return g_steal_pointer (&self);
  g_propagate_error (error, g_steal_pointer (&file->error));
  return NULL;
}

/* --- finding --------------------------------------------------------------------------------- */

static GPtrArray *
known_paths (void)
{
  g_autofree char *shipped = g_build_filename (heddle_data_directory (), "accounting", NULL);
  g_autofree char *own = g_build_filename (g_get_user_data_dir (), "heddle", "accounting", NULL);
  GPtrArray *paths = heddle_key_files_in (shipped, SUFFIX);

  g_ptr_array_extend_and_steal (paths, heddle_key_files_in (own, SUFFIX));
  return paths;
}

HeddleAccounting *
heddle_accounting_find (const char *name, GError **error)
{
  g_autoptr (GPtrArray) paths = known_paths ();
  g_autoptr (GString) known = g_string_new (NULL);

  g_return_val_if_fail (name != NULL, NULL);

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, SUFFIX))
    return load (name, error);
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *other = name_of_path (g_ptr_array_index (paths, i));

      if (g_str_equal (other, name))
        return load (g_ptr_array_index (paths, i), error);
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", other);
    }
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
      _ ("there is no accounting named “%s”; known: %s"), name, known->str);
  return NULL;
}

/* --- evaluating ------------------------------------------------------------------------------ */

gboolean
heddle_accounting_set (HeddleAccounting *self, const char *name, double number, GError **error)
{
  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  for (guint i = 0; i < self->quantities->len; i++)
    {
      HeddleQuantity *quantity = g_ptr_array_index (self->quantities, i);

      if (!g_str_equal (quantity->name, name))
        continue;
      heddle_expr_unref (quantity->value);
      quantity->value = heddle_expr_number (number);
      g_free (quantity->text);
      quantity->text = heddle_expr_to_string (quantity->value, NULL, NULL);
      return TRUE;
    }
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
      _ ("the accounting “%s” counts no “%s”"), self->name, name);
  return FALSE;
}

typedef struct
{
  const HeddleAccounting *accounting;
  guint n_known; /* quantities before the current one */
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  const HeddleMachine *machine;
  const HeddleKernel *kernel;
  const char *unknown; /* what was not found; or NULL */
} Symbols;

static gboolean
find_quantity (const Symbols *self, const char *name, double *value)
{
  for (guint i = 0; i < self->n_known; i++)
    {
      const HeddleQuantity *quantity = g_ptr_array_index (self->accounting->quantities, i);

      *value = quantity->number;
      if (quantity->name == name)
        return TRUE;
    }
  return FALSE;
}

static gboolean
find_size (const Symbols *self, const char *name, double *value)
{
  const HeddleAxis *axis = heddle_diagram_find_axis (self->diagram, name);

  if (axis != NULL)
    *value = (double) heddle_sizes_get (self->sizes, axis->id);
  return axis != NULL;
}

/* Finds the size of one of the kernel's labels by its symbol, g_q or s_x. */
static gboolean
find_label (const Symbols *self, const char *name, double *value)
{
  HeddleLabelKind kind = name[0] == 'g' ? HEDDLE_LABEL_GROUP : HEDDLE_LABEL_STREAM;
  const HeddleAxis *axis = (name[0] == 'g' || name[0] == 's') && name[1] == '_'
                               ? heddle_diagram_find_axis (self->diagram, name + 2)
                               : NULL;

  for (guint i = 0; axis != NULL && i < self->kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (self->kernel->labels, i);

      *value = (double) label->size;
      if (label->axis == axis->id && label->kind == kind)
        return TRUE;
    }
  return FALSE;
}

static double
level_figure (const HeddleMachine *machine, const char *name, gboolean bandwidth)
{
  int i = heddle_machine_find_level (machine, name);
  const HeddleLevel *level = i >= 0 ? g_ptr_array_index (machine->levels, (guint) i) : NULL;

  return level == NULL ? NAN : bandwidth ? level->bandwidth : (double) level->capacity_bytes;
}

static gboolean
find_rate (const HeddleMachine *machine, const char *name, double *value)
{
  HeddleDtype dtype;

  if (!g_str_has_prefix (name, "tensor_") || !heddle_dtype_from_string (name + strlen ("tensor_"), &dtype))
    return FALSE;
  *value = machine->tensor_flops[dtype];
  return *value > 0.;
}

/* Finds a figure of the machine's file or of the kernel's price. */
static gboolean
find_figure (const Symbols *self, const char *name, double *value)
{
  const HeddleMachine *machine = self->machine;
  const HeddleKernel *kernel = self->kernel;
  const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);
  const struct
  {
    const char *name;
    double value;
  } figures[] = { { "sms", machine->sms }, { "clock", machine->clock }, { "fp32", machine->fp32_flops },
    { "special_per_clock", machine->special_per_clock }, { "warp_size", machine->warp_size },
    { "smem", level_figure (machine, "smem", FALSE) },
    { "registers", level_figure (machine, "registers", FALSE) },
    { "dram", level_figure (machine, "gmem", TRUE) }, { "l2", level_figure (machine, "l2", TRUE) },
    { "step_bytes", (double) level->step_bytes }, { "step_elements", (double) level->step_elements },
    { "transfer_bytes", (double) level->transfer_bytes }, { "memory_bytes", (double) level->memory_bytes },
    { "flops", kernel->flops }, { "special_ops", kernel->special_ops }, { "groups", (double) kernel->groups },
    { "tensor_s", kernel->tensor_s }, { "special_s", kernel->special_s },
    { "expected_s", kernel->expected_s }, { "overlapped_s", kernel->overlapped_s },
    { "ridge", kernel->ridge } };

  for (gsize i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      *value = figures[i].value;
      if (g_str_equal (figures[i].name, name))
        return !isnan (*value);
    }
  return FALSE;
}

static gboolean
look_up (const HeddleExpr *leaf, double *value, gpointer data)
{
  const Symbols *self = data;
  const char *name;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_VARIABLE && heddle_expr_get_kind (leaf) != HEDDLE_EXPR_SIZE)
    return FALSE;
  name = heddle_expr_get_symbol (leaf);
  return find_quantity (self, name, value) || find_size (self, name, value) || find_label (self, name, value)
         || find_rate (self->machine, name, value) || find_figure (self, name, value);
}

/* Returns the first name in a quantity that is not known here; NULL if all are. */
static gboolean
find_unknown (const HeddleExpr *node, gpointer data)
{
  Symbols *self = data;
  HeddleExprKind kind = heddle_expr_get_kind (node);
  double value;

  if ((kind == HEDDLE_EXPR_VARIABLE || kind == HEDDLE_EXPR_SIZE) && !look_up (node, &value, self))
    self->unknown = heddle_expr_get_symbol (node);
  return self->unknown == NULL;
}

static void
set_uncountable (Symbols *self, const HeddleQuantity *quantity, const char *reason, GError **error)
{
  heddle_expr_walk (quantity->value, find_unknown, self);
  if (self->unknown != NULL
      && (g_str_has_prefix (self->unknown, "g_") || g_str_has_prefix (self->unknown, "s_")))
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
        _ ("the accounting “%s” counts “%s” with the label %s, which the kernel has not: give it, as in "
           "--fuse all --label %s:%s=64"),
        self->accounting->name, quantity->name, self->unknown, self->unknown + 2,
        *self->unknown == 'g' ? "group" : "stream");
  else
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
        _ ("the accounting “%s” cannot count “%s” here: %s"), self->accounting->name, quantity->name, reason);
}

gboolean
heddle_accounting_evaluate (HeddleAccounting *self, const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleMachine *machine, const HeddleKernel *kernel, GError **error)
{
  Symbols symbols = { self, 0, diagram, sizes, machine, kernel };

  g_return_val_if_fail (self != NULL && kernel != NULL && kernel->levels->len > 0, FALSE);

  for (; symbols.n_known < self->quantities->len; symbols.n_known++)
    {
      HeddleQuantity *quantity = g_ptr_array_index (self->quantities, symbols.n_known);
      g_autoptr (GError) reason = NULL;

      if (heddle_expr_evaluate (quantity->value, look_up, &symbols, &quantity->number, &reason))
        continue;
      set_uncountable (&symbols, quantity, reason->message, error);
      return FALSE;
    }
  return TRUE;
}
