/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>
#include <string.h>

#include "app/panes/examples.h"
#include "derive/machine/find.h"

/* In the order in which they are shown. */
typedef enum
{
  GROUP_ATTENTION,
  GROUP_MODELS,
  GROUP_LAYERS,
  GROUP_CONVOLUTION,
  GROUP_NORMALISATION,
  GROUP_NOTATION,
  GROUP_OTHERS
} Group;

static const char *const group_titles[] = { N_ ("Attention"), N_ ("Whole Models"), N_ ("Layers and Losses"),
  N_ ("Convolution and Pooling"), N_ ("Normalisation"), N_ ("The Notation, Sign by Sign"), N_ ("Others") };

/* A title where the words of the file's name are not it. */
static const struct
{
  const char *stem;
  Group group;
  const char *title;
} examples[] = {
  { "attention", GROUP_ATTENTION, N_ ("Scaled Dot-Product Attention") },
  { "self-attention", GROUP_ATTENTION, N_ ("Self-Attention") },
  { "multi-head-attention", GROUP_ATTENTION, N_ ("Multi-Head Attention") },
  { "causal-attention", GROUP_ATTENTION, NULL },
  { "grouped-query-attention", GROUP_ATTENTION, N_ ("Grouped-Query Attention") },
  { "multi-query-attention", GROUP_ATTENTION, N_ ("Multi-Query Attention") },
  { "multi-head-latent-attention", GROUP_ATTENTION, N_ ("Multi-Head Latent Attention") },
  { "sliding-window-attention", GROUP_ATTENTION, N_ ("Sliding-Window Attention") },
  { "fp8-attention", GROUP_ATTENTION, N_ ("FP8 Attention") },
  { "flash-decoding", GROUP_ATTENTION, N_ ("Flash-Decoding") },
  { "offloaded-decode", GROUP_ATTENTION, NULL },
  { "sequence-parallel-attention", GROUP_ATTENTION, N_ ("Sequence-Parallel Attention") },
  { "spherical-attention", GROUP_ATTENTION, NULL },
  { "visual-attention", GROUP_ATTENTION, NULL },
  { "attention-backward", GROUP_ATTENTION, N_ ("Attention, Backward") },
  { "rotary-embedding", GROUP_ATTENTION, NULL },
  { "attention-is-all-you-need", GROUP_MODELS, N_ ("Attention Is All You Need") },
  { "decoder-transformer", GROUP_MODELS, NULL },
  { "deepseek-v3", GROUP_MODELS, N_ ("DeepSeek-V3, a Layer") },
  { "mixtral", GROUP_MODELS, NULL },
  { "vision-transformer", GROUP_MODELS, NULL },
  { "unet", GROUP_MODELS, N_ ("U-Net") },
  { "identity-resnet", GROUP_MODELS, N_ ("Identity ResNet") },
  { "identity-resnet-block", GROUP_MODELS, N_ ("Identity ResNet, a Block") },
  { "digit-recogniser", GROUP_MODELS, NULL },
  { "residual-mlp", GROUP_LAYERS, N_ ("Residual MLP") },
  { "residual-tower", GROUP_LAYERS, NULL },
  { "tensor-parallel-mlp", GROUP_LAYERS, N_ ("Tensor-Parallel MLP") },
  { "swiglu", GROUP_LAYERS, N_ ("SwiGLU") },
  { "mixture-of-experts", GROUP_LAYERS, N_ ("Mixture of Experts") },
  { "quantised-linear", GROUP_LAYERS, NULL },
  { "layernorm-linear", GROUP_LAYERS, N_ ("LayerNorm and Linear") },
  { "rmsnorm-linear", GROUP_LAYERS, N_ ("RMSNorm and Linear") },
  { "embedding", GROUP_LAYERS, NULL },
  { "linear-recurrence", GROUP_LAYERS, NULL },
  { "lstm", GROUP_LAYERS, N_ ("LSTM") },
  { "cross-entropy", GROUP_LAYERS, N_ ("Cross-Entropy") },
  { "convolution", GROUP_CONVOLUTION, NULL },
  { "image-convolution", GROUP_CONVOLUTION, NULL },
  { "depthwise-convolution", GROUP_CONVOLUTION, NULL },
  { "dilated-convolution", GROUP_CONVOLUTION, NULL },
  { "strided-convolution", GROUP_CONVOLUTION, NULL },
  { "transposed-convolution", GROUP_CONVOLUTION, NULL },
  { "average-pooling", GROUP_CONVOLUTION, NULL },
  { "max-pooling", GROUP_CONVOLUTION, N_ ("Max-Pooling") },
  { "softmax", GROUP_NORMALISATION, NULL },
  { "layer-norm", GROUP_NORMALISATION, N_ ("LayerNorm") },
  { "rms-norm", GROUP_NORMALISATION, N_ ("RMSNorm") },
  { "batch-norm", GROUP_NORMALISATION, N_ ("Batch Normalisation") },
  { "row-norms", GROUP_NORMALISATION, NULL },
  { "elementwise", GROUP_NOTATION, NULL },
  { "composition", GROUP_NOTATION, NULL },
  { "broadcasting", GROUP_NOTATION, NULL },
  { "inner-broadcasting", GROUP_NOTATION, NULL },
  { "outer-broadcasting", GROUP_NOTATION, NULL },
  { "inner-product", GROUP_NOTATION, NULL },
  { "outer-product", GROUP_NOTATION, NULL },
  { "outer-product-shift", GROUP_NOTATION, N_ ("Shift of an Outer Product") },
  { "matrix-product", GROUP_NOTATION, NULL },
  { "matrix-chain", GROUP_NOTATION, NULL },
  { "trace-of-a-product", GROUP_NOTATION, N_ ("Trace of a Product") },
  { "quadratic-form", GROUP_NOTATION, NULL },
  { "pairwise-distances", GROUP_NOTATION, NULL },
  { "transpose", GROUP_NOTATION, NULL },
  { "associated-transpose", GROUP_NOTATION, NULL },
  { "unit-and-cup", GROUP_NOTATION, N_ ("Unit and Cup") },
  { "diagonal", GROUP_NOTATION, NULL },
  { "indexing", GROUP_NOTATION, NULL },
  { "concatenation", GROUP_NOTATION, NULL },
  { "repeat", GROUP_NOTATION, NULL },
};

