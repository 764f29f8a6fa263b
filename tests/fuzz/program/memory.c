/* Memory for arguments. A reservation of many TiB that nobody may touch surrounds every piece, so that an
 * access far outside of one is noticed as well as one just behind it. */
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, STRIDE = 1 << 20, MOST_SLOTS = 20000 };

struct slot {
    char *page;
    size_t bytes;
    char *low, *high; /* what the library may write */
    char *copy;
    bool gone;
};

/* What is reserved behind the zone, so that data that begins at its last bytes ends where no memory is. */
#define BEHIND ((size_t)1 << 30)

static char *zone, *middle;
static size_t zone_size;
static struct slot slots[MOST_SLOTS];
static int used, first_of_call, sealed;
static bool strays; /* a call may have written to any piece */

void make_memory(void)
{
    for (zone_size = (size_t)1 << 44; zone_size >= (size_t)1 << 36; zone_size /= 4) {
        zone = mmap(NULL, zone_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (zone != MAP_FAILED)
            break;
    }
    if (zone == MAP_FAILED)
        failed("no memory can be reserved");
    zone_size -= BEHIND;
    middle = zone + zone_size / 2;
}

static struct slot *next_slot(size_t bytes)
{
    if (used == MOST_SLOTS)
        failed("a batch needs more than %d pieces of memory", MOST_SLOTS);
    struct slot *s = &slots[used];
    s->page = middle + (size_t)used * STRIDE;
    s->bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    if (s->bytes == 0)
        s->bytes = PAGE;
    if (mprotect(s->page, s->bytes, PROT_READ | PROT_WRITE) != 0)
        failed("no memory for a piece of %zu bytes", bytes);
    for (size_t i = 0; i < s->bytes; i++)
        s->page[i] = (char)(i * 7 + (size_t)used * 13 + 1);
    used++;
    return s;
}

/* take is memory of so many bytes, of which [low, high) may be written. Its end is the end of what may be
 * touched. */
char *take(size_t bytes, size_t low, size_t high)
{
    struct slot *s = next_slot(bytes);
    char *begin = s->page + s->bytes - bytes;
    s->low = begin + low;
    s->high = begin + high;
    return begin;
}

/* take_buffer is a message buffer, of which the bytes from low to high are used. */
char *take_buffer(int64_t low, int64_t high, bool written)
{
    size_t span = (size_t)(high - low);
    struct slot *s = next_slot(span + 32);
    char *begin = s->page;
    if (!chance(25))
        begin = (char *)((uintptr_t)(s->page + s->bytes - span) & ~(uintptr_t)15);
    s->low = begin;
    s->high = begin + (written ? span : 0);
    return begin - low;
}

/* expect_strays says of the piece that was taken last that its call may write more than there is. */
void expect_strays(void)
{
    struct slot *s = &slots[used - 1];
    s->low = s->page;
    s->high = s->page + s->bytes;
    strays = true;
}

/* seal notes what the memory of this call holds before the call. */
void seal(void)
{
    for (; sealed < used; sealed++) {
        struct slot *s = &slots[sealed];
        if (s->gone) /* drawn for a call that was not made */
            continue;
        s->copy = malloc(s->bytes);
        if (s->copy)
            memcpy(s->copy, s->page, s->bytes);
    }
}

static void check_slot(struct slot *s, const char *when)
{
    if (s->gone || !s->copy)
        return;
    size_t low = (size_t)(s->low - s->page), high = (size_t)(s->high - s->page);
    if (memcmp(s->page, s->copy, low) == 0 && memcmp(s->page + high, s->copy + high, s->bytes - high) == 0)
        return;
    for (size_t i = 0; i < s->bytes; i++)
        if ((i < low || i >= high) && s->page[i] != s->copy[i])
            failed("%s: byte %p was written; it may write from %p to %p", when, (void *)(s->page + i),
                   (void *)s->low, (void *)s->high);
}

static void retire(struct slot *s)
{
    if (s->gone)
        return;
    s->gone = true;
    free(s->copy);
    s->copy = NULL;
    mmap(s->page, s->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void check_memory(bool keep)
{
    for (; first_of_call < used; first_of_call++) {
        check_slot(&slots[first_of_call], "after the call");
        if (!keep)
            retire(&slots[first_of_call]);
    }
}

void check_all_memory(void)
{
    for (int i = 0; i < used && !strays; i++)
        check_slot(&slots[i], "at the end");
}

/* bad_address is one where no memory is, or none that belongs to the call. */
int64_t bad_address(void)
{
    const int64_t some[] = {8,
                            16,
                            64,
                            4095,
                            0x2000,
                            -1,
                            -8,
                            INT64_MIN,
                            (int64_t)1 << 46,
                            (int64_t)1 << 60,
                            (int64_t)(zone + PAGE),
                            (int64_t)(middle - 4),
                            (int64_t)(zone + zone_size - 8)};
    return PICK(some);
}
