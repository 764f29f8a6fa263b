package host

import "slices"

// Beyond Remote.Fanout hosts proxies start proxies: each start takes much of a processor, and memory for as
// long as the job runs. What the launcher and a proxy say to each other passes through those in between as it
// is. So all decisions stay with the launcher, and a host behind another one is a host like any other.

// treeParent is the index, in a list of hosts, of the one by which a host is reached; -1 for the launcher.
// The first hosts are reached from here, and each level deals its hosts out to those of the one ahead of it.
func treeParent(i, fanout int) int {
	first, size := 0, fanout // of the level
	for i >= first+size {
		first, size = first+size, size*fanout
	}
	if first == 0 {
		return -1
	}
	above := size / fanout
	return first - above + (i-first)%above
}

// passage is the route to a proxy behind another one's.
type passage struct {
	via    *Link
	number int // of the host
}

func (p passage) Write(text []byte) {
	p.via.Send(&Frame{Kind: FramePass, Rank: p.number, Body: text})
}

func (p passage) SendLauncher() error {
	p.via.Send(&Frame{Kind: FrameShove, Rank: p.number})
	return nil
}

func (p passage) Kill() { p.via.Send(&Frame{Kind: FrameCut, Rank: p.number}) }

// fromRelay deals with what a proxy tells of the command that it has started for another host.
func (hs *Hosts) fromRelay(via *Link, f *Frame) error {
	i := slices.IndexFunc(hs.All, func(h *Host) bool { return h.number == f.Rank })
	if i < 0 {
		return ErrFrame
	}
	l := hs.All[i].Link
	if l == nil || l.parent != via {
		return nil // it has been given up
	}
	switch f.Kind {
	case FramePassed:
		l.Stdout(f.Body)
	case FrameComplaint:
		l.Stderr(f.Body)
	case FrameEnded:
		end, err := unpackExitStatus(f.Body)
		if err != nil {
			return err
		}
		l.Exited(end)
	}
	return nil
}
