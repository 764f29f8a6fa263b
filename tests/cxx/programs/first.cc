// One of two translation units, which share the constants and use them before main.
#include "checks.h"

const MPI::Datatype *type_of_second();
MPI::Intracomm &world_of_second();
MPI::Datatype type_before_main();
int sum_in_second(int);

static MPI::Intracomm world = MPI::COMM_WORLD;
static MPI::Op op = MPI::SUM;
static int before_main = type_before_main() == MPI::DOUBLE && MPI::ANY_SOURCE == MPI_ANY_SOURCE;

int main(int argc, char **argv)
{
	CHECK(!MPI::Is_initialized());
	MPI::Init(argc, argv);
	CHECK(MPI::Is_initialized() && !MPI::Is_finalized());
	CHECK(before_main);
	CHECK(world == MPI::COMM_WORLD && world == MPI_COMM_WORLD && op == MPI::SUM);
	CHECK(type_of_second() == &MPI::INT);
	CHECK(&world_of_second() == &MPI::COMM_WORLD);
	int size = world.Get_size();
	CHECK(sum_in_second(1) == size);
	return finish();
}
