package request

// Follower does something along with an operation that does not know of it, such as to copy what the
// operation works on. Its methods are called with the engine's lock held and may not call the engine.
type Follower interface {
	// Begin is called ahead of each round of a persistent operation.
	Begin()
	// End is called when all parts of the operation have ended without a failure, before anybody learns that
	// it is done.
	End()
	// Release is called when the request is given back.
	Release()
}

// Followed is an Operation with its Follower.
type Followed struct {
	Operation
	By   Follower
	Over bool // the operation has nothing more to begin
}

// Behind is the operation without its followers.
func Behind(op Operation) Operation {
	for {
		f, ok := op.(*Followed)
		if !ok {
			return op
		}
		op = f.Operation
	}
}

// Start implements Starter.
func (f *Followed) Start(r *Request) error {
	f.Over = false
	f.By.Begin()
	if s, ok := f.Operation.(Starter); ok {
		return s.Start(r)
	}
	return nil
}

// Advance implements Operation.
func (f *Followed) Advance(r *Request) (bool, error) {
	if !f.Over {
		if done, err := f.Operation.Advance(r); !done || err != nil {
			return done, err
		}
		f.Over = true
	}
	if r.Left > 1 { // the caller counts, too; it calls again when the parts under way have ended
		return false, nil
	}
	if r.Err == nil {
		f.By.End()
	}
	return true, nil
}

// Release implements Releaser.
func (f *Followed) Release() {
	if s, ok := f.Operation.(Releaser); ok {
		s.Release()
	}
	f.By.Release()
}
