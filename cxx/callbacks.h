/* The program's functions, which have other parameters in C++ than in C. An exception may leave error
 * handlers and attribute functions, where the library allows it, and no other function. */

namespace detail {

/* What C's functions are to know of the program's; kept for as long as the program runs, because MPI does not
 * say when it has called them for the last time. */
struct kept {
	kept *next;
};

inline void keep(kept *state)
{
	kept *head;
	do {
		head = variables<void>::kept_states;
		state->next = head;
	} while (!__sync_bool_compare_and_swap(&variables<void>::kept_states, head, state));
}

/* An object is its handle, so that a handle of C is one. */
template <class Class> inline Class &object(typename Class::C_handle &handle)
{
	return *reinterpret_cast<Class *>(&handle);
}

inline void raise_of_comm(MPI_Comm *, int *code, ...) { raised() = *code; }
inline void raise_of_win(MPI_Win *, int *code, ...) { raised() = *code; }
inline void raise_of_file(MPI_File *, int *code, ...) { raised() = *code; }

/* The functions of an attribute key. */
template <class Class> struct attribute_functions : kept {
	typedef typename Class::C_handle Handle;
	attribute_functions(typename Class::Copy_attr_function *copy_fn,
			    typename Class::Delete_attr_function *delete_fn, void *extra_state)
	    : copy(copy_fn), remove(delete_fn), extra(extra_state)
	{
		keep(this);
	}
	static int call_copy(Handle handle, int keyval, void *state, void *value, void *copied, int *flag)
	{
		attribute_functions *f = static_cast<attribute_functions *>(state);
		bool is_copied = false;
		int code = f->copy(object<Class>(handle), keyval, f->extra, value, copied, is_copied);
		*flag = is_copied;
		return code;
	}
	static int call_delete(Handle handle, int keyval, void *value, void *state)
	{
		attribute_functions *f = static_cast<attribute_functions *>(state);
		return f->remove(object<Class>(handle), keyval, value, f->extra);
	}
	typename Class::Copy_attr_function *copy;
	typename Class::Delete_attr_function *remove;
	void *extra;
};

/* create is MPI_Comm_create_keyval or one of its kin. */
template <class Class, class Create>
inline int create_keyval(Create *create, typename Class::Copy_attr_function *copy,
			 typename Class::Delete_attr_function *remove, void *extra_state)
{
	int keyval = MPI_KEYVAL_INVALID;
	check(create(copy ? attribute_functions<Class>::call_copy : 0,
		     remove ? attribute_functions<Class>::call_delete : 0, &keyval,
		     new attribute_functions<Class>(copy, remove, extra_state)));
	return keyval;
}

/* The functions of a generalized request, until MPI frees it. */
struct grequest_functions {
	static int call_query(void *state, MPI_Status *status)
	{
		grequest_functions *f = static_cast<grequest_functions *>(state);
		return f->query(f->extra, object<Status>(*status));
	}
	static int call_free(void *state)
	{
		grequest_functions *f = static_cast<grequest_functions *>(state);
		int code = f->free ? f->free(f->extra) : MPI_SUCCESS;
		delete f;
		return code;
	}
	static int call_cancel(void *state, int complete)
	{
		grequest_functions *f = static_cast<grequest_functions *>(state);
		return f->cancel(f->extra, complete != 0);
	}
	Grequest::Query_function *query;
	Grequest::Free_function *free;
	Grequest::Cancel_function *cancel;
	void *extra;
};

/* The functions of a data representation. */
struct datarep_functions : kept {
	static int call_read(void *userbuf, MPI_Datatype datatype, int count, void *filebuf, MPI_Offset position,
			     void *state)
	{
		datarep_functions *f = static_cast<datarep_functions *>(state);
		f->read(userbuf, object<Datatype>(datatype), count, filebuf, position, f->extra);
		return MPI_SUCCESS;
	}
	static int call_write(void *userbuf, MPI_Datatype datatype, int count, void *filebuf, MPI_Offset position,
			      void *state)
	{
		datarep_functions *f = static_cast<datarep_functions *>(state);
		f->write(userbuf, object<Datatype>(datatype), count, filebuf, position, f->extra);
		return MPI_SUCCESS;
	}
	static int call_extent(MPI_Datatype datatype, MPI_Aint *file_extent, void *state)
	{
		datarep_functions *f = static_cast<datarep_functions *>(state);
		f->extent(object<Datatype>(datatype), *file_extent, f->extra);
		return MPI_SUCCESS;
	}
	Datarep_conversion_function *read, *write;
	Datarep_extent_function *extent;
	void *extra;
};

/* C tells a reduction function nothing but its arguments, so each function of the program has one of C to
 * itself, which calls it. They are never given back: a program has few of them, and an operation may be in
 * use after Op::Free. */
template <class Unused> User_function *variables<Unused>::op_functions[op_functions_most] = {};

#define GOMPI_OP_CALLER(n)                                                                                   \
	inline void op_caller_##n(void *in, void *inout, int *len, MPI_Datatype *datatype)                   \
	{                                                                                                    \
		variables<void>::op_functions[n](in, inout, *len, object<Datatype>(*datatype));              \
	}
#define GOMPI_OP_CALLERS(F)                                                                                  \
	F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15) F(16) F(17)    \
	F(18) F(19) F(20) F(21) F(22) F(23) F(24) F(25) F(26) F(27) F(28) F(29) F(30) F(31)
#define GOMPI_OP_CALLER_NAME(n) op_caller_##n,

GOMPI_OP_CALLERS(GOMPI_OP_CALLER)

inline MPI_User_function *op_caller(int n)
{
	static MPI_User_function *const callers[op_functions_most] = {GOMPI_OP_CALLERS(GOMPI_OP_CALLER_NAME)};
	return callers[n];
}

