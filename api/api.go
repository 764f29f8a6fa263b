// Package api is the description of the MPI interface: every C function with the kind and direction of each
// parameter, every constant with its value in the standard ABI (MPI 5.0, chapter 20), every callback type.
// The text files of this folder are the source; README.md explains their form. The package knows nothing of
// how the interface is implemented.
package api

// Direction reports whether the caller, the library or both give a parameter its value.
type Direction int

// Directions of a parameter.
const (
	In Direction = iota
	Out
	InOut
)

// Param is one parameter of a function.
type Param struct {
	Name      string
	Kind      string // a key of Kinds, or "fn" for a callback
	Dir       Direction
	Array     bool
	Len       string // name of the parameter or constant that holds the length, "*" when there is none
	Func      string // callback type without MPI_, when Kind is "fn"
	FuncLarge bool   // the large-count twin takes Func + "_c"
	Root      bool   // significant at the root only
	LargeOnly bool   // only in the large-count twin
	Kept      bool   // IN in the standard, though C passes its address: Fortran's variable stays as it is
	Optional  bool   // may be NULL
}

// Function is one function and, if Large, its large-count twin.
type Function struct {
	Name       string // without MPI_; X_ for MPIX_
	Chapter    string // base name of the file that describes it
	Large      bool   // Name_c exists
	Returns    string // C type without MPI_; "int" for an error code
	Any        bool   // legal before MPI is initialized and after it is finalized (MPI 5.0, 11.4.1)
	Attrs      bool   // calls functions of attribute keys
	Keeps      bool   // uses a buffer after the call, or takes its address alone
	COnly      bool   // Fortran has no such function
	Native     bool   // written in C by hand
	Fast       bool   // has a fast path in C
	Engine     bool   // package runtime/fast carries it out where it can
	Asks       bool   // asks for a request that package runtime/fast may go on with
	Begun      bool   // it may begin a request that Go waits for
	Record     bool   // package runtime/fast answers it from records where it can
	FastLarge  bool   // the fast path is for the large-count twin as well
	RecordTwin bool   // one with _c at its end answers the large-count twin
	Wide       bool   // Go is told which twin was called
	Null       bool   // the handle that it makes is null after a failure
	Persistent bool   // makes a request that is started again and again
	Starts     bool   // MPI_COMM_WORLD is there from it on
	Frees      bool   // the object that it is given goes
	FortranOwn bool   // its routine of Fortran is written by hand
	Trace      string // how it is recorded in traces, "" where its parameters tell
	Integers   bool   // values of attributes are Fortran's integers of default kind
	Ends       bool   // results count even when it fails: they tell which operations have ended
	Like       string // name of the function that it is another name of, "" if none
	LikeLarge  bool   // Like means the large-count twin
	Deprecated string // version of the standard that deprecated it, "" if none
	Extra      bool   // not in the standard ABI's table
	Params     []Param
}

// What Trace says.
const (
	TraceOwn        = "own"        // its function in the tracing library is written by hand
	TraceCollective = "collective" // all ranks of its communicator or window call it in the same order
	TracePoll       = "poll"       // its flag says whether something has come
	TraceAsked      = "asked"      // the tracing library calls it, and does not record it
)

// Constant is one constant of mpi.h.
type Constant struct {
	Name    string // without MPI_, except for MPIX_ names
	Type    string // C type without MPI_; "class" for an error class
	Value   string // a number as in C, or the name of another constant
	Text    string // for an error class, what MPI_Error_string says
	Section string
	Extra   bool
}

// CName is the constant's name in mpi.h.
func (c Constant) CName() string { return cName(c.Name) }

// Callback is one callback type; its declaration is Returns Name(Params).
type Callback struct {
	Name    string // without MPI_
	Returns string
	Params  string // as in C
	Alias   string // name of the callback type that this is another name of
	Extra   bool
}

// Chapter is one chapter of the interface.
type Chapter struct {
	File  string // base name of its file
	Title string
	Extra bool
}

// Description is the whole interface.
type Description struct {
	Chapters  []Chapter
	Functions []Function // by chapter, in the order of the files
	Constants []Constant
	Callbacks []Callback
}

// Function finds a function by its name without MPI_ and _c.
func (d *Description) Function(name string) (Function, bool) {
	for _, f := range d.Functions {
		if f.Name == name {
			return f, true
		}
	}
	return Function{}, false
}

// CNames are the names of the function's symbols without MPI_: Name and, if Large, Name_c.
func (f Function) CNames() []string {
	if f.Large {
		return []string{f.Name, f.Name + "_c"}
	}
	return []string{f.Name}
}
