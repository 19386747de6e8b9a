/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/base/names.h"
#include "codegen/emit/device-text.h"
#include "codegen/emit/duplicates.h"

/* This file finds kernels that differ in names alone, as those of a model's layers do. One is printed and
 * compiled, and started for each. Two texts are the same if their tokens are, except for identifiers made of
 * the names of axes and arrays, which must stand for one another throughout. */

typedef struct
{
  const char *begin;
  gsize length;
} Token;

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* Returns the next token that is no comment; a text in quotes is one. A token of no length is the end. */
static Token
next_token (const char **at)
{
  const char *p = *at;
  Token token;

  for (;;)
    {
      while (g_ascii_isspace (*p))
        p++;
      if (p[0] == '/' && p[1] == '/')
        p += strcspn (p, "\n");
      else if (p[0] == '/' && p[1] == '*' && strstr (p + 2, "*/") != NULL)
        p = strstr (p + 2, "*/") + 2;
      else
        break;
    }
  token = (Token){ p, *p != '\0' ? 1 : 0 };
  while (is_word (*p) && is_word (p[token.length]))
    token.length++;
  if (*p == '"' && strchr (p + 1, '"') != NULL)
    token.length = (gsize) (strchr (p + 1, '"') + 1 - p);
  *at = p + token.length;
  return token;
}

/* Returns whether @one stands for @other and for nothing else, in both directions. */
static gboolean
stands_for (GHashTable *names, const char *one, const char *other)
{
  const char *known = g_hash_table_lookup (names, one);

  if (known != NULL)
    return strcmp (known, other) == 0;
  g_hash_table_insert (names, g_strdup (one), g_strdup (other));
  return TRUE;
}

/* Returns whether the word may be a name of the model: no other word looks like one. */
static gboolean
is_name (GHashTable *building_blocks, const char *word)
{
  return g_ascii_isalpha (*word) && strstr (word, "__") == NULL && !heddle_names_is_reserved (word)
         && !g_hash_table_contains (building_blocks, word);
}

static gboolean
are_alike (GHashTable *building_blocks, GHashTable *forth, GHashTable *back, Token a, Token b)
{
  gboolean same = a.length == b.length && memcmp (a.begin, b.begin, a.length) == 0;
  g_autofree char *one = NULL, *other = NULL;

  if (!g_ascii_isalpha (*a.begin) && *a.begin != '_')
    return same;
  one = g_strndup (a.begin, a.length);
  other = g_strndup (b.begin, b.length);
  if (!same && (!is_name (building_blocks, one) || !is_name (building_blocks, other)))
    return FALSE;
  return stands_for (forth, one, other) && stands_for (back, other, one);
}

static gboolean
has_same_text (GHashTable *building_blocks, const char *one, const char *other)
{
  g_autoptr (GHashTable) forth = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) back = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (;;)
    {
      Token a = next_token (&one), b = next_token (&other);

      if (a.length == 0 || b.length == 0)
        return a.length == b.length;
      if (!are_alike (building_blocks, forth, back, a, b))
        return FALSE;
    }
}

static gboolean
has_same_sections (const HeddleKernelText *one, const HeddleKernelText *other)
{
  GHashTableIter iter;
  gpointer section;

  if (g_hash_table_size (one->sections) != g_hash_table_size (other->sections))
    return FALSE;
  g_hash_table_iter_init (&iter, one->sections);
  while (g_hash_table_iter_next (&iter, &section, NULL))
    if (!g_hash_table_contains (other->sections, section))
      return FALSE;
  return TRUE;
}

static gboolean
has_same_map (const HeddleKernelMap *one, const HeddleKernelMap *other)
{
  return one->n == other->n && one->dtype == other->dtype
         && memcmp (one->box, other->box, one->n * sizeof *one->box) == 0;
}

static gboolean
has_same_interface (const HeddleKernelText *one, const HeddleKernelText *other)
{
  if (one->parameters->len != other->parameters->len || one->tiles->len != other->tiles->len
      || one->maps->len != other->maps->len)
    return FALSE;
  for (guint i = 0; i < one->maps->len; i++)
    if (!has_same_map (g_ptr_array_index (one->maps, i), g_ptr_array_index (other->maps, i)))
      return FALSE;
  for (guint i = 0; i < one->parameters->len; i++)
    {
      const HeddleKernelParameter *a = g_ptr_array_index (one->parameters, i),
                                  *b = g_ptr_array_index (other->parameters, i);

      if ((a->axis == NULL) != (b->axis == NULL) || a->dtype != b->dtype || a->output != b->output
          || a->alignment != b->alignment)
        return FALSE;
    }
  for (guint i = 0; i < one->tiles->len; i++)
    if (((const HeddleKernelTile *) g_ptr_array_index (one->tiles, i))->size
        != ((const HeddleKernelTile *) g_ptr_array_index (other->tiles, i))->size)
      return FALSE;
  return TRUE;
}

static gboolean
is_same (GHashTable *building_blocks, const HeddleKernelText *one, const HeddleKernelText *other)
{
  return one->family == other->family && one->threads == other->threads
         && one->shared_bytes == other->shared_bytes && strcmp (one->arch, other->arch) == 0
         && has_same_interface (one, other) && has_same_sections (one, other)
         && has_same_text (building_blocks, one->kernel, other->kernel);
}

/* Returns a number that equal texts share, and few others do. */
static guint
shape_of (const HeddleKernelText *text)
{
  const char *p = text->kernel;
  guint hash = text->threads;

  for (Token token = next_token (&p); token.length > 0; token = next_token (&p))
    if (!g_ascii_isalpha (*token.begin) && *token.begin != '_')
      for (gsize i = 0; i < token.length; i++)
        hash = hash * 33 + (guchar) token.begin[i];
  return hash;
}

/* Returns the functions among the building blocks that kernels call. */
static GHashTable *
list_building_blocks (GPtrArray *texts)
{
  GHashTable *words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *prelude = heddle_module_prelude (texts);
  const char *p = prelude;
  Token before = next_token (&p);

  for (Token token = next_token (&p); token.length > 0; before = token, token = next_token (&p))
    if (*token.begin == '(' || *token.begin == '<')
      g_hash_table_add (words, g_strndup (before.begin, before.length));
  return words;
}

void
heddle_kernel_texts_find_duplicates (GPtrArray *texts)
{
  g_autoptr (GHashTable) shapes
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) building_blocks = list_building_blocks (texts);

  for (guint i = 0; i < texts->len; i++)
    {
      HeddleKernelText *text = g_ptr_array_index (texts, i);
      gpointer shape = GUINT_TO_POINTER (shape_of (text));
      GPtrArray *found = g_hash_table_lookup (shapes, shape);

      if (found == NULL)
        g_hash_table_insert (shapes, shape, found = g_ptr_array_new ());
      text->duplicate_of = NULL;
      for (guint k = 0; k < found->len && text->duplicate_of == NULL; k++)
        if (is_same (building_blocks, g_ptr_array_index (found, k), text))
          text->duplicate_of = g_ptr_array_index (found, k);
      if (text->duplicate_of == NULL)
        g_ptr_array_add (found, text);
    }
}

const char *
heddle_kernel_text_entry (const HeddleKernelText *self)
{
  return self->duplicate_of != NULL ? self->duplicate_of->entry : self->entry;
}
