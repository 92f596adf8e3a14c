/* test_constraints.c — polytopes as they are written: lines of text and MPS, what they come to, and what is refused where */
#include "unit/domain/polytope_check.h"

#include "domain/polytope/constraints.h"

/* The lines, read. */
static ofw_constraints read_lines(const char *text)
{
  ofw_constraints c;
  ofw_error err = {0};
  if (ofw_constraints_read("polytope", text, NULL, &c, &err) != OFW_OK)
    fail_msg("%s: %s", text, err.message);
  return c;
}

/* One row, its terms and its sides. */
static void is_row(const char *text, size_t terms, const ofw_term *term, double low, double high)
{
  ofw_constraints c = read_lines(text);
  assert_int_equal(c.rows, 1);
  assert_int_equal(c.terms, terms);
  for (size_t k = 0; k < terms; k++)
    assert_true(c.term[k].index == term[k].index && c.term[k].value == term[k].value);
  assert_true(c.row_low[0] == low && c.row_high[0] == high);
  ofw_constraints_free(&c);
}

static void rows_of_text(void **state)
{
  (void)state;
  const double none = OFW_NO_BOUND;
  const ofw_term two[] = {{0, 3.0}, {1, -2.0}}, three[] = {{0, 3.0}, {1, -2.0}, {4, 1.0}};
  is_row("(3 x1 - 2 x2 + x5 <= 4)", 3, three, -none, 4.0);
  is_row("(3x1-2x2+x5<=4)", 3, three, -none, 4.0);
  is_row("( + 3 * x1 - 2*x2 + x5 >= -4e0 )", 3, three, -4.0, none);
  is_row("(3x1-2x2=.5)", 2, two, 0.5, 0.5);
  is_row("(-x2 + 3 x1 - 1 x2 = 5e-1)", 2, two, 0.5, 0.5);
  is_row("(3x1 + 7 <= 2x2 + 4)", 2, two, -none, -3.0);
  is_row("(0 >= 3x1 - 2x2)", 2, (ofw_term[]){{0, -3.0}, {1, 2.0}}, 0.0, none);
  is_row("(-1 <= 3x1-2x2 <= 1E1)", 2, two, -1.0, 10.0);
  is_row("(2 - 4 <= 3x1 + 1 - 2x2 <= 1)", 2, two, -3.0, 0.0);
  is_row("(10 >= 3x1-2x2 >= -1)", 2, two, -1.0, 10.0);
  is_row("(# a comment;;dim 2 # so many; 3x1 - 2x2 <= 1 # why;x1>=0)", 2, two, -none, 1.0);
}

static void is_bounded(const char *text, size_t dim, const double *low, const double *high)
{
  ofw_constraints c = read_lines(text);
  assert_true(c.rows == 0 && c.terms == 0);
  assert_int_equal(c.dim, dim);
  for (size_t j = 0; j < dim; j++)
    assert_true(c.low[j] == low[j] && c.high[j] == high[j]);
  ofw_constraints_free(&c);
}

static void one_coordinate_is_a_bound(void **state)
{
  (void)state;
  const double none = OFW_NO_BOUND;
  is_bounded("(x1>=0)", 1, (double[]){0.0}, (double[]){none});
  is_bounded("(dim 3;-2 x2 >= 4)", 3, (double[]){-none, -none, -none}, (double[]){none, -2.0, none});
  is_bounded("(0<=x1<=3;x1<=2;x1>=1;0>=-2x1)", 1, (double[]){1.0}, (double[]){2.0});
  is_bounded("(x1 + x2 - x2 = 3;x2 = 1)", 2, (double[]){3.0, 1.0}, (double[]){3.0, 1.0});
  is_bounded("(x1 = 3;0 <= 1;x1 - x1 >= -1)", 1, (double[]){3.0}, (double[]){3.0});
  is_bounded("(2 <= -x1 <= 3)", 1, (double[]){-3.0}, (double[]){-2.0});
}

