package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
)

// procNullStatus is the status of a receive from MPI_PROC_NULL (MPI 5.0, 3.10).
var procNullStatus = request.Status{Source: ProcNull, Tag: AnyTag}

// inbound finds messages for receives, and receives for messages.
type inbound struct {
	*core
	transports *transports
	queues     *queues
	protocols  *protocols
	unexpected *unexpected
	records    *records
	copying    *copying
	bridges    *bridges
	failures   *failures
}

// Recv receives a message from rank src, or any, with the given tag, or any, into b (MPI_Recv, MPI 5.0,
// 3.2.4). st, if not nil, is filled in even when the message did not fit.
func (e *Engine) Recv(x *Context, b datatype.Buffer, src, tag int, st *request.Status) error {
	if src == ProcNull {
		if st != nil {
			*st = procNullStatus
		}
		return nil
	}
	e.lock()
	r, err := e.post(x, b, src, tag)
	if err == nil {
		if err = e.complete(r, st); err != nil && e.anyFailed {
			err = e.abandon(r, err)
		}
	}
	e.observer.deliver()
	e.unlock()
	return err
}

// Irecv starts to receive (MPI_Irecv, MPI 5.0, 3.7.2).
func (e *Engine) Irecv(x *Context, b datatype.Buffer, src, tag int) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	if src == ProcNull {
		return e.null(request.Recv)
	}
	return e.post(x, b, src, tag)
}

// post starts a receive: with a message that has come already, or by joining the posted receives.
func (v *inbound) post(x *Context, b datatype.Buffer, src, tag int) (*request.Request, error) {
	r, err := v.get(request.Recv)
	if err != nil {
		return nil, err
	}
	v.expect(r, x, b, src, tag)
	v.seek(r)
	return r, nil
}

// expect writes into a receive what it receives, from whom, and in which space of messages.
func (c *core) expect(r *request.Request, x *Context, b datatype.Buffer, src, tag int) {
	r.Buf, r.Self, r.Peer, r.Key = b, int32(x.Rank), -1, pattern(x, src, tag)
	r.Far = c.isFarSource(x, src)
}

// seek starts a receive that knows all it needs. One that is part of another may be gone afterwards.
func (v *inbound) seek(r *request.Request) {
	if i := v.unexpected.firstUnexpected(r.Key); i != fast.NoRequest && !v.failures.withheld(r) {
		v.endpoint.Unfile(i)
		v.accept(r, i)
		return
	}
	if v.failures.anyFailed {
		if err := v.failures.refused(r.Kind, r.Key, -1); err != nil && !pends(err) {
			v.finish(r, err)
			return
		}
	}
	v.endpoint.RoomToPost()
	t := v.record(r)
	t.Ctx, t.Src, t.Tag = r.Key.Ctx, r.Key.Src, r.Key.Tag
	if v.transports.mayBeFar(r) {
		t.Flags |= fast.FarReceive
	}
	r.State = request.Posted
	v.endpoint.Post(t, fast.ExtendedPosted)
	if v.bridges.bridged > 0 {
		v.farActive()
	}
}

// withdrawReceive takes r out of the posted receives.
func (v *inbound) withdrawReceive(r *request.Request) {
	t := v.record(r)
	v.endpoint.Unpost(t)
	t.State = fast.Extended
}

// matchPosted takes out the oldest posted receive that a message with key k matches, nil when there is none.
func (v *inbound) matchPosted(k match.Key) *request.Request {
	i := v.endpoint.TakeMatching(k.Ctx, k.Src, k.Tag)
	if i != fast.NoRequest && v.endpoint.Request(i).Flags&fast.Partitioned != 0 {
		v.records.extendResident(i) // which posts another one
		i = v.endpoint.TakeMatching(k.Ctx, k.Src, k.Tag)
	}
	if i == fast.NoRequest {
		return nil
	}
	t := v.endpoint.Request(i)
	if t.State == fast.Posted {
		v.records.makeReceive(i)
		if t.Flags&fast.Persistent == 0 {
			t.Flags &^= fast.Typed // it names the record no more
		}
	}
	t.State = fast.Extended
	return v.Pool.At(i)
}

// matched writes into r from whom it receives and how much, and returns the number of bytes to take: all, or
// as many as fit, in which case r fails with MPI_ERR_TRUNCATE.
func matched(r *request.Request, src, tag int32, n int64) int64 {
	room := r.Buf.Bytes()
	if n > room {
		r.Err = truncated(n, src, tag, room)
		n = room
	}
	r.Status = request.Status{Source: src, Tag: tag, Bytes: n}
	return n
}

func truncated(n int64, src, tag int32, room int64) error {
	return mpierr.New(mpierr.ErrTruncate, "the message of %d bytes from rank %d with tag %d does not fit into a buffer of %d bytes", n, src, tag, room)
}
