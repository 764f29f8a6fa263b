package file_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/info"
	"gompi/runtime/request"
	"gompi/shm"
)

// Random programs of several ranks do to a file what they do to the model of one.

// call is what all ranks do at the same time, or one of them alone.
type call struct {
	what   string
	layout *layout
	alone  int // the rank that does it, -1 for all
	write  bool
	gaps   bool  // the buffer in memory has gaps
	at, n  []int // by rank, in etypes
	data   [][]byte
	want   [][]byte // what reads find
	size   int
	file   []byte // what is in the file afterwards
	where  []int  // individual pointers afterwards
	shared int
}

// drawLayout draws a view in which every rank sees other bytes.
func drawLayout(t *rapid.T, ranks int) *layout {
	l := &layout{disp: rapid.Int64Range(0, 40).Draw(t, "disp"),
		etype: rapid.SampledFrom([]int{1, 2, 3, 4, 8}).Draw(t, "etype")}
	for range rapid.IntRange(1, 3).Draw(t, "rounds") {
		owners := rapid.Permutation(rangeOf(-1, ranks)).Draw(t, "owners")
		for _, owner := range owners {
			n := rapid.IntRange(1, 5).Draw(t, "length")
			if owner >= 0 {
				l.blocks = append(l.blocks, block{l.extent, n, owner})
			}
			l.extent += n
		}
	}
	return l
}

