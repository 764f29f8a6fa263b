// Calls of the bindings, one program for each number of ranks: messages, datatypes, collectives, groups,
// communicators, topologies and windows.
#include "checks.h"

#include <cstring>

using MPI::COMM_WORLD;
using MPI::INT;

static int rank, size, next, previous;

static void messages()
{
	int out = rank, in = -1, index = -1, indices[2];
	MPI::Status status, statuses[2];
	MPI::Request requests[2];
	static char space[1000 + MPI::BSEND_OVERHEAD];

	MPI::Attach_buffer(space, sizeof space);
	COMM_WORLD.Bsend(&out, 1, INT, next, 1);
	COMM_WORLD.Probe(previous, 1, status);
	CHECK(status.Get_source() == previous && status.Get_tag() == 1 && status.Get_count(INT) == 1);
	COMM_WORLD.Recv(&in, 1, INT, MPI::ANY_SOURCE, MPI::ANY_TAG, status);
	CHECK(in == previous && status.Get_source() == previous);
	CHECK(!COMM_WORLD.Iprobe(MPI::ANY_SOURCE, 99));
	void *buffer = 0;
	CHECK(MPI::Detach_buffer(buffer) == int(sizeof space) && buffer == space);

	COMM_WORLD.Sendrecv(&out, 1, INT, next, 2, &in, 1, INT, previous, 2, status);
	CHECK(in == previous && status.Get_tag() == 2);
	in = rank;
	COMM_WORLD.Sendrecv_replace(&in, 1, INT, next, 3, previous, 3);
	CHECK(in == previous);

	for (int way = 0; way < 6; way++) {
		in = -1;
		requests[0] = COMM_WORLD.Irecv(&in, 1, INT, previous, 4);
		requests[1] = way % 2 ? COMM_WORLD.Issend(&out, 1, INT, next, 4) : COMM_WORLD.Isend(&out, 1, INT, next, 4);
		int done = 0;
		switch (way) {
		case 0:
			MPI::Request::Waitall(2, requests, statuses);
			CHECK(statuses[0].Get_source() == previous);
			break;
		case 1:
			MPI::Request::Waitany(2, requests, status);
			MPI::Request::Waitany(2, requests);
			break;
		case 2:
			while (done < 2)
				done += MPI::Request::Waitsome(2, requests, indices, statuses);
			break;
		case 3:
			while (!MPI::Request::Testall(2, requests))
				;
			break;
		case 4:
			while (done < 2)
				done += MPI::Request::Testany(2, requests, index) && index != MPI::UNDEFINED;
			break;
		case 5:
			while (!requests[0].Get_status(status))
				;
			CHECK(requests[0].Test(status));
			requests[1].Wait();
		}
		CHECK(in == previous && requests[0] == MPI::REQUEST_NULL && requests[1] == MPI::REQUEST_NULL);
	}

	MPI::Prequest kept[2] = {COMM_WORLD.Send_init(&out, 1, INT, next, 5), COMM_WORLD.Recv_init(&in, 1, INT, previous, 5)};
	for (int i = 0; i < 3; i++) {
		in = -1;
		MPI::Prequest::Startall(2, kept);
		kept[0].Wait();
		kept[1].Wait();
		CHECK(in == previous);
	}
	kept[0].Free();
	kept[1].Free();
	CHECK(kept[0] == MPI::REQUEST_NULL);

	MPI::Request never = COMM_WORLD.Irecv(&in, 1, INT, MPI::ANY_SOURCE, 77);
	never.Cancel();
	never.Wait(status);
	CHECK(status.Is_cancelled());
}

