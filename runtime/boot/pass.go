package boot

// Passing descriptors on between processes of one node that have MPI running already, for memory that they share later.

// Counter is where one process hands a descriptor to others.
type Counter struct{ door *door }

// OpenCounter opens a counter; the others find it by its name, which nobody can guess.
func OpenCounter() (*Counter, string, error) {
	name, err := randomName()
	if err != nil {
		return nil, "", err
	}
	d, err := listen(name)
	if err != nil {
		return nil, "", err
	}
	return &Counter{d}, name, nil
}

// Give hands the descriptor to n processes of the same user, and waits for them.
func (c *Counter) Give(descriptor, n int) error { return c.door.give(descriptor, n, -1, -1) }

// Close closes the counter; those who come now are told that nobody listens.
func (c *Counter) Close() { c.door.close() }

// Fetch takes the descriptor from the counter of that name.
func Fetch(name string) (int, error) { return receiveDescriptor(name, -1, 0) }
