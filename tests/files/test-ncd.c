/* SPDX-License-Identifier: MIT */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/figure.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/base/files.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"

#define NS "xmlns=\"" HEDDLE_NCD_NAMESPACE "\""

/* --- a document with something in every section --- */

static GArray *
ids (const char *first, ...)
{
  GArray *array = heddle_ids_new ();
  va_list arguments;

  va_start (arguments, first);
  for (const char *id = first; id != NULL; id = va_arg (arguments, const char *))
    heddle_ids_append (array, id);
  va_end (arguments);
  return array;
}

static const char *
add_value (HeddleDiagram *diagram, const char *name, HeddleValueRole role, GArray *axes)
{
  const char *id = heddle_diagram_add_value (
      diagram, NULL, name, role, role ? HEDDLE_DTYPE_F16 : HEDDLE_DTYPE_UNSET, axes)
                       ->id;

  g_array_unref (axes);
  return id;
}

static HeddleOperation *
add_operation (HeddleDiagram *diagram, const char *kind, GArray *operands, const char *result, GArray *axes)
{
  HeddleOperation *operation = heddle_diagram_add_operation (
      diagram, NULL, heddle_operation_kind (kind), operands, result, axes, -1);

  g_array_unref (operands);
  g_array_unref (axes);
  return operation;
}

/* One of every kind, each field given. */
static void
add_ornaments (HeddleSnapshot *snapshot, HeddleDiagram *diagram)
{
  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  g_autoptr (GArray) operations = ids ("o.S", "o.P", NULL), axes = ids ("a.x", "a.k", NULL);
  HeddleBlock *block;
  HeddleAnnotation *note;
  HeddlePanel *panel;

  g_assert_nonnull (heddle_edit_add_block (snapshot, diagram, operations, "Core <$x$>", NULL));
  block = presentation->blocks->pdata[0];
  block->fill = g_strdup ("#A0B0C0");
  block->frame = HEDDLE_FRAME_DOTS;
  block->place = HEDDLE_PLACE_BELOW;
  block->first = g_strdup ("\\lambda = 1");
  block->last = g_strdup ("N-1");
  block->times = g_strdup ("\\times 6");
  g_assert_nonnull (heddle_edit_add_bundle (snapshot, diagram, axes, "\\bar{\\mathbf{y}}", NULL));
  g_assert_true (heddle_edit_set_skip (snapshot, diagram, "v.S", "o.P", TRUE, NULL));
  g_assert_true (heddle_edit_set_look (snapshot, diagram, "o.P", HEDDLE_LOOK_LETTER, "F", NULL));
  note = heddle_presentation_find (presentation,
      heddle_edit_add_note (
          snapshot, diagram, HEDDLE_NOTE_LEGEND, "$n_b = n/4$\nsecond", -3.5, 12., "block.1"),
      NULL);
  note->title = g_strdup ("Legend");
  note->fill = g_strdup ("callout");
  note->width = 120.;
  note->size = 17.5;
  note->layer = HEDDLE_LAYER_UNDER;
  ((HeddleBlock *) presentation->blocks->pdata[0])->size = 15.;
  heddle_ids_append (((HeddleLook *) presentation->looks->pdata[0])->over, heddle_ids_index (axes, 1));
  panel = heddle_presentation_add (presentation, heddle_ornament_kind ("panel"));
  panel->diagram = diagram->id;
  panel->sign = g_strdup ("=");
  panel->place = HEDDLE_PANEL_BELOW;
  panel->wires = HEDDLE_PANEL_ON;
  presentation->definitions = HEDDLE_DEFINITIONS_BELOW;
  presentation->bands = HEDDLE_BANDS_SHADED;
  presentation->separators = HEDDLE_SEPARATORS_NONE;
  presentation->copies = HEDDLE_COPIES_WIRES;
}

