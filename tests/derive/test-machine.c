/* SPDX-License-Identifier: MIT */
#include "derive/machine/file.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/machine/sustained.h"
#include "derive/machine/write.h"
#include "diagram/base/dtype.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* The smallest file that is right; tests break it line by line. */
#define LEAST                                                                                                \
  "[Machine]\nName=tiny\nTitle=Tiny\nSource=a test\n"                                                        \
  "[Level gmem]\nTitle=GMEM\nCount=1\n"                                                                      \
  "[Level smem]\nTitle=SMEM\nParent=gmem\nCount=1\nCapacity=100\nLabels=true\n"

static char *
write_file (const char *text, gssize length)
{
  g_autoptr (GError) error = NULL;
  char *path = NULL;
  int fd = g_file_open_tmp ("heddle-XXXXXX.machine", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_file_set_contents (path, text, length, &error);
  g_assert_no_error (error);
  return path;
}

static void
assert_fails (const char *text, gssize length, const char *why)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = write_file (text, length);
  g_autoptr (HeddleMachine) machine = heddle_machine_load_file (path, &error);

  g_unlink (path);
  g_assert_null (machine);
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE);
  if (strstr (error->message, why) == NULL || !g_str_has_prefix (error->message, path))
    g_error ("“%s” does not begin with the file and name “%s”", error->message, why);
}

/* LEAST with one text in it replaced. */
static void
assert_change_fails (const char *from, const char *to, const char *why)
{
  g_autoptr (GString) text = g_string_new (LEAST);

  g_assert_cmpuint (g_string_replace (text, from, to, 1), ==, 1);
  assert_fails (text->str, -1, why);
}

static void
test_shipped (void)
{
  static const char *const names[] = { "a10", "a100-80-sxm", "apple-m1-max", "b200", "h100-pcie", "h100-sxm",
    "h200-sxm", "l4", "l40s", "mi300x", "rtx-3090", "rtx-4090", "rtx-5090", "two-level" };
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) machines = heddle_machines_load (problems);

  g_assert_cmpuint (problems->len, ==, 0);
  g_assert_cmpuint (machines->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < machines->len; i++)
    {
      const HeddleMachine *machine = g_ptr_array_index (machines, i);

      g_assert_cmpstr (machine->name, ==, names[i]);
      g_assert_cmpint (heddle_machine_find_level (machine, "smem"), >, 0);
      g_assert_cmpint (heddle_machine_find_level (machine, "disk"), ==, -1);
      g_assert_true (machine->source[0] != '\0');
      g_assert_cmpint (machine->comparison_only, ==,
          g_str_equal (machine->name, "mi300x") || g_str_equal (machine->name, "apple-m1-max"));
    }
}

static void
test_figures (void)
{
  static const struct
  {
    const char *alias, *name;
    guint sms;
    gint64 block_kib;
    double ridge; /* FLOP per byte at the DRAM's rate: see “Ridge” in src/derive/README.md */
  } rows[] = {
    { "a100", "a100-80-sxm", 108, 163, 153. },
    { "h100", "h100-sxm", 132, 227, 295.3 },
    { "h200", "h200-sxm", 132, 227, 206. },
    { "b200", "b200", 148, 227, 293. },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleMachine) machine = heddle_machine_find (rows[i].alias, 0, &error);
      const HeddleLevel *gmem, *smem;

      g_assert_no_error (error);
      g_assert_cmpstr (machine->name, ==, rows[i].name);
      gmem = g_ptr_array_index (machine->levels, 0);
      smem = g_ptr_array_index (machine->levels, (guint) heddle_machine_find_level (machine, "smem"));
      g_assert_cmpuint (machine->sms, ==, rows[i].sms);
      g_assert_cmpint (smem->capacity_bytes, ==, rows[i].block_kib * 1024);
      g_assert_cmpint (smem->total_bytes, ==, smem->capacity_bytes + 1024);
      g_assert_true (smem->labels && !gmem->labels);
      g_assert_cmpfloat_with_epsilon (
          machine->tensor_flops[HEDDLE_DTYPE_F16] / gmem->bandwidth, rows[i].ridge, .5);
    }
}

