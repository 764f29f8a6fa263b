/* Calls of the program's functions that belong to attributes and reduction operations. */
#include "callback.h"

#include <stddef.h>

#include "mpi.h"

static void call(struct gompi_callback *c)
{
	MPI_Comm object = (MPI_Comm)c->handle;
	void *value = (void *)c->value, *extra = (void *)c->extra, *copied = NULL;

	if (c->copies)
            c->code = ((MPI_Comm_copy_attr_function *)c->function)(object, c->keyval, extra, value, &copied,
                                                                   &c->flag);
        else
		c->code = ((MPI_Comm_delete_attr_function *)c->function)(object, c->keyval, value, extra);
	c->copied = (uintptr_t)copied;
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

static struct gompi_callback result_of(struct gompi_callback c)
{
	struct gompi_callbacks *all = gompi_thread->callbacks;

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

struct gompi_callback gompi_call_copy(uintptr_t function, uintptr_t handle, int keyval, uintptr_t extra,
				      uintptr_t value)
{
    return result_of((struct gompi_callback){.function = function,
                                             .handle = handle,
                                             .keyval = keyval,
                                             .extra = extra,
                                             .value = value,
                                             .copies = 1});
}

struct gompi_callback gompi_call_delete(uintptr_t function, uintptr_t handle, int keyval, uintptr_t value,
					uintptr_t extra)
{
    return result_of((struct gompi_callback){
        .function = function, .handle = handle, .keyval = keyval, .extra = extra, .value = value});
}

void gompi_close_callbacks(void)
{
	if (gompi_thread->callbacks != NULL)
		gompi_thread->callbacks->closed = 1;
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
