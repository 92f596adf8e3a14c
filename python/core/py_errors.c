/* py_errors.c — a status of the library as an exception: ofw.Error and a class per status */
#include "py.h"

#include <stdarg.h>

static PyObject *classes[OFW_END + 1]; /* by status; OFW_OK has the base */

static PyObject *make(const char *name, const char *doc, PyObject *builtin)
{
  PyObject *bases = builtin ? PyTuple_Pack(2, classes[OFW_OK], builtin) : NULL;
  PyObject *made = PyErr_NewExceptionWithDoc(name, doc, bases, NULL);
  Py_XDECREF(bases);
  return made;
}

int py_errors_add(PyObject *module)
{
  classes[OFW_OK] =
      make("ofw.Error", "Base class of everything that ofw raises; the message is the C library's.", NULL);
  if (!classes[OFW_OK])
    return -1;
  const struct {
    ofw_status status;
    const char *name, *doc;
    PyObject *builtin;
  } rows[] = {
      {OFW_FAILED, "ofw.SystemFailure", "The system refused: memory or a file.", PyExc_RuntimeError},
      {OFW_USAGE, "ofw.UsageError", "A wrong call, name or option; nothing changed.", PyExc_ValueError},
      {OFW_BAD_DATA, "ofw.DataError", "Feedback or a file that cannot be accepted; nothing changed.", PyExc_ValueError},
      {OFW_NUMERICAL, "ofw.NumericalError",
       "Arithmetic or an oracle failed; the learner can only be saved, asked for its info and closed.",
       PyExc_ArithmeticError},
      {OFW_UNSUPPORTED, "ofw.UnsupportedError", "This part does not support the call; nothing changed.",
       PyExc_NotImplementedError},
      {OFW_END, "ofw.MissingError", "There is no such file.", PyExc_FileNotFoundError},
  };
  if (PyModule_AddObjectRef(module, "Error", classes[OFW_OK]) < 0)
    return -1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    PyObject *made = make(rows[i].name, rows[i].doc, rows[i].builtin);
    classes[rows[i].status] = made;
    if (!made || PyModule_AddObjectRef(module, rows[i].name + sizeof "ofw." - 1, made) < 0)
      return -1;
  }
  return 0;
}

PyObject *py_raise(ofw_status status, const char *message)
{
  if (!PyErr_Occurred())
    PyErr_SetString(classes[status], message && message[0] ? message : "the call failed");
  return NULL;
}

PyObject *py_raise_error(const ofw_error *err)
{
  return py_raise(err->status == OFW_OK ? OFW_FAILED : err->status, err->message);
}

int py_refuse(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  PyErr_FormatV(classes[OFW_USAGE], format, arguments);
  va_end(arguments);
  return -1;
}
