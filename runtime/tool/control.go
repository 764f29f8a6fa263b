package tool

import (
	"cmp"

	"gompi/runtime/mpierr"
)

// Control is a control variable: a setting as MPI_T shows it. It has the name of its environment variable.
type Control struct {
	Setting
	Category string
	Text     bool // the value is the text of the environment variable, and has no number
	Enum     *Enum
	Scope    Scope
	read     func(*Settings) int
	write    func(s *Settings, v int) error
}

// Controls lists the control variables, one for each setting and in the same order.
func Controls() []Control {
	typed := map[string]Control{
		"GOMPI_EAGER": {Category: "p2p", Scope: Local,
			read:  func(s *Settings) int { return cmp.Or(s.Eager, DefaultEager) },
			write: func(s *Settings, v int) error { return within(&s.Eager, v, 1<<30) }},
		"GOMPI_COPY_TIMEOUT": {Category: "p2p", Scope: ReadOnly,
			read: func(s *Settings) int { return s.CopyTimeout }},
		"GOMPI_COPY_CHUNK": {Category: "p2p", Scope: ReadOnly,
			read: func(s *Settings) int { return cmp.Or(s.CopyChunk, DefaultCopyChunk) }},
		"GOMPI_SEND_AREA": {Category: "p2p", Scope: ReadOnly,
			read: func(s *Settings) int { return s.SendArea }},
		"GOMPI_SPIN": {Category: "waiting", Scope: ReadOnly, read: func(s *Settings) int { return s.Spin }},
		"GOMPI_SINGLE_COPY": {Category: "p2p", Scope: ReadOnly, Enum: Switch,
			read: func(s *Settings) int { return onUnless(s.NoSingleCopy) }},
		"GOMPI_FAST_PATH": {Category: "fast_path", Scope: ReadOnly, Enum: Switch,
			read: func(s *Settings) int { return onUnless(s.NoFastPath) }},
		"GOMPI_SHARED_COLLECTIVES": {Category: "coll", Scope: ReadOnly, Enum: Switch,
			read: func(s *Settings) int { return onUnless(s.NoSharedColl) }},
		"GOMPI_COLLECTIVE_COPY": {Category: "coll", Text: true, Scope: ReadOnly},
		"GOMPI_COLLECTIVES":     {Category: "coll", Text: true, Scope: ReadOnly},
		"GOMPI_PROGRESS_THREAD": {Category: "waiting", Scope: ReadOnly, Enum: Switch,
			read: func(s *Settings) int { return onUnless(!s.Assisted) }},
		"GOMPI_CONNECT_TIMEOUT": {Category: "waiting", Scope: ReadOnly,
			read: func(s *Settings) int { return cmp.Or(s.Connect, DefaultConnect) }},
		"GOMPI_CHECK": {Category: "check", Text: true, Scope: ReadOnly},
		"GOMPI_TRACE": {Category: "fast_path", Text: true, Scope: ReadOnly},
	}
	var list []Control
	for _, s := range All() {
		c, ok := typed[s.Env]
		if !ok {
			c = Control{Category: "gompi", Text: true, Scope: ReadOnly}
		}
		c.Setting = s
		list = append(list, c)
	}
	return list
}

func onUnless(off bool) int {
	if off {
		return 0
	}
	return 1
}

func within(at *int, v, most int) error {
	if v < 1 || v > most {
		return mpierr.New(mpierr.TErrInvalid, "%d: a number from 1 to %d is wanted", v, most)
	}
	*at = v
	return nil
}

// Read is the variable's number among the settings in force; 0 stands for a default that depends on the
// machine.
func (c *Control) Read(s *Settings) int { return c.read(s) }

// Write changes the variable among the settings in force. The error is of class MPI_T_ERR_CVAR_SET_NEVER for
// one that only the environment sets.
func (c *Control) Write(s *Settings, v int) error {
	if c.write == nil {
		return mpierr.New(mpierr.TErrCvarSetNever, "%s is set by the environment alone, before the program starts", c.Env)
	}
	return c.write(s, v)
}
