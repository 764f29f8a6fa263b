package p2p

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/runtime/scratch"
	"gompi/runtime/tool"
	"gompi/runtime/transport"
)

// core is what all parts of an engine work on.
type core struct {
	me       int     // job rank
	size     int     // ranks in the job
	node     []int   // job rank of each rank of the node
	peers    []*peer // by number: the job's ranks first
	endpoint *fast.Endpoint
	waiter   transport.Waiter

	Pool    request.Pool
	Scratch scratch.Pool // memory of operations on their way

	signatures *signatures // nil unless messages are checked
	count      tool.Counters
	filling    int // receives whose data comes in pieces

	fatal func(error) // as in Config

	ops     *Operations // what follows when a request is done
	cancels *cancels

	threads        bool // MPI_THREAD_MULTIPLE, or GOMPI_PROGRESS_THREAD
	multi          bool // several threads use the engine
	completed      bool // under this lock, something that another thread may be asleep for
	progressThread *progressThread
}

// lock and unlock guard the engine at MPI_THREAD_MULTIPLE and are a test of a bool below.
func (c *core) lock() {
	if c.multi {
		c.endpoint.Acquire()
	}
}

func (c *core) unlock() {
	if c.multi {
		if c.completed {
			c.completed = false
			c.waiter.Wake()
		}
		if atomic.LoadUint32(&c.endpoint.Rest.Word) != 0 {
			c.progressThread.wakeIfNeeded()
		}
		c.endpoint.Release()
	}
}

// finish completes r. Another thread may be asleep waiting for it.
func (c *core) finish(r *request.Request, err error) {
	r.Finish(err)
	switch {
	case r.Kind == request.Send:
		c.endpoint.Sending--
	case r.State == request.Filling:
		c.filling--
	}
	c.completed = true
	if r.Then {
		c.ops.follow(r)
	}
}

// put gives back a request that the user may have been told of.
func (c *core) put(r *request.Request) {
	if r.Op != nil {
		if op, ok := r.Op.(request.Releaser); ok {
			op.Release()
		}
	}
	c.leaveInner(r)
	c.Pool.Put(r)
}

// leaveInner has the message that r has left in an attached buffer, if any, go without it.
func (c *core) leaveInner(r *request.Request) {
	if in := r.Inner; in != nil {
		if r.Inner = nil; in.Done {
			c.put(in)
		} else {
			in.Orphan = true
		}
	}
}

// get takes a request from the pool, or says that there is none left.
func (c *core) get(kind request.Kind) (*request.Request, error) {
	r := c.Pool.Get(kind)
	if r == nil {
		return nil, request.TooMany()
	}
	return r, nil
}
