// Package mpir is the interface by which parallel debuggers and other tools (TotalView, DDT, STAT) find the
// processes of a job in its launcher: the MPIR Process Acquisition Interface of the MPI Forum. They look up
// the symbols in the launcher's file, and read its memory as a debugger does.
package mpir

import (
	"runtime"
	"sync"
	"unsafe"
)

// Process is one process of the job, as tools know it.
type Process struct {
	Host       string // name of the host that it runs on
	Executable string // file that it has been started from
	Pid        int    // process id there
}

// procdesc is MPIR_PROCDESC.
type procdesc struct {
	host_name       *byte
	executable_name *byte
	pid             int32
}

// The variables of the interface, under the names by which tools look them up. Tools write to
// MPIR_being_debugged; all is told whether they do or not.
var (
	//go:linkname proctable MPIR_proctable
	proctable *procdesc
	//go:linkname proctableSize MPIR_proctable_size
	proctableSize int32
	//go:linkname beingDebugged MPIR_being_debugged
	beingDebugged int32
	//go:linkname debugState MPIR_debug_state
	debugState int32
	//go:linkname abortString MPIR_debug_abort_string
	abortString *byte
	// That they are there says that this process starts the job and is no part of it; that a tool need not
	// attach to all processes, as those go on when MPIR_Breakpoint returns; and that the processes have no
	// message queues to be read.
	//go:linkname iAmStarter MPIR_i_am_starter
	iAmStarter int32
	//go:linkname partialAttachOK MPIR_partial_attach_ok
	partialAttachOK int32
	//go:linkname ignoreQueues MPIR_ignore_queues
	ignoreQueues int32
)

// Values of MPIR_debug_state.
const (
	spawned  = 1 // the processes are there
	aborting = 2 // the job ends before its time
)

// kept is what the variables point to.
var kept struct {
	sync.Mutex
	table []procdesc
	texts [][]byte
	stops int // calls of breakpoint
}

// breakpoint is MPIR_Breakpoint, at which tools stop this process to look at the variables.
//
//go:linkname breakpoint MPIR_Breakpoint
//go:noinline
func breakpoint() {
	kept.stops++
	// Nothing else uses some of the variables, and the linker would leave them out.
	runtime.KeepAlive([...]any{&proctable, &proctableSize, &beingDebugged, &debugState, &abortString,
		&iAmStarter, &partialAttachOK, &ignoreQueues})
}

// cText is a text that ends as those of C do.
func cText(s string) *byte {
	b := append([]byte(s), 0)
	kept.texts = append(kept.texts, b)
	return unsafe.SliceData(b)
}

// Show has tools find the processes of a job, all of which are there and wait to be let go on. It returns
// when the tools have looked at them.
func Show(all []Process) {
	kept.Lock()
	defer kept.Unlock()
	kept.texts = nil
	table := make([]procdesc, 0, len(all))
	for _, p := range all {
		table = append(table, procdesc{cText(p.Host), cText(p.Executable), int32(p.Pid)})
	}
	proctableSize = 0 // a tool that attaches just now finds no mixture
	kept.table, proctable = table, unsafe.SliceData(table)
	proctableSize = int32(len(table))
	debugState, iAmStarter, partialAttachOK, ignoreQueues = spawned, 1, 1, 1
	breakpoint()
}

// Abort tells tools that the job ends before its time, and why.
func Abort(why string) {
	kept.Lock()
	defer kept.Unlock()
	if debugState != spawned {
		return
	}
	abortString, debugState = cText(why), aborting
	breakpoint()
}
