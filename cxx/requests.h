class Status {
public:
	typedef MPI_Status C_handle;
	Status() : status_() {}
	Status(const MPI_Status &status) : status_(status) {}
	Status &operator=(const MPI_Status &status)
	{
		status_ = status;
		return *this;
	}
	operator MPI_Status() const { return status_; }
	//: Get_count
	//: Get_elements
	int Get_error() const { return status_.MPI_ERROR; }
	int Get_source() const { return status_.MPI_SOURCE; }
	int Get_tag() const { return status_.MPI_TAG; }
	//: Is_cancelled = Test_cancelled
	//: Set_cancelled = Status_set_cancelled
	//: Set_elements = Status_set_elements
	void Set_error(int error) { status_.MPI_ERROR = error; }
	void Set_source(int source) { status_.MPI_SOURCE = source; }
	void Set_tag(int tag) { status_.MPI_TAG = tag; }

private:
	MPI_Status status_;
};

class Request {
public:
	//: handle Request REQUEST
	void Cancel() const
	{
		MPI_Request request = handle_;
		detail::check(MPI_Cancel(&request));
	}
	//: Free
	//: Get_status
	//: Test
	//: static Testall
	//: static Testany
	//: static Testsome
	//: Wait
	//: static Waitall
	//: static Waitany
	//: static Waitsome

	MPI_Request handle_; /* not for programs */
};

class Prequest : public Request {
public:
	//: derived Prequest
	//: Start
	//: static Startall
};

class Grequest : public Request {
public:
	typedef int Query_function(void *extra_state, Status &status);
	typedef int Free_function(void *extra_state);
	typedef int Cancel_function(void *extra_state, bool complete);
	//: derived Grequest
	//: Complete = Grequest_complete
	static Grequest Start(Query_function *query, Free_function *free, Cancel_function *cancel,
			      void *extra_state);
};
