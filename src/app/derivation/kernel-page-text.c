/* SPDX-License-Identifier: MIT */

/* This file says what is known of the kernels: the loop programs, the CUDA, and what they take of the GPU. */

#include <glib/gi18n.h>

#include "app/derivation/kernel-listing.h"
#include "app/derivation/kernel-page-text.h"
#include "app/derivation/kernel-resources.h"
#include "codegen/base/codegen.h"
#include "derive/derivation/derive.h"
#include "derive/program/pseudocode.h"
#include "app/derivation/kernel-page-private.h"

static void
append_text (GString *text, GPtrArray *lines, const char *more, GPtrArray *more_lines)
{
  if (text->len > 0)
    {
      g_string_append_c (text, '\n');
      g_ptr_array_add (lines, NULL);
    }
  g_string_append (text, more);
  for (guint i = 0; more_lines != NULL && i < more_lines->len; i++)
    g_ptr_array_add (lines, g_ptr_array_index (more_lines, i));
}

/* Appends a kernel; of one that no loop program describes, the reason. */
static void
append_kernel (GString *text, GPtrArray *lines, const HeddleKernel *kernel, const HeddleSizes *sizes)
{
  g_autoptr (GPtrArray) of_kernel = NULL;
  g_autofree char *listing = NULL;

  if (kernel->program != NULL)
    listing = heddle_loop_program_to_pseudocode (kernel->program, sizes, &of_kernel);
  else
    {
      const char *why = kernel->opaque_reason != NULL ? kernel->opaque_reason : _ ("a label is not legal");

      listing = g_strdup_printf (_ ("# %s has no loop program: %s\n"), kernel->title, why);
      of_kernel = g_ptr_array_new ();
      g_ptr_array_add (of_kernel, (gpointer) heddle_ids_index (kernel->operations, 0));
    }
  append_text (text, lines, listing, of_kernel);
}

void
heddle_kernel_page_show_program (
    HeddleKernelPage *self, const HeddleDerivation *derivation, const HeddleSizes *sizes)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GPtrArray *lines = g_ptr_array_new ();
  guint n = derivation->kernels->len;
  g_autofree char *count = g_strdup_printf (ngettext ("%u kernel", "%u kernels", n), n);

  for (guint i = 0; i < n; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      append_kernel (text, lines, kernel, heddle_derivation_sizes (derivation, kernel, sizes));
    }
  heddle_kernel_listing_set_text (HEDDLE_KERNEL_LISTING (self->program), text->str, lines, count);
}

void
heddle_kernel_page_show_cuda (HeddleKernelPage *self, const HeddleKernelJob *job)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GPtrArray *lines = g_ptr_array_new ();
  const HeddleKernelText *first = NULL;
  g_autofree char *target = NULL;

  for (guint i = 0; i < job->plan->texts->len; i++)
    {
      const HeddleKernelText *kernel = g_ptr_array_index (job->plan->texts, i);

      append_text (text, lines, kernel->cuda, kernel->line_operations);
      first = first != NULL ? first : kernel;
    }
  if (first != NULL)
    target = g_strdup_printf (_ ("%s, for %s"), first->entry, first->arch);
  heddle_kernel_listing_set_text (HEDDLE_KERNEL_LISTING (self->cuda), text->str, lines, target);
}

void
heddle_kernel_page_show_resources (HeddleKernelPage *self, const HeddleKernelJob *job)
{
  HeddleKernelResources *resources = HEDDLE_KERNEL_RESOURCES (self->resources);

  heddle_kernel_resources_show (resources, job);
  gtk_scrolled_window_set_min_content_height (
      GTK_SCROLLED_WINDOW (self->scroller), heddle_kernel_resources_row_height (resources));
  gtk_widget_set_visible (self->scroller, job != NULL);
}
