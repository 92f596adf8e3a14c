/* callers.c — one direction's top singular pair by ofw and each peer, timed, with its residual */
#include "bench/callers.h"

#include "base/basics.h"
#include "bench/peers.h"
#include "bench/python.h"
#include "bench/timing.h"
#include "engine/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const size_t caller_ncv[NCVS] = {4, 6, 8, 10, 12, 20};
enum { EXACT_NCV = 40 };

struct callers {
  const directions *all;
  double tolerance;
  uint64_t seed;
  ofw_domain *K;
  void *work;           /* of ofw's oracle */
  ofw_engine *engine;   /* whose d it is asked about, as a learner asks */
  double *left, *right; /* A v, A' u */
  peer_arpack *arpack;
  peer_python *python;
  FILE *file;           /* the directions, for Python; it has no name, so nothing is left of it */
  volatile double read; /* so that no read is left out */
};

/* ---- opening ---- */

static ofw_status open_ours(callers *c, ofw_error *err)
{
  char spec[96];
  snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu", c->all->rows, c->all->cols);
  c->left = ofw_doubles(c->all->rows);
  c->right = ofw_doubles(c->all->cols);
  c->arpack = peer_arpack_open(c->all->rows, c->all->cols, c->all->cols < EXACT_NCV ? c->all->cols : EXACT_NCV);
  if (!c->left || !c->right || !c->arpack)
    return ofw_fail_memory(err, (c->all->rows + c->all->cols) * sizeof(double));
  c->K = ofw_domain_create(spec, err);
  c->engine = c->K ? ofw_engine_open_dense(c->K, 0, 0, 1, err) : NULL;
  return c->engine ? callers_begin(c, err) : err->status;
}

static ofw_status open_python(callers *c, ofw_error *err)
{
  char tolerance[OFW_REAL_TEXT];
  const char *args[PYTHON_ARGS] = {"/dev/fd/3", ofw_print_real(c->tolerance, tolerance)};
  c->file = tmpfile();
  if (!c->file)
    return ofw_fail(err, OFW_FAILED, "no temporary file for the directions");
  OFW_TRY(directions_write(c->all, c->file, err));
  c->python = peer_python_start("oracle", fileno(c->file), args, err);
  return c->python ? OFW_OK : err->status;
}

callers *callers_open(const directions *all, double tolerance, uint64_t seed, ofw_error *why, ofw_error *err)
{
  if (all->rows < 2 || all->cols < 2) {
    ofw_fail(err, OFW_USAGE, "expected directions that are matrices, found %zu x %zu", all->rows, all->cols);
    return NULL;
  }
  callers *c = calloc(1, sizeof *c);
  if (!c) {
    ofw_fail_memory(err, sizeof *c);
    return NULL;
  }
  *c = (callers){.all = all, .tolerance = tolerance, .seed = seed};
  if (open_ours(c, err) != OFW_OK) {
    callers_close(c);
    return NULL;
  }
  open_python(c, why);
  return c;
}

void callers_close(callers *c)
{
  if (!c)
    return;
  if (c->K && c->work)
    c->K->ops->close(c->work);
  if (c->engine)
    c->engine->ops->close(c->engine);
  ofw_domain_free(c->K);
  free(c->left);
  free(c->right);
  peer_arpack_close(c->arpack);
  peer_python_stop(c->python);
  if (c->file)
    (void)fclose(c->file);
  free(c);
}

/* ARPACK's basis for a caller. */
static size_t ncv_of(int caller)
{
  return caller >= CALL_ARPACK ? caller_ncv[(caller - CALL_ARPACK) % NCVS] : USUAL_NCV;
}

int callers_has(const callers *c, int caller)
{
  if (caller == CALL_SCIPY)
    return c->python != NULL;
  if (caller == CALL_OFW)
    return 1;
  return ncv_of(caller) <= c->all->cols || ncv_of(caller) == caller_ncv[0] || caller == CALL_ARPACK_BLAS;
}

/* ---- calling ---- */

ofw_status callers_begin(callers *c, ofw_error *err)
{
  if (c->K && c->work)
    c->K->ops->close(c->work);
  c->work = NULL;
  return c->K->ops->open(c->K, c->seed, &c->work, err);
}

