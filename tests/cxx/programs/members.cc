// Every function of the bindings with the type that MPI-2.2, A.4, gives it, and every class of constant. The
// address of each is taken, so that each is compiled, and the linker finds all that they call.
#include <mpi.h>

#include <cstdio>

using namespace MPI;

static int functions = 0;

template <class Function> static void have(Function f)
{
	if (f != 0)
		functions++;
}

// In the place of const. C++98 has no empty arguments of macros.
#define CHANGES

#define DTYPE const Datatype &
#define MESSAGE int, DTYPE
#define M(result, C, name, params, qualifier)                                                                \
	{                                                                                                    \
		result(C::*f) params qualifier = &C::name;                                                   \
		have(f);                                                                                     \
	}
#define S(result, C, name, params)                                                                           \
	{                                                                                                    \
		result(*f) params = &C::name;                                                                \
		have(f);                                                                                     \
	}
#define F(result, name, params)                                                                              \
	{                                                                                                    \
		result(*f) params = &MPI::name;                                                              \
		have(f);                                                                                     \
	}
#define WITH_STATUS(result, C, name, params, with, qualifier)                                                \
	M(result, C, name, params, qualifier) M(result, C, name, with, qualifier)

template <class C> static void attributes()
{
	S(int, C, Create_keyval, (typename C::Copy_attr_function *, typename C::Delete_attr_function *, void *))
	S(void, C, Free_keyval, (int &))
	M(bool, C, Get_attr, (int, void *), const)
	M(void, C, Set_attr, (int, const void *), const)
	M(void, C, Delete_attr, (int), const)
	M(void, C, Get_name, (char *, int &), const)
	M(void, C, Set_name, (const char *), const)
	S(int, C, NULL_COPY_FN, (const C &, int, void *, void *, void *, bool &))
	S(int, C, DUP_FN, (const C &, int, void *, void *, void *, bool &))
	S(int, C, NULL_DELETE_FN, (C &, int, void *, void *))
}

template <class C> static void errhandlers()
{
	typename C::Errhandler_fn *none = 0;
	(void)none;
	S(Errhandler, C, Create_errhandler, (typename C::Errhandler_function *))
	M(Errhandler, C, Get_errhandler, (), const)
	M(void, C, Set_errhandler, (const Errhandler &), const)
	M(void, C, Call_errhandler, (int), const)
}

