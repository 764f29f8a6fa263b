package p2p

// Waits in a context: for what needs all of its processes.

// Lock takes the engine's lock, for packages whose operations need several of its methods at once.
func (c *core) Lock() { c.lock() }

// Enter is Lock of a call that begins something: it takes note of failures first.
func (e *Engine) Enter() {
	e.lock()
	e.handleFailures()
}

// Unlock gives it back.
func (c *core) Unlock() { c.unlock() }

// Do calls f with the engine's lock held, and makes what it has sent go.
func (e *Engine) Do(f func()) {
	e.lock()
	f()
	e.sendHeld()
	e.unlock()
}

// WaitIn is WaitFor for what happens in a context: it fails as well when processes that the context needs
// have gone. The condition is looked at under the lock alone.
func (e *Engine) WaitIn(ctx uint32, c Condition) error {
	e.lock()
	err := e.waitIn(ctx, c)
	e.unlock()
	return err
}

func (e *Engine) waitIn(ctx uint32, c Condition) error {
	if c.Ready() {
		return nil
	}
	if err := wait(e, within{e, ctx, c}, 0); err != nil || c.Ready() {
		return err
	}
	return e.severed(ctx)
}

// severed is why an operation that needs all processes of a context cannot be completed, nil when it can.
func (f *failures) severed(ctx uint32) error {
	if err := f.bridges.broken(ctx); err != nil {
		return err
	}
	return f.whole(ctx)
}

// within is a condition that holds as well when its context is broken.
type within struct {
	e   *Engine
	ctx uint32
	Condition
}

// Ready implements Condition.
func (w within) Ready() bool { return w.Condition.Ready() || w.e.severed(w.ctx) != nil }

// BrokenIn is why nothing can be completed in a context any more, nil as long as it can.
func (f *failures) BrokenIn(ctx uint32) error {
	f.lock()
	defer f.unlock()
	return f.severed(ctx)
}
