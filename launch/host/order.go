package host

import (
	"gompi/launch/process"
	"gompi/shm"
)

// Bodies of frames that have several values.

// Setup is what holds for all that a proxy starts.
type Setup struct {
	Name        string // what messages to the user begin with
	MergeStderr bool
	Terminal    bool // standard output is a terminal of that size
	Rows, Cols  int
	Binding     string // as Spec.Binding has it
	Silence     int    // seconds without a sign of life from the launcher after which it is lost
	ReportHang  int    // ms, as Spec.ReportHang has it
	Address     string // of the host, where the launcher knows it better than the proxy
	Files       []pushed
}

// Pack returns the body of a frame.
func (s *Setup) Pack() []byte {
	var p Packer
	p.Text(s.Name)
	p.Truth(s.MergeStderr)
	p.Truth(s.Terminal)
	p.Numbers([]int{s.Rows, s.Cols})
	p.Text(s.Binding)
	p.Number(s.Silence)
	p.Number(s.ReportHang)
	p.Text(s.Address)
	packPushed(&p, s.Files)
	return p
}

// UnpackSetup reads one. The error wraps [ErrFrame].
func UnpackSetup(body []byte) (s Setup, err error) {
	u := Unpacker{Rest: body}
	s.Name, s.MergeStderr, s.Terminal = u.Text(), u.Truth(), u.Truth()
	if size := u.Numbers(); len(size) == 2 {
		s.Rows, s.Cols = size[0], size[1]
	}
	s.Binding, s.Silence, s.ReportHang, s.Address = u.Text(), u.Number(), u.Number(), u.Text()
	s.Files = unpackPushed(&u)
	return s, u.Err
}

// Order has a proxy start ranks of a world.
type Order struct {
	Universe int
	Identity shm.JobID     // of the segments of all hosts
	Spawned  bool          // the world was
	Port     string        // of who asked for it
	Apps     []process.App // of the whole world
	Ranks    []Place
	Values   map[string]string // that ranks find from the beginning
}

// Place is what a proxy is told about one rank.
type Place struct {
	Number, App int
	Stdin       bool
	Debug       bool      // in a debugger
	Files       [2]string // for its outputs, "" where they are relayed
	Cpus        []int     // that it is bound to; nil where the binding of the job says it
}

// Pack returns the body of a frame.
func (o *Order) Pack() []byte {
	var p Packer
	p.Number(o.Universe)
	p.Text(string(o.Identity[:]))
	p.Truth(o.Spawned)
	p.Text(o.Port)
	p.Number(len(o.Apps))
	for i := range o.Apps {
		a := &o.Apps[i]
		p.Texts(a.Argv)
		p.Number(a.Ranks)
		p.Text(a.Path)
		p.Text(a.Dir)
		p.Text(a.File)
		p.Texts(a.Env)
	}
	p.Number(len(o.Ranks))
	for _, r := range o.Ranks {
		p.Number(r.Number)
		p.Number(r.App)
		p.Truth(r.Stdin)
		p.Truth(r.Debug)
		p.Texts(r.Files[:])
		p.Numbers(r.Cpus)
	}
	PackValues(&p, o.Values)
	return p
}

// UnpackOrder reads one. The error wraps [ErrFrame].
func UnpackOrder(body []byte) (o Order, err error) {
	u := Unpacker{Rest: body}
	o.Universe = u.Number()
	copy(o.Identity[:], u.Text())
	o.Spawned, o.Port = u.Truth(), u.Text()
	size := 0
	for range u.Count() {
		a := process.App{Argv: u.Texts(), Ranks: u.Number(), Path: u.Text(), Dir: u.Text(), File: u.Text()}
		a.Env = u.Texts()
		o.Apps = append(o.Apps, a)
		size += a.Ranks
	}
	last := -1
	for range u.Count() {
		r := Place{Number: u.Number(), App: u.Number(), Stdin: u.Truth(), Debug: u.Truth()}
		copy(r.Files[:], u.Texts())
		if r.Cpus = u.Numbers(); len(r.Cpus) == 0 {
			r.Cpus = nil
		}
		if u.Err == nil && (r.Number <= last || r.Number >= size || r.App < 0 || r.App >= len(o.Apps)) {
			u.Err = ErrFrame
		}
		last = r.Number
		o.Ranks = append(o.Ranks, r)
	}
	o.Values = UnpackValues(&u)
	return o, u.Err
}

// PackValues appends the values that ranks have published.
func PackValues(p *Packer, values map[string]string) {
	p.Number(len(values))
	for k, v := range values {
		p.Text(k)
		p.Text(v)
	}
}

// UnpackValues takes them off.
func UnpackValues(u *Unpacker) map[string]string {
	values := map[string]string{}
	for range u.Count() {
		k := u.Text()
		values[k] = u.Text()
	}
	return values
}

// Refusal says why the ranks of a world could not be started.
type Refusal struct {
	Text             string
	Code             int // for the launcher to exit with
	Program, Started int // see rankError; program is -1 where fewer ranks would be no help
}

// Pack returns the body of a frame.
func (r *Refusal) Pack() []byte {
	var p Packer
	p.Text(r.Text)
	p.Numbers([]int{r.Code, r.Program, r.Started})
	return p
}

// UnpackRefusal reads one. The error wraps [ErrFrame].
func UnpackRefusal(body []byte) (r Refusal, err error) {
	u := Unpacker{Rest: body}
	r.Text = u.Text()
	if n := u.Numbers(); len(n) == 3 {
		r.Code, r.Program, r.Started = n[0], n[1], n[2]
	} else if u.Err == nil {
		u.Err = ErrFrame
	}
	return r, u.Err
}

// Exit says how a rank has ended.
type Exit struct {
	Status int    // as wait has it
	Inner  int    // process that spoke for it, 0 for itself
	Memory string // what explains the signal, see job.memory
}

// Pack returns the body of a frame.
func (e *Exit) Pack() []byte {
	var p Packer
	p.Numbers([]int{e.Status, e.Inner})
	p.Text(e.Memory)
	return p
}

// UnpackExit reads one. The error wraps [ErrFrame].
func UnpackExit(body []byte) (e Exit, err error) {
	u := Unpacker{Rest: body}
	n := u.Numbers()
	e.Memory = u.Text()
	if len(n) != 2 {
		return e, ErrFrame
	}
	e.Status, e.Inner = n[0], n[1]
	return e, u.Err
}