static void point_to_point()
{
	F(void, Attach_buffer, (void *, int))
	F(int, Detach_buffer, (void *&))
	M(void, Comm, Send, (const void *, MESSAGE, int, int), const)
	M(void, Comm, Bsend, (const void *, MESSAGE, int, int), const)
	M(void, Comm, Ssend, (const void *, MESSAGE, int, int), const)
	M(void, Comm, Rsend, (const void *, MESSAGE, int, int), const)
	M(Request, Comm, Isend, (const void *, MESSAGE, int, int), const)
	M(Request, Comm, Ibsend, (const void *, MESSAGE, int, int), const)
	M(Request, Comm, Issend, (const void *, MESSAGE, int, int), const)
	M(Request, Comm, Irsend, (const void *, MESSAGE, int, int), const)
	M(Prequest, Comm, Send_init, (const void *, MESSAGE, int, int), const)
	M(Prequest, Comm, Bsend_init, (const void *, MESSAGE, int, int), const)
	M(Prequest, Comm, Ssend_init, (const void *, MESSAGE, int, int), const)
	M(Prequest, Comm, Rsend_init, (const void *, MESSAGE, int, int), const)
	WITH_STATUS(void, Comm, Recv, (void *, MESSAGE, int, int), (void *, MESSAGE, int, int, Status &), const)
	M(Request, Comm, Irecv, (void *, MESSAGE, int, int), const)
	M(Prequest, Comm, Recv_init, (void *, MESSAGE, int, int), const)
	WITH_STATUS(bool, Comm, Iprobe, (int, int), (int, int, Status &), const)
	WITH_STATUS(void, Comm, Probe, (int, int), (int, int, Status &), const)
	WITH_STATUS(void, Comm, Sendrecv, (const void *, MESSAGE, int, int, void *, MESSAGE, int, int),
		    (const void *, MESSAGE, int, int, void *, MESSAGE, int, int, Status &), const)
	WITH_STATUS(void, Comm, Sendrecv_replace, (void *, MESSAGE, int, int, int, int),
		    (void *, MESSAGE, int, int, int, int, Status &), const)
	M(int, Status, Get_count, (DTYPE), const)
	M(int, Status, Get_elements, (DTYPE), const)
	M(int, Status, Get_error, (), const)
	M(int, Status, Get_source, (), const)
	M(int, Status, Get_tag, (), const)
	M(bool, Status, Is_cancelled, (), const)
	M(void, Status, Set_cancelled, (bool), CHANGES)
	M(void, Status, Set_elements, (DTYPE, int), CHANGES)
	M(void, Status, Set_error, (int), CHANGES)
	M(void, Status, Set_source, (int), CHANGES)
	M(void, Status, Set_tag, (int), CHANGES)
	M(void, Request, Cancel, (), const)
	M(void, Request, Free, (), CHANGES)
	WITH_STATUS(bool, Request, Get_status, (), (Status &), const)
	M(bool, Request, Test, (), CHANGES)
	M(bool, Request, Test, (Status &), CHANGES)
	M(void, Request, Wait, (), CHANGES)
	M(void, Request, Wait, (Status &), CHANGES)
	S(bool, Request, Testall, (int, Request[]))
	S(bool, Request, Testall, (int, Request[], Status[]))
	S(bool, Request, Testany, (int, Request[], int &))
	S(bool, Request, Testany, (int, Request[], int &, Status &))
	S(int, Request, Testsome, (int, Request[], int[]))
	S(int, Request, Testsome, (int, Request[], int[], Status[]))
	S(void, Request, Waitall, (int, Request[]))
	S(void, Request, Waitall, (int, Request[], Status[]))
	S(int, Request, Waitany, (int, Request[]))
	S(int, Request, Waitany, (int, Request[], Status &))
	S(int, Request, Waitsome, (int, Request[], int[]))
	S(int, Request, Waitsome, (int, Request[], int[], Status[]))
	M(void, Prequest, Start, (), CHANGES)
	S(void, Prequest, Startall, (int, Prequest[]))
	M(void, Grequest, Complete, (), const)
	S(Grequest, Grequest, Start,
	  (Grequest::Query_function *, Grequest::Free_function *, Grequest::Cancel_function *, void *))
}

