/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "diagram/base/problem.h"
#include "diagram/graph/diagram.h"
#include "figure/typeset/label.h"
#include "files/ncd/spelling.h"

/* Returns whether all commands of @text are known; warns of the first that is not. It is a warning of the diagram, which
 * `heddle check` tells, and no command that has nothing to do with labels. */
static gboolean
check (HeddleNcdReader *self, xmlNode *node, const char *text, HeddleFont font)
{
  g_autoptr (HeddleProblem) unknown = heddle_math_check (text, font);
  HeddleProblem *told;

  if (unknown == NULL)
    return TRUE;
  heddle_ncd_warn (self, node, "%s", unknown->message);
  told = self->problems->pdata[self->problems->len - 1];
  told->remedy = g_steal_pointer (&unknown->remedy);
  told->of_spelling = TRUE;
  if (self->diagram != NULL)
    told->object_id = self->diagram->id;
  return FALSE;
}

void
heddle_ncd_check_label (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  check (self, node, text, HEDDLE_FONT_MATH);
}

/* Takes the commands of prose alone out of @words, which are no mathematics. */
static char *
without_emphasis (const char *words)
{
  static const char *const commands[] = { "\\textbf", "\\emph", "\\texttt" };
  GString *text = g_string_new (words);

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_replace (text, commands[i], "", 0);
  return g_string_free (text, FALSE);
}

void
heddle_ncd_check_prose (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "$", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *words = i % 2 == 0 ? without_emphasis (parts[i]) : NULL;

      if (!check (self, node, words != NULL ? words : parts[i],
              words != NULL ? HEDDLE_FONT_SANS : HEDDLE_FONT_MATH))
        return;
    }
}
