/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>

#include <glib/gi18n.h>

#include "cli/derive-form.h"
#include "cli/derive-report.h"
#include "cli/derive-shard.h"
#include "derive/cost/time-part.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/divisors.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "derive/report/chains.h"
#include "derive/report/layouts.h"
#include "derive/report/symbols.h"
#include "derive/stream/stream-kind.h"
#include "derive/suggest/fusion.h"
#include "diagram/graph/operation-table.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"

gboolean
heddle_derived_is_exact (const HeddleLevelCost *level)
{
  return level->transfer_bytes < G_MAXINT64 && level->memory_bytes < G_MAXINT64;
}

GPtrArray *
heddle_derived_recomputed_labels (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  GPtrArray *labels = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < kernel->again->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->again, i));

      if (heddle_diagram_get_value (diagram, operation->result)->name != NULL)
        g_ptr_array_add (labels, heddle_diagram_value_label (diagram, operation->result));
    }
  return labels;
}

static char *
labels_text (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      g_string_append_printf (text, "%s%s:%s@%s=%" PRId64, i > 0 ? ", " : "",
          heddle_derived_axis_name (diagram, label->axis), heddle_label_kind_to_string (label->kind),
          label->level, label->size);
    }
  return g_string_free (text, FALSE);
}

static void
print_level (const HeddleDerived *self, const HeddleDiagram *diagram, const HeddleLevelCost *level)
{
  gboolean abstract = heddle_machine_is_abstract (self->machine);
  g_autofree char *transfer = heddle_costs_symbolic (diagram, level->transfer_symbolic);
  g_autofree char *memory = heddle_costs_symbolic (diagram, level->memory_symbolic);
  const char *unit = abstract ? _ ("elements") : _ ("bytes");

  g_print (_ ("  %-9s transfers %15" PRId64 " %s  = %s\n"), level->level,
      abstract ? level->transfer_elements : level->transfer_bytes, unit, transfer != NULL ? transfer : "");
  g_print (_ ("  %-9s holds     %15" PRId64 " %s  = %s"), "",
      abstract ? level->memory_elements : level->memory_bytes, unit, memory != NULL ? memory : "");
  if (level->capacity_bytes > 0)
    g_print (_ ("  (of %" PRId64 ")\n"), level->capacity_bytes);
  else
    g_print ("\n");
  if (level->step_elements > 0)
    g_print (_ ("  %-9s a step    %15" PRId64 " %s of each group\n"), "",
        abstract ? level->step_elements : level->step_bytes, unit);
  if (!heddle_derived_is_exact (level))
    g_print (_ ("  %-9s not exact: a count is beyond 64 bits\n"), "");
}

static void
print_time (const HeddleKernel *kernel)
{
  g_print (_ ("  time      %.4g µs expected, %.4g µs overlapped, %.4g µs in series; bound by %s\n"),
      kernel->expected_s * 1e6, kernel->overlapped_s * 1e6, kernel->serial_s * 1e6,
      kernel->bound != NULL ? kernel->bound : "-");
  g_print (_ ("  units     tensor %.4g µs, special %.4g µs, fp32 %.4g µs, DRAM %.4g µs, L2 %.4g µs, SMEM "
              "%.4g µs\n"),
      kernel->tensor_s * 1e6, kernel->special_s * 1e6, kernel->fp32_s * 1e6, kernel->dram_s * 1e6,
      kernel->l2_s * 1e6, kernel->smem_s * 1e6);
}

/* Prints each part of the time that is not 0, in a sentence. */
static void
print_parts (const HeddleKernel *kernel)
{
  for (guint i = 0; i < HEDDLE_TIME_N_PARTS; i++)
    {
      g_autofree char *sentence = NULL;

      if (kernel->parts[i] <= 0.)
        continue;
      sentence = heddle_time_part_sentence (kernel->parts, i, kernel->bound, kernel->waves);
      g_print ("  %-9s %s\n", i == 0 ? _ ("parts") : "", sentence);
    }
}