static void datatypes()
{
	attributes<Datatype>();
	M(void, Datatype, Commit, (), CHANGES)
	M(Datatype, Datatype, Create_contiguous, (int), const)
	M(Datatype, Datatype, Create_darray,
	  (int, int, int, const int[], const int[], const int[], const int[], int), const)
	S(Datatype, Datatype, Create_f90_complex, (int, int))
	S(Datatype, Datatype, Create_f90_integer, (int))
	S(Datatype, Datatype, Create_f90_real, (int, int))
	M(Datatype, Datatype, Create_hindexed, (int, const int[], const Aint[]), const)
	M(Datatype, Datatype, Create_hindexed_block, (int, int, const Aint[]), const)
	M(Datatype, Datatype, Create_hvector, (int, int, Aint), const)
	M(Datatype, Datatype, Create_indexed, (int, const int[], const int[]), const)
	M(Datatype, Datatype, Create_indexed_block, (int, int, const int[]), const)
	M(Datatype, Datatype, Create_resized, (Aint, Aint), const)
	S(Datatype, Datatype, Create_struct, (int, const int[], const Aint[], const Datatype[]))
	M(Datatype, Datatype, Create_subarray, (int, const int[], const int[], const int[], int), const)
	M(Datatype, Datatype, Create_vector, (int, int, int), const)
	M(Datatype, Datatype, Dup, (), const)
	M(void, Datatype, Free, (), CHANGES)
	M(void, Datatype, Get_contents, (int, int, int, int[], Aint[], Datatype[]), const)
	M(void, Datatype, Get_envelope, (int &, int &, int &, int &), const)
	M(void, Datatype, Get_extent, (Aint &, Aint &), const)
	M(int, Datatype, Get_size, (), const)
	M(void, Datatype, Get_true_extent, (Aint &, Aint &), const)
	S(Datatype, Datatype, Match_size, (int, int))
	M(void, Datatype, Pack, (const void *, int, void *, int, int &, const Comm &), const)
	M(void, Datatype, Pack_external, (const char *, const void *, int, void *, Aint, Aint &), const)
	M(Aint, Datatype, Pack_external_size, (const char *, int), const)
	M(int, Datatype, Pack_size, (int, const Comm &), const)
	M(void, Datatype, Unpack, (const void *, int, void *, int, int &, const Comm &), const)
	M(void, Datatype, Unpack_external, (const char *, const void *, Aint, Aint &, void *, int), const)
	F(Aint, Get_address, (const void *))
}

static void collectives()
{
	M(void, Comm, Allgather, (const void *, MESSAGE, void *, MESSAGE), const)
	M(void, Comm, Allgatherv, (const void *, MESSAGE, void *, const int[], const int[], DTYPE), const)
	M(void, Comm, Allreduce, (const void *, void *, MESSAGE, const Op &), const)
	M(void, Comm, Alltoall, (const void *, MESSAGE, void *, MESSAGE), const)
	M(void, Comm, Alltoallv,
	  (const void *, const int[], const int[], DTYPE, void *, const int[], const int[], DTYPE), const)
	M(void, Comm, Alltoallw, (const void *, const int[], const int[], const Datatype[], void *, const int[],
				  const int[], const Datatype[]), const)
	M(void, Comm, Barrier, (), const)
	M(void, Comm, Bcast, (void *, MESSAGE, int), const)
	M(void, Comm, Gather, (const void *, MESSAGE, void *, MESSAGE, int), const)
	M(void, Comm, Gatherv, (const void *, MESSAGE, void *, const int[], const int[], DTYPE, int), const)
	M(void, Comm, Reduce, (const void *, void *, MESSAGE, const Op &, int), const)
	M(void, Comm, Reduce_scatter, (const void *, void *, const int[], DTYPE, const Op &), const)
	M(void, Comm, Reduce_scatter_block, (const void *, void *, MESSAGE, const Op &), const)
	M(void, Comm, Scatter, (const void *, MESSAGE, void *, MESSAGE, int), const)
	M(void, Comm, Scatterv, (const void *, const int[], const int[], DTYPE, void *, MESSAGE, int), const)
	M(void, Intracomm, Exscan, (const void *, void *, MESSAGE, const Op &), const)
	M(void, Intracomm, Scan, (const void *, void *, MESSAGE, const Op &), const)
	M(void, Op, Init, (User_function *, bool), CHANGES)
	M(void, Op, Free, (), CHANGES)
	M(bool, Op, Is_commutative, (), const)
	M(void, Op, Reduce_local, (const void *, void *, MESSAGE), const)
}

