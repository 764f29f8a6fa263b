/* The calls that complete and start requests. Which requests they were has to be known although the call
 * takes their handles away. Statuses are looked at where a nonblocking receive has left its source or tag
 * open. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

/* Lists longer than MOST are left to the library alone, which finds out whether they can be true. */
enum { FEW = 128, MOST = 1 << 20 };

/* A copy of handles and the statuses that the program does not want: on the stack while they are few. */
struct hand {
	MPI_Request few[FEW], *requests;
	MPI_Status few_statuses[FEW], *statuses;
};

static void hand_open(struct hand *h, int n, const MPI_Request *requests, MPI_Status **statuses)
{
	h->requests = NULL;
	h->statuses = NULL;
	if (n < 0 || n > MOST || requests == NULL)
		return;
	h->requests = n <= FEW ? h->few : malloc((size_t)n * sizeof *h->requests);
	if (h->requests != NULL)
		memcpy(h->requests, requests, (size_t)n * sizeof *requests);
	if (trace_wild && *statuses == MPI_STATUSES_IGNORE) {
		h->statuses = n <= FEW ? h->few_statuses : malloc((size_t)n * sizeof *h->statuses);
		if (h->statuses != NULL)
			*statuses = h->statuses;
	}
}

static void hand_close(struct hand *h)
{
	if (h->requests != h->few)
		free(h->requests);
	if (h->statuses != h->few_statuses)
		free(h->statuses);
}

static void got(const struct record *r, MPI_Request request, const MPI_Status *status)
{
	struct record *s;
	int cancelled = 0;

	if (status == MPI_STATUS_IGNORE || (s = trace_more(r, TRACE_STATUS)) == NULL)
		return;
	if (REAL(Test_cancelled)(status, &cancelled) == MPI_SUCCESS && cancelled)
		s->flags = TRACE_FAILED;
	s->request = trace_short(request);
	s->peer = status->MPI_SOURCE;
	s->tag = status->MPI_TAG;
}

/* Notes the n requests, of those in indices if that is given. */
static void note(const struct record *r, int kind, int n, const MPI_Request *requests, const int *indices,
                 const MPI_Status *statuses)
{
	struct record *done = NULL;

	if (requests == NULL)
		return;
	for (int i = 0; i < n; i++) {
		MPI_Request q = requests[indices == NULL ? i : indices[i]];

		if (q == MPI_REQUEST_NULL)
			continue;
		if (trace_wild && kind == TRACE_DONE && statuses != MPI_STATUSES_IGNORE) {
			got(r, q, &statuses[i]);
			done = NULL; /* records of one call follow each other, and this one is behind */
		}
		if (done == NULL && (done = trace_more(r, kind)) == NULL)
			return;
		done->words[done->flags++] = trace_short(q);
		if (done->flags == 8)
			done = NULL;
	}
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	struct record *r = trace_enter(TRACE_Wait, TRACE_CALL);
	MPI_Request old = r != NULL && request != NULL ? *request : MPI_REQUEST_NULL;
	MPI_Status own;
	int rc;

	if (r != NULL && trace_wild && status == MPI_STATUS_IGNORE)
		status = &own;
	rc = REAL(Wait)(request, status);
	trace_leave(r, rc);
	if (r != NULL && rc == MPI_SUCCESS)
		note(r, TRACE_DONE, 1, &old, NULL, status);
	return rc;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	struct record *r = trace_enter(TRACE_Test, TRACE_CALL);
	MPI_Request old = r != NULL && request != NULL ? *request : MPI_REQUEST_NULL;
	MPI_Status own;
	int rc;

	if (r != NULL && trace_wild && status == MPI_STATUS_IGNORE)
		status = &own;
	rc = REAL(Test)(request, flag, status);
	trace_leave(r, rc);
	if (r != NULL && rc == MPI_SUCCESS && *flag)
		note(r, TRACE_DONE, 1, &old, NULL, status);
	else
		trace_poll(r, rc, 0);
	return rc;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
	struct record *r = trace_enter(TRACE_Waitall, TRACE_CALL);
	struct hand h;
	int rc;

	if (r == NULL)
		return REAL(Waitall)(count, requests, statuses);
	hand_open(&h, count, requests, &statuses);
	rc = REAL(Waitall)(count, requests, statuses);
	trace_leave(r, rc);
	if (rc == MPI_SUCCESS)
		note(r, TRACE_DONE, count, h.requests, NULL, statuses);
	hand_close(&h);
	return rc;
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
	struct record *r = trace_enter(TRACE_Testall, TRACE_CALL);
	struct hand h;
	int rc;

	if (r == NULL)
		return REAL(Testall)(count, requests, flag, statuses);
	hand_open(&h, count, requests, &statuses);
	rc = REAL(Testall)(count, requests, flag, statuses);
	trace_leave(r, rc);
	if (rc == MPI_SUCCESS && *flag)
		note(r, TRACE_DONE, count, h.requests, NULL, statuses);
	else
		trace_poll(r, rc, 0);
	hand_close(&h);
	return rc;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
	struct record *r = trace_enter(TRACE_Waitany, TRACE_CALL);
	struct hand h;
	MPI_Status own, *none = &own;
	int rc;

	if (r == NULL)
		return REAL(Waitany)(count, requests, index, status);
	hand_open(&h, count, requests, &none);
	if (trace_wild && status == MPI_STATUS_IGNORE)
		status = &own;
	rc = REAL(Waitany)(count, requests, index, status);
	trace_leave(r, rc);
	if (rc == MPI_SUCCESS && *index != MPI_UNDEFINED)
		note(r, TRACE_DONE, 1, h.requests, index, status);
	hand_close(&h);
	return rc;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
	struct record *r = trace_enter(TRACE_Testany, TRACE_CALL);
	struct hand h;
	MPI_Status own, *none = &own;
	int rc;

	if (r == NULL)
		return REAL(Testany)(count, requests, index, flag, status);
	hand_open(&h, count, requests, &none);
	if (trace_wild && status == MPI_STATUS_IGNORE)
		status = &own;
	rc = REAL(Testany)(count, requests, index, flag, status);
	trace_leave(r, rc);
	if (rc == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED)
		note(r, TRACE_DONE, 1, h.requests, index, status);
	else
		trace_poll(r, rc, *flag);
	hand_close(&h);
	return rc;
}

