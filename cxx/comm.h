class Comm {
public:
	typedef int Copy_attr_function(const Comm &oldcomm, int comm_keyval, void *extra_state,
				       void *attribute_val_in, void *attribute_val_out, bool &flag);
	typedef int Delete_attr_function(Comm &comm, int comm_keyval, void *attribute_val, void *extra_state);
	typedef void Errhandler_function(Comm &comm, int *error_code, ...);
	typedef Errhandler_function Errhandler_fn;
	typedef MPI_Comm C_handle;

	operator MPI_Comm() const { return handle_; }
	bool operator==(const Comm &other) const { return handle_ == other.handle_; }
	bool operator!=(const Comm &other) const { return handle_ != other.handle_; }
	bool operator==(MPI_Comm other) const { return handle_ == other; }
	bool operator!=(MPI_Comm other) const { return handle_ != other; }

	/* A duplicate, of the class that the communicator is of, which is to be freed and deleted. */
	Comm &Clone() const;

	//: Abort
	//: Allgather
	//: Allgatherv
	//: Allreduce
	//: Alltoall
	//: Alltoallv
	//: Alltoallw
	//: Barrier
	//: Bcast
	//: Bsend
	//: Bsend_init
	//: errhandlers Comm
	//: static Compare
	//: static Create_errhandler
	//: Delete_attr
	//: Disconnect
	//: Free
	//: static Free_keyval
	//: Gather
	//: Gatherv
	//: Get_attr
	//: Get_group = Comm_group
	//: Get_name
	static Intercomm Get_parent();
	//: Get_rank = Comm_rank
	//: Get_size = Comm_size
	//: Get_topology = Topo_test
	//: Ibsend
	//: Iprobe
	//: Irecv
	//: Irsend
	//: Is_inter = Comm_test_inter
	//: Isend
	//: Issend
	static Intercomm Join(int fd);
	//: Probe
	//: Recv
	//: Recv_init
	//: Reduce
	//: Reduce_scatter
	//: Reduce_scatter_block
	//: Rsend
	//: Rsend_init
	//: Scatter
	//: Scatterv
	//: Send
	//: Send_init
	//: Sendrecv
	//: Sendrecv_replace
	//: Set_attr
	//: Set_name
	//: Ssend
	//: Ssend_init
	//: attributes Comm Comm

protected:
	Comm() : handle_(MPI_COMM_NULL) {}
	Comm(detail::known_handle, MPI_Comm comm) : handle_(comm) {}
	/* The communicator, or MPI_COMM_NULL where it is not between groups as it should be. */
	static MPI_Comm if_inter(MPI_Comm comm, bool inter)
	{
		int is_inter = inter;
		if (comm != MPI_COMM_NULL && detail::running())
			detail::check(MPI_Comm_test_inter(comm, &is_inter));
		return (is_inter != 0) == inter ? comm : MPI_COMM_NULL;
	}
	static MPI_Comm if_topology(MPI_Comm comm, int topology)
	{
		int has = topology;
		if (comm != MPI_COMM_NULL && detail::running())
			detail::check(MPI_Topo_test(comm, &has));
		return has == topology ? comm : MPI_COMM_NULL;
	}

public:
	MPI_Comm handle_; /* not for programs */
};

class Comm_Null : public Comm {
public:
	Comm_Null() : Comm() {}
	Comm_Null(MPI_Comm) : Comm() {}
	Comm_Null &Clone() const { return *new Comm_Null; }
};

class Intercomm : public Comm {
public:
	//: communicator Intercomm Comm if_inter(comm, true)
	//: Create
	//: Get_remote_group = Comm_remote_group
	//: Get_remote_size = Comm_remote_size
	Intracomm Merge(bool high) const;
	//: Split
};

