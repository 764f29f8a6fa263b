package rma

import (
	"strconv"

	"gompi/runtime/info"
	"gompi/runtime/object"
)

// knownHints are what the program may promise about a window, or want (MPI 5.0, 12.2.1 to 12.2.3).
// Some are for windows whose memory is allocated.
var (
	knownHints = [...]object.Hint{
		{Key: "no_locks", Default: "false", Valid: object.Truth},
		{Key: "accumulate_ordering", Default: "rar,raw,war,waw", Valid: nil},
		{Key: "accumulate_ops", Default: "same_op_no_op", Valid: func(v string) bool { return v == "same_op" || v == "same_op_no_op" }},
		{Key: "mpi_accumulate_granularity", Default: "0", Valid: number},
		{Key: "same_size", Default: "false", Valid: object.Truth},
		{Key: "same_disp_unit", Default: "false", Valid: object.Truth},
		{Key: minimumAlignment, Valid: number},
		{Key: "alloc_shared_noncontig", Default: "false", Valid: object.Truth},
	}
	forAll       = len(knownHints) - 2 // of these hints are for all windows
	forAllocated = len(knownHints) - 1
)

const minimumAlignment = "mpi_minimum_memory_alignment"

func number(v string) bool {
	n, err := strconv.ParseInt(v, 10, 64)
	return err == nil && n >= 0
}

// known lists the hints that windows of the flavor understand.
func (f Flavor) known() []object.Hint {
	switch f {
	case Shared:
		return knownHints[:]
	case Allocate:
		return knownHints[:forAllocated]
	}
	return knownHints[:forAll]
}

// SetHints takes over those of the hints that are understood (MPI_Win_set_info). from may be nil.
func (w *Window) SetHints(from *info.Info) {
	w.Base.SetHints(w.flavor.known(), from)
	if w.Desc != nil {
		w.Epochs.Change(w.allowStubs)
	}
}

// Hints lists the hints in force (MPI_Win_get_info).
func (w *Window) Hints() *info.Info { return w.Base.Hints(w.flavor.known) }

// alike notes parts of the window that differ although the program has promised that they do not.
func (w *Window) alike(offers []offer) {
	if !w.Watched() {
		return
	}
	for i := range offers {
		if v, _ := w.Hint("same_size"); v == "true" && offers[i].size != offers[0].size {
			w.Broke("the sizes of its parts differ, which the hint same_size promises not to be")
		}
		if v, _ := w.Hint("same_disp_unit"); v == "true" && offers[i].unit != offers[0].unit {
			w.Broke("the units of its displacements differ, which the hint same_disp_unit promises not to be")
		}
	}
}

// Alignment is the alignment of memory that is wanted by the hint mpi_minimum_memory_alignment (MPI
// 5.0, 9.2), 0 if there is none that makes sense. given may be nil.
func Alignment(given *info.Info) int64 {
	if given == nil {
		return 0
	}
	v, ok, err := given.Get(minimumAlignment)
	if err != nil || !ok {
		return 0
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n <= 0 || n&(n-1) != 0 || n > mostAlignment {
		return 0
	}
	return n
}

// mostAlignment bounds what the hint may ask for, in bytes.
const mostAlignment = 1 << 30