static HeddleSnapshot *
make_document (void)
{
  HeddleSnapshot *snapshot = heddle_snapshot_new ();
  HeddleDiagram *diagram = heddle_diagram_new ("attention");
  const char *y = heddle_diagram_add_axis (diagram, NULL, "\\bar y", heddle_expr_number (4096))->id;
  const char *x = heddle_diagram_add_axis (diagram, NULL, "x", NULL)->id;
  const char *k = heddle_diagram_add_axis (diagram, NULL, "k", heddle_expr_number (128))->id;
  const char *q_id, *k_id, *v_id, *s_id, *p_id, *t_id;
  HeddleOperation *scale;
  HeddleSchedule *schedule;
  HeddlePresentation *presentation;
  HeddleRegion *region;
  HeddleFill *fill;
  HeddleAnnotation *annotation;

  heddle_diagram_edit_axis (diagram, x)->size
      = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number (2), heddle_expr_size (k));
  q_id = add_value (diagram, "Q", HEDDLE_ROLE_INPUT, ids (y, k, NULL));
  k_id = add_value (diagram, "K", HEDDLE_ROLE_PARAMETER, ids (x, k, NULL));
  v_id = add_value (diagram, "V", HEDDLE_ROLE_INPUT, ids (x, k, NULL));
  s_id = add_value (diagram, "S", HEDDLE_ROLE_INTERMEDIATE, ids (y, x, NULL));
  t_id = add_value (diagram, NULL, HEDDLE_ROLE_INTERMEDIATE, ids (y, x, NULL));
  p_id = add_value (diagram, "P", HEDDLE_ROLE_INTERMEDIATE, ids (y, x, NULL));
  add_value (diagram, "O", HEDDLE_ROLE_INTERMEDIATE, ids (y, k, NULL));
  heddle_diagram_edit_value (diagram, s_id)->comment = g_strdup ("scores, before < & >\fbehind \"it\"");
  add_operation (diagram, "contract", ids (q_id, k_id, NULL), s_id, ids (k, NULL));
  scale = add_operation (diagram, "map", ids (s_id, NULL), t_id, ids (NULL, NULL));
  scale->body = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_argument (0),
      heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_GE, heddle_expr_index (y), heddle_expr_index (x)),
          heddle_expr_size (k), heddle_expr_number (0.1)));
  add_operation (diagram, "softmax", ids (t_id, NULL), p_id, ids (x, NULL));
  add_operation (diagram, "contract", ids (p_id, v_id, NULL), heddle_diagram_find_value (diagram, "O")->id,
      ids (x, NULL));
  diagram->comment = g_strdup ("the end");
  heddle_snapshot_add_diagram (snapshot, diagram);

  schedule = heddle_snapshot_get_schedule (snapshot, diagram);
  schedule->gpu = g_strdup ("h100-sxm");
  schedule->dtype = HEDDLE_DTYPE_BF16;
  region = heddle_region_new ("r.1");
  for (guint i = 0; i < diagram->operations->len; i++)
    heddle_ids_append (
        region->operations, ((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
  g_ptr_array_add (region->labels, heddle_label_new (y, "smem", HEDDLE_LABEL_GROUP, 128));
  g_ptr_array_add (region->labels, heddle_label_new (x, "smem", HEDDLE_LABEL_STREAM, 64));
  ((HeddleLabel *) g_ptr_array_index (region->labels, 1))->inactive = g_strdup ("softmax stands alone");
  g_ptr_array_add (schedule->regions, region);
  g_ptr_array_add (schedule->residency, heddle_residency_new (s_id, NULL, "smem"));

  presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  presentation->title = g_strdup ("Scaled Dot-Product Attention");
  presentation->wrap = 972.5;
  heddle_presentation_set_nudge (presentation, scale->id, 20, -10.5);
  fill = g_new0 (HeddleFill, 1);
  fill->object = scale->id;
  fill->fill = g_strdup ("scale");
  g_ptr_array_add (presentation->fills, fill);
  annotation = g_new0 (HeddleAnnotation, 1);
  annotation->id = g_intern_string ("n.1");
  annotation->text = g_strdup ("two\nlines");
  g_ptr_array_add (presentation->annotations, annotation);
  add_ornaments (snapshot, diagram);
  return snapshot;
}

static HeddleSnapshot *
read_text (const char *text, GPtrArray **problems)
{
  *problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  return heddle_ncd_read (text, strlen (text), "test.ncd", *problems);
}

static char *
write_text (const HeddleSnapshot *snapshot)
{
  g_autoptr (GError) error = NULL;
  char *text = heddle_ncd_write (snapshot, NULL, &error);

  g_assert_no_error (error);
  return text;
}

static void
check_ornaments (const HeddlePresentation *presentation)
{
  const HeddleBlock *block = presentation->blocks->pdata[0];
  const HeddleAnnotation *note = presentation->annotations->pdata[1];

  g_assert_cmpstr (block->title, ==, "Core <$x$>");
  g_assert_cmpuint (block->operations->len, ==, 2);
  g_assert_cmpstr (heddle_ids_index (block->operations, 1), ==, "o.P");
  g_assert_cmpint (block->frame, ==, HEDDLE_FRAME_DOTS);
  g_assert_cmpint (block->place, ==, HEDDLE_PLACE_BELOW);
  g_assert_cmpstr (block->first, ==, "\\lambda = 1");
  g_assert_cmpuint (((HeddleBundle *) presentation->bundles->pdata[0])->axes->len, ==, 2);
  g_assert_cmpstr (((HeddleSkip *) presentation->skips->pdata[0])->reader, ==, "o.P");
  g_assert_cmpint (((HeddleLook *) presentation->looks->pdata[0])->look, ==, HEDDLE_LOOK_LETTER);
  g_assert_cmpint (((HeddlePanel *) presentation->panels->pdata[0])->place, ==, HEDDLE_PANEL_BELOW);
  g_assert_cmpint (note->kind, ==, HEDDLE_NOTE_LEGEND);
  g_assert_cmpstr (note->target, ==, "block.1");
  g_assert_cmpfloat (note->x, ==, -3.5);
  g_assert_cmpint (presentation->bands, ==, HEDDLE_BANDS_SHADED);
  g_assert_cmpint (presentation->separators, ==, HEDDLE_SEPARATORS_NONE);
  g_assert_cmpint (presentation->copies, ==, HEDDLE_COPIES_WIRES);
  g_assert_cmpint (((HeddlePanel *) presentation->panels->pdata[0])->wires, ==, HEDDLE_PANEL_ON);
  g_assert_cmpfloat (note->size, ==, 17.5);
  g_assert_cmpint (note->layer, ==, HEDDLE_LAYER_UNDER);
  g_assert_cmpfloat (block->size, ==, 15.);
  g_assert_cmpstr (heddle_ids_index (((HeddleLook *) presentation->looks->pdata[0])->over, 0), ==, "a.k");
}

static void
test_round_trip (void)
{
  g_autoptr (HeddleSnapshot) before = make_document (), after = NULL;
  g_autofree char *first = write_text (before), *second = NULL, *why = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  const HeddleSchedule *schedule;
  const HeddleLabel *label;
  HeddleDiagram *diagram;
  double dx, dy;

  after = read_text (first, &problems);
  for (guint i = 0; i < problems->len; i++)
    g_test_message ("%s", ((HeddleProblem *) g_ptr_array_index (problems, i))->message);
  g_assert_nonnull (after);
  g_assert_cmpuint (problems->len, ==, 0);
  second = write_text (after);
  g_assert_cmpstr (first, ==, second);
  diagram = heddle_snapshot_get_diagram (after, NULL);
  if (!heddle_diagram_isomorphic (heddle_snapshot_get_diagram (before, NULL), diagram, &why))
    g_error ("%s", why);
  g_assert_cmpstr (
      heddle_diagram_find_value (diagram, "S")->comment, ==, "scores, before < & >\fbehind \"it\"");
  schedule = heddle_snapshot_find_schedule (after, diagram);
  g_assert_cmpint (schedule->dtype, ==, HEDDLE_DTYPE_BF16);
  label = g_ptr_array_index (((HeddleRegion *) g_ptr_array_index (schedule->regions, 0))->labels, 1);
  g_assert_cmpint (label->size, ==, 64);
  g_assert_cmpstr (label->inactive, ==, "softmax stands alone");
  g_assert_true (heddle_presentation_get_nudge (heddle_snapshot_find_presentation (after, diagram),
      ((HeddleOperation *) g_ptr_array_index (diagram->operations, 1))->id, &dx, &dy));
  g_assert_cmpfloat (dx, ==, 20);
  g_assert_cmpfloat (dy, ==, -10.5);
  g_assert_cmpfloat (heddle_snapshot_find_presentation (after, diagram)->wrap, ==, 972.5);
  check_ornaments (heddle_snapshot_find_presentation (after, diagram));
}

/* What a figure says of things that are not there is left out, with the place; the rest is read. */
static void
test_unknown_in_figure (void)
{
  const char *text = "<heddle " NS " version=\"1.0\">\n<meaning>\n<diagram id=\"d\" name=\"d\">\n"
                     "<axis id=\"a.x\" name=\"x\" size=\"3\"/>\n"
                     "<value id=\"v.A\" name=\"A\" role=\"input\" axes=\"a.x\"/>\n"
                     "<value id=\"v.B\" name=\"B\" axes=\"a.x\"/>\n"
                     "<operation id=\"o.B\" kind=\"softmax\" operands=\"v.A\" result=\"v.B\" axes=\"a.x\"/>\n"
                     "</diagram>\n</meaning>\n<presentation>\n<drawing diagram=\"d\">\n"
                     "<block id=\"b.1\" operations=\"o.gone o.B o.B\"/>\n"
                     "<block id=\"b.2\" operations=\"o.gone\"/>\n"
                     "<skip value=\"v.gone\"/>\n"
                     "<annotation id=\"n.1\" x=\"1\" y=\"2\" target=\"o.gone\" text=\"t\"/>\n"
                     "</drawing>\n</presentation>\n</heddle>\n";
  static const guint lines[] = { 12, 13, 14, 15 };
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (HeddleSnapshot) snapshot = read_text (text, &problems);

  g_assert_nonnull (snapshot);
  g_assert_cmpuint (problems->len, ==, G_N_ELEMENTS (lines));
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = problems->pdata[i];
      g_assert_cmpint (problem->severity, ==, HEDDLE_SEVERITY_WARNING);
      g_assert_cmpuint (problem->line, ==, lines[i]);
      g_assert_nonnull (strstr (problem->message, "gone"));
    }
  const HeddlePresentation *presentation
      = heddle_snapshot_find_presentation (snapshot, heddle_snapshot_get_diagram (snapshot, NULL));
  g_assert_cmpuint (presentation->blocks->len, ==, 1);
  g_assert_cmpuint (((HeddleBlock *) presentation->blocks->pdata[0])->operations->len, ==, 1);
  g_assert_cmpuint (presentation->skips->len, ==, 0);
  g_assert_cmpuint (presentation->annotations->len, ==, 1);
  g_assert_null (((HeddleAnnotation *) presentation->annotations->pdata[0])->target);
}

/* A command that no label knows is told with its place; one of prose, of a listing or of a formula is none. */
static void
test_unknown_commands (void)
{
  const char *text
      = "<heddle " NS " version=\"1.0\">\n<meaning>\n<diagram id=\"d\" name=\"d\">\n"
        "<axis id=\"a.x\" name=\"x\" size=\"3\"/>\n"
        "<value id=\"v.A\" name=\"A\" role=\"input\" axes=\"a.x\"/>\n"
        "</diagram>\n</meaning>\n<presentation>\n<drawing diagram=\"d\" title=\"\\foo x\">\n"
        "<look object=\"a.x\" label=\"\\baz\"/>\n"
        "<annotation id=\"n.1\" x=\"1\" y=\"2\" text=\"of $\\begin{matrix} a \\end{matrix}$\"/>\n"
        "<annotation id=\"n.2\" x=\"1\" y=\"2\" kind=\"listing\" text=\"print ('\\foo')\"/>\n"
        "<annotation id=\"n.3\" x=\"1\" y=\"2\" text=\"\\textbf{so} \\fill{core}{on} $\\frac{1}{2}$ "
        "\\emph{is}\"/>\n"
        "</drawing>\n</presentation>\n</heddle>\n";
  static const struct
  {
    guint line;
    const char *command;
  } unknown[] = { { 9, "\\foo" }, { 10, "\\baz" }, { 11, "\\begin{matrix}" } };
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (HeddleSnapshot) snapshot = read_text (text, &problems);

  g_assert_nonnull (snapshot);
  g_assert_cmpuint (problems->len, ==, G_N_ELEMENTS (unknown));
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = problems->pdata[i];
      g_assert_cmpint (problem->severity, ==, HEDDLE_SEVERITY_WARNING);
      g_assert_cmpuint (problem->line, ==, unknown[i].line);
      g_assert_nonnull (strstr (problem->message, unknown[i].command));
      g_assert_cmpstr (problem->object_id, ==, "d");
    }
}

