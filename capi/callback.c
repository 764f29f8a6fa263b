/* Calls of the program's functions. */
#include "callback.h"

#include <stddef.h>
#include <string.h>

#include "../include/mpi.h"

#include "stub.h"

__attribute__((visibility("default"))) void gompi_with_callers(const struct gompi_callers *callers)
{
	if (!gompi_thread->prepared)
		gompi_prepare();
	gompi_thread->callers = callers;
}

__attribute__((visibility("default"))) void gompi_follow(MPI_Request request, void (*function)(void *, int),
                                                         void *arg)
{
	GOMPI_PREPARE();
	gompi_follow_request((uintptr_t)request, (uintptr_t)function, (uintptr_t)arg);
}

__attribute__((visibility("default"))) int gompi_lay_out(MPI_Request request, void *buf, MPI_Count count,
                                                         MPI_Datatype datatype)
{
	GOMPI_PREPARE();
	return gompi_lay_out_request((uintptr_t)request, (uintptr_t)buf, count, (uintptr_t)datatype);
}

void gompi_call_follower(uintptr_t function, uintptr_t arg, int what)
{
	((void (*)(void *, int))function)((void *)arg, what);
}

uintptr_t gompi_callers_now(int *integers)
{
	const struct gompi_callers *callers = gompi_thread->callers;

	*integers = callers != NULL && callers->integers;
	return (uintptr_t)callers;
}

/* The function that is called may call MPI, in C too: the call that it interrupts gets its callers back. */
static void call(struct gompi_callback *c)
{
	const struct gompi_callers *interrupted = gompi_thread->callers;
	MPI_Comm object = (MPI_Comm)c->handle;
	void *value = (void *)c->value, *extra = (void *)c->extra, *copied = NULL;

	gompi_thread->callers = NULL;
	if (c->copies && c->callers != NULL && c->callers->copy != NULL) {
		uintptr_t word = 0;
		c->code = c->callers->copy(c->function, c->handle, c->keyval, c->extra, c->value, &word, &c->flag);
		copied = (void *)word;
	} else if (!c->copies && c->callers != NULL && c->callers->delete_value != NULL)
		c->code = c->callers->delete_value(c->function, c->handle, c->keyval, c->value, c->extra);
	else if (c->copies)
		c->code =
			((MPI_Comm_copy_attr_function *)c->function)(object, c->keyval, extra, value, &copied, &c->flag);
	else
		c->code = ((MPI_Comm_delete_attr_function *)c->function)(object, c->keyval, value, extra);
	c->copied = (uintptr_t)copied;
	gompi_thread->callers = interrupted;
}

void gompi_make_callback(struct gompi_callbacks *callbacks, struct gompi_callback *made)
{
	*made = callbacks->wanted;
	call(made);
	made->next = callbacks->made;
	callbacks->made = made;
}

static int same(const struct gompi_callback *a, const struct gompi_callback *b)
{
	return a->function == b->function && a->handle == b->handle && a->keyval == b->keyval &&
	       a->value == b->value && a->copies == b->copies;
}

int gompi_delete_value(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra)
{
	int code =
		((MPI_Comm_delete_attr_function *)function)((MPI_Comm)handle, keyval, (void *)value, (void *)extra);

	if (code != MPI_SUCCESS) {
		if (!gompi_thread->prepared)
			gompi_prepare();
		gompi_thread->refused = (struct gompi_refusal){function, handle, value, keyval, code};
	}
	return code;
}

/* Whether the engine has called that function, which has failed. */
static int refused(const struct gompi_callback *c)
{
	const struct gompi_refusal *r = &gompi_thread->refused;

	return r->code != MPI_SUCCESS && !c->copies && r->function == c->function && r->handle == c->handle &&
	       r->keyval == c->keyval && r->value == c->value;
}

static struct gompi_callback result_of(struct gompi_callback c)
{
	struct gompi_callbacks *all = gompi_thread->callbacks;

	if (refused(&c)) {
		c.code = gompi_thread->refused.code;
		gompi_thread->refused.code = MPI_SUCCESS;
		return c;
	}
	for (struct gompi_callback *m = all != NULL ? all->made : NULL; m != NULL; m = m->next)
		if (!m->over && same(m, &c)) {
			m->over = !m->copies; /* an attribute is copied once; what has been deleted may come again */
			return *m;
		}
	if (all == NULL || all->closed) {
		call(&c);
	} else {
		all->wanted = c;
		c.asked = 1;
	}
	return c;
}

struct gompi_callback gompi_call_copy(uintptr_t callers, uintptr_t function, uintptr_t handle, int keyval,
                                      uintptr_t extra, uintptr_t value)
{
	return result_of((struct gompi_callback){.callers = (const struct gompi_callers *)callers,
	                                         .function = function,
	                                         .handle = handle,
	                                         .keyval = keyval,
	                                         .extra = extra,
	                                         .value = value,
	                                         .copies = 1});
}

struct gompi_callback gompi_call_delete(uintptr_t callers, uintptr_t function, uintptr_t handle, int keyval,
                                        uintptr_t value, uintptr_t extra)
{
	return result_of((struct gompi_callback){.callers = (const struct gompi_callers *)callers,
	                                         .function = function,
	                                         .handle = handle,
	                                         .keyval = keyval,
	                                         .extra = extra,
	                                         .value = value});
}

