/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "codegen/cuda-kernel.h"

/* The derivation of a kernel, as the comment above it. */

static void
append_comment (GString *out, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' || lines[i + 1] != NULL)
      g_string_append_printf (out, "//%s%s\n", *lines[i] ? "   " : "", lines[i]);
}

static void
append_labels (GString *out, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_string_append (out, "//   labels:");
  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      g_string_append_printf (out, "%s %s:%s@%s=%" G_GINT64_FORMAT, i > 0 ? "," : "",
          heddle_diagram_get_axis (diagram, label->axis)->name, heddle_label_kind_to_string (label->kind),
          label->level, label->size);
    }
  g_string_append (out, kernel->labels->len > 0 ? "\n" : " none\n");
}

static char *
size_leaf (const HeddleExpr *leaf, gpointer data)
{
  const HeddleAxis *axis = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE
                               ? heddle_diagram_get_axis (data, heddle_expr_get_symbol (leaf))
                               : NULL;

  return axis ? g_strdup (axis->name) : NULL;
}

static void
append_costs (GString *out, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  for (guint i = 0; i < kernel->levels->len; i++)
    {
      const HeddleLevelCost *cost = g_ptr_array_index (kernel->levels, i);
      g_autofree char *moved = heddle_expr_to_string (cost->transfer_symbolic, size_leaf, (gpointer) diagram);
      g_autofree char *held = heddle_expr_to_string (cost->memory_symbolic, size_leaf, (gpointer) diagram);

      g_string_append_printf (out, "//   moved into and out of %s: H = %s = %" G_GINT64_FORMAT " values\n",
          cost->level, moved, cost->transfer_elements);
      g_string_append_printf (out, "//   held in %s: M = %s = %" G_GINT64_FORMAT " values\n", cost->level,
          held, cost->memory_elements);
    }
}

/* What the model says is of the derivation: the best that could be done with it. */
static void
append_bound (GString *out, const HeddleKernel *kernel, const HeddleMachine *machine, HeddleFamily family)
{
  static const struct
  {
    const char *name, *words;
  } bounds[] = { { "tensor", "the tensor cores" }, { "special", "the special-function units" },
    { "fp32", "the arithmetic units" }, { "dram", "global memory" }, { "l2", "the L2 cache" },
    { "smem", "shared memory" } };
  const char *words = kernel->bound;

  if (words == NULL || kernel->expected_s <= 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    if (strcmp (bounds[i].name, kernel->bound) == 0)
      words = bounds[i].words;
  g_string_append_printf (out, "//   bound on %s: %.3g ms, by %s (%s)\n", machine->title,
      kernel->expected_s * 1e3, words,
      family == HEDDLE_FAMILY_GENERAL ? "the general family, without tensor cores, is slower"
                                      : "predicted, not measured");
}

/* The sizes of the axes that the kernel goes through. */
static void
append_sizes (
    GString *out, const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleLoopProgram *program)
{
  g_autoptr (GArray) axes = heddle_cuda_axes (diagram, program);
  const char *before = "";

  g_string_append (out, "//   priced at");
  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);

      if (!heddle_cuda_axis_at_run_time (program, axis) && !heddle_cuda_axis_is_fixed (program, axis))
        continue;
      g_string_append_printf (out, "%s %s=%" G_GINT64_FORMAT, before,
          heddle_diagram_get_axis (diagram, axis)->name, heddle_sizes_get (sizes, axis));
      before = ",";
    }
  g_string_append_c (out, '\n');
}

/* Which family the kernel is of, and why. */
static void
append_family (GString *out, const HeddleKernelText *text)
{
  g_autofree char *reason = text->family_reason != NULL ? heddle_cuda_comment (text->family_reason) : NULL;
  g_autofree char *choice = text->family_choice != NULL ? heddle_cuda_comment (text->family_choice) : NULL;

  if (text->family == HEDDLE_FAMILY_SM80)
    g_string_append (
        out, "//   family sm_80: products by the tensor core (mma.sync), what they make in registers\n");
  if (text->family == HEDDLE_FAMILY_SM90)
    g_string_append (out, "//   family sm_90a: products by warpgroups (wgmma) from shared memory, what they "
                          "make in registers;\n");
  if (text->family == HEDDLE_FAMILY_SM90 && text->maps->len > 0)
    g_string_append (out, "//   four more warps bring the tiles by the copy hardware (TMA), and hand slots "
                          "over by barriers (mbarrier)\n");
  if (text->family == HEDDLE_FAMILY_SM90)
    g_string_append (out,
        "//   checked by interpreting its PTX on the CPU; how tiles lie was not confirmed on hardware\n");
  if (choice != NULL)
    g_string_append_printf (out, "//   %s\n", choice);
  if (reason != NULL)
    g_string_append_printf (out, "//   %s: %s\n",
        text->family != HEDDLE_FAMILY_GENERAL ? "slower than it could be"
                                              : "family general, without tensor cores",
        reason);
}

/* Longer lines go on in the next, where they have a space. */
#define MOST_COLUMNS 120

/* Where the line is to be broken; %NULL: nowhere. */
static const char *
find_break (const char *line)
{
  const char *end = line, *at = NULL;

  for (guint column = 0; *end != '\0' && column < MOST_COLUMNS; column++)
    end = g_utf8_next_char (end);
  if (*end != '\0')
    at = g_strrstr_len (line, end - line, " ");
  /* not in the indentation */
  return at != NULL && at - line > MOST_COLUMNS / 2 ? at : NULL;
}

static void
append_wrapped (GString *out, const char *line)
{
  gsize indent = strspn (line + 2, " ") + 4;
  const char *at;

  for (; (at = find_break (line)) != NULL; line = at + 1)
    g_string_append_printf (out, "%.*s\n//%*s", (int) (at - line), line, (int) indent, "");
  g_string_append_printf (out, "%s\n", line);
}

/* Names of axes may hold what has no place in code. */
static char *
comment_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL && (*lines[i] != '\0' || lines[i + 1] != NULL); i++)
    {
      g_autofree char *line = heddle_cuda_comment (lines[i]);

      append_wrapped (out, line);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
heddle_cuda_derivation (const HeddleDiagram *diagram, const HeddleKernel *kernel, const HeddleSizes *sizes,
    const HeddleMachine *machine, const HeddleKernelText *text, const char *verification)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *listing = heddle_loop_program_to_pseudocode (kernel->program, sizes, NULL);

  g_string_append_printf (out, "// %s, for %s\n", text->entry, machine->title);
  append_comment (out, verification ? verification : "NOT VERIFIED: not run");
  append_family (out, text);
  append_labels (out, diagram, kernel);
  append_sizes (out, diagram, sizes, kernel->program);
  append_costs (out, diagram, kernel);
  append_bound (out, kernel, machine, text->family);
  g_string_append_printf (out, "//   %u threads and %" G_GINT64_FORMAT " bytes of shared memory a block\n",
      text->threads, text->shared_bytes);
  g_string_append (out, "//\n");
  append_comment (out, listing);
  return comment_lines (out->str);
}
