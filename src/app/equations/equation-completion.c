/* SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <glib/gi18n.h>
#include <string.h>

#include "app/edits/definitions.h"
#include "app/equations/equation-completion.h"
#include "app/equations/equation-highlight.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"
#include "files/equations/nearest.h"

/* Characters on each side of the word at hand. */
#define MOST_AROUND 16384
/* Letters of a word before anything is offered. */
#define LEAST_PREFIX 2

struct _HeddleEquationCompletion
{
  GObject parent_instance;
  HeddleEditor *editor; /* not held: it goes with the bar's */
};

/* A word that is offered, and what it is. */
#define HEDDLE_TYPE_EQUATION_WORD (heddle_equation_word_get_type ())
G_DECLARE_FINAL_TYPE (HeddleEquationWord, heddle_equation_word, HEDDLE, EQUATION_WORD, GObject)

struct _HeddleEquationWord
{
  GObject parent_instance;
  char *text, *what;
};

static void
heddle_equation_word_proposal_init (GtkSourceCompletionProposalInterface *iface)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (HeddleEquationWord, heddle_equation_word, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_COMPLETION_PROPOSAL, heddle_equation_word_proposal_init))

static void
heddle_equation_word_finalize (GObject *object)
{
  HeddleEquationWord *self = HEDDLE_EQUATION_WORD (object);

  g_free (self->text);
  g_free (self->what);
  G_OBJECT_CLASS (heddle_equation_word_parent_class)->finalize (object);
}

static void
heddle_equation_word_class_init (HeddleEquationWordClass *class)
{
  G_OBJECT_CLASS (class)->finalize = heddle_equation_word_finalize;
}

static void
heddle_equation_word_init (HeddleEquationWord *self)
{
}

/* --- which words ------------------------------------------------------------------ */

/* The names of @text without its comments, in their order, each once. */
static GPtrArray *
collect_names (const char *text)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (const char *c = text; *c != '\0';)
    {
      const char *end = heddle_equation_skip_name (c);
      char *name = NULL;

      if (*c == '#')
        c += strcspn (c, "\n");
      else if (end == c)
        c = g_utf8_next_char (c);
      else
        {
          name = g_strndup (c, end - c);
          c = end;
          if (g_hash_table_add (seen, name))
            g_ptr_array_add (names, name);
          else
            g_free (name);
        }
    }
  return names;
}

static gboolean
begins_with (const char *word, const char *prefix)
{
  g_autofree char *a = g_utf8_casefold (word, -1), *b = g_utf8_casefold (prefix, -1);

  return g_str_has_prefix (a, b) && !g_str_equal (word, prefix);
}

GPtrArray *
heddle_equation_completion_find (const char *text, const char *prefix)
{
  g_autoptr (GPtrArray) names = collect_names (text);
  const GPtrArray *functions = heddle_equations_get_functions ();
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < names->len; i++)
    if (begins_with (g_ptr_array_index (names, i), prefix))
      g_ptr_array_add (found, g_strdup (g_ptr_array_index (names, i)));
  for (guint i = 0; i < functions->len; i++)
    {
      const char *function = g_ptr_array_index (functions, i);

      if (begins_with (function, prefix)
          && !g_ptr_array_find_with_equal_func (found, function, g_str_equal, NULL))
        g_ptr_array_add (found, g_strdup (function));
    }
  return found;
}

char *
heddle_equation_completion_guess (const char *text, const char *word)
{
  g_autoptr (GPtrArray) names = collect_names (text);
  const GPtrArray *functions = heddle_equations_get_functions ();

  for (guint i = names->len; i-- > 0;)
    if (g_str_equal (g_ptr_array_index (names, i), word))
      g_ptr_array_remove_index (names, i);
  for (guint i = 0; i < functions->len; i++)
    g_ptr_array_add (names, g_strdup (g_ptr_array_index (functions, i)));
  return g_strdup (heddle_equations_find_nearest (word, names));
}

/* --- the provider ----------------------------------------------------------------- */

static char *
describe_axis (HeddleEditor *editor, const HeddleAxis *axis)
{
  HeddleSizes *sizes = heddle_editor_get_sizes (editor);
  const gint64 size = sizes != NULL ? heddle_sizes_get (sizes, axis->id) : 0;

  return size > 0 ? g_strdup_printf (_ ("axis of %" PRId64), size) : g_strdup (_ ("axis"));
}

char *
heddle_equation_completion_describe (HeddleEquationCompletion *self, const char *word)
{
  const HeddleDiagram *diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;
  const HeddleValue *value = diagram != NULL ? heddle_diagram_find_value (diagram, word) : NULL;
  const HeddleAxis *axis = diagram != NULL ? heddle_diagram_find_axis (diagram, word) : NULL;

  if (value != NULL)
    return heddle_describe_type (self->editor, value);
  if (axis != NULL)
    return describe_axis (self->editor, axis);
  if (g_ptr_array_find_with_equal_func (
          (GPtrArray *) heddle_equations_get_functions (), word, g_str_equal, NULL))
    return g_strdup (_ ("function"));
  return NULL;
}

