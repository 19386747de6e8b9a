/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/cuda/axes.h"
#include "codegen/emit/comment.h"
#include "derive/cost/level-cost.h"
#include "derive/program/loop-program.h"
#include "derive/program/pseudocode.h"
#include "derive/report/symbols.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/quote.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"

/* The derivation of a kernel, as the comment above it. Whatever stands in it comes from a file, so that each
 * line is quoted as it is added. */

/* The length beyond which a line is continued on the next, if it has a space. */
#define MOST_COLUMNS 120

/* Returns where the line is to be broken; %NULL if nowhere. */
static const char *
find_break (const char *line)
{
  const char *end = line, *at = NULL;

  for (guint column = 0; *end != '\0' && column < MOST_COLUMNS; column++)
    end = g_utf8_next_char (end);
  if (*end != '\0')
    at = g_strrstr_len (line, end - line, " ");
  /* not within the indentation */
  return at != NULL && at - line > MOST_COLUMNS / 2 ? at : NULL;
}

/* Appends a part of a line, which is quoted by itself: it may end in a backslash though the line does not. */
static void
append_part (GString *out, const char *part, gssize length)
{
  g_autofree char *text = g_strndup (part, length < 0 ? strlen (part) : (gsize) length);
  g_autofree char *quoted = heddle_quote_comment (text);

  g_string_append_printf (out, "%s\n", quoted);
}

/* Adds a line of the comment, given without the comment's mark. */
static void add_line (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add_line (GString *out, const char *format, ...)
{
  g_autofree char *text = NULL, *quoted = NULL, *whole = NULL;
  const char *line, *at;
  gsize indent;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  quoted = heddle_quote_comment (text);
  whole = g_strconcat ("//", quoted, NULL);
  line = whole;
  indent = strspn (line + 2, " ") + 4;
  for (; (at = find_break (line)) != NULL; line = at + 1)
    {
      append_part (out, line, at - line);
      g_string_append_printf (out, "//%*s", (int) indent, "");
    }
  append_part (out, line, -1);
}

/* Adds a text of several lines. */
static void
add_lines (GString *out, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' || lines[i + 1] != NULL)
      add_line (out, "%s%s", *lines[i] ? "   " : "", lines[i]);
}

static void
add_labels (GString *out, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      g_string_append_printf (text, "%s %s:%s@%s=%" G_GINT64_FORMAT, i > 0 ? "," : "",
          heddle_diagram_get_axis (diagram, label->axis)->name, heddle_label_kind_to_string (label->kind),
          label->level, label->size);
    }
  add_line (out, "   labels:%s", kernel->labels->len > 0 ? text->str : " none");
}

static void
add_costs (GString *out, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  for (guint i = 0; i < kernel->levels->len; i++)
    {
      const HeddleLevelCost *cost = g_ptr_array_index (kernel->levels, i);
      g_autofree char *moved = heddle_costs_symbolic (diagram, cost->transfer_symbolic);
      g_autofree char *held = heddle_costs_symbolic (diagram, cost->memory_symbolic);

      add_line (out, "   moved into and out of %s: H = %s = %" G_GINT64_FORMAT " values", cost->level, moved,
          cost->transfer_elements);
      add_line (out, "   held in %s: M = %s = %" G_GINT64_FORMAT " values", cost->level, held,
          cost->memory_elements);
    }
}

/* Adds what the model says of the derivation: it is the best that could be done with it. */
static void
add_bound (GString *out, const HeddleKernel *kernel, const HeddleMachine *machine, HeddleFamily family)
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
  add_line (out, "   bound on %s: %.3g ms, by %s (%s)", machine->title, kernel->expected_s * 1e3, words,
      family == HEDDLE_FAMILY_GENERAL ? "the general family, without tensor cores, is slower"
                                      : "predicted, not measured");
}

/* Adds the sizes of the axes that the kernel goes through. */
static void
add_sizes (
    GString *out, const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleLoopProgram *program)
{
  g_autoptr (GArray) axes = heddle_cuda_axes (diagram, program);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);

      if (!heddle_cuda_axis_at_run_time (program, axis) && !heddle_cuda_axis_is_fixed (program, axis))
        continue;
      g_string_append_printf (text, "%s %s=%" G_GINT64_FORMAT, text->len > 0 ? "," : "",
          heddle_diagram_get_axis (diagram, axis)->name, heddle_sizes_get (sizes, axis));
    }
  add_line (out, "   priced at%s", text->str);
}

/* Adds the family of the kernel, and why it is of that. */
static void
add_family (GString *out, const HeddleKernelText *text)
{
  if (text->family == HEDDLE_FAMILY_SM80)
    add_line (out, "   family sm_80: products by the tensor core (mma.sync), what they make in registers");
  if (text->family == HEDDLE_FAMILY_SM90)
    add_line (out, "   family sm_90a: products by warpgroups (wgmma) from shared memory, what they "
                   "make in registers;");
  if (text->family == HEDDLE_FAMILY_SM90 && text->maps->len > 0)
    add_line (out, "   four more warps bring the tiles by the copy hardware (TMA), and hand slots "
                   "over by barriers (mbarrier)");
  if (text->family == HEDDLE_FAMILY_ROWS)
    add_line (out, "   family rows: each row in registers, in one pass over memory");
  if (text->family_choice != NULL)
    add_line (out, "   %s", text->family_choice);
  if (text->family_reason != NULL)
    add_line (out, "   %s: %s",
        text->family != HEDDLE_FAMILY_GENERAL ? "slower than it could be"
                                              : "family general, without tensor cores",
        text->family_reason);
}

char *
heddle_cuda_derivation (const HeddleDiagram *diagram, const HeddleKernel *kernel, const HeddleSizes *sizes,
    const HeddleMachine *machine, const HeddleKernelText *text, const char *verification)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *listing = heddle_loop_program_to_pseudocode (kernel->program, sizes, NULL);

  add_line (out, " %s, for %s", text->entry, machine->title);
  add_lines (out, verification ? verification : "NOT VERIFIED: not run");
  add_family (out, text);
  add_labels (out, diagram, kernel);
  add_sizes (out, diagram, sizes, kernel->program);
  add_costs (out, diagram, kernel);
  add_bound (out, kernel, machine, text->family);
  add_line (out, "   %u threads and %" G_GINT64_FORMAT " bytes of shared memory a block", text->threads,
      text->shared_bytes);
  add_line (out, "%s", "");
  add_lines (out, listing);
  return g_string_free (g_steal_pointer (&out), FALSE);
}
