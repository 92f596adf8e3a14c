/* py_learner.c — the base of ofw.Learner: decide and observe at the cost of a C call, all else as its Python half asks */
#include "py.h"

#include <string.h>

PyTypeObject *py_learner_type;

static int traverse(PyObject *object, visitproc visit, void *arg)
{
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(((py_learner *)object)->domain);
  return 0;
}

static int clear(PyObject *object)
{
  py_learner *self = (py_learner *)object;
  ofw_learner_free(self->l); /* first: it may still ask the domain */
  self->l = NULL;
  Py_CLEAR(self->domain);
  Py_CLEAR(self->name);
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

static int is_open(const py_learner *self)
{
  return self->l ? 0 : py_refuse("the learner is closed");
}

static int in_use(void)
{
  return py_refuse("the learner is in use by another thread, or by its own callback");
}

int py_learner_may_read(const py_learner *self)
{
  if (self->busy && !(self->lent && self->owner == PyThread_get_thread_ident()))
    return in_use();
  return is_open(self);
}

int py_learner_begin(py_learner *self)
{
  if (self->busy)
    return in_use();
  if (is_open(self) < 0)
    return -1;
  self->busy = 1;
  self->owner = PyThread_get_thread_ident();
  return 0;
}

void py_learner_end(py_learner *self)
{
  self->busy = 0;
}

static PyObject *fail(const py_learner *self, ofw_status st)
{
  return py_raise(st, ofw_learner_error(self->l));
}

/* ---- making one ---- */

/* The texts of a list, as pointers into its strings; NULL: an exception is set. */
static const char **option_texts(PyObject *list, Py_ssize_t *n)
{
  *n = PyList_Size(list);
  const char **text = *n < 0 ? NULL : PyMem_Calloc((size_t)*n + 1, sizeof *text);
  for (Py_ssize_t i = 0; text && i < *n; i++) {
    Py_ssize_t length;
    text[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), &length);
    if (!text[i]) {
      PyMem_Free(text);
      return NULL;
    }
  }
  return text;
}

static void adopt(py_learner *self, ofw_learner *l)
{
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(l, &info);
  self->l = l;
  self->bandit |= info.delta > 0.0;
  self->delays = strstr(ofw_learner_config(l), " delay=") != NULL;
}

/* Of a method of the core's, by its name, or of one in Python. NULL: err is set, or an exception. */
static ofw_learner *create(py_learner *self, PyObject *method, const ofw_domain *K,
                           const ofw_learner_settings *settings, ofw_error *err)
{
  Py_ssize_t length;
  ofw_learner *l;
  if (!PyUnicode_Check(method))
    return py_own_create(self, method, K, settings, err);
  const char *name = PyUnicode_AsUTF8AndSize(method, &length);
  if (!name)
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  l = ofw_learner_create_over(name, K, settings, err);
  Py_END_ALLOW_THREADS;
  return l;
}

/* _open(name or method, domain, horizon, lipschitz, loss_bound, strong_convexity, seed, threads, ["key=value", ..]) */
static PyObject *open_learner(PyObject *object, PyObject *args)
{
  py_learner *self = (py_learner *)object;
  ofw_learner_settings settings = {.size = sizeof settings};
  PyObject *method, *domain, *list;
  py_domain *K;
  unsigned long long horizon, seed;
  Py_ssize_t threads, count;
  if (!PyArg_ParseTuple(args, "OOKdddKnO", &method, &domain, &horizon, &settings.lipschitz, &settings.loss_bound,
                        &settings.strong_convexity, &seed, &threads, &list) ||
      !(K = py_domain_made(domain)))
    return NULL;
  if (self->l || self->domain) {
    py_refuse("a learner cannot be made twice");
    return NULL;
  }
  const char **option = option_texts(list, &count);
  if (!option)
    return NULL;
  settings.horizon = horizon;
  settings.seed = seed;
  settings.threads = threads < 0 ? SIZE_MAX : (size_t)threads;
  settings.options = (size_t)count;
  settings.option = option;
  self->dim = K->dim;
  self->rows = K->rows;
  self->cols = K->cols;
  self->domain = Py_NewRef(domain); /* first: a method in Python may look at it */
  ofw_error err = {0};
  ofw_learner *l = create(self, method, K->K, &settings, &err);
  PyMem_Free(option);
  if (!l || PyErr_Occurred()) {
    ofw_learner_free(l);
    Py_CLEAR(self->domain);
    return py_raise_error(&err);
  }
  adopt(self, l);
  return Py_NewRef(Py_None);
}

