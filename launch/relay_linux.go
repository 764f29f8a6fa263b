package launch

import (
	"time"

	"gompi/launch/host"
)

// relay passes on, in a proxy, what the launcher and a proxy behind this one say to each other.
type relay struct {
	up      *launcherConn
	number  int // of the host, for the launcher
	command *host.Command
}

// relayed deals with a frame of the launcher's that concerns a host behind this one.
func (u *launcherConn) relayed(f *host.Frame) error {
	r := u.relays[f.Rank]
	switch {
	case f.Kind == host.FrameDial:
		p := host.Unpacker{Rest: f.Body}
		argv := p.Texts()
		if p.Err != nil || len(argv) == 0 || r != nil {
			return host.ErrFrame
		}
		u.dial(f.Rank, argv)
	case r == nil: // its command has ended
	case f.Kind == host.FramePass:
		r.command.Write(f.Body)
	case f.Kind == host.FrameShove:
		return r.command.SendLauncher()
	case f.Kind == host.FrameCut:
		r.command.Kill()
		delete(u.relays, f.Rank)
	}
	return nil
}

// dial starts the command for a host.
func (u *launcherConn) dial(number int, argv []string) {
	r := &relay{up: u, number: number}
	c, err := u.job.hosts.Execute(argv, r)
	if err != nil {
		r.Stderr([]byte(err.Error()))
		r.Exited(host.ExitStatus{})
		return
	}
	r.command = c
	if u.relays == nil {
		u.relays = map[int]*relay{}
	}
	u.relays[number] = r
}

// Stdout implements CommandUser.
func (r *relay) Stdout(text []byte) {
	if len(text) > 0 {
		r.up.send(&host.Frame{Kind: host.FramePassed, Rank: r.number, Body: text})
		r.command.Hold(r.up.job.out.Stdout.Full())
	}
}

// readRelays goes on after the launcher has been slow to read.
func (u *launcherConn) readRelays() {
	for _, r := range u.relays {
		r.command.Hold(false)
	}
}

// Stderr implements CommandUser.
func (r *relay) Stderr(text []byte) {
	r.up.send(&host.Frame{Kind: host.FrameComplaint, Rank: r.number, Body: text})
}

// Exited implements CommandUser.
func (r *relay) Exited(f host.ExitStatus) {
	if r.command != nil {
		r.command.Kill()
	}
	delete(r.up.relays, r.number)
	r.up.send(&host.Frame{Kind: host.FrameEnded, Rank: r.number, Body: f.Pack()})
}

// closeRelays waits until the proxies behind this one have ended, as the launcher has told them to; if that
// is gone it ends the commands that lead to them, by which they hear of it.
func (u *launcherConn) closeRelays() {
	for start := time.Now(); len(u.relays) > 0 && !u.over && time.Since(start) < host.FinishTime; {
		if u.job.turn(time.Now().Add(host.BeatTime)) != nil {
			break
		}
	}
	for _, r := range u.relays {
		r.command.Kill()
	}
}
