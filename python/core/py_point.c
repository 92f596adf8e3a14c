/* py_point.c — ofw.Point: a decision on loan from its learner, read by entries, rows and dot products
 *
 * It can be read until the learner moves on (observe, load, close); after that every read is refused. Nothing of the
 * decision's size is made unless an array is asked for.
 */
#include "py.h"

#include <string.h>

typedef struct py_point {
  PyObject ob_base;
  py_learner *learner;
  const ofw_point *x;
  uint64_t moves; /* of the learner when this was its decision */
  uint64_t round;
} py_point;

static PyTypeObject *type;

PyObject *py_point_new(py_learner *learner, const ofw_point *x)
{
  py_point *self = PyObject_GC_New(py_point, type);
  if (!self)
    return NULL;
  self->learner = (py_learner *)Py_NewRef((PyObject *)learner);
  self->x = x;
  self->moves = learner->moves;
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(learner->l, &info);
  self->round = info.round - (learner->delays ? 1 : 0);
  PyObject_GC_Track(self);
  return (PyObject *)self;
}

static int traverse(PyObject *object, visitproc visit, void *arg)
{
  Py_VISIT(Py_TYPE(object));
  Py_VISIT((PyObject *)((py_point *)object)->learner);
  return 0;
}

static void dealloc(PyObject *object)
{
  PyTypeObject *of = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  Py_DECREF((PyObject *)((py_point *)object)->learner);
  PyObject_GC_Del(object);
  Py_DECREF((PyObject *)of);
}

static int may_read(const py_point *self)
{
  if (self->moves != self->learner->moves)
    return py_refuse("this decision is over: the learner has moved on (copy it before, with numpy.array(x))");
  return py_learner_may_read(self->learner);
}

static PyObject *answer(ofw_status st, PyObject *made)
{
  if (st == OFW_OK)
    return made;
  Py_XDECREF(made);
  return py_raise(st, st == OFW_UNSUPPORTED ? "the decision is too large to write out; read its rows or entries"
                      : st == OFW_USAGE     ? "an index, a row or a column is out of range"
                                            : "no memory to read the decision");
}

/* An array of its shape, or of one row of it, filled by `read`. */
static PyObject *as_array(const py_point *self, ofw_status (*read)(const ofw_point *x, double *out))
{
  if (may_read(self) < 0)
    return NULL;
  ofw_status st = read(self->x, NULL); /* whether it can be written out */
  PyObject *array = st == OFW_OK ? py_new_array(self->learner->rows, self->learner->cols) : NULL;
  if (st != OFW_OK || !array)
    return array ? NULL : answer(st, NULL);
  Py_buffer view;
  if (py_doubles(array, self->learner->dim, 1, "a decision", &view) < 0) {
    Py_DECREF(array);
    return NULL;
  }
  st = read(self->x, view.buf);
  PyBuffer_Release(&view);
  return answer(st, array);
}

static PyObject *to_array(PyObject *self, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"dtype", "copy", NULL};
  PyObject *dtype = Py_None, *copy = Py_None;
  if ((PyTuple_Size(args) > 0 || keywords) && !PyArg_ParseTupleAndKeywords(args, keywords, "|OO", names, &dtype, &copy))
    return NULL;
  PyObject *made = as_array((py_point *)self, ofw_point_dense);
  if (!made || dtype == Py_None)
    return made;
  PyObject *cast = PyObject_CallMethod(made, "astype", "O", dtype);
  Py_DECREF(made);
  return cast;
}

static PyObject *get_centre(PyObject *self, void *closure)
{
  (void)closure;
  return as_array((py_point *)self, ofw_point_centre);
}

static PyObject *get_shape(PyObject *self, void *closure)
{
  (void)closure;
  const py_learner *l = ((py_point *)self)->learner;
  return l->cols == 1 ? Py_BuildValue("(n)", (Py_ssize_t)l->rows)
                      : Py_BuildValue("(nn)", (Py_ssize_t)l->rows, (Py_ssize_t)l->cols);
}

static PyObject *get_size(PyObject *self, void *closure)
{
  (void)closure;
  return PyLong_FromSize_t(((py_point *)self)->learner->dim);
}

static PyObject *get_ndim(PyObject *self, void *closure)
{
  (void)closure;
  return PyLong_FromLong(((py_point *)self)->learner->cols == 1 ? 1 : 2);
}

static Py_ssize_t length(PyObject *self)
{
  return (Py_ssize_t)((py_point *)self)->learner->rows;
}

static PyObject *row(PyObject *object, PyObject *number)
{
  const py_point *self = (py_point *)object;
  Py_ssize_t i = PyNumber_AsSsize_t(number, PyExc_IndexError);
  if ((i == -1 && PyErr_Occurred()) || may_read(self) < 0)
    return NULL;
  size_t rows, cols;
  ofw_point_shape(self->x, &rows, &cols);
  PyObject *made = py_new_array(cols, 1);
  Py_buffer view;
  if (!made || py_doubles(made, cols, 1, "a row", &view) < 0) {
    Py_XDECREF(made);
    return NULL;
  }
  ofw_status st = ofw_point_row(self->x, (size_t)(i < 0 ? i + (Py_ssize_t)rows : i), view.buf);
  PyBuffer_Release(&view);
  return answer(st, made);
}

