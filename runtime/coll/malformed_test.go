package coll_test

import (
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// What a rank has published in shared memory and cannot have meant is reported to those who read it.
func TestMalformedContributions(t *testing.T) {
	for name, spoil := range map[string]func(c *fast.Cell, table uintptr){
		"length":     func(c *fast.Cell, _ uintptr) { c.Length |= shm.CellInPayload | shm.CellBytes },
		"offset":     func(c *fast.Cell, _ uintptr) { c.Data[0] = shm.CollPayloadSize },
		"block":      func(_ *fast.Cell, table uintptr) { *fast.EntryAt(table, 1) = 1 << 20 },
		"short":      func(c *fast.Cell, _ uintptr) { c.Length = 4 },
		"far":        func(c *fast.Cell, _ uintptr) { c.Data[0] = 1<<64 - 8 },
		"backwards":  func(_ *fast.Cell, table uintptr) { *fast.EntryAt(table, 0) = 100 },
		"by message": func(_ *fast.Cell, table uintptr) { *fast.EntryAt(table, 1) = fast.TableMessage },
	} {
		t.Run(name, func(t *testing.T) {
			testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
				c := p.World
				if err := coll.Barrier(c); err != nil {
					return err
				}
				if p.Rank == 0 { // a scatter of 64 bytes for rank 1
					a := c.Segment()
					a.Begin()
					table := a.OwnData(8 + 64)
					*fast.EntryAt(table, 0), *fast.EntryAt(table, 1) = 0, 64
					spoil(a.Cell(0, a.Seq), table)
					a.Publish()
					a.End(false)
					return nil
				}
				return wantClass(coll.Scatterv(c, nil, bytesOf(make([]byte, 64)), 0), mpierr.ErrIntern)
			})
		})
	}
}
