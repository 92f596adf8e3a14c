/* test_read_graph.c — graphs from text, in place and in files, and what is refused */
#include "domain/graph/graph.h"
#include "unit/domain/oracle_check.h"

#include <unistd.h>

/* Reads the text, and compares with `vertices` and n edges as numbers of the text. */
static void reads(const char *text, size_t vertices, size_t n, const uint64_t edge[][2], const double *capacity)
{
  ofw_owned own = {0};
  ofw_graph g = {0};
  uint32_t content = 0;
  ofw_error err = {0};
  if (ofw_graph_read(&own, "test", text, &content, &g, &err) != OFW_OK)
    fail_msg("%s: %s", text, err.message);
  assert_int_equal(g.edges, n);
  assert_int_equal(g.vertices, vertices);
  for (size_t v = 1; v < vertices; v++)
    assert_true(g.label[v - 1] < g.label[v]);
  for (size_t e = 0; e < n; e++) {
    assert_true(g.label[g.from[e]] == edge[e][0] && g.label[g.to[e]] == edge[e][1]);
    assert_true(g.capacity[e] == (capacity ? capacity[e] : INFINITY));
  }
  assert_true((content != 0) == (text[0] == '@'));
  ofw_owned_free(&own);
}

static void edge_lists(void **state)
{
  (void)state;
  reads("(1 2)", 2, 1, (const uint64_t[][2]){{1, 2}}, NULL);
  reads("(1 2;2 3;1 3)", 3, 3, (const uint64_t[][2]){{1, 2}, {2, 3}, {1, 3}}, NULL);
  reads("( 7 , 1000000000000 ;; # none; 7 3 0.5;c 1 2;3 7 0)", 3, 3,
        (const uint64_t[][2]){{7, 1000000000000}, {7, 3}, {3, 7}}, (const double[]){INFINITY, 0.5, 0.0});
  reads("(5 5;5 5;5 6)", 2, 3, (const uint64_t[][2]){{5, 5}, {5, 5}, {5, 6}}, NULL);
}

static void dimacs(void **state)
{
  (void)state;
  reads("(c a comment;p sp 4 2;a 1 2 -3;a 4 2 1e9)", 3, 2, (const uint64_t[][2]){{1, 2}, {4, 2}}, NULL);
  reads("(p max 3 2;n 1 s;n 3 t;a 1 2 4;c;a 2 3 5)", 3, 2, (const uint64_t[][2]){{1, 2}, {2, 3}},
        (const double[]){4, 5});
  reads("(p min 3 1;n 1 4;a 1 3 0 2.5 -7)", 2, 1, (const uint64_t[][2]){{1, 3}}, (const double[]){2.5});
  reads("(p asn 4 1;n 1;a 1 3 9)", 2, 1, (const uint64_t[][2]){{1, 3}}, NULL);
  reads("(p edge 4 1;e 1 3)", 2, 1, (const uint64_t[][2]){{1, 3}}, NULL);
  reads("(p col 4 1;e 4 3)", 2, 1, (const uint64_t[][2]){{4, 3}}, NULL);
}

static void files(void **state)
{
  (void)state;
  char path[] = "/tmp/ofw-graph-XXXXXX", text[TEXT], words[TEXT];
  FILE *out = fdopen(mkstemp(path), "w");
  assert_non_null(out);
  fprintf(out, "# edges\r\n1\t2 3\r\n\n2 9 4\n");
  fclose(out);
  say(text, "@%s", path);
  reads(text, 3, 2, (const uint64_t[][2]){{1, 2}, {2, 9}}, (const double[]){3, 4});
  out = fopen(path, "w");
  fprintf(out, "1 2\n1 x\n");
  fclose(out);
  say(text, "matchings:graph=@%s", path);
  say(words, "%s:2: 'x' is not a vertex; expected a whole number >= 1", path);
  refused(text, OFW_BAD_DATA, words);
  out = fopen(path, "w");
  fprintf(out, "# nothing\n");
  fclose(out);
  refused(text, OFW_BAD_DATA, "matchings: the graph has no edges");
  unlink(path);
  say(words, "matchings: cannot read %s: No such file or directory", path);
  refused(text, OFW_BAD_DATA, words);
}