static void bad_lines(void **state)
{
  (void)state;
  static const char *const slip[][2] = {
      {"()", ": rows names no coordinate"},
      {"(#x1<=2)", ": rows names no coordinate"},
      {"(0<=1)", ": rows names no coordinate"},
      {"(x1)", ": line 1: expected <=, >= or =, found the end of the line"},
      {"(x1<2)", ": line 1: expected <=, >= or =, found '<2'"},
      {"(x1<=)", ": line 1: expected a number or a coordinate, found the end of the line"},
      {"(x1<=1;x1 2<=3)", ": line 2: expected <=, >= or =, found '2<=3'"},
      {"(x1 x2<=3)", ": line 1: expected <=, >= or =, found 'x2<=3'"},
      {"(x1 + + x2<=3)", ": line 1: expected a number or a coordinate, found '+ x2<=3'"},
      {"(y1<=3)", ": line 1: expected a number or a coordinate, found 'y1<=3'"},
      {"(x<=3)", ": line 1: expected a coordinate such as x1, found 'x<=3'"},
      {"(3*4<=3)", ": line 1: expected a coordinate, found '4<=3'"},
      {"(x0<=3)", ": line 1: there is no x0; coordinates are x1, x2, .."},
      {"(x4097<=3)", ": line 1: more than 4096 coordinates"},
      {"(x99999999999999999999<=3)", ": line 1: more than 4096 coordinates"},
      {"(1.2.3 x1<=3)", ": line 1: '1.2.3' is not a finite number"},
      {"(1e999 x1<=3)", ": line 1: '1e999' is not a finite number"},
      {"(1e31 x1<=3)", ": line 1: the number 1e+31: expected 0, or a size between 1e-30 and 1e+30"},
      {"(1e-31 x1<=3)", ": line 1: the number 1e-31: expected 0, or a size between 1e-30 and 1e+30"},
      {"(1e30 x1 + 1e30 x1 + x2<=3)", ": line 1: the number 2e+30: expected 0, or a size between 1e-30 and 1e+30"},
      {"(1<=x1<=2<=3)", ": line 1: expected the end of the line, found '<=3'"},
      {"(1<=x1>=2)", ": line 1: expected a range with <= twice or >= twice"},
      {"(1=x1=2)", ": line 1: expected a range with <= twice or >= twice"},
      {"(x1<=x2<=2)", ": line 1: expected coordinates only in the middle of a range"},
      {"(1<=x2<=x1)", ": line 1: expected coordinates only in the middle of a range"},
      {"(2<=x1+x2<=1)", ": line 1: no point satisfies this constraint"},
      {"(3<=2)", ": line 1: no point satisfies this constraint"},
      {"(x1<=1;x1>=2)", ": line 2: x1 is at least 2 and at most 1: there is no such point"},
      {"(dim 2;dim 2)", ": line 2: dim is given twice"},
      {"(dim 0)", ": line 1: dim '0' is not a whole number from 1 to 4096"},
      {"(dim 5000)", ": line 1: dim '5000' is not a whole number from 1 to 4096"},
      {"(dim x)", ": line 1: dim 'x' is not a whole number from 1 to 4096"},
      {"(dim 2;x3<=1)", ": line 2: x3 is above the dimension, 2"},
      {"(x3<=1;dim 2)", ": line 2: x3 is above the dimension, 2"},
  };
  for (size_t k = 0; k < sizeof slip / sizeof *slip; k++) {
    char tail[TEXT];
    say(tail, ":rows=%s", slip[k][0]);
    misused("polytope", tail, slip[k][1]);
  }
}

/* ---- MPS ---- */

static void write_file(char path[40], const char *suffix, const char *text)
{
  snprintf(path, 40, "/tmp/ofw-mps-XXXXXX%s", suffix);
  int file = mkstemps(path, (int)strlen(suffix));
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  close(file);
}

