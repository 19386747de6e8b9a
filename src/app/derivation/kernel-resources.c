/* SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <glib/gi18n.h>

#include "app/widgets/explain.h"
#include "app/widgets/format.h"
#include "app/derivation/kernel-resources.h"
#include "app/widgets/wrap-box.h"
#include "codegen/base/codegen.h"
#include "codegen/base/kernel-audit.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"

#define MAX_REGISTERS 255 /* a thread may have on every architecture that is targeted */

struct _HeddleKernelResources
{
  GtkBox parent_instance;
  HeddleWrapBox *cards; /* of as many kernels in a row as fit */
};

G_DEFINE_FINAL_TYPE (HeddleKernelResources, heddle_kernel_resources, GTK_TYPE_BOX)

static GtkWidget *
new_text (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

static char *
explain (GtkWidget *cell, double x, double y, gpointer data)
{
  return g_strdup (g_object_get_data (G_OBJECT (cell), "card"));
}

/* Adds a cell; @fill is that of its gauge, and below 0 it has none. @sentence says what the figure is. */
static void
add_cell (GtkWidget *row, const char *title, const char *figure, const char *text, double fill,
    const char *level, const char *sentence)
{
  GtkWidget *cell = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1),
            *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 7), *name = new_text (title, "caption");
  g_autofree char *here = g_strdup_printf ("%s %s", figure, text);

  gtk_widget_add_css_class (name, "dim-label");
  gtk_box_append (GTK_BOX (head), name);
  if (fill >= 0)
    {
      GtkWidget *bar = gtk_level_bar_new ();

      gtk_level_bar_set_value (GTK_LEVEL_BAR (bar), MIN (1, fill));
      gtk_widget_add_css_class (bar, level);
      gtk_widget_set_size_request (bar, 84, -1);
      gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
      gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
      gtk_box_append (GTK_BOX (head), bar);
    }
  gtk_box_append (GTK_BOX (foot), new_text (figure, "heading"));
  gtk_box_append (GTK_BOX (foot), new_text (text, "caption"));
  gtk_box_append (GTK_BOX (cell), head);
  gtk_box_append (GTK_BOX (cell), foot);
  g_object_set_data_full (G_OBJECT (cell), "card",
      g_strdup_printf (_ ("%s\nHere: %s"), sentence, text[0] != '\0' ? here : figure), g_free);
  heddle_explain_set (cell, explain, NULL, HEDDLE_PAGE_DERIVING);
  if (gtk_widget_get_first_child (row) != NULL)
    gtk_box_append (GTK_BOX (row), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (row), cell);
}

static void
add_kernel (GtkWidget *row, const HeddleKernelText *kernel)
{
  g_autofree char *threads = g_strdup_printf ("%u", kernel->threads);
  g_autofree char *blocks = g_strdup_printf (_ ("threads, %" PRId64 " blocks"), kernel->blocks);

  add_cell (row, kernel->entry, threads, blocks, -1, NULL,
      _ ("The threads of each block of the kernel, and how many blocks are launched."));
}

static void
add_shared (GtkWidget *row, const HeddleMachine *machine, gint64 bytes)
{
  int i = heddle_machine_find_level (machine, "smem");
  const HeddleLevel *level = i >= 0 ? g_ptr_array_index (machine->levels, i) : NULL;
  double capacity = level != NULL ? level->capacity_bytes : 0;
  g_autofree char *figure = heddle_format_bytes (bytes), *of = heddle_format_bytes (capacity);
  g_autofree char *text = capacity > 0 ? g_strdup_printf (_ ("of %s"), of) : g_strdup ("");

  add_cell (row, _ ("Shared"), figure, text, capacity > 0 ? bytes / capacity : -1, "smem",
      _ ("Shared memory that a block has for its tiles; what an SM has bounds how many blocks it holds."));
}

