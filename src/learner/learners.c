/* learners.c — every method by name, in alphabetical order; a new one is one row here */
#include "learner/method.h"

#define OFW_METHODS(row)                                                                                            \
  row(bfw_ada) row(bfw_tvc) row(coco_adagrad) row(lbpm) row(lpm) row(ofw) row(ofw_ada) row(ofw_ada_sc) row(ofw_tvc) \
      row(ogd) row(opdp) row(scbfw_tvc) row(scofw) row(scofw_tvc) row(still)

#define DECLARE(name) extern const ofw_method ofw_##name##_method;
#define ADDRESS(name) &ofw_##name##_method,

OFW_METHODS(DECLARE)
const ofw_method *const ofw_methods[] = {OFW_METHODS(ADDRESS)};
const size_t ofw_methods_count = sizeof ofw_methods / sizeof ofw_methods[0];