static void groups_and_communicators()
{
	S(int, Group, Compare, (const Group &, const Group &))
	S(Group, Group, Difference, (const Group &, const Group &))
	S(Group, Group, Intersect, (const Group &, const Group &))
	S(Group, Group, Union, (const Group &, const Group &))
	S(void, Group, Translate_ranks, (const Group &, int, const int[], const Group &, int[]))
	M(Group, Group, Excl, (int, const int[]), const)
	M(Group, Group, Incl, (int, const int[]), const)
	M(Group, Group, Range_excl, (int, const int[][3]), const)
	M(Group, Group, Range_incl, (int, const int[][3]), const)
	M(int, Group, Get_rank, (), const)
	M(int, Group, Get_size, (), const)
	M(void, Group, Free, (), CHANGES)
	attributes<Comm>();
	errhandlers<Comm>();
	M(void, Comm, Abort, (int), const)
	M(Comm &, Comm, Clone, (), const)
	S(int, Comm, Compare, (const Comm &, const Comm &))
	M(void, Comm, Disconnect, (), CHANGES)
	M(void, Comm, Free, (), CHANGES)
	M(Group, Comm, Get_group, (), const)
	S(Intercomm, Comm, Get_parent, ())
	M(int, Comm, Get_rank, (), const)
	M(int, Comm, Get_size, (), const)
	M(int, Comm, Get_topology, (), const)
	M(bool, Comm, Is_inter, (), const)
	S(Intercomm, Comm, Join, (int))
	M(Comm_Null &, Comm_Null, Clone, (), const)
	M(Intracomm, Intracomm, Create, (const Group &), const)
	M(Intracomm, Intracomm, Split, (int, int), const)
	M(Intracomm, Intracomm, Dup, (), const)
	M(Intracomm &, Intracomm, Clone, (), const)
	M(Intercomm, Intracomm, Create_intercomm, (int, const Comm &, int, int), const)
	M(Intercomm, Intercomm, Create, (const Group &), const)
	M(Intercomm, Intercomm, Split, (int, int), const)
	M(Intercomm, Intercomm, Dup, (), const)
	M(Intercomm &, Intercomm, Clone, (), const)
	M(Group, Intercomm, Get_remote_group, (), const)
	M(int, Intercomm, Get_remote_size, (), const)
	M(Intracomm, Intercomm, Merge, (bool), const)
	M(Intercomm, Intracomm, Accept, (const char *, const Info &, int), const)
	M(Intercomm, Intracomm, Connect, (const char *, const Info &, int), const)
	M(Intercomm, Intracomm, Spawn, (const char *, const char *[], int, const Info &, int), const)
	M(Intercomm, Intracomm, Spawn, (const char *, const char *[], int, const Info &, int, int[]), const)
	M(Intercomm, Intracomm, Spawn_multiple,
	  (int, const char *[], const char **[], const int[], const Info[], int), const)
	M(Intercomm, Intracomm, Spawn_multiple,
	  (int, const char *[], const char **[], const int[], const Info[], int, int[]), const)
}

static void topologies()
{
	F(void, Compute_dims, (int, int, int[]))
	M(Cartcomm, Intracomm, Create_cart, (int, const int[], const bool[], bool), const)
	M(Graphcomm, Intracomm, Create_graph, (int, const int[], const int[], bool), const)
	M(Distgraphcomm, Intracomm, Dist_graph_create,
	  (int, const int[], const int[], const int[], const int[], const Info &, bool), const)
	M(Distgraphcomm, Intracomm, Dist_graph_create,
	  (int, const int[], const int[], const int[], const Info &, bool), const)
	M(Distgraphcomm, Intracomm, Dist_graph_create_adjacent,
	  (int, const int[], const int[], int, const int[], const int[], const Info &, bool), const)
	M(Distgraphcomm, Intracomm, Dist_graph_create_adjacent,
	  (int, const int[], int, const int[], const Info &, bool), const)
	M(Cartcomm, Cartcomm, Dup, (), const)
	M(Cartcomm &, Cartcomm, Clone, (), const)
	M(int, Cartcomm, Get_cart_rank, (const int[]), const)
	M(void, Cartcomm, Get_coords, (int, int, int[]), const)
	M(int, Cartcomm, Get_dim, (), const)
	M(void, Cartcomm, Get_topo, (int, int[], bool[], int[]), const)
	M(int, Cartcomm, Map, (int, const int[], const bool[]), const)
	M(void, Cartcomm, Shift, (int, int, int &, int &), const)
	M(Cartcomm, Cartcomm, Sub, (const bool[]), const)
	M(Graphcomm, Graphcomm, Dup, (), const)
	M(Graphcomm &, Graphcomm, Clone, (), const)
	M(void, Graphcomm, Get_dims, (int[], int[]), const)
	M(int, Graphcomm, Get_neighbors_count, (int), const)
	M(void, Graphcomm, Get_neighbors, (int, int, int[]), const)
	M(void, Graphcomm, Get_topo, (int, int, int[], int[]), const)
	M(int, Graphcomm, Map, (int, const int[], const int[]), const)
	M(Distgraphcomm, Distgraphcomm, Dup, (), const)
	M(Distgraphcomm &, Distgraphcomm, Clone, (), const)
	M(void, Distgraphcomm, Get_dist_neighbors, (int, int[], int[], int, int[], int[]), const)
	M(void, Distgraphcomm, Get_dist_neighbors_count, (int &, int &, bool &), const)
}

