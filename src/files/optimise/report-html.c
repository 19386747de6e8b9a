/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "derive/cost/level-cost.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/stream/split.h"
#include "derive/stream/stream-kind.h"
#include "diagram/base/dtype.h"
#include "diagram/base/quote.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/chart.h"
#include "figure/page/figure.h"
#include "figure/page/roofline-plot.h"
#include "figure/scene/scene.h"
#include "files/base/files.h"
#include "files/optimise/cost.h"
#include "files/optimise/findings.h"
#include "files/optimise/report-html.h"
#include "files/picture/svg.h"

/* The report as a page: one file, no script, nothing fetched. Whatever comes from the model goes through
 * heddle_quote_html (). */

/* The number of operations beyond which a diagram is not drawn: nobody could read it on a page. */
#define MOST_DRAWN 150
/* The length of the lines into which figures are wrapped, in px. */
#define LINE 1500.

static const char style[]
    = "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222;"
      "background:#fff}"
      "h1{font-size:1.7em;margin-bottom:.2em}h2{margin-top:2em;border-bottom:1px solid "
      "#ccc}h3{margin-top:1.5em}"
      "table{border-collapse:collapse;margin:.7em 0;font-variant-numeric:tabular-nums}"
      "th,td{padding:.25em .8em;text-align:right;border-bottom:1px solid #ddd;vertical-align:top}"
      "th{font-weight:600;color:#444}td:first-child,th:first-child,.t{text-align:left}"
      ".figure{overflow-x:auto;border:1px solid #ddd;border-radius:6px;padding:.5em;margin:.5em "
      "0;background:#fff}"
      ".figure svg{max-width:100%;height:auto}"
      ".note{color:#555}.good{color:#176a2d}.bad{color:#a01010}code{overflow-wrap:anywhere}";

static void append (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Appends a formatted text; the texts among the arguments are escaped. */
static void
append (GString *out, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = heddle_quote_html (format, arguments);
  va_end (arguments);
  g_string_append (out, text);
}

/* --- quantities --------------------------------------------------------------------- */

static char *
duration (double seconds)
{
  if (!isfinite (seconds))
    return g_strdup (_ ("none"));
  return seconds >= 1e-3 ? g_strdup_printf ("%.4g ms", seconds * 1e3)
                         : g_strdup_printf ("%.4g µs", seconds * 1e6);
}

/* Returns a ratio as "5.2×"; an empty text if there is none. */
static char *
ratio (double before, double after)
{
  if (!(after > 0) || !(before > 0))
    return g_strdup ("");
  return g_strdup_printf ("%.3g×", before / after);
}

static void
append_row (GString *out, const char *title, const char *before, const char *after, double of, double to)
{
  g_autofree char *factor = ratio (of, to);

  append (out, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n", title, before, after, factor);
}

static void
append_bytes (GString *out, const char *title, double before, double after)
{
  g_autofree char *one = heddle_optimised_quantity (before, "B"),
                  *two = heddle_optimised_quantity (after, "B");

  append_row (out, title, one, two, before, after);
}

static void
append_costs (GString *out, const HeddleOptimisedCost *before, const HeddleOptimisedCost *after)
{
  g_autofree char *kernels = g_strdup_printf ("%u", before->kernels),
                  *fused = g_strdup_printf (_ ("%u (%u different)"), after->kernels, after->different),
                  *flops = heddle_optimised_quantity (before->flops, "FLOP"),
                  *own = heddle_optimised_quantity (after->flops, "FLOP"),
                  *time = duration (before->expected_s), *own_time = duration (after->expected_s);

  append (out, "<table><tr><th></th><th>%s</th><th>%s</th><th></th></tr>\n", _ ("before"), _ ("after"));
  append_row (out, _ ("Kernels"), kernels, fused, before->kernels, after->kernels);
  append_bytes (out, _ ("Moved into and out of blocks"), before->transfer_bytes, after->transfer_bytes);
  append_bytes (out, _ ("of it, from and to global memory"), before->dram_bytes, after->dram_bytes);
  append_row (out, _ ("Operations"), flops, own, before->flops, after->flops);
  append_row (out, _ ("Expected time"), time, own_time, before->expected_s, after->expected_s);
  g_string_append (out, "</table>\n");
}

static void
append_baseline (GString *out, const char *title, const HeddleOptimisedCost *cost)
{
  g_autofree char *bytes = heddle_optimised_quantity (cost->dram_bytes, "B"),
                  *time = duration (cost->expected_s);

  append (out, "<tr><td>%s</td><td>%u</td><td>%s</td><td>%s</td></tr>\n", title, cost->kernels,
      isfinite (cost->expected_s) ? bytes : "", time);
}

/* Appends what PyTorch would run beside what was made. */
static void
append_baselines (GString *out, const HeddleOptimised *self)
{
  append (out, "<table><tr><th></th><th>%s</th><th>%s</th><th>%s</th></tr>\n", _ ("Kernels"),
      _ ("global memory"), _ ("Expected time"));
  append_baseline (out, _ ("PyTorch without a compiler"), &self->eager);
  append_baseline (out, _ ("PyTorch with Inductor"), &self->inductor);
  append_baseline (out, _ ("this result"), &self->after);
  g_string_append (out, "</table>\n");
  append (out, "<p class=\"note\">%s</p>\n",
      _ ("PyTorch’s kernels are what it would run of this diagram by its rules, with library kernels for "
         "products and attention; they are priced by the same clock, without what threads of ours would take "
         "besides moving and computing."));
}

/* --- figures ------------------------------------------------------------------------ */

/* Appends an SVG as part of the page: without the lines that only a file of its own has. */
static void
append_scene (GString *out, HeddleScene *scene)
{
  const HeddlePictureOptions options = { .width_pt = 0. };
  g_autoptr (GBytes) bytes = scene != NULL ? heddle_svg_write (scene, &options, NULL) : NULL;
  g_autofree char *text
      = bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)) : NULL;
  const char *svg = text != NULL ? strstr (text, "<svg") : NULL;

  if (svg != NULL)
    g_string_append_printf (out, "<div class=\"figure\">%s</div>\n", svg);
}

