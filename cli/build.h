/* build.h — which ofw this is, as files that outlast it say */
#pragma once

#include "cli.h"

/* "ofw 0.2.0 kernel=avx2 blas=openblas-0.3.21/Haswell lapack=3.9.1 clp=1.17.6 libc=glibc-2.36": what decides about the last
 * bits. */
enum { BUILD_TEXT = 320 };
const char *build_text(char text[BUILD_TEXT]);
/* Says that what goes on here was begun by another build, if it was: `there` is its text, up to the end of the line. */
void warn_build(const command *self, const char *path, const char *there);