static PyObject *close_learner(PyObject *object, PyObject *none)
{
  (void)none;
  py_learner *self = (py_learner *)object;
  if (self->busy) {
    in_use();
    return NULL;
  }
  ofw_learner_free(self->l);
  self->l = NULL;
  self->moves++;
  return Py_NewRef(Py_None);
}

/* ---- rounds ---- */

static PyObject *decide(PyObject *object, PyObject *none)
{
  (void)none;
  py_learner *self = (py_learner *)object;
  const ofw_point *x;
  if (py_learner_begin(self) < 0)
    return NULL;
  ofw_status st;
  Py_BEGIN_ALLOW_THREADS;
  st = ofw_learner_decide(self->l, &x);
  Py_END_ALLOW_THREADS;
  py_learner_end(self);
  return st == OFW_OK && !PyErr_Occurred() ? py_point_new(self, x) : fail(self, st);
}

static PyObject *field_words[PY_FIELDS]; /* their names, interned: a keyword of a call is mostly one of these objects */

static int find_field(PyObject *keyword)
{
  for (int i = 0; i < PY_FIELDS; i++)
    if (keyword == field_words[i])
      return i;
  for (int i = 0; i < PY_FIELDS; i++)
    if (PyUnicode_CompareWithASCIIString(keyword, py_field_names[i]) == 0)
      return i;
  return -1;
}

/* The arguments by place or by name; None if nothing was given. The round is given by its name; NULL: it is not. */
static int sort_arguments(PyObject *const *args, Py_ssize_t n, PyObject *names, PyObject *out[PY_FIELDS],
                          PyObject **round)
{
  *round = NULL;
  Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  if (n > PY_FIELDS) {
    PyErr_Format(PyExc_TypeError, "observe takes at most %d arguments, found %zd", PY_FIELDS, n);
    return -1;
  }
  for (Py_ssize_t i = 0; i < PY_FIELDS; i++)
    out[i] = i < n ? args[i] : NULL;
  for (Py_ssize_t k = 0; k < named; k++) {
    PyObject *keyword = PyTuple_GetItem(names, k);
    if (PyUnicode_CompareWithASCIIString(keyword, "round") == 0) {
      *round = args[n + k];
      continue;
    }
    int i = find_field(keyword);
    if (i < 0 || out[i]) {
      PyErr_Format(PyExc_TypeError, i < 0 ? "observe has no argument %R" : "observe: %R is given twice", keyword);
      return -1;
    }
    out[i] = args[n + k];
  }
  if (!out[PY_LOSS]) {
    PyErr_SetString(PyExc_TypeError, "observe: the loss is missing");
    return -1;
  }
  for (int i = 0; i < PY_FIELDS; i++)
    if (!out[i])
      out[i] = Py_None;
  return 0;
}

/* None is no number of a round, and neither is one below 0. 0: none is named. */
static int read_round(PyObject *from, unsigned long long *out)
{
  *out = from && from != Py_None ? PyLong_AsUnsignedLongLong(from) : 0;
  if (!PyErr_Occurred() && (!from || from == Py_None || *out > 0))
    return 0;
  PyErr_Clear();
  return py_refuse("round: expected a whole number from 1 on, found %R", from);
}

/* Feedback without gradients, or with a hint, is of the decision that is pending. */
static int check_pending(const py_learner *self, unsigned long long round)
{
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(self->l, &info);
  return round == info.round
             ? 0
             : py_refuse("round: expected feedback of round %llu, found %llu", (unsigned long long)info.round, round);
}

static ofw_status tell(const py_learner *self, const py_feedback *fb, int gradients, unsigned long long round)
{
  if (!gradients)
    return ofw_learner_observe_values(self->l, &fb->full.values);
  if (round && !fb->hint.size)
    return ofw_learner_observe_round(self->l, round, &fb->full);
  return ofw_learner_observe_hinted(self->l, &fb->full, fb->hint.size ? &fb->hint : NULL);
}

