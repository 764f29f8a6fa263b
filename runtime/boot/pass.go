package boot

import "sync"

// Passing descriptors on between processes of one node that have MPI running already, for memory that they
// share later.

// DescriptorServer hands a descriptor to other processes. A thread of its own does that, so that the
// process is free to hear of those who cannot come.
type DescriptorServer struct {
	server *fdServer
	mu     sync.Mutex
	shut   bool // the server is closed
	ended  chan struct{}
}

// ServeDescriptor opens a server from which n processes of the same user get a descriptor; they find it by
// its name, which nobody can guess. The descriptor must stay open until Close.
func ServeDescriptor(descriptor, n int) (*DescriptorServer, string, error) {
	name, err := randomName()
	if err != nil {
		return nil, "", err
	}
	server, err := listen(name)
	if err != nil {
		return nil, "", err
	}
	if err := server.block(); err != nil {
		server.close()
		return nil, "", err
	}
	c := &DescriptorServer{server: server, ended: make(chan struct{})}
	go c.serve(descriptor, n)
	return c, name, nil
}

// serve ends when all have come, at an error, or with Close. Whoever waits then is told that nobody is there.
func (c *DescriptorServer) serve(descriptor, n int) {
	defer close(c.ended)
	_ = c.server.give(descriptor, n, -1, -1) // those who got nothing say so
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut = true
	c.server.close()
}

// Close closes the server, whether all have come or not.
func (c *DescriptorServer) Close() {
	c.mu.Lock()
	if !c.shut {
		c.server.wake()
	}
	c.mu.Unlock()
	<-c.ended
}

// Fetch takes the descriptor from the server of that name.
func Fetch(name string) (int, error) { return receiveDescriptor(name, -1, 0) }
