/* panels.c — panels of any processor, and which products are in use */
#include "linalg/kernels.h"
#include "linalg/panel_loops.h"

const ofw_panel_products ofw_panels_portable = {times, add_turned, pass};

const ofw_panel_products *ofw_panels_chosen(void)
{
  return ofw_panels_avx2 && ofw_kernels_chosen() != &ofw_kernels_portable ? ofw_panels_avx2 : &ofw_panels_portable;
}

size_t ofw_panels_size(size_t rows, size_t count)
{
  return rows * ((count + OFW_PANEL - 1) / OFW_PANEL * OFW_PANEL);
}

void ofw_panels_write(const ofw_panels *b, size_t p, size_t from, size_t to, size_t columns, const double *a,
                      size_t stride)
{
  float *out = b->number + (p * b->rows + from) * OFW_PANEL;
  for (size_t i = from; i < to; i++, out += OFW_PANEL)
    for (size_t k = 0; k < OFW_PANEL; k++)
      out[k] = k < columns ? (float)a[i * stride + k] : 0.0F;
}
