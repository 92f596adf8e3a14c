/* py_module.c — the extension module ofw._core: its types, its errors, and the registries as Python reads them
 *
 * It is linked with the static library, as the command is, and so may read the tables of options.
 */
#include "py.h"

#include "base/option_table.h"
#include "domain/set.h"
#include "learner/method.h"

#include <string.h>

PyObject *py_numpy_empty, *py_forms, *py_places;

int py_add_type(PyObject *module, PyType_Spec *spec, const char *name, PyTypeObject **out)
{
  *out = (PyTypeObject *)PyType_FromSpec(spec);
  return *out ? PyModule_AddObjectRef(module, name, (PyObject *)*out) : -1;
}

PyObject *py_new_array(size_t rows, size_t cols)
{
  return cols == 1 ? PyObject_CallFunction(py_numpy_empty, "n", (Py_ssize_t)rows)
                   : PyObject_CallFunction(py_numpy_empty, "((nn))", (Py_ssize_t)rows, (Py_ssize_t)cols);
}

int py_doubles(PyObject *from, size_t count, int writable, const char *what, Py_buffer *out)
{
  if (PyObject_GetBuffer(from, out, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)) < 0)
    return -1;
  if (out->format && strcmp(out->format, "d") == 0 && (size_t)out->len == count * sizeof(double))
    return 0;
  PyBuffer_Release(out);
  return py_refuse("%s: expected %zu doubles", what, count);
}

static PyObject *option_row(const ofw_option *o)
{
  static const char *const kinds[] = {"real", "count", "choice", "text"};
  return Py_BuildValue("{sssssssssssdsdss}", "name", o->name, "kind", kinds[o->kind], "value", o->value, "formula",
                       o->formula, "words", o->words, "lower", o->lower, "upper", o->upper, "help", o->help);
}

static PyObject *option_rows(const ofw_option *table)
{
  PyObject *rows = PyList_New(0);
  for (const ofw_option *o = table; rows && o && o->name; o++) {
    PyObject *row = option_row(o);
    if (!row || PyList_Append(rows, row) < 0)
      Py_CLEAR(rows);
    Py_XDECREF(row);
  }
  return rows;
}

/* types(noun): every registered "domain", "learner" or "stream", as dicts. */
static PyObject *types(PyObject *module, PyObject *noun)
{
  (void)module;
  static const struct {
    const char *noun;
    const ofw_type *(*get)(size_t i);
  } registries[] = {{"domain", ofw_domain_type}, {"learner", ofw_learner_type}, {"stream", ofw_stream_type}};
  const ofw_type *(*get)(size_t i) = NULL;
  for (size_t i = 0; i < sizeof registries / sizeof *registries && PyUnicode_Check(noun); i++)
    if (PyUnicode_CompareWithASCIIString(noun, registries[i].noun) == 0)
      get = registries[i].get;
  if (!get) {
    py_refuse("expected 'domain', 'learner' or 'stream'");
    return NULL;
  }
  PyObject *all = PyList_New(0);
  for (size_t i = 0; all && get(i); i++) {
    const ofw_type *type = get(i);
    PyObject *row = Py_BuildValue("{sssssssssN}", "name", type->name, "summary", type->summary, "source", type->source,
                                  "example", type->example, "options", option_rows(type->options));
    if (!row || PyList_Append(all, row) < 0)
      Py_CLEAR(all);
    Py_XDECREF(row);
  }
  return all;
}

/* The options that every learner has. */
static PyObject *common_options(PyObject *module, PyObject *none)
{
  (void)module;
  (void)none;
  return option_rows(ofw_learner_common_options());
}

static PyObject *set_forms(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject *forms, *places;
  if (!PyArg_ParseTuple(args, "OO", &forms, &places))
    return NULL;
  Py_XDECREF(py_forms);
  Py_XDECREF(py_places);
  py_forms = Py_NewRef(forms);
  py_places = Py_NewRef(places);
  return Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
    {"types", types, METH_O, "types(noun) -> the registered domains, learners or streams, with their options"},
    {"common_options", common_options, METH_NOARGS, "the options that every learner has"},
    {"set_forms", set_forms, METH_VARARGS,
     "the functions that read gradients which are not plain arrays of doubles, and arrays of indices"},
    {0},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_core", .m_size = -1, .m_methods = functions};

static int fill(PyObject *module)
{
  PyObject *numpy = PyImport_ImportModule("numpy");
  py_numpy_empty = numpy ? PyObject_GetAttrString(numpy, "empty") : NULL;
  Py_XDECREF(numpy);
  if (!py_numpy_empty || py_errors_add(module) < 0 || py_domain_add(module) < 0 || py_point_add(module) < 0 ||
      py_learner_add(module) < 0 || py_stream_add(module) < 0 || py_play_add(module) < 0)
    return -1;
  if (PyModule_AddIntConstant(module, "sets", (long)ofw_domain_sets_count) < 0)
    return -1;
  return PyModule_AddStringConstant(module, "version", ofw_version());
}

PyMODINIT_FUNC PyInit__core(void); /* which the interpreter calls */
PyMODINIT_FUNC PyInit__core(void)
{
  PyObject *module = PyModule_Create(&definition);
  if (module && fill(module) < 0)
    Py_CLEAR(module);
  return module;
}