static void
add_registers (GtkWidget *row, const HeddleCompilation *compilation)
{
  g_autofree char *figure = g_strdup_printf ("%d", compilation->registers);
  g_autofree char *text = g_strdup_printf (_ ("of %d a thread"), MAX_REGISTERS);
  g_autofree char *spills = heddle_format_bytes (compilation->spill_bytes);

  add_cell (row, _ ("Registers"), figure, text, compilation->registers / (double) MAX_REGISTERS, "registers",
      _ ("Registers that the compiler gives each thread: the more, the fewer threads an SM holds."));
  add_cell (row, _ ("Spills"), spills, _ ("a thread"), -1, NULL,
      _ ("What did not fit in registers and goes through local memory, which is slow."));
}

typedef struct
{
  guint blocks; /* an SM holds at once */
  const char *binds;
} Occupancy;

static void
bind (Occupancy *occupancy, double blocks, const char *what)
{
  if (blocks >= occupancy->blocks)
    return;
  occupancy->blocks = (guint) blocks;
  occupancy->binds = what;
}

/* Blocks an SM holds at once: the least that warps, registers, shared memory and slots allow. */
static Occupancy
find_occupancy (
    const HeddleMachine *machine, const HeddleKernelText *kernel, const HeddleCompilation *compilation)
{
  Occupancy occupancy = { machine->max_blocks_per_sm, _ ("block slots") };
  guint warps = (kernel->threads + machine->warp_size - 1) / machine->warp_size;
  guint unit = MAX (1, machine->register_granularity);
  double of_warp = (compilation->registers * machine->warp_size + unit - 1) / unit * unit;
  int smem = heddle_machine_find_level (machine, "smem"),
      registers = heddle_machine_find_level (machine, "registers");
  const HeddleLevel *shared = smem >= 0 ? g_ptr_array_index (machine->levels, smem) : NULL;
  const HeddleLevel *file = registers >= 0 ? g_ptr_array_index (machine->levels, registers) : NULL;

  bind (&occupancy, machine->max_threads_per_sm / (double) MAX (1, kernel->threads), _ ("threads"));
  if (file != NULL && of_warp > 0)
    bind (&occupancy, file->capacity_bytes / 4. / (of_warp * warps), _ ("registers"));
  if (shared != NULL && compilation->shared_bytes > 0)
    bind (&occupancy,
        MAX (shared->total_bytes, shared->capacity_bytes)
            / (double) (compilation->shared_bytes + machine->reserved_shared_bytes),
        _ ("shared memory"));
  return occupancy;
}

static void
add_occupancy (GtkWidget *row, const HeddleMachine *machine, const HeddleKernelText *kernel,
    const HeddleCompilation *compilation)
{
  Occupancy occupancy = find_occupancy (machine, kernel, compilation);
  guint most = machine->max_threads_per_sm / MAX (1, machine->warp_size);
  guint warps = occupancy.blocks * ((kernel->threads + machine->warp_size - 1) / machine->warp_size);
  g_autofree char *figure = g_strdup_printf (_ ("%u of %u warps"), warps, most);
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u block an SM, bound by %s", "%u blocks an SM, bound by %s", occupancy.blocks),
      occupancy.blocks, occupancy.binds);

  add_cell (row, _ ("Occupancy"), figure, text, most > 0 ? warps / (double) most : 0, "special",
      _ ("Warps that an SM holds at once, of as many as it could: others work while one waits."));
}

static void
add_compiler (GtkWidget *row, const HeddleCompilation *compilation, const char *arch)
{
  g_autofree char *time = heddle_format_seconds (compilation->milliseconds / 1000);
  g_autofree char *text = g_strdup_printf (_ ("for %s in %s"), arch, time);

  add_cell (row, _ ("Compiled"), compilation->compiler, text, -1, NULL,
      _ ("The compiler that made machine code of the kernel, for which GPU, and how long it took."));
}