/* A graph in a file is part of what the set is. */
static void content(void **state)
{
  (void)state;
  char path[] = "/tmp/ofw-graph-XXXXXX", text[TEXT];
  uint32_t seen[2];
  int file = mkstemp(path);
  say(text, "matchings:graph=@%s", path);
  for (int k = 0; k < 2; k++) {
    FILE *out = fopen(path, "w");
    fprintf(out, k ? "1 2\n1 3\n" : "1 2\n1 4\n");
    fclose(out);
    ofw_domain *K = domain_of(text);
    seen[k] = K->content;
    ofw_domain_free(K);
  }
  assert_true(seen[0] != seen[1] && seen[0] && seen[1]);
  close(file);
  unlink(path);
}

static void bad_texts(void **state)
{
  (void)state;
  static const char *const bad[][2] = {
      {"()", ": the graph has no edges"},
      {"(# 1 2)", ": the graph has no edges"},
      {"(1)", ": line 1: expected two vertices, found fewer"},
      {"(1 2;3)", ": line 2: expected two vertices, found fewer"},
      {"(0 1)", ": line 1: '0' is not a vertex; expected a whole number >= 1"},
      {"(1 -2)", ": line 1: '-2' is not a vertex; expected a whole number >= 1"},
      {"(1 2.5)", ": line 1: '2.5' is not a vertex; expected a whole number >= 1"},
      {"(1 2e12)", ": line 1: vertex 2e12 is above the limit, 1000000000000"},
      {"(1 99999999999999999999)", ": line 1: vertex 99999999999999999999 is above the limit, 1000000000000"},
      {"(1 2 x)", ": line 1: 'x' is not a finite number"},
      {"(1 2 inf)", ": line 1: 'inf' is not a finite number"},
      {"(1 2 -1)", ": line 1: capacity -1: expected 0 or a number in [1e-100, 1e+100]"},
      {"(1 2 1e-200)", ": line 1: capacity 1e-200: expected 0 or a number in [1e-100, 1e+100]"},
      {"(1 2 3 4)", ": line 1: expected the end of the line, found '4'"},
      {"(p)", ": line 1: 'p ' is not a kind of graph; expected sp, asn, max, min, edge or col"},
      {"(p tsp 3 4)", ": line 1: 'p tsp' is not a kind of graph; expected sp, asn, max, min, edge or col"},
      {"(p sp 3)", ": line 1: expected the number of vertices and the number of edges after 'p sp'"},
      {"(p sp 3 x)", ": line 1: expected the number of vertices and the number of edges after 'p sp'"},
      {"(p sp 3 1 1)", ": line 1: expected the number of vertices and the number of edges after 'p sp'"},
      {"(p sp 3 1;a 1 4 1)", ": line 2: vertex 4 is not in 1 .. 3"},
      {"(p sp 3 1;a 1 2)", ": line 2: expected more numbers after the two vertices"},
      {"(p sp 3 1;a 1)", ": line 2: expected two vertices, found fewer"},
      {"(p edge 3 1;e 1 2 3)", ": line 2: expected the end of the line, found '3'"},
      {"(p sp 3 1;e 1 2)", ": line 2: 'e' cannot begin a line of a graph 'p sp'"},
      {"(p min 3 1;a 1 2 1 2 3)", ": line 2: found a lower bound of 1; only 0 is supported"},
      {"(p sp 3 2;a 1 2 1)", ": the graph announces 2 edges, but has 1"},
      {"(p sp 3 1;p sp 3 1;a 1 2 1)", ": line 2: 'p' cannot begin a line of a graph 'p sp'"},
      {"(1 2;p sp 3 1)", ": line 2: 'p' is not a vertex; expected a whole number >= 1"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char tail[TEXT];
    say(tail, ":graph=%s", bad[i][0]);
    misused("matchings", tail, bad[i][1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edge_lists), cmocka_unit_test(dimacs),    cmocka_unit_test(files),
      cmocka_unit_test(content),    cmocka_unit_test(bad_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
