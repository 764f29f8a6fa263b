class Win {
public:
	typedef int Copy_attr_function(const Win &oldwin, int win_keyval, void *extra_state,
				       void *attribute_val_in, void *attribute_val_out, bool &flag);
	typedef int Delete_attr_function(Win &win, int win_keyval, void *attribute_val, void *extra_state);
	typedef void Errhandler_function(Win &win, int *error_code, ...);
	typedef Errhandler_function Errhandler_fn;
	//: handle Win WIN
	//: Accumulate
	//: errhandlers Win
	//: Complete
	static Win Create(const void *base, Aint size, int disp_unit, const Info &info, const Intracomm &comm)
	{
		MPI_Win win = MPI_WIN_NULL;
		detail::check(MPI_Win_create(const_cast<void *>(base), size, disp_unit, info, comm, &win));
		return Win(win);
	}
	//: static Create_errhandler
	//: Delete_attr
	//: Fence
	//: Free
	//: static Free_keyval
	//: Get
	//: Get_attr
	//: Get_group
	//: Get_name
	//: Lock
	//: Post
	//: Put
	//: Set_attr
	//: Set_name
	//: Start
	//: Test
	//: Unlock
	//: Wait
	//: attributes Win Win

	MPI_Win handle_; /* not for programs */
};
