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

/* All kernels: name, what it is told, what the threads of a block share, phases. A block has OFW_THREADS threads, but OFW_WIDE if
 * it is of a search: wide, or a pass, whose threads keep something of their own from phase to phase. */
// clang-format off
#define OFW_KERNELS(simple, phased, wide, own) \
  simple(answer, ofw_answer_args, ofw_nothing) \
  simple(blend, ofw_blend_args, ofw_nothing) \
  simple(add, ofw_add_args, ofw_nothing) \
  phased(add_measure, ofw_add_measure_args, ofw_sums, OFW_SUM_PHASES) \
  simple(add_sparse, ofw_add_sparse_args, ofw_nothing) \
  phased(dot_sparse, ofw_dot_sparse_args, ofw_sums, OFW_SUM_PHASES) \
  phased(dot_term, ofw_dot_args, ofw_sums, OFW_SUM_PHASES) \
  phased(gather, ofw_gather_args, ofw_nothing, OFW_GATHER_PHASES) \
  phased(lead, ofw_lead_args, ofw_sums, OFW_SUM_PHASES) \
  phased(measure, ofw_measure_args, ofw_sums, OFW_SUM_PHASES) \
  wide(direction, ofw_search_task, ofw_ortho_shared, OFW_DIRECTION_PHASES) \
  own(pass_body, ofw_search_task, ofw_pass_shared, OFW_PASS_PHASES) \
  wide(finish, ofw_search_task, ofw_ortho_shared, OFW_FINISH_PHASES) \
  simple(add_shares, ofw_search_args, ofw_nothing) \
  simple(rotate, ofw_rotate_args, ofw_nothing) \
  phased(compose, ofw_pair_args, ofw_sums, OFW_COMPOSE_PHASES) \
  phased(normalise, ofw_pair_args, ofw_sums, OFW_NORMALISE_PHASES) \
  phased(segment, ofw_segment_args, ofw_sums, OFW_SUM_PHASES) \
  simple(step, ofw_step_args, ofw_nothing) \
  phased(step_dot, ofw_step_dot_args, ofw_sums, OFW_SUM_PHASES)
// clang-format on
