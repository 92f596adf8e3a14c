/* limits.h — limits on input: all limits of the library and the command, in one place
 *
 * They are far beyond use, so that a file made to hurt, a device, or a typing error ends with one line instead of a
 * machine without memory. docs/limits.md says what each means and what is refused; a test holds the two together. What is
 * below its limit and still does not fit into the machine is refused by ofw_fits, before any of it is written to.
 */
#pragma once

/* ---- sizes that are asked for ---- */
#define OFW_MOST_DIM     1000000000000 /* numbers of a decision; also OFW_MOST_SIDE squared */
#define OFW_MOST_SIDE    1000000       /* rows, or columns, of a matrix */
#define OFW_MOST_ROWS    1000000000 /* rows, or columns, of a matrix that factors can be in the place of; users, items */
#define OFW_MOST_ENTRIES 1000000000000000 /* of such a matrix: below 2^53, and 64 bits count thousands of them */
#define OFW_MOST_WRITTEN 134217728        /* numbers of a decision over factors that is written out */
#define OFW_MOST_BASIS   4096             /* vectors of a basis that such a decision keeps */
#define OFW_MOST_ROUNDS  1000000000000    /* rounds of a play */
#define OFW_MOST_NESTING 8                /* a domain within a domain within .. */
#define OFW_MOST_PARTS   65536            /* domains that one is the product of */
#define OFW_MOST_ATOMS   65536            /* answers of an oracle that a domain remembers */
#define OFW_MOST_THREADS 200              /* that share a loop */
#define OFW_MOST_JOBS    1024             /* plays at a time */
#define OFW_MOST_SHARDS  1000             /* that play a sweep, and databases that are merged */
#define OFW_MOST_SEEDS   10000            /* of a comparison, a growth, a tuning */
#define OFW_MOST_DELAY   65536            /* decisions without feedback when the next one is asked for */

/* ---- sets that are given by lines ---- */
#define OFW_MOST_POLYTOPE_DIM     4096      /* coordinates of a polytope */
#define OFW_MOST_POLYTOPE_ROWS    65536     /* its constraints, without bounds on one coordinate */
#define OFW_MOST_POLYTOPE_NUMBERS 10000000  /* in them */
#define OFW_MOST_HULL_DIM         4096      /* coordinates of the points of a hull */
#define OFW_MOST_HULL_NUMBERS     100000000 /* of all of its points */

/* ---- ratings, in a file that may be compressed ---- */
#define OFW_MOST_RATINGS   1000000000 /* rows of a file; ratings that are generated; ratings of a batch */
#define OFW_MOST_LINES     4000000000 /* with those that are empty */
#define OFW_LONGEST_RATING 1000       /* bytes of a line */

/* ---- the pipe, and files of what goes through it ---- */
#define OFW_LONGEST_FEEDBACK 1073741824 /* bytes of a line of feedback or of a request, whatever the dimension */
#define OFW_MOST_ASKED       10000000   /* numbers of an answer */
#define OFW_MOST_REQUESTS    1073741824 /* bytes of a file of requests */

/* ---- ad auctions ---- */
#define OFW_LONGEST_OPPORTUNITY 65536    /* bytes of a line of opportunities, outcomes or budgets */
#define OFW_LONGEST_CAMPAIGN    200      /* bytes of a campaign's name */
#define OFW_MOST_CAMPAIGNS      4096     /* that have a budget */
#define OFW_MOST_BUDGETS        10000000 /* of days, of all campaigns */
#define OFW_MOST_SLOTS          10000    /* of a day */

/* ---- graphs ---- */
#define OFW_MOST_EDGES  1000000000    /* edges */
#define OFW_MOST_VERTEX 1000000000000 /* the number of a vertex, which is a name: gaps cost nothing */

/* ---- other files that are read ---- */
#define OFW_LONGEST_SET_LINE 1048576     /* bytes of a line of what a domain is given by: numbers, a graph, points */
#define OFW_MOST_SET_LINES   1000000000  /* lines of such a file */
#define OFW_LONGEST_TRACE    1048576     /* bytes of a trace's line */
#define OFW_MOST_TRACE_HEADS 1000        /* lines that begin with # */
#define OFW_MOST_TRACE_ROWS  1000000000  /* rounds that are recorded */
#define OFW_MOST_EXPERIMENT  1048576     /* bytes of an experiment */
#define OFW_MOST_INCLUDED    4           /* files that an experiment includes, one within the other */
#define OFW_MOST_SECTIONS    1000        /* [sections] of an experiment */
#define OFW_MOST_KEYS        1000        /* keys of a section */
#define OFW_MOST_CELLS       1000000     /* plays of an experiment, and arms */
#define OFW_MOST_JUDGED      100000      /* plays that the claims of an experiment compare, all together */
#define OFW_LONGEST_RESULT   16777216    /* bytes of a row of a results database */
#define OFW_MOST_DRAWN       1000        /* arms in a figure */
#define OFW_MOST_DIRECTIONS  17179869184 /* bytes of directions that ofw-bench reads */
#define OFW_MOST_UNPACKED    67108864    /* bytes of a data set that is imported */
