/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "codegen/base/names.h"
#include "codegen/base/reserved-words.h"
#include "derive/index/extent.h"

struct _HeddleNames
{
  const HeddleDiagram *diagram;
  const HeddleLoopProgram *program;
  GHashTable *taken; /* identifier -> itself */
  GHashTable *axes; /* axis id -> identifier */
  GHashTable *parts[HEDDLE_N_AXIS_NAMES]; /* axis id -> identifier, by HeddleAxisName */
  GHashTable *values;
  GPtrArray *buffers;
  GHashTable *maps; /* buffer -> identifier */
  GPtrArray *windows; /* per buffer: see take_windows() */
};

/* Words that C++ keeps, and those that generated code uses for itself. */
static const char *const reserved[] = { "alignas", "alignof", "and", "asm", "auto", "bitand", "bitor", "bool",
  "break", "case", "catch", "char", "class", "compl", "const", "constexpr", "continue", "decltype", "default",
  "delete", "do", "double", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend",
  "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "nullptr",
  "operator", "or", "private", "protected", "public", "register", "return", "short", "signed", "sizeof",
  "static", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typeid", "typename",
  "union", "unsigned", "using", "virtual", "void", "volatile", "while", "xor", "size_t", "main",
  /* functions that kernels call */
  "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "erf", "erfc", "fabs", "floor", "ceil", "pow", "fmod",
  "expf", "logf", "sqrtf", "rsqrtf", "sinf", "cosf", "tanhf", "erff", "erfcf", "fabsf", "floorf", "ceilf",
  "powf", "fmodf",
  /* the prelude */
  "INF", "f16", "bf16", "e4m3", "e5m2", "load", "store", "maximum", "minimum", "square", "relu", "sigmoid",
  "gated", "gelu", "silu", "modulo", "floor_div", "ceil_div", "floor_mod", "window_begin", "window_count",
  /* building blocks for tensor cores */
  "shared_address", "tile_address", "lane_offset_down", "lane_offset_along", "copy_16", "commit_copies",
  "wait_for_copies", "copy_tile", "copy_elements", "load_matrix", "load_matrix_transposed", "multiply_f16",
  "multiply_bf16", "pack_f16", "pack_bf16", "recast_f16", "recast_bf16", "unpack_f16", "unpack_bf16",
  "largest", "smallest", "sum_along_row", "prod_along_row", "max_along_row", "min_along_row", "power_of_two",
  "tiles_down", "tiles_across", "turn", "sweep", "within", "side", "store_two", "store_eights",
  "exchange_words", "pack_for", "begins_at_16_bytes", "make_uint4", "float2", "make_float2", "describe_along",
  "describe_down", "hold", "forget", "fence_products", "commit_products", "wait_for_products",
  "publish_writes", "group_row", "TensorMap", "KeptTensorMap", "find_tensor_map_function", "begin_barrier",
  "publish_barriers", "arrive", "arrive_expecting", "copy_halves", "copy_odd_rows", "read_halves",
  "has_completed", "wait_for_barrier", "release_slot", "release_read_slot", "copy_box", "hand_over",
  "bring_elements", "give_registers", "take_registers", "make_tensor_map", "by_boxes", "whole", "phase",
  "phase_behind", "part", "panel", "full_0", "full_1", "full_2", "full_3", "empty_0", "empty_1", "empty_2",
  "empty_3", "driver", "commit_products", "wait_for_products", "publish_writes", "group_row", "copy_element",
  "copy_window", "copy_window_elements", "window_address", "window", "r", "lane_offset_words", "load_word",
  "load_words", "load_left_words", "lane_offset_rows", "lane_offset_pairs", "load_rows", "load_pairs",
  "multiply_e4m3", "widen_f16", "widen_bf16", "store_piece", "widen_tile", "widen_elements", "round_tf32",
  "multiply_tf32", "recast_tf32", "unpack_tf32", "choice_of", "next_choice", "cube", "load_across", "meet",
  "store_pair", "Greatest", "First", "reciprocal", "coarse_quotient", "coarse_sqrt", "coarse_exp",
  "coarse_sigmoid", "coarse_silu", "coarse_tanh", "coarse_gelu", "quarter_turns", "sine_of_quarters",
  "coarse_sin", "coarse_cos",
  /* building blocks for rows in registers */
  "Piece", "Vector", "put", "uint2", "uint4", "load_vector", "store_vector", "load_part", "store_part",
  "join_lanes", "join_block", "Sum", "Product", "Largest", "Smallest", "LANES", "WIDTH", "STEPS", "ROWS",
  "parts", "first", "active", "begin", "steps", "step", "element", "join_columns", "scan_step", "scan_lanes",
  "scan_block", "joined_column", "PIECES", "read_0", "read_1", "read_2", "read_3", "read_4", "read_5",
  "read_6", "read_7", "load_four", "store_four", "keep_four", "copy_rows", "left_at", "right_at", "float4",
  "source", "target", "piece",
  /* variables of kernels and launchers */
  "lane", "warp", "warp_row", "warp_column", "row", "column", "down", "along", "words", "rows", "pairs",
  "left", "right", "slot", "behind", "shift", "half", "m16", "n16", "k8", "k16", "k32", "n8", "e4", "fetch_0",
  "fetch_1", "fetch_2", "fetch_3", "runs", "acc", "uint2", "make_uint2", "at", "place", "rank", "state",
  "value", "block", "blockIdx", "blocks", "bytes", "choices", "chosen", "deal_rows", "dealt", "n_dealt",
  "copy_dealt_tile", "copy_dealt_elements", "MATRICES", "column_sums", "element", "free_bytes", "shared",
  "status", "stream", "threadIdx", "THREADS", "workspace", "workspace_bytes" };

