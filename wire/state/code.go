package state

import (
	"encoding/binary"
	"errors"
)

// coder writes or reads the fields of a Rank, in one order for both. What is read is another process's
// memory: nothing in it is taken for true, and its end is an error that stays.
type coder struct {
	b       []byte
	reading bool
	err     error
}

// most bounds each list.
const most = 4096

var errShort = errors.New("the report of a rank is malformed")

func number[T ~int32 | ~uint32 | ~int64 | ~uint64 | ~uint8](c *coder, v *T) {
	if !c.reading {
		c.b = binary.AppendVarint(c.b, int64(*v))
		return
	}
	got, n := binary.Varint(c.b)
	if n <= 0 {
		c.fail()
		return
	}
	*v, c.b = T(got), c.b[n:]
}

func (c *coder) fail() {
	c.err, c.b = errShort, nil
}

func (c *coder) flag(v *bool) {
	n := uint8(0)
	if *v {
		n = 1
	}
	number(c, &n)
	*v = n == 1
}

func (c *coder) text(s *string) {
	n := uint32(len(*s))
	number(c, &n)
	switch {
	case !c.reading:
		c.b = append(c.b, *s...)
	case int(n) > len(c.b):
		c.fail()
	default:
		*s, c.b = printable(c.b[:n]), c.b[n:]
	}
}

// printable is a text that does a terminal no harm.
func printable(b []byte) string {
	s := make([]rune, 0, len(b))
	for _, r := range string(b) {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			r = '?'
		}
		s = append(s, r)
	}
	return string(s)
}

// list codes a list of what each codes.
func list[T any](c *coder, v *[]T, each func(*T)) {
	n := uint32(len(*v))
	number(c, &n)
	if c.reading {
		if n > most || int(n) > len(c.b) { // an element takes a byte at least
			c.fail()
			return
		}
		*v = make([]T, n)
	}
	for i := range *v {
		each(&(*v)[i])
	}
}

func (r *Rank) code(c *coder) {
	number(c, &r.Now)
	number(c, &r.Threads)
	number(c, &r.Sent)
	number(c, &r.Taken)
	list(c, &r.Comms, func(v *Comm) { v.code(c) })
	list(c, &r.Waits, func(v *Wait) { v.code(c) })
	list(c, &r.Locks, func(v *Lock) {
		number(c, &v.Comm)
		number(c, &v.Target)
		c.flag(&v.Exclusive)
	})
	list(c, &r.Messages, func(v *Message) {
		number(c, &v.Comm)
		number(c, &v.Src)
		number(c, &v.Tag)
		number(c, &v.Bytes)
	})
	number(c, &r.Left)
}

func (m *Comm) code(c *coder) {
	c.text(&m.Name)
	number(c, &m.Number)
	number(c, &m.Rank)
	c.flag(&m.Inter)
	for _, spans := range []*[]Span{&m.Members, &m.Targets} {
		list(c, spans, func(v *Span) {
			c.text(&v.Job)
			number(c, &v.First)
			number(c, &v.Step)
			number(c, &v.Length)
		})
	}
}

func (w *Wait) code(c *coder) {
	number(c, &w.Thread)
	c.text(&w.Call)
	number(c, &w.Caller)
	number(c, &w.Since)
	c.flag(&w.Any)
	number(c, &w.Asks)
	number(c, &w.Still)
	list(c, &w.Needs, func(v *Need) { v.code(c) })
}

func (n *Need) code(c *coder) {
	number(c, &n.Kind)
	number(c, &n.Comm)
	number(c, &n.Peer)
	number(c, &n.Tag)
	number(c, &n.Bytes)
	number(c, &n.Count)
	c.text(&n.Type)
	c.flag(&n.Sync)
	c.flag(&n.Full)
	c.text(&n.Name)
	number(c, &n.Root)
	c.text(&n.Op)
	number(c, &n.Number)
	list(c, &n.Absent, func(v *int32) { number(c, v) })
	c.text(&n.Text)
}

// Encode is r in at most limit bytes. What does not fit is left out: messages first, then needs but the first
// ones.
func (r *Rank) Encode(limit int) []byte {
	c := coder{}
	for {
		c.b = c.b[:0]
		r.code(&c)
		if len(c.b) <= limit {
			return c.b
		}
		if !r.shorten() {
			return nil
		}
	}
}

// shorten leaves something out; false when nothing can be left out.
func (r *Rank) shorten() bool {
	if n := len(r.Messages); n > 0 {
		r.Left += uint32(n - n/2)
		r.Messages = r.Messages[:n/2]
		return true
	}
	for i := range r.Waits {
		if n := len(r.Waits[i].Needs); n > 1 {
			r.Waits[i].Needs = r.Waits[i].Needs[:n/2]
			return true
		}
	}
	for i := range r.Comms {
		if m := &r.Comms[i]; len(m.Members)+len(m.Targets) > 0 {
			m.Members, m.Targets = nil, nil
			return true
		}
	}
	return false
}

// Decode is what a rank has written.
func Decode(b []byte) (*Rank, error) {
	c, r := coder{b: b, reading: true}, new(Rank)
	if r.code(&c); c.err != nil {
		return nil, c.err
	}
	n := uint32(len(r.Comms))
	for _, m := range r.Messages {
		if m.Comm >= n {
			return nil, errShort
		}
	}
	for _, l := range r.Locks {
		if l.Comm >= n {
			return nil, errShort
		}
	}
	for _, w := range r.Waits {
		for _, need := range w.Needs {
			if need.Comm >= n && need.OfComm() {
				return nil, errShort
			}
		}
	}
	return r, nil
}
