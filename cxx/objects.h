class Errhandler {
public:
	//: opaque Errhandler ERRHANDLER
	/* As C's handle, ERRORS_THROW_EXCEPTIONS is one for communicators. */
	operator MPI_Errhandler() const;
	void Free();

private:
	friend class Comm;
	friend class File;
	friend class Win;
	/* Whose functions the handler is for. */
	enum holder { of_comm, of_file, of_win };
	static MPI_Errhandler throwing()
	{
		return reinterpret_cast<MPI_Errhandler>(static_cast<MPI_Aint>(1)); /* no handle of C's */
	}
	bool is_throwing() const { return handle_ == throwing(); }
	MPI_Errhandler for_holder(holder h) const;
	static Errhandler found(MPI_Errhandler handle, holder h);

public:
	MPI_Errhandler handle_; /* not for programs */
};

class Info {
public:
	//: handle Info INFO
	//: static Create
	//: Delete
	//: Dup
	//: Free
	//: Get
	//: Get_nkeys
	//: Get_nthkey
	//: Get_valuelen
	//: Set

	MPI_Info handle_; /* not for programs */
};

class Group {
public:
	//: handle Group GROUP
	//: static Compare
	//: static Difference
	//: Excl
	//: Free
	//: Get_rank = Group_rank
	//: Get_size = Group_size
	//: Incl
	//: static Intersect = Group_intersection
	Group Range_excl(int n, const int ranges[][3]) const
	{
		MPI_Group newgroup = MPI_GROUP_NULL;
		detail::check(MPI_Group_range_excl(handle_, n, const_cast<int(*)[3]>(ranges), &newgroup));
		return Group(newgroup);
	}
	Group Range_incl(int n, const int ranges[][3]) const
	{
		MPI_Group newgroup = MPI_GROUP_NULL;
		detail::check(MPI_Group_range_incl(handle_, n, const_cast<int(*)[3]>(ranges), &newgroup));
		return Group(newgroup);
	}
	//: static Translate_ranks
	//: static Union

	MPI_Group handle_; /* not for programs */
};

class Datatype {
public:
	typedef int Copy_attr_function(const Datatype &oldtype, int type_keyval, void *extra_state,
				       void *attribute_val_in, void *attribute_val_out, bool &flag);
	typedef int Delete_attr_function(Datatype &datatype, int type_keyval, void *attribute_val,
					 void *extra_state);
	//: handle Datatype DATATYPE
	//: Commit
	//: Create_contiguous = Type_contiguous
	//: Create_darray
	//: static Create_f90_complex
	//: static Create_f90_integer
	//: static Create_f90_real
	//: Create_hindexed
	//: Create_hindexed_block
	//: Create_hvector
	//: Create_indexed = Type_indexed
	//: Create_indexed_block
	//: Create_resized
	//: static Create_struct
	//: Create_subarray
	//: Create_vector = Type_vector
	//: Delete_attr
	//: Dup
	//: Free
	//: static Free_keyval
	//: Get_attr
	//: Get_contents
	//: Get_envelope
	//: Get_extent
	//: Get_name
	//: Get_size = Type_size
	//: Get_true_extent
	//: static Match_size
	//: Pack !later
	//: Pack_external
	//: Pack_external_size
	//: Pack_size !later
	//: Set_attr
	//: Set_name
	void Unpack(const void *inbuf, int insize, void *outbuf, int outcount, int &position,
		    const Comm &comm) const;
	//: Unpack_external
	//: attributes Type Datatype

	MPI_Datatype handle_; /* not for programs */
};

class Op {
public:
	//: handle Op OP
	//: Free
	/* At most 32 functions can become operations in a program; after that it is an error of the class
	 * MPI_ERR_NO_MEM. */
	void Init(User_function *function, bool commute);
	//: Is_commutative = Op_commutative
	//: Reduce_local

	MPI_Op handle_; /* not for programs */
};
