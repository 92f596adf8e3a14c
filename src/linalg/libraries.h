/* libraries.h — which numerical libraries answer: like the kernel variant, they decide about the last bits */
#pragma once

/* "blas=openblas-0.3.21/Haswell lapack=3.9.1 clp=1.17.6 libc=glibc-2.36", found again at each call: words of one line. An OpenBLAS
 * with threads ends with their number ("/2"), another BLAS is named by its file. */
enum { OFW_LIBRARIES_TEXT = 256 };
const char *ofw_libraries_text(char text[OFW_LIBRARIES_TEXT]);