/* What a pair is worth, by itself and not by what its finder says of it: u' A v, and the residual. */
static void judge(callers *c, const double *d, const double *u, const double *v, called *out)
{
  size_t rows = c->all->rows, cols = c->all->cols;
  double left = 0.0, right = 0.0, value = 0.0;
  memset(c->right, 0, cols * sizeof *c->right);
  for (size_t i = 0; i < rows; i++) {
    c->left[i] = 0.0;
    for (size_t j = 0; j < cols; j++) {
      c->left[i] += d[i * cols + j] * v[j];
      c->right[j] += d[i * cols + j] * u[i];
    }
    value += u[i] * c->left[i];
  }
  for (size_t i = 0; i < rows; i++)
    left += pow(c->left[i] - value * u[i], 2);
  for (size_t j = 0; j < cols; j++)
    right += pow(c->right[j] - value * v[j], 2);
  out->value = value;
  out->residual = sqrt(fmax(left, right)) / value;
}

static ofw_status call_ofw(callers *c, const double *d, called *out, ofw_error *err)
{
  ofw_vec whole = ofw_vec_dense(c->K->dim, d);
  ofw_answer answer = {0};
  c->engine->ops->pull(c->engine, 0.0, 0.0, 1.0, (ofw_sum){1, &whole});
  ofw_direction direction = *c->engine->ops->direction(c->engine);
  direction.wanted = (ofw_accuracy){c->tolerance, INFINITY, 0};
  double begun = bench_now();
  OFW_TRY(c->K->ops->minimise(c->K, c->work, &direction, &answer, err));
  out->seconds = bench_now() - begun;
  out->passes = (double)answer.passes;
  const ofw_vec *atom = answer.atom.term;
  judge(c, d, atom->as.rank_one.u, atom->as.rank_one.v, out);
  return OFW_OK;
}

static ofw_status call_arpack(callers *c, const double *d, peer_pass pass, size_t ncv, double tolerance, called *out,
                              ofw_error *err)
{
  peer_top top;
  double begun = bench_now();
  if (!peer_arpack_top(c->arpack, d, pass, ncv < c->all->cols ? ncv : c->all->cols, tolerance, &top))
    return ofw_fail(err, OFW_NUMERICAL, "ARPACK did not converge");
  out->seconds = bench_now() - begun;
  out->passes = (double)top.passes;
  judge(c, d, top.u, top.v, out);
  return OFW_OK;
}

static ofw_status call_scipy(callers *c, size_t i, called *out, ofw_error *err)
{
  double answer[3];
  if (!peer_python_ask(c->python, i, 3, answer))
    return ofw_fail(err, OFW_FAILED, "peer_numpy.py gave no answer");
  *out = (called){answer[0], answer[1], NAN, answer[2]};
  return OFW_OK;
}

ofw_status callers_call(callers *c, int caller, size_t i, called *out, ofw_error *err)
{
  const double *d = c->all->at[i];
  if (caller == CALL_SCIPY)
    return call_scipy(c, i, out, err);
  c->read = peer_read(c->all->rows * c->all->cols, d); /* in the cache for all alike, as it is after a learner's step */
  if (caller == CALL_OFW)
    return call_ofw(c, d, out, err);
  return call_arpack(c, d, caller == CALL_ARPACK_BLAS ? peer_blas_pair : peer_fused_pass, ncv_of(caller),
                     caller >= CALL_LAX ? LAXER * c->tolerance : c->tolerance, out, err);
}

ofw_status callers_gesdd(callers *c, size_t i, called *out, ofw_error *err)
{
  peer_top top;
  peer_gesdd *g = peer_gesdd_open(c->all->rows, c->all->cols);
  if (!g)
    return ofw_fail_memory(err, 3 * c->all->rows * c->all->cols * sizeof(double));
  double begun = bench_now();
  int done = peer_gesdd_top(g, c->all->at[i], &top);
  *out = (called){bench_now() - begun, done ? top.value : NAN, NAN, NAN};
  peer_gesdd_close(g);
  return done ? OFW_OK : ofw_fail(err, OFW_NUMERICAL, "dgesdd did not converge");
}

ofw_status callers_exact(callers *c, size_t i, called *out, ofw_error *err)
{
  return call_arpack(c, c->all->at[i], peer_blas_pair, EXACT_NCV, 1e-10, out, err);
}