/* The greatest length of an identifier; longer names end in a number made of the whole, so that two with the
 * same beginning differ. */
#define MOST_LETTERS 60

char *
heddle_c_identifier (const char *text)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    if (g_ascii_isalnum (*p))
      g_string_append_c (out, *p);
    else if (*p == '\'')
      g_string_append (out, out->len > 0 && out->str[out->len - 1] != '_' ? "_prime" : "prime");
    else if (out->len > 0 && out->str[out->len - 1] != '_')
      g_string_append_c (out, '_');
  while (out->len > 0 && out->str[out->len - 1] == '_')
    g_string_truncate (out, out->len - 1);
  if (out->len == 0 || g_ascii_isdigit (out->str[0]))
    g_string_prepend (out, "v");
  if (out->len > MOST_LETTERS)
    {
      g_string_truncate (out, MOST_LETTERS - 9);
      g_string_append_printf (out, "_%08x", g_str_hash (text));
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

gboolean
heddle_names_is_reserved (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++)
    if (strcmp (reserved[i], name) == 0)
      return TRUE;
  return heddle_reserved_words_is_keyword (name) || g_str_has_prefix (name, "multiply_64x")
         || g_str_has_prefix (name, "sum_of_");
}

char *
heddle_c_function (const char *text)
{
  g_autofree char *name = heddle_c_identifier (text);

  gboolean taken = heddle_names_is_reserved (name) || heddle_reserved_words_is_library_function (name);

  return g_strconcat (name, taken ? "_" : "", NULL);
}

static gboolean
is_free (HeddleNames *self, const char *name)
{
  return !heddle_names_is_reserved (name) && !g_hash_table_contains (self->taken, name);
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
} axis_forms[HEDDLE_N_AXIS_NAMES] = { { "TILE_", "" }, { "CHUNK_", "" }, { "", "_0" }, { "n_", "" },
  { "i_", "" }, { "", "_first" }, { "", "_end" }, { "dealt_", "" } };

/* The names of a window: the counterpart of WINDOW_ for an axis is TILE_. */
static const struct
{
  HeddleAxisName part;
  const char *before, *after;
} window_forms[] = { { HEDDLE_NAME_TILE, "WINDOW_", "" }, { HEDDLE_NAME_BEGIN, "", "_0" },
  { HEDDLE_NAME_COUNT, "n_", "" } };

