package mpi

import (
	"fmt"

	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Generalized requests (MPI 5.0, 13.2): operations that the program carries out itself.

// grequest is the program's functions of one request (request.Operation). A function may be absent.
type grequest struct {
	query, free, cancel Function
	extra               uintptr
}

// Advance has nothing to go on with: the program says when it is done.
func (g *grequest) Advance(*request.Request) (bool, error) { return false, nil }

// EndedBy implements p2p.Program.
func (g *grequest) EndedBy() string { return "MPI_Grequest_complete of a generalized request" }

// refused is the error with which one of the functions has ended.
func (g *grequest) refused(which string, code int32) error {
	if code == 0 {
		return nil
	}
	return &mpierr.Error{Class: classOf(int(code)), Code: int(code),
		Text: fmt.Sprintf("the %s function of a generalized request returned error code %d", which, code)}
}

// Report asks the program for the status.
func (g *grequest) Report(_ *request.Request, st *request.Status) error {
	if g.query.Addr == 0 {
		return nil
	}
	words, code := host.QueryRequest(g.query, g.extra)
	s := cStatus{source: words[0], tag: words[1], internal: [5]int32(words[3:])}
	*st = s.decoded()
	return g.refused("query", code)
}

// End tells the program that the request is gone.
func (g *grequest) End() error {
	if g.free.Addr == 0 {
		return nil
	}
	return g.refused("free", host.FreeRequest(g.free, g.extra))
}

// Cancel asks the program to give up.
func (g *grequest) Cancel(done bool) error {
	if g.cancel.Addr == 0 {
		return nil
	}
	return g.refused("cancel", host.CancelRequest(g.cancel, g.extra, done))
}

func GrequestStart(query, free, cancel, extra uintptr) (*request.Request, error) {
	// A request without a communicator: its errors go to MPI_COMM_SELF (MPI 5.0, 9.3).
	by := host.Caller().Table
	return engine().Ops.Begin(&grequest{query: Function{query, by}, free: Function{free, by},
		cancel: Function{cancel, by}, extra: extra},
		library.Load().process.Self.P2P.ID)
}

func GrequestComplete(r *request.Request) error {
	if r == nil {
		return mpierr.New(mpierr.ErrRequest, "request is MPI_REQUEST_NULL")
	}
	if _, ok := r.Op.(*grequest); !ok {
		return mpierr.New(mpierr.ErrRequest, "request was not made by MPI_Grequest_start")
	}
	return engine().Ops.Complete(r)
}
