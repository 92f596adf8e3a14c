/* plot.h — figures of an experiment's results, for ofw plot and ofw reproduce */
#pragma once

#include "cli.h"

#include "lab/curve.h"
#include "lab/figure/figure.h"
#include "lab/plays.h"

enum { PLOT_MOST_METRICS = 3 };

/* What is drawn of the results: a line of panels per stream, a panel per metric. */
typedef struct plot_view {
  const char *stream; /* its label; NULL: all of them */
  const char *figure; /* only learners that are drawn in it; NULL: all */
  int metric[PLOT_MOST_METRICS];
  size_t metrics;
  int across; /* CURVE_ORACLE_CALLS, CURVE_SECONDS; CURVE_COLUMNS: rounds */
  int log;    /* both axes */
} plot_view;

/* An experiment's arms with their curves. */
typedef struct plot_data {
  lab_rows rows;
  const results_arm *arm; /* theirs */
  results_curve *curve;   /* one per arm */
  size_t *colour;         /* one per arm: a number for its label and options, on every stream the same */
  const char **figure;    /* one per arm: the name of the figure it is drawn in; NULL: any */
  size_t arms;
} plot_data;

/* plot_free returns it, also if this failed. OFW_BAD_DATA: more arms than a figure can show. */
ofw_status plot_read(results *from, plot_data *out, ofw_error *err);
void plot_free(plot_data *d);

/* 1: the arm has a curve and is in the view. */
int plot_shows(const plot_view *view, const plot_data *d, size_t arm);

/* Whether a panel of the figure is of this stream. */
int plot_has_stream(const figure *f, const char *stream);

/* 0, or an exit code after a complaint. figure_file_check comes first. */
int plot_draw(const command *self, const plot_data *d, const plot_view *view, const char *path);
/* Loss against violation: every tuning run, each learner's front, and what is reported with its deviations. */
int plot_draw_front(const command *self, const plot_data *d, const char *path);
/* The means and deviations that are drawn, as CSV. */
int plot_write_csv(const command *self, const plot_data *d, const plot_view *view, const char *path);
