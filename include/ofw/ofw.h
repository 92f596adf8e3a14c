/* ofw.h — projection-free online optimisation under time-varying constraints: the whole public interface */
#ifndef OFW_OFW_H
#define OFW_OFW_H

#include <ofw/base.h>
#include <ofw/checkpoint.h>
#include <ofw/domain.h>
#include <ofw/feedback.h>
#include <ofw/learner.h>
#include <ofw/lyapunov.h>
#include <ofw/metrics.h>
#include <ofw/point.h>
#include <ofw/run.h>
#include <ofw/state.h>
#include <ofw/stream.h>
#include <ofw/trace.h>
#include <ofw/vec.h>

#endif
