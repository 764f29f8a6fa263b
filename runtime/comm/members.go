package comm

import (
	"encoding/binary"
	"runtime"

	"gompi/runtime/group"
	"gompi/runtime/jobs/bridge"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
)

// Tags in setupContext.
const (
	tagMembers = 1 // within one group
	tagLeaders = 2 // between the leaders of two groups
)

// memberSet is the members of a communicator to be: some ranks of a context, and what they need to tell each
// other to make it.
type memberSet struct {
	e        *p2p.Engine
	x        p2p.Context
	ranks    []int32 // in x; nil for all of them, and where they are those of a group
	group    *group.Group
	me, size int
	tag      int
}

// members is all ranks of c, for collective calls that make communicators.
func (c *Comm) members() *memberSet {
	s := c.together()
	return &s
}

func (c *Comm) together() memberSet {
	s := memberSet{e: c.engine, x: c.Coll, me: c.Rank(), size: c.Size(), tag: tagMembers}
	s.x.ID = c.cid*contextsEach + setupContext
	return s
}

// seed is what a search for a CID among the members begins with.
func (s memberSet) seed() uint64 { return uint64(s.x.ID)<<32 | uint64(uint32(s.tag)) }

func (s *memberSet) rank(i int) int {
	if s.ranks != nil {
		return int(s.ranks[i])
	}
	if s.group != nil {
		return s.group.Of(i)
	}
	return i
}

func (s *memberSet) send(b []byte, to int) error {
	err := s.e.Send(&s.x, bridge.Raw(b), s.rank(to), s.tag)
	runtime.KeepAlive(b)
	return err
}

func (s *memberSet) recv(b []byte, from int) error {
	err := s.e.Recv(&s.x, bridge.Raw(b), s.rank(from), s.tag, nil)
	runtime.KeepAlive(b)
	return err
}

func (s *memberSet) exchange(out []byte, to int, in []byte, from int) error {
	return bridge.Exchange(s.e, &s.x, out, s.rank(to), in, s.rank(from), s.tag)
}

// refused is why the members cannot make a communicator, where one member alone would not find that out.
func (s memberSet) refused() error { return s.e.Refused(s.x.ID, s.tag) }

// and combines the words of all, bit by bit. After round k every rank knows of 2^(k+1) ranks; that some are
// counted twice in the last round does not matter to this operation.
func (s memberSet) and(words []uint64) error {
	if s.size == 1 {
		return s.refused()
	}
	return s.combine(words)
}

// combine is and of several members.
func (s memberSet) combine(words []uint64) error {
	out, in := make([]byte, 8*len(words)), make([]byte, 8*len(words))
	for k := 1; k < s.size; k <<= 1 {
		putWords(out, words)
		if err := s.exchange(out, (s.me+k)%s.size, in, (s.me-k+s.size)%s.size); err != nil {
			return err
		}
		andWords(words, in)
	}
	return nil
}

func putWords(b []byte, words []uint64) {
	for i, w := range words {
		binary.NativeEndian.PutUint64(b[8*i:], w)
	}
}

func andWords(words []uint64, b []byte) {
	for i := range words {
		words[i] &= binary.NativeEndian.Uint64(b[8*i:])
	}
}

// bcast gives all what the root has.
func (s *memberSet) bcast(b []byte, root int) error {
	me := (s.me - root + s.size) % s.size
	k := 1
	for ; k < s.size && me&k == 0; k <<= 1 {
	}
	if me != 0 {
		if err := s.recv(b, (me-k+root)%s.size); err != nil {
			return err
		}
	}
	for k >>= 1; k > 0; k >>= 1 {
		if me+k < s.size {
			if err := s.send(b, (me+k+root)%s.size); err != nil {
				return err
			}
		}
	}
	return nil
}