static const char free_mps[] =
    "* an example\nNAME test FREE\nROWS\n N cost\n L lim1\n G lim2\n E myeqn\n L rng\nCOLUMNS\n"
    " x1 cost 1 lim1 1\n x1 lim2 1 rng 1\n x2 cost 2 lim1 1\n x2 myeqn -1\n x3 cost -1 myeqn 1\n"
    " x3 rng 2\nRHS\n rhs cost 5\n rhs lim1 4 lim2 1\n rhs myeqn 7 rng 30\nRANGES\n r rng 25\n"
    "BOUNDS\n UP b x1 4\n LO b x2 -1\n UP b x2 1\n FR b x3\nENDATA\nwhatever follows\n";
static const char fixed_mps[] =
    "NAME          TESTPROB\r\nROWS\r\n N  COST\r\n L  LIM1\r\n G  LIM2\r\n E  MYEQN\r\n L  RNG\r\nCOLUMNS\r\n"
    "    XONE      COST         1.0   LIM1         1.0\r\n    XONE      LIM2         1.0   RNG          1.0\r\n"
    "    YTWO      COST         2.0   LIM1         1.0\r\n    YTWO      MYEQN       -1.0\r\n"
    "    ZTHREE    COST        -1.0   MYEQN        1.0\r\n    ZTHREE    RNG          2.0\r\n"
    "RHS\r\n    RHS1      LIM1         4.0   LIM2         1.0\r\n    RHS1      MYEQN        7.0   RNG         30.0\r\n"
    "RANGES\r\n    RNG1      RNG         25.0\r\nBOUNDS\r\n UP BND1      XONE         4.0\r\n LO BND1      YTWO        "
    "-1.0\r\n"
    " UP BND1      YTWO         1.0\r\n FR BND1      ZTHREE\r\nENDATA\r\n";
/* without the names of sets, which free MPS may leave out; told by the file's name */
static const char bare_mps[] =
    "ROWS\n N cost\n L lim1\n G lim2\n E myeqn\n L rng\nCOLUMNS\n x1 lim1 1 lim2 1\n x1 rng 1\n"
    " x2 lim1 1 myeqn -1\n x3 myeqn 1 rng 2\nRHS\n lim1 4 lim2 1\n myeqn 7 rng 30\nRANGES\n"
    " rng 25\nBOUNDS\n UP x1 4\n LO x2 -1\n UP x2 1\n FR x3\nENDATA\n";

/* What these three say, as text. */
static const char as_text[] = "polytope:rows=(x1+x2<=4;x1>=1;x3-x2=7;5<=x1+2x3<=30;0<=x1<=4;-1<=x2<=1)";

static void mps_says_the_same(void **state)
{
  (void)state;
  const char *const text[] = {free_mps, fixed_mps, bare_mps}, *const suffix[] = {"", "", ".mps"};
  ofw_domain *K = domain_of(as_text);
  chance c = {31};
  for (size_t k = 0; k < 3; k++) {
    char path[40], spec[TEXT];
    write_file(path, suffix[k], text[k]);
    say(spec, "polytope:rows=@%s", path);
    ofw_domain *L = domain_of(spec);
    assert_int_equal(L->dim, 3);
    assert_true(L->R == K->R && L->r == K->r && L->normals == 1);
    assert_true(L->content != 0);
    for (int t = 0; t < 200; t++) {
      double d[3], v[3], w[3];
      chance_normals(&c, 3, d);
      assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, NULL, NULL), OFW_OK);
      assert_int_equal(ofw_domain_minimise(L, d, 1e-9, w, NULL, NULL), OFW_OK);
      assert_memory_equal(v, w, sizeof v);
    }
    unlink(path);
    ofw_domain_free(L);
  }
  ofw_domain_free(K);
}

