package coll_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/tool"
)

// TestOperationsGoOnWithoutCalls begins operations, short ones and long ones, and then only looks whether
// they are done, which makes no progress.
func TestOperationsGoOnWithoutCalls(t *testing.T) {
	for _, np := range []int{2, 5} {
		testjob.Run(t, np, testjob.Options{Settings: tool.Settings{Assisted: true}},
			func(p *runtime.Process) error {
				defer p.CloseFastPath()
				for _, n := range []int{1, 200, 100_000} {
					mem, out := make([]byte, 8*n), make([]byte, 8*n)
					for i := range n {
						binary.NativeEndian.PutUint64(mem[8*i:], uint64(p.Rank+i))
					}
					send, recv := bytesOf(mem), bytesOf(out)
					send.Count, send.Type = int64(n), named("MPI_UINT64_T")
					recv.Count, recv.Type = send.Count, send.Type
					r, err := coll.Begin(p.World, func(t *coll.Team) error {
						return t.Allreduce(send, recv,
							sum)
					})
					if err != nil {
						return err
					}
					end := time.Now().Add(testjob.Limit / 2)
					for ; !p.Engine.Done(r); time.Sleep(100 * time.Microsecond) {
						if time.Now().After(end) {
							return fmt.Errorf("an operation of %d elements is not done", n)
						}
					}
					if err := p.Engine.Wait(r, nil); err != nil {
						return err
					}
					for i := range n {
						if got, want := binary.NativeEndian.Uint64(out[8*i:]),
							uint64(np*i+np*(np-1)/2); got != want {
							return fmt.Errorf("element %d of %d is %d, want %d", i, n, got, want)
						}
					}
				}
				return nil
			})
	}
}
