// Errors that become exceptions, and those that do not.
#include "checks.h"

#include <cstring>

// Runs a statement that has to throw; *code is that of the exception, class is checked.
#define THROWS(statement, error_class)                                                                       \
	do {                                                                                                 \
		int found = MPI::SUCCESS;                                                                    \
		try {                                                                                        \
			statement;                                                                           \
		} catch (MPI::Exception & e) {                                                               \
			found = e.Get_error_class();                                                         \
			CHECK(MPI::Get_error_class(e.Get_error_code()) == found);                            \
			CHECK(std::strlen(e.Get_error_string()) > 5);                                        \
		}                                                                                            \
		CHECK(found == MPI::error_class);                                                            \
	} while (0)

struct Counted {
	explicit Counted(int &n) : n_(n) { n_++; }
	~Counted() { n_--; }
	int &n_;
};

int main(int argc, char **argv)
{
	MPI::Init(argc, argv);
	int word = 0, rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size(), alive = 0;
	MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
	CHECK(MPI::COMM_WORLD.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);

	for (int i = 0; i < 100; i++) {
		Counted guard(alive);
		THROWS(Counted inner(alive); MPI::COMM_WORLD.Send(&word, 1, MPI::INT, size, 0), ERR_RANK);
		THROWS(MPI::COMM_WORLD.Send(&word, -1, MPI::INT, 0, 0), ERR_COUNT);
	}
	CHECK(alive == 0);
	THROWS(MPI::COMM_WORLD.Isend(&word, 1, MPI::DATATYPE_NULL, 0, 0), ERR_TYPE);
	THROWS(MPI::COMM_WORLD.Bcast(&word, 1, MPI::INT, size + 3), ERR_ROOT);

	// The error is in the message, and is found when the request ends.
	int two[2] = {1, 2};
	MPI::Request sent = MPI::COMM_WORLD.Isend(two, 2, MPI::INT, rank, 7);
	MPI::Request received = MPI::COMM_WORLD.Irecv(&word, 1, MPI::INT, rank, 7);
	THROWS(received.Wait(), ERR_TRUNCATE);
	sent.Wait();

	// Of no communicator: COMM_SELF has followed COMM_WORLD.
	THROWS(MPI::INT.Create_contiguous(-5), ERR_COUNT);

	// A class and a code of the program's own.
	int own_class = MPI::Add_error_class(), own_code = MPI::Add_error_code(own_class);
	MPI::Add_error_string(own_code, "the program's own");
	int caught = 0;
	try {
		MPI::COMM_WORLD.Call_errhandler(own_code);
	} catch (MPI::Exception &e) {
		caught++;
		CHECK(e.Get_error_code() == own_code && e.Get_error_class() == own_class);
	}
	CHECK(caught == 1);
	MPI::Exception made(own_code);
	CHECK(made.Get_error_class() == own_class);
	CHECK(std::strcmp(made.Get_error_string(), "the program's own") == 0);

	// Where errors return there is no exception, neither on this communicator nor for C.
	MPI::Intracomm quiet = MPI::COMM_WORLD.Dup();
	quiet.Set_errhandler(MPI::ERRORS_RETURN);
	CHECK(quiet.Get_errhandler() == MPI::ERRORS_RETURN);
	quiet.Send(&word, 1, MPI::INT, size, 0);
	CHECK(MPI_Send(&word, 1, MPI_INT, size, 0, quiet) != MPI_SUCCESS);
	quiet.Send(&word, 1, MPI::INT, size, 0);
	quiet.Free();
	CHECK(quiet == MPI::COMM_NULL);

	// Files return errors unless they are told otherwise.
	MPI::File none = MPI::File::Open(MPI::COMM_SELF, "/nonexistent/file", MPI::MODE_RDONLY, MPI::INFO_NULL);
	CHECK(none == MPI::FILE_NULL);
	MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
	THROWS(MPI::File::Open(MPI::COMM_SELF, "/nonexistent/file", MPI::MODE_RDONLY, MPI::INFO_NULL),
	       ERR_NO_SUCH_FILE);

	MPI::Win win = MPI::Win::Create(&word, sizeof word, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
	win.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
	win.Fence(0);
	THROWS(win.Put(&word, 1, MPI::INT, size, 0, 1, MPI::INT), ERR_RANK);
	win.Fence(0);
	win.Free();
	return finish();
}
