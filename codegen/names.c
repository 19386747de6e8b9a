/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <string.h>

#include "codegen/names.h"

struct _HeddleNames
{
  const HeddleDiagram *diagram;
  GHashTable *taken; /* identifier -> itself */
  GHashTable *axes; /* axis id -> identifier */
  GHashTable *parts[HEDDLE_N_AXIS_NAMES]; /* axis id -> identifier, by HeddleAxisName */
  GHashTable *values;
  GPtrArray *buffers;
};

/* Words that generated code uses for itself, or that C++ keeps. */
static const char *const reserved[] = { "asm", "auto", "bool", "break", "case", "catch", "char", "class",
  "const", "constexpr", "continue", "default", "delete", "do", "double", "else", "enum", "explicit", "export",
  "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace",
  "new", "operator", "private", "protected", "public", "register", "return", "short", "signed", "sizeof",
  "static", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typename", "union",
  "unsigned", "using", "virtual", "void", "volatile", "while", "and", "or", "not", "xor", "min", "max", "exp",
  "log", "sqrt", "sin", "cos", "abs", "floor", "ceil", "block", "shared", "stream", "acc", "i", "THREADS",
  "status", "workspace", "threadIdx", "blockIdx", "f16", "bf16", "e4m3", "e5m2", "y0", "y1", "j0", "j1", "jn",
  "yn", "gamma", "signbit", "index", "time", "div" };

char *
heddle_c_identifier (const char *text)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    if (g_ascii_isalnum (*p))
      g_string_append_c (out, *p);
    else if (*p == '\'')
      g_string_append (out, "_prime");
    else if (out->len > 0 && out->str[out->len - 1] != '_')
      g_string_append_c (out, '_');
  while (out->len > 0 && out->str[out->len - 1] == '_')
    g_string_truncate (out, out->len - 1);
  if (out->len == 0 || g_ascii_isdigit (out->str[0]))
    g_string_prepend (out, "v");
  g_string_truncate (out, MIN (out->len, 60));
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gboolean
is_free (HeddleNames *self, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++)
    if (strcmp (reserved[i], name) == 0)
      return FALSE;
  return !g_hash_table_contains (self->taken, name);
}

static const char *
take (HeddleNames *self, const char *text, const char *suffix)
{
  g_autofree char *base = heddle_c_identifier (text);
  char *name = g_strconcat (base, suffix, NULL);

  for (guint n = 2; !is_free (self, name); n++)
    {
      g_free (name);
      name = g_strdup_printf ("%s%s_%u", base, suffix, n);
    }
  g_hash_table_add (self->taken, name);
  return name;
}

/* The forms of an axis' other names around its own identifier. */
static const struct
{
  const char *before, *after;
} axis_forms[HEDDLE_N_AXIS_NAMES]
    = { { "TILE_", "" }, { "CHUNK_", "" }, { "", "_0" }, { "n_", "" }, { "i_", "" } };

static void
take_axis (HeddleNames *self, const HeddleAxis *axis)
{
  const char *name = take (self, axis->name, "");

  g_hash_table_insert (self->axes, (gpointer) axis->id, (gpointer) name);
  for (guint i = 0; i < HEDDLE_N_AXIS_NAMES; i++)
    {
      g_autofree char *form = g_strconcat (axis_forms[i].before, name, NULL);

      g_hash_table_insert (
          self->parts[i], (gpointer) axis->id, (gpointer) take (self, form, axis_forms[i].after));
    }
}

static const char *
value_name (HeddleNames *self, const char *value_id)
{
  g_autofree char *label = heddle_diagram_value_label (self->diagram, value_id);

  return take (self, label, "");
}

HeddleNames *
heddle_names_new (const HeddleDiagram *diagram, const HeddleLoopProgram *program)
{
  HeddleNames *self = g_new0 (HeddleNames, 1);

  self->diagram = diagram;
  self->taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->axes = g_hash_table_new (NULL, NULL);
  self->values = g_hash_table_new (NULL, NULL);
  self->buffers = g_ptr_array_new ();
  for (guint i = 0; i < HEDDLE_N_AXIS_NAMES; i++)
    self->parts[i] = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < diagram->axes->len; i++)
    take_axis (self, g_ptr_array_index (diagram->axes, i));
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      g_hash_table_insert (self->values, (gpointer) value->id, (gpointer) value_name (self, value->id));
    }
  for (guint i = 0; program != NULL && i < program->buffers->len; i++)
    g_ptr_array_add (
        self->buffers, (gpointer) take (self, heddle_loop_program_get_buffer (program, i)->name, "_tile"));
  return self;
}

void
heddle_names_free (HeddleNames *self)
{
  g_hash_table_unref (self->taken);
  g_hash_table_unref (self->axes);
  for (guint i = 0; i < HEDDLE_N_AXIS_NAMES; i++)
    g_hash_table_unref (self->parts[i]);
  g_hash_table_unref (self->values);
  g_ptr_array_unref (self->buffers);
  g_free (self);
}

const char *
heddle_names_axis (HeddleNames *self, const char *axis_id)
{
  return g_hash_table_lookup (self->axes, axis_id);
}

const char *
heddle_names_of_axis (HeddleNames *self, const char *axis_id, HeddleAxisName part)
{
  return g_hash_table_lookup (self->parts[part], axis_id);
}

const char *
heddle_names_value (HeddleNames *self, const char *value_id)
{
  return g_hash_table_lookup (self->values, value_id);
}

const char *
heddle_names_buffer (HeddleNames *self, guint buffer)
{
  return g_ptr_array_index (self->buffers, buffer);
}
