/* fuzz_graph.c — graphs as text, and the sets that are made of them
 *
 * Input: a text. Its first line is "NAME OPTIONS", the set and its other options ("paths from=1,to=3"), or "NAME@
 * OPTIONS": then the lines that follow are given as a file; else in place. A set that is made must hold its centre and
 * what its oracle says, and nothing that it holds may be better.
 */
#include "fuzz.h"

#include "base/basics.h"

#include <math.h>

enum { MOST_COORDINATES = 4096, DIRECTIONS = 4 };

static const char *const names[] = {"flows", "matchings", "paths", "perfect-matchings", "spanning-trees", "transport"};

static double along(size_t n, const double *d, const double *x)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += d[i] * x[i];
  return sum;
}

/* At most rounding, or not known. */
static void must_hold(const ofw_domain *K, const double *x)
{
  MUST(ofw_domain_excess(K, x) <= 1e-9 * K->R);
}

/* The k-th direction, out of the text itself. */
static void make_direction(size_t n, const char *text, size_t k, double *d)
{
  size_t length = strlen(text);
  for (size_t i = 0; i < n; i++)
    d[i] = k == 0 ? 1.0
                  : ldexp((double)((unsigned char)text[(i * k + i / 7) % length] % 32) - (k % 2 ? 0.0 : 16.0),
                          k == 3 ? 900 : 0);
}

static void look_at(const ofw_domain *K, const char *text)
{
  size_t n = ofw_domain_dim(K);
  double R = K->R, r = K->r;
  MUST(n > 0 && R > 0.0 && isfinite(R) && r >= 0.0 && r <= R);
  if (n > MOST_COORDINATES)
    return;
  double *centre = malloc(n * sizeof *centre), *v = malloc(n * sizeof *v), *d = malloc(n * sizeof *d), error;
  MUST(centre && v && d);
  ofw_domain_centre(K, centre);
  must_hold(K, centre);
  for (size_t k = 0; k < DIRECTIONS; k++) {
    ofw_error err = {0};
    make_direction(n, text, k, d);
    ofw_status st = ofw_domain_minimise(K, d, 1e-9, v, &error, &err);
    MUST(st == OFW_OK || st == OFW_NUMERICAL);
    if (st != OFW_OK) { /* a negative cycle */
      MUST(k == 2 && strstr(err.message, "paths: the direction has a negative cycle") == err.message);
      continue;
    }
    must_hold(K, v);
    MUST(along(n, v, v) <= R * R * (1.0 + 1e-9) && error == 0.0);
    double size = sqrt(along(n, d, d));
    MUST(!(along(n, d, v) > along(n, d, centre) + 1e-9 * R * size) || !isfinite(size));
  }
  free(centre);
  free(v);
  free(d);
}

static int is_named(const char *name)
{
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return 1;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size && (memchr(data, '/', size) || memchr(data, 0, size))) /* no other file */
    return 0;
  char *text = fuzz_text(data, size), *rest = text, *head = strsep(&rest, "\n"), *name = strsep(&head, " ");
  size_t length = strlen(name);
  int in_file = length && name[length - 1] == '@';
  if (in_file)
    name[length - 1] = 0;
  if (!is_named(name) || (head && strchr(head, '@'))) {
    free(text);
    return 0;
  }
  fuzz_file file = fuzz_keep(rest ? rest : "", rest ? strlen(rest) : 0);
  ofw_text spec = {0};
  if (strcmp(name, "transport") == 0)
    ofw_text_add(&spec, "%s:%s", name, head ? head : "");
  else {
    for (char *c = rest; c && !in_file && (c = strchr(c, '\n')) != NULL;)
      *c = ';';
    if (in_file)
      ofw_text_add(&spec, "%s:graph=@%s", name, file.path);
    else
      ofw_text_add(&spec, "%s:graph=(%s)", name, rest ? rest : "");
    ofw_text_add(&spec, "%s%s", head && *head ? "," : "", head ? head : "");
  }
  MUST(!spec.failed);
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create(spec.chars, &err);
  if (K)
    look_at(K, spec.chars);
  else
    must_explain(err.status, err.message);
  ofw_domain_free(K);
  free(spec.chars);
  fuzz_drop(file);
  free(text);
  return 0;
}