/* Returns whether the word is in sight: the list has no place beside one that is not, which may lie beyond
 * the screen. */
static gboolean
is_seen (GtkSourceCompletionContext *context)
{
  GtkTextView *view = GTK_TEXT_VIEW (gtk_source_completion_context_get_view (context));
  GdkRectangle seen, word;
  GtkTextIter start, end;

  if (view == NULL || !gtk_source_completion_context_get_bounds (context, &start, &end))
    return FALSE;
  gtk_text_view_get_visible_rect (view, &seen);
  gtk_text_view_get_iter_location (view, &end, &word);
  return word.y + word.height > seen.y && word.y < seen.y + seen.height;
}

/* Returns the text around the word: of a long text the words nearby, so that no stroke waits for all of it.
 * */
static char *
text_around (GtkSourceCompletionContext *context)
{
  GtkTextIter start, end;

  if (!gtk_source_completion_context_get_bounds (context, &start, &end))
    return g_strdup ("");
  gtk_text_iter_backward_chars (&start, MOST_AROUND);
  gtk_text_iter_forward_chars (&end, MOST_AROUND);
  return gtk_text_iter_get_text (&start, &end);
}

static void
fill (HeddleEquationCompletion *self, GtkSourceCompletionContext *context, GListStore *store)
{
  g_autofree char *prefix = gtk_source_completion_context_get_word (context), *text = NULL;
  g_autoptr (GPtrArray) words = NULL;

  g_list_store_remove_all (store);
  if (prefix == NULL || strlen (prefix) < LEAST_PREFIX || !is_seen (context))
    return;
  text = text_around (context);
  words = heddle_equation_completion_find (text, prefix);
  for (guint i = 0; i < words->len; i++)
    {
      HeddleEquationWord *word = g_object_new (HEDDLE_TYPE_EQUATION_WORD, NULL);

      word->text = g_strdup (g_ptr_array_index (words, i));
      word->what = heddle_equation_completion_describe (self, word->text); /* or NULL */
      g_list_store_append (store, word);
      g_object_unref (word);
    }
}

static GListModel *
populate (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context, GError **error)
{
  GListStore *store = g_list_store_new (GTK_SOURCE_TYPE_COMPLETION_PROPOSAL);

  fill (HEDDLE_EQUATION_COMPLETION (provider), context, store);
  return G_LIST_MODEL (store);
}

static void
refilter (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context, GListModel *model)
{
  fill (HEDDLE_EQUATION_COMPLETION (provider), context, G_LIST_STORE (model));
}

static void
display (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context,
    GtkSourceCompletionProposal *proposal, GtkSourceCompletionCell *cell)
{
  HeddleEquationWord *word = HEDDLE_EQUATION_WORD (proposal);

  switch (gtk_source_completion_cell_get_column (cell))
    {
    case GTK_SOURCE_COMPLETION_COLUMN_TYPED_TEXT:
      gtk_source_completion_cell_set_text (cell, word->text);
      break;
    case GTK_SOURCE_COMPLETION_COLUMN_AFTER:
      gtk_source_completion_cell_set_text (cell, word->what != NULL ? word->what : "");
      break;
    default:
      gtk_source_completion_cell_set_text (cell, NULL);
    }
}

static void
activate (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context,
    GtkSourceCompletionProposal *proposal)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (gtk_source_completion_context_get_buffer (context));
  GtkTextIter start, end;

  if (!gtk_source_completion_context_get_bounds (context, &start, &end))
    return;
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_insert (buffer, &start, HEDDLE_EQUATION_WORD (proposal)->text, -1);
  gtk_text_buffer_end_user_action (buffer);
}

static void
heddle_equation_completion_provider_init (GtkSourceCompletionProviderInterface *iface)
{
  iface->populate = populate;
  iface->refilter = refilter;
  iface->display = display;
  iface->activate = activate;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (HeddleEquationCompletion, heddle_equation_completion, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_COMPLETION_PROVIDER, heddle_equation_completion_provider_init))

static void
heddle_equation_completion_class_init (HeddleEquationCompletionClass *class)
{
}

static void
heddle_equation_completion_init (HeddleEquationCompletion *self)
{
}

HeddleEquationCompletion *
heddle_equation_completion_new (void)
{
  return g_object_new (HEDDLE_TYPE_EQUATION_COMPLETION, NULL);
}

void
heddle_equation_completion_set_editor (HeddleEquationCompletion *self, HeddleEditor *editor)
{
  g_return_if_fail (HEDDLE_IS_EQUATION_COMPLETION (self));
  self->editor = editor;
}
