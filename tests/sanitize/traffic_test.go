package sanitize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/coll/node"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/topo"
	"gompi/shm"
)

// world is the handle MPI_COMM_WORLD.
const world = 0x101

// byteType is the handle MPI_BYTE.
const byteType = 0x247

// connect makes the endpoint of a process know the world, and opens its rings.
func connect(p *runtime.Process) error {
	e, x := p.Endpoint, &p.World.P2P
	p.World.Handle = world
	right, left := int32((p.Rank+1)%p.Size), int32((p.Rank+p.Size-1)%p.Size)
	me := int32(p.Rank)
	p.World.Topology = &topo.DistGraph{In: topo.Edges{Ranks: []int32{right, left, me}},
		Out: topo.Edges{Ranks: []int32{left, right, me}}}
	for h := range e.Sizes {
		if t := datatype.ByHandle(uint32(fast.FirstType) + uint32(h)); t != nil && t.Size() == t.Extent() &&
			t.Size() <= math.MaxUint8 {
			e.Sizes[h] = uint8(t.Size())
		}
	}
	node.OpenReductions(e)
	if err := e.AddComm(fast.Comm{Handle: world, Ctx: x.ID, Rank: int32(x.Rank), Size: uint32(x.Size),
		Targets: uint32(x.Size), Base: int32(x.Peers.Base), Stride: int32(x.Peers.Stride)},
		fast.CommLists{}, true); err != nil {
		return err
	}
	// Waits in C end when they are done, however long yields take: there is no engine to sleep.
	e.Polls, e.YieldLimit, e.YieldAgain, e.Open = math.MaxUint32, math.MaxUint64, 0, fast.Opened
	mem := make([]byte, 8)
	b := datatype.Buffer{Addr: shm.Address(mem), Count: 8, Type: datatype.ByHandle(byteType)}
	for r := range p.Size {
		if r != p.Rank {
			if err := p.Engine.Send(x, b, r, 0); err != nil {
				return err
			}
		}
	}
	for r := range p.Size {
		if r != p.Rank {
			if err := p.Engine.Recv(x, b, r, 0, nil); err != nil {
				return err
			}
		}
	}
	// The segment of nonblocking operations is known from the first one on.
	r, err := coll.Begin(p.World, func(t *coll.Team) error { return t.Barrier() })
	if err != nil {
		return err
	}
	if err := p.Engine.Wait(r, nil); err != nil {
		return err
	}
	return coll.Barrier(p.World)
}

// TestTraffic has 2 to 4 threads send, receive, probe, do collectives and access windows by the fast engine
// in C alone.
func TestTraffic(t *testing.T) {
	for n := 2; n <= 4; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			seed := rand.Uint64()
			var bases [2][]atomic.Uintptr
			for i := range bases {
				bases[i] = make([]atomic.Uintptr, n)
			}
			testjob.Run(t, n, testjob.Options{}, func(p *runtime.Process) error {
				if err := connect(p); err != nil {
					return err
				}
				var windows [2]*window
				var places [2]place
				for i := range windows {
					var err error
					if windows[i], err = openWindow(p, i, bases[i]); err != nil {
						return err
					}
					places[i] = windows[i].place()
				}
				if err := traffic(p.Endpoint, places, p.Rank, n, seed, 200); err != nil {
					return fmt.Errorf("seed %d: %w", seed, err)
				}
				for _, w := range windows {
					if err := w.close(p); err != nil {
						return err
					}
				}
				return coll.Barrier(p.World)
			})
		})
	}
}