/* Two lists, of columns and of numbers. */
static PyObject *top_lists(size_t found, const size_t *index, const double *value)
{
  PyObject *columns = PyList_New((Py_ssize_t)found), *numbers = PyList_New((Py_ssize_t)found);
  for (size_t k = 0; columns && numbers && k < found; k++) {
    PyList_SetItem(columns, (Py_ssize_t)k, PyLong_FromSize_t(index[k]));
    PyList_SetItem(numbers, (Py_ssize_t)k, PyFloat_FromDouble(value[k]));
  }
  return Py_BuildValue("(NN)", columns, numbers);
}

/* The columns that a caller leaves out; NULL: an exception is set. */
static size_t *read_excluded(PyObject *from, Py_ssize_t *n)
{
  *n = from == Py_None ? 0 : PySequence_Size(from);
  size_t *index = *n < 0 ? NULL : PyMem_Calloc((size_t)*n + 1, sizeof *index);
  for (Py_ssize_t i = 0; index && i < *n; i++) {
    PyObject *item = PySequence_GetItem(from, i);
    Py_ssize_t at = item ? PyNumber_AsSsize_t(item, PyExc_IndexError) : -1;
    Py_XDECREF(item);
    if (at < 0) {
      if (!PyErr_Occurred())
        py_refuse("exclude: a column is negative");
      PyMem_Free(index);
      return NULL;
    }
    index[i] = (size_t)at;
  }
  if (!index && !PyErr_Occurred())
    PyErr_NoMemory();
  return index;
}

static PyObject *top(PyObject *object, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"row", "k", "exclude", NULL};
  const py_point *self = (py_point *)object;
  Py_ssize_t i, k, excluded_count;
  PyObject *exclude = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "nn|O", names, &i, &k, &exclude) || may_read(self) < 0)
    return NULL;
  size_t rows, cols, found = 0;
  ofw_point_shape(self->x, &rows, &cols);
  if (k < 0) {
    py_refuse("k is negative");
    return NULL;
  }
  size_t room = (size_t)k < cols ? (size_t)k : cols, *excluded = read_excluded(exclude, &excluded_count);
  if (!excluded)
    return NULL;
  size_t *index = PyMem_Calloc(room + 1, sizeof *index);
  double *value = PyMem_Calloc(room + 1, sizeof *value);
  ofw_status st = index && value ? ofw_point_top(self->x, (size_t)(i < 0 ? i + (Py_ssize_t)rows : i), room,
                                                 (size_t)excluded_count, excluded, index, value, &found)
                                 : OFW_FAILED;
  PyObject *made = st == OFW_OK ? top_lists(found, index, value) : NULL;
  PyMem_Free(excluded);
  PyMem_Free(index);
  PyMem_Free(value);
  return answer(st, made);
}

static PyObject *dot(PyObject *object, PyObject *direction)
{
  const py_point *self = (py_point *)object;
  py_gradient d;
  double out = 0.0;
  if (may_read(self) < 0 || py_gradient_read(direction, self->learner->rows, self->learner->cols, &d) < 0)
    return NULL;
  ofw_status st = ofw_point_dot(self->x, d.sum, &out);
  py_gradient_free(&d);
  return answer(st, PyFloat_FromDouble(out));
}

/* One coordinate of `key` along an axis of `n`; -1: an exception is set, -2: it is no whole number. */
static Py_ssize_t coordinate(PyObject *key, size_t n)
{
  if (!PyIndex_Check(key))
    return -2;
  Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
  if (i == -1 && PyErr_Occurred() &&
      PyErr_ExceptionMatches(PyExc_TypeError)) { /* an array says that it can be one, and is not */
    PyErr_Clear();
    return -2;
  }
  if (i == -1 && PyErr_Occurred())
    return -1;
  i += i < 0 ? (Py_ssize_t)n : 0;
  if (i >= 0 && (size_t)i < n)
    return i;
  PyErr_Format(PyExc_IndexError, "index %zd is out of range for an axis of %zu", i, n);
  return -1;
}

static PyObject *entry(const py_point *self, size_t index)
{
  double out = 0.0;
  ofw_status st = ofw_point_entries(self->x, 1, &index, &out);
  return answer(st, PyFloat_FromDouble(out));
}

