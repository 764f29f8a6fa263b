package file

import (
	"runtime/debug"
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/shm"
)

// Nonblocking accesses are carried out by goroutines that block in system calls: they go on while the program
// computes, whether it calls MPI or not. A file has a few of them as long as there is work, and none
// otherwise.

// maxWorkers bounds the goroutines of a file, each of which holds a thread while it waits for the device.
const maxWorkers = 4

// operation is a nonblocking access.
type operation struct {
	f       *File
	p       prepared
	how     func(*access) (int64, error)
	r       *request.Request
	started bool
	done    bool // it was carried out by the call that began it
	st      request.Status
	err     error
}

// Advance hands the access to the workers of the file.
func (o *operation) Advance(r *request.Request) (bool, error) {
	if o.done {
		r.Status = o.st
		return true, o.err
	}
	if !o.started {
		o.started, o.r = true, r
		o.f.jobs.add(o)
	}
	return false, nil
}

// run carries out the access, on a goroutine of its own.
func (o *operation) run() {
	o.attempt()
	o.f.jobs.pending.Add(-1)
	o.f.engine.Ops.Deliver(o.r, o.st, o.err)
}

func (o *operation) attempt() {
	defer func() {
		if p := recover(); p != nil {
			o.err = object.Locate(&o.f.Base, panicked(p))
		}
	}()
	o.err = object.Locate(&o.f.Base, o.f.carryOut(o.p, &o.st, o.how))
}

// panicked is the error for a panic: the access met memory that is none, or there is a bug.
func panicked(p any) error {
	if f, ok := p.(interface{ Addr() uintptr }); ok {
		return mpierr.New(mpierr.ErrBuffer, "address %#x cannot be read or written", f.Addr())
	}
	return mpierr.New(mpierr.ErrIntern, "internal error of gompi: %v", p)
}

// jobs are the nonblocking accesses of a file that are not done yet.
type jobs struct {
	pending atomic.Int64

	mu      shm.Mutex
	queue   []*operation
	workers int
}

func (j *jobs) add(o *operation) {
	j.pending.Add(1)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.queue = append(j.queue, o)
	if j.workers < maxWorkers {
		j.workers++
		go j.work()
	}
}

// work carries out what is in the queue until it is empty.
func (j *jobs) work() {
	debug.SetPanicOnFault(true)
	for {
		o := j.next()
		if o == nil {
			return
		}
		o.run()
	}
}

func (j *jobs) next() *operation {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.queue) == 0 {
		j.workers--
		j.queue = nil
		return nil
	}
	o := j.queue[0]
	j.queue = j.queue[1:]
	return o
}

// Ready reports whether no access is under way.
func (j *jobs) Ready() bool { return j.pending.Load() == 0 }

// drain waits until no access is under way.
func (j *jobs) drain(e *p2p.Engine) { _ = e.WaitFor(j) }

// start begins an access.
func (f *File) start(p prepared, how func(*access) (int64, error)) (*request.Request, error) {
	o := &operation{f: f, p: p, how: how, st: request.Empty}
	if p.n == 0 || p.view.rep.foreign {
		// Functions of the program's are called by its own threads.
		o.done = true
		o.err = object.Locate(&f.Base, f.carryOut(p, &o.st, how))
	}
	return f.engine.Ops.Begin(o, f.Context())
}

// Start is MPI_File_iread, MPI_File_iwrite and those with _at and _shared.
func (f *File) Start(from Positioning, offset int64, b datatype.Buffer,
	dir Direction) (*request.Request, error) {
	p, err := f.prepare(from, offset, b, dir)
	if err != nil {
		return nil, err
	}
	return f.start(p, f.storage.do)
}

// StartAll is MPI_File_iread_all, MPI_File_iwrite_all and those with _at. The ranks share the pages of the
// file and nothing else, so none waits for another; each tells its own failures.
func (f *File) StartAll(from Positioning, offset int64, b datatype.Buffer,
	dir Direction) (*request.Request, error) {
	p, err := f.prepare(from, offset, b, dir)
	if err != nil {
		return nil, err
	}
	return f.start(p, f.beside)
}
