package p2p_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// Operations that are freed without having been started stand aside, on whichever side and in whichever order
// that becomes known.
func TestPartitionedRetracted(t *testing.T) {
	everywhere(t, []int{2}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		other := 1 - x.Rank
		for variant := range 8 {
			data, in := pattern(600, uint64(variant)), make([]byte, 600)
			var void []*request.Request
			for i := range 2 {
				if variant>>i&1 == 0 {
					continue
				}
				initialize := []func(*p2p.Context, datatype.Buffer, int, int, int) (*request.Request,
					error){p.Partitions.SendInit, p.Partitions.RecvInit}[i]
				r, err := initialize(x, buffer(make([]byte, 60)), 6, other, 3)
				if err != nil {
					return err
				}
				void = append(void, r)
			}
			if variant>>2 != 0 {
				if err := handshake(p); err != nil { // everybody's offers are there
					return err
				}
			}
			s, err := p.Partitions.SendInit(x, buffer(data), 6, other, 3)
			if err != nil {
				return err
			}
			r, err := p.Partitions.RecvInit(x, buffer(in), 4, other, 3)
			if err != nil {
				return err
			}
			if err := errors.Join(e.Start(r), e.Start(s), p.Partitions.Ready(s, 0, 5)); err != nil {
				return err
			}
			for range 50 {
				e.Progress()
			}
			for _, v := range void {
				if err := e.Free(v); err != nil {
					return err
				}
			}
			if err := errors.Join(e.Wait(r, nil), e.Wait(s, nil), e.Free(r), e.Free(s)); err != nil {
				return fmt.Errorf("variant %d: %w", variant, err)
			}
			if !bytes.Equal(in, data) {
				return fmt.Errorf("variant %d: wrong data", variant)
			}
			if err := handshake(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// handshake returns when everything that the other of two ranks sent before has come.
func handshake(p *runtime.Process) error {
	x := &p.World.P2P
	return p.Engine.Sendrecv(x, buffer(nil), 1-x.Rank, 99, buffer(nil), 1-x.Rank, 99, nil)
}

// Several threads mark partitions as ready, several look for them.
func TestPartitionedThreads(t *testing.T) {
	const parts, each, threads = 48, 1000, 4
	testjob.Run(t, 2, testjob.Options{Multiple: true}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		memory := make([]byte, parts*each)
		r, err := p.Partitions.SendInit(x, buffer(memory), parts, 1, 0)
		if x.Rank == 1 {
			r, err = p.Partitions.RecvInit(x, buffer(memory), parts/2, 0, 0)
		}
		if err != nil {
			return err
		}
		for round := range 20 {
			want := pattern(len(memory), uint64(round))
			if err := e.Start(r); err != nil {
				return err
			}
			var all sync.WaitGroup
			failures := make([]error, threads)
			for k := range threads {
				all.Go(func() {
					if x.Rank == 0 {
						for i := k; i < parts; i += threads {
							copy(memory[i*each:(i+1)*each], want[i*each:])
							failures[k] = errors.Join(failures[k], p.Partitions.Ready(r, i, i))
						}
						return
					}
					for i := k; i < parts/2; i += threads {
						for ok := false; !ok; {
							if ok, failures[k] = p.Partitions.Arrived(r, i); failures[k] != nil {
								return
							}
						}
						if !bytes.Equal(memory[i*2*each:(i+1)*2*each], want[i*2*each:(i+1)*2*each]) {
							failures[k] = fmt.Errorf("round %d: partition %d is wrong", round, i)
						}
					}
				})
			}
			all.Wait()
			if err := errors.Join(append(failures, e.Wait(r, nil))...); err != nil {
				return err
			}
		}
		return e.Free(r)
	})
	kept.memory = nil
}

// Errors leave everything as it is.
func TestPartitionedErrors(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		other := 1 - x.Rank
		data, in := pattern(64, 1), make([]byte, 32)
		s, err := p.Partitions.SendInit(x, buffer(data), 4, other, 0)
		if err != nil {
			return err
		}
		r, err := p.Partitions.RecvInit(x, buffer(in), 2, other, 0)
		if err != nil {
			return err
		}
		_, arrived := p.Partitions.Arrived(s, 0)
		err = errors.Join(
			expect(p.Partitions.Ready(s, 0, 0), mpierr.ErrRequest), expect(arrived, mpierr.ErrRequest),
			expect(p.Partitions.Ready(r, 0, 0), mpierr.ErrRequest),
			e.Start(s), e.Start(r),
			expect(p.Partitions.Ready(s, 0, 4), mpierr.ErrArg),
			expect(p.Partitions.Ready(s, -1, 0), mpierr.ErrArg),
			expect(p.Partitions.ReadyList(s, 3, func(i int) int { return i % 2 }), mpierr.ErrArg),
			expect(e.Free(s), mpierr.ErrRequest), expect(e.Free(r), mpierr.ErrRequest),
			expect(e.Cancel(r), mpierr.ErrRequest),
			p.Partitions.Ready(s, 0, 3), e.Wait(s, nil))
		if err != nil {
			return err
		}
		_, arrived = p.Partitions.Arrived(r, 2)
		if err := expect(arrived, mpierr.ErrArg); err != nil {
			return err
		}
		var st request.Status // the message is longer than the buffer
		if err := expect(e.Wait(r, &st), mpierr.ErrTruncate); err != nil {
			return err
		}
		if st.Bytes != 32 || !bytes.Equal(in, data[:32]) {
			return fmt.Errorf("status %+v", st)
		}
		return errors.Join(e.Free(s), e.Free(r))
	})
	kept.memory = nil
}
