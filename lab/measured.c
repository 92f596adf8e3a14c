/* measured.c — whoever looks at results looks at all arms, so they are read at once and by one function */
#include "lab/measured.h"

#include "base/basics.h"

#include <stdlib.h>

ofw_status lab_rows_read(results *from, lab_rows *out, ofw_error *err)
{
  *out = (lab_rows){0};
  OFW_TRY(results_arms(from, &out->arm, &out->n, err));
  out->row = calloc(out->n + 1, sizeof *out->row);
  if (!out->row)
    return ofw_fail_memory(err, out->n * sizeof *out->row);
  for (size_t i = 0; i < out->n; i++) {
    lab_measured *m = &out->row[i];
    m->arm = &out->arm[i];
    OFW_TRY(results_cells(from, m->arm->arm, &m->cell, &m->cells, err));
    OFW_TRY(lab_tuning_read(m->cell, m->cells, &m->tuning, err));
    m->plays = lab_plays_of(m->cell, m->cells);
  }
  return OFW_OK;
}

void lab_rows_free(lab_rows *rows)
{
  for (size_t i = 0; rows->row && i < rows->n; i++)
    results_cells_free(rows->row[i].cell, rows->row[i].cells);
  free(rows->row);
  results_arms_free(rows->arm, rows->n);
}
