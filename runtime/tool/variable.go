package tool

// Form is how the value of a variable lies in memory (MPI 5.0, 15.3.5).
type Form uint8

// The forms of values.
const (
	Int      Form = iota // MPI_INT
	Unsigned             // MPI_UNSIGNED_LONG_LONG
	Seconds              // MPI_DOUBLE
)

// Scope says who may change a control variable (MPI 5.0, 15.3.6), with the values of the standard ABI.
type Scope int

// The scopes in use.
const (
	ReadOnly Scope = 2 // by the environment alone, before the start
	Local    Scope = 3 // by every process for itself, at any time
)

// Enum gives names to the values 0, 1, 2 ... of a variable (MPI 5.0, 15.3.5).
type Enum struct {
	Name  string
	Items []string
}

// Switch is the enumeration of settings that are on or off.
var Switch = &Enum{Name: "switch", Items: []string{"off", "on"}}

// Class is what a performance variable tells (MPI 5.0, 15.3.7), with the values of the standard ABI.
type Class int

// The classes in use.
const (
	Level         Class = 2 // how much there is now
	HighWaterMark Class = 5 // the most that there has been
	Counter       Class = 7 // how often something has happened
	Aggregate     Class = 8 // the sum of something over all times it has happened
	Timer         Class = 9 // for how long something has lasted
)

// Bind is the kind of object that a variable belongs to (MPI 5.0, 15.3.2), with the values of the standard
// ABI.
type Bind int

// The kinds in use.
const (
	NoObject Bind = 1
	BindComm Bind = 2
	BindWin  Bind = 9
)

// Performance describes a performance variable. Those that only ever grow can be started, stopped and reset
// by handle; the others are read as they are.
type Performance struct {
	Name, Help string
	Category   string
	Bind       Bind
	Class      Class
	Form       Form
	// nanoseconds for a Timer; from the counters of the object if it belongs to one
	read func(*Counters) uint64
}

// Growing reports whether the variable only ever grows, so that a handle can have a beginning of its own.
func (p *Performance) Growing() bool {
	return p.Class == Counter || p.Class == Aggregate || p.Class == Timer
}

// Category is a chapter of what can be seen: its settings and variables are those that name it.
type Category struct{ Name, Help string }

// Categories lists them. The first one contains the others.
func Categories() []Category {
	return []Category{
		{"gompi", "everything that gompi can be told and asked"},
		{"p2p", "point-to-point communication: protocols, matching"},
		{"waiting", "what ranks do that have nothing to do"},
		{"coll", "collective operations"},
		{"rma", "one-sided communication: windows, paths to their memory"},
		{"fast_path", "calls that are carried out without a call into Go, and those that are not"},
		{"io", "files"},
		{"check", "checks of the program's correctness"},
	}
}