/* Rates that follow from others: lanes by clock in fp32 (two FLOPs each), fragments by clock in f16. */
static void
test_consistent (void)
{
  static const struct
  {
    const char *name;
    double lanes, f16_per_clock; /* of an SM */
  } rows[] = { { "a10", 128., 1024. }, { "a100", 64., 2048. }, { "h100-pcie", 128., 0. },
    { "l4", 128., 1024. }, { "l40s", 128., 1024. }, { "rtx-3090", 128., 512. }, { "rtx-4090", 128., 512. },
    { "rtx-5090", 128., 512. }, { "mi300x", 128., 2048. }, { "apple-m1-max", 128., 0. } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleMachine) machine = heddle_machine_find (rows[i].name, 0, &error);
      double cycles = machine->sms * machine->clock;

      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (machine->fp32_flops / (2. * rows[i].lanes * cycles), 1., .01);
      if (rows[i].f16_per_clock > 0.)
        g_assert_cmpfloat_with_epsilon (
            machine->tensor_flops[HEDDLE_DTYPE_F16] / (rows[i].f16_per_clock * cycles), 1., .025);
    }
}

/* Two memories of a group as one level between them and the L2. */
static void
test_cluster (void)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, NULL);
  const HeddleLevel *cluster, *smem, *registers;

  g_assert_false (heddle_machine_insert_cluster (machine, 133));
  g_assert_true (heddle_machine_insert_cluster (machine, 2));
  cluster = g_ptr_array_index (machine->levels, 2);
  smem = g_ptr_array_index (machine->levels, 3);
  registers = g_ptr_array_index (machine->levels, 4);
  g_assert_cmpstr (cluster->name, ==, "cluster");
  g_assert_cmpint (cluster->capacity_bytes, ==, 2 * 227 * 1024);
  g_assert_cmpuint (cluster->count, ==, 66);
  g_assert_cmpint (cluster->parent, ==, 1);
  g_assert_cmpint (smem->parent, ==, 2);
  g_assert_cmpint (registers->parent, ==, 3);
}

/* What is written reads as the same machine: the text of both is the same. */
static void
test_written (void)
{
  g_autoptr (GPtrArray) machines = heddle_machines_load (NULL);

  for (guint i = 0; i < machines->len; i++)
    {
      const HeddleMachine *machine = g_ptr_array_index (machines, i);
      g_autofree char *text = heddle_machine_write (machine, NULL);
      g_autofree char *path = write_file (text, -1);
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleMachine) read = heddle_machine_find (path, 0, &error);
      g_autofree char *again = NULL;

      g_unlink (path);
      g_assert_no_error (error);
      again = heddle_machine_write (read, NULL);
      g_assert_cmpstr (again, ==, text);
      g_assert_cmpstr (heddle_machine_reference (read), ==, path);
      g_assert_cmpuint (read->levels->len, ==, machine->levels->len);
      g_assert_cmpuint (read->links->len, ==, machine->links->len);
      g_assert_cmpfloat (fabs (read->fp32_flops - machine->fp32_flops), <=, 1e-5 * machine->fp32_flops);
    }
}

/* What joins GPUs: 900 GB/s of NVLink 4 in both directions are 450 to send, and 400 Gb/s of the network 50 GB/s. */
static void
test_links (void)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, NULL);
  const HeddleLink *node = g_ptr_array_index (machine->links, 0),
                   *cluster = g_ptr_array_index (machine->links, 1);

  g_assert_cmpint (heddle_machine_find_link (machine, "node"), ==, 0);
  g_assert_cmpint (heddle_machine_find_link (machine, "smem"), ==, -1);
  g_assert_cmpuint (node->count, ==, 8);
  g_assert_cmpfloat (node->bandwidth, ==, 450e9);
  g_assert_cmpfloat (cluster->bandwidth, ==, 50e9);
  assert_fails (
      LEAST "[Link node]\nTitle=Node\nCount=1\nBandwidth=1e9\n", -1, "[Link node] Count: joins at least 2");
  assert_fails (LEAST "[Link node]\nTitle=Node\nCount=2\n", -1, "[Link node] Bandwidth: is missing");
  assert_fails (LEAST "[Link smem]\nTitle=Node\nCount=2\nBandwidth=1e9\n", -1, "of that name already");
  assert_fails (LEAST "[Link node]\nTitle=Node\nCount=2\nBandwidth=1e9\nSpeed=1\n", -1, "is not a key");
}

