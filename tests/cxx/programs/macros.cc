// Macros of the program that have the names of constants of MPI, as config.h of Autoconf and headers of others
// define them: the header compiles, the macros stay, and the constants are there once the macros are not.
#define VERSION "1.0"
#define INT int
#define BOOL unsigned char
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define COMM_WORLD 42
#define SUCCESS 7
#include "checks.h"

int main(int argc, char **argv)
{
	INT kept = MAX(COMM_WORLD, SUCCESS);
	BOOL one = 1;

	CHECK(kept == 42 && one == 1 && VERSION[0] == '1');
#undef COMM_WORLD
#undef SUCCESS
#undef INT
#undef MAX
#undef VERSION
	MPI::Init(argc, argv);
	int rank = MPI::COMM_WORLD.Get_rank(), highest = -1;
	MPI::COMM_WORLD.Allreduce(&rank, &highest, 1, MPI::INT, MPI::MAX);
	CHECK(highest == MPI::COMM_WORLD.Get_size() - 1 && MPI::SUCCESS == 0 && MPI::VERSION == 5);
	return finish();
}
