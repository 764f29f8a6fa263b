// Calls of the bindings on files.
#include "checks.h"

#include <cstring>

int main(int argc, char **argv)
{
	MPI::Init(argc, argv);
	const char *name = "file.of.cxx";
	int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size(), in = -1;
	const MPI::Datatype &type = MPI::INT;
	MPI::Offset place = rank * MPI::Offset(sizeof(int)), disp = -1;
	MPI::Status status;
	MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
	MPI::File file = MPI::File::Open(MPI::COMM_WORLD, name, MPI::MODE_CREATE | MPI::MODE_RDWR, MPI::INFO_NULL);

	CHECK(file.Get_amode() == (MPI::MODE_CREATE | MPI::MODE_RDWR));
	file.Set_size(0);
	file.Write_at_all(place, &rank, 1, type, status);
	CHECK(status.Get_count(type) == 1 && file.Get_size() == size * MPI::Offset(sizeof(int)));
	file.Sync();
	MPI::COMM_WORLD.Barrier();
	file.Sync();
	file.Read_at(MPI::Offset((rank + 1) % size) * MPI::Offset(sizeof(int)), &in, 1, type, status);
	CHECK(in == (rank + 1) % size && status.Get_count(type) == 1);
	file.Seek(place, MPI::SEEK_SET);
	file.Read(&in, 1, type);
	CHECK(in == rank && file.Get_position() == place + MPI::Offset(sizeof(int)));
	file.Iread_at(place, &in, 1, type).Wait();
	file.Set_view(0, type, type, "native", MPI::INFO_NULL);
	MPI::Datatype etype, filetype;
	char datarep[MPI::MAX_DATAREP_STRING];
	file.Get_view(disp, etype, filetype, datarep);
	CHECK(disp == 0 && etype == type && filetype == type && std::strcmp(datarep, "native") == 0);
	CHECK(file.Get_byte_offset(2) == 8 && file.Get_type_extent(type) == 4);
	file.Seek_shared(0, MPI::SEEK_SET);
	int out = 10 * rank;
	file.Write_ordered(&out, 1, type);
	file.Seek(rank, MPI::SEEK_SET);
	file.Read_all_begin(&in, 1, type);
	file.Read_all_end(&in, status);
	CHECK(in == 10 * rank && status.Get_count(type) == 1 && file.Get_position_shared() == size);
	file.Set_atomicity(true);
	CHECK(file.Get_atomicity());
	MPI::Group group = file.Get_group();
	CHECK(group.Get_size() == size);
	group.Free();
	MPI::Info info = file.Get_info();
	info.Free();
	file.Close();
	CHECK(file == MPI::FILE_NULL);
	if (rank == 0)
		MPI::File::Delete(name, MPI::INFO_NULL);
	return finish();
}
