#include "learner/method.h"
#include "persist/checkpoint.h"
#include "run/run_state.h"
#include "unit/persist/fake_disk.h"

#include <sys/stat.h>
#include <unistd.h>

static unsigned char some[] = "0123456789abcdef\0?";

static ofw_state state_of(size_t size)
{
  return (ofw_state){some, size};
}

static void write_it(fake_disk *d, size_t size, const char *about)
{
  ofw_disk ops = fake_ops(d);
  ofw_state s = state_of(size);
  assert_int_equal(ofw_checkpoint_write(&ops, "c", &s, about, NULL), OFW_OK);
}

static ofw_status read_it(fake_disk *d, ofw_checkpoint *c, ofw_error *err)
{
  ofw_disk ops = fake_ops(d);
  return ofw_checkpoint_read(&ops, "c", c, err);
}

static inode *file_of(fake_disk *d, const char *name)
{
  return d->inode[d->name[fake_find(d, name)].inode];
}

/* Refused for that reason (NULL: any), and what was there stays. */
static void refused(fake_disk *d, const char *message)
{
  char text[] = "old";
  ofw_checkpoint c = {{some, 3}, text};
  ofw_error err = {0};
  assert_int_equal(read_it(d, &c, &err), OFW_BAD_DATA);
  if (message)
    assert_string_equal(err.message, message);
  assert_ptr_equal(c.state.bytes, some);
  assert_ptr_equal(c.about, text);
}

static void test_round_trip(void **state)
{
  (void)state;
  static const char *const abouts[] = {"", "x", "12345678", "two\nlines\n"};
  ofw_checkpoint c = {0};
  for (size_t size = 0; size <= sizeof some; size++)
    for (size_t k = 0; k < 4; k++) {
      fake_disk *d = fake_new();
      write_it(d, size, abouts[k]);
      assert_int_equal(read_it(d, &c, NULL), OFW_OK); /* into a used one */
      assert_int_equal(c.state.size, size);
      assert_memory_equal(c.state.bytes, some, size);
      assert_string_equal(c.about, abouts[k]);
      assert_int_equal(fake_find(d, "c.tmp"), -1);
      fake_free(d);
    }
  ofw_checkpoint_free(&c);
  assert_null(c.about);
  ofw_checkpoint_free(&c);
  ofw_checkpoint_free(NULL);
}

/* The layout that checkpoint.h writes down, read here by hand. */
static void test_layout(void **state)
{
  (void)state;
  fake_disk *d = fake_new();
  write_it(d, 11, "about");
  const inode *f = file_of(d, "c");
  uint32_t head[2], sections;
  uint64_t size, n;
  assert_memory_equal(f->bytes, "ofwcheck", 8);
  memcpy(head, f->bytes + 8, 8);
  memcpy(&size, f->bytes + 16, 8);
  memcpy(&sections, f->bytes + 24, 4);
  assert_int_equal(head[0], 1);
  assert_int_equal(head[1], 0x01020304);
  assert_int_equal(size, f->size);
  assert_int_equal(sections, 2);
  assert_memory_equal(f->bytes + 32, "about\0\0\0", 8);
  memcpy(&n, f->bytes + 40, 8);
  assert_int_equal(n, 5);
  assert_memory_equal(f->bytes + 48, "about\0\0\0", 8);
  assert_memory_equal(f->bytes + 64, "state\0\0\0", 8);
  memcpy(&n, f->bytes + 72, 8);
  assert_int_equal(n, 11);
  assert_memory_equal(f->bytes + 80, some, 11);
  assert_int_equal(f->size, 80 + 16 + 8);
  fake_free(d);
}

/* Every byte by every mask, and every length. */
static void test_flipped_and_cut(void **state)
{
  (void)state;
  fake_disk *d = fake_new();
  write_it(d, 11, "about");
  inode *f = file_of(d, "c");
  size_t whole = f->size;
  for (size_t at = 0; at < whole; at++)
    for (unsigned mask = 1; mask < 256; mask++) {
      f->bytes[at] = (unsigned char)(f->bytes[at] ^ mask);
      refused(d, NULL);
      f->bytes[at] = (unsigned char)(f->bytes[at] ^ mask);
    }
  for (f->size = 0; f->size < whole; f->size++)
    refused(d, f->size < 8 ? "c: not a checkpoint" : f->size < 32 ? "c: cut short within its header" : NULL);
  for (f->size = whole + 1; f->size < whole + 100; f->size++)
    refused(d, NULL);
  f->size = 60;
  refused(d, "c: cut short: 60 of 104 bytes");
  f->size = 105;
  refused(d, "c: too long: 105 of 104 bytes");
  f->size = whole;
  f->bytes[20] ^= 1;
  refused(d, "c: damaged: the header does not match its checksum");
  f->bytes[20] ^= 1;
  f->bytes[50] ^= 1;
  refused(d, "c: damaged: section 'about' does not match its checksum");
  f->bytes[50] ^= 1;
  f->bytes[41] ^= 1;
  refused(d, "c: damaged: section 'about' is larger than the file");
  f->bytes[41] ^= 1;
  fake_free(d);
}

