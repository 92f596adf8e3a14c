/* arm_name.h — what an arm is called in figures and on the page */
#pragma once

#include "lab/results.h"

/* The label of arm i, and those of its options in which arms of this label differ; free() returns it. NULL: no memory. */
char *lab_arm_name(const results_arm *arm, size_t n, size_t i);
