/* Every row of the table is found by its own path, and by nothing that is merely like it. */
#include "server/route.h"
#include "unit/base/check.h"

#include <stdio.h>
#include <string.h>

static const char id[] = "0123456789abcdef";

/* The path of a route with an id in it. */
static void path_of(const route *r, char path[128])
{
  const char *gap = strstr(r->path, "{id}");
  if (gap)
    snprintf(path, 128, "%.*s%s%s", (int)(gap - r->path), r->path, id, gap + 4);
  else
    snprintf(path, 128, "%s", r->path);
}

static void test_every_route(void **state)
{
  char path[128], longer[160], found[SESSION_ID + 1], allowed[ROUTE_METHODS];
  (void)state;
  for (size_t k = 0; k < routes_count; k++) {
    path_of(&routes[k], path);
    assert_ptr_equal(route_find(routes[k].method, path, found, allowed), &routes[k]);
    assert_string_equal(found, strstr(routes[k].path, "{id}") ? id : "");
    assert_null(route_find("PUT", path, found, allowed));
    assert_non_null(strstr(allowed, routes[k].method));
    snprintf(longer, sizeof longer, "%s/", path);
    assert_null(route_find(routes[k].method, longer, found, allowed));
    assert_string_equal(allowed, "");
  }
}

static void test_what_is_none(void **state)
{
  static const char *const none[] = {"",
                                     "//",
                                     "v1/sessions",
                                     "/v1/sessions/0123456789abcde",
                                     "/v1/sessions/0123456789abcdef0",
                                     "/v1/sessions/0123456789ABCDEF",
                                     "/v1/sessions/0123456789abcdeg/decision",
                                     "/v1/sessions/0123456789abcdef/../x",
                                     "/v1/sessions//decision",
                                     "/V1/sessions"};
  char found[SESSION_ID + 1], allowed[ROUTE_METHODS];
  (void)state;
  for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
    assert_null(route_find("GET", none[k], found, allowed));
    assert_string_equal(allowed, "");
    assert_string_equal(found, "");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_route), cmocka_unit_test(test_what_is_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