/* Every file that is written satisfies the published schema. */
static void
test_schema (void)
{
  g_autoptr (HeddleSnapshot) snapshot = make_document ();
  g_autofree char *text = write_text (snapshot), *path = NULL;
  g_autofree char *schema = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "ncd.rng", NULL);
  const char *arguments[] = { "xmllint", "--noout", "--relaxng", schema, NULL, NULL };
  g_autoptr (GError) error = NULL;
  int status, file = g_file_open_tmp ("heddle-XXXXXX.ncd", &path, &error);

  g_assert_no_error (error);
  close (file);
  g_assert_true (g_file_set_contents (path, text, -1, &error));
  arguments[4] = path;
  g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
      NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_unlink (path);
}

static void
test_extensions_stay (void)
{
  const char *text
      = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<heddle " NS " version=\"1.7\">\n  <meaning>\n"
        "    <diagram id=\"d.a\" name=\"a\">\n      <axis id=\"a.x\" name=\"x\" size=\"3\">\n"
        "        <f:note xmlns:f=\"urn:f\" a=\"1\">kept</f:note>\n      </axis>\n"
        "      <value id=\"v.A\" name=\"A\" role=\"input\" axes=\"a.x\"/>\n    </diagram>\n  </meaning>\n"
        "  <schedule/>\n  <presentation/>\n  <extension><new/></extension>\n</heddle>\n";
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (HeddleSnapshot) snapshot = read_text (text, &problems);
  g_autofree char *written = NULL;

  g_assert_nonnull (snapshot);
  g_assert_false (snapshot->read_only);
  written = write_text (snapshot);
  g_assert_nonnull (strstr (written, "      <axis id=\"a.x\" name=\"x\" size=\"3\">\n"
                                     "        <f:note xmlns:f=\"urn:f\" a=\"1\">kept</f:note>\n"));
  g_assert_nonnull (strstr (written, "<new"));
}

