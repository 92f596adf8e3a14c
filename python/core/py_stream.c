/* py_stream.c — the base of ofw.Stream: a generator of rounds by its spec, or rounds from Python */
#include "py.h"

PyTypeObject *py_stream_type;

static int traverse(PyObject *object, visitproc visit, void *arg)
{
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(((py_stream *)object)->domain);
  return 0;
}

static int clear(PyObject *object)
{
  py_stream *self = (py_stream *)object;
  ofw_stream_free(self->s);
  self->s = NULL;
  py_feedback_free(&self->feedback);
  Py_CLEAR(self->domain);
  return 0;
}

static void dealloc(PyObject *self)
{
  PyTypeObject *of = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(of, Py_tp_free);
  PyObject_GC_UnTrack(self);
  clear(self);
  release(self);
  Py_DECREF((PyObject *)of);
}

static PyObject *keep(py_stream *self, ofw_stream *s, PyObject *domain, const ofw_error *err)
{
  if (!s)
    return py_raise_error(err);
  self->s = s;
  self->domain = Py_NewRef(domain);
  return Py_NewRef(Py_None);
}

static int not_made_yet(const py_stream *self)
{
  return self->s ? py_refuse("a stream cannot be made twice") : 0;
}

/* _open(spec, domain, rounds, seed) */
static PyObject *open_spec(PyObject *object, PyObject *args)
{
  py_stream *self = (py_stream *)object;
  const char *spec;
  PyObject *domain;
  py_domain *K;
  unsigned long long rounds, seed;
  ofw_error err = {0};
  if (!PyArg_ParseTuple(args, "sOKK", &spec, &domain, &rounds, &seed) || not_made_yet(self) < 0 ||
      !(K = py_domain_made(domain)))
    return NULL;
  ofw_stream *s;
  Py_BEGIN_ALLOW_THREADS;
  s = ofw_stream_create(spec, K->K, rounds, seed, &err);
  Py_END_ALLOW_THREADS;
  return keep(self, s, domain, &err);
}

/* What self.reveal(t, x) gives: all fields, as _reveal lays them out. */
static int read_round(py_stream *self, PyObject *round)
{
  PyObject *given[PY_FIELDS];
  for (int i = 0; i < PY_FIELDS; i++)
    if (!(given[i] = PyTuple_GetItem(round, i)))
      return -1;
  if (given[1] == Py_None && !self->playing->bandit)
    return py_refuse("the stream gives no gradient, and the learner needs one");
  return py_feedback_read(given, self->playing, &self->feedback);
}

static int reveal_locked(py_stream *self, uint64_t t, const ofw_point *x)
{
  PyObject *point = py_point_new(self->playing, x);
  PyObject *round = point ? PyObject_CallMethod((PyObject *)self, "_reveal", "KO", (unsigned long long)t, point) : NULL;
  py_feedback_free(&self->feedback);
  int st = round ? read_round(self, round) : -1;
  Py_XDECREF(round);
  Py_XDECREF(point);
  self->playing->moves++; /* the point is over for whoever has kept it */
  if (st < 0 && PyErr_ExceptionMatches(PyExc_StopIteration)) {
    PyErr_Clear();
    self->ended = 1;
  }
  return st;
}

/* An exception stays set; the play raises it. */
static int reveal(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out)
{
  py_stream *self = ctx;
  PyGILState_STATE lock = PyGILState_Ensure();
  self->playing->lent = 1;
  int failed = reveal_locked(self, t, x) < 0;
  self->playing->lent = 0;
  *out = self->feedback.full;
  PyGILState_Release(lock);
  return failed;
}

/* It came with the round. */
static int hint(void *ctx, uint64_t t, const ofw_point *x, ofw_hint *out)
{
  (void)t;
  (void)x;
  const py_stream *self = ctx;
  if (self->feedback.hint.size)
    *out = self->feedback.hint;
  return 0;
}

static int comparator(void *ctx, uint64_t t, double *loss)
{
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *given = PyObject_CallMethod(ctx, "comparator", "K", (unsigned long long)t);
  *loss = given ? PyFloat_AsDouble(given) : 0.0;
  Py_XDECREF(given);
  int failed = PyErr_Occurred() != NULL;
  PyGILState_Release(lock);
  return failed;
}

/* _open_own(domain, lipschitz, loss_bound, strong_convexity, has_comparator) */
static PyObject *open_own(PyObject *object, PyObject *args)
{
  py_stream *self = (py_stream *)object;
  ofw_stream_callbacks own = {.size = sizeof own, .reveal = reveal, .ctx = self, .hint = hint};
  PyObject *domain;
  py_domain *K;
  int has_comparator;
  ofw_error err = {0};
  if (!PyArg_ParseTuple(args, "Odddp", &domain, &own.constants.lipschitz, &own.constants.loss_bound,
                        &own.constants.strong_convexity, &has_comparator) ||
      not_made_yet(self) < 0 || !(K = py_domain_made(domain)))
    return NULL;
  if (has_comparator)
    own.comparator = comparator;
  return keep(self, ofw_stream_create_own(&own, K->K, &err), domain, &err);
}

/* (lipschitz, loss_bound, strong_convexity) */
static PyObject *get_constants(PyObject *object, void *closure)
{
  (void)closure;
  const py_stream *self = (py_stream *)object;
  if (!self->s) {
    py_refuse("this stream is not initialised: its class must call Stream.__init__");
    return NULL;
  }
  const ofw_constants *c = ofw_stream_constants(self->s);
  return Py_BuildValue("(ddd)", c->lipschitz, c->loss_bound, c->strong_convexity);
}

static PyObject *get_domain(PyObject *object, void *closure)
{
  (void)closure;
  PyObject *K = ((py_stream *)object)->domain;
  return Py_NewRef(K ? K : Py_None);
}

static PyMethodDef methods[] = {
    {"_open", open_spec, METH_VARARGS, NULL},
    {"_open_own", open_own, METH_VARARGS, NULL},
    {0},
};

static PyGetSetDef getters[] = {
    {"domain", get_domain, NULL, "the set that decisions are from", NULL},
    {"_constants", get_constants, NULL, NULL, NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "The C half of ofw.Stream."},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {0, NULL},
};

static PyType_Spec type_spec = {"ofw._core.Stream", sizeof(py_stream), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

int py_stream_add(PyObject *module)
{
  return py_add_type(module, &type_spec, "Stream", &py_stream_type);
}