/* As CLP's own reader has them. */
static void mps_as_clp_reads_it(void **state)
{
  (void)state;
  const char *const text[] = {free_mps, fixed_mps};
  for (size_t k = 0; k < 2; k++) {
    char path[40], at[48];
    write_file(path, ".mps", text[k]);
    snprintf(at, sizeof at, "@%s", path);
    uint32_t content = 0;
    ofw_constraints c;
    assert_int_equal(ofw_constraints_read("polytope", at, &content, &c, NULL), OFW_OK);
    Clp_Simplex *model = Clp_newModel();
    Clp_setLogLevel(model, 0);
    assert_int_equal(Clp_readMps(model, path, 1, 0), 0);
    assert_int_equal(Clp_numberColumns(model), c.dim);
    double low[3] = {1.0, -1.0, -OFW_NO_BOUND}; /* with lim2, which is a row there and a bound here */
    for (size_t j = 0; j < 3; j++) {
      assert_true(c.low[j] == (j ? Clp_columnLower(model)[j] : low[j]));
      assert_true(c.high[j] == Clp_columnUpper(model)[j]);
    }
    assert_int_equal(Clp_numberRows(model), c.rows + 1);
    for (size_t i = 0; i < c.rows; i++) {
      size_t there = i ? i + 1 : 0;
      assert_true(c.row_low[i] == Clp_rowLower(model)[there] && c.row_high[i] == Clp_rowUpper(model)[there]);
    }
    Clp_deleteModel(model);
    ofw_constraints_free(&c);
    unlink(path);
  }
}

static void bounds_and_ranges_of_mps(void **state)
{
  (void)state;
  const double none = OFW_NO_BOUND;
  ofw_constraints c =
      read_lines("(ROWS;N o;L a;G b;E c;E d;COLUMNS;x o 1 a 1;x b 1 c 1;x d 1;y a 1 b 1;y c 1 d 1;z a 1 b 1;"
                 "RHS;r a 1 b 2;r c 3 d 4;RANGES;r a -5 b 5;r c -5 d 5;BOUNDS;MI b x;PL b x;FX b y 2;"
                 "UP b z 1e30;ENDATA)");
  assert_true(c.dim == 3 && c.rows == 4);
  assert_true(c.row_low[0] == -4.0 && c.row_high[0] == 1.0 && c.row_low[1] == 2.0 && c.row_high[1] == 7.0);
  assert_true(c.row_low[2] == -2.0 && c.row_high[2] == 3.0 && c.row_low[3] == 4.0 && c.row_high[3] == 9.0);
  assert_true(c.low[0] == -none && c.high[0] == none && c.low[1] == 2.0 && c.high[1] == 2.0);
  assert_true(c.low[2] == 0.0 && c.high[2] == none);
  ofw_constraints_free(&c);
}

