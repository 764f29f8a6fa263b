#include <mpi.h>

#include <cstdio>
#include <unistd.h>

namespace {
struct Early {
	Early() : type(MPI::DOUBLE), group(MPI::GROUP_EMPTY), whence(MPI::SEEK_SET) {}
	MPI::Datatype type;
	MPI::Group group;
	int whence;
} early;
} // namespace

const MPI::Datatype *type_of_second() { return &MPI::INT; }
MPI::Intracomm &world_of_second() { return MPI::COMM_WORLD; }
MPI::Datatype type_before_main() { return MPI::DOUBLE; }

int sum_in_second(int value)
{
	int sum = 0;
	if (early.type != MPI::DOUBLE || early.group != MPI::GROUP_EMPTY || early.whence != MPI_SEEK_SET)
		return -1;
	MPI::COMM_WORLD.Allreduce(&value, &sum, 1, MPI::INT, MPI::SUM);
#if SEEK_SET != 0
	return -1;
#endif
	std::FILE *file = std::tmpfile();
	if (file == 0 || std::fseek(file, 0, SEEK_END) != 0 || std::fclose(file) != 0)
		return -1;
	return sum;
}