static char *
dup_stem (const char *path)
{
  char *name = g_path_get_basename (path), *dot = strrchr (name, '.');

  if (dot != NULL)
    *dot = '\0';
  return name;
}

/* Returns the row of an example, or how many there are where it has none. */
static guint
find_row (const char *path)
{
  g_autofree char *stem = dup_stem (path);
  guint i = 0;

  while (i < G_N_ELEMENTS (examples) && !g_str_equal (examples[i].stem, stem))
    i++;
  return i;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  const char *left = *(char *const *) a, *right = *(char *const *) b;
  const int rows = (int) find_row (left) - (int) find_row (right);

  return rows != 0 ? rows : strcmp (left, right);
}

GPtrArray *
heddle_examples_list (void)
{
  g_autofree char *folder = g_build_filename (heddle_data_directory (), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GHashTable) stems = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_suffix (name, ".ncd") || g_str_has_suffix (name, ".eq"))
        {
          char *stem = g_strndup (name, strrchr (name, '.') - name);

          if (g_hash_table_add (stems, stem))
            g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
        }
    }
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

char *
heddle_example_title (const char *path)
{
  const guint row = find_row (path);
  g_autofree char *name = dup_stem (path);
  gboolean start = TRUE;

  if (row < G_N_ELEMENTS (examples) && examples[row].title != NULL)
    return g_strdup (_ (examples[row].title));
  for (char *c = name; *c != '\0'; c++)
    {
      if (*c == '-' || *c == '_')
        *c = ' ';
      if (start)
        *c = g_ascii_toupper (*c);
      start = *c == ' ';
    }
  return g_steal_pointer (&name);
}

const char *
heddle_example_group (const char *path)
{
  const guint row = find_row (path);

  return _ (group_titles[row < G_N_ELEMENTS (examples) ? examples[row].group : GROUP_OTHERS]);
}

gboolean
heddle_example_matches (const char *path, const char *query)
{
  g_autofree char *title = heddle_example_title (path), *stem = dup_stem (path);
  g_autofree char *all = g_strjoin (" ", title, stem, heddle_example_group (path), NULL);
  g_autofree char *folded = g_utf8_casefold (all, -1), *wanted = g_utf8_casefold (query, -1);
  g_auto (GStrv) words = g_strsplit (wanted, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (folded, words[i]) == NULL)
      return FALSE;
  return TRUE;
}
