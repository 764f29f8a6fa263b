/* Datatypes with gaps, and a check that what a rank has received of one is what its neighbour has sent. */
#ifndef GAPS_H
#define GAPS_H

#include "ring.h"

enum { TYPES = 6, MOST = 4096, PLAIN = 5 };

static MPI_Datatype types[TYPES];
static int memory[MOST], got[MOST], dense[MOST];

static void make(void)
{
    int lengths[40], places[40], sizes[2] = {6, 8}, part[2] = {3, 4}, start[2] = {1, 2};
    MPI_Aint bytes[3] = {0, 8, 20};
    MPI_Datatype fields[3] = {MPI_INT, MPI_DOUBLE, MPI_INT}, strided;
    for (int i = 0; i < 40; i++) {
        lengths[i] = 1 + i % 2;
        places[i] = 3 * i;
    }
    MPI_Type_vector(4, 1, 2, MPI_INT, &types[0]);
    MPI_Type_indexed(10, lengths, places, MPI_INT, &types[1]);
    MPI_Type_create_struct(3, (int[]){1, 1, 1}, bytes, fields, &types[2]);
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &types[3]);
    MPI_Type_vector(2, 3, 5, MPI_INT, &strided);
    MPI_Type_create_resized(strided, 0, 48, &types[4]);
    MPI_Type_free(&strided);
    MPI_Type_indexed(40, lengths, places, MPI_INT, &types[5]); /* not plain where there is much of it */
    for (int i = 0; i < TYPES; i++)
        CHECK_MPI(MPI_Type_commit(&types[i]));
}

static int packed(const int *data, int count, MPI_Datatype t, int *into)
{
    int at = 0;
    CHECK_MPI(MPI_Pack(data, count, t, into, MOST * 4, &at, MPI_COMM_SELF));
    return at;
}

static void fill(int seed)
{
    for (int i = 0; i < MOST; i++) {
        memory[i] = 10000 * seed + i;
        got[i] = -1;
    }
}

/* What was received is what the neighbour has sent, and nothing beside it was written. */
static void check(int seed, int count, int k)
{
    static int want[MOST], is[MOST], other[MOST];
    int holes = 0, n;
    for (int i = 0; i < MOST; i++)
        other[i] = 10000 * seed + i;
    n = packed(other, count, types[k], want);
    CHECK_EQ(packed(got, count, types[k], is), n);
    if (memcmp(want, is, n) != 0)
        CHECK_MSG(0, "%d of type %d: other data", count, k);
    for (int i = 0; i < MOST; i++)
        holes += got[i] == -1;
    CHECK_EQ(holes, MOST - n / 4);
}

#endif