static void
append_diagram (GString *out, const HeddleDiagram *diagram, const HeddlePlan *plan)
{
  HeddleFigure figure = { .diagram = diagram, .wrap = LINE };
  HeddleSchedule *schedule = plan != NULL ? heddle_plan_get_schedule (plan) : NULL;
  g_autoptr (HeddleScene) scene = NULL;

  if (diagram->operations->len > MOST_DRAWN)
    {
      append (out, "<p class=\"note\">%s</p>\n", _ ("Too large to be drawn here: open result.ncd."));
      g_clear_pointer (&schedule, heddle_schedule_free);
      return;
    }
  if (plan != NULL)
    {
      figure.schedule = schedule;
      figure.derivation = plan->derivation;
      figure.sizes = plan->sizes;
      figure.show = HEDDLE_SHOW_LABELS;
    }
  scene = heddle_figure_render (&figure);
  append_scene (out, scene);
  g_clear_pointer (&schedule, heddle_schedule_free);
}

static void
append_roofline (GString *out, const HeddleOptimised *self, const HeddleOptimisedPiece *piece)
{
  const HeddleChart chart = { .diagram = piece->plan->diagram,
    .machine = self->machine,
    .derivation = piece->plan->derivation,
    .dtype = piece->plan->dtype,
    .sizes = piece->plan->sizes };
  g_autoptr (HeddleScene) scene = heddle_chart_render_roofline (&chart);

  append_scene (out, scene);
}

/* --- tables ------------------------------------------------------------------------- */

static char *
labels_text (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      g_string_append_printf (text, "%s%c_%s=%" G_GINT64_FORMAT, i > 0 ? " " : "",
          *heddle_label_kind_to_string (label->kind), heddle_diagram_get_axis (diagram, label->axis)->name,
          label->size);
    }
  return g_string_free (text, FALSE);
}

