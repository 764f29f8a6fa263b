package coll_test

import (
	"fmt"
	"math/rand/v2"

	"gompi/runtime/coll"
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/p2p"
)

// kit makes the trials of one step. Everything drawn is the same on all ranks.
type kit struct {
	scene
	rng      *rand.Rand
	step     int
	inter    bool
	me, size int   // in the local group
	from     []int // job ranks that data comes from
	mine     int   // own job rank
	inPlace  bool  // this rank
	anyPlace bool  // or another one
	gaps     [2]bool
}

func (k *kit) count() int {
	switch k.rng.IntN(12) {
	case 0:
		if k.rng.IntN(8) == 0 {
			return 40_000 + k.rng.IntN(60_000)
		}
		return 2000 + k.rng.IntN(9000)
	case 1, 2:
		return 60 + k.rng.IntN(300)
	}
	return k.rng.IntN(6)
}

// byJobRank draws a count for every job rank.
func (k *kit) byJobRank() map[int]int {
	m := map[int]int{}
	for r := range 16 {
		m[r] = k.count()
	}
	return m
}

// rooted chooses a root: its job rank, and what this rank passes for it.
func (k *kit) rooted() (job, arg int) {
	both := map[int]bool{}
	for _, r := range append(append([]int{}, k.local...), k.remote...) {
		both[r] = true
	}
	for {
		job = k.rng.IntN(16)
		if both[job] {
			break
		}
	}
	if !k.inter {
		return job, index(k.local, job)
	}
	switch {
	case job == k.mine:
		return job, schedule.Root
	case index(k.local, job) >= 0:
		return job, p2p.ProcNull
	}
	return job, index(k.remote, job)
}

func index(list []int, x int) int {
	for i, v := range list {
		if v == x {
			return i
		}
	}
	return -1
}

func newTrial(s scene, rng *rand.Rand, step int) trial {
	k := &kit{scene: s, rng: rng, step: step, inter: s.c.Inter(), me: s.c.Rank(), size: s.c.Size(),
		from: s.remote}
	k.mine = s.local[k.me]
	places := 0 // a bit for each rank of the group that is in place
	switch rng.IntN(6) {
	case 0:
		places = -1
	case 1:
		places = rng.IntN(1 << 8)
	}
	k.anyPlace = places != 0 && !k.inter
	k.inPlace = k.anyPlace && places>>k.me&1 != 0
	k.gaps = [2]bool{rng.IntN(4) == 0, rng.IntN(4) == 0}
	makers := []func() trial{k.barrier, k.bcast, k.gather, k.scatter, k.allgather, k.alltoall, k.alltoallv,
		k.reduce, k.allreduce,
		k.reduceScatter, k.gatherv, k.scatterv, k.allgatherv}
	if !k.inter {
		makers = append(makers, k.scan)
	}
	return makers[rng.IntN(len(makers))]()
}

func (k *kit) barrier() trial {
	return trial{name: "barrier", fill: func() {}, check: func() error { return nil },
		blocking: func() error { return coll.Barrier(k.c) },
		plan:     func(t *coll.Team) error { return t.Barrier() }}
}

func (k *kit) bcast() trial {
	n := k.count()
	root, arg := k.rooted()
	idle := arg == p2p.ProcNull
	v := newVec(n, k.gaps[0])
	b := v.buf(n)
	return trial{name: "bcast",
		fill: func() {
			v.clear()
			for i := 0; i < n && k.mine == root; i++ {
				v.set(i, value(k.step, root, anybody, i))
			}
		},
		blocking: func() error { return coll.Bcast(k.c, b, arg) },
		plan:     func(t *coll.Team) error { return t.Bcast(b, arg) },
		check: func() error {
			return v.is(func(i int) uint64 {
				if idle {
					return unset
				}
				return value(k.step, root, anybody, i)
			})
		}}
}

// own is a vector of what this rank has for everybody.
func (k *kit) own(n int, to int) (*vec, func()) {
	v := newVec(n, k.gaps[1])
	return v, func() {
		for i := range n {
			v.set(i, value(k.step, k.mine, to, i))
		}
	}
}

