/* py_own.c — learners whose method is written in Python: the core calls Learner._start and Learner._step
 *
 * All that such a method remembers between rounds is one array of the core's, so that saving and loading are those of any
 * other learner. Each round copies it out and back.
 */
#include "py.h"

#include <string.h>

/* me->mine */
typedef struct own_memory {
  PyObject *game; /* an ofw.method.Game */
  double *numbers;
  size_t n;
} own_memory;

static PyObject *view(const double *x, size_t n, int flags)
{
  return x ? PyMemoryView_FromMemory((char *)(uintptr_t)x, (Py_ssize_t)(n * sizeof *x), flags) : Py_NewRef(Py_None);
}

static void drop(void *mine)
{
  own_memory *memory = mine;
  PyGILState_STATE lock = PyGILState_Ensure();
  Py_XDECREF(memory->game);
  PyMem_Free(memory);
  PyGILState_Release(lock);
}

/* game.NAME, a number. */
static double number_of(PyObject *game, const char *name)
{
  PyObject *found = PyObject_GetAttrString(game, name);
  double number = found ? PyFloat_AsDouble(found) : 0.0;
  Py_XDECREF(found);
  return number;
}

/* An exception stays set, and the call that led here raises it; the core needs a message all the same. */
static ofw_status raised(ofw_own *me)
{
  return ofw_own_fail(me, OFW_FAILED, "its method in Python raised an exception");
}

/* The first numbers of the memory, as the method's start gave them. */
static int fill(ofw_own *me, own_memory *memory)
{
  Py_buffer first;
  PyObject *flat = PyObject_GetAttrString(memory->game, "_flat");
  int failed = !flat || PyObject_GetBuffer(flat, &first, PyBUF_C_CONTIGUOUS) < 0;
  if (!failed) {
    memory->n = (size_t)first.len / sizeof(double);
    memory->numbers = ofw_own_array(me, "memory", memory->n);
    if (memory->numbers && memory->n > 0)
      memcpy(memory->numbers, first.buf, (size_t)first.len);
    PyBuffer_Release(&first);
  }
  Py_XDECREF(flat);
  me->delta = failed ? 0.0 : number_of(memory->game, "delta");
  return failed || PyErr_Occurred() ? -1 : 0;
}

static ofw_status start(ofw_own *me)
{
  PyGILState_STATE lock = PyGILState_Ensure();
  own_memory *memory = PyMem_Calloc(1, sizeof *memory);
  int failed = !memory;
  if (memory) {
    memory->game = PyObject_CallMethod(me->ctx, "_start", "ddddK", me->horizon, me->lipschitz, me->loss_bound,
                                       me->strong_convexity, (unsigned long long)me->seed);
    me->mine = memory;
    failed = !memory->game || fill(me, memory) < 0;
  } else
    PyErr_NoMemory();
  PyGILState_Release(lock);
  return failed ? raised(me) : OFW_OK;
}

static PyObject *call_step(ofw_own *me, const own_memory *memory, const ofw_own_round *now)
{
  PyObject *x = view(me->x, me->dim, PyBUF_WRITE), *played = view(now->played, me->dim, PyBUF_READ);
  PyObject *numbers = view(memory->n ? memory->numbers : NULL, memory->n, PyBUF_WRITE);
  PyObject *gradient = view(now->loss_gradient, me->dim, PyBUF_READ);
  PyObject *limit = view(now->constraint_gradient, me->dim, PyBUF_READ);
  PyObject *done = NULL;
  if (x && played && numbers && gradient && limit)
    done =
        PyObject_CallMethod(me->ctx, "_step", "OKOOOOOdddd", memory->game, (unsigned long long)me->round, x, played,
                            numbers, gradient, limit, now->loss, now->constraint, now->violation, now->total_violation);
  Py_XDECREF(x);
  Py_XDECREF(played);
  Py_XDECREF(numbers);
  Py_XDECREF(gradient);
  Py_XDECREF(limit);
  return done;
}

static ofw_status observe(ofw_own *me, const ofw_own_round *now)
{
  PyGILState_STATE lock = PyGILState_Ensure();
  py_learner *self = me->ctx;
  const own_memory *memory = me->mine;
  self->me = me;
  PyObject *done = call_step(me, memory, now);
  self->me = NULL;
  if (done) {
    me->sigma = number_of(memory->game, "sigma");
    me->log_price = number_of(memory->game, "log_price");
  }
  int failed = !done || PyErr_Occurred();
  Py_XDECREF(done);
  PyGILState_Release(lock);
  return failed ? raised(me) : OFW_OK;
}

static int truth(PyObject *method, const char *name)
{
  PyObject *found = PyObject_GetAttrString(method, name);
  int is = found ? PyObject_IsTrue(found) : -1;
  Py_XDECREF(found);
  return is;
}

ofw_learner *py_own_create(py_learner *self, PyObject *method, const ofw_domain *K,
                           const ofw_learner_settings *settings, ofw_error *err)
{
  static const ofw_promise anytime = {.anytime = 1};
  ofw_learner_callbacks own = {.size = sizeof own, .ctx = self, .start = start, .observe = observe, .drop = drop};
  Py_ssize_t length;
  self->name = PyObject_GetAttrString(method, "name"); /* the core keeps a pointer into it */
  own.name = self->name ? PyUnicode_AsUTF8AndSize(self->name, &length) : NULL;
  own.bandit = truth(method, "bandit");
  own.projects = truth(method, "projects");
  own.promise = truth(method, "anytime") ? &anytime : NULL;
  if (PyErr_Occurred())
    return NULL;
  ofw_learner *l;
  Py_BEGIN_ALLOW_THREADS;
  l = ofw_learner_create_own(&own, K, settings, err);
  Py_END_ALLOW_THREADS;
  self->bandit = own.bandit;
  return l;
}

/* ---- what a method may ask for, while it observes ---- */

typedef ofw_status (*own_step)(ofw_own *me, const double *in, double tolerance, double *out);

static ofw_status project(ofw_own *me, const double *y, double tolerance, double *x)
{
  (void)tolerance;
  return ofw_own_project(me, y, x);
}

static PyObject *ask(py_learner *self, PyObject *args, own_step step)
{
  PyObject *in, *out;
  Py_buffer from, to;
  double tolerance;
  if (!PyArg_ParseTuple(args, "OOd", &in, &out, &tolerance))
    return NULL;
  ofw_own *me = self->owner == PyThread_get_thread_ident() ? self->me : NULL;
  if (!me) {
    py_refuse("a method may ask for the oracle and the projection only while it observes");
    return NULL;
  }
  if (py_doubles(in, self->dim, 0, "the vector", &from) < 0)
    return NULL;
  if (py_doubles(out, self->dim, 1, "the answer", &to) < 0) {
    PyBuffer_Release(&from);
    return NULL;
  }
  ofw_status st = step(me, from.buf, tolerance, to.buf);
  PyBuffer_Release(&from);
  PyBuffer_Release(&to);
  return st == OFW_OK && !PyErr_Occurred() ? Py_NewRef(Py_None) : py_raise(st, ofw_learner_error(self->l));
}

PyObject *py_own_minimise(PyObject *self, PyObject *args)
{
  return ask((py_learner *)self, args, ofw_own_minimise);
}

PyObject *py_own_project(PyObject *self, PyObject *args)
{
  return ask((py_learner *)self, args, project);
}
