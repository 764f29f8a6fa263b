package mpi

import (
	"strconv"
	"time"

	"gompi/runtime/comm"
	"gompi/runtime/info"
	"gompi/runtime/jobs"
)

// Ports, published names, and connecting with the group at a port (MPI 5.0, 11.8 and 11.9).

// ports holds the ports and names of this process. Preconditions: MPI is initialized.
func ports() *jobs.Ports { return &library.Load().process.Ports }

func OpenPort(_ *info.Info) (string, error) { return ports().OpenPort() }

func ClosePort(port string) error { return ports().ClosePort(port) }

func PublishName(service string, _ *info.Info, port string) error {
	return ports().Publish(service, port)
}

func UnpublishName(service string, _ *info.Info, port string) error {
	return ports().Unpublish(service, port)
}

func LookupName(service string, _ *info.Info) (string, error) { return jobs.Lookup(service) }

// timeoutKey is the hint that says how many seconds a call waits for the other side.
const timeoutKey = "timeout"

// maxTimeout is where a number of seconds means for ever.
const maxTimeout = 1e9

// meetAt reads what a call that connects two groups is given at the root: the port, and how long to wait in
// seconds that need not be whole.
func meetAt(c *comm.Comm, root int, name RootText, hints RootInfo) (port string, w jobs.Wait) {
	if c.Rank() != root {
		return "", w
	}
	port, w.Refused = name.get()
	i, err := hints.get()
	if w.Refused == nil {
		w.Refused = err
	}
	if i == nil {
		return port, w
	}
	v, ok, err := i.Get(timeoutKey)
	if s, bad := strconv.ParseFloat(v, 64); err == nil && ok && bad == nil && s >= 0 && s < maxTimeout {
		w.Timeout = max(time.Duration(s*float64(time.Second)), 1)
	}
	return port, w
}

func CommAccept(name RootText, hints RootInfo, root int, c *comm.Comm) (uintptr, error) {
	port, w := meetAt(c, root, name, hints)
	return newComm(library.Load().process.Accept(c, root, port, w))
}

func CommConnect(name RootText, hints RootInfo, root int, c *comm.Comm) (uintptr, error) {
	port, w := meetAt(c, root, name, hints)
	l := library.Load()
	if w.Timeout == 0 {
		w.Timeout = time.Duration(l.settings.Connect) * time.Second
	}
	return newComm(l.process.Connect(c, root, port, w))
}

func CommJoin(fd int) (uintptr, error) { return newComm(library.Load().process.Join(fd)) }
