package launch

import (
	"gompi/launch/process"
	"gompi/shm"
)

// Bodies of frames that have several values.

// setup is what holds for all that a proxy starts.
type setup struct {
	name        string // what messages to the user begin with
	mergeStderr bool
	terminal    bool // standard output is a terminal of that size
	rows, cols  int
	binding     string // as Spec.Binding has it
	silence     int    // seconds without a sign of life from the launcher after which it is lost
	reportHang  int    // ms, as Spec.ReportHang has it
	address     string // of the host, where the launcher knows it better than the proxy
	files       []pushed
}

func (s *setup) pack() []byte {
	var p packer
	p.text(s.name)
	p.truth(s.mergeStderr)
	p.truth(s.terminal)
	p.numbers([]int{s.rows, s.cols})
	p.text(s.binding)
	p.number(s.silence)
	p.number(s.reportHang)
	p.text(s.address)
	packPushed(&p, s.files)
	return p
}

func unpackSetup(body []byte) (s setup, err error) {
	u := unpacker{rest: body}
	s.name, s.mergeStderr, s.terminal = u.text(), u.truth(), u.truth()
	if size := u.numbers(); len(size) == 2 {
		s.rows, s.cols = size[0], size[1]
	}
	s.binding, s.silence, s.reportHang, s.address = u.text(), u.number(), u.number(), u.text()
	s.files = unpackPushed(&u)
	return s, u.err
}

// order has a proxy start ranks of a world.
type order struct {
	universe int
	identity shm.JobID     // of the segments of all hosts
	spawned  bool          // the world was
	port     string        // of who asked for it
	apps     []process.App // of the whole world
	ranks    []place
	values   map[string]string // that ranks find from the beginning
}

// place is what a proxy is told about one rank.
type place struct {
	number, app int
	stdin       bool
	files       [2]string // for its outputs, "" where they are relayed
	cpus        []int     // that it is bound to; nil where the binding of the job says it
}

func (o *order) pack() []byte {
	var p packer
	p.number(o.universe)
	p.text(string(o.identity[:]))
	p.truth(o.spawned)
	p.text(o.port)
	p.number(len(o.apps))
	for i := range o.apps {
		a := &o.apps[i]
		p.texts(a.Argv)
		p.number(a.Ranks)
		p.text(a.Path)
		p.text(a.Dir)
		p.text(a.File)
		p.texts(a.Env)
	}
	p.number(len(o.ranks))
	for _, r := range o.ranks {
		p.number(r.number)
		p.number(r.app)
		p.truth(r.stdin)
		p.texts(r.files[:])
		p.numbers(r.cpus)
	}
	packValues(&p, o.values)
	return p
}

func unpackOrder(body []byte) (o order, err error) {
	u := unpacker{rest: body}
	o.universe = u.number()
	copy(o.identity[:], u.text())
	o.spawned, o.port = u.truth(), u.text()
	size := 0
	for range u.count() {
		a := process.App{Argv: u.texts(), Ranks: u.number(), Path: u.text(), Dir: u.text(), File: u.text()}
		a.Env = u.texts()
		o.apps = append(o.apps, a)
		size += a.Ranks
	}
	last := -1
	for range u.count() {
		r := place{number: u.number(), app: u.number(), stdin: u.truth()}
		copy(r.files[:], u.texts())
		if r.cpus = u.numbers(); len(r.cpus) == 0 {
			r.cpus = nil
		}
		if u.err == nil && (r.number <= last || r.number >= size || r.app < 0 || r.app >= len(o.apps)) {
			u.err = errFrame
		}
		last = r.number
		o.ranks = append(o.ranks, r)
	}
	o.values = unpackValues(&u)
	return o, u.err
}

func packValues(p *packer, values map[string]string) {
	p.number(len(values))
	for k, v := range values {
		p.text(k)
		p.text(v)
	}
}

func unpackValues(u *unpacker) map[string]string {
	values := map[string]string{}
	for range u.count() {
		k := u.text()
		values[k] = u.text()
	}
	return values
}

// refusal says why the ranks of a world could not be started.
type refusal struct {
	text             string
	code             int // for the launcher to exit with
	program, started int // see rankError; program is -1 where fewer ranks would be no help
}

func (r *refusal) pack() []byte {
	var p packer
	p.text(r.text)
	p.numbers([]int{r.code, r.program, r.started})
	return p
}

func unpackRefusal(body []byte) (r refusal, err error) {
	u := unpacker{rest: body}
	r.text = u.text()
	if n := u.numbers(); len(n) == 3 {
		r.code, r.program, r.started = n[0], n[1], n[2]
	} else if u.err == nil {
		u.err = errFrame
	}
	return r, u.err
}

// exit says how a rank has ended.
type exit struct {
	status int    // as wait has it
	inner  int    // process that spoke for it, 0 for itself
	memory string // what explains the signal, see job.memory
}

func (e *exit) pack() []byte {
	var p packer
	p.numbers([]int{e.status, e.inner})
	p.text(e.memory)
	return p
}

func unpackExit(body []byte) (e exit, err error) {
	u := unpacker{rest: body}
	n := u.numbers()
	e.memory = u.text()
	if len(n) != 2 {
		return e, errFrame
	}
	e.status, e.inner = n[0], n[1]
	return e, u.err
}