static void
append_kernels (GString *out, const HeddleOptimised *self, const HeddlePlan *plan)
{
  const HeddleDiagram *diagram = plan->diagram;
  const HeddleDerivation *derivation = plan->derivation;

  append (out,
      "<table><tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>FLOP/B</th><th>%s</th><th>%s</"
      "th>"
      "<th class=\"t\">%s</th></tr>\n",
      _ ("Kernel"), _ ("operations"), _ ("moved"), _ ("global memory"), _ ("FLOP"), _ ("bound by"),
      _ ("time"), _ ("tiles"));
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);
      g_autofree char *title = heddle_kernel_values (diagram, kernel->operations, " "),
                      *moved = heddle_optimised_quantity ((double) level->transfer_bytes, "B"),
                      *dram = heddle_optimised_quantity (kernel->dram_bytes, "B"),
                      *flops = heddle_optimised_quantity (kernel->flops, ""),
                      *labels = labels_text (diagram, kernel),
                      *time = duration (heddle_plan_kernel_seconds (plan, kernel));

      append (out,
          "<tr><td>%s</td><td>%u</td><td>%s</td><td>%s</td><td>%s</td><td>%.3g</td><td>%s</td><td>%s</td>"
          "<td class=\"t\">%s</td></tr>\n",
          title, kernel->operations->len, moved, dram, flops, kernel->intensity, kernel->bound, time, labels);
    }
  g_string_append (out, "</table>\n");
}

static const HeddleOptimiseFinding *
finding_of (const GPtrArray *found, const HeddleKernel *kernel)
{
  for (guint i = 0; i < found->len; i++)
    if (((const HeddleOptimiseFinding *) found->pdata[i])->kernel == kernel)
      return found->pdata[i];
  return NULL;
}

static void
append_fused (GString *out, const HeddleOptimised *self, const HeddleOptimisedPiece *piece)
{
  const HeddlePlan *plan = piece->plan;
  g_autoptr (GPtrArray) found = heddle_optimised_find (self, piece);

  append (out, "<h4>%s</h4>\n<ul>\n", _ ("What was fused"));
  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);
      g_autofree char *title = heddle_kernel_values (plan->diagram, kernel->operations, " ");

      if (kernel->operations->len < 2)
        continue;
      append (out, _ ("<li>%s: %u operations in one kernel; values between them are not stored."), title,
          kernel->operations->len);
      if (finding_of (found, kernel) != NULL)
        append (out, " <strong>%s.</strong>", finding_of (found, kernel)->sentence);
      if (kernel->stream_kind != HEDDLE_STREAM_NONE)
        append (out, _ (" It streams (%s)."), heddle_stream_kind_to_string (kernel->stream_kind));
      if (kernel->binding != NULL)
        append (out, _ (" Larger tiles are prevented by %s."), kernel->binding);
      if (kernel->runner_up != NULL)
        append (out, _ (" Next best: %s."), kernel->runner_up);
      g_string_append (out, "</li>\n");
    }
  g_string_append (out, "</ul>\n");
}

static void
append_refused (GString *out, const HeddleOptimisedPiece *piece)
{
  if (piece->refusals->len == 0)
    return;
  append (out, "<h4>%s</h4>\n<ul>\n", _ ("What was not fused, and why"));
  for (guint i = 0; i < piece->refusals->len; i++)
    {
      const HeddleOptimiseRefusal *refusal = g_ptr_array_index (piece->refusals, i);

      append (out, _ ("<li>%s with %s: %s.</li>\n"), refusal->first, refusal->second, refusal->reason);
    }
  g_string_append (out, "</ul>\n");
}

static void
append_steps (GString *out, const HeddleOptimisedPiece *piece)
{
  if (piece->steps->len == 0)
    return;
  append (out, "<h4>%s</h4>\n<table><tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th></th></tr>\n",
      _ ("Rewrites that were tried"), _ ("Rewrite"), _ ("places"), _ ("before"), _ ("after"));
  for (guint i = 0; i < piece->steps->len; i++)
    {
      const HeddleOptimiseStep *step = g_ptr_array_index (piece->steps, i);
      g_autofree char *before = duration (step->before_s), *after = duration (step->after_s);

      append (out, "<tr><td>%s</td><td>%u</td><td>%s</td><td>%s</td><td class=\"t\">%s</td></tr>\n",
          _ (step->title), step->places, before, after, step->kept ? _ ("kept") : _ ("refused: no faster"));
    }
  g_string_append (out, "</table>\n");
}