func (k *kit) gather() trial {
	n := k.count()
	counts := make([]int, len(k.from))
	for i := range counts {
		counts[i] = n
	}
	t := k.gathering("gather", counts, n, true)
	return t
}

func (k *kit) gatherv() trial {
	sizes := k.byJobRank()
	counts := make([]int, len(k.from))
	for i, job := range k.from {
		counts[i] = sizes[job]
	}
	return k.gathering("gatherv", counts, sizes[k.mine], false)
}

func (k *kit) gathering(name string, counts []int, n int, even bool) trial {
	root, arg := k.rooted()
	l := newLayout(k.rng, counts)
	if even {
		l = evenLayout(counts)
	}
	out, fill := k.own(n, anybody)
	in := newVec(l.total, k.gaps[0])
	send, recv, blocks := out.buf(n), in.buf(n), l.blocks(in)
	inPlace := k.inPlace && k.mine == root
	if inPlace {
		send = inPlaceBuffer
	}
	return trial{name: name,
		fill: func() {
			fill()
			in.clear()
			if inPlace {
				l.each(func(block, i, at int) {
					if block == k.me {
						in.set(at, value(k.step, k.mine, anybody, i))
					}
				})
			}
		},
		blocking: func() error {
			if even {
				return coll.Gather(k.c, send, recv, arg)
			}
			return coll.Gatherv(k.c, send, blocks, arg)
		},
		plan: func(t *coll.Team) error {
			if even {
				return t.Gather(send, recv, arg)
			}
			return t.Gatherv(send, blocks, arg)
		},
		check: func() error {
			return in.is(l.want(func(block, i int) uint64 {
				if k.mine != root {
					return unset
				}
				return value(k.step, k.from[block], anybody, i)
			}))
		}}
}

// inPlaceBuffer is MPI_IN_PLACE as capi passes it.
var inPlaceBuffer = func() (b datatype.Buffer) {
	b = inPlace
	b.Type = named("MPI_BYTE")
	return b
}()

func evenLayout(counts []int) layout {
	var l layout
	for _, n := range counts {
		l.counts = append(l.counts, int64(n))
		l.displs = append(l.displs, int64(l.total))
		l.total += n
	}
	return l
}

func (k *kit) scatter() trial {
	n := k.count()
	counts := make([]int, len(k.from))
	for i := range counts {
		counts[i] = n
	}
	return k.scattering("scatter", counts, n, true)
}

func (k *kit) scatterv() trial {
	sizes := k.byJobRank()
	counts := make([]int, len(k.from))
	for i, job := range k.from {
		counts[i] = sizes[job]
	}
	return k.scattering("scatterv", counts, sizes[k.mine], false)
}

func (k *kit) scattering(name string, counts []int, n int, even bool) trial {
	root, arg := k.rooted()
	l := newLayout(k.rng, counts)
	if even {
		l = evenLayout(counts)
	}
	out, in := newVec(l.total, k.gaps[0]), newVec(n, k.gaps[1])
	send, recv, blocks := out.buf(n), in.buf(n), l.blocks(out)
	gets := arg != p2p.ProcNull && arg != schedule.Root
	if k.inPlace && k.mine == root {
		recv, gets = inPlaceBuffer, false
	}
	return trial{name: name,
		fill: func() {
			in.clear()
			l.each(func(block, i, at int) { out.set(at, value(k.step, k.mine, k.from[block], i)) })
		},
		blocking: func() error {
			if even {
				return coll.Scatter(k.c, send, recv, arg)
			}
			return coll.Scatterv(k.c, blocks, recv, arg)
		},
		plan: func(t *coll.Team) error {
			if even {
				return t.Scatter(send, recv, arg)
			}
			return t.Scatterv(blocks, recv, arg)
		},
		check: func() error {
			return in.is(func(i int) uint64 {
				if !gets {
					return unset
				}
				return value(k.step, root, k.mine, i)
			})
		}}
}

