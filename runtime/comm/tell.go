package comm

// What the ranks of a communicator tell each other when they are about to be connected with others.

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
