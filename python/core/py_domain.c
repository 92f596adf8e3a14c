/* py_domain.c — the base of ofw.Domain: a handle on a set, from a spec or with an oracle in Python
 *
 * A set with its oracle in Python is given itself as its context. Learners and streams keep the Python object, so it lives
 * as long as the core can ask it.
 */
#include "py.h"

#include "domain/set.h"

PyTypeObject *py_domain_type;

static void dealloc(PyObject *self)
{
  PyTypeObject *of = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(of, Py_tp_free);
  ofw_domain_free(((py_domain *)self)->K);
  release(self);
  Py_DECREF((PyObject *)of);
}

py_domain *py_domain_made(PyObject *object)
{
  if (!PyObject_TypeCheck(object, py_domain_type))
    py_refuse("expected a domain such as ofw.Simplex(3), found %R", object);
  else if (!((py_domain *)object)->K)
    py_refuse("this domain is not initialised: its class must call Domain.__init__");
  else
    return (py_domain *)object;
  return NULL;
}

static PyObject *keep(py_domain *self, ofw_domain *K, const ofw_error *err)
{
  if (!K)
    return py_raise_error(err);
  self->K = K;
  self->dim = ofw_domain_dim(K);
  ofw_domain_shape(K, &self->rows, &self->cols);
  return Py_NewRef(Py_None);
}

static int not_made_yet(const py_domain *self)
{
  return self->K ? py_refuse("a domain cannot be made twice: it is immutable") : 0;
}

static PyObject *open_spec(PyObject *object, PyObject *text)
{
  py_domain *self = (py_domain *)object;
  ofw_error err = {0};
  Py_ssize_t length;
  const char *spec = PyUnicode_AsUTF8AndSize(text, &length);
  if (!spec || not_made_yet(self) < 0)
    return NULL;
  ofw_domain *K;
  Py_BEGIN_ALLOW_THREADS;
  K = ofw_domain_create(spec, &err);
  Py_END_ALLOW_THREADS;
  return keep(self, K, &err);
}

/* Calls self.NAME with views of two arrays, or of one; the method copies what it keeps. */
static PyObject *call(void *self, const char *name, size_t dim, const double *in, double *out)
{
  const Py_ssize_t bytes = (Py_ssize_t)(dim * sizeof *in);
  PyObject *from = PyMemoryView_FromMemory((char *)(uintptr_t)in, bytes, PyBUF_READ);
  PyObject *to = out ? PyMemoryView_FromMemory((char *)out, bytes, PyBUF_WRITE) : Py_NewRef(Py_None);
  PyObject *given = from && to ? PyObject_CallMethod(self, name, "OO", from, to) : NULL;
  Py_XDECREF(from);
  Py_XDECREF(to);
  return given;
}

/* An exception stays set; the call that led here raises it. */
static int minimise(void *ctx, const double *d, double *v)
{
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *given = call(ctx, "_ask_oracle", ((py_domain *)ctx)->dim, d, v);
  int failed = !given;
  Py_XDECREF(given);
  PyGILState_Release(lock);
  return failed;
}

static double excess(void *ctx, const double *x)
{
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *given = call(ctx, "_ask_excess", ((py_domain *)ctx)->dim, x, NULL);
  double out = given ? PyFloat_AsDouble(given) : -1.0;
  Py_XDECREF(given);
  PyGILState_Release(lock);
  return out;
}

static PyObject *open_own(PyObject *object, PyObject *args)
{
  py_domain *self = (py_domain *)object;
  ofw_domain_callbacks own = {.size = sizeof own, .minimise = minimise, .ctx = self};
  ofw_error err = {0};
  Py_ssize_t dim;
  PyObject *centre;
  Py_buffer view = {0};
  int has_excess;
  if (!PyArg_ParseTuple(args, "nddOp", &dim, &own.R, &own.r, &centre, &has_excess) || not_made_yet(self) < 0)
    return NULL;
  own.dim = dim < 0 ? 0 : (size_t)dim;
  if (centre != Py_None) {
    if (py_doubles(centre, own.dim, 0, "centre", &view) < 0)
      return NULL;
    own.centre = view.buf;
  }
  self->dim = self->rows = own.dim; /* which excess may ask for before there is a handle */
  self->cols = 1;
  if (has_excess)
    own.excess = excess;
  ofw_domain *K = ofw_domain_create_own(&own, &err); /* it may ask excess */
  PyBuffer_Release(&view);
  if (K && PyErr_Occurred()) {
    ofw_domain_free(K);
    return NULL;
  }
  return keep(self, K, &err);
}