int MPI_Waitsome(int count, MPI_Request requests[], int *found, int indices[], MPI_Status statuses[])
{
	struct record *r = trace_enter(TRACE_Waitsome, TRACE_CALL);
	struct hand h;
	int rc;

	if (r == NULL)
		return REAL(Waitsome)(count, requests, found, indices, statuses);
	hand_open(&h, count, requests, &statuses);
	rc = REAL(Waitsome)(count, requests, found, indices, statuses);
	trace_leave(r, rc);
	if (rc == MPI_SUCCESS && *found != MPI_UNDEFINED)
		note(r, TRACE_DONE, *found, h.requests, indices, statuses);
	hand_close(&h);
	return rc;
}

int MPI_Testsome(int count, MPI_Request requests[], int *found, int indices[], MPI_Status statuses[])
{
	struct record *r = trace_enter(TRACE_Testsome, TRACE_CALL);
	struct hand h;
	int rc;

	if (r == NULL)
		return REAL(Testsome)(count, requests, found, indices, statuses);
	hand_open(&h, count, requests, &statuses);
	rc = REAL(Testsome)(count, requests, found, indices, statuses);
	trace_leave(r, rc);
	if (rc == MPI_SUCCESS && *found != MPI_UNDEFINED && *found > 0)
		note(r, TRACE_DONE, *found, h.requests, indices, statuses);
	else
		trace_poll(r, rc, *found != 0);
	hand_close(&h);
	return rc;
}

int MPI_Start(MPI_Request *request)
{
	struct record *r = trace_enter(TRACE_Start, TRACE_CALL);
	int rc = REAL(Start)(request);

	trace_leave(r, rc);
	if (r != NULL && rc == MPI_SUCCESS)
		note(r, TRACE_STARTED, 1, request, NULL, NULL);
	return rc;
}

int MPI_Startall(int count, MPI_Request requests[])
{
	struct record *r = trace_enter(TRACE_Startall, TRACE_CALL);
	int rc = REAL(Startall)(count, requests);

	trace_leave(r, rc);
	if (r != NULL && rc == MPI_SUCCESS)
		note(r, TRACE_STARTED, count, requests, NULL, NULL);
	return rc;
}
