class Comm;
class Comm_Null;
class Intracomm;
class Intercomm;
class Cartcomm;
class Graphcomm;
class Distgraphcomm;
class Datatype;
class Errhandler;
class File;
class Group;
class Info;
class Op;
class Request;
class Prequest;
class Grequest;
class Status;
class Win;

typedef MPI_Aint Aint;
typedef MPI_Offset Offset;

typedef void User_function(const void *invec, void *inoutvec, int len, const Datatype &datatype);
typedef void Datarep_extent_function(const Datatype &datatype, Aint &file_extent, void *extra_state);
typedef void Datarep_conversion_function(void *userbuf, Datatype &datatype, int count, void *filebuf,
					 Offset position, void *extra_state);

/* What is thrown where the error handler is ERRORS_THROW_EXCEPTIONS. */
class Exception {
public:
	explicit Exception(int error_code) : error_code_(error_code), error_class_(MPI_ERR_UNKNOWN)
	{
		int length = 0;
		error_string_[0] = '\0';
		MPI_Error_class(error_code, &error_class_);
		MPI_Error_string(error_code, error_string_, &length);
	}
	int Get_error_code() const { return error_code_; }
	int Get_error_class() const { return error_class_; }
	const char *Get_error_string() const { return error_string_; }

private:
	int error_code_, error_class_;
	char error_string_[MPI_MAX_ERROR_STRING];
};

namespace detail {

/* Says that a handle of C is known to be one of the class. */
enum known_handle { known };

/* The code with which the library has called the handler of ERRORS_THROW_EXCEPTIONS in this thread, until
 * the function that failed has returned and throws it: no exception passes a frame of the library. */
inline int &raised()
{
	static __thread int code;
	return code;
}

/* Ends a function that has failed. A handler of the program's own, or the one that returns, has been called
 * by then. */
inline void failed(int code)
{
	if (raised() != code)
		return;
	raised() = MPI_SUCCESS;
#if defined(__EXCEPTIONS) || defined(__cpp_exceptions)
	throw Exception(code);
#else
	MPI_Abort(MPI_COMM_WORLD, code);
#endif
}

inline void check(int code)
{
	if (__builtin_expect(code != MPI_SUCCESS, 0))
		failed(code);
}

struct kept;

enum { op_functions_most = 32 };

/* Variables of which the program has one each. That of a template may stand in a header in C++98, too; they
 * are initialized with constants, so that no code runs for them. */
template <class Unused> struct variables {
	static MPI_Errhandler thrower[3]; /* C's handlers that stand for ERRORS_THROW_EXCEPTIONS */
	static kept *kept_states;          /* see callbacks */
	static User_function *op_functions[op_functions_most];
};
template <class Unused> MPI_Errhandler variables<Unused>::thrower[3] = {};
template <class Unused> kept *variables<Unused>::kept_states = 0;

/* Truth values as C takes them, and back. */
class flags {
public:
	flags(const bool values[], int count) : flags_(count <= few ? space_ : new int[count])
	{
		for (int i = 0; i < count; i++)
			flags_[i] = values[i];
	}
	explicit flags(int count) : flags_(count <= few ? space_ : new int[count]) {}
	~flags()
	{
		if (flags_ != space_)
			delete[] flags_;
	}
	operator int *() { return flags_; }
	void get(bool values[], int count) const
	{
		for (int i = 0; i < count; i++)
			values[i] = flags_[i] != 0;
	}

private:
	enum { few = 16 };
	flags(const flags &);
	flags &operator=(const flags &);
	int space_[few], *flags_;
};

inline bool running()
{
	int initialized = 0, finalized = 0;
	MPI_Initialized(&initialized);
	MPI_Finalized(&finalized);
	return initialized && !finalized;
}

} // namespace detail