static void datatypes()
{
	MPI::Aint lower, extent;
	int lengths[2] = {1, 1}, position = 0, integers, addresses, types, combiner, in[3] = {7, 8, 9}, out[3] = {0, 0, 0};
	MPI::Aint places[2] = {0, 8};
	MPI::Datatype parts[2] = {INT, MPI::DOUBLE};
	MPI::Datatype pair = MPI::Datatype::Create_struct(2, lengths, places, parts);
	char name[MPI::MAX_OBJECT_NAME], packed[100];
	int length = 0;

	pair.Commit();
	pair.Get_extent(lower, extent);
	CHECK(lower == 0 && extent == 16 && pair.Get_size() == 12);
	pair.Get_envelope(integers, addresses, types, combiner);
	CHECK(integers == 3 && addresses == 2 && types == 2 && combiner == MPI::COMBINER_STRUCT);
	int found_integers[3];
	MPI::Aint found_places[2];
	MPI::Datatype found[2];
	pair.Get_contents(3, 2, 2, found_integers, found_places, found);
	CHECK(found_integers[0] == 2 && found_places[1] == 8 && found[0] == INT && found[1] == MPI::DOUBLE);
	pair.Set_name("pair");
	pair.Get_name(name, length);
	CHECK(length == 4 && std::strcmp(name, "pair") == 0);
	pair.Free();
	CHECK(pair == MPI::DATATYPE_NULL);

	MPI::Datatype second = INT.Create_vector(2, 1, 2);
	second.Commit();
	CHECK(second.Pack_size(1, COMM_WORLD) >= 8);
	second.Pack(in, 1, packed, sizeof packed, position, COMM_WORLD);
	CHECK(position == 8);
	position = 0;
	second.Unpack(packed, sizeof packed, out, 1, position, COMM_WORLD);
	CHECK(out[0] == 7 && out[1] == 0 && out[2] == 9);
	second.Free();
	CHECK(MPI::Get_address(&in[1]) - MPI::Get_address(&in[0]) == MPI::Aint(sizeof(int)));
	CHECK(MPI::BOOL.Get_size() == int(sizeof(bool)) && MPI::DOUBLE_COMPLEX.Get_size() == 16);
	CHECK(MPI::F_DOUBLE_COMPLEX == MPI_DOUBLE_COMPLEX && MPI::TWOINT == MPI_2INT);
	CHECK(MPI::F_COMPLEX8 == MPI_COMPLEX8 && MPI::COMPLEX8 == MPI_COMPLEX8);
	CHECK(MPI::F_COMPLEX32 == MPI_COMPLEX32 && MPI::COMPLEX32 == MPI_COMPLEX32);
}

static void collectives()
{
	int one = rank, all[16], sum = 0, counts[16], places[16];
	bool truth = rank == 0, any = false;
	MPI::Datatype types[16];

	COMM_WORLD.Barrier();
	for (int i = 0; i < size; i++) {
		counts[i] = 1;
		places[i] = i;
		types[i] = INT;
	}
	int sum_of_ranks = size * (size - 1) / 2;
	COMM_WORLD.Reduce(&one, &sum, 1, INT, MPI::SUM, 0);
	CHECK(rank != 0 || sum == sum_of_ranks);
	COMM_WORLD.Allreduce(&one, &sum, 1, INT, MPI::SUM);
	CHECK(sum == sum_of_ranks);
	COMM_WORLD.Allreduce(MPI::IN_PLACE, &sum, 1, INT, MPI::MAX);
	CHECK(sum == sum_of_ranks);
	COMM_WORLD.Allreduce(&truth, &any, 1, MPI::BOOL, MPI::LOR);
	CHECK(any);
	COMM_WORLD.Scan(&one, &sum, 1, INT, MPI::SUM);
	CHECK(sum == rank * (rank + 1) / 2);
	COMM_WORLD.Allgather(&one, 1, INT, all, 1, INT);
	for (int i = 0; i < size; i++)
		CHECK(all[i] == i);
	COMM_WORLD.Allgatherv(&one, 1, INT, all, counts, places, INT);
	COMM_WORLD.Gather(&one, 1, INT, all, 1, INT, 0);
	COMM_WORLD.Gatherv(&one, 1, INT, all, counts, places, INT, 0);
	COMM_WORLD.Bcast(all, size, INT, 0);
	CHECK(all[size - 1] == size - 1);
	COMM_WORLD.Scatter(all, 1, INT, &sum, 1, INT, 0);
	COMM_WORLD.Scatterv(all, counts, places, INT, &sum, 1, INT, 0);
	CHECK(sum == rank);
	int to[16], from[16], bytes[16];
	for (int i = 0; i < size; i++) {
		to[i] = 100 * rank + i;
		bytes[i] = i * int(sizeof(int));
	}
	COMM_WORLD.Alltoall(to, 1, INT, from, 1, INT);
	CHECK(from[size - 1] == 100 * (size - 1) + rank);
	COMM_WORLD.Alltoallv(to, counts, places, INT, from, counts, places, INT);
	COMM_WORLD.Alltoallw(to, counts, bytes, types, from, counts, bytes, types);
	CHECK(from[0] == rank);
	COMM_WORLD.Reduce_scatter(all, &sum, counts, INT, MPI::SUM);
	CHECK(sum == size * rank);
}