// allgather gives all what each has, in the order of the ranks. All have the same number of bytes.
func (s *memberSet) allgather(own []byte) ([]byte, error) {
	if s.size == 1 {
		return own, s.refused()
	}
	n := len(own)
	got := make([]byte, n*s.size) // of rank me, me+1, ...
	copy(got, own)
	for have := 1; have < s.size; {
		more := min(have, s.size-have)
		if err := s.exchange(got[:more*n], (s.me-have+s.size)%s.size, got[have*n:(have+more)*n],
			(s.me+have)%s.size); err != nil {
			return nil, err
		}
		have += more
	}
	all := make([]byte, len(got))
	copy(all[s.me*n:], got[:(s.size-s.me)*n])
	copy(all, got[(s.size-s.me)*n:])
	return all, nil
}

// Spread gives all ranks of c what the root has in b, which is as long on all. All ranks call it, as one of
// the calls that make communicators out of c.
func (c *Comm) Spread(b []byte, root int) error { return c.members().bcast(b, root) }

// All reports whether ok is true on all ranks of c, each of which calls it.
func (c *Comm) All(ok bool) (bool, error) {
	word := []uint64{0}
	if ok {
		word[0] = 1
	}
	err := c.members().and(word)
	return err == nil && word[0] != 0, err
}

// Swap sends out to one rank and receives in from another one, in the context of the calls that make
// communicators. in has the length of what comes.
func (c *Comm) Swap(out []byte, to int, in []byte, from int) error {
	return c.members().exchange(out, to, in, from)
}

// pair is two groups that make a communicator together. Their leaders speak for them.
type pair struct {
	local  *memberSet
	root   int // leader in the local group
	x      p2p.Context
	remote int // the other leader's rank in x
	tag    int
}

// pair is the two groups of an intercommunicator.
func (c *Comm) pair() *pair {
	x := c.P2P
	x.ID = c.cid*contextsEach + setupContext
	return &pair{local: c.members(), x: x, tag: tagLeaders}
}

// swap sends what the local leader has to all of the other group; in has the length of what comes from there.
// The leader tells its group of a failure as well, which it alone may notice: the others would wait for it.
func (p *pair) swap(out, in []byte) error {
	b := make([]byte, 8+len(in)) // the class of the leader's error, 0 for none, and what has come
	var err error
	if p.local.me == p.root {
		err = bridge.Exchange(p.local.e, &p.x, out, p.remote, b[8:], p.remote, p.tag)
		binary.NativeEndian.PutUint64(b, uint64(mpierr.CodeOf(err)))
	}
	if e := p.local.bcast(b, p.root); err == nil {
		err = e
	}
	if class := mpierr.Class(binary.NativeEndian.Uint64(b)); err == nil && class != 0 {
		err = mpierr.New(class, "the leader of this group cannot talk with the other group: %s", class.Text())
	}
	copy(in, b[8:])
	return err
}

// and combines the words of all ranks of both groups, bit by bit.
func (p *pair) and(words []uint64) error {
	if err := p.local.and(words); err != nil {
		return err
	}
	out, in := make([]byte, 8*len(words)), make([]byte, 8*len(words))
	putWords(out, words)
	if err := p.swap(out, in); err != nil {
		return err
	}
	andWords(words, in)
	return nil
}

// and combines the words of all ranks of c, of an intercommunicator those of both groups, bit by bit.
func (c *Comm) and(words []uint64) error {
	if c.Inter() {
		return c.pair().and(words)
	}
	return c.together().and(words)
}

// swapTable gives each group a list of the other's, whose lengths may differ.
func (p *pair) swapTable(own []int32) ([]int32, error) {
	var length, other [8]byte
	binary.NativeEndian.PutUint64(length[:], uint64(len(own)))
	if err := p.swap(length[:], other[:]); err != nil {
		return nil, err
	}
	in := make([]byte, 4*binary.NativeEndian.Uint64(other[:]))
	if err := p.swap(putInts(own), in); err != nil {
		return nil, err
	}
	return getInts(in), nil
}

func putInts(l []int32) []byte {
	b := make([]byte, 4*len(l))
	for i, v := range l {
		binary.NativeEndian.PutUint32(b[4*i:], uint32(v))
	}
	return b
}

func getInts(b []byte) []int32 {
	l := make([]int32, len(b)/4)
	for i := range l {
		l[i] = int32(binary.NativeEndian.Uint32(b[4*i:]))
	}
	return l
}
