/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

#define LIST(member) G_STRUCT_OFFSET (HeddlePresentation, member)
#define AT(type, member) G_STRUCT_OFFSET (type, member)

#define DEFINE_FREE(element)                                                                                 \
  static void free_##element (gpointer ornament)                                                             \
  {                                                                                                          \
    heddle_ornament_free (heddle_ornament_kind (#element), ornament);                                        \
  }

DEFINE_FREE (annotation)
DEFINE_FREE (block)
DEFINE_FREE (bundle)
DEFINE_FREE (skip)
DEFINE_FREE (look)
DEFINE_FREE (panel)

static const HeddleOrnamentKind kinds[] = {
  { "block", LIST (blocks), sizeof (HeddleBlock), free_block,
      {
          { "id", HEDDLE_FIELD_ID, AT (HeddleBlock, id), TRUE, { NULL } },
          { "operations", HEDDLE_FIELD_OPERATIONS, AT (HeddleBlock, operations), TRUE, { NULL } },
          { "title", HEDDLE_FIELD_TEXT, AT (HeddleBlock, title), FALSE, { NULL } },
          { "place", HEDDLE_FIELD_WORD, AT (HeddleBlock, place), FALSE, { "above", "below", NULL } },
          { "fill", HEDDLE_FIELD_TEXT, AT (HeddleBlock, fill), FALSE, { NULL } },
          { "frame", HEDDLE_FIELD_WORD, AT (HeddleBlock, frame), FALSE, { "shade", "dots", "none", NULL } },
          { "first", HEDDLE_FIELD_TEXT, AT (HeddleBlock, first), FALSE, { NULL } },
          { "last", HEDDLE_FIELD_TEXT, AT (HeddleBlock, last), FALSE, { NULL } },
          { "times", HEDDLE_FIELD_TEXT, AT (HeddleBlock, times), FALSE, { NULL } },
          { "size", HEDDLE_FIELD_NUMBER, AT (HeddleBlock, size), FALSE, { NULL } },
      } },
  { "bundle", LIST (bundles), sizeof (HeddleBundle), free_bundle,
      {
          { "id", HEDDLE_FIELD_ID, AT (HeddleBundle, id), TRUE, { NULL } },
          { "name", HEDDLE_FIELD_TEXT, AT (HeddleBundle, name), TRUE, { NULL } },
          { "axes", HEDDLE_FIELD_AXES, AT (HeddleBundle, axes), TRUE, { NULL } },
      } },
  { "skip", LIST (skips), sizeof (HeddleSkip), free_skip,
      {
          { "value", HEDDLE_FIELD_OBJECT, AT (HeddleSkip, value), TRUE, { NULL } },
          { "reader", HEDDLE_FIELD_OBJECT, AT (HeddleSkip, reader), FALSE, { NULL } },
      } },
  { "look", LIST (looks), sizeof (HeddleLook), free_look,
      {
          { "object", HEDDLE_FIELD_OBJECT, AT (HeddleLook, object), TRUE, { NULL } },
          { "as", HEDDLE_FIELD_WORD, AT (HeddleLook, look), FALSE,
              { "usual", "solid", "box", "letter", "window", "attached", NULL } },
          { "label", HEDDLE_FIELD_TEXT, AT (HeddleLook, label), FALSE, { NULL } },
          { "over", HEDDLE_FIELD_AXES, AT (HeddleLook, over), FALSE, { NULL } },
      } },
  { "panel", LIST (panels), sizeof (HeddlePanel), free_panel,
      {
          { "diagram", HEDDLE_FIELD_DIAGRAM, AT (HeddlePanel, diagram), TRUE, { NULL } },
          { "sign", HEDDLE_FIELD_TEXT, AT (HeddlePanel, sign), FALSE, { NULL } },
          { "place", HEDDLE_FIELD_WORD, AT (HeddlePanel, place), FALSE, { "beside", "below", NULL } },
          { "dx", HEDDLE_FIELD_NUMBER, AT (HeddlePanel, dx), FALSE, { NULL } },
          { "dy", HEDDLE_FIELD_NUMBER, AT (HeddlePanel, dy), FALSE, { NULL } },
          { "wires", HEDDLE_FIELD_WORD, AT (HeddlePanel, wires), FALSE, { "apart", "on", NULL } },
      } },
  { "annotation", LIST (annotations), sizeof (HeddleAnnotation), free_annotation,
      {
          { "id", HEDDLE_FIELD_ID, AT (HeddleAnnotation, id), TRUE, { NULL } },
          { "kind", HEDDLE_FIELD_WORD, AT (HeddleAnnotation, kind), FALSE,
              { "card", "text", "legend", "array", "arrow", "banner", "listing", NULL } },
          { "x", HEDDLE_FIELD_NUMBER, AT (HeddleAnnotation, x), TRUE, { NULL } },
          { "y", HEDDLE_FIELD_NUMBER, AT (HeddleAnnotation, y), TRUE, { NULL } },
          { "width", HEDDLE_FIELD_NUMBER, AT (HeddleAnnotation, width), FALSE, { NULL } },
          { "height", HEDDLE_FIELD_NUMBER, AT (HeddleAnnotation, height), FALSE, { NULL } },
          { "target", HEDDLE_FIELD_OBJECT, AT (HeddleAnnotation, target), FALSE, { NULL } },
          { "fill", HEDDLE_FIELD_TEXT, AT (HeddleAnnotation, fill), FALSE, { NULL } },
          { "title", HEDDLE_FIELD_TEXT, AT (HeddleAnnotation, title), FALSE, { NULL } },
          { "size", HEDDLE_FIELD_NUMBER, AT (HeddleAnnotation, size), FALSE, { NULL } },
          { "layer", HEDDLE_FIELD_WORD, AT (HeddleAnnotation, layer), FALSE, { "over", "under", NULL } },
          { "text", HEDDLE_FIELD_TEXT, AT (HeddleAnnotation, text), TRUE, { NULL } },
      } },
  { NULL, 0, 0, NULL, { { NULL } } },
};

const HeddleOrnamentKind *
heddle_ornament_kinds (void)
{
  return kinds;
}

const HeddleOrnamentKind *
heddle_ornament_kind (const char *element)
{
  g_return_val_if_fail (element != NULL, NULL);

  for (const HeddleOrnamentKind *kind = kinds; kind->element != NULL; kind++)
    if (g_str_equal (kind->element, element))
      return kind;
  return NULL;
}

static gboolean
is_list (const HeddleField *field)
{
  return field->kind == HEDDLE_FIELD_OPERATIONS || field->kind == HEDDLE_FIELD_AXES;
}

gpointer
heddle_ornament_new (const HeddleOrnamentKind *kind)
{
  g_return_val_if_fail (kind != NULL, NULL);

  gpointer ornament = g_malloc0 (kind->size);
  for (const HeddleField *field = kind->fields; field->name != NULL; field++)
    if (is_list (field))
      heddle_field_at (field, ornament, GArray *) = heddle_ids_new ();
  return ornament;
}

gpointer
heddle_ornament_copy (const HeddleOrnamentKind *kind, gconstpointer ornament)
{
  g_return_val_if_fail (kind != NULL && ornament != NULL, NULL);

  gpointer copy = g_memdup2 (ornament, kind->size);
  for (const HeddleField *field = kind->fields; field->name != NULL; field++)
    if (is_list (field))
      heddle_field_at (field, copy, GArray *) = heddle_ids_copy (heddle_field_at (field, ornament, GArray *));
    else if (field->kind == HEDDLE_FIELD_TEXT)
      heddle_field_at (field, copy, char *) = g_strdup (heddle_field_at (field, ornament, char *));
  return copy;
}

void
heddle_ornament_free (const HeddleOrnamentKind *kind, gpointer ornament)
{
  g_return_if_fail (kind != NULL && ornament != NULL);

  for (const HeddleField *field = kind->fields; field->name != NULL; field++)
    if (is_list (field))
      g_array_unref (heddle_field_at (field, ornament, GArray *));
    else if (field->kind == HEDDLE_FIELD_TEXT)
      g_free (heddle_field_at (field, ornament, char *));
  g_free (ornament);
}
