/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "ptx-case.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"

static guint
width_of (char letter)
{
  return letter == 'h' ? 16 : letter == 'w' ? 32 : 64;
}

/* A module whose only kernel is "k". */
HeddlePtxModule *
ptx_case_module (const char *parameters, const char *body)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf (".version 9.0\n.target sm_90\n.address_size 64\n"
                                           ".visible .entry k (%s)\n{\n%s\n}\n",
      parameters, body);
  HeddlePtxModule *module = heddle_ptx_module_new (text, -1, &error);
  g_assert_no_error (error);
  return module;
}

static char *
case_text (const PtxCase *self)
{
  static const char names[] = "dabce";
  GString *text
      = g_string_new (".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k (.param .u64 out, "
                      ".param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pe)\n{\n"
                      ".reg .pred %p, %q;\n.reg .b32 %t, %u;\n.reg .b64 %out;\n");
  for (guint i = 0; self->widths[i] != '\0'; i++)
    g_string_append_printf (text, ".reg .b%u %%%c;\n", width_of (self->widths[i]), names[i]);
  for (guint i = 1; self->widths[i] != '\0'; i++)
    g_string_append_printf (
        text, "ld.param.b%u %%%c, [p%c];\n", width_of (self->widths[i]), names[i], names[i]);
  g_string_append_printf (text, "%s\nld.param.u64 %%out, [out];\nst.global.b%u [%%out], %%d;\nret;\n}\n",
      self->code, width_of (self->widths[0]));
  return g_string_free (text, FALSE);
}

/* Launches "k" with arguments of 64 bits each. */
gboolean
ptx_case_launch (HeddlePtxModule *module, HeddlePtxMemory *memory, const HeddlePtxLaunch *config,
    const guint64 *arguments, guint n_arguments, HeddlePtxStats *stats, GError **error)
{
  g_autofree HeddlePtxArgument *list = g_new (HeddlePtxArgument, n_arguments + 1);
  for (guint i = 0; i < n_arguments; i++)
    list[i] = (HeddlePtxArgument){ &arguments[i], sizeof arguments[i] };
  return heddle_ptx_launch (module, "k", memory, config, list, n_arguments, NULL, stats, error);
}

/* The result of a case, zero-extended. */
guint64
ptx_case_run (const PtxCase *self, GError **error)
{
  g_autofree char *text = case_text (self);
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (text, -1, error);
  if (module == NULL)
    return 0;
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
  guint64 out = heddle_ptx_memory_allocate (memory, "out", 8, error), result = 0;
  const guint64 arguments[] = { out, self->inputs[0], self->inputs[1], self->inputs[2], self->inputs[3] };
  if (out == 0
      || !ptx_case_launch (module, memory, &config, arguments, G_N_ELEMENTS (arguments), NULL, error))
    return 0;
  heddle_ptx_memory_read (memory, out, &result, width_of (self->widths[0]) / 8, error);
  return result;
}

/* Runs a table of cases; a wrong one is named with both values. */
void
ptx_case_check (const PtxCase *cases, guint n)
{
  guint wrong = 0;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 result = ptx_case_run (&cases[i], &error);
      if (error == NULL && result == cases[i].expected)
        continue;
      wrong++;
      g_test_message ("%s (0x%" G_GINT64_MODIFIER "x, 0x%" G_GINT64_MODIFIER "x, 0x%" G_GINT64_MODIFIER
                      "x): 0x%" G_GINT64_MODIFIER "x instead of 0x%" G_GINT64_MODIFIER "x %s",
          cases[i].code, cases[i].inputs[0], cases[i].inputs[1], cases[i].inputs[2], result,
          cases[i].expected, error != NULL ? error->message : "");
    }
  g_assert_cmpuint (wrong, ==, 0);
}

/* The error is of that code, and its message has all the words. */
void
ptx_case_assert_error (GError *error, int code, const char *const *words)
{
  g_assert_error (error, HEDDLE_PTX_ERROR, code);
  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (error->message, words[i]) == NULL)
      g_error ("“%s” is not in: %s", words[i], error->message);
}
