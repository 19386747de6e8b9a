/* SPDX-License-Identifier: MIT */
#include "files/equations/parse.h"
#include "files/equations/reader.h"

void
heddle_eq_reader_init (HeddleEqReader *self, HeddleEqDocument *document, HeddleDiagram *diagram)
{
  self->document = document;
  self->arena = document->arena;
  self->report = &document->report;
  self->diagram = diagram;
  self->statements = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_eq_statement_free);
  self->pending = g_string_new (NULL);
  /* Names belong to the arena, where equal ones are one pointer; those of a diagram do not. */
  self->names.values = g_hash_table_new (g_str_hash, g_str_equal);
  self->names.axes = g_hash_table_new (g_str_hash, g_str_equal);
  self->names.broken = g_hash_table_new (g_str_hash, g_str_equal);
  self->names.definitions = document->callees;
  self->arrays = g_hash_table_new (g_str_hash, g_str_equal);
  self->computed = g_hash_table_new (g_str_hash, g_str_equal);
  self->declared = g_hash_table_new (g_str_hash, g_str_equal);
  self->places = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void
heddle_eq_reader_clear (HeddleEqReader *self)
{
  g_hash_table_unref (self->names.values);
  g_hash_table_unref (self->names.axes);
  g_hash_table_unref (self->names.broken);
  g_hash_table_unref (self->arrays);
  g_hash_table_unref (self->computed);
  g_hash_table_unref (self->declared);
  g_hash_table_unref (self->places);
  g_ptr_array_unref (self->statements);
  g_string_free (self->pending, TRUE);
}
