package file_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	gort "runtime"
	"sync"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/request"
	"gompi/shm"
)

// A record that a rank writes by the shared pointer: who, which one, how long, and then bytes.
const recordUnit = 16

func record(rank, thread, number int) []byte {
	units := 1 + (rank*7+thread*5+number*3)%9
	b := bytes.Repeat([]byte{byte(rank*31 + thread*17 + number)}, units*recordUnit)
	binary.LittleEndian.PutUint32(b, uint32(rank))
	binary.LittleEndian.PutUint32(b[4:], uint32(thread))
	binary.LittleEndian.PutUint32(b[8:], uint32(number))
	binary.LittleEndian.PutUint32(b[12:], uint32(units))
	return b
}

// splitRecords cuts a file into records, each of which has to be whole and to come once, those of a thread in
// their order. It returns how many there are.
func splitRecords(content []byte) (int, error) {
	last := map[[2]uint32]int{}
	n := 0
	for ; len(content) > 0; n++ {
		if len(content) < recordUnit {
			return n, fmt.Errorf("%d bytes are left behind record %d", len(content), n)
		}
		word := func(i int) uint32 { return binary.LittleEndian.Uint32(content[4*i:]) }
		want := record(int(word(0)), int(word(1)), int(word(2)))
		if len(content) < len(want) || !bytes.Equal(content[:len(want)], want) {
			return n, fmt.Errorf("record %d is torn", n)
		}
		who := [2]uint32{word(0), word(1)}
		before, seen := last[who]
		if seen && int(word(2)) <= before {
			return n, fmt.Errorf("record %d of thread %v comes behind record %d", word(2), who, before)
		}
		last[who] = int(word(2))
		content = content[len(want):]
	}
	return n, nil
}

// Threads of several ranks write and read by the shared pointer at the same time. Each access has a part of
// the file for itself, and none is left out.
func TestSharedPointerOfManyThreads(t *testing.T) {
	const ranks, threads, each = 3, 3, 40
	for name, hints := range map[string]map[string]string{"pages": nil, "calls": {"gompi_mapping": "disable"}} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			var mu sync.Mutex
			var read []byte // what all have read, in no order
			testjob.Run(t, ranks, testjob.Options{Multiple: true}, func(p *runtime.Process) error {
				f, err := open(p, path, file.Create|file.ReadWrite, hints)
				if err != nil {
					return err
				}
				etype, err := datatype.Contiguous(recordUnit, datatype.Raw(0, 0).Type, false)
				if err != nil {
					return err
				}
				etype.Commit()
				if err := f.SetView(24, etype, etype, file.Native(), nil, nil); err != nil {
					return err
				}
				if err := onThreads(threads, func(thread int) error {
					return writeRecords(p, f, thread, each)
				}); err != nil {
					return err
				}
				if err := coll.Barrier(p.World); err != nil {
					return err
				}
				content, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				n, err := splitRecords(content[24:])
				if at, _ := f.SharedPosition(); err != nil || n != ranks*threads*each ||
					at != int64(len(content)-24)/recordUnit {
					return fmt.Errorf("%d records, pointer at %d of %d bytes: %w", n, at, len(content), err)
				}
				if err := f.SeekShared(0, file.FromStart); err != nil {
					return err
				}
				if err := onThreads(threads, func(int) error {
					mine, err := readUnits(p, f)
					mu.Lock()
					read = append(read, mine...)
					mu.Unlock()
					return err
				}); err != nil {
					return err
				}
				if err := coll.Barrier(p.World); err != nil {
					return err
				}
				_, err = f.Close()
				mu.Lock()
				defer mu.Unlock()
				written := content[24:]
				if got, want := tally(read), tally(written); len(read) != len(written) || got != want {
					return fmt.Errorf("%d bytes were read, want %d; sums %x and %x", len(read), len(written), got, want)
				}
				return err
			})
		})
	}
}

// onThreads runs something on several threads.
func onThreads(n int, f func(thread int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = f(i) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// writeRecords writes records by blocking and nonblocking accesses.
func writeRecords(p *runtime.Process, f *file.File, thread, n int) error {
	for i := range n {
		mem := record(p.Rank, thread, i)
		b := datatype.Raw(shm.Address(mem), int64(len(mem)))
		st := request.Empty
		if i%3 == 0 {
			r, err := f.Start(file.Shared, 0, b, file.Write)
			if err != nil {
				return err
			}
			if err := p.Engine.Wait(r, &st); err != nil {
				return err
			}
		} else if err := f.ReadWrite(file.Shared, 0, b, file.Write, &st); err != nil {
			return err
		}
		gort.KeepAlive(mem)
		if st.Bytes != int64(len(mem)) {
			return fmt.Errorf("%d bytes of %d were written", st.Bytes, len(mem))
		}
	}
	return nil
}

// readUnits reads by the shared pointer until the end of the file.
func readUnits(p *runtime.Process, f *file.File) ([]byte, error) {
	var all []byte
	for {
		mem := make([]byte, 3*recordUnit)
		var st request.Status
		b := datatype.Raw(shm.Address(mem), int64(len(mem)))
		if err := f.ReadWrite(file.Shared, 0, b, file.Read, &st); err != nil {
			return nil, err
		}
		if all = append(all, mem[:st.Bytes]...); st.Bytes == 0 {
			return all, nil
		}
	}
}

// tally is the same for the same units in any order.
func tally(units []byte) (sum uint64) {
	for ; len(units) >= recordUnit; units = units[recordUnit:] {
		h := uint64(14695981039346656037)
		for _, b := range units[:recordUnit] {
			h = (h ^ uint64(b)) * 1099511628211
		}
		sum += h
	}
	return sum
}