static void
test_abstract (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", 512, &error);
  const HeddleLevel *smem;

  g_assert_no_error (error);
  smem = g_ptr_array_index (machine->levels, 1);
  g_assert_true (heddle_machine_is_abstract (machine));
  g_assert_cmpint (smem->capacity_bytes, ==, 512);

  g_assert_null (heddle_machine_find ("h100", 512, &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE);
  g_clear_error (&error);
  g_assert_null (heddle_machine_find ("h1000", 0, &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE);
  g_assert_nonnull (strstr (error->message, "h100-sxm"));
}

static void
test_own (void)
{
  g_autofree char *directory = g_build_filename (g_get_user_data_dir (), "heddle", "hardware", NULL);
  g_autofree char *right = g_build_filename (directory, "tiny.machine", NULL);
  g_autofree char *wrong = g_build_filename (directory, "wrong.machine", NULL);
  g_autofree char *again = g_build_filename (directory, "xagain.machine", NULL);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) machines = NULL;
  g_autoptr (HeddleMachine) machine = NULL;

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (right, LEAST, -1, NULL));
  g_assert_true (g_file_set_contents (wrong, "[Machine]\nName=wrong\n", -1, NULL));
  g_assert_true (g_file_set_contents (again, LEAST, -1, NULL));
  machines = heddle_machines_load (problems);
  machine = heddle_machine_find ("tiny", 0, NULL);
  g_unlink (right);
  g_unlink (wrong);
  g_unlink (again);

  g_assert_nonnull (machine);
  g_assert_cmpuint (problems->len, ==, 2);
  g_assert_nonnull (strstr (g_ptr_array_index (problems, 0), "wrong.machine:1: [Machine] Title"));
  g_assert_nonnull (strstr (g_ptr_array_index (problems, 1), "“tiny” already"));
}

static void
test_wrong (void)
{
  assert_fails ("", 0, "[Machine]");
  assert_fails ("hello", -1, "group");
  assert_change_fails ("Name=tiny\n", "", "[Machine] Name: is missing");
  assert_change_fails ("Name=tiny", "Name=a b", "[Machine] Name");
  assert_change_fails ("Source=a test\n", "", "[Machine] Source");
  assert_change_fails ("Parent=gmem", "Parent=disk", "[Level smem] Parent: there is no level “disk”");
  assert_change_fails ("Parent=gmem", "Parent=smem", "[Level smem] Parent");
  assert_change_fails ("Capacity=100\n", "", "[Level smem] Labels");
  assert_change_fails ("Capacity=100", "Capacity=many", "[Level smem] Capacity: “many” is not a number");
  assert_change_fails ("Capacity=100", "Capacity=1e99", "[Level smem] Capacity");
  assert_change_fails ("Capacity=100", "Capacity=-1", "[Level smem] Capacity");
  assert_change_fails ("Capacity=100", "Capacity=1.5", "[Level smem] Capacity: 1.5 is not a whole");
  assert_change_fails ("Capacity=100", "Capacity=nan", "[Level smem] Capacity");
  assert_change_fails ("Count=1", "Count=0", "machine:7: [Level gmem] Count");
  assert_change_fails ("Capacity=100", "Capacity=x", "machine:12: [Level smem] Capacity");
  assert_change_fails (
      "Capacity=100", "Capacity=100\nBandwith=1", "machine:13: [Level smem] Bandwith: is not a key");
  assert_change_fails ("Title=Tiny", "Title=Tiny\nSM=1", "machine:4: [Machine] SM: is not a key");
  assert_change_fails ("Title=Tiny", "Title=Tiny\nnonsense", "machine:4: ");
  assert_change_fails (
      "Title=Tiny", "Title=Tiny\\n#error", "machine:3: [Machine] Title: has a control character");
  assert_change_fails ("Source=a test", "Source=a\xe2\x80\xa8test", "[Machine] Source: has a control");
  assert_change_fails ("Title=Tiny", "Title=Ti\\iny \\", "machine:3: [Machine] Title: ");
  assert_change_fails ("Title=SMEM", "Title=SM\\rEM", "[Level smem] Title: has a control character");
  assert_change_fails ("Labels=true", "Labels=yes", "[Level smem] Labels");
  assert_change_fails ("[Level smem]", "[Levels smem]", "[Levels smem]");
  assert_change_fails ("Title=Tiny", "Title=Tiny\nArch=sm_90a", "[Machine] SMs: is missing");
  assert_change_fails ("[Level gmem]", "[Tensor]\nf17=1\n[Level gmem]", "[Tensor] f17");
}

