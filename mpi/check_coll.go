package mpi

import (
	"errors"
	"strings"
	"time"

	"gompi/runtime/check"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
)

// GOMPI_CHECK=collectives and types for operations that do not block, persistent ones, and those of
// neighborhoods, and collectives for those that make objects and for files: the ranks tell each other what
// they have called, and nobody waits for that.

// collectives are such operations, without what tells how they are called, and the buffer whose block has the
// same size on all ranks; "" where there is none.
var collectives = map[string]string{"barrier": "", "bcast": "buffer", "gather": "", "gatherv": "", "scatter": "",
	"scatterv": "", "allgather": "recvbuf", "allgatherv": "", "alltoall": "recvbuf", "alltoallv": "",
	"alltoallw": "", "reduce": "", "allreduce": "recvbuf", "reduce_scatter": "", "reduce_scatter_block": "recvbuf",
	"scan": "recvbuf", "exscan": "recvbuf", "neighbor_allgather": "", "neighbor_allgatherv": "",
	"neighbor_alltoall": "", "neighbor_alltoallv": "", "neighbor_alltoallw": ""}

// compareLater follows an operation that has begun.
func (n *noted) compareLater() {
	f := base(n.place.Function)
	uniform, ok := collectives[f]
	if !ok || n.kinds&(tool.CheckCollectives|tool.CheckTypes) == 0 || n.comm == nil ||
		n.request == 0 && !strings.HasPrefix(f, "neighbor_") {
		return
	}
	what := coll.Call{Name: strings.TrimSuffix(n.place.Function, suffixes[1]), Where: n.Spell(n.place),
		Op: n.reduction, InPlace: n.inPlace && inPlaceAll[f]}
	if n.rooted {
		what.Root = n.root
	}
	what.Data = n.blocksOf[uniform]
	if at := n.comm.Rank() == n.root; f == "gather" || f == "scatter" || f == "reduce" {
		what.Data = n.blocksOf[rootBuffer(f, at)]
		if what.Data.Type == nil { // MPI_IN_PLACE
			what.Data = n.blocksOf["recvbuf"]
		}
	}
	if what.Data.Type != nil && what.Data.Addr == datatype.InPlace {
		what.Data.Type = nil
	}
	if n.kinds.Has(tool.CheckTypes) && what.Data.Type != nil {
		what.Gives = what.Data
		if b := n.blocksOf["sendbuf"]; uniform == "recvbuf" && b.Type != nil && b.Addr != datatype.InPlace {
			what.Gives = b
		}
	}
	n.tell(n.comm, what)
}

// tell tells the other ranks of a communicator what this one has called.
func (n *noted) tell(c *comm.Comm, what coll.Call) {
	k, place := n.checks, n.place
	// Should that fail, the operation itself will fail in the same way.
	_ = coll.AgreeLater(c, what, func(_ int, err error) {
		text, kind := err.Error(), tool.CheckCollectives
		if e := (*mpierr.Error)(nil); errors.As(err, &e) {
			text = e.Text
			if e.Class == mpierr.ErrType {
				kind = tool.CheckTypes
			}
		}
		if k.kinds.Has(kind) {
			k.Report(kind.Name(), place, check.Place{Function: text}, "%s")
		}
	})
}

// hearOut follows an error that ends the process: what others have called may be the cause, and they are
// telling it just now.
func (k *checks) hearOut() {
	const patience = 100 * time.Millisecond
	if !k.kinds.Has(tool.CheckCollectives) {
		return
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		engine().Progress()
	}
}

// making comes before the ranks of a communicator make a communicator, a window or a file.
func making(c *comm.Comm) {
	if n := call(); n != nil && n.kinds.Has(tool.CheckCollectives) {
		n.tell(c, coll.Call{Name: n.place.Function, Where: n.Spell(n.place)})
	}
}

// togetherOnFile are collective operations of files beside those whose names say so (MPI 5.0, 14).
var togetherOnFile = map[string]bool{"file_set_size": true, "file_preallocate": true, "file_set_view": true,
	"file_set_info": true, "file_set_atomicity": true, "file_sync": true, "file_seek_shared": true}

// isOnFile reports whether the call is a collective operation of a file. MPI_File_open and MPI_File_close
// have no handle to be looked up.
func (n *noted) isOnFile() bool {
	f := base(strings.TrimSuffix(n.place.Function, suffixes[1]))
	f = strings.TrimSuffix(strings.TrimSuffix(f, "_begin"), "_end")
	return togetherOnFile[f] || strings.HasSuffix(f, "_all") || strings.HasSuffix(f, "_ordered")
}

// meeting comes before the ranks of a file do something together.
func meeting(f *file.File) {
	if n := call(); n != nil && n.kinds.Has(tool.CheckCollectives) {
		name := strings.TrimSuffix(n.place.Function, suffixes[1])
		n.tell(f.Comm(), coll.Call{Name: name, Where: n.Spell(n.place)})
	}
}

// rootBuffer is the buffer that says how much one rank contributes or gets.
func rootBuffer(f string, root bool) string {
	if f == "reduce" || root == (f == "scatter") {
		return "sendbuf"
	}
	return "recvbuf"
}