/* The one before a damaged one is offered where it is whole, and read where there is no other. */
static void test_the_one_before(void **state)
{
  (void)state;
  fake_disk *d = fake_new();
  ofw_checkpoint c = {0};
  ofw_disk ops = fake_ops(d);
  assert_int_equal(read_it(d, &c, NULL), OFW_END);
  write_it(d, 3, "first");
  write_it(d, 4, "second");
  file_of(d, "c")->bytes[70] ^= 1;
  refused(d, "c: damaged: section 'state' does not match its checksum; the previous checkpoint, c.1, is whole");
  file_of(d, "c.1")->bytes[70] ^= 1;
  refused(d, "c: damaged: section 'state' does not match its checksum");
  file_of(d, "c.1")->bytes[70] ^= 1;
  fake_unlink(d, "c");
  assert_int_equal(read_it(d, &c, NULL), OFW_OK);
  assert_string_equal(c.about, "first");
  assert_int_equal(ofw_checkpoint_read_file(&ops, "c", &c, NULL), OFW_END);
  ofw_checkpoint_free(&c);
  fake_free(d);
}

/* ---- on the machine's disk ---- */

static char folder[] = "/tmp/ofw-checkpoint-XXXXXX";
static char path[64], before[64];

static int make_folder(void **state)
{
  (void)state;
  if (!mkdtemp(folder))
    return -1;
  snprintf(path, sizeof path, "%s/c", folder);
  snprintf(before, sizeof before, "%s/c.1", folder);
  return 0;
}

static int remove_folder(void **state)
{
  (void)state;
  return rmdir(folder);
}

static void test_real_disk(void **state)
{
  (void)state;
  ofw_checkpoint c = {0};
  ofw_error err = {0};
  ofw_state s = state_of(9);
  char missing[96], expected[160];
  assert_int_equal(ofw_checkpoint_write(&ofw_real_disk, path, &s, "one", &err), OFW_OK);
  assert_int_equal(ofw_checkpoint_write(&ofw_real_disk, path, &s, "two", &err), OFW_OK);
  assert_int_equal(ofw_checkpoint_read(&ofw_real_disk, path, &c, &err), OFW_OK);
  assert_string_equal(c.about, "two");
  assert_int_equal(ofw_checkpoint_read(&ofw_real_disk, before, &c, &err), OFW_OK);
  assert_string_equal(c.about, "one");
  ofw_checkpoint_free(&c);
  unlink(path), unlink(before);
  snprintf(missing, sizeof missing, "%s/no/c", folder);
  snprintf(expected, sizeof expected, "cannot write %s: No such file or directory", missing);
  assert_int_equal(ofw_checkpoint_write(&ofw_real_disk, missing, &s, "", &err), OFW_FAILED);
  assert_string_equal(err.message, expected);
}

/* Neither a folder nor a pipe nor a device is read, or renamed. */
static void test_special_files(void **state)
{
  (void)state;
  ofw_checkpoint c = {0};
  ofw_error err = {0};
  ofw_state s = state_of(9);
  struct stat st;
  assert_int_equal(ofw_checkpoint_read(&ofw_real_disk, folder, &c, &err), OFW_BAD_DATA);
  assert_int_equal(ofw_checkpoint_write(&ofw_real_disk, folder, &s, "", &err), OFW_FAILED);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_int_equal(ofw_checkpoint_read(&ofw_real_disk, path, &c, &err), OFW_BAD_DATA);
  assert_int_equal(ofw_checkpoint_write(&ofw_real_disk, path, &s, "", &err), OFW_FAILED);
  assert_int_equal(stat(path, &st), 0);
  assert_true(S_ISFIFO(st.st_mode));
  unlink(path);
  assert_int_equal(ofw_checkpoint_read(&ofw_real_disk, "/dev/zero", &c, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "/dev/zero: expected a regular file");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_layout),    cmocka_unit_test(test_flipped_and_cut),
      cmocka_unit_test(test_the_one_before), cmocka_unit_test(test_real_disk), cmocka_unit_test(test_special_files),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