static void
print_misfit (const HeddleMachine *machine, const HeddleKernel *kernel)
{
  gboolean abstract = heddle_machine_is_abstract (machine);
  gint64 instances = 1;

  for (guint i = 0; i < kernel->levels->len; i++)
    {
      const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, i);
      gint64 held = abstract ? level->memory_elements : level->memory_bytes;

      instances *= level->instances;
      if (held > level->capacity_bytes / instances)
        {
          g_print (
              _ ("  does not fit: %" PRId64 " groups at %s hold %" PRId64 " each, of %" PRId64 " in all\n"),
              instances, level->level, held, level->capacity_bytes);
          return;
        }
    }
  g_print (_ ("  does not fit: a kernel that keeps its sums in f32 takes %" PRId64 " bytes\n"),
      kernel->shared_bytes);
}

/* Prints that the kernel fits although a level holds more than its capacity: its products add up in
 * registers. */
static void
print_registers (const HeddleKernel *kernel)
{
  const HeddleLevelCost *level = kernel->levels->len > 0 ? g_ptr_array_index (kernel->levels, 0) : NULL;

  if (kernel->fits && level != NULL && level->capacity_bytes > 0
      && level->memory_bytes > level->capacity_bytes)
    g_print (_ ("  fits: the sums of products are held in registers, beside %s\n"), level->level);
}

static void
print_stream (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  static const char *const kinds[] = { N_ ("nothing"), N_ ("a map: chunks do not know of one another"),
    N_ ("a monoid: its states can be merged"), N_ ("a state machine: its states are carried in order") };

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      if (heddle_loop_program_get_band (kernel->program, axis->id, HEDDLE_BAND_STREAM) != NULL)
        g_print (_ ("  streams   %s, %s\n"), axis->name, _ (kinds[kernel->stream_kind]));
    }
}

/* Prints the divisors, as q 48 (16: its tiles at registers; 3: as it was labelled). */
static void
print_divisors (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      gint64 divisor = heddle_kernel_divisor (kernel, axis->id);
      g_autofree char *reasons = heddle_kernel_explain_divisor (kernel, axis->id);

      if (divisor > 1)
        g_print (_ ("  divisor   %s in multiples of %" PRId64 " (%s)\n"), axis->name, divisor, reasons);
    }
}

static void
print_recomputed (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (GPtrArray) labels = heddle_derived_recomputed_labels (diagram, kernel);
  g_autofree char *text = NULL;

  g_ptr_array_add (labels, NULL);
  text = g_strjoinv (" ", (char **) labels->pdata);
  g_print (_ ("  again     %s recomputed here, not read\n"), text);
}

/* Prints a hint that a sum over products of three arrays or more could be split into two products. */
static void
print_chain (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  const HeddleOperation *chain = heddle_kernel_find_chain (diagram, kernel);
  g_autofree char *name = chain != NULL ? heddle_diagram_value_label (diagram, chain->result) : NULL;

  if (chain != NULL)
    g_print (_ ("  hint      %s sums over products of %u arrays; “heddle rewrite FILE split-contractions” "
                "makes products "
                "of two of it, which take fewer multiplications\n"),
        name, chain->operands->len);
}

/* The share of the time in copies of single elements from which another order of the array is worth a
 * kernel. */
#define MUCH_COPIED .1

static void
print_copies (const HeddleKernel *kernel)
{
  if (kernel->parts[HEDDLE_TIME_COPIES] > MUCH_COPIED * kernel->expected_s)
    g_print (_ ("  hint      “heddle optimise” copies such arrays into an order that is read in whole "
                "pieces, where that is faster\n"));
}

