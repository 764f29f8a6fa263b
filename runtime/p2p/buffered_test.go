package p2p_test

import (
	"bytes"
	"errors"
	"fmt"
	gort "runtime"
	"testing"

	"gompi/runtime"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/buffered"
	"gompi/runtime/request"
	"gompi/shm"
)

// Messages in buffered mode outlive the call, keep their order, and leave the buffer when they have gone.
func TestBuffered(t *testing.T) {
	everywhere(t, []int{1, 2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		other := x.Size - 1 - x.Rank
		if err := expect(p.Buffers.Send(x, buffer(nil), other, 1), mpierr.ErrBuffer); err != nil {
			return err
		}
		for round, automatic := range []bool{false, true, false} {
			room := make([]byte, 1<<20)
			on := buffered.OfContext(x)
			if round == 2 {
				on = buffered.Owner{} // of the process
			}
			begin, length := shm.Address(room), int64(len(room))
			if automatic {
				begin, length = fast.BufferAutomatic, 0
			}
			if err := p.Buffers.Attach(on, begin, length); err != nil {
				return err
			}
			twice := p.Buffers.Attach(on, shm.Address(room), 1)
			if err := expect(twice, mpierr.ErrBuffer); err != nil {
				return err
			}
			sizes := []int{8, 100_000, 0, 5000, 200_000, 100}
			out := make([]byte, 200_000)
			for i, n := range sizes {
				copy(out, pattern(n, uint64(i)))
				if i%2 == 0 {
					if err := p.Buffers.Send(x, buffer(out[:n]), other, 2); err != nil {
						return err
					}
					continue
				}
				r, err := p.Buffers.Isend(x, buffer(out[:n]), other, 2)
				if err != nil {
					return err
				}
				if ok, err := e.Test(r, nil); !ok || err != nil {
					return fmt.Errorf("a buffered send is not done at once: %v", err)
				}
			}
			if !automatic {
				if err := expect(p.Buffers.Send(x, buffer(room[:1<<20-100]), other, 2),
					mpierr.ErrBuffer); err != nil {
					return err
				}
			}
			flush, err := p.Buffers.Iflush(on)
			if err != nil {
				return err
			}
			in := make([]byte, 200_000)
			for i, n := range sizes {
				var st request.Status
				if err := e.Recv(x, buffer(in), other, 2, &st); err != nil || st.Bytes != int64(n) ||
					!bytes.Equal(in[:n], pattern(n, uint64(i))) {
					return fmt.Errorf("message %d: %v %+v", i, err, st)
				}
			}
			if err := errors.Join(e.Wait(flush, nil), p.Buffers.Flush(on)); err != nil {
				return err
			}
			addr, size, err := p.Buffers.Detach(on)
			if err != nil || addr != begin || size != length {
				return fmt.Errorf("detached %#x, %d: %v", addr, size, err)
			}
			if _, _, err := p.Buffers.Detach(on); mpierr.CodeOf(err) != int(mpierr.ErrBuffer) {
				return fmt.Errorf("detached twice: %v", err)
			}
			gort.KeepAlive(room)
		}
		return nil
	})
}

// A buffer of the smallest size that the standard promises is enough, over and over.
func TestBufferedInSmallRoom(t *testing.T) {
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		const n, count = 50_000, 20
		if x.Rank == 0 {
			room := make([]byte, n+512)
			for i := range count {
				err := p.Buffers.Attach(buffered.Owner{}, shm.Address(room), int64(len(room)))
				if err != nil {
					return err
				}
				if err := p.Buffers.Send(x, buffer(pattern(n, uint64(i))), 1, 0); err != nil {
					return err
				}
				if _, _, err := p.Buffers.Detach(buffered.Owner{}); err != nil {
					return err
				}
			}
			gort.KeepAlive(room)
			return nil
		}
		in := make([]byte, n)
		for i := range count {
			if err := e.Recv(x, buffer(in), 0, 0, nil); err != nil ||
				!bytes.Equal(in, pattern(n, uint64(i))) {
				return fmt.Errorf("message %d: %v", i, err)
			}
		}
		return nil
	})
}

// A buffered send that the receiver has not matched can be cancelled, wherever its message is.
func TestCancelBuffered(t *testing.T) {
	everywhere(t, []int{1, 2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		if err := p.Buffers.Attach(buffered.Owner{}, fast.BufferAutomatic, 0); err != nil {
			return err
		}
		if x.Rank == 0 {
			for _, n := range []int{8, 100_000} {
				r, err := p.Buffers.Isend(x, buffer(pattern(n, 1)), x.Size-1, 4)
				if err != nil {
					return err
				}
				var st request.Status
				if err := errors.Join(e.Cancel(r), e.Wait(r, &st)); err != nil {
					return err
				}
				if !st.Cancelled && x.Size > 1 {
					return fmt.Errorf("size %d was not cancelled", n)
				}
			}
		}
		if x.Size > 1 {
			if err := e.Sendrecv(x, buffer(nil), 1-x.Rank, 9, buffer(nil), 1-x.Rank, 9, nil); err != nil {
				return err
			}
		}
		var st request.Status
		if ok, err := e.Iprobe(x, 0, 4, &st); ok && x.Size > 1 || err != nil {
			return fmt.Errorf("a cancelled message is there: %v", err)
		}
		_, _, err := p.Buffers.Detach(buffered.Owner{})
		return err
	})
}

// A message that has waited in an attached buffer and has left it can be cancelled as well, as long as nobody
// has received it.
func TestCancelBufferedThatHasGone(t *testing.T) {
	const ahead = 200 // more than a ring holds
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		if x.Rank == 1 {
			if err := e.Recv(x, buffer(nil), 0, 9, nil); err != nil {
				return err
			}
			for range ahead {
				if err := e.Recv(x, buffer(pattern(8, 0)), 0, 5, nil); err != nil {
					return err
				}
			}
			if err := e.Send(x, buffer(nil), 0, 9); err != nil {
				return err
			}
			var st request.Status
			if err := e.Recv(x, buffer(nil), 0, 9, nil); err != nil {
				return err
			}
			if ok, err := e.Iprobe(x, 0, 4, &st); ok || err != nil {
				return fmt.Errorf("a cancelled message is there: %v", err)
			}
			return nil
		}
		if err := p.Buffers.Attach(buffered.Owner{}, fast.BufferAutomatic, 0); err != nil {
			return err
		}
		if err := e.Send(x, buffer(nil), 1, 9); err != nil {
			return err
		}
		var rs []*request.Request
		for range ahead {
			r, err := e.Isend(x, buffer(pattern(8, 0)), 1, 5)
			if err != nil {
				return err
			}
			rs = append(rs, r)
		}
		r, err := p.Buffers.Isend(x, buffer(pattern(8, 1)), 1, 4)
		if err != nil {
			return err
		}
		var st request.Status
		if err := errors.Join(e.WaitAll(rs, nil), e.Recv(x, buffer(nil), 1, 9, nil), e.Cancel(r),
			e.Cancel(r), e.Wait(r, &st)); err != nil {
			return err
		}
		if !st.Cancelled {
			return errors.New("the message was not cancelled")
		}
		if err := e.Send(x, buffer(nil), 1, 9); err != nil {
			return err
		}
		_, _, err = p.Buffers.Detach(buffered.Owner{})
		return err
	})
}