func rangeOf(from, to int) []int {
	var all []int
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

// drawScript draws calls and works out what they do.
func drawScript(t *rapid.T, ranks int) []call {
	m := model{layout: &layout{etype: 1, extent: 1}, pos: make([]int, ranks)}
	for r := range ranks { // at first all see all bytes
		m.layout.blocks = append(m.layout.blocks, block{0, 1, r})
	}
	seed := byte(rapid.IntRange(0, 255).Draw(t, "seed"))
	var script []call
	everybody := true // the ranks see the same bytes: they must not write at the same time
	for range rapid.IntRange(1, 12).Draw(t, "calls") {
		c := call{alone: -1, at: make([]int, ranks), n: make([]int, ranks), data: make([][]byte, ranks),
			want: make([][]byte, ranks)}
		c.what = rapid.SampledFrom([]string{"view", "at", "at", "next", "at all", "at all", "next all",
			"shared", "ordered", "ordered", "size", "seek", "seek shared", "start", "start all", "split", "view", "atomic", "large"}).Draw(t, "what")
		c.write = rapid.Bool().Draw(t, "write")
		c.gaps = rapid.Bool().Draw(t, "gaps")
		if everybody && c.write && c.what != "ordered" || c.what == "shared" {
			c.alone = rapid.IntRange(0, ranks-1).Draw(t, "alone")
		}
		switch c.what {
		case "view":
			c.layout = drawLayout(t, ranks)
			m.layout, everybody, m.shared = c.layout, false, 0
			clear(m.pos)
		case "size":
			c.size = rapid.IntRange(0, 300).Draw(t, "size")
			m.resize(c.size)
		case "atomic":
			c.size = rapid.IntRange(0, 1).Draw(t, "atomic")
		case "large": // the file is long enough for the ways of large accesses
			c.what, c.size = "size", rapid.IntRange(40000, 80000).Draw(t, "size")
			m.resize(c.size)
		case "seek shared":
			c.size = rapid.IntRange(0, 30).Draw(t, "to")
			m.shared = c.size
		case "seek":
			for r := range ranks {
				c.at[r] = rapid.IntRange(0, 30).Draw(t, "to")
				m.pos[r] = c.at[r]
			}
		case "ordered", "shared":
			if !everybody { // by the shared pointer all must have the same view
				c.what, c.size = "size", len(m.content)
				break
			}
			c.draw(t, &m, &seed, func(r, n int) int {
				m.shared += n
				return m.shared - n
			})
		case "next", "next all":
			c.draw(t, &m, &seed, func(r, n int) int {
				m.pos[r] += n
				return m.pos[r] - n
			})
		default:
			c.draw(t, &m, &seed, func(r, n int) int { return rapid.IntRange(0, 40).Draw(t, "at") })
		}
		c.file, c.where, c.shared = slices.Clone(m.content), slices.Clone(m.pos), m.shared
		script = append(script, c)
	}
	return script
}

// draw draws what the ranks access.
func (c *call) draw(t *rapid.T, m *model, seed *byte, place func(r, n int) int) {
	many := rapid.SampledFrom([]int{1, 1, 1, 1, 1, 1, 1, 2500}).Draw(t, "many")
	for r := range c.n {
		if c.alone >= 0 && c.alone != r {
			continue
		}
		c.n[r] = rapid.IntRange(0, 20).Draw(t, "n") * many
		c.at[r] = place(r, c.n[r])
		if c.write {
			c.data[r] = make([]byte, c.n[r]*m.layout.etype)
			for i := range c.data[r] {
				*seed = *seed*5 + 17
				c.data[r][i] = *seed
			}
		}
	}
	for r := range c.n { // writes of one call are in other places, reads see what was there
		c.want[r] = m.access(r, c.at[r], c.n[r], c.data[r])
	}
}

// buffer is memory for n etypes, with gaps or without, and its data.
func (c *call) buffer(n, unit int, data []byte) (datatype.Buffer, func() []byte, error) {
	each := 1
	if c.gaps {
		each = 2
	}
	mem := make([]byte, max(n*unit*each, 1))
	for i := range data {
		mem[i/unit*unit*each+i%unit] = data[i]
	}
	etype, err := datatype.Contiguous(int64(unit), datatype.Raw(0, 0).Type, false)
	if err != nil {
		return datatype.Buffer{}, nil, err
	}
	strided, err := datatype.Vector(int64(n), 1, int64(each), etype, false)
	if err != nil {
		return datatype.Buffer{}, nil, err
	}
	strided.Commit()
	read := func() []byte {
		out := make([]byte, n*unit)
		for i := range out {
			out[i] = mem[i/unit*unit*each+i%unit]
		}
		return out
	}
	return datatype.Buffer{Addr: shm.Address(mem), Count: 1, Type: strided}, read, nil
}

// run carries out a call and checks what came of it.
func (c *call) run(p *runtime.Process, f *file.File, unit int) error {
	r := p.Rank
	dir := file.Direction(c.write)
	if c.layout != nil {
		return c.layout.show(f, r, file.Native())
	}
	b, read, err := c.buffer(c.n[r], unit, c.data[r])
	if err != nil {
		return err
	}
	var st request.Status
	alone := c.alone < 0 || c.alone == r
	finish := func(r *request.Request, err error) error {
		if err != nil {
			return err
		}
		return p.Engine.Wait(r, &st)
	}
	switch c.what {
	case "size":
		return f.SetSize(int64(c.size))
	case "seek shared":
		return f.SeekShared(int64(c.size), file.FromStart)
	case "seek":
		return f.SeekIndividual(int64(c.at[r]), file.FromStart)
	case "atomic":
		return f.SetAtomicity(c.size == 1)
	case "start all":
		err = finish(f.StartAll(file.Explicit, int64(c.at[r]), b, dir))
	case "at all":
		err = f.ReadWriteAll(file.Explicit, int64(c.at[r]), b, dir, &st)
	case "next all":
		err = f.ReadWriteAll(file.Individual, 0, b, dir, &st)
	case "ordered":
		err = f.ReadWriteOrdered(b, dir, &st)
	case "split":
		if err = f.Begin(file.Explicit, int64(c.at[r]), b, dir); err == nil {
			err = f.End(file.Explicit, b.Addr, dir, &st)
		}
	case "start":
		err = finish(f.Start(file.Explicit, int64(c.at[r]), b, dir))
	case "at":
		if alone {
			err = f.ReadWrite(file.Explicit, int64(c.at[r]), b, dir, &st)
		}
	case "next":
		if alone {
			err = f.ReadWrite(file.Individual, 0, b, dir, &st)
		}
	case "shared":
		if alone {
			err = f.ReadWrite(file.Shared, 0, b, dir, &st)
		}
	}
	if err != nil || !alone {
		return err
	}
	if want := int64(len(c.want[r])); !c.write && (st.Bytes != want || !bytes.Equal(read()[:want],
		c.want[r])) {
		return fmt.Errorf("read %d bytes %v, want %d: %v", st.Bytes, head(read()), want, head(c.want[r]))
	}
	if want := int64(len(c.data[r])); c.write && st.Bytes != want {
		return fmt.Errorf("wrote %d bytes, want %d", st.Bytes, want)
	}
	return nil
}

// play runs a script on all ranks.
func play(p *runtime.Process, path string, hints map[string]string, script []call) error {
	i := new(info.Info)
	for k, v := range hints {
		if err := i.Set(k, v); err != nil {
			return err
		}
	}
	f, err := file.Open(p.Files, p.World, path, file.Create|file.ReadWrite, i)
	if err != nil {
		return err
	}
	unit := 1
	for n := range script {
		c := &script[n]
		if c.layout != nil {
			unit = c.layout.etype
		}
		if err := c.run(p, f, unit); err != nil {
			return fmt.Errorf("call %d, %s (write %v): %w", n, c.what, c.write, err)
		}
		if err := coll.Barrier(p.World); err != nil {
			return err
		}
		got, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, c.file) {
			return fmt.Errorf("after call %d, %s (write %v), the file is\n%v, want\n%v", n, c.what, c.write, head(got), head(c.file))
		}
		pos, _ := f.Position()
		shared, _ := f.SharedPosition()
		if pos != int64(c.where[p.Rank]) || shared != int64(c.shared) {
			return fmt.Errorf("after call %d, %s, the pointers are at %d and %d, want %d and %d", n, c.what, pos, shared, c.where[p.Rank], c.shared)
		}
		if err := coll.Barrier(p.World); err != nil {
			return err
		}
	}
	_, err = f.Close()
	return err
}

