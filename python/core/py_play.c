/* py_play.c — play(learner, stream, rounds, rows, watch): rounds in C, without the interpreter's lock
 *
 * The account of every round is written into `rows`, whose items are ofw_trace_row. The lock is taken for streams and
 * watchers in Python, and 20 times per second for signals, so that Ctrl-C ends a long play after its round.
 */
#include "py.h"

#include <string.h>

typedef struct watch {
  py_learner *learner;
  ofw_trace_row *row; /* room for all rounds */
  size_t played;
  PyObject *callback; /* NULL: none */
  double every, last; /* seconds between calls of it; 0: after every round */
  double signals;     /* when they were looked at last */
} watch;

/* Whether to stop; an exception stays set. */
static int ask_callback(const watch *w)
{
  w->learner->lent = 1;
  PyObject *given = PyObject_CallFunction(w->callback, "n", (Py_ssize_t)w->played);
  w->learner->lent = 0;
  int stop = given ? PyObject_IsTrue(given) : 1;
  Py_XDECREF(given);
  return stop != 0;
}

static int look(void *ctx, const ofw_trace_row *row)
{
  watch *w = ctx;
  w->row[w->played++] = *row;
  int due = w->callback && row->seconds - w->last >= w->every, stop = 0;
  if (!due && row->seconds - w->signals < 0.05)
    return 0;
  PyGILState_STATE lock = PyGILState_Ensure();
  if (row->seconds - w->signals >= 0.05) {
    w->signals = row->seconds;
    stop = PyErr_CheckSignals() < 0;
  }
  if (due && !stop) {
    w->last = row->seconds;
    stop = ask_callback(w);
  }
  PyGILState_Release(lock);
  return stop;
}

static PyObject *run(py_learner *learner, py_stream *stream, uint64_t rounds, watch *w)
{
  ofw_error err = {0};
  ofw_run *made = ofw_run_create(learner->l, stream->s, &err);
  if (!made)
    return py_raise_error(&err);
  ofw_status st;
  stream->playing = learner;
  stream->ended = 0;
  Py_BEGIN_ALLOW_THREADS;
  st = ofw_run_play(made, rounds, look, w);
  Py_END_ALLOW_THREADS;
  stream->playing = NULL;
  py_feedback_free(&stream->feedback);
  PyObject *played = NULL;
  if (!PyErr_Occurred()) {
    if (st == OFW_OK || st == OFW_END || stream->ended)
      played = PyLong_FromSize_t(w->played);
    else
      py_raise(st, ofw_run_error(made));
  }
  ofw_run_free(made);
  return played;
}

static PyObject *play(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject *learner, *stream, *rows, *callback;
  unsigned long long rounds;
  watch w = {0};
  if (!PyArg_ParseTuple(args, "O!O!KOOd", py_learner_type, &learner, py_stream_type, &stream, &rounds, &rows, &callback,
                        &w.every))
    return NULL;
  py_stream *s = (py_stream *)stream;
  Py_buffer view;
  if (!s->s || s->playing) {
    py_refuse(s->s ? "the stream is already being played" : "this stream is not initialised");
    return NULL;
  }
  if (PyObject_GetBuffer(rows, &view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) < 0)
    return NULL;
  PyObject *played = NULL;
  if ((size_t)view.len != rounds * sizeof(ofw_trace_row))
    py_refuse("rows: found %zd bytes, expected one row per round", view.len);
  else if (py_learner_begin((py_learner *)learner) == 0) {
    w.learner = (py_learner *)learner;
    w.row = view.buf;
    w.callback = callback == Py_None ? NULL : callback;
    w.learner->moves++;
    played = run(w.learner, s, rounds, &w);
    w.learner->moves++;
    py_learner_end(w.learner);
  }
  PyBuffer_Release(&view);
  return played;
}

static PyMethodDef functions[] = {
    {"play", play, METH_VARARGS, "play(learner, stream, rounds, rows, callback, every) -> how many rounds were played"},
    {0},
};

int py_play_add(PyObject *module)
{
  return PyModule_AddFunctions(module, functions) < 0
             ? -1
             : PyModule_AddIntConstant(module, "row_bytes", sizeof(ofw_trace_row));
}
