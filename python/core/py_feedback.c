/* py_feedback.c — feedback as Python gives it, read into what the library takes
 *
 * A C-contiguous array of doubles is read in place. Every other form (lists, other dtypes, scipy.sparse, pairs) goes through
 * ofw.gradients.terms, which gives a list of (kind, array[, array]).
 */
#include "py.h"

#include <string.h>

enum { DENSE, SPARSE, RANK_ONE }; /* the kinds of ofw.gradients */

void py_gradient_free(py_gradient *gradient)
{
  for (int i = 0; i < gradient->views; i++)
    PyBuffer_Release(&gradient->view[i]);
  PyMem_Free(gradient->many);
  *gradient = (py_gradient){0};
}

static int has_shape(const Py_buffer *view, size_t rows, size_t cols)
{
  if (view->ndim == 1)
    return (size_t)view->shape[0] == rows * cols;
  return view->ndim == 2 && cols != 1 && (size_t)view->shape[0] == rows && (size_t)view->shape[1] == cols;
}

/* 1: it is such an array; 0: it is not. */
static int read_plain(PyObject *from, size_t rows, size_t cols, py_gradient *out)
{
  if (PyObject_GetBuffer(from, &out->view[0], PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
    PyErr_Clear();
    return 0;
  }
  const Py_buffer *view = &out->view[0];
  if (!view->format || strcmp(view->format, "d") != 0 || !has_shape(view, rows, cols)) {
    PyBuffer_Release(&out->view[0]);
    return 0;
  }
  out->views = 1;
  out->one = ofw_vec_dense(rows * cols, view->buf);
  out->sum = (ofw_sum){1, &out->one};
  return 1;
}

/* The next array of a term, kept until the gradient is freed. */
static const Py_buffer *next_array(PyObject *term, py_gradient *out)
{
  PyObject *array = PyTuple_GetItem(term, out->views + 1);
  if (!array || PyObject_GetBuffer(array, &out->view[out->views], PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0)
    return NULL;
  return &out->view[out->views++];
}

static int read_sparse(PyObject *term, py_gradient *out)
{
  const Py_buffer *index = next_array(term, out), *value = index ? next_array(term, out) : NULL;
  if (!value)
    return -1;
  out->one = ofw_vec_sparse((size_t)value->len / sizeof(double), index->buf, value->buf);
  out->sum = (ofw_sum){1, &out->one};
  return 0;
}

/* k rows of u and of v: the sum of their k outer products. */
static int read_rank_one(PyObject *term, size_t rows, size_t cols, py_gradient *out)
{
  const Py_buffer *u = next_array(term, out), *v = u ? next_array(term, out) : NULL;
  if (!v)
    return -1;
  size_t count = (size_t)u->shape[0];
  out->many = PyMem_Calloc(count ? count : 1, sizeof *out->many);
  if (!out->many) {
    PyErr_NoMemory();
    return -1;
  }
  for (size_t k = 0; k < count; k++)
    out->many[k] = ofw_vec_rank_one(rows, cols, (const double *)u->buf + k * rows, (const double *)v->buf + k * cols);
  out->sum = (ofw_sum){count, out->many};
  return 0;
}

static int read_term(PyObject *term, size_t rows, size_t cols, py_gradient *out)
{
  PyObject *kind = PyTuple_GetItem(term, 0);
  switch (kind ? PyLong_AsLong(kind) : -1) {
  case DENSE: {
    PyObject *array = PyTuple_GetItem(term, 1);
    return array && read_plain(array, rows, cols, out)
               ? 0
               : py_refuse("gradient: expected an array, a scipy.sparse matrix or a pair, found something else");
  }
  case SPARSE:
    return read_sparse(term, out);
  case RANK_ONE:
    return read_rank_one(term, rows, cols, out);
  default:
    return -1;
  }
}

int py_gradient_read(PyObject *from, size_t rows, size_t cols, py_gradient *out)
{
  *out = (py_gradient){0};
  if (!PyTuple_Check(from) && read_plain(from, rows, cols, out))
    return 0;
  PyObject *term = py_forms ? PyObject_CallFunction(py_forms, "Onn", from, (Py_ssize_t)rows, (Py_ssize_t)cols) : NULL;
  int st = term ? read_term(term, rows, cols, out) : -1;
  Py_XDECREF(term);
  if (st < 0)
    py_gradient_free(out);
  return st;
}

const char *const py_field_names[PY_FIELDS] = {
    "loss", "gradient", "constraint", "constraint_gradient", "next_constraint", "next_constraint_gradient"};

static void free_limits(py_limits *limits)
{
  py_gradient_free(&limits->first);
  for (size_t i = 0; limits->gradients && i < limits->count; i++)
    py_gradient_free(&limits->gradients[i]);
  PyMem_Free(limits->values);
  PyMem_Free(limits->gradients);
  PyMem_Free(limits->sums);
  *limits = (py_limits){0};
}

void py_feedback_free(py_feedback *fb)
{
  py_gradient_free(&fb->loss_gradient);
  free_limits(&fb->now);
  free_limits(&fb->next);
  fb->full = (ofw_full){0};
  fb->hint = (ofw_hint){0};
}

static int read_number(PyObject *from, const char *what, double *out)
{
  *out = PyFloat_AsDouble(from);
  if (*out == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    return py_refuse("%s: expected a number, found %R", what, from);
  }
  return 0;
}

/* `what` of the fields is read here and below, with the gradient that comes after it. */
static int read_single(PyObject *const given[PY_FIELDS], int what, const py_learner *learner, py_limits *out)
{
  PyObject *gradient = given[what + 1];
  if (read_number(given[what], py_field_names[what], &out->value) < 0)
    return -1;
  if (gradient == Py_None && !learner->bandit) /* also if it is kept: a budget counts that too */
    return py_refuse("%s is missing: a constraint needs its gradient", py_field_names[what + 1]);
  if (gradient != Py_None && py_gradient_read(gradient, learner->rows, learner->cols, &out->first) < 0)
    return -1;
  out->sum = out->first.sum;
  out->constraint = &out->value;
  out->gradient = &out->sum;
  out->count = 1;
  return 0;
}

static int read_item(PyObject *const given[PY_FIELDS], int what, Py_ssize_t i, const py_learner *learner,
                     py_limits *out)
{
  int has = given[what + 1] != Py_None;
  PyObject *value = PySequence_GetItem(given[what], i), *gradient = has ? PySequence_GetItem(given[what + 1], i) : NULL;
  int st = value && (gradient || !has) ? read_number(value, py_field_names[what], &out->values[i]) : -1;
  if (st == 0 && gradient)
    st = py_gradient_read(gradient, learner->rows, learner->cols, &out->gradients[i]);
  if (st == 0)
    out->sums[i] = out->gradients[i].sum;
  Py_XDECREF(value);
  Py_XDECREF(gradient);
  return st;
}

static int read_several(PyObject *const given[PY_FIELDS], int what, const py_learner *learner, py_limits *out)
{
  const char *name = py_field_names[what], *of_gradient = py_field_names[what + 1];
  PyObject *values = given[what], *gradients = given[what + 1];
  Py_ssize_t n = PySequence_Size(values);
  if (n < 0 || PyUnicode_Check(values)) {
    PyErr_Clear();
    return py_refuse("%s: expected a number or a list of numbers, found %R", name, values);
  }
  if (gradients == Py_None && !learner->bandit && n > 0)
    return py_refuse("%s is missing: %zd constraints need as many gradients", of_gradient, n);
  if (gradients != Py_None && (!PySequence_Check(gradients) || PySequence_Size(gradients) != n)) {
    PyErr_Clear();
    return py_refuse("%s: expected a list of %zd gradients, one per constraint", of_gradient, n);
  }
  out->values = PyMem_Calloc((size_t)n + 1, sizeof *out->values);
  out->gradients = PyMem_Calloc((size_t)n + 1, sizeof *out->gradients);
  out->sums = PyMem_Calloc((size_t)n + 1, sizeof *out->sums);
  if (!out->values || !out->gradients || !out->sums) {
    PyErr_NoMemory();
    return -1;
  }
  out->count = (size_t)n; /* from here on free_limits sees them */
  out->constraint = out->values;
  out->gradient = out->sums;
  for (Py_ssize_t i = 0; i < n; i++)
    if (read_item(given, what, i, learner, out) < 0)
      return -1;
  return 0;
}

/* One number, also as an array without an axis. */
static int is_number(PyObject *value)
{
  return PyFloat_Check(value) || PyLong_Check(value) || !PySequence_Check(value) || PySequence_Size(value) < 0;
}

static int read_limits(PyObject *const given[PY_FIELDS], int what, const py_learner *learner, py_limits *out)
{
  if (given[what] == Py_None)
    return given[what + 1] == Py_None ? 0 : py_refuse("%s is missing, but its gradient is given", py_field_names[what]);
  int single = is_number(given[what]);
  PyErr_Clear(); /* of a size that is not there */
  return single ? read_single(given, what, learner, out) : read_several(given, what, learner, out);
}

static int read_all(PyObject *const given[PY_FIELDS], const py_learner *learner, py_feedback *fb)
{
  PyObject *gradient = given[PY_GRADIENT];
  if (read_number(given[PY_LOSS], "loss", &fb->full.values.loss) < 0)
    return -1;
  if (gradient != Py_None && py_gradient_read(gradient, learner->rows, learner->cols, &fb->loss_gradient) < 0)
    return -1;
  if (gradient == Py_None && given[PY_CONSTRAINT_GRADIENT] != Py_None && !learner->bandit)
    return py_refuse("gradient is missing, but constraint_gradient is given");
  if (read_limits(given, PY_CONSTRAINT, learner, &fb->now) < 0 || read_limits(given, PY_NEXT, learner, &fb->next) < 0)
    return -1;
  fb->full.loss_gradient = fb->loss_gradient.sum;
  fb->full.values.constraints = fb->now.count;
  fb->full.values.constraint = fb->now.constraint;
  fb->full.constraint_gradient = fb->now.gradient;
  if (given[PY_NEXT] != Py_None)
    fb->hint = (ofw_hint){sizeof fb->hint, fb->next.count, fb->next.constraint, fb->next.gradient};
  return 0;
}

int py_feedback_read(PyObject *const given[PY_FIELDS], const py_learner *learner, py_feedback *out)
{
  int st = read_all(given, learner, out);
  if (st < 0)
    py_feedback_free(out);
  return st;
}
