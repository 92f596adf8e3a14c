/* no_clp.c — the set 'polytope' of a library that was built without CLP: it is known by name, and refused
 *
 * CMake takes this file in place of all that needs a linear program.
 */
#include "domain/set.h"

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  (void)K;
  (void)options;
  return ofw_fail(err, OFW_UNSUPPORTED, "polytope: this library was built without CLP; build it with -DOFW_CLP=ON");
}

typedef struct polytope_options {
  char *rows;
  int box;
} polytope_options;

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(polytope_options, rows), "rows", "constraints, in a build with CLP"),
    OFW_CHOICE_ROW(offsetof(polytope_options, box), "box", NULL, "exact", "exact|implied",
                   "the box around the set, in a build with CLP"),
    {0},
};

const ofw_domain_kind ofw_polytope_kind = {{.name = "polytope",
                                            .summary = "vectors that satisfy linear constraints (not in this build)",
                                            .example = "polytope:rows=(x1+x2<=1;x1>=0;x2>=0)",
                                            .options = options},
                                           build};