int gompi_close_callbacks(void *unused)
{
	(void)unused;
	if (gompi_thread->callbacks != NULL)
		gompi_thread->callbacks->closed = 1;
	return 0;
}

void gompi_call_op(uintptr_t function, uintptr_t in, uintptr_t inout, int count, uintptr_t datatype)
{
	MPI_Datatype type = (MPI_Datatype)datatype;

	((MPI_User_function *)function)((void *)in, (void *)inout, &count, &type);
}

void gompi_call_op_large(uintptr_t function, uintptr_t in, uintptr_t inout, int64_t count, uintptr_t datatype)
{
	MPI_Datatype type = (MPI_Datatype)datatype;
	MPI_Count n = count;

	((MPI_User_function_c *)function)((void *)in, (void *)inout, &n, &type);
}

void gompi_set_handler(uintptr_t function, uintptr_t handle, int code)
{
	gompi_thread->function = function;
	gompi_thread->handle = handle;
	gompi_thread->code = code;
}

int gompi_call_handler(int rc)
{
	MPI_Comm_errhandler_function *function = (MPI_Comm_errhandler_function *)gompi_thread->function;
	MPI_Comm handle = (MPI_Comm)gompi_thread->handle;
	int code = gompi_thread->code;

	if (function == 0)
		return rc;
	gompi_thread->function = 0;   /* the handler may call MPI, */
	gompi_thread->callers = NULL; /* in C too */
	function(&handle, &code);
	return rc == GOMPI_CALLED ? MPI_SUCCESS : code;
}

struct gompi_queried gompi_call_query(uintptr_t callers, uintptr_t function, uintptr_t extra)
{
	const struct gompi_callers *c = (const struct gompi_callers *)callers;
	struct gompi_queried queried;
	MPI_Status status;

	memset(&status, 0, sizeof status);
	status.MPI_SOURCE = MPI_ANY_SOURCE;
	status.MPI_TAG = MPI_ANY_TAG;
	if (c != NULL && c->query != NULL)
		queried.code = c->query(function, extra, &status);
	else
		queried.code = ((MPI_Grequest_query_function *)function)((void *)extra, &status);
	memcpy(queried.status, &status, sizeof queried.status);
	return queried;
}

int gompi_call_free(uintptr_t callers, uintptr_t function, uintptr_t extra)
{
	const struct gompi_callers *c = (const struct gompi_callers *)callers;

	if (c != NULL && c->free_state != NULL)
		return c->free_state(function, extra);
	return ((MPI_Grequest_free_function *)function)((void *)extra);
}

int gompi_call_cancel(uintptr_t callers, uintptr_t function, uintptr_t extra, int complete)
{
	const struct gompi_callers *c = (const struct gompi_callers *)callers;

	if (c != NULL && c->cancel != NULL)
		return c->cancel(function, extra, complete);
	return ((MPI_Grequest_cancel_function *)function)((void *)extra, complete);
}

int gompi_call_extent(uintptr_t callers, uintptr_t function, uintptr_t datatype, int64_t *extent,
                      uintptr_t extra)
{
	const struct gompi_callers *c = (const struct gompi_callers *)callers;
	MPI_Aint value = 0;
	int code;

	if (c != NULL && c->extent != NULL)
		code = c->extent(function, (MPI_Datatype)datatype, &value, extra);
	else
		code = ((MPI_Datarep_extent_function *)function)((MPI_Datatype)datatype, &value, (void *)extra);
	*extent = value;
	return code;
}

int gompi_call_conversion(uintptr_t callers, uintptr_t function, int wide, uintptr_t userbuf,
                          uintptr_t datatype, int64_t count, uintptr_t filebuf, int64_t position,
                          uintptr_t extra)
{
	const struct gompi_callers *c = (const struct gompi_callers *)callers;

	if (c != NULL && c->convert != NULL)
		return c->convert(function, wide, (void *)userbuf, (MPI_Datatype)datatype, count, (void *)filebuf,
		                  position, extra);
	if (wide)
		return ((MPI_Datarep_conversion_function_c *)function)((void *)userbuf, (MPI_Datatype)datatype, count,
		                                                       (void *)filebuf, position, (void *)extra);
	return ((MPI_Datarep_conversion_function *)function)((void *)userbuf, (MPI_Datatype)datatype, (int)count,
	                                                     (void *)filebuf, position, (void *)extra);
}

void gompi_call_event(uintptr_t function, uintptr_t instance, uintptr_t registration, int safety,
                      uintptr_t user_data)
{
	((MPI_T_event_cb_function *)function)((MPI_T_event_instance)instance,
	                                      (MPI_T_event_registration)registration, (MPI_T_cb_safety)safety,
	                                      (void *)user_data);
}

void gompi_call_event_free(uintptr_t function, uintptr_t registration, int safety, uintptr_t user_data)
{
	((MPI_T_event_free_cb_function *)function)((MPI_T_event_registration)registration,
	                                           (MPI_T_cb_safety)safety, (void *)user_data);
}

void gompi_call_event_dropped(uintptr_t function, int64_t count, uintptr_t registration, int source,
                              int safety, uintptr_t user_data)
{
	((MPI_T_event_dropped_cb_function *)function)(count, (MPI_T_event_registration)registration, source,
	                                              (MPI_T_cb_safety)safety, (void *)user_data);
}
