/* rough_passes.h — a variant's passes over both kinds of rows that rough_pass.h is for */
#define ROUGH(name)              name##_shorts
#define ROWS                     ofw_shorts
#define ROW                      uint32_t
#define ROW_AT(a, i)             ((a)->word + (i) * ((a)->stride / 2))
#define LOAD_BOTH(row, group, j) load_shorts((row) + (group) / 2 + (j))
#define UNIT(a, i)               (a)->c[i]
#include "linalg/rough_pass.h"
#undef ROUGH
#undef ROWS
#undef ROW
#undef ROW_AT
#undef LOAD_BOTH
#undef UNIT
#define ROUGH(name)              name##_floats
#define ROWS                     ofw_floats
#define ROW                      float
#define ROW_AT(a, i)             ((a)->number + (i) * (a)->stride)
#define LOAD_BOTH(row, group, j) load_floats((row) + (group) + (j))
#define UNIT(a, i)               1.0
#include "linalg/rough_pass.h"
