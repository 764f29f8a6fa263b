// A rank whose memory is corrupted writes a malformed packet. Its receiver ends with a line that names it,
// and nothing is written outside the receiver's buffer. The words of a packet stand as drawn in shm/slot.go.
#include "check.h"
#include "segment.h"

enum { TAG = 0x5a5a123 };

struct slot {
	uint32_t seq;
	uint8_t kind, flags;
	uint16_t inlined;
	uint32_t ctx;
	int32_t src, tag;
	uint32_t bulk;
	uint64_t data[5];
};

static int is_packet(const char *line, const void *bytes)
{
	const struct slot *s = (const struct slot *)line;
	int size = *(const int *)bytes;
        return s->tag == TAG && s->kind == 1 && s->seq != 0 &&
               (size <= 40 ? s->inlined == size : s->data[0] == (uint64_t)size);
}

static void corrupt(struct slot *s, const char *how)
{
	if (strcmp(how, "inline") == 0)
		s->inlined = 300;
	else if (strcmp(how, "offset") == 0)
		s->bulk = 0x7fffffff;
	else if (strcmp(how, "end") == 0)
		s->bulk = (256 << 10) - 64;
	else if (strcmp(how, "size") == 0)
		s->data[0] = (uint64_t)1 << 40;
	else if (strcmp(how, "kind") == 0)
		s->kind = 77;
	else if (strcmp(how, "fetched") == 0) // a packet that names a request of the receiver
		s->kind = 3, s->ctx = 4711;
	else if (strcmp(how, "piece") == 0)
		s->kind = 5, s->ctx = 0xffffffff;
	else if (strcmp(how, "announce") == 0)
		s->kind = 2, s->data[0] = (uint64_t)1 << 63;
	else if (strcmp(how, "active-message") == 0)
		s->kind = 12, s->inlined = 3;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "none";
	int size = argc > 2 ? atoi(argv[2]) : 1000, unit;
	static char buf[1 << 16];
	volatile int *flag;
	MPI_Aint bytes;
	MPI_Win win;

	check_init(&argc, &argv);
	MPI_Win_allocate_shared(me == 0 ? 64 : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &win);
	MPI_Win_shared_query(win, 0, &bytes, &unit, &flag);
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 1) {
		MPI_Send(buf, size, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
		struct slot *s = (struct slot *)find_line(is_packet, &size);
		CHECK(s != NULL);
		if (s != NULL)
			corrupt(s, how);
		__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
		MPI_Recv(buf, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		wait_for(flag, 1);
		MPI_Request r;
		if (argc > 3) { // a receive that is posted
			MPI_Irecv(buf, size, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, &r);
			MPI_Wait(&r, MPI_STATUS_IGNORE);
		} else {
			MPI_Recv(buf, size, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		CHECK(strcmp(how, "none") == 0);
		MPI_Send(buf, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
	}
	MPI_Win_free(&win);
	return check_finish();
}
