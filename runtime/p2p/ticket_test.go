package p2p_test

import (
	"bytes"
	"fmt"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/shm"
)

// post does what the stub of MPI_Irecv does (capi/ticket.c).
func post(l *shm.Lane, in []byte, ctx uint32, src, tag, self int32) (index, gen uint32) {
	index = l.Draw()
	t := l.Ticket(index)
	*t = shm.Ticket{
		State: shm.TicketPosted, Gen: t.Gen, Next: shm.NoTicket, Ctx: ctx, Src: src, Tag: tag, Self: self,
		Buf: shm.Address(in), Size: uint64(len(in)),
	}
	t.Order = l.Postings
	l.Postings++
	l.Posted++
	if bin := l.BinOf(ctx, tag); bin.First == shm.NoTicket {
		bin.First, bin.Last = index, index
	} else {
		l.Ticket(bin.Last).Next = index
		bin.Last = index
	}
	return index, t.Gen
}

// Receives that the stubs have posted come before all that Go posts later, in their order, and their numbers are used
// again in another generation.
func TestEngineTakesOverTickets(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		if x.Rank == 1 {
			for i := range 90 {
				if err := e.Send(x, buffer(pattern(100, uint64(i))), 0, 5); err != nil {
					return err
				}
			}
			return nil
		}
		seen := map[uint32]bool{}
		for round := range 30 {
			in := [3][]byte{make([]byte, 100), make([]byte, 100), make([]byte, 100)}
			buffer(in[0])
			buffer(in[1])
			i0, g0 := post(p.Lane, in[0], x.ID, 1, 5, 0)
			i1, g1 := post(p.Lane, in[1], x.ID, -1, -2, 0)
			if seen[i0<<16|g0] || seen[i1<<16|g1] {
				return fmt.Errorf("round %d: a number comes again in the same generation", round)
			}
			seen[i0<<16|g0], seen[i1<<16|g1] = true, true
			if err := e.Recv(x, buffer(in[2]), 1, 5, nil); err != nil {
				return err
			}
			var st request.Status
			for _, n := range [][2]uint32{{i1, g1}, {i0, g0}} {
				r := e.Ticket(n[0], n[1], request.GenBits)
				if r == nil {
					return fmt.Errorf("round %d: ticket %d is not found", round, n[0])
				}
				if err := e.Wait(r, &st); err != nil || st.Source != 1 || st.Tag != 5 || st.Bytes != 100 {
					return fmt.Errorf("round %d: %+v, %v", round, st, err)
				}
				if e.Ticket(n[0], n[1], request.GenBits) != nil {
					return fmt.Errorf("round %d: ticket %d is there after it was given back", round, n[0])
				}
			}
			for i := range in {
				if !bytes.Equal(in[i], pattern(100, uint64(3*round+i))) {
					return fmt.Errorf("round %d: receive %d has another message", round, i)
				}
			}
		}
		if n := e.Pool.Live(); n != 0 {
			return fmt.Errorf("%d requests are left", n)
		}
		return nil
	})
	kept.memory = nil
}

// Receives that the stubs have posted stay with them however often Go is asked for them, until a message comes for one: that one is Go's, and the
// others stay.
func TestAskingLeavesTicketsToTheStubs(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		if x.Rank == 1 {
			if err := e.Recv(x, buffer(nil), 0, 9, nil); err != nil {
				return err
			}
			return e.Send(x, buffer(pattern(100, 1)), 0, 5)
		}
		in := [2][]byte{make([]byte, 100), make([]byte, 100)}
		buffer(in[0])
		buffer(in[1])
		i0, g0 := post(p.Lane, in[0], x.ID, 1, 5, 0)
		i1, g1 := post(p.Lane, in[1], x.ID, 1, 6, 0)
		names := []p2p.TicketName{{Index: i0, Gen: g0}, {Index: i1, Gen: g1}}
		for range 100 {
			if !e.StillPosted(names, request.GenBits) || p.Lane.Posted != 2 {
				return fmt.Errorf("%d of 2 receives are left to the stubs before a message comes", p.Lane.Posted)
			}
		}
		if err := e.Send(x, buffer(nil), 1, 9); err != nil {
			return err
		}
		for e.StillPosted(names, request.GenBits) {
		}
		if e.StillPosted(names, request.GenBits) || !e.StillPosted(names[1:], request.GenBits) || p.Lane.Posted != 1 {
			return fmt.Errorf("%d receives are left to the stubs after a message has come for one", p.Lane.Posted)
		}
		if e.StillPosted([]p2p.TicketName{{Index: i1, Gen: g1 + 1}}, request.GenBits) {
			return fmt.Errorf("a receive is found by another generation of its number")
		}
		var st request.Status
		if done, err := e.Test(e.Ticket(i0, g0, request.GenBits), &st); !done || err != nil || st.Tag != 5 || !bytes.Equal(in[0], pattern(100, 1)) {
			return fmt.Errorf("%v, %+v, %v", done, st, err)
		}
		r := e.Ticket(i1, g1, request.GenBits)
		if err := e.Cancel(r); err != nil {
			return err
		}
		return e.Wait(r, &st)
	})
	kept.memory = nil
}