static void
test_hostile (void)
{
  g_autoptr (GString) text = g_string_new (LEAST);
  g_autoptr (GError) error = NULL;
  g_autofree char *binary = g_malloc (60000);

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (text, "[Level l%u]\nTitle=L\nParent=smem\nCount=1\n", i);
  assert_fails (text->str, -1, "at most 16 levels");
  while (text->len < 70000)
    g_string_append (text, "# a comment that goes on\n");
  assert_fails (text->str, -1, "longer than");
  for (guint i = 0; i < 60000; i++)
    binary[i] = (char) (i * 7919 >> 3);
  assert_fails (binary, 60000, ":");
  /* The first byte of a sign of two, which ends the text, behind a backslash. */
  assert_fails (LEAST "[Sustained]\nLaunch=1\\\xc3\n", -1, "[Sustained] Launch");

  g_assert_null (heddle_machine_load_file ("/dev/zero", &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE);
  g_clear_error (&error);
  g_assert_null (heddle_machine_load_file ("/nowhere/at-all.machine", &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE);
}

/* What is reached in practice stands beside the peaks, each number with how it is known and its source; a file without is as good. */
static void
test_sustained (void)
{
  const char *rates
      = LEAST "[Sustained]\nDramBandwidth=3e12;measured;a run; twice\nLaunch=2e-6;derived;a guess\n";
  g_autofree char *path = write_file (rates, -1), *again = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_load_file (path, &error);
  g_autoptr (HeddleMachine) copy = NULL, read = NULL;

  g_unlink (path);
  g_assert_no_error (error);
  g_assert_cmpfloat (machine->sustained[HEDDLE_SUSTAINED_DRAM].value, ==, 3e12);
  g_assert_cmpint (machine->sustained[HEDDLE_SUSTAINED_DRAM].known, ==, HEDDLE_KNOWN_MEASURED);
  g_assert_cmpstr (machine->sustained[HEDDLE_SUSTAINED_DRAM].source, ==, "a run; twice");
  g_assert_cmpfloat (machine->sustained[HEDDLE_SUSTAINED_L2].value, ==, 0.);
  copy = heddle_machine_copy (machine);
  text = heddle_machine_write (copy, NULL);
  again = write_file (text, -1);
  read = heddle_machine_load_file (again, &error);
  g_unlink (again);
  g_assert_no_error (error);
  g_assert_cmpfloat (read->sustained[HEDDLE_SUSTAINED_LAUNCH].value, ==, 2e-6);
  g_assert_cmpstr (read->sustained[HEDDLE_SUSTAINED_DRAM].source, ==, "a run; twice");
  assert_fails (LEAST "[Sustained]\nSpeed=1;peak;x\n", -1, "[Sustained] Speed");
  assert_fails (LEAST "[Sustained]\nLaunch=soon;peak;x\n", -1, "soon");
  assert_fails (LEAST "[Sustained]\nTensorShare=7;peak;x\n", -1, "TensorShare");
  assert_fails (LEAST "[Sustained]\nLaunch=1e-6;guessed;x\n", -1, "measured");
  assert_fails (LEAST "[Sustained]\nLaunch=1e-6;peak\n", -1, "source");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machine/shipped", test_shipped);
  g_test_add_func ("/machine/figures", test_figures);
  g_test_add_func ("/machine/consistent", test_consistent);
  g_test_add_func ("/machine/cluster", test_cluster);
  g_test_add_func ("/machine/written", test_written);
  g_test_add_func ("/machine/sustained", test_sustained);
  g_test_add_func ("/machine/links", test_links);
  g_test_add_func ("/machine/abstract", test_abstract);
  g_test_add_func ("/machine/own", test_own);
  g_test_add_func ("/machine/wrong", test_wrong);
  g_test_add_func ("/machine/hostile", test_hostile);
  return g_test_run ();
}
