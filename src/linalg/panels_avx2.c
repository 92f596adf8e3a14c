/* panels_avx2.c — products with panels for x86-64 processors with AVX2 and FMA, whose instructions the build allows here */
#include "linalg/panels.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "linalg/panel_loops.h"

static const ofw_panel_products products = {times, add_turned, pass};
const ofw_panel_products *const ofw_panels_avx2 = &products;
#else
const ofw_panel_products *const ofw_panels_avx2 = NULL;
#endif
