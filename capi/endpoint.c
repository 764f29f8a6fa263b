/* What the translation of package runtime/fast needs of the system, under the names that zz_fast.h declares.
 */
#define _GNU_SOURCE
#include "../shm/bell.h"
#include "endpoint.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static struct fast_endpoint closed;
struct fast_endpoint *gompi_endpoint = &closed;

void gompi_set_endpoint(uintptr_t endpoint)
{
	gompi_endpoint = (struct fast_endpoint *)endpoint;
}

void fast_wake(uint32_t *bell)
{
	bell_wake(bell);
}

bool fast_kernel_copy(int32_t pid, uintptr_t local, uintptr_t remote, uint64_t bytes, bool write)
{
	const struct iovec own = {(void *)local, bytes}, other = {(void *)remote, bytes};
	const long call = write ? SYS_process_vm_writev : SYS_process_vm_readv;

	return syscall(call, (long)pid, &own, 1L, &other, 1L, 0L) == (long)bytes;
}

uint64_t fast_clock(void)
{
	return shm_now();
}

uint64_t fast_process_time(uint32_t pid)
{
	enum { SCHEDULED = 2 }; /* as clock_getcpuclockid has it, which asks the kernel once more */
	struct timespec t;

	if (pid == 0 || clock_gettime((clockid_t)(~pid << 3 | SCHEDULED), &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint32_t fast_current_core(void)
{
	int core = sched_getcpu();

	return core < 0 ? 0 : (uint32_t)core;
}

void fast_sleep(uint32_t *bell, uint32_t mark, uint64_t limit)
{
	const struct timespec t = {(time_t)(limit / 1000000000), (long)(limit % 1000000000)};

	syscall(SYS_futex, bell, FUTEX_WAIT, mark, &t, NULL, 0);
}

void fast_yield(void)
{
	sched_yield();
}

/* The lock of an endpoint is shm.Mutex: 0 free, 1 held, 2 held and somebody sleeps. */
static uint32_t *lock_of(struct fast_endpoint *endpoint)
{
	return (uint32_t *)&endpoint->lock;
}

bool fast_try_lock(struct fast_endpoint *endpoint)
{
	/* The lock is held for less than a microsecond as a rule; for longer only where its holder was put off
	 * its processor, which it may get back then. */
	enum { ROUNDS = 20 };
	uint32_t *lock = lock_of(endpoint);

	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t i = 0; i < endpoint->lock_polls; i++) {
			uint32_t free = 0;
			if (__atomic_load_n(lock, __ATOMIC_RELAXED) == 0 &&
				__atomic_compare_exchange_n(lock, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
				return true;
			fast_pause();
		}
		if (!fast_endpoint_yield(endpoint))
			break;
	}
	return false;
}

void fast_reenter(struct fast_endpoint *endpoint)
{
	uint32_t *lock = lock_of(endpoint);

	if (endpoint->shared == 0 || fast_try_lock(endpoint))
		return;
	while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0)
		syscall(SYS_futex, lock, FUTEX_WAIT, 2, NULL, NULL, 0);
}

void fast_unlock(struct fast_endpoint *endpoint)
{
	uint32_t *lock = lock_of(endpoint);

	if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2)
		syscall(SYS_futex, lock, FUTEX_WAKE, 1, NULL, NULL, 0);
}
