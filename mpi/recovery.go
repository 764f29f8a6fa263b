package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/request"
)

// Going on after a failure: the functions of ULFM (docs/recovery.md).

func XCommRevoke(c *comm.Comm) error {
	c.Recovery.Revoke()
	return nil
}

func XCommIsRevoked(c *comm.Comm) (bool, error) {
	engine().Progress()
	return c.Recovery.Revoked(), nil
}

func XCommGetFailed(c *comm.Comm) (uintptr, error) { return newGroup(c.Recovery.Failures(), nil) }

func XCommAckFailed(c *comm.Comm, n int) (int, error) {
	return c.Recovery.Acknowledge(max(n, 0)), nil
}

func XCommFailureAck(c *comm.Comm) error {
	c.Recovery.Acknowledge(allFailures)
	return nil
}

// allFailures stands for all failures that are known.
const allFailures = -1

func XCommFailureGetAcked(c *comm.Comm) (uintptr, error) {
	return newGroup(c.Recovery.Acknowledged(), nil)
}

// XCommAgree stores the flag even when it fails: it is the same on all ranks then, too.
func XCommAgree(c *comm.Comm, flag IntCell) error {
	r, err := c.Recovery.Iagree(flag.load(), flag.store)
	if err != nil {
		return err
	}
	return engine().Wait(r, nil)
}

func XCommIagree(c *comm.Comm, flag IntCell) (*request.Request, error) {
	r, err := c.Recovery.Iagree(flag.load(), flag.store)
	if err == nil {
		r.Called = "MPIX_Comm_iagree"
	}
	return r, err
}

func XCommShrink(c *comm.Comm) (uintptr, error) {
	var d *comm.Comm
	r, err := registry().Ishrink(c, "MPIX_Comm_shrink", true, func(made *comm.Comm, _ error) { d = made })
	if err == nil {
		err = engine().Wait(r, nil)
	}
	return newComm(d, err)
}

// XCommIshrink gives a handle that is good once the request is done.
func XCommIshrink(c *comm.Comm) (uintptr, *request.Request, error) {
	h := comms.reserve()
	if h == 0 {
		return commNull, nil, tooMany("communicators")
	}
	process := library.Load().process
	r, err := registry().Ishrink(c, "MPIX_Comm_ishrink", false, func(d *comm.Comm, _ error) {
		if d == nil {
			comms.giveUp(h)
			return
		}
		d.Handle = h
		comms.fill(h, d)
		_ = addRecord(process, d) // without one, its calls come to Go
	})
	if err != nil {
		comms.giveUp(h)
		return commNull, nil, err
	}
	r.Called = "MPIX_Comm_ishrink"
	return h, r, nil
}
