// The program's functions with the parameters that they have in C++.
#include "checks.h"

static int copies = 0, deletes = 0, handled = 0, freed = 0, cancelled = 0, queried = 0;

static void larger(const void *in, void *inout, int len, const MPI::Datatype &datatype)
{
	CHECK(datatype == MPI::INT);
	for (int i = 0; i < len; i++)
		if (static_cast<const int *>(in)[i] > static_cast<int *>(inout)[i])
			static_cast<int *>(inout)[i] = static_cast<const int *>(in)[i];
}

template <int n> void numbered(const void *in, void *inout, int len, const MPI::Datatype &)
{
	for (int i = 0; i < len; i++)
		static_cast<int *>(inout)[i] += n + static_cast<const int *>(in)[i];
}

template <int n> struct Ops {
	static int run()
	{
		MPI::Op op;
		int one = 1, other = 10;
		op.Init(numbered<n>, true);
		op.Reduce_local(&one, &other, 1, MPI::INT);
		op.Free();
		CHECK(op == MPI::OP_NULL);
		return other == 11 + n ? Ops<n - 1>::run() : n;
	}
};
template <> struct Ops<0> {
	static int run() { return 0; }
};

template <class Class>
static int copy(const Class &object, int, void *extra, void *in, void *out, bool &flag)
{
	CHECK(object != typename Class::C_handle() && *static_cast<int *>(extra) == 5);
	copies++;
	*static_cast<void **>(out) = static_cast<int *>(in) + 1;
	flag = true;
	return MPI::SUCCESS;
}

template <class Class> static int remove(Class &, int, void *value, void *extra)
{
	CHECK(value != 0 && *static_cast<int *>(extra) == 5);
	deletes++;
	return MPI::SUCCESS;
}

template <class Class, class Object> static void attributes(Object object)
{
	int extra = 5, values[2] = {3, 4}, *found = 0;
	int key = Class::Create_keyval(copy<Class>, remove<Class>, &extra);
	int same = Class::Create_keyval(Class::DUP_FN, Class::NULL_DELETE_FN, 0);
	int none = Class::Create_keyval(Class::NULL_COPY_FN, Class::NULL_DELETE_FN, 0);
	object.Set_attr(key, &values[0]);
	object.Set_attr(same, &values[0]);
	object.Set_attr(none, &values[0]);
	copies = deletes = 0;
	Object second = object.Dup();
	CHECK(copies == 1);
	CHECK(second.Get_attr(key, &found) && found == &values[1]);
	CHECK(second.Get_attr(same, &found) && found == &values[0]);
	CHECK(!second.Get_attr(none, &found));
	second.Free();
	CHECK(deletes == 1);
	object.Delete_attr(key);
	object.Delete_attr(same);
	object.Delete_attr(none);
	CHECK(deletes == 2);
	Class::Free_keyval(key);
	CHECK(key == MPI::KEYVAL_INVALID);
}

template <class Class> static void handle(Class &object, int *code, ...)
{
	CHECK(object != typename Class::C_handle());
	CHECK(MPI::Get_error_class(*code) == MPI::ERR_OTHER);
	handled++;
}

template <class Class> static void handler(Class &object)
{
	MPI::Errhandler mine = Class::Create_errhandler(handle<Class>), found;
	object.Set_errhandler(mine);
	handled = 0;
	object.Call_errhandler(MPI::ERR_OTHER);
	CHECK(handled == 1);
	found = object.Get_errhandler();
	found.Free();
	object.Set_errhandler(MPI::ERRORS_RETURN);
	mine.Free();
	CHECK(mine == MPI::ERRHANDLER_NULL);
}

static void leave(MPI::Comm &, int *, ...) { throw 42; }

static int query(void *extra, MPI::Status &status)
{
	queried++;
	status.Set_elements(MPI::INT, *static_cast<int *>(extra));
	status.Set_cancelled(false);
	status.Set_source(MPI::UNDEFINED);
	status.Set_tag(17);
	return MPI::SUCCESS;
}

static int release(void *)
{
	freed++;
	return MPI::SUCCESS;
}

static int stop(void *, bool complete)
{
	cancelled += complete ? 100 : 1;
	return MPI::SUCCESS;
}

static void extent(const MPI::Datatype &, MPI::Aint &file_extent, void *) { file_extent = 4; }

int main(int argc, char **argv)
{
	MPI::Init(argc, argv);
	int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();

	MPI::Op op;
	op.Init(larger, true);
	CHECK(op.Is_commutative());
	int mine[2] = {rank, -rank}, all[2];
	MPI::COMM_WORLD.Allreduce(mine, all, 2, MPI::INT, op);
	CHECK(all[0] == size - 1 && all[1] == 0);
	op.Free();
	for (int i = 0; i < 5; i++) // no function is noted twice
		CHECK(Ops<31>::run() == 0);

	// There is a limit, which is an error like any other.
	MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
	int error_class = MPI::SUCCESS;
	try {
		Ops<40>::run();
	} catch (MPI::Exception &e) {
		error_class = e.Get_error_class();
	}
	CHECK(error_class == MPI::ERR_NO_MEM);
	MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_ARE_FATAL);

	attributes<MPI::Comm>(MPI::COMM_WORLD.Dup());
	attributes<MPI::Datatype>(MPI::INT.Create_contiguous(3));
	MPI::Win win = MPI::Win::Create(MPI::BOTTOM, 0, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
	int extra = 5, key = MPI::Win::Create_keyval(copy<MPI::Win>, remove<MPI::Win>, &extra);
	win.Set_attr(key, &extra);
	deletes = 0;
	handler(win);
	win.Free();
	CHECK(deletes == 1);

	MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
	handler<MPI::Comm>(comm);
	handler(MPI::FILE_NULL);
	int thrown = 0;
	comm.Set_errhandler(MPI::Comm::Create_errhandler(leave));
	try {
		comm.Send(&rank, 1, MPI::INT, size, 0);
	} catch (int value) {
		thrown = value;
	}
	CHECK(thrown == 42);
	comm.Free();

	int count = 3;
	MPI::Grequest request = MPI::Grequest::Start(query, release, stop, &count);
	CHECK(!request.Test());
	request.Cancel();
	CHECK(cancelled == 1);
	request.Complete();
	MPI::Status status;
	request.Wait(status);
	CHECK(queried == 1 && freed == 1 && status.Get_tag() == 17 && status.Get_elements(MPI::INT) == 3);
	CHECK(request == MPI::REQUEST_NULL && !status.Is_cancelled());

	MPI::Register_datarep("the program's", 0, 0, extent, 0);
	return finish();
}