static void groups()
{
	int zero = 0, in_world = -1, range[1][3] = {{0, size - 1, 1}};
	MPI::Group world = COMM_WORLD.Get_group(), first = world.Incl(1, &zero), rest = world.Excl(1, &zero);
	CHECK(first.Get_size() == 1 && rest.Get_size() == size - 1 && world.Get_rank() == rank);
	MPI::Group whole = MPI::Group::Union(first, rest), none = MPI::Group::Intersect(first, rest), same = world.Range_incl(1, range);
	CHECK(MPI::Group::Compare(whole, world) == MPI::IDENT && none == MPI::GROUP_EMPTY);
	CHECK(MPI::Group::Compare(same, world) == MPI::IDENT);
	MPI::Group::Translate_ranks(first, 1, &zero, world, &in_world);
	CHECK(in_world == 0);
	MPI::Intracomm made = COMM_WORLD.Create(first);
	CHECK((made == MPI::COMM_NULL) == (rank != 0));
	if (made != MPI::COMM_NULL)
		made.Free();
	first.Free();
	rest.Free();
	whole.Free();
	same.Free();
	world.Free();

	MPI::Intracomm half = COMM_WORLD.Split(rank % 2, rank);
	CHECK(half.Get_size() == (size + (rank % 2 == 0)) / 2 && !half.Is_inter());
	CHECK(MPI::Comm::Compare(half, COMM_WORLD) == (size == 1 ? MPI::CONGRUENT : MPI::UNEQUAL));
	if (size > 1) {
		MPI::Intercomm inter = half.Create_intercomm(0, COMM_WORLD, 1 - rank % 2, 9);
		CHECK(inter.Is_inter() && inter.Get_size() + inter.Get_remote_size() == size);
		MPI::Intracomm not_intra = static_cast<MPI_Comm>(inter);
		CHECK(not_intra == MPI::COMM_NULL);
		MPI::Intracomm merged = inter.Merge(rank % 2 == 1);
		CHECK(merged.Get_size() == size);
		MPI::Comm &general = inter, &twin = general.Clone();
		CHECK(twin.Is_inter() && twin != inter);
		twin.Free();
		delete &twin;
		merged.Free();
		inter.Free();
	}
	half.Free();
	CHECK(MPI::Comm::Get_parent() == MPI::COMM_NULL);
}