static void bad_mps(void **state)
{
  (void)state;
  static const char *const slip[][2] = {
      {"ROWS\n", ":1: the file ends without ENDATA"},
      {"ROWS\nCOLUMNS\nROWS\n", ":3: section ROWS is in the wrong place"},
      {"ROWS\nRHS\n", ":2: section RHS is in the wrong place"},
      {"NAME\nENDATA\n", ":2: section ENDATA is in the wrong place"},
      {"NAME\nSOS\n", ":2: 'SOS' is not a section of MPS"},
      {"ROWS\n X r\n", ":2: expected a row: a type (N, L, G or E) and a name"},
      {"ROWS\n L r\n G r\n", ":3: row 'r' appears twice"},
      {"ROWS\n L r\nCOLUMNS\n x q 1\n", ":4: there is no row 'q'"},
      {"ROWS\n L r\nCOLUMNS\n x r\n", ":4: expected a column's name and one or two pairs of a row and a number"},
      {"ROWS\n L r\nCOLUMNS\n x r one\n", ":4: 'one' is not a finite number"},
      {"ROWS\n L r\nCOLUMNS\n x r 1e40\n", ":4: the number 1e+40: expected 0, or a size between 1e-30 and 1e+30"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\n x r 2\n", ":5: column 'x' is in row 'r' twice"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\n y r 2\n x r 3\n",
       ":6: column 'x' appears again after another column; put its lines together"},
      {"ROWS\n L r\nCOLUMNS\n M1 'MARKER' 'INTORG'\n",
       ":4: integer columns are not supported; remove the markers to get the relaxation"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\nRHS\n b\n", ":6: expected a name and one or two pairs of a row and a number"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\nRHS\n b r x\n", ":6: 'x' is not a finite number"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\nBOUNDS\n BV b x\n",
       ":6: unknown type of bound 'BV'; expected UP, LO, FX, FR, MI or PL"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\nBOUNDS\n UP b x\n", ":6: there is no column 'b'"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\nBOUNDS\n UP b\n", ":6: expected a bound: a type, a name, a column, and a number"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\nBOUNDS\n FR\n", ":6: expected a bound: a type, a name, a column"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\nBOUNDS\n UP b y 1\n", ":6: there is no column 'y'"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\nBOUNDS\n UP b x -1\nENDATA\n",
       ":7: column 'x' is at most -1, below its default lower bound 0; give it LO or MI"},
      {"ROWS\n L r\nCOLUMNS\n x r 1\nBOUNDS\n LO b x 2\n UP b x 1\nENDATA\n",
       ":8: column 'x' is at least 2 and at most 1: there is no such point"},
      {"ROWS\n L r\nCOLUMNS\n x r 1 r 2 r 3\n", ":4: more than 6 words"},
  };
  for (size_t k = 0; k < sizeof slip / sizeof *slip; k++) {
    char path[40], spec[TEXT], words[TEXT];
    write_file(path, ".mps", slip[k][0]);
    say(spec, "polytope:rows=@%s", path);
    say(words, "%s%s", path, slip[k][1]);
    refused(spec, OFW_BAD_DATA, words);
    unlink(path);
  }
}

/* Many names, so that the tables grow; every column is where its number says. */
static void many_names(void **state)
{
  (void)state;
  enum { N = 3000 };
  char path[] = "/tmp/ofw-mps-XXXXXX", at[48];
  int file = mkstemp(path);
  FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
  assert_non_null(out);
  fprintf(out, "NAME\nROWS\n");
  for (int i = 0; i < N; i++)
    fprintf(out, " L row%d\n", i);
  fprintf(out, "COLUMNS\n");
  for (int j = 0; j < N; j++)
    fprintf(out, " c%d row%d 1 row%d %d\n", j, j, (j + 1) % N, j + 2);
  fprintf(out, "RHS\n");
  for (int i = N; i-- > 0;)
    fprintf(out, " r row%d %d\n", i, i + 1);
  fprintf(out, "BOUNDS\n");
  for (int j = N; j-- > 0;)
    fprintf(out, " UP b c%d %d\n", j, j + 5);
  fprintf(out, "ENDATA\n");
  assert_int_equal(fclose(out), 0);
  snprintf(at, sizeof at, "@%s", path);
  uint32_t content = 0;
  ofw_constraints c;
  assert_int_equal(ofw_constraints_read("polytope", at, &content, &c, NULL), OFW_OK);
  assert_true(c.dim == N && c.rows == N && c.terms == 2 * N);
  for (size_t i = 0; i < N; i++) {
    const ofw_term *term = c.term + 2 * i;
    size_t other = (i + N - 1) % N;
    assert_true(c.end[i] == 2 * i + 2 && c.row_high[i] == (double)(i + 1) && c.low[i] == 0.0);
    assert_true(c.high[i] == (double)(i + 5));
    for (size_t k = 0; k < 2; k++)
      assert_true(term[k].index == i ? term[k].value == 1.0
                                     : term[k].index == other && term[k].value == (double)(other + 2));
    assert_true(term[0].index < term[1].index);
  }
  ofw_constraints_free(&c);
  unlink(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_text),
      cmocka_unit_test(one_coordinate_is_a_bound),
      cmocka_unit_test(bad_lines),
      cmocka_unit_test(mps_says_the_same),
      cmocka_unit_test(mps_as_clp_reads_it),
      cmocka_unit_test(bounds_and_ranges_of_mps),
      cmocka_unit_test(bad_mps),
      cmocka_unit_test(many_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