static void environment()
{
	F(int, Add_error_class, ())
	F(int, Add_error_code, (int))
	F(void, Add_error_string, (int, const char *))
	F(void *, Alloc_mem, (Aint, const Info &))
	F(void, Free_mem, (void *))
	F(void, Init, ())
	F(void, Init, (int &, char **&))
	F(int, Init_thread, (int))
	F(int, Init_thread, (int &, char **&, int))
	F(void, Finalize, ())
	F(int, Get_error_class, (int))
	F(void, Get_error_string, (int, char *, int &))
	F(void, Get_processor_name, (char *, int &))
	F(void, Get_version, (int &, int &))
	F(bool, Is_initialized, ())
	F(bool, Is_finalized, ())
	F(bool, Is_thread_main, ())
	F(int, Query_thread, ())
	F(double, Wtick, ())
	F(double, Wtime, ())
	F(void, Pcontrol, (int, ...))
	F(void, Open_port, (const Info &, char *))
	F(void, Close_port, (const char *))
	F(void, Publish_name, (const char *, const Info &, const char *))
	F(void, Unpublish_name, (const char *, const Info &, const char *))
	F(void, Lookup_name, (const char *, const Info &, char *))
	M(void, Errhandler, Free, (), CHANGES)
	M(int, Exception, Get_error_code, (), const)
	M(int, Exception, Get_error_class, (), const)
	M(const char *, Exception, Get_error_string, (), const)
	S(Info, Info, Create, ())
	M(Info, Info, Dup, (), const)
	M(void, Info, Free, (), CHANGES)
	M(void, Info, Delete, (const char *), const)
	M(bool, Info, Get, (const char *, int, char *), const)
	M(int, Info, Get_nkeys, (), const)
	M(void, Info, Get_nthkey, (int, char *), const)
	M(bool, Info, Get_valuelen, (const char *, int &), const)
	M(void, Info, Set, (const char *, const char *), const)
}

#define RMA int, DTYPE, int, Aint, int, DTYPE

static void windows()
{
	attributes<Win>();
	errhandlers<Win>();
	S(Win, Win, Create, (const void *, Aint, int, const Info &, const Intracomm &))
	M(void, Win, Free, (), CHANGES)
	M(Group, Win, Get_group, (), const)
	M(void, Win, Put, (const void *, RMA), const)
	M(void, Win, Get, (void *, RMA), const)
	M(void, Win, Accumulate, (const void *, RMA, const Op &), const)
	M(void, Win, Fence, (int), const)
	M(void, Win, Start, (const Group &, int), const)
	M(void, Win, Complete, (), const)
	M(void, Win, Post, (const Group &, int), const)
	M(void, Win, Wait, (), const)
	M(bool, Win, Test, (), const)
	M(void, Win, Lock, (int, int, int), const)
	M(void, Win, Unlock, (int), const)
}

