package coll_test

import (
	"fmt"

	"gompi/runtime/coll"
	"gompi/runtime/op"
)

// combining is an operation and its definition.
func (k *kit) combining() (*op.Op, func(x, y uint64) uint64) {
	if k.rng.IntN(2) == 0 {
		return affine, compose2
	}
	return sum, add
}

// fold is what the contributions of some job ranks come to, in order.
func (k *kit) fold(jobs []int, i int, f func(x, y uint64) uint64) uint64 {
	x := value(k.step, jobs[0], anybody, i)
	for _, job := range jobs[1:] {
		x = f(x, value(k.step, job, anybody, i))
	}
	return x
}

func (k *kit) reduce() trial {
	n := k.count()
	root, arg := k.rooted()
	o, f := k.combining()
	k.gaps[1] = false
	out, fill := k.own(n, anybody)
	in := newVec(n, false)
	send, recv := out.buf(n), in.buf(n)
	inPlace := k.inPlace && k.mine == root
	if inPlace {
		send = inPlaceBuffer
	}
	return trial{name: "reduce with " + o.Name(),
		fill: func() {
			fill()
			in.clear()
			if inPlace {
				copy(in.mem, out.mem[:8*n])
			}
		},
		blocking: func() error { return coll.Reduce(k.c, send, recv, o, arg) },
		plan:     func(t *coll.Team) error { return t.Reduce(send, recv, o, arg) },
		check: func() error {
			return in.is(func(i int) uint64 {
				if k.mine != root {
					return unset
				}
				return k.fold(k.from, i, f)
			})
		}}
}

func (k *kit) allreduce() trial {
	n := k.count()
	o, f := k.combining()
	k.gaps[1] = false
	out, fill := k.own(n, anybody)
	in := newVec(n, false)
	send, recv := out.buf(n), in.buf(n)
	if k.inPlace {
		send = inPlaceBuffer
	}
	return trial{name: "allreduce with " + o.Name(),
		fill: func() {
			fill()
			in.clear()
			if k.inPlace {
				copy(in.mem, out.mem[:8*n])
			}
		},
		blocking: func() error { return coll.Allreduce(k.c, send, recv, o) },
		plan:     func(t *coll.Team) error { return t.Allreduce(send, recv, o) },
		check:    func() error { return in.is(func(i int) uint64 { return k.fold(k.from, i, f) }) }}
}

func (k *kit) scan() trial {
	n := k.count()
	exclusive := k.rng.IntN(2) == 0
	o, f := k.combining()
	k.gaps[1] = false
	out, fill := k.own(n, anybody)
	in := newVec(n, false)
	send, recv := out.buf(n), in.buf(n)
	if k.inPlace {
		send = inPlaceBuffer
	}
	end := k.me + 1
	if exclusive {
		end--
	}
	return trial{name: fmt.Sprintf("scan (exclusive %v) with %s", exclusive, o.Name()),
		fill: func() {
			fill()
			in.clear()
			if k.inPlace {
				copy(in.mem, out.mem[:8*n])
			}
		},
		blocking: func() error {
			if exclusive {
				return coll.Exscan(k.c, send, recv, o)
			}
			return coll.Scan(k.c, send, recv, o)
		},
		plan: func(t *coll.Team) error {
			if exclusive {
				return t.Exscan(send, recv, o)
			}
			return t.Scan(send, recv, o)
		},
		check: func() error {
			return in.is(func(i int) uint64 {
				switch {
				case end > 0:
					return k.fold(k.local[:end], i, f)
				case k.inPlace:
					return value(k.step, k.mine, anybody, i)
				}
				return unset
			})
		}}
}

// reduceScatter is both forms. Between two groups the counts of both have to add up to the same.
func (k *kit) reduceScatter() trial {
	even := k.rng.IntN(2) == 0
	n := k.count()
	o, f := k.combining()
	k.gaps[1] = false
	all := n * k.size
	if k.inter {
		all = n * k.size * len(k.remote)
		n = all / k.size
	}
	counts := make([]int64, k.size)
	for i := range counts {
		counts[i] = int64(n)
	}
	if !even {
		for i := range 5 { // move some from one to another
			a, b := (i*3)%k.size, (i*7+1)%k.size
			d := counts[a] / 2
			counts[a] -= d
			counts[b] += d
		}
	}
	from := 0
	for _, c := range counts[:k.me] {
		from += int(c)
	}
	mine := int(counts[k.me])
	out, fill := k.own(all, anybody)
	room := mine
	if k.inPlace {
		room = all
	}
	in := newVec(room, false)
	send, recv := out.buf(n), in.buf(n)
	if k.inPlace {
		send = inPlaceBuffer
	}
	return trial{name: fmt.Sprintf("reduce_scatter (even %v) with %s", even, o.Name()),
		fill: func() {
			fill()
			in.clear()
			if k.inPlace {
				copy(in.mem, out.mem[:8*all])
			}
		},
		blocking: func() error {
			if even {
				return coll.ReduceScatterBlock(k.c, send, recv, o)
			}
			return coll.ReduceScatter(k.c, send, recv, counts, o)
		},
		plan: func(t *coll.Team) error {
			if even {
				return t.ReduceScatterBlock(send, recv, o)
			}
			return t.ReduceScatter(send, recv, counts, o)
		},
		check: func() error {
			return in.is(func(i int) uint64 {
				if i < mine {
					return k.fold(k.from, from+i, f)
				}
				return value(k.step, k.mine, anybody, i) // in place: the rest stays
			})
		}}
}
