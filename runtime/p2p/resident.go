package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/request"
)

// Resident is a persistent operation whose rounds the fast engine carries out as long as nothing is in the
// way: a partitioned or a collective one. Its methods are called with the lock held.
type Resident interface {
	request.Operation
	// Settle describes the operation, which is not started, in the record of its request, and of which kind
	// it is in its flags. It returns false where the fast engine cannot carry it out.
	Settle(t *fast.Request) bool
	// TakeUp goes on with a round of r, which was in a state of the fast engine. of is the record of a
	// collective operation.
	TakeUp(r *request.Request, state uint32, of *fast.CollRequest)
}

// settle leaves a persistent request that is not active to the stubs, if it is that of a Resident operation
// that can be left to them, and its last round has not failed.
func (d *records) settle(r *request.Request, t *fast.Request) bool {
	op, ok := r.Op.(Resident)
	if !ok || !d.ByHandle || d.unsettled || d.endpoint.Open == fast.Closed || r.Err != nil || !op.Settle(t) {
		return false
	}
	t.Flags |= fast.Persistent
	if t.Flags&fast.Repeats != 0 {
		d.endpoint.CollRequest(t.Next).Request = r.Index()
	}
	if d.residents == nil {
		d.residents = map[uint32]Resident{}
	}
	d.residents[r.Index()] = op
	return true
}

// extendResident makes the request for a Resident operation. Where it is a receive that waits for its message
// it is not posted any more.
func (d *records) extendResident(i uint32) {
	t, op := d.endpoint.Request(i), d.residents[i]
	delete(d.residents, i)
	r := d.Pool.Extend(i, t.Gen, request.Composite)
	r.Op, r.Plan, r.Key.Ctx, r.Status = op, new(request.Plan), t.Ctx&^PartitionContexts, request.Empty
	state, number := t.State, fast.NoRequest
	var of *fast.CollRequest
	if t.Flags&fast.Repeats != 0 {
		number = t.Next
		of = d.endpoint.CollRequest(number)
	}
	if state == fast.Unready {
		d.endpoint.EndUnready(t)
	}
	t.State = fast.Extended
	t.Flags &^= fast.Persistent | fast.Partitioned | fast.Repeats | fast.Sends
	if state != fast.Inactive {
		r.Active = true
		op.TakeUp(r, state, of)
	}
	if of == nil {
		return
	}
	if state == fast.Collective {
		d.endpoint.EndColl(number)
	}
	d.endpoint.ReturnColl(number)
}

// extendPartial goes on with the partitioned sends of which some partitions are ready and others are not.
func (d *records) extendPartial() {
	for i := range d.residents {
		if d.endpoint.IsPartial(i) {
			d.extend(i)
		}
	}
}

// HasPartition reports whether a handle names a receive that is left to the stubs and has that partition.
func (d *records) HasPartition(handle uintptr, partition int64) bool {
	d.lock()
	defer d.unlock()
	i := d.endpoint.NumberOf(handle)
	return i != fast.NoRequest && uint64(partition) < uint64(d.endpoint.Request(i).Partitions())
}
