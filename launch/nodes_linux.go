package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/launch/world"
)

// hostOf is the host of a rank that is to be started; nil where the job has no other than this machine.
func (j *job) hostOf(w *world.World, rank int) *host.Host {
	if w.Host != nil || len(j.hosts.All) == 0 {
		return w.Host
	}
	return j.hosts.All[j.spec.Place[rank]]
}

// connect starts a proxy on each other host that has ranks, as many at once as can be reached, and waits for
// their answers.
func (j *job) connect() error {
	far := j.hosts.Plan(j.spec.Hosts, j.spec.Place)
	if j.spec.Push && len(far) > 0 {
		if err := j.hosts.PushFiles(j.spec.Apps); err != nil {
			return err
		}
	}
	begin := time.Now()
	for {
		done, err := j.hosts.DialAll(far, begin.Add(j.spec.Retry))
		if done {
			for _, h := range far {
				h.Link.Send(&host.Frame{Kind: host.FrameSetup, Body: j.setup(h)})
			}
		}
		if done || err != nil {
			return err
		}
		if err := j.turn(j.nextTime()); err != nil {
			return err
		}
		if j.overTime(time.Now()) {
			return process.NewStartError(process.ExitTimeout, j.timeOver())
		}
	}
}

// setup is what the proxy on a host is told first.
func (j *job) setup(h *host.Host) []byte {
	s := host.Setup{Name: j.spec.Name, MergeStderr: j.spec.MergeStderr, Binding: j.spec.BindingText,
		Silence: int(j.spec.Silence / time.Second), ReportHang: int(j.spec.ReportHang / time.Millisecond),
		Address: h.Address, Files: j.hosts.Pushed}
	if w := j.out.Window; w != nil {
		s.Terminal, s.Rows, s.Cols = true, int(w.Row), int(w.Col)
	}
	return s.Pack()
}

// orderRanks has the proxies start the ranks of a world that are on their hosts.
func (j *job) orderRanks(w *world.World) error {
	j.Enter(w)
	if !w.Abroad() {
		return nil
	}
	here, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("the working directory: %w", err)
	}
	absolute := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(here, path)
	}
	o := host.Order{Universe: w.Universe, Identity: w.Identity, Spawned: w.Spawned, Port: w.Port,
		Values: w.Values, Apps: slices.Clone(w.Apps)}
	for i := range o.Apps {
		if o.Apps[i].Dir = absolute(o.Apps[i].Dir); o.Apps[i].Dir == "" {
			o.Apps[i].Dir = here
		}
	}
	for _, n := range w.Nodes {
		if n.Link() == nil {
			continue
		}
		o.Ranks = nil
		for _, r := range w.Ranks {
			if r.Node == n {
				o.Ranks = append(o.Ranks, host.Place{Number: r.Number, App: r.App,
					Stdin: r.Stdin, Debug: r.Debug,
					Files: [2]string{absolute(r.Files[0]), absolute(r.Files[1])}, Cpus: r.Cpus})
			}
		}
		n.Link().Send(&host.Frame{Kind: host.FrameStart, World: w.ID, Body: o.Pack()})
	}
	return nil
}

// awaitNodes waits until the ranks of a world run on all hosts.
func (j *job) awaitNodes(w *world.World) error {
	waits := func() bool {
		return slices.ContainsFunc(w.Nodes, func(n *world.Node) bool { return n.Link() != nil && !n.Ready })
	}
	for waits() {
		if w.Failing {
			return errEnding
		}
		if w.Refused != nil {
			return w.Refused
		}
		if err := j.turn(j.nextTime()); err != nil {
			return err
		}
	}
	return nil
}