static void
test_newer_major_is_read_only (void)
{
  const char *text
      = "<heddle " NS " version=\"2.0\" mood=\"blue\"><meaning><diagram id=\"d.a\" name=\"a\" shade=\"1\">"
        "<axis id=\"a.x\" name=\"x\" size=\"3\"/><knot/></diagram></meaning><weft/></heddle>";
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (HeddleSnapshot) snapshot = read_text (text, &problems);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (snapshot);
  g_assert_true (snapshot->read_only);
  g_assert_null (heddle_ncd_write (snapshot, NULL, &error));
  g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_READ_ONLY);
}

#define HEAD "<heddle " NS " version=\"1.0\">\n<meaning>\n<diagram id=\"d\" name=\"d\">\n"
#define TAIL "</diagram>\n</meaning>\n</heddle>\n"
#define DRAWN                                                                                                \
  HEAD "<axis id=\"a.x\" name=\"x\"/>\n</diagram>\n</meaning>\n<presentation>\n<drawing diagram=\"d\">\n"
#define DRAWN_TAIL "</drawing>\n</presentation>\n</heddle>\n"

static const struct
{
  const char *text;
  guint line, column;
  const char *message;
} bad_files[] = {
  { "", 1, 1, "" },
  { "<heddle", 1, 8, "" },
  { "plain text", 1, 1, "" },
  { "<svg/>", 1, 1, "not a Heddle diagram" },
  { "<heddle version=\"1.0\"/>", 1, 1, "not a Heddle diagram" },
  { "<heddle " NS "/>", 1, 1, "lacks the attribute" },
  { "<heddle " NS " version=\"one\"/>", 1, 1, "not a version" },
  { "<heddle " NS " version=\"1.0\"/>", 1, 1, "holds no diagram" },
  { "<?xml version=\"1.0\"?>\n<!DOCTYPE heddle [<!ENTITY a \"b\">]>\n<heddle/>", 2, 1, "document type" },
  { HEAD "<axis id=\"a.x\" name=\"x\"/>\n  <axis id=\"a.x\" name=\"y\"/>\n" TAIL, 5, 3, "already taken" },
  { HEAD "<axis id=\"a.x\" name=\"x\" size=\"3\"/>\n  <axis id=\"a.x\" name=\"y\" size=\"4\"/>\n" TAIL, 5, 3,
      "already taken" },
  { HEAD "<axis id=\"a.x\" name=\"x\"/>\n<axis id=\"a.y\" name=\"x\"/>\n" TAIL, 5, 1, "two axes" },
  { HEAD "<axis id=\"a x\" name=\"x\"/>\n" TAIL, 4, 1, "not an id" },
  { HEAD "<axis id=\"a.x\" name=\"x\" size=\"3 +\"/>\n" TAIL, 4, 1, "size" },
  { HEAD "<axis id=\"a.x\" name=\"x\" size=\"nope\"/>\n" TAIL, 4, 1, "size" },
  { HEAD "<axis id=\"a.x\" name=\"x\" weight=\"3\"/>\n" TAIL, 4, 1, "no attribute" },
  { DRAWN "<fill object=\"a.x\" class=\"colr\"/>\n" DRAWN_TAIL, 9, 1, "colr" },
  { DRAWN "<fill object=\"a.x\" class=\"#12345\"/>\n" DRAWN_TAIL, 9, 1, "#12345" },
  { DRAWN "<annotation id=\"n.1\" x=\"1\" y=\"2\" fill=\"colr\" text=\"t\"/>\n" DRAWN_TAIL, 9, 1, "colr" },
  { HEAD "<value id=\"v.A\" axes=\"a.q\"/>\n" TAIL, 4, 1, "no axis" },
  { HEAD "<value id=\"v.A\" dtype=\"f17\"/>\n" TAIL, 4, 1, "not a data type" },
  { HEAD "<value id=\"v.A\" role=\"king\"/>\n" TAIL, 4, 1, "role" },
  { HEAD "<value id=\"v.A\"/>\n<operation id=\"o.A\" kind=\"knit\" result=\"v.A\"/>\n" TAIL, 5, 1,
      "no operation of the kind" },
  { HEAD "<value id=\"v.A\"/>\n<operation id=\"o.A\" kind=\"map\" operands=\"v.B\" result=\"v.A\" "
         "body=\"$0\"/>\n" TAIL,
      5, 1, "no value" },
  { HEAD "<value id=\"v.A\"/>\n<operation id=\"o.A\" kind=\"map\" operands=\"v.A\" result=\"v.A\" "
         "body=\"$0\"/>\n" TAIL,
      3, 1, "circle" },
  { HEAD "<value id=\"v.A\"/>\n<operation id=\"o.A\" kind=\"map\" result=\"v.A\" body=\"1\"/>\n"
         "<operation id=\"o.B\" kind=\"map\" result=\"v.A\" body=\"1\"/>\n" TAIL,
      6, 1, "made twice" },
  { HEAD "<value id=\"v.A\"/>\n<operation id=\"o.A\" kind=\"softmax\" result=\"v.A\"/>\n" TAIL, 5, 1,
      "at least 1 operands" },
  { HEAD "<value id=\"v.A\" role=\"input\"/>\n<value id=\"v.B\"/>\n"
         "<operation id=\"o.B\" kind=\"softmax\" operands=\"v.A v.A\" result=\"v.B\"/>\n" TAIL,
      6, 1, "at most 1 operands" },
  { HEAD "<value id=\"v.A\" role=\"input\"/>\n<value id=\"v.B\"/>\n"
         "<operation id=\"o.B\" kind=\"cumsum\" operands=\"v.A\" result=\"v.B\"/>\n" TAIL,
      6, 1, "at least 1 axes" },
  { HEAD "<value id=\"v.A\"/>\n<operation id=\"o.A\" kind=\"map\" result=\"v.A\" body=\"exp($0)\"/>\n" TAIL,
      5, 1, "reads $0" },
  { HEAD "<axis id=\"a.x\" name=\"x\" size=\"$0+1\"/>\n" TAIL, 4, 1, "size of an axis" },
  { HEAD "<knot/>\n" TAIL, 4, 1, "cannot be here" },
  { HEAD "words\n" TAIL, 4, 1, "text" },
  { HEAD "<axis id=\"a.x\" name=\"\xff\"/>\n" TAIL, 4, 0, "UTF-8" },
};