func (k *kit) allgather() trial {
	n := k.count()
	counts := make([]int, len(k.from))
	for i := range counts {
		counts[i] = n
	}
	return k.allgathering("allgather", counts, n, true)
}

func (k *kit) allgatherv() trial {
	sizes := k.byJobRank()
	counts := make([]int, len(k.from))
	for i, job := range k.from {
		counts[i] = sizes[job]
	}
	return k.allgathering("allgatherv", counts, sizes[k.mine], false)
}

func (k *kit) allgathering(name string, counts []int, n int, even bool) trial {
	l := newLayout(k.rng, counts)
	if even {
		l = evenLayout(counts)
	}
	out, fill := k.own(n, anybody)
	in := newVec(l.total, k.gaps[0])
	send, recv, blocks := out.buf(n), in.buf(n), l.blocks(in)
	if k.inPlace {
		send = inPlaceBuffer
	}
	return trial{name: name,
		fill: func() {
			fill()
			in.clear()
			if k.inPlace {
				l.each(func(block, i, at int) {
					if block == k.me {
						in.set(at, value(k.step, k.mine, anybody, i))
					}
				})
			}
		},
		blocking: func() error {
			if even {
				return coll.Allgather(k.c, send, recv)
			}
			return coll.Allgatherv(k.c, send, blocks)
		},
		plan: func(t *coll.Team) error {
			if even {
				return t.Allgather(send, recv)
			}
			return t.Allgatherv(send, blocks)
		},
		check: func() error {
			return in.is(l.want(func(block, i int) uint64 {
				return value(k.step, k.from[block], anybody,
					i)
			}))
		}}
}

func (k *kit) alltoall() trial {
	n := k.count()
	return k.exchanging("alltoall", func(_, _ int) int { return n }, 0)
}

func (k *kit) alltoallv() trial {
	a, b := k.byJobRank(), k.rng.IntN(3)
	form := 1 + k.rng.IntN(2)
	return k.exchanging(fmt.Sprint("alltoall ", form), func(from, to int) int {
		if k.anyPlace {
			from, to = min(from, to), max(from, to) // both ways alike
		}
		return a[(from*3+to*5+b)%16]
	}, form)
}

// exchanging is an alltoall: even, v or w.
func (k *kit) exchanging(name string, size func(from, to int) int, form int) trial {
	var outs, ins []int
	for _, peer := range k.from {
		outs = append(outs, size(k.mine, peer))
		ins = append(ins, size(peer, k.mine))
	}
	lo, li := newLayout(k.rng, outs), newLayout(k.rng, ins)
	if form == 0 {
		lo, li = evenLayout(outs), evenLayout(ins)
	}
	out, in := newVec(lo.total, k.gaps[0]), newVec(li.total, k.gaps[1])
	n := outs[0]
	sendEven, recvEven := out.buf(n), in.buf(n)
	send, recv := lo.blocks(out), li.blocks(in)
	if form == 2 {
		send, recv = lo.typed(out), li.typed(in)
	}
	if k.inPlace {
		sendEven = inPlaceBuffer
		send = &partition.Blocks{Buffer: inPlaceBuffer}
	}
	return trial{name: name,
		fill: func() {
			in.clear()
			lo.each(func(block, i, at int) { out.set(at, value(k.step, k.mine, k.from[block], i)) })
			if k.inPlace {
				li.each(func(block, i, at int) { in.set(at, value(k.step, k.mine, k.from[block], i)) })
			}
		},
		blocking: func() error {
			if form == 0 {
				return coll.Alltoall(k.c, sendEven, recvEven)
			}
			return coll.Alltoallw(k.c, send, recv)
		},
		plan: func(t *coll.Team) error {
			if form == 0 {
				return t.Alltoall(sendEven, recvEven)
			}
			return t.Alltoallw(send, recv)
		},
		check: func() error {
			return in.is(li.want(func(block, i int) uint64 {
				return value(k.step, k.from[block], k.mine,
					i)
			}))
		}}
}