#undef GOMPI_OP_CALLER
#undef GOMPI_OP_CALLERS
#undef GOMPI_OP_CALLER_NAME

} // namespace detail

inline void Op::Init(User_function *function, bool commute)
{
	int n = 0;
	while (n < detail::op_functions_most) {
		User_function *one = __sync_val_compare_and_swap(&detail::variables<void>::op_functions[n],
								 static_cast<User_function *>(0), function);
		if (one == 0 || one == function)
			break;
		n++;
	}
	if (n < detail::op_functions_most)
		detail::check(MPI_Op_create(detail::op_caller(n), commute, &handle_));
	else
		COMM_SELF.Call_errhandler(MPI_ERR_NO_MEM);
}

inline int Comm::Create_keyval(Copy_attr_function *copy_attr_fn, Delete_attr_function *delete_attr_fn,
			       void *extra_state)
{
	return detail::create_keyval<Comm>(MPI_Comm_create_keyval, copy_attr_fn, delete_attr_fn, extra_state);
}

inline int Datatype::Create_keyval(Copy_attr_function *copy_attr_fn, Delete_attr_function *delete_attr_fn,
				   void *extra_state)
{
	return detail::create_keyval<Datatype>(MPI_Type_create_keyval, copy_attr_fn, delete_attr_fn, extra_state);
}

inline int Win::Create_keyval(Copy_attr_function *copy_attr_fn, Delete_attr_function *delete_attr_fn,
			      void *extra_state)
{
	return detail::create_keyval<Win>(MPI_Win_create_keyval, copy_attr_fn, delete_attr_fn, extra_state);
}

inline Grequest Grequest::Start(Query_function *query, Free_function *free, Cancel_function *cancel,
				void *extra_state)
{
	MPI_Request request = MPI_REQUEST_NULL;
	detail::grequest_functions *f = new detail::grequest_functions;
	f->query = query;
	f->free = free;
	f->cancel = cancel;
	f->extra = extra_state;
	int code = MPI_Grequest_start(query ? detail::grequest_functions::call_query : 0,
				      detail::grequest_functions::call_free,
				      cancel ? detail::grequest_functions::call_cancel : 0, f, &request);
	if (code != MPI_SUCCESS)
		delete f;
	detail::check(code);
	return Grequest(request);
}

inline void Register_datarep(const char *datarep, Datarep_conversion_function *read_conversion_function,
			     Datarep_conversion_function *write_conversion_function,
			     Datarep_extent_function *dtype_file_extent_function, void *extra_state)
{
	detail::datarep_functions *f = new detail::datarep_functions;
	f->read = read_conversion_function;
	f->write = write_conversion_function;
	f->extent = dtype_file_extent_function;
	f->extra = extra_state;
	detail::keep(f);
	detail::check(MPI_Register_datarep(datarep, f->read ? detail::datarep_functions::call_read : 0,
					   f->write ? detail::datarep_functions::call_write : 0,
					   detail::datarep_functions::call_extent, f));
}

/* ERRORS_THROW_EXCEPTIONS is a handler for all kinds of object, which C has not: three handlers stand for it,
 * made when they are first needed. */
inline MPI_Errhandler Errhandler::for_holder(holder h) const
{
	if (!is_throwing())
		return handle_;
	MPI_Errhandler &slot = detail::variables<void>::thrower[h], made = MPI_ERRHANDLER_NULL;
	if (slot != 0)
		return slot;
	switch (h) {
	case of_comm:
		detail::check(MPI_Comm_create_errhandler(detail::raise_of_comm, &made));
		break;
	case of_file:
		detail::check(MPI_File_create_errhandler(detail::raise_of_file, &made));
		break;
	case of_win:
		detail::check(MPI_Win_create_errhandler(detail::raise_of_win, &made));
		break;
	}
	if (!__sync_bool_compare_and_swap(&slot, static_cast<MPI_Errhandler>(0), made))
		MPI_Errhandler_free(&made); /* another thread was quicker */
	return slot;
}

inline Errhandler::operator MPI_Errhandler() const { return for_holder(of_comm); }

/* The handler that an object has. */
inline Errhandler Errhandler::found(MPI_Errhandler handle, holder h)
{
	if (handle != detail::variables<void>::thrower[h])
		return Errhandler(handle);
	MPI_Errhandler_free(&handle);
	return Errhandler(throwing());
}

inline void Errhandler::Free()
{
	if (is_throwing())
		handle_ = MPI_ERRHANDLER_NULL;
	else
		detail::check(MPI_Errhandler_free(&handle_));
}

/* Errors that happen on no object were COMM_WORLD's in MPI-2 and have been COMM_SELF's since MPI 4.0. So that
 * programs find them where they look for them, COMM_SELF's handler follows COMM_WORLD's until it gets one of
 * its own. */
inline void Comm::Set_errhandler(const Errhandler &errhandler) const
{
	MPI_Errhandler handler = errhandler.for_holder(Errhandler::of_comm);
	bool both = false;
	if (handle_ == MPI_COMM_WORLD) {
		MPI_Errhandler world = MPI_ERRHANDLER_NULL, self = MPI_ERRHANDLER_NULL;
		if (MPI_Comm_get_errhandler(MPI_COMM_WORLD, &world) == MPI_SUCCESS &&
		    MPI_Comm_get_errhandler(MPI_COMM_SELF, &self) == MPI_SUCCESS) {
			both = world == self;
			MPI_Errhandler_free(&world);
			MPI_Errhandler_free(&self);
		}
	}
	detail::check(MPI_Comm_set_errhandler(handle_, handler));
	if (both)
		detail::check(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
}
