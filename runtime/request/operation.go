package request

// Operation is what a request of kind Composite stands for: work that is more than one transfer, such as a
// nonblocking collective, or that is done elsewhere, such as an access to a file.
type Operation interface {
	// Advance goes on with the operation as far as it can without waiting. It is called when the operation
	// starts, whenever all parts that it has begun are done, and in every poll once it has asked to be
	// watched. It runs with the lock of the engine held: of the engine it may call PartSend, PartRecv, Watch
	// and Scratch.
	//
	// done says that there is nothing more to begin: the request is done when the last part is. An error says
	// so too, and is what the request reports, unless a part has failed before. The failure of a part is in
	// r.Err and does not keep Advance from being called.
	Advance(r *Request) (done bool, err error)
}

// Starter is an Operation of a persistent request that prepares for each round, or starts a persistent send.
type Starter interface {
	// Start is called before the first Advance of a round, with the engine's lock held. After an error the
	// request stays inactive.
	Start(r *Request) error
}

// Reporter is an Operation that says itself what the status of its request is.
type Reporter interface {
	// Report fills in st and returns the request's error. It is called by every call that reports the end of
	// the request (MPI 5.0, 13.2), without the engine's lock, so it may call the user's code.
	Report(r *Request, st *Status) error
}

// Canceler is an Operation that can be asked to give up (MPI 5.0, 3.8.4).
type Canceler interface {
	// Cancel is told whether the request is done already. It is called without the engine's lock, so it may
	// call the user's code.
	Cancel(done bool) error
}

// Ender is an Operation, ended by Engine.Complete, that does something at the very end of its request.
type Ender interface {
	// End is called once, when the request is done and has been completed, after Report, or freed. Its error
	// counts more than that of Report (MPI 5.0, 13.2). It is called without the engine's lock, so it may call
	// the user's code.
	End() error
}

// Releaser is an Operation that holds something as long as its request exists.
type Releaser interface {
	// Release is called when the request is given back, with the engine's lock held. It may not call the
	// engine.
	Release()
}