static void
print_kernel (const HeddleDerived *self, const HeddleDiagram *whole, const HeddleKernel *kernel)
{
  const HeddleDiagram *diagram = heddle_derivation_diagram (self->derivation, whole);
  g_autofree char *labels = labels_text (diagram, kernel);
  g_autofree char *layouts = heddle_derivation_layout_text (self->derivation, whole, kernel);

  g_print ("%s\n", kernel->title);
  g_print (_ ("  labels    %s\n"), *labels != '\0' ? labels : _ ("none"));
  if (kernel->opaque_reason != NULL)
    g_print (_ ("  no kernel %s; priced as what it reads and writes once\n"), kernel->opaque_reason);
  if (kernel->refusals->len > 0)
    {
      g_print (_ ("  refused   %u of the labels given\n"), kernel->refusals->len);
      return;
    }
  for (guint i = 0; i < kernel->levels->len; i++)
    print_level (self, diagram, g_ptr_array_index (kernel->levels, i));
  for (guint i = 0; i < kernel->above->len; i++)
    print_level (self, diagram, g_ptr_array_index (kernel->above, i));
  if (kernel->stream_kind != HEDDLE_STREAM_NONE)
    print_stream (diagram, kernel);
  print_divisors (diagram, kernel);
  if (layouts != NULL)
    g_print (_ ("  layout    %s in memory\n"), layouts);
  if (kernel->again->len > 0)
    print_recomputed (diagram, kernel);
  if (kernel->above_bytes > 0.)
    g_print (_ ("  above     %.15g bytes from or to memory beyond GMEM, %.4g µs\n"), kernel->above_bytes,
        kernel->above_s * 1e6);
  if (kernel->kept_bytes > 0)
    g_print (_ ("  kept      %" PRId64 " bytes in a cache: not moved from or to DRAM\n"), kernel->kept_bytes);
  if (kernel->binding != NULL)
    g_print (_ ("  limit     %s\n"), kernel->binding);
  if (kernel->runner_up != NULL)
    g_print (_ ("  runner-up %s\n"), kernel->runner_up);
  print_chain (diagram, kernel);
  if (!kernel->fits)
    print_misfit (self->machine, kernel);
  print_registers (kernel);
  if (kernel->opaque_reason != NULL)
    g_print (_ ("  work      %.3g FLOP, %.3g FLOP/byte\n"), kernel->flops, kernel->intensity);
  else
    g_print (_ ("  groups    %" PRId64 ", %.3g FLOP, %.3g FLOP/byte\n"), kernel->groups, kernel->flops,
        kernel->intensity);
  if (!heddle_machine_is_abstract (self->machine))
    {
      print_time (kernel);
      print_parts (kernel);
      print_copies (kernel);
    }
  heddle_form_print (diagram, self->machine, kernel, self->hierarchy);
}

static void
print_fusion (const HeddleFusion *fusion)
{
  g_print (_ ("kernels: %s, the best of %u that were priced; %s\n"), fusion->chosen, fusion->priced,
      fusion->exact ? _ ("every way to fuse was considered") : _ ("not every way to fuse was considered"));
  if (!isfinite (fusion->cost))
    {
      g_print (_ ("no way to fuse makes kernels that all fit\n"));
      return;
    }
  if (fusion->places > 0)
    g_print (_ ("places: each kernel was priced with the %u given; one that cannot have them was not "
                "considered\n"),
        fusion->places);
  if (fusion->second != NULL && isfinite (fusion->second_cost))
    g_print (_ ("runner-up: %s, %.3g %% more\n"), fusion->second,
        100. * (fusion->second_cost / fusion->cost - 1.));
  g_print (fusion->by_time
               ? _ ("no way to fuse is more than %.3g %% better: every input and output crosses once, and "
                    "every contraction is computed\n")
               : _ ("no way to fuse is more than %.3g %% better: every input and output crosses once\n"),
      100. * (1. - fusion->least / fusion->cost));
}

/* Prints the global memory held at a time, if several kernels share it or not all of it may be used. */
static void
print_held (const HeddleDerived *self)
{
  const HeddleDerivation *derivation = self->derivation;

  if (derivation->kernels->len > 1 || self->budget > 0)
    g_print (_ ("held: %" PRId64 " bytes of global memory at most, while %s runs\n"), derivation->held_bytes,
        ((const HeddleKernel *) g_ptr_array_index (derivation->kernels, derivation->held_at))->title);
  if (self->budget > 0 && derivation->held_bytes > self->budget)
    g_print (_ ("does not fit: %" PRId64 " bytes of global memory may be held at a time\n"), self->budget);
  if (self->recomputing != NULL)
    g_print ("%s\n", self->recomputing);
}

