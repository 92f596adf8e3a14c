/* epochs.h — learners that do not know their horizon
 *
 * They play epochs of 64, 128, 256, .. rounds, each with the constants of its own length: a new learner takes over at
 * x, with Q and the account, and the old one's place.
 */
#pragma once

#include "learner/method.h"

/* Makes l, built for the first epoch, one that goes on by itself; what it needs for that is copied. */
ofw_status ofw_epochs_open(ofw_learner *l, const ofw_domain *K, const ofw_learner_settings *settings);
void ofw_epochs_close(ofw_epochs *e);

enum { OFW_FIRST_EPOCH = 64 }; /* rounds */
/* If the epoch is over, l becomes the next one's learner. OFW_FAILED: there was no memory, nothing has changed. */
ofw_status ofw_epochs_advance(ofw_learner *l);
/* l becomes what a learner of this horizon is before any round, to be loaded into; *before keeps what it
 * was, for ofw_epochs_settle. */
ofw_status ofw_epochs_enter(ofw_learner *l, uint64_t horizon, ofw_learner **before, ofw_error *err);
/* Takes an enter back (`keep` 0), or lets what was before go. */
void ofw_epochs_settle(ofw_learner *l, ofw_learner *before, int keep);