static void topologies()
{
	int dims[2] = {0, 0}, found[2] = {0, 0}, coords[2] = {-1, -1}, from, to;
	bool periods[2] = {true, false}, found_periods[2] = {false, true}, keep[2] = {true, false};
	MPI::Compute_dims(size, 2, dims);
	MPI::Cartcomm cart = COMM_WORLD.Create_cart(2, dims, periods, false);
	CHECK(cart.Get_topology() == MPI::CART && cart.Get_dim() == 2);
	cart.Get_topo(2, found, found_periods, coords);
	CHECK(found[0] == dims[0] && found_periods[0] && !found_periods[1] && cart.Get_cart_rank(coords) == rank);
	cart.Shift(1, 1, from, to);
	CHECK((to == MPI::PROC_NULL) == (coords[1] == dims[1] - 1));
	MPI::Cartcomm column = cart.Sub(keep);
	CHECK(column.Get_size() == dims[0] && column.Get_dim() == 1);
	MPI::Cartcomm &twin = cart.Clone();
	CHECK(twin.Get_topology() == MPI::CART);
	twin.Free();
	delete &twin;
	MPI::Graphcomm no_graph = static_cast<MPI_Comm>(cart);
	CHECK(no_graph == MPI::COMM_NULL);
	column.Free();
	cart.Free();

	int index[16], edges[16], neighbor = -1, nodes = 0, arcs = 0;
	for (int i = 0; i < size; i++) {
		index[i] = i + 1;
		edges[i] = (i + 1) % size;
	}
	MPI::Graphcomm graph = COMM_WORLD.Create_graph(size, index, edges, false);
	graph.Get_dims(&nodes, &arcs);
	graph.Get_neighbors(rank, 1, &neighbor);
	CHECK(nodes == size && arcs == size && graph.Get_neighbors_count(rank) == 1 && neighbor == next);
	graph.Free();

	int in = 0, out = 0;
	bool weighted = true;
	MPI::Distgraphcomm ring = COMM_WORLD.Dist_graph_create_adjacent(1, &previous, 1, &next, MPI::INFO_NULL, false);
	ring.Get_dist_neighbors_count(in, out, weighted);
	CHECK(in == 1 && out == 1 && !weighted && ring.Get_topology() == MPI::DIST_GRAPH);
	ring.Free();
}

static void windows_and_info()
{
	int memory[2] = {-1, -1}, value = 0, one = 1;
	MPI::Win win = MPI::Win::Create(memory, sizeof memory, sizeof(int), MPI::INFO_NULL, COMM_WORLD);
	win.Fence(0);
	win.Put(&rank, 1, INT, next, 0, 1, INT);
	win.Fence(0);
	CHECK(memory[0] == previous);
	win.Get(&value, 1, INT, next, 0, 1, INT);
	win.Fence(0);
	CHECK(value == rank);
	win.Lock(MPI::LOCK_EXCLUSIVE, 0, 0);
	win.Accumulate(&one, 1, INT, 0, 1, 1, INT, MPI::SUM);
	win.Unlock(0);
	COMM_WORLD.Barrier();
	CHECK(rank != 0 || memory[1] == size - 1);
	win.Free();

	char text[20];
	int length = 0;
	MPI::Info info = MPI::Info::Create();
	info.Set("key", "value");
	CHECK(info.Get_nkeys() == 1 && info.Get("key", 19, text) && std::strcmp(text, "value") == 0);
	CHECK(info.Get_valuelen("key", length) && length == 5 && !info.Get("other", 19, text));
	MPI::Info twin = info.Dup();
	info.Delete("key");
	CHECK(info.Get_nkeys() == 0 && twin.Get_nkeys() == 1);
	info.Free();
	twin.Free();
	void *memory_of_mpi = MPI::Alloc_mem(100, MPI::INFO_NULL);
	CHECK(memory_of_mpi != 0);
	MPI::Free_mem(memory_of_mpi);
}

int main(int argc, char **argv)
{
	CHECK(MPI::Init_thread(argc, argv, MPI::THREAD_FUNNELED) >= MPI::THREAD_FUNNELED);
	CHECK(MPI::Is_thread_main() && MPI::Query_thread() >= MPI::THREAD_FUNNELED);
	rank = COMM_WORLD.Get_rank();
	size = COMM_WORLD.Get_size();
	next = (rank + 1) % size;
	previous = (rank + size - 1) % size;
	double begin = MPI::Wtime();
	messages();
	datatypes();
	collectives();
	groups();
	topologies();
	windows_and_info();
	CHECK(MPI::Wtime() > begin && MPI::Wtick() > 0);
	MPI::Pcontrol(1);
	return finish();
}
