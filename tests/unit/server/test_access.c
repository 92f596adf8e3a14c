/* Tokens allow what their lines say and nothing else does; hosts of this machine are known by their names. */
#include "server/access.h"
#include "unit/server/folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ofw_status read_text(const char *text, mode_t mode, access_tokens *out, ofw_error *err)
{
  test_folder f = folder_make();
  char *path = ofw_format("%s/tokens", f.path);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0 && fclose(file) == 0 && chmod(path, mode) == 0);
  ofw_status st = access_read(path, out, err);
  free(path);
  folder_remove(&f);
  return st;
}

static void test_tokens(void **state)
{
  static access_tokens t;
  (void)state;
  assert_int_equal(read_text("# x\n\nread aaaaaaaaaaaaaaaa\n  write\tbbbbbbbbbbbbbbbb  \n", 0600, &t, NULL), OFW_OK);
  assert_int_equal(t.count, 2);
  assert_int_equal(access_allows(&t, "Bearer aaaaaaaaaaaaaaaa"), ACCESS_READ);
  assert_int_equal(access_allows(&t, "bearer bbbbbbbbbbbbbbbb"), ACCESS_WRITE);
  static const char *const others[] = {NULL,
                                       "",
                                       "Bearer ",
                                       "Bearer",
                                       "Bearer aaaaaaaaaaaaaaa",
                                       "Bearer aaaaaaaaaaaaaaaaa",
                                       "Basic aaaaaaaaaaaaaaaa",
                                       "aaaaaaaaaaaaaaaa",
                                       "Bearer  aaaaaaaaaaaaaaaa"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    assert_int_equal(access_allows(&t, others[k]), ACCESS_NONE);
  for (size_t k = 0; k < t.count; k++) /* the tokens themselves are not kept */
    assert_true(memcmp(t.token[k].hash, k ? "bbbb" : "aaaa", 4) != 0);
  assert_int_equal(access_allows(&(access_tokens){0}, NULL), ACCESS_WRITE);
}

static void test_files_that_are_refused(void **state)
{
  static const char *const texts[] = {"",
                                      "# none\n",
                                      "read short\n",
                                      "aaaaaaaaaaaaaaaa\n",
                                      "both aaaaaaaaaaaaaaaa\n",
                                      "read aaaaaaaaaaaaaaaa more\n",
                                      "read\n"};
  static access_tokens t;
  ofw_error err;
  (void)state;
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    assert_int_equal(read_text(texts[k], 0600, &t, &err), OFW_BAD_DATA);
  assert_int_equal(read_text("read aaaaaaaaaaaaaaaa\n", 0640, &t, &err), getegid() == 0 ? OFW_OK : OFW_BAD_DATA);
  assert_int_equal(read_text("read aaaaaaaaaaaaaaaa\n", 0604, &t, &err), OFW_BAD_DATA);
  assert_non_null(strstr(err.message, "chmod 600"));
  assert_int_equal(access_read("/nowhere/tokens", &t, &err), OFW_BAD_DATA);
}

static void test_hosts(void **state)
{
  static const char *const here[] = {NULL,    "localhost", "LocalHost:80", "127.0.0.1", "127.9.8.7:8780",
                                     "[::1]", "[::1]:8780"};
  static const char *const elsewhere[] = {
      "",      ":80",  "localhost.example", "128.0.0.1",         "127.0.0.1.example:80",
      "[::2]", "::1x", "0.0.0.0",           "[::ffff:127.0.0.1]"};
  (void)state;
  for (size_t k = 0; k < sizeof here / sizeof *here; k++)
    assert_true(access_host_is_local(here[k]));
  for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
    assert_false(access_host_is_local(elsewhere[k]));
  assert_true(access_is_loopback("127.1.1.1") && access_is_loopback("::1") && access_is_loopback("localhost"));
  assert_false(access_is_loopback("0.0.0.0") || access_is_loopback("::") || access_is_loopback("10.0.0.1"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tokens), cmocka_unit_test(test_files_that_are_refused),
                                     cmocka_unit_test(test_hosts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