static PyObject *observe(PyObject *object, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
  py_learner *self = (py_learner *)object;
  PyObject *given[PY_FIELDS], *named;
  py_feedback fb = {0};
  unsigned long long round;
  if (sort_arguments(args, n, names, given, &named) < 0 || read_round(named, &round) < 0 ||
      py_learner_may_read(self) < 0)
    return NULL;
  int gradients =
      given[PY_GRADIENT] != Py_None || given[PY_CONSTRAINT_GRADIENT] != Py_None || given[PY_NEXT_GRADIENT] != Py_None;
  if (round && (!gradients || given[PY_NEXT] != Py_None) && check_pending(self, round) < 0)
    return NULL;
  if (py_feedback_read(given, self, &fb) < 0) /* it may run Python code, so the learner is not marked yet */
    return NULL;
  if (py_learner_begin(self) < 0) {
    py_feedback_free(&fb);
    return NULL;
  }
  uint64_t before = self->moves++;
  ofw_status st;
  Py_BEGIN_ALLOW_THREADS;
  st = tell(self, &fb, gradients, round);
  Py_END_ALLOW_THREADS;
  py_learner_end(self);
  py_feedback_free(&fb);
  if (st == OFW_OK && !PyErr_Occurred())
    return Py_NewRef(Py_None);
  if (st != OFW_NUMERICAL)
    self->moves = before; /* refused: the decision is still the one that is pending */
  return fail(self, st);
}

static PyObject *sample(PyObject *object, PyObject *none)
{
  (void)none;
  py_learner *self = (py_learner *)object;
  Py_buffer view;
  if (py_learner_may_read(self) < 0)
    return NULL;
  PyObject *vertex = py_new_array(self->rows, self->cols);
  if (!vertex || py_doubles(vertex, self->dim, 1, "the vertex", &view) < 0) {
    Py_XDECREF(vertex);
    return NULL;
  }
  ofw_status st = ofw_learner_sample(self->l, view.buf);
  PyBuffer_Release(&view);
  if (st == OFW_OK)
    return vertex;
  Py_DECREF(vertex);
  return fail(self, st);
}

/* ---- what it is doing ---- */

static PyObject *get_info(PyObject *object, PyObject *none)
{
  (void)none;
  py_learner *self = (py_learner *)object;
  ofw_info i = {.size = sizeof i};
  if (py_learner_may_read(self) < 0)
    return NULL;
  ofw_status st = ofw_learner_info(self->l, &i);
  if (st != OFW_OK)
    return fail(self, st);
  return Py_BuildValue("{sKsdsdsdsdsdsdsNsKsKsdsKsKsdsKsnsnsnsKsdsdsdsdsdsK}", "round", (unsigned long long)i.round,
                       "violation", i.violation, "log_price", i.log_price, "log2_guess", i.log2_guess, "sigma", i.sigma,
                       "gap", i.gap, "oracle_error", i.oracle_error, "oracle_proven", PyBool_FromLong(i.oracle_proven),
                       "oracle_calls", (unsigned long long)i.oracle_calls, "oracle_passes",
                       (unsigned long long)i.oracle_passes, "oracle_seconds", i.oracle_seconds, "projections",
                       (unsigned long long)i.projections, "steep", (unsigned long long)i.steep, "delta", i.delta,
                       "capped", (unsigned long long)i.capped, "left", (Py_ssize_t)i.left, "right", (Py_ssize_t)i.right,
                       "entries", (Py_ssize_t)i.entries, "compressions", (unsigned long long)i.compressions, "lost",
                       i.lost, "lost_direction", i.lost_direction, "regret_bound", i.regret_bound, "ccv_bound",
                       i.ccv_bound, "bound_failure", i.bound_failure, "open", (unsigned long long)i.open);
}

static PyObject *get_config(PyObject *object, void *closure)
{
  (void)closure;
  py_learner *self = (py_learner *)object;
  return py_learner_may_read(self) < 0 ? NULL : PyUnicode_FromString(ofw_learner_config(self->l));
}

static PyObject *get_bandit(PyObject *object, void *closure)
{
  (void)closure;
  return PyBool_FromLong(((py_learner *)object)->bandit);
}

static PyObject *get_domain(PyObject *object, void *closure)
{
  (void)closure;
  PyObject *K = ((py_learner *)object)->domain;
  return Py_NewRef(K ? K : Py_None);
}

/* ---- saving ---- */

static PyObject *get_state(PyObject *object, PyObject *none)
{
  (void)none;
  py_learner *self = (py_learner *)object;
  ofw_state state = {0};
  if (py_learner_may_read(self) < 0)
    return NULL;
  ofw_status st = ofw_learner_save_state(self->l, &state);
  PyObject *bytes =
      st == OFW_OK ? PyBytes_FromStringAndSize((char *)state.bytes, (Py_ssize_t)state.size) : fail(self, st);
  ofw_state_free(&state);
  return bytes;
}