/* Adds the instructions of the machine code, which no compiler reports. */
static void
add_audit (GtkWidget *row, const HeddleAudit *audit)
{
  g_autofree char *figure = g_strdup_printf ("%u", audit->instructions);
  g_autoptr (GString) text = g_string_new (ngettext ("instruction", "instructions", audit->instructions));

  if (audit->products > 0)
    g_string_append_printf (text,
        ngettext (", %u of the tensor core", ", %u of the tensor core", audit->products), audit->products);
  if (audit->loop_products > 0)
    g_string_append_printf (text, _ ("; main loop: %.2f for each product, %u spilled"),
        (double) audit->loop_instructions / audit->loop_products, audit->loop_spills);
  add_cell (row, _ ("Audit"), figure, text->str, -1, NULL,
      _ ("Instructions of the machine code, counted in its listing."));
}

/* Adds the times of a run of the kernel, with those of what merges its parts. */
static void
add_measured (GtkWidget *row, const HeddleKernelJob *job, const HeddleKernelText *text)
{
  const GPtrArray *kernels = job->plan->derivation->kernels;

  for (guint i = 0; i < kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (kernels, i);
      const HeddleTiming *timing = g_ptr_array_index (job->bench->timings, i);
      g_autofree char *figure = heddle_format_seconds (timing->median_s);
      g_autofree char *expected = heddle_format_seconds (timing->expected_s);
      g_autofree char *words = g_strdup_printf (_ ("%s expected"), expected);

      if (text->program == kernel->program)
        add_cell (row, _ ("Measured"), figure, words, -1, NULL,
            _ ("The median time of a launch on the GPU of this machine."));
    }
}

static void
remove_all (HeddleKernelResources *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->cards))) != NULL)
    gtk_widget_unparent (child);
}

void
heddle_kernel_resources_show (HeddleKernelResources *self, const HeddleKernelJob *job)
{
  remove_all (self);
  gtk_widget_set_visible (GTK_WIDGET (self), job != NULL);
  for (guint i = 0; job != NULL && i < job->plan->texts->len; i++)
    {
      const HeddleKernelText *kernel = g_ptr_array_index (job->plan->texts, i);
      const HeddleCompilation *compilation
          = job->compilations != NULL ? g_ptr_array_index (job->compilations, i) : NULL;
      GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);

      gtk_widget_add_css_class (row, "derivation-card");
      add_kernel (row, kernel);
      if (compilation != NULL)
        add_registers (row, compilation);
      add_shared (
          row, job->plan->machine, compilation != NULL ? compilation->shared_bytes : kernel->shared_bytes);
      if (compilation != NULL)
        {
          add_occupancy (row, job->plan->machine, kernel, compilation);
          add_compiler (row, compilation, kernel->arch);
          if (compilation->audited)
            add_audit (row, &compilation->audit);
        }
      if (job->bench != NULL)
        add_measured (row, job, kernel);
      heddle_wrap_box_append (self->cards, row);
    }
}

int
heddle_kernel_resources_row_height (HeddleKernelResources *self)
{
  int height = 0;

  for (GtkWidget *card = gtk_widget_get_first_child (GTK_WIDGET (self->cards)); card != NULL;
       card = gtk_widget_get_next_sibling (card))
    {
      int own;

      gtk_widget_measure (card, GTK_ORIENTATION_VERTICAL, -1, NULL, &own, NULL, NULL);
      height = MAX (height, own);
    }
  return height;
}

static void
heddle_kernel_resources_class_init (HeddleKernelResourcesClass *klass)
{
}

static void
heddle_kernel_resources_init (HeddleKernelResources *self)
{
  GtkWidget *cards = heddle_wrap_box_new (4);

  self->cards = HEDDLE_WRAP_BOX (cards);
  gtk_widget_set_hexpand (cards, TRUE);
  gtk_box_append (GTK_BOX (self), cards);
}

GtkWidget *
heddle_kernel_resources_new (void)
{
  return g_object_new (HEDDLE_TYPE_KERNEL_RESOURCES, NULL);
}
