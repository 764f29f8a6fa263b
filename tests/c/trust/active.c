// What a rank does in its own memory for another one is checked against the window: a put whose address a
// stray store has changed reaches nothing outside, and its origin hears of it: in the same fence, where there
// are three ranks or more. The words of a packet stand as in runtime/fast/active.go.
#include "check.h"
#include "segment.h"

struct packet {
	uint32_t state, kind;
	uint64_t addr;
	uint32_t bytes, type, op, unused;
	uint64_t small[4];
};

static const uint64_t mark = 0x5ca1ab1e0ddba115;

enum { POSTED = 1, WORDS = 512, ROUNDS = 200 };

static int is_packet(const char *line, const void *data)
{
	const struct packet *e = (const struct packet *)line;
        return e->small[0] == *(const uint64_t *)data && (e->state & 3) == POSTED && e->kind == 0 &&
               e->bytes == 8;
}

// Memory with the window in its middle.
static uint64_t memory[3 * WORDS];

static void corrupt(struct packet *e, const char *how, uint64_t base)
{
	if (strcmp(how, "before") == 0)
		e->addr = base - 8;
	else if (strcmp(how, "behind") == 0)
		e->addr = base + WORDS * 8 - 4;
	else if (strcmp(how, "far") == 0)
		e->addr = 4096;
	else if (strcmp(how, "long") == 0)
		e->bytes = 0x7fffffff;
	else if (strcmp(how, "kind") == 0)
		e->kind = 99;
	else if (strcmp(how, "type") == 0)
		e->kind = 2, e->type = 0x2ff, e->op = 0x3f;
}

// Puts a word into the window of rank 0, by an active message that rank 0 finds corrupted.
static void round_of(MPI_Win win, const char *how, MPI_Aint disp, uint64_t base, volatile int *flag, int turn)
{
	uint64_t data = mark + (uint64_t)turn;

	CHECK_MPI(MPI_Win_fence(0, win));
	if (me == 1) {
            wait_for(
                &flag[1],
                turn); // rank 0 is out of the library, so it does not come for the put before the next fence
            CHECK_MPI(MPI_Put(&data, 1, MPI_UINT64_T, 0, disp, 1, MPI_UINT64_T, win));
            struct packet *e = (struct packet *)find_line(is_packet, &data);
            CHECK_MSG(e != NULL, "the put does not go by an active message");
            if (e != NULL)
                corrupt(e, how, base);
            __atomic_store_n(flag, turn, __ATOMIC_RELEASE);
            CHECK_CLASS(MPI_Win_fence(0, win), MPI_ERR_RMA_RANGE);
	} else if (me > 1) {
		wait_for(flag, turn);
		CHECK_MPI(MPI_Win_fence(0, win));
	} else {
		__atomic_store_n(&flag[1], turn, __ATOMIC_RELEASE);
		wait_for(flag, turn);
		CHECK_MPI(MPI_Win_fence(0, win));
		for (int i = 0; i < 3 * WORDS; i++)
			if (i < WORDS || i >= 2 * WORDS)
				CHECK_EQ(memory[i], (uint64_t)0xabababababababab);
			else
				CHECK_MSG(memory[i] < WORDS, "word %d of the window is %" PRIx64, i, memory[i]);
	}
}

int main(int argc, char **argv)
{
	static const char *ways[] = {"before", "behind", "far", "long", "kind", "type"};
	int dynamic = argc > 1, unit, turn = 0;
	volatile int *flag;
	uint64_t base = (uint64_t)(uintptr_t)&memory[WORDS];
	MPI_Aint bytes;
	MPI_Win win, flags;

	check_init(&argc, &argv);
	MPI_Win_allocate_shared(me == 0 ? 64 : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &flags);
	MPI_Win_shared_query(flags, 0, &bytes, &unit, &flag);
	memset(memory, 0xab, sizeof memory);
	memset(&memory[WORDS], 0, WORDS * 8);
	if (dynamic) {
		MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
		MPI_Win_attach(win, &memory[WORDS], WORDS * 8);
	} else {
		MPI_Win_create(&memory[WORDS], WORDS * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	}
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Bcast(&base, 8, MPI_BYTE, 0, MPI_COMM_WORLD);
	for (int pass = 0; pass < 2; pass++) {
		for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++)
			round_of(win, ways[i], dynamic ? (MPI_Aint)base + 64 : 8, base, flag, ++turn);
		// Now the window is one that the stubs serve, and it works as before.
		for (uint64_t k = 1; k <= ROUNDS; k++) {
			CHECK_MPI(MPI_Win_fence(0, win));
			if (me == 1)
                            CHECK_MPI(MPI_Put(&k, 1, MPI_UINT64_T, 0, dynamic ? (MPI_Aint)base + 128 : 16, 1,
                                              MPI_UINT64_T, win));
                        CHECK_MPI(MPI_Win_fence(0, win));
			if (me == 0)
				CHECK_EQ(memory[WORDS + 16], k);
		}
	}
	MPI_Win_free(&win);
	MPI_Win_free(&flags);
	return check_finish();
}
