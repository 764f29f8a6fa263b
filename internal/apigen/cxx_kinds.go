package main

import "strings"

// cxxKinds are what classes of a kind have in common, by the first word of a line //:. A line's other words
// stand for $1 to $3.
var cxxKinds = map[string]func([]string) string{
	"handle":       cxxText(cxxHandle + cxxConversion),
	"opaque":       cxxText(cxxHandle),
	"derived":      cxxText(cxxDerived),
	"communicator": cxxText(cxxCommunicator),
	"errhandlers":  cxxErrhandlersOf,
	"attributes":   cxxText(cxxAttributes),
}

// cxxText fills the words of a line into a text.
func cxxText(text string) func([]string) string {
	return func(words []string) string {
		if len(words) > 3 {
			words = []string{words[0], words[1], strings.Join(words[2:], " ")}
		}
		done := text
		for i, w := range words {
			done = strings.ReplaceAll(done, "$"+string(rune('1'+i)), w)
		}
		return done
	}
}

// cxxHandle is for class $1, of a handle of C of the same name; $2 is its name in constants.
const cxxHandle = `	typedef MPI_$1 C_handle;
	$1() : handle_(MPI_$2_NULL) {}
	$1(MPI_$1 handle) : handle_(handle) {}
	$1 &operator=(MPI_$1 handle)
	{
		handle_ = handle;
		return *this;
	}
	bool operator==(const $1 &other) const { return handle_ == other.handle_; }
	bool operator!=(const $1 &other) const { return handle_ != other.handle_; }
	bool operator==(MPI_$1 other) const { return handle_ == other; }
	bool operator!=(MPI_$1 other) const { return handle_ != other; }
`

// cxxConversion is for the same, where a handle of C is what the object holds.
const cxxConversion = `	operator MPI_$1() const { return handle_; }
`

// cxxDerived is for class $1, a kind of request.
const cxxDerived = `	$1() {}
	$1(MPI_Request request) : Request(request) {}
	$1(const Request &request) : Request(request) {}
	$1 &operator=(MPI_Request request)
	{
		handle_ = request;
		return *this;
	}
	$1 &operator=(const Request &request)
	{
		handle_ = request;
		return *this;
	}
`

// cxxCommunicator is for class $1, a kind of $2; $3 is what becomes of a handle of C.
const cxxCommunicator = `	$1() {}
	$1(MPI_Comm comm) : $2(detail::known, $3) {}
	$1(const Comm_Null &) {}
	$1(detail::known_handle, MPI_Comm comm) : $2(detail::known, comm) {}
	$1 &operator=(MPI_Comm comm)
	{
		handle_ = $3;
		return *this;
	}
	$1 &operator=(const Comm_Null &)
	{
		handle_ = MPI_COMM_NULL;
		return *this;
	}
	$1 Dup() const
	{
		MPI_Comm newcomm = MPI_COMM_NULL;
		detail::check(MPI_Comm_dup(handle_, &newcomm));
		return $1(detail::known, newcomm);
	}
	$1 &Clone() const { return *new $1(Dup()); }
`

// cxxErrhandlersOf is for a class of objects that have an error handler.
func cxxErrhandlersOf(words []string) string {
	text := strings.ReplaceAll(cxxGetErrhandler, "$2", strings.ToLower(words[0]))
	if words[0] == "Comm" {
		text += "\tvoid Set_errhandler(const Errhandler &errhandler) const;\n"
	} else {
		text += strings.ReplaceAll(cxxSetErrhandler, "$2", strings.ToLower(words[0]))
	}
	return strings.ReplaceAll(text, "$1", words[0])
}

// What the handler that throws has noted is thrown although the call of it succeeds.
const cxxGetErrhandler = `	void Call_errhandler(int errorcode) const
	{
		detail::check(MPI_$1_call_errhandler(handle_, errorcode));
		detail::check(errorcode);
	}
	Errhandler Get_errhandler() const
	{
		MPI_Errhandler errhandler = MPI_ERRHANDLER_NULL;
		detail::check(MPI_$1_get_errhandler(handle_, &errhandler));
		return Errhandler::found(errhandler, Errhandler::of_$2);
	}
`

const cxxSetErrhandler = `	void Set_errhandler(const Errhandler &errhandler) const
	{
		detail::check(MPI_$1_set_errhandler(handle_, errhandler.for_holder(Errhandler::of_$2)));
	}
`

// cxxAttributes is for class $2, whose functions of attributes are MPI_$1's in C.
const cxxAttributes = `	static int Create_keyval(Copy_attr_function *copy_attr_fn, Delete_attr_function *delete_attr_fn,
			void *extra_state);
	static int NULL_COPY_FN(const $2 &, int, void *, void *, void *, bool &flag)
	{
		flag = false;
		return MPI_SUCCESS;
	}
	static int DUP_FN(const $2 &, int, void *, void *attribute_val_in, void *attribute_val_out, bool &flag)
	{
		*static_cast<void **>(attribute_val_out) = attribute_val_in;
		flag = true;
		return MPI_SUCCESS;
	}
	static int NULL_DELETE_FN($2 &, int, void *, void *) { return MPI_SUCCESS; }
`
