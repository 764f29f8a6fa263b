inline Comm &Comm::Clone() const
{
	int is_inter = 0, topology = MPI_UNDEFINED;
	if (handle_ == MPI_COMM_NULL)
		return *new Comm_Null;
	detail::check(MPI_Comm_test_inter(handle_, &is_inter));
	detail::check(MPI_Topo_test(handle_, &topology));
	MPI_Comm newcomm = MPI_COMM_NULL;
	detail::check(MPI_Comm_dup(handle_, &newcomm));
	if (is_inter)
		return *new Intercomm(detail::known, newcomm);
	switch (topology) {
	case MPI_CART:
		return *new Cartcomm(detail::known, newcomm);
	case MPI_GRAPH:
		return *new Graphcomm(detail::known, newcomm);
	case MPI_DIST_GRAPH:
		return *new Distgraphcomm(detail::known, newcomm);
	}
	return *new Intracomm(detail::known, newcomm);
}

inline Intercomm Comm::Get_parent()
{
	MPI_Comm parent = MPI_COMM_NULL;
	detail::check(MPI_Comm_get_parent(&parent));
	return Intercomm(detail::known, parent);
}

inline Intercomm Comm::Join(int fd)
{
	MPI_Comm intercomm = MPI_COMM_NULL;
	detail::check(MPI_Comm_join(fd, &intercomm));
	return Intercomm(detail::known, intercomm);
}

inline Intracomm Intercomm::Merge(bool high) const
{
	MPI_Comm newintracomm = MPI_COMM_NULL;
	detail::check(MPI_Intercomm_merge(handle_, high, &newintracomm));
	return Intracomm(detail::known, newintracomm);
}

inline Cartcomm Intracomm::Create_cart(int ndims, const int dims[], const bool periods[], bool reorder) const
{
	MPI_Comm comm_cart = MPI_COMM_NULL;
	detail::flags c_periods(periods, ndims);
	detail::check(MPI_Cart_create(handle_, ndims, dims, c_periods, reorder, &comm_cart));
	return Cartcomm(detail::known, comm_cart);
}

inline Graphcomm Intracomm::Create_graph(int nnodes, const int index[], const int edges[], bool reorder) const
{
	MPI_Comm comm_graph = MPI_COMM_NULL;
	detail::check(MPI_Graph_create(handle_, nnodes, index, edges, reorder, &comm_graph));
	return Graphcomm(detail::known, comm_graph);
}

inline Distgraphcomm Intracomm::Dist_graph_create(int n, const int sources[], const int degrees[],
						  const int destinations[], const int weights[],
						  const Info &info, bool reorder) const
{
	MPI_Comm comm_dist_graph = MPI_COMM_NULL;
	detail::check(MPI_Dist_graph_create(handle_, n, sources, degrees, destinations, weights, info, reorder,
					    &comm_dist_graph));
	return Distgraphcomm(detail::known, comm_dist_graph);
}

inline Distgraphcomm Intracomm::Dist_graph_create(int n, const int sources[], const int degrees[],
						  const int destinations[], const Info &info,
						  bool reorder) const
{
	return Dist_graph_create(n, sources, degrees, destinations, MPI_UNWEIGHTED, info, reorder);
}

inline Distgraphcomm Intracomm::Dist_graph_create_adjacent(int indegree, const int sources[],
							   const int sourceweights[], int outdegree,
							   const int destinations[], const int destweights[],
							   const Info &info, bool reorder) const
{
	MPI_Comm comm_dist_graph = MPI_COMM_NULL;
	detail::check(MPI_Dist_graph_create_adjacent(handle_, indegree, sources, sourceweights, outdegree,
						     destinations, destweights, info, reorder,
						     &comm_dist_graph));
	return Distgraphcomm(detail::known, comm_dist_graph);
}

inline Distgraphcomm Intracomm::Dist_graph_create_adjacent(int indegree, const int sources[], int outdegree,
							   const int destinations[], const Info &info,
							   bool reorder) const
{
	return Dist_graph_create_adjacent(indegree, sources, MPI_UNWEIGHTED, outdegree, destinations,
					  MPI_UNWEIGHTED, info, reorder);
}

inline void Datatype::Unpack(const void *inbuf, int insize, void *outbuf, int outcount, int &position,
			     const Comm &comm) const
{
	detail::check(MPI_Unpack(inbuf, insize, &position, outbuf, outcount, handle_, comm));
}

//: function Add_error_class
//: function Add_error_code
//: function Add_error_string

inline void *Alloc_mem(Aint size, const Info &info)
{
	void *baseptr = 0;
	detail::check(MPI_Alloc_mem(size, info, &baseptr));
	return baseptr;
}

//: function Attach_buffer = Buffer_attach
//: function Close_port
//: function Compute_dims = Dims_create

inline int Detach_buffer(void *&buffer)
{
	int size = 0;
	detail::check(MPI_Buffer_detach(&buffer, &size));
	return size;
}

inline void Finalize()
{
	for (int i = 0; i < 3; i++)
		if (detail::variables<void>::thrower[i] != 0) {
			MPI_Errhandler_free(&detail::variables<void>::thrower[i]);
			detail::variables<void>::thrower[i] = 0;
		}
	detail::check(MPI_Finalize());
}

//: function Free_mem

inline Aint Get_address(const void *location)
{
	Aint address = 0;
	detail::check(MPI_Get_address(location, &address));
	return address;
}

//: function Get_error_class = Error_class
//: function Get_error_string = Error_string
//: function Get_processor_name
//: function Get_version

inline void Init() { detail::check(MPI_Init(0, 0)); }
inline void Init(int &argc, char **&argv) { detail::check(MPI_Init(&argc, &argv)); }

inline int Init_thread(int required)
{
	int provided = MPI_THREAD_SINGLE;
	detail::check(MPI_Init_thread(0, 0, required, &provided));
	return provided;
}

inline int Init_thread(int &argc, char **&argv, int required)
{
	int provided = MPI_THREAD_SINGLE;
	detail::check(MPI_Init_thread(&argc, &argv, required, &provided));
	return provided;
}

//: function Is_finalized = Finalized
//: function Is_initialized = Initialized
//: function Is_thread_main
//: function Lookup_name
//: function Open_port

inline void Pcontrol(int level, ...) { MPI_Pcontrol(level); }

//: function Publish_name
//: function Query_thread
//: function Unpublish_name

inline double Wtick() { return MPI_Wtick(); }
inline double Wtime() { return MPI_Wtime(); }