class Intracomm : public Comm {
public:
	//: communicator Intracomm Comm if_inter(comm, false)
	//: Accept !as=Intercomm
	//: Connect !as=Intercomm
	//: Create
	Cartcomm Create_cart(int ndims, const int dims[], const bool periods[], bool reorder) const;
	Graphcomm Create_graph(int nnodes, const int index[], const int edges[], bool reorder) const;
	//: Create_intercomm = Intercomm_create !as=Intercomm
	Distgraphcomm Dist_graph_create(int n, const int sources[], const int degrees[], const int destinations[],
					const int weights[], const Info &info, bool reorder) const;
	Distgraphcomm Dist_graph_create(int n, const int sources[], const int degrees[], const int destinations[],
					const Info &info, bool reorder) const;
	Distgraphcomm Dist_graph_create_adjacent(int indegree, const int sources[], const int sourceweights[],
						 int outdegree, const int destinations[],
						 const int destweights[], const Info &info, bool reorder) const;
	Distgraphcomm Dist_graph_create_adjacent(int indegree, const int sources[], int outdegree,
						 const int destinations[], const Info &info, bool reorder) const;
	//: Exscan
	//: Scan
	Intercomm Spawn(const char *command, const char *argv[], int maxprocs, const Info &info, int root) const
	{
		return Spawn(command, argv, maxprocs, info, root, MPI_ERRCODES_IGNORE);
	}
	Intercomm Spawn(const char *command, const char *argv[], int maxprocs, const Info &info, int root,
			int array_of_errcodes[]) const
	{
		MPI_Comm intercomm = MPI_COMM_NULL;
		detail::check(MPI_Comm_spawn(command, const_cast<char **>(argv), maxprocs, info, root, handle_,
					     &intercomm, array_of_errcodes));
		return Intercomm(detail::known, intercomm);
	}
	Intercomm Spawn_multiple(int count, const char *array_of_commands[], const char **array_of_argv[],
				 const int array_of_maxprocs[], const Info array_of_info[], int root) const
	{
		return Spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info,
				      root, MPI_ERRCODES_IGNORE);
	}
	Intercomm Spawn_multiple(int count, const char *array_of_commands[], const char **array_of_argv[],
				 const int array_of_maxprocs[], const Info array_of_info[], int root,
				 int array_of_errcodes[]) const
	{
		MPI_Comm intercomm = MPI_COMM_NULL;
		detail::check(MPI_Comm_spawn_multiple(count, const_cast<char **>(array_of_commands),
						      const_cast<char ***>(array_of_argv), array_of_maxprocs,
						      reinterpret_cast<const MPI_Info *>(array_of_info), root,
						      handle_, &intercomm, array_of_errcodes));
		return Intercomm(detail::known, intercomm);
	}
	//: Split
};

class Cartcomm : public Intracomm {
public:
	//: communicator Cartcomm Intracomm if_topology(comm, MPI_CART)
	//: Get_cart_rank = Cart_rank
	//: Get_coords = Cart_coords
	//: Get_dim = Cartdim_get
	void Get_topo(int maxdims, int dims[], bool periods[], int coords[]) const
	{
		detail::flags c_periods(maxdims);
		int code = MPI_Cart_get(handle_, maxdims, dims, c_periods, coords), ndims = 0;
		detail::check(code);
		if (code == MPI_SUCCESS && MPI_Cartdim_get(handle_, &ndims) == MPI_SUCCESS)
			c_periods.get(periods, ndims < maxdims ? ndims : maxdims);
	}
	int Map(int ndims, const int dims[], const bool periods[]) const
	{
		int newrank = MPI_UNDEFINED;
		detail::check(MPI_Cart_map(handle_, ndims, dims, detail::flags(periods, ndims), &newrank));
		return newrank;
	}
	//: Shift = Cart_shift
	Cartcomm Sub(const bool remain_dims[]) const
	{
		MPI_Comm newcomm = MPI_COMM_NULL;
		detail::check(MPI_Cart_sub(handle_, detail::flags(remain_dims, Get_dim()), &newcomm));
		return Cartcomm(detail::known, newcomm);
	}
};

class Graphcomm : public Intracomm {
public:
	//: communicator Graphcomm Intracomm if_topology(comm, MPI_GRAPH)
	void Get_dims(int nnodes[], int nedges[]) const
	{
		detail::check(MPI_Graphdims_get(handle_, nnodes, nedges));
	}
	//: Get_neighbors = Graph_neighbors
	//: Get_neighbors_count = Graph_neighbors_count
	//: Get_topo = Graph_get
	//: Map = Graph_map
};

class Distgraphcomm : public Intracomm {
public:
	//: communicator Distgraphcomm Intracomm if_topology(comm, MPI_DIST_GRAPH)
	//: Get_dist_neighbors = Dist_graph_neighbors
	void Get_dist_neighbors_count(int &indegree, int &outdegree, bool &weighted) const
	{
		int c_weighted = 0;
		detail::check(MPI_Dist_graph_neighbors_count(handle_, &indegree, &outdegree, &c_weighted));
		weighted = c_weighted != 0;
	}
};
