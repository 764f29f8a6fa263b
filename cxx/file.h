class File {
public:
	typedef void Errhandler_function(File &file, int *error_code, ...);
	typedef Errhandler_function Errhandler_fn;
	//: handle File FILE
	//: errhandlers File
	//: Close
	//: static Create_errhandler
	//: static Delete
	//: Get_amode
	//: Get_atomicity
	//: Get_byte_offset
	//: Get_group
	//: Get_info
	//: Get_position
	//: Get_position_shared
	//: Get_size
	//: Get_type_extent
	void Get_view(Offset &disp, Datatype &etype, Datatype &filetype, char *datarep) const
	{
		MPI_Datatype c_etype = MPI_DATATYPE_NULL, c_filetype = MPI_DATATYPE_NULL;
		detail::check(MPI_File_get_view(handle_, &disp, &c_etype, &c_filetype, datarep));
		etype = c_etype;
		filetype = c_filetype;
	}
	//: Iread
	//: Iread_at
	//: Iread_shared
	//: Iwrite
	//: Iwrite_at
	//: Iwrite_shared
	static File Open(const Intracomm &comm, const char *filename, int amode, const Info &info)
	{
		MPI_File fh = MPI_FILE_NULL;
		detail::check(MPI_File_open(comm, filename, amode, info, &fh));
		return File(fh);
	}
	//: Preallocate
	//: Read
	//: Read_all
	//: Read_all_begin
	//: Read_all_end
	//: Read_at
	//: Read_at_all
	//: Read_at_all_begin
	//: Read_at_all_end
	//: Read_ordered
	//: Read_ordered_begin
	//: Read_ordered_end
	//: Read_shared
	//: Seek
	//: Seek_shared
	//: Set_atomicity
	//: Set_info
	//: Set_size
	//: Set_view
	//: Sync
	//: Write
	//: Write_all
	//: Write_all_begin
	//: Write_all_end
	//: Write_at
	//: Write_at_all
	//: Write_at_all_begin
	//: Write_at_all_end
	//: Write_ordered
	//: Write_ordered_begin
	//: Write_ordered_end
	//: Write_shared

	MPI_File handle_; /* not for programs */
};