static void
test_bad_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_files); i++)
    {
      g_autoptr (GPtrArray) problems = NULL;
      g_autoptr (HeddleSnapshot) snapshot = read_text (bad_files[i].text, &problems);
      const HeddleProblem *problem;
      g_autofree char *shown = NULL;

      g_test_message ("file %u", i);
      g_assert_null (snapshot);
      g_assert_cmpuint (problems->len, >, 0);
      problem = g_ptr_array_index (problems, 0);
      shown = heddle_problem_to_string (problem);
      g_assert_cmpuint (problem->line, ==, bad_files[i].line);
      if (*bad_files[i].message != '\0')
        g_assert_cmpuint (problem->column, ==, bad_files[i].column);
      g_assert_nonnull (strstr (problem->message, bad_files[i].message));
      g_assert_true (g_str_has_prefix (shown, "test.ncd:"));
    }
}

static void
test_too_deep (void)
{
  g_autoptr (GString) text = g_string_new ("<heddle " NS " version=\"1.0\">");
  g_autoptr (GPtrArray) problems = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (text, "<extension>");
  g_assert_null (read_text (text->str, &problems));
  g_assert_cmpuint (problems->len, >, 0);
}

/* Any cut and any flipped byte of a good file is either read or refused with a place, never a crash. */
static void
test_damage (void)
{
  g_autoptr (HeddleSnapshot) snapshot = make_document ();
  g_autofree char *text = write_text (snapshot);
  gsize length = strlen (text);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 400; i++)
    {
      g_autofree char *copy = g_strdup (text);
      g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
      g_autoptr (HeddleSnapshot) read = NULL;
      gsize cut = length;

      if (i % 2 == 0)
        cut = g_rand_int_range (random, 0, length - 1);
      else
        for (guint j = 0; j < 3; j++)
          copy[g_rand_int_range (random, 0, length)] = "<>\"&a0 =/$.-("[g_rand_int_range (random, 0, 13)];
      read = heddle_ncd_read (copy, cut, "damaged.ncd", problems);
      if (read == NULL)
        g_assert_cmpuint (problems->len, >, 0);
      else
        {
          g_autoptr (GPtrArray) found = heddle_check_snapshot (read);
          g_autofree char *again = heddle_ncd_write (read, NULL, NULL);

          g_assert_true (read->read_only || again != NULL);
        }
      if (cut < length - 2)
        g_assert_null (read);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/files/ncd/round-trip", test_round_trip);
  g_test_add_func ("/files/ncd/unknown-in-figure", test_unknown_in_figure);
  g_test_add_func ("/files/ncd/unknown-commands", test_unknown_commands);
  g_test_add_func ("/files/ncd/schema", test_schema);
  g_test_add_func ("/files/ncd/extensions-stay", test_extensions_stay);
  g_test_add_func ("/files/ncd/newer-major-is-read-only", test_newer_major_is_read_only);
  g_test_add_func ("/files/ncd/bad-files", test_bad_files);
  g_test_add_func ("/files/ncd/too-deep", test_too_deep);
  g_test_add_func ("/files/ncd/damage", test_damage);
  return g_test_run ();
}