func TestProgramsAgreeWithTheModel(t *testing.T) {
	dirs := []string{t.TempDir()}
	if d, err := os.MkdirTemp("/dev/shm", "gompi-test-"); err == nil {
		defer os.RemoveAll(d)
		dirs = append(dirs, d)
	}
	hints := []map[string]string{
		nil,
		{"gompi_mapping": "disable"},
		{"romio_cb_read": "enable", "romio_cb_write": "enable", "cb_nodes": "2"},
		{"gompi_mapping": "disable", "romio_cb_read": "disable", "romio_cb_write": "disable", "romio_ds_write": "enable", "ind_rd_buffer_size": "16", "ind_wr_buffer_size": "16"},
		{"gompi_mapping": "disable", "romio_cb_read": "disable", "romio_cb_write": "disable", "romio_ds_read": "disable"},
	}
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		ranks := rapid.IntRange(1, 4).Draw(rt, "ranks")
		h := hints[rapid.IntRange(0, len(hints)-1).Draw(rt, "hints")]
		dir := rapid.SampledFrom(dirs).Draw(rt, "dir")
		script := drawScript(rt, ranks)
		n++
		path := filepath.Join(dir, fmt.Sprint("file", n))
		defer os.Remove(path)
		testjob.Run(failing{t, rt}, ranks, testjob.Options{},
			func(p *runtime.Process) error { return play(p, path, h, script) })
	})
}

// head is the begin of bytes that a message shows.
func head(p []byte) []byte { return p[:min(len(p), 400)] }

// failing lets a job fail the drawn example, so that a smaller one is looked for.
type failing struct {
	testing.TB
	rt *rapid.T
}

func (f failing) Helper()                           {}
func (f failing) Failed() bool                      { return f.rt.Failed() }
func (f failing) Fatal(args ...any)                 { f.rt.Fatal(args...) }
func (f failing) Fatalf(format string, args ...any) { f.rt.Fatalf(format, args...) }
