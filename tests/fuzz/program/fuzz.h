/*
 * What the parts of the fuzzer share. zz_functions.h says which functions there are and what their parameters
 * mean; draw.c gives each parameter an argument by its kind, alike.c makes those alike that ranks depend on,
 * pools.c keeps the objects that calls have made, memory.c the memory that they are given, rules.c what the
 * standard lets a call wait for, record.c what has been called.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zz_kinds.h"

enum direction { IN, OUT, INOUT };

struct param {
    const char *name;
    enum kind kind;
    enum direction direction;
    int length;  /* the parameter that holds the array's length, -1 if there is none */
    size_t room; /* the array's length, if that is a constant of mpi.h */
    size_t size; /* of an element, in bytes */
    bool array, root, optional;
    int64_t fn; /* the callback that is passed */
};

struct function {
    const char *name, *chapter;
    int (*call)(const int64_t *arguments);
    const struct param *params;
    int n;
};

enum { MOST_PARAMS = 24, MOST_ELEMENTS = 64 };

/* A call that is being made. */
struct call {
    const struct function *function;
    int64_t v[MOST_PARAMS];
    int64_t before[MOST_PARAMS][MOST_ELEMENTS]; /* handles that are passed by address */
    int handles[MOST_PARAMS];                   /* how many of them there are */
    bool bad[MOST_PARAMS];
    bool fails; /* an argument cannot be right, so nothing may be read or written */
};

/* The batch. */
extern int me, np;
extern bool addresses; /* bad addresses are passed, too */
extern uint64_t seed;
extern const struct function *const all_functions;
extern const int all_functions_count;

/* Dice. Shared ones fall alike on all ranks. */
uint64_t roll(void);
int below(int n);
bool chance(int percent);
extern bool together;        /* all ranks make this call */
extern bool rooted;          /* and what it means depends on a root */
extern bool among_neighbors; /* or on the neighbors of each */
bool agree(bool yes); /* whether all ranks say yes, of a call that they make together */

#define PICK(array) ((array)[below((int)(sizeof(array) / sizeof *(array)))])

/* memory.c. Memory lies between pages that nobody may touch; what is outside of [low, high) has to stay as it
 * is. */
void make_memory(void);
char *take(size_t bytes, size_t low, size_t high);
char *take_buffer(int64_t low, int64_t high, bool written);
void expect_strays(void);
void seal(void);
void check_memory(bool keep); /* of this call; without keep, it may not be used any longer */
void check_all_memory(void);
int64_t bad_address(void);
enum { ROOM = 16 * 4096 }; /* the largest buffer */

/* pools.c */
bool is_handle(enum kind kind);
enum kind pool_of(enum kind kind);
bool is_full(enum kind kind);
bool is_new(enum kind kind, int64_t handle);
void remember(enum kind kind, int64_t handle);
void forget(enum kind kind, int64_t handle);
int64_t live_handle(enum kind kind, bool own, bool *found);
int64_t bad_handle(enum kind kind, bool *certain);
int each_live(enum kind kind, int64_t *handles, int most);
void adopt(enum kind kind, int64_t handle);
void end_sessions(void);
void drain(void);
void drain_comm(MPI_Comm comm);
void drop_request(MPI_Request request);

/* values.c */
int64_t draw_size(bool large, bool bad);
int draw_int(const struct param *p, bool bad);
int64_t draw_text(const struct param *p, bool bad);

/* alike.c */
void same_for_all(struct call *call);
void equal_amounts(struct call *call, bool drawn);
void equal_in_place(struct call *call);
void equal_shares(struct call *call);

/* draw.c, draw_buffers.c */
void draw(struct call *call);
void draw_buffers(struct call *call);
int find_kind(const struct call *call, enum kind kind, int from);
int find_param(const struct call *call, const char *name);

/* rules.c */
enum rule { ANYWHERE, TOGETHER, ALONE, ENDS };
enum rule rule_of(const struct function *f);
bool may_call(struct call *call);
void after_call(struct call *call, int rc);
bool keeps_memory(const struct function *f);
void note_memory(int64_t base, bool made);

/* record.c */
void make_record(int rank);
void record_call(const struct call *call);
void record_result(int rc);
__attribute__((format(printf, 1, 2))) void note(const char *format, ...);
__attribute__((format(printf, 1, 2))) void failed(const char *format, ...);
void judge(const struct call *call, int rc);
void make_agreement(const char *path);

#endif
