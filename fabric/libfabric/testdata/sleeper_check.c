/* Sleeps that end by the descriptor and by the bell, and none that misses either. */
#define _GNU_SOURCE
#include "../../../shm/bell.h"
#include "../sleeper.h"

#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>

enum { SLEEPS = 10000, STARTS = 1000 };
static const uint64_t LONG = 20000000000; /* ns */

static struct {
	uint32_t word, pad;
	uint64_t rung;
} bell;
static int network;
static struct sleeper sleeper = NO_SLEEPER;

static void arm(uint32_t mark)
{
	__atomic_store_n(&bell.word, mark, __ATOMIC_SEQ_CST);
}

static void must(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "%s\n", what);
		exit(1);
	}
}

/* Whether a sleep that began then was ended long before its limit. */
static int ended(uint64_t began)
{
	return shm_now() - began < LONG / 2;
}

/* Ends each sleep once, in a way that changes, sooner or later. */
static void *end_sleeps(void *unused)
{
	for (uint32_t mark = 1; mark <= SLEEPS; mark++) {
		for (uint32_t polls = 1; __atomic_load_n(&bell.word, __ATOMIC_SEQ_CST) != mark; polls++)
			if (polls % 1024 == 0)
				sched_yield(); /* beside other programs this thread is not to use up its time */
		for (uint32_t i = mark * 7919 % 4096; i > 0; i--)
			__asm__ volatile("");
		if (mark % 512 == 0)
			poll(NULL, 0, 1);
		if (mark / 4 % 3 == 0)
			eventfd_write(network, 1);
		else
			bell_wake(&bell.word);
	}
	return unused;
}

static void every_sleep_ends(void)
{
	pthread_t thread;
	eventfd_t times;

	pthread_create(&thread, NULL, end_sleeps, NULL);
	for (uint32_t mark = 1; mark <= SLEEPS; mark++) {
		uint64_t began = shm_now();
		int by_network = mark / 4 % 3 == 0;

		arm(mark);
		do /* a sleep may end for no reason */
			must(sleeper_sleep(&sleeper, mark, LONG), "another thread sleeps");
		while (by_network ? eventfd_read(network, &times) != 0
		                  : __atomic_load_n(&bell.word, __ATOMIC_SEQ_CST) == mark);
		must(ended(began), by_network ? "the descriptor ends no sleep" : "the bell ends no sleep");
	}
	pthread_join(thread, NULL);
	arm(0);
}

/* Sleeps until the bell is rung, however often a sleep ends for no reason. */
static void *sleep_long(void *unused)
{
	int slept = 0;

	while (__atomic_load_n(&bell.word, __ATOMIC_SEQ_CST) == 7)
		slept |= sleeper_sleep(&sleeper, 7, LONG);
	must(slept, "the first thread has slept nowhere");
	return unused;
}

static void one_at_a_time(void)
{
	pthread_t first;
	uint64_t began = shm_now();

	arm(7);
	pthread_create(&first, NULL, sleep_long, NULL);
	while (sleeper_sleep(&sleeper, 7, 1)) /* until the first thread sleeps */
		must(ended(began), "two threads sleep");
	bell_wake(&bell.word);
	pthread_join(first, NULL);
	must(sleeper_sleep(&sleeper, 7, LONG), "nobody sleeps, and it is taken");
	must(ended(began), "a bell that was rung does not keep a thread awake");
	began = shm_now();
	arm(8);
	while (shm_now() - began < 100000000)
		must(sleeper_sleep(&sleeper, 8, 100000000), "a sleep is taken");
	must(ended(began), "a sleep takes longer than its limit");
	arm(0);
}

int main(void)
{
	network = eventfd(0, EFD_NONBLOCK);
	for (int i = 0; i < STARTS; i++) {
		must(sleeper_start(&sleeper, network, &bell.word) == 0, "no sleeper");
		arm(1);
		if (i % 3 > 0)
			sleeper_sleep(&sleeper, 1, i % 3 == 1 ? 1 : 50000);
		sleeper_stop(&sleeper);
		sleeper = (struct sleeper)NO_SLEEPER;
	}
	must(sleeper_start(&sleeper, network, &bell.word) == 0, "no sleeper");
	every_sleep_ends();
	one_at_a_time();
	sleeper_stop(&sleeper);
	return 0;
}
