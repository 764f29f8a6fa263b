package file_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/request"
	"gompi/shm"
)

// Collective buffering with buffers that are far smaller than what is accessed: many rounds, domains whose
// borders lie anywhere in the ranks' pieces, ranks without data, and the end of the file in any round.

// exchangeAll is one collective access; by rank.
type exchangeAll struct {
	write bool
	at, n []int
	data  [][]byte
	want  [][]byte
	file  []byte // afterwards
}

// drawBuffering draws the hints that decide on rounds and domains.
func drawBuffering(t *rapid.T, ranks int) map[string]string {
	return map[string]string{
		"gompi_mapping": "disable", "romio_cb_read": "enable", "romio_cb_write": "enable",
		"cb_nodes":       strconv.Itoa(rapid.IntRange(1, ranks+1).Draw(t, "aggregators")),
		"cb_buffer_size": rapid.SampledFrom([]string{"1", "4096", "8192", "65536"}).Draw(t, "buffer"),
		"striping_unit": rapid.SampledFrom([]string{"1", "4096", "12288", "1099511627776",
			"9223372036854775807"}).Draw(t, "stripe"),
	}
}

// drawExchanges draws accesses in which every rank has pieces of its own.
func drawExchanges(t *rapid.T, ranks int) (l *layout, before []byte, all []exchangeAll) {
	l = &layout{disp: rapid.Int64Range(0, 5000).Draw(t, "disp"),
		etype: rapid.SampledFrom([]int{1, 3, 8}).Draw(t, "etype")}
	for _, owner := range rapid.Permutation(rangeOf(-1, ranks)).Draw(t, "owners") {
		n := rapid.IntRange(1, 900).Draw(t, "length")
		if owner >= 0 {
			l.blocks = append(l.blocks, block{l.extent, n, owner})
		}
		l.extent += n
	}
	before = bytes.Repeat([]byte{0xEE}, rapid.IntRange(0, 40000).Draw(t, "before"))
	m := model{content: bytes.Clone(before), layout: l}
	seed := byte(rapid.IntRange(0, 255).Draw(t, "seed"))
	for range rapid.IntRange(1, 3).Draw(t, "accesses") {
		x := exchangeAll{write: rapid.Bool().Draw(t, "write"), at: make([]int, ranks), n: make([]int, ranks),
			data: make([][]byte, ranks), want: make([][]byte, ranks)}
		for r := range ranks {
			x.at[r] = rapid.IntRange(0, 1500).Draw(t, "at")
			if x.n[r] = rapid.IntRange(-500, 3000).Draw(t, "n"); x.n[r] < 0 {
				x.n[r] = 0
			}
			if x.write {
				x.data[r] = make([]byte, x.n[r]*l.etype)
				for i := range x.data[r] {
					seed = seed*5 + 17
					x.data[r][i] = seed
				}
			}
		}
		for r := range ranks {
			x.want[r] = m.access(r, x.at[r], x.n[r], x.data[r])
		}
		x.file = bytes.Clone(m.content)
		all = append(all, x)
	}
	return l, before, all
}

// run carries out the access and checks what this rank has read and been told.
func (x *exchangeAll) run(p *runtime.Process, f *file.File, unit int) error {
	mem := make([]byte, x.n[p.Rank]*unit+1) // an address, also where there is nothing
	copy(mem, x.data[p.Rank])
	want := x.want[p.Rank]
	if x.write {
		want = x.data[p.Rank]
	}
	var st request.Status
	b := datatype.Raw(shm.Address(mem), int64(len(mem)-1))
	dir := file.Direction(x.write)
	if err := f.ReadWriteAll(file.Explicit, int64(x.at[p.Rank]), b, dir, &st); err != nil {
		return err
	}
	if st.Bytes != int64(len(want)) || !bytes.Equal(mem[:len(want)], want) {
		return fmt.Errorf("%d bytes %v, want %d: %v", st.Bytes, head(mem), len(want), head(want))
	}
	if rest := mem[len(want):]; !x.write && !bytes.Equal(rest, make([]byte, len(rest))) {
		return fmt.Errorf("what lies behind the end of the file is %v in the buffer", head(rest))
	}
	return nil
}

func TestCollectiveBuffering(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		ranks := rapid.IntRange(2, 4).Draw(rt, "ranks")
		hints := drawBuffering(rt, ranks)
		l, before, all := drawExchanges(rt, ranks)
		n++
		path := filepath.Join(dir, fmt.Sprint("file", n))
		if err := os.WriteFile(path, before, 0o600); err != nil {
			rt.Fatal(err)
		}
		defer os.Remove(path)
		testjob.Run(failing{t, rt}, ranks, testjob.Options{}, func(p *runtime.Process) error {
			f, err := open(p, path, file.ReadWrite, hints)
			if err != nil {
				return err
			}
			if err := l.show(f, p.Rank, file.Native()); err != nil {
				return err
			}
			for i := range all {
				if err := all[i].run(p, f, l.etype); err != nil {
					return fmt.Errorf("access %d (write %v): %w", i, all[i].write, err)
				}
				got, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				if !bytes.Equal(got, all[i].file) {
					return fmt.Errorf("after access %d (write %v): %d bytes, not %d, other ones from byte %d on", i,
						all[i].write, len(got), len(all[i].file), difference(got, all[i].file))
				}
				if err := coll.Barrier(p.World); err != nil {
					return err
				}
			}
			_, err = f.Close()
			return err
		})
	})
}

// difference is where two texts begin to differ.
func difference(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