typedef struct arrays {
  const py_domain *K;
  Py_buffer in, out;
} arrays;

static int open_arrays(PyObject *object, PyObject *in, PyObject *out, arrays *a)
{
  const py_domain *K = py_domain_made(object);
  if (!K || py_doubles(in, K->dim, 0, "the vector", &a->in) < 0)
    return -1;
  a->K = K;
  if (!out || py_doubles(out, K->dim, 1, "the answer", &a->out) == 0)
    return 0;
  PyBuffer_Release(&a->in);
  return -1;
}

static PyObject *close_arrays(arrays *a, ofw_status st, const ofw_error *err, PyObject *made)
{
  PyBuffer_Release(&a->in);
  PyBuffer_Release(&a->out);
  if (st == OFW_OK && !PyErr_Occurred())
    return made;
  Py_XDECREF(made);
  return py_raise_error(err);
}

static PyObject *ask(PyObject *self, PyObject *args)
{
  PyObject *d, *v;
  double tolerance, error = 0.0;
  arrays a = {0};
  ofw_error err = {0};
  ofw_status st;
  if (!PyArg_ParseTuple(args, "OOd", &d, &v, &tolerance) || open_arrays(self, d, v, &a) < 0)
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  st = ofw_domain_minimise(a.K->K, a.in.buf, tolerance, a.out.buf, &error, &err);
  Py_END_ALLOW_THREADS;
  return close_arrays(&a, st, &err, PyFloat_FromDouble(error));
}

static PyObject *nearest(PyObject *self, PyObject *args)
{
  PyObject *y, *x;
  arrays a = {0};
  ofw_error err = {0};
  ofw_status st;
  if (!PyArg_ParseTuple(args, "OO", &y, &x) || open_arrays(self, y, x, &a) < 0)
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  st = ofw_domain_project(a.K->K, a.in.buf, a.out.buf, &err);
  Py_END_ALLOW_THREADS;
  return close_arrays(&a, st, &err, Py_NewRef(Py_None));
}

static PyObject *outside(PyObject *self, PyObject *x)
{
  arrays a = {0};
  ofw_error err = {0};
  double out;
  if (open_arrays(self, x, NULL, &a) < 0)
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  out = ofw_domain_excess(a.K->K, a.in.buf);
  Py_END_ALLOW_THREADS;
  return close_arrays(&a, OFW_OK, &err, PyFloat_FromDouble(out));
}

/* (outer radius, inner radius, centre) */
static PyObject *balls(PyObject *object, PyObject *none)
{
  (void)none;
  const py_domain *self = py_domain_made(object);
  double outer, inner;
  Py_buffer view;
  if (!self)
    return NULL;
  PyObject *centre = py_new_array(self->rows, self->cols);
  if (!centre || py_doubles(centre, self->dim, 1, "the centre", &view) < 0) {
    Py_XDECREF(centre);
    return NULL;
  }
  ofw_domain_balls(self->K, &outer, &inner, view.buf);
  PyBuffer_Release(&view);
  return Py_BuildValue("(ddN)", outer, inner, centre);
}

static PyObject *get_dim(PyObject *object, void *closure)
{
  (void)closure;
  const py_domain *self = (py_domain *)object;
  return self->dim || py_domain_made(object) ? PyLong_FromSize_t(self->dim) : NULL;
}

static PyObject *get_shape(PyObject *object, void *closure)
{
  (void)closure;
  const py_domain *self = (py_domain *)object;
  if (!self->dim && !py_domain_made(object))
    return NULL;
  return self->cols == 1 ? Py_BuildValue("(n)", (Py_ssize_t)self->rows)
                         : Py_BuildValue("(nn)", (Py_ssize_t)self->rows, (Py_ssize_t)self->cols);
}

static PyMethodDef methods[] = {
    {"_open", open_spec, METH_O, NULL},
    {"_open_own", open_own, METH_VARARGS, NULL},
    {"_minimise", ask, METH_VARARGS, NULL},
    {"_project", nearest, METH_VARARGS, NULL},
    {"_excess", outside, METH_O, NULL},
    {"_balls", balls, METH_NOARGS, NULL},
    {0},
};

static PyGetSetDef getters[] = {
    {"dim", get_dim, NULL, "how many numbers a point has", NULL},
    {"shape", get_shape, NULL, "(dim,), or (rows, columns) of a matrix", NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "The C half of ofw.Domain."},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {0, NULL},
};

static PyType_Spec type_spec = {"ofw._core.Domain", sizeof(py_domain), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                slots};

int py_domain_add(PyObject *module)
{
  return py_add_type(module, &type_spec, "Domain", &py_domain_type);
}