#define TRANSFER(buf, name)                                                                                  \
	WITH_STATUS(void, File, name, (buf, MESSAGE), (buf, MESSAGE, Status &), const)
#define TRANSFER_AT(buf, name)                                                                               \
	WITH_STATUS(void, File, name, (Offset, buf, MESSAGE), (Offset, buf, MESSAGE, Status &), const)
#define SPLIT(buf, name)                                                                                     \
	M(void, File, name##_begin, (buf, MESSAGE), const)                                                   \
	WITH_STATUS(void, File, name##_end, (buf), (buf, Status &), const)

static void files()
{
	errhandlers<File>();
	S(File, File, Open, (const Intracomm &, const char *, int, const Info &))
	S(void, File, Delete, (const char *, const Info &))
	M(void, File, Close, (), CHANGES)
	M(int, File, Get_amode, (), const)
	M(bool, File, Get_atomicity, (), const)
	M(Offset, File, Get_byte_offset, (Offset), const)
	M(Group, File, Get_group, (), const)
	M(Info, File, Get_info, (), const)
	M(Offset, File, Get_position, (), const)
	M(Offset, File, Get_position_shared, (), const)
	M(Offset, File, Get_size, (), const)
	M(Aint, File, Get_type_extent, (DTYPE), const)
	M(void, File, Get_view, (Offset &, Datatype &, Datatype &, char *), const)
	M(Request, File, Iread, (void *, MESSAGE), const)
	M(Request, File, Iread_at, (Offset, void *, MESSAGE), const)
	M(Request, File, Iread_shared, (void *, MESSAGE), const)
	M(Request, File, Iwrite, (const void *, MESSAGE), const)
	M(Request, File, Iwrite_at, (Offset, const void *, MESSAGE), const)
	M(Request, File, Iwrite_shared, (const void *, MESSAGE), const)
	M(void, File, Preallocate, (Offset), const)
	TRANSFER(void *, Read) TRANSFER(void *, Read_all) TRANSFER(void *, Read_ordered)
	TRANSFER(void *, Read_shared) TRANSFER_AT(void *, Read_at) TRANSFER_AT(void *, Read_at_all)
	TRANSFER(const void *, Write) TRANSFER(const void *, Write_all) TRANSFER(const void *, Write_ordered)
	TRANSFER(const void *, Write_shared) TRANSFER_AT(const void *, Write_at)
	TRANSFER_AT(const void *, Write_at_all)
	SPLIT(void *, Read_all) SPLIT(void *, Read_ordered) SPLIT(const void *, Write_all)
	SPLIT(const void *, Write_ordered)
	M(void, File, Read_at_all_begin, (Offset, void *, MESSAGE), const)
	WITH_STATUS(void, File, Read_at_all_end, (void *), (void *, Status &), const)
	M(void, File, Write_at_all_begin, (Offset, const void *, MESSAGE), const)
	WITH_STATUS(void, File, Write_at_all_end, (const void *), (const void *, Status &), const)
	M(void, File, Seek, (Offset, int), const)
	M(void, File, Seek_shared, (Offset, int), const)
	M(void, File, Set_atomicity, (bool), const)
	M(void, File, Set_info, (const Info &), const)
	M(void, File, Set_size, (Offset), const)
	M(void, File, Set_view, (Offset, DTYPE, DTYPE, const char *, const Info &), const)
	M(void, File, Sync, (), const)
	F(void, Register_datarep, (const char *, Datarep_conversion_function *, Datarep_conversion_function *,
				   Datarep_extent_function *, void *))
}

int main()
{
	point_to_point();
	datatypes();
	collectives();
	groups_and_communicators();
	topologies();
	environment();
	windows();
	files();
	if (functions != 347)
		std::printf("%d functions\n", functions);
	return 0;
}
