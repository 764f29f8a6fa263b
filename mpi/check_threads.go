package mpi

import (
	"strings"

	"gompi/runtime/check"
	"gompi/runtime/tool"
)

// GOMPI_CHECK=threads: calls that the thread level does not allow (MPI 5.0, 11.6), and those of reduction
// functions (MPI 5.0, 6.9.5).

// anyThread are beginnings of names of functions that every thread may call at any time (MPI 5.0, 11.6.1).
var anyThread = []string{"MPI_Initialized", "MPI_Finalized", "MPI_Query_thread", "MPI_Is_thread_main",
	"MPI_Get_version", "MPI_Get_library_version", "MPI_Abort", "MPI_T_", "MPI_Info_", "MPI_Session_", "MPI_Error_",
	"MPI_Add_error_", "MPI_Remove_error_"}

// local are beginnings of names of functions that reduction functions of the program's may call.
var local = []string{"MPI_Type_", "MPI_Get_", "MPI_Abort", "MPI_Op_", "MPI_Comm_rank", "MPI_Comm_size",
	"MPI_Comm_get_", "MPI_Group_", "MPI_Status_", "MPI_Pack", "MPI_Unpack", "MPI_Reduce_local"}

func oneOf(function string, beginnings []string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(function, b) {
			return true
		}
	}
	return false
}

var levels = map[int]string{threadSingle: "MPI_THREAD_SINGLE", threadFunneled: "MPI_THREAD_FUNNELED",
	threadSerialized: "MPI_THREAD_SERIALIZED", threadMultiple: "MPI_THREAD_MULTIPLE"}

// allowed looks at the thread that begins a call.
func (n *noted) allowed(l *state) {
	kind := tool.CheckThreads.Name()
	name := n.place.Function
	if n.outer != nil && n.outer.reducing && !oneOf(name, local) && !oneOf(name, anyThread) {
		n.Report(kind, n.place, n.outer.place,
			"called by a reduction function of the program's, which %s runs; it must not communicate")
	}
	if l.level == threadMultiple || oneOf(name, anyThread) {
		return
	}
	if l.level < threadSerialized && n.thread != l.main {
		n.Report(kind, n.place, check.Place{},
			"called by thread %d, but MPI was initialized by thread %d with %s", n.thread, l.main, levels[l.level])
		return
	}
	n.mu.Lock()
	var other *noted
	for _, o := range n.inside {
		if o.thread != n.thread && !oneOf(o.place.Function, anyThread) {
			other = o
		}
	}
	n.mu.Unlock()
	if other != nil {
		n.Report(kind, n.place, other.place,
			"called by thread %[2]d while thread %[3]d is in %[1]s; MPI was initialized with %[4]s", n.thread,
			other.thread, levels[l.level])
	}
}

// reduces follows the beginning of a reduction function of the program's; what it returns follows its end.
func reduces() func() {
	n := call()
	if n == nil {
		return func() {}
	}
	before := n.reducing
	n.reducing = true
	return func() { n.reducing = before }
}