static PyObject *set_state(PyObject *object, PyObject *bytes)
{
  py_learner *self = (py_learner *)object;
  Py_buffer view;
  if (PyObject_GetBuffer(bytes, &view, PyBUF_SIMPLE) < 0)
    return NULL;
  ofw_status st = OFW_OK;
  int begun = py_learner_begin(self) == 0;
  if (begun) {
    ofw_state state = {view.buf, (size_t)view.len};
    st = ofw_learner_load_state(self->l, &state);
    self->moves += st == OFW_OK;
    py_learner_end(self);
  }
  PyBuffer_Release(&view);
  if (!begun)
    return NULL;
  return st == OFW_OK ? Py_NewRef(Py_None) : fail(self, st);
}

/* save and load of a file, whose name os.fsencode has made bytes of */
static PyObject *with_file(py_learner *self, PyObject *path, ofw_status (*step)(ofw_learner *l, const char *path),
                           int moves)
{
  const char *name = PyBytes_AsString(path);
  if (!name || py_learner_begin(self) < 0)
    return NULL;
  ofw_status st;
  Py_BEGIN_ALLOW_THREADS;
  st = step(self->l, name);
  Py_END_ALLOW_THREADS;
  py_learner_end(self);
  self->moves += moves && st == OFW_OK;
  return st == OFW_OK ? Py_NewRef(Py_None) : fail(self, st);
}

static PyObject *save(PyObject *self, PyObject *path)
{
  return with_file((py_learner *)self, path, ofw_learner_save, 0);
}

static PyObject *load(PyObject *self, PyObject *path)
{
  return with_file((py_learner *)self, path, ofw_learner_load, 1);
}

#define OBSERVE_DOC                                                                                                 \
  "($self, loss, gradient=None, constraint=None, constraint_gradient=None, next_constraint=None,\n"                 \
  "next_constraint_gradient=None, *, round=None)\n--\n\nWhat the decision cost.\n\n"                                \
  "The constraint is kept if it is 0 or less. Several constraints are a list of numbers and a list of gradients.\n" \
  "A gradient is an array, a scipy.sparse matrix, a pair (index, value), or a pair (u, v) for the matrix u v'.\n"   \
  "If the constraint of the coming round is known already, next_constraint is its value at the decision that was\n" \
  "just played, and next_constraint_gradient its gradient there; [] and []: there will be none. ofw-ada uses it.\n" \
  "If the learner has a delay, round says which decision this is the feedback of: its x.round.\n"                   \
  "A bandit learner takes loss and constraint alone. Bad feedback raises, and nothing has changed."

static PyMethodDef methods[] = {
    {"decide", decide, METH_NOARGS,
     "decide($self, /)\n--\n\nThe decision of this round; asking twice gives it twice. With a delay: the next "
     "decision."},
    {"ask", decide, METH_NOARGS, "ask($self, /)\n--\n\nThe same as decide."},
    {"observe", (PyCFunction)(void (*)(void))observe, METH_FASTCALL | METH_KEYWORDS, "observe" OBSERVE_DOC},
    {"tell", (PyCFunction)(void (*)(void))observe, METH_FASTCALL | METH_KEYWORDS, "tell" OBSERVE_DOC},
    {"sample", sample, METH_NOARGS,
     "sample($self, /)\n--\n\nA vertex of the domain whose expectation is the decision; the learner must have "
     "sample=True."},
    {"close", close_learner, METH_NOARGS, "close($self, /)\n--\n\nReturns its memory; it can then do nothing more."},
    {"_open", open_learner, METH_VARARGS, NULL},
    {"_minimise", py_own_minimise, METH_VARARGS, NULL},
    {"_project", py_own_project, METH_VARARGS, NULL},
    {"_info", get_info, METH_NOARGS, NULL},
    {"_get_state", get_state, METH_NOARGS, NULL},
    {"_set_state", set_state, METH_O, NULL},
    {"_save", save, METH_O, NULL},
    {"_load", load, METH_O, NULL},
    {0},
};

static PyGetSetDef getters[] = {
    {"bandit", get_bandit, NULL, "whether it takes numbers alone, without gradients", NULL},
    {"domain", get_domain, NULL, "the set that its decisions are from", NULL},
    {"_config", get_config, NULL, NULL, NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "The C half of ofw.Learner."},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {0, NULL},
};

static PyType_Spec type_spec = {"ofw._core.Learner", sizeof(py_learner), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

int py_learner_add(PyObject *module)
{
  for (int i = 0; i < PY_FIELDS; i++)
    if (!(field_words[i] = PyUnicode_InternFromString(py_field_names[i])))
      return -1;
  return py_add_type(module, &type_spec, "Learner", &py_learner_type);
}