static void
append_piece (GString *out, const HeddleOptimised *self, guint i)
{
  const HeddleOptimisedPiece *piece = g_ptr_array_index (self->pieces, i);
  HeddleOptimisedCost before = heddle_optimised_cost_of (piece->apart);
  HeddleOptimisedCost after = heddle_optimised_cost_of (piece->plan);
  gboolean verified = g_str_has_prefix (piece->verification, "verified");

  append (out, _ ("<h2>Part %u of %u</h2>\n"), i + 1, self->pieces->len);
  append (out, ngettext ("<p>It occurs %u time.", "<p>It occurs %u times.", piece->times), piece->times);
  append (out, " <span class=\"%s\">%s</span></p>\n", verified ? "good" : "bad", piece->verification);
  if (piece->fallback != NULL)
    append (out, _ ("<p class=\"bad\">Its kernels are left unfused: %s.</p>\n"), piece->fallback);
  for (guint k = 0; k < piece->unfused->len; k++)
    {
      const HeddleOptimiseUnfused *unfused = g_ptr_array_index (piece->unfused, k);

      append (out, _ ("<p class=\"bad\">%s left unfused: %s.</p>\n"), unfused->values, unfused->reason);
    }
  if (piece->searched < piece->ways)
    append (out,
        _ ("<p class=\"bad\">Searched %u of %u ways to make its kernels: the steps of the search were used "
           "up.</p>\n"),
        piece->searched, piece->ways);
  append_costs (out, &before, &after);
  append (out, "<h3>%s</h3>\n", _ ("Before"));
  append_diagram (out, piece->before, NULL);
  append_kernels (out, self, piece->apart);
  append (out, "<h3>%s</h3>\n", _ ("After"));
  append_diagram (out, piece->plan->diagram, piece->plan);
  append_kernels (out, self, piece->plan);
  append_fused (out, self, piece);
  append_refused (out, piece);
  append_steps (out, piece);
  append (out, "<h4>%s</h4>\n", _ ("Roofline of its kernels"));
  append_roofline (out, self, piece);
}

/* Appends the findings that need attention, which come first. */
static void
append_attention (GString *out, const HeddleOptimised *self)
{
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const HeddleOptimisedPiece *piece = g_ptr_array_index (self->pieces, i);
      g_autoptr (GPtrArray) found = heddle_optimised_find (self, piece);

      for (guint k = 0; k < found->len; k++)
        {
          const HeddleOptimiseFinding *finding = g_ptr_array_index (found, k);

          if (finding->is_attention)
            append (out,
                ngettext ("<p><strong>%s</strong> (part %u, %u time).</p>\n",
                    "<p><strong>%s</strong> (part %u, %u times).</p>\n", piece->times),
                finding->sentence, i + 1, piece->times);
        }
    }
}

static void
append_comparison (GString *out, const HeddleOptimised *self)
{
  if (self->compared_at == NULL)
    append (out, _ ("<p class=\"bad\">Original and result were not compared: %s</p>\n"), self->not_compared);
  else
    append (out,
        _ ("<p>Original and result were evaluated on the same random inputs in f64 (%s): their outputs "
           "differ "
           "by "
           "%.2g of their norm.</p>\n"),
        self->compared_at, self->difference);
}

char *
heddle_optimised_html (const HeddleOptimised *self)
{
  GString *out = g_string_new ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                               "style-src 'unsafe-inline'\">\n");

  append (out, "<title>%s, %s</title>\n<style>", self->original->name, self->machine->title);
  g_string_append (out, style);
  append (out, "</style></head><body>\n<h1>%s</h1>\n", self->original->name);
  append (out,
      _ ("<p>%s, %s. Before: a kernel for each named value. Times are the model's: nothing "
         "was measured.</p>\n"),
      self->machine->title, heddle_dtype_to_string (self->plan->dtype));
  append_costs (out, &self->before, &self->after);
  append_baselines (out, self);
  append_comparison (out, self);
  append_attention (out, self);
  for (guint i = 0; i < self->pieces->len; i++)
    append_piece (out, self, i);
  g_string_append (out, "</body></html>\n");
  return g_string_free (out, FALSE);
}
