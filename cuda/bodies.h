/* bodies.h — what the kernels of storage=cuda compute, as functions that a GPU and a processor run alike
 *
 * A kernel is `blocks` blocks of threads. A block works in phases: all of its threads finish one before any begins the next,
 * and between phases they share `s`. Blocks do not wait for each other; the one that comes last adds up what all have found.
 * A GPU runs a function here once per thread and phase (gpu.cu); so does a processor, in loops (processor.c). Every sum is added
 * up in an order that the sizes alone decide, and nothing is contracted but what says fma: the numbers are the same on both,
 * bit for bit.
 */
#pragma once

#include "body_answer.h"
#include "body_gather.h"
#include "body_ortho.h"
#include "body_pair.h"
#include "body_pass.h"
#include "body_sums.h"
#include "body_update.h"

/* All kernels: name, what it is told, and then: of one that goes over x, d or y, where its arguments say that they have floats; of one
 * with phases, what the threads of a block share, and how many phases. `over` changes arrays, `summed` finds two numbers. A block
 * has OFW_THREADS threads, but OFW_WIDE if it is of a search: wide, or a pass, whose threads keep something of their own from phase
 * to phase. */
// clang-format off
#define OFW_KERNELS(simple, over, summed, phased, wide, own) \
  simple(answer, ofw_answer_args, ofw_nothing) \
  over(blend, ofw_blend_args, floats) \
  over(add, ofw_add_args, floats) \
  summed(add_measure, ofw_add_measure_args, add.floats) \
  over(add_sparse, ofw_add_sparse_args, floats) \
  summed(dot_sparse, ofw_dot_sparse_args, floats) \
  summed(dot_term, ofw_dot_args, floats) \
  phased(gather, ofw_gather_args, ofw_nothing, OFW_GATHER_PHASES) \
  summed(lead, ofw_lead_args, floats) \
  summed(measure, ofw_measure_args, floats) \
  wide(direction, ofw_search_task, ofw_ortho_shared, OFW_DIRECTION_PHASES) \
  own(pass_body, ofw_search_task, ofw_pass_shared, OFW_PASS_PHASES) \
  wide(finish, ofw_search_task, ofw_ortho_shared, OFW_FINISH_PHASES) \
  simple(add_shares, ofw_search_args, ofw_nothing) \
  simple(rotate, ofw_rotate_args, ofw_nothing) \
  phased(compose, ofw_pair_args, ofw_sums, OFW_COMPOSE_PHASES) \
  phased(normalise, ofw_pair_args, ofw_sums, OFW_NORMALISE_PHASES) \
  summed(segment, ofw_segment_args, floats) \
  over(step, ofw_step_args, floats) \
  summed(step_dot, ofw_step_dot_args, step.floats)
// clang-format on