static char *
names_of (const HeddleDiagram *diagram, const GArray *values)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < values->len; i++)
    {
      g_autofree char *label = heddle_diagram_value_label (diagram, heddle_ids_index (values, i));

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", label);
    }
  return g_string_free (names, FALSE);
}

void
heddle_derived_print_written_out (const HeddleDiagram *diagram, const GArray *values)
{
  g_autofree char *names = NULL;

  if (values == NULL || values->len == 0)
    return;
  names = names_of (diagram, values);
  g_print (_ ("written out: %s; no memory holds all of a row that the softmax or norm goes over, so it is "
              "derived, as code generation makes it, as maps and reductions that go through the row in "
              "pieces\n"),
      names);
}

/* Returns those of the values that are sums of sums (@sums), or those that are products of products. */
static GArray *
select_split (const HeddleDiagram *diagram, const GArray *values, gboolean sums)
{
  GArray *selected = heddle_ids_new ();

  for (guint i = 0; values != NULL && i < values->len; i++)
    {
      const char *value = heddle_ids_index (values, i);
      const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value);

      if ((producer != NULL && producer->kind->form == HEDDLE_FORM_REDUCE) == sums)
        heddle_ids_append (selected, value);
    }
  return selected;
}

static void
print_split (const HeddleDiagram *diagram, const GArray *values, const GArray *joined)
{
  g_autoptr (GArray) products = select_split (diagram, values, FALSE),
                     sums = select_split (diagram, values, TRUE);
  g_autofree char *product_names = names_of (diagram, products), *sum_names = names_of (diagram, sums),
                  *joined_names = joined != NULL ? names_of (diagram, joined) : NULL;

  if (products->len > 0)
    g_print (_ ("split: %s; a product of three arrays or more is derived, as code generation makes it, as "
                "products of two, which take fewer multiplications\n"),
        product_names);
  if (sums->len > 0)
    g_print (
        _ ("split: %s; a sum over three axes or more is derived, as code generation makes it, as a sum of "
           "sums over two, which the tensor cores make\n"),
        sum_names);
  if (joined != NULL && joined->len > 0)
    g_print (
        _ ("joined: %s; a sum over axes that lie side by side is derived, as code generation makes it, as a "
           "sum over one axis, which is a side of a tile\n"),
        joined_names);
}

void
heddle_derived_print_table (const HeddleDerived *self, const HeddleInput *input)
{
  const HeddleDerivation *derivation = self->derivation;

  g_print (
      _ ("%s on %s, %s"), input->diagram->name, self->machine->title, heddle_dtype_to_string (self->dtype));
  if (self->machine->measured != NULL)
    g_print (_ ("; rates measured: %s"), self->machine->measured);
  g_print ("\n");
  for (guint i = 0; i < derivation->kernels->len; i++)
    print_kernel (self, input->diagram, g_ptr_array_index (derivation->kernels, i));
  if (derivation->illegal)
    return;
  g_print (_ ("total: %" PRId64 " elements, %" PRId64 " bytes transferred\n"), derivation->transfer_elements,
      derivation->transfer_bytes);
  if (derivation->transfer_bytes == G_MAXINT64)
    g_print (_ ("not exact: the total is beyond 64 bits\n"));
  print_split (input->diagram, self->split, self->joined);
  heddle_derived_print_written_out (input->diagram, self->written_out);
  heddle_derived_print_shards (self);
  print_held (self);
  if (self->fusion.chosen != NULL)
    print_fusion (&self->fusion);
  if (derivation->candidates > 0)
    g_print (_ ("search: %" PRIu64 " candidates, %.3g ms, %s\n"), derivation->candidates,
        derivation->milliseconds, derivation->exact ? _ ("exact") : _ ("not proved best"));
  if (derivation->unproved != NULL)
    g_print (_ ("not proved: %s\n"), _ (derivation->unproved));
}
