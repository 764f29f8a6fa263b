package rma_test

import (
	"bytes"
	"fmt"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/shm"
)

// Memory of windows that have been freed is used again. New windows find zeros in it, whatever was attached
// to, and sent through, the ones before.
func TestReuse(t *testing.T) {
	for _, n := range []int{1, 2} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			testjob.Run(t, n, testjob.Options{}, func(p *runtime.Process) error {
				const few, regions = 16, 200
				memory, err := private(regions * few)
				if err != nil {
					return err
				}
				for pages := 320 * int64(n); pages < 400*int64(n); pages++ {
					dynamic, err := p.RMA.CreateDynamic(p.World, nil)
					if err != nil {
						return err
					}
					for i := range uintptr(regions) {
						if err := dynamic.Attach(memory+i*few, few); err != nil {
							return err
						}
					}
					for i := range uintptr(regions / 2) {
						if err := dynamic.Detach(memory + i*few); err != nil {
							return err
						}
					}
					if err := dynamic.Free(); err != nil {
						return err
					}
					w, err := p.RMA.Allocate(p.World, pages*shm.PageSize/int64(n), 1, nil)
					if err != nil {
						return err
					}
					if own := w.Memory(); len(bytes.TrimLeft(own, "\x00")) != 0 {
						return fmt.Errorf("memory of %d pages is not zero", pages)
					}
					if err := w.Free(); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}
