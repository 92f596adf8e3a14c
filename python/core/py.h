/* py.h — shared by the files of the extension module: its types, its errors, and feedback as C reads it */
#pragma once

#pragma GCC diagnostic ignored "-Wpedantic" /* a slot of a type holds a function as void * */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000 /* one build for Python 3.11 and later */
#include <Python.h>

#include <ofw/learner.h>
#include <ofw/own.h>
#include <ofw/run.h>

/* ---- errors: ofw.Error and a class per status ---- */
int py_errors_add(PyObject *module);
PyObject *py_raise(ofw_status status, const char *message); /* always NULL; an exception of a callback stays */
PyObject *py_raise_error(const ofw_error *err);
int py_refuse(const char *format, ...); /* ofw.UsageError; always -1 */

/* ---- domains ---- */
typedef struct py_domain {
  PyObject ob_base;
  ofw_domain *K; /* NULL: not made yet */
  size_t dim, rows, cols;
} py_domain;
extern PyTypeObject *py_domain_type;
int py_domain_add(PyObject *module);
py_domain *py_domain_made(PyObject *object); /* one that is made; NULL: an exception is set */

/* ---- learners ----
 * The core runs without the interpreter's lock, so a learner that is at work is marked: another thread, or a callback, that
 * asks for it meanwhile is refused. While a Python stream or watcher runs inside a play the learner is lent to that thread,
 * which may read it. */
typedef struct py_learner {
  PyObject ob_base;
  ofw_learner *l; /* NULL: closed, or not made yet */
  PyObject *domain;
  size_t dim, rows, cols;
  int bandit;
  int delays; /* every decide is a round of its own */
  int busy, lent;
  unsigned long owner; /* the thread at work */
  uint64_t moves;      /* counts what ends the life of a decision */
  PyObject *name;      /* of a method in Python; NULL: the method is the core's */
  ofw_own *me;         /* while such a method observes */
} py_learner;
extern PyTypeObject *py_learner_type;
int py_learner_add(PyObject *module);
int py_learner_may_read(const py_learner *self);
int py_learner_begin(py_learner *self); /* marks it as at work; -1: an exception is set */
void py_learner_end(py_learner *self);

/* ---- methods written in Python ---- */
ofw_learner *py_own_create(py_learner *self, PyObject *method, const ofw_domain *K,
                           const ofw_learner_settings *settings,
                           ofw_error *err);                /* NULL: err is set, or an exception */
PyObject *py_own_minimise(PyObject *self, PyObject *args); /* (d, v, tolerance) */
PyObject *py_own_project(PyObject *self, PyObject *args);  /* (y, x, unused) */

/* ---- points: a decision on loan from its learner ---- */
int py_point_add(PyObject *module);
PyObject *py_point_new(py_learner *learner, const ofw_point *x);

/* ---- feedback as Python gives it ---- */
typedef struct py_gradient {
  ofw_sum sum; /* of `one`, or of `many` */
  ofw_vec one, *many;
  Py_buffer view[2];
  int views;
} py_gradient;

/* The constraints of a round: one, or several. */
typedef struct py_limits {
  size_t count;
  const double *constraint; /* `value`, or `values` */
  const ofw_sum *gradient;  /* `sum`, or `sums` */
  double value, *values;
  ofw_sum sum, *sums;
  py_gradient first, *gradients;
} py_limits;

typedef struct py_feedback {
  ofw_full full;
  ofw_hint hint; /* its size is 0: nothing is told of the coming round */
  py_gradient loss_gradient;
  py_limits now, next;
} py_feedback;

/* What a round may reveal, in the order of the arguments of observe. */
enum { PY_LOSS, PY_GRADIENT, PY_CONSTRAINT, PY_CONSTRAINT_GRADIENT, PY_NEXT, PY_NEXT_GRADIENT, PY_FIELDS };
extern const char *const py_field_names[PY_FIELDS];

/* ofw.gradients.terms, which reads every form that is not a plain array of doubles, and .places, which reads arrays of indices */
extern PyObject *py_forms, *py_places;

/* A gradient of that shape (cols = 1: a vector); -1: an exception is set and nothing is kept. */
int py_gradient_read(PyObject *from, size_t rows, size_t cols, py_gradient *out);
void py_gradient_free(py_gradient *gradient);
/* All but the loss may be None. */
int py_feedback_read(PyObject *const given[PY_FIELDS], const py_learner *learner, py_feedback *out);
void py_feedback_free(py_feedback *feedback);

/* A buffer of `count` doubles, C-contiguous; -1: an exception is set. */
int py_doubles(PyObject *from, size_t count, int writable, const char *what, Py_buffer *out);
/* An array of the shape; cols = 1: a vector. */
PyObject *py_new_array(size_t rows, size_t cols);
extern PyObject *py_numpy_empty;

/* ---- streams, plays ---- */
int py_stream_add(PyObject *module);
int py_play_add(PyObject *module);

typedef struct py_stream {
  PyObject ob_base;
  ofw_stream *s;
  PyObject *domain;
  py_learner *playing;  /* whom the rounds are for; borrowed during a play */
  py_feedback feedback; /* of the last round, as long as the core may read it */
  int ended;
} py_stream;
extern PyTypeObject *py_stream_type;

int py_add_type(PyObject *module, PyType_Spec *spec, const char *name, PyTypeObject **out);
