/* Small files of ratings, changed at random, plain and compressed: each is refused with the file and the line, or holds
 * what a second reader finds in it, which takes any mark for a separator. */
#include "unit/stream/rated.h"

enum { LONGEST = 600, MOST_ROWS = 100 };

static uint64_t seed = 23;
static ofw_error err;
static size_t accepted, refused;

typedef struct text {
  char at[LONGEST];
  size_t length;
} text;

typedef struct found {
  double user, item, value;
} found;

static text any_file(void)
{
  static const char *const separators[] = {"\t", " ", ",", "::"}, *const ends[] = {"\n", "\r\n"};
  const char *between = separators[any_below(&seed, 4)], *end = ends[any_below(&seed, 2)];
  size_t rows = 3 + any_below(&seed, 10), times = any_below(&seed, 2), base = any_below(&seed, 2);
  text t = {.length = 0};
  if (any_below(&seed, 4) == 0)
    t.length += (size_t)sprintf(t.at, "user%sitem%srating%s", between, between, end);
  for (size_t k = 0; k < rows; k++) {
    t.length +=
        (size_t)sprintf(t.at + t.length, "%zu%s%zu%s%.*g", base + any_below(&seed, 12), between,
                        base + any_below(&seed, 12), between, (int)(1 + any_below(&seed, 4)), 5.0 * any_real(&seed));
    if (times)
      t.length += (size_t)sprintf(t.at + t.length, "%s%zu", between, any_below(&seed, 2000000000));
    t.length += (size_t)sprintf(t.at + t.length, "%s", end);
  }
  return t;
}

static void mutate(text *t)
{
  static const char likely[] = "0123456789.-+eE,:: \t\r\n#x\"\\";
  size_t at = any_below(&seed, t->length), bit = any_below(&seed, 8);
  char c = any_below(&seed, 5) ? likely[any_below(&seed, sizeof likely - 1)] : (char)any_below(&seed, 256);
  switch (any_below(&seed, 5)) {
  case 0: /* turn a bit */
    t->at[at] = (char)(t->at[at] ^ 1 << bit);
    break;
  case 1: /* replace */
    t->at[at] = c;
    break;
  case 2: /* delete */
    memmove(t->at + at, t->at + at + 1, t->length-- - at - 1);
    break;
  case 3: /* insert */
    memmove(t->at + at + 1, t->at + at, t->length++ - at);
    t->at[at] = c;
    break;
  default: /* cut */
    t->length = at;
  }
}

/* The first three numbers of each line that has any; SIZE_MAX where a line has fewer. */
static size_t read_again(const text *t, found *rows)
{
  char copy[LONGEST + 1], *line = copy, *end;
  size_t n = 0;
  memcpy(copy, t->at, t->length);
  copy[t->length] = 0;
  for (; line; line = end ? end + 1 : NULL) {
    double number[3];
    int have = 0;
    if ((end = strchr(line, '\n')) != NULL)
      *end = 0;
    for (char *word = strtok(line, " \t,:\r"); word && have < 3; word = strtok(NULL, " \t,:\r")) {
      char *rest;
      number[have] = strtod(word, &rest);
      if (*rest && (have > 0 || n > 0))
        return SIZE_MAX;
      if (*rest)
        break; /* a header */
      have++;
    }
    if (have == 3)
      rows[n++] = (found){number[0], number[1], number[2]};
    else if (have > 0)
      return SIZE_MAX;
  }
  return n;
}

static void agrees(const text *t, const ofw_ratings *r)
{
  found rows[MOST_ROWS];
  size_t n = read_again(t, rows), count = 0;
  double first_user = 1.0, first_item = 1.0;
  assert_true(n != SIZE_MAX && n == r->count + r->duplicates);
  for (size_t k = 0; k < n; k++) {
    first_user = fmin(first_user, rows[k].user);
    first_item = fmin(first_item, rows[k].item);
  }
  for (size_t k = 0; k < n; k++) {
    size_t later = k + 1, at = 0;
    while (later < n && (rows[later].user != rows[k].user || rows[later].item != rows[k].item))
      later++;
    if (later < n)
      continue;
    double cell = (rows[k].user - first_user) * (double)r->items + rows[k].item - first_item;
    while (at < r->count && (double)r->cell[at] != cell)
      at++;
    assert_true(at < r->count);
    assert_bits(r->value[at], rows[k].value);
    count++;
  }
  assert_int_equal(count, r->count);
}

/* "path:line: why", with a line that the file has or that would be its next. */
static void is_message(const text *t)
{
  size_t lines = 1, length = strlen(path);
  for (size_t i = 0; i < t->length; i++)
    lines += t->at[i] == '\n';
  if (strstr(err.message, ": expected ratings, found none"))
    return;
  assert_memory_equal(err.message, path, length);
  char *rest;
  unsigned long line = strtoul(err.message + length + 1, &rest, 10);
  assert_true(line >= 1 && line <= lines);
  assert_memory_equal(rest, ": ", 2);
  assert_true(strlen(rest) > 4);
}

static ofw_status check(ofw_order order, ofw_ratings *r)
{
  ofw_ratings_source from = {.path = path, .base = OFW_BASE_AUTO, .order = order};
  err = (ofw_error){0};
  ofw_status st = ofw_ratings_read(r, &from, &err);
  unlink(path);
  if (st != OFW_OK)
    assert_true(st == OFW_BAD_DATA && err.status == OFW_BAD_DATA);
  accepted += st == OFW_OK;
  refused += st != OFW_OK;
  return st;
}

static void test_plain(void **state)
{
  (void)state;
  accepted = refused = 0;
  for (int k = 0; k < 4000; k++) {
    text t = any_file();
    ofw_ratings r;
    for (size_t changes = any_below(&seed, 4); changes && t.length; changes--)
      mutate(&t);
    write_bytes(t.at, t.length);
    if (check((ofw_order)any_below(&seed, 3), &r) == OFW_OK)
      agrees(&t, &r);
    else
      is_message(&t);
    ofw_ratings_free(&r);
  }
  assert_true(accepted > 400 && refused > 400);
}

static void test_compressed(void **state)
{
  (void)state;
  accepted = refused = 0;
  for (int k = 0; k < 2000; k++) {
    text t = any_file(), packed;
    ofw_ratings r;
    packed.length = compressed(t.at, t.length, (unsigned char *)packed.at, sizeof packed.at);
    for (size_t changes = 1 + any_below(&seed, 2); changes && packed.length; changes--)
      mutate(&packed);
    write_bytes(packed.at, packed.length);
    if (check(OFW_SHUFFLED, &r) == OFW_OK)
      agrees(&t, &r);
    ofw_ratings_free(&r);
  }
  assert_true(accepted > 5 && refused > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_compressed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