/* Names the windows of all axes of a buffer, in a row. */
static void
take_windows (HeddleNames *self, guint number, const HeddleBuffer *buffer)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < buffer->axes->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (window_forms); k++)
      {
        gboolean window = g_array_index (buffer->extents, HeddleExtent, i) == HEDDLE_EXTENT_WINDOW;
        g_autofree char *name = g_strdup_printf ("%s%s_%s", window_forms[k].before,
            heddle_names_buffer (self, number), heddle_names_axis (self, heddle_ids_index (buffer->axes, i)));

        g_ptr_array_add (names, window ? (gpointer) take (self, name, window_forms[k].after) : NULL);
      }
  g_ptr_array_add (self->windows, names);
}

const char *
heddle_names_of_window (HeddleNames *self, guint buffer, guint i, HeddleAxisName part)
{
  const GPtrArray *names = g_ptr_array_index (self->windows, buffer);

  for (guint k = 0; k < G_N_ELEMENTS (window_forms); k++)
    if (window_forms[k].part == part)
      return g_ptr_array_index (names, i * G_N_ELEMENTS (window_forms) + k);
  g_return_val_if_reached (NULL);
}

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

static void
take_value (HeddleNames *self, const char *value_id)
{
  g_autofree char *label = heddle_diagram_value_label (self->diagram, value_id);

  g_hash_table_insert (self->values, (gpointer) value_id, (gpointer) take (self, label, ""));
}

static void
take_values (HeddleNames *self, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    take_value (self, heddle_ids_index (ids, i));
}

/* Names a buffer. What is loaded or saved is a tile of an array that has the plain name. */
static void
take_buffer (HeddleNames *self, const HeddleBuffer *buffer)
{
  gboolean outside = buffer->value != NULL && g_hash_table_contains (self->values, buffer->value);
  g_autofree char *name = heddle_c_identifier (buffer->name);
  gboolean tile = outside && !is_free (self, name);

  g_ptr_array_add (self->buffers, (gpointer) take (self, name, tile ? "_tile" : ""));
}

HeddleNames *
heddle_names_new (const HeddleDiagram *diagram, const HeddleLoopProgram *program)
{
  HeddleNames *self = g_new0 (HeddleNames, 1);

  self->diagram = diagram;
  self->program = program;
  self->taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->axes = g_hash_table_new (NULL, NULL);
  self->values = g_hash_table_new (NULL, NULL);
  self->buffers = g_ptr_array_new ();
  self->maps = g_hash_table_new (NULL, NULL);
  self->windows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < HEDDLE_N_AXIS_NAMES; i++)
    self->parts[i] = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < diagram->axes->len; i++)
    take_axis (self, g_ptr_array_index (diagram->axes, i));
  for (guint i = 0; program == NULL && i < diagram->values->len; i++)
    take_value (self, ((const HeddleValue *) g_ptr_array_index (diagram->values, i))->id);
  if (program != NULL)
    {
      g_autoptr (GArray) reads = heddle_loop_program_reads (program);
      g_autoptr (GArray) writes = heddle_loop_program_writes (program);

      take_values (self, reads);
      take_values (self, writes);
    }
  for (guint i = 0; program != NULL && i < program->buffers->len; i++)
    take_buffer (self, heddle_loop_program_get_buffer (program, i));
  for (guint i = 0; program != NULL && i < program->buffers->len; i++)
    take_windows (self, i, heddle_loop_program_get_buffer (program, i));
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
  g_hash_table_unref (self->maps);
  g_ptr_array_unref (self->buffers);
  g_ptr_array_unref (self->windows);
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

const char *
heddle_names_map (HeddleNames *self, guint buffer)
{
  const HeddleBuffer *of;
  const char *name = g_hash_table_lookup (self->maps, GUINT_TO_POINTER (buffer));

  if (name != NULL)
    return name;
  of = self->program != NULL ? heddle_loop_program_get_buffer (self->program, buffer) : NULL;
  name = take (self, of != NULL ? of->name : "tensor", "_map");
  g_hash_table_insert (self->maps, GUINT_TO_POINTER (buffer), (gpointer) name);
  return name;
}
