package launch

import (
	"slices"
	"time"
)

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

// passage is the way to a proxy behind another one's.
type passage struct {
	via    *link
	number int // of the host
}

func (p passage) Write(text []byte) {
	p.via.send(&frame{kind: framePass, rank: p.number, body: text})
}

func (p passage) sendLauncher() error {
	p.via.send(&frame{kind: frameShove, rank: p.number})
	return nil
}

func (p passage) kill() { p.via.send(&frame{kind: frameCut, rank: p.number}) }

// fromRelay deals with what a proxy tells of the command that it has started for another host.
func (j *job) fromRelay(via *link, f *frame) error {
	i := slices.IndexFunc(j.hosts, func(h *host) bool { return h.number == f.rank })
	if i < 0 {
		return errFrame
	}
	l := j.hosts[i].link
	if l == nil || l.parent != via {
		return nil // it has been given up
	}
	switch f.kind {
	case framePassed:
		l.took(f.body)
	case frameComplaint:
		l.complained(f.body)
	case frameParted:
		end, err := unpackFate(f.body)
		if err != nil {
			return err
		}
		l.parted(end)
	}
	return nil
}

// relay passes on, in a proxy, what the launcher and a proxy behind this one say to each other.
type relay struct {
	up      *uplink
	number  int // of the host, for the launcher
	command *command
}

// relayed deals with a frame of the launcher's that concerns a host behind this one.
func (u *uplink) relayed(f *frame) error {
	r := u.relays[f.rank]
	switch {
	case f.kind == frameDial:
		p := unpacker{rest: f.body}
		argv := p.texts()
		if p.err != nil || len(argv) == 0 || r != nil {
			return errFrame
		}
		u.dial(f.rank, argv)
	case r == nil: // its command has ended
	case f.kind == framePass:
		r.command.Write(f.body)
	case f.kind == frameShove:
		return r.command.sendLauncher()
	case f.kind == frameCut:
		r.command.kill()
		delete(u.relays, f.rank)
	}
	return nil
}

// dial starts the command for a host.
func (u *uplink) dial(number int, argv []string) {
	r := &relay{up: u, number: number}
	c, err := u.job.execute(argv, r)
	if err != nil {
		r.complained([]byte(err.Error()))
		r.parted(fate{})
		return
	}
	r.command = c
	if u.relays == nil {
		u.relays = map[int]*relay{}
	}
	u.relays[number] = r
}

// took implements hearer.
func (r *relay) took(text []byte) {
	if len(text) > 0 {
		r.up.send(&frame{kind: framePassed, rank: r.number, body: text})
		r.command.hold(r.up.job.out.Stdout.Full())
	}
}

// readRelays goes on after the launcher has been slow to read.
func (u *uplink) readRelays() {
	for _, r := range u.relays {
		r.command.hold(false)
	}
}

// complained implements hearer.
func (r *relay) complained(text []byte) {
	r.up.send(&frame{kind: frameComplaint, rank: r.number, body: text})
}

// parted implements hearer.
func (r *relay) parted(f fate) {
	if r.command != nil {
		r.command.kill()
	}
	delete(r.up.relays, r.number)
	r.up.send(&frame{kind: frameParted, rank: r.number, body: f.pack()})
}

// closeRelays waits until the proxies behind this one have ended, as the launcher has told them to; if that
// is gone it ends the commands that lead to them, by which they hear of it.
func (u *uplink) closeRelays() {
	for start := time.Now(); len(u.relays) > 0 && !u.over && time.Since(start) < finishTime; {
		if u.job.turn(time.Now().Add(beatTime)) != nil {
			break
		}
	}
	for _, r := range u.relays {
		r.command.kill()
	}
}