/* The entries at the flat places of an array of size_t, in an array of its shape. */
static PyObject *entries(const py_point *self, PyObject *places)
{
  PyObject *shape = PyObject_GetAttrString(places, "shape");
  PyObject *made = shape ? PyObject_CallFunction(py_numpy_empty, "(O)", shape) : NULL;
  Py_buffer index = {0}, out = {0};
  Py_XDECREF(shape);
  if (!made || PyObject_GetBuffer(places, &index, PyBUF_C_CONTIGUOUS) < 0 ||
      py_doubles(made, (size_t)index.len / sizeof(size_t), 1, "entries", &out) < 0) {
    PyBuffer_Release(&index);
    Py_XDECREF(made);
    return NULL;
  }
  ofw_status st = ofw_point_entries(self->x, (size_t)index.len / sizeof(size_t), index.buf, out.buf);
  PyBuffer_Release(&index);
  PyBuffer_Release(&out);
  return answer(st, made);
}

/* What key stands for beyond one entry or row: arrays of indices read those entries, all else is NumPy's, on all of it. */
static PyObject *by_numpy(const py_point *self, PyObject *key)
{
  PyObject *places =
      PyObject_CallFunction(py_places, "Onn", key, (Py_ssize_t)self->learner->rows, (Py_ssize_t)self->learner->cols);
  PyObject *part = NULL;
  if (places && places != Py_None)
    part = may_read(self) < 0 ? NULL : entries(self, places);
  else if (places) {
    PyObject *whole = as_array(self, ofw_point_dense);
    part = whole ? PyObject_GetItem(whole, key) : NULL;
    Py_XDECREF(whole);
  }
  Py_XDECREF(places);
  return part;
}

/* x[i] and x[i, j] read one entry, x[i] of a matrix one row. */
static PyObject *subscript(PyObject *object, PyObject *key)
{
  const py_point *self = (py_point *)object;
  const py_learner *l = self->learner;
  if (may_read(self) < 0)
    return NULL;
  Py_ssize_t at = coordinate(key, l->rows);
  if (at != -2)
    return at < 0 ? NULL : l->cols == 1 ? entry(self, (size_t)at) : row(object, key);
  if (l->cols > 1 && PyTuple_Check(key) && PyTuple_Size(key) == 2) {
    Py_ssize_t i = coordinate(PyTuple_GetItem(key, 0), l->rows), j = coordinate(PyTuple_GetItem(key, 1), l->cols);
    if (i == -1 || j == -1)
      return NULL;
    if (i >= 0 && j >= 0)
      return entry(self, (size_t)i * l->cols + (size_t)j);
  }
  return by_numpy(self, key);
}

static PyObject *iterate(PyObject *self)
{
  PyObject *whole = as_array((py_point *)self, ofw_point_dense), *over = whole ? PyObject_GetIter(whole) : NULL;
  Py_XDECREF(whole);
  return over;
}

static PyObject *repr(PyObject *object)
{
  const py_point *self = (py_point *)object;
  const py_learner *l = self->learner;
  const char *over = self->moves == l->moves ? "" : ", over";
  return l->cols == 1 ? PyUnicode_FromFormat("<ofw.Point of shape (%zu,)%s>", l->rows, over)
                      : PyUnicode_FromFormat("<ofw.Point of shape (%zu, %zu)%s>", l->rows, l->cols, over);
}

static PyMethodDef methods[] = {
    {"__array__", (PyCFunction)(void (*)(void))to_array, METH_VARARGS | METH_KEYWORDS,
     "All of it, as numpy.asarray asks."},
    {"row", row, METH_O, "row($self, i, /)\n--\n\nRow i as an array; a vector is one row."},
    {"top", (PyCFunction)(void (*)(void))top, METH_VARARGS | METH_KEYWORDS,
     "top($self, row, k, exclude=None)\n--\n\nThe k largest numbers of a row, as (columns, numbers), the largest "
     "first; none "
     "of the "
     "excluded columns."},
    {"dot", dot, METH_O, "dot($self, d, /)\n--\n\nThe inner product with d, in any form that a gradient may have."},
    {0},
};

static PyObject *get_round(PyObject *object, void *closure)
{
  (void)closure;
  return PyLong_FromUnsignedLongLong(((py_point *)object)->round);
}

static PyGetSetDef getters[] = {
    {"shape", get_shape, NULL, "as the domain's", NULL},
    {"ndim", get_ndim, NULL, "1, or 2 for a matrix", NULL},
    {"size", get_size, NULL, "how many numbers it has", NULL},
    {"round", get_round, NULL, "the round that it is the decision of, from 1", NULL},
    {"centre", get_centre, NULL, "the point around which a bandit learner probes; for others the decision itself",
     NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A decision, on loan from its learner until the next observe.\n\n"
                "numpy.asarray(x) writes it out; x[i], x[i, j], x.row(i), x.top(i, k) and x.dot(d) read parts of it."},
    {Py_tp_traverse, traverse},
    {Py_tp_dealloc, dealloc},
    {Py_tp_repr, repr},
    {Py_tp_iter, iterate},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {Py_mp_subscript, subscript},
    {Py_mp_length, length},
    {0, NULL},
};

static PyType_Spec type_spec = {"ofw.Point", sizeof(py_point), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

int py_point_add(PyObject *module)
{
  return py_add_type(module, &type_spec, "Point", &type);
}
