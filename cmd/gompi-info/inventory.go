package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"gompi/runtime/tool"
)

// inventory is all that the command can show, with the names that it has in JSON.
type inventory struct {
	Version  string    `json:"version"`
	Standard string    `json:"mpi"`
	ABI      string    `json:"abi"`
	Threads  string    `json:"threads"`
	Platform string    `json:"platform"`
	Compiler string    `json:"go"`
	Prefix   string    `json:"prefix,omitempty"`
	Settings []setting `json:"settings,omitempty"`
	Counters []counter `json:"counters,omitempty"`
	Events   []event   `json:"events,omitempty"`
}

type setting struct {
	Name     string `json:"name"`
	Alias    string `json:"alias,omitempty"`
	Value    string `json:"value"`
	Set      bool   `json:"set"` // in the environment
	Default  string `json:"default"`
	Unit     string `json:"unit"`
	Category string `json:"category"`
	Writable bool   `json:"writable"` // by MPI_T
	Help     string `json:"help"`
}

type counter struct {
	Name     string `json:"name"`
	Category string `json:"category"`
	Class    string `json:"class"`
	Object   string `json:"object,omitempty"`
	Type     string `json:"type"`
	Help     string `json:"help"`
}

type event struct {
	Name     string    `json:"name"`
	Category string    `json:"category"`
	Elements []element `json:"elements"`
	Help     string    `json:"help"`
}

type element struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Names of what package tool numbers as the standard does.
var (
	classes = map[tool.Class]string{tool.Level: "level", tool.HighWaterMark: "high-water mark",
		tool.Counter: "counter", tool.Aggregate: "aggregate", tool.Timer: "timer"}
	types   = map[tool.Form]string{tool.Int: "MPI_INT", tool.Unsigned: "MPI_UNSIGNED_LONG_LONG", tool.Seconds: "MPI_DOUBLE"}
	objects = map[tool.Bind]string{tool.BindComm: "communicator", tool.BindWin: "window"}
)

// gather makes the inventory. The error is a setting that makes no sense, which is shown as what it is.
func gather(getenv func(string) string) (*inventory, error) {
	settings, wrong := tool.Read(getenv)
	v := &inventory{
		Version: version, Standard: "5.0", ABI: "standard ABI (libmpi_abi.so.1)", Threads: "MPI_THREAD_MULTIPLE",
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Compiler: runtime.Version(), Prefix: prefix(),
	}
	for _, c := range tool.Controls() {
		_, value := c.Value(getenv)
		s := setting{c.Env, c.Alias, value, true, c.Default, c.Unit, c.Category, c.Scope != tool.ReadOnly,
			c.Help}
		if s.Value == "" {
			s.Value, s.Set = c.Default, false
		} else if c.Enum != nil && wrong == nil {
			s.Value = c.Enum.Items[c.Read(&settings)]
		}
		v.Settings = append(v.Settings, s)
	}
	for _, p := range tool.Performances() {
		v.Counters = append(v.Counters, counter{p.Name, p.Category, classes[p.Class], objects[p.Bind],
			types[p.Form], p.Help})
	}
	for _, e := range tool.Events() {
		x := event{Name: e.Name, Category: e.Category, Help: e.Help}
		for _, part := range e.Elements {
			x.Elements = append(x.Elements, element{part.Name, types[part.Form]})
		}
		v.Events = append(v.Events, x)
	}
	return v, wrong
}

// prefix is the folder that gompi is installed in; "" when the command stands elsewhere.
func prefix() string {
	file, err := os.Executable()
	if err == nil {
		file, err = filepath.EvalSymlinks(file)
	}
	folder := filepath.Dir(filepath.Dir(file))
	if err != nil {
		return ""
	}
	if _, err := os.Stat(filepath.Join(folder, "include", "mpi.h")); err != nil {
		return ""
	}
	return folder
}

// parts are what the options ask for; none stands for all.
type parts struct{ settings, counters, events bool }

// pick is the inventory of some parts.
func (v *inventory) pick(p parts) *inventory {
	some := *v
	if p == (parts{}) {
		return &some
	}
	if !p.settings {
		some.Settings = nil
	}
	if !p.counters {
		some.Counters = nil
	}
	if !p.events {
		some.Events = nil
	}
	return &some
}

// named is the inventory of what has those names. The error tells of one that nothing has.
func (v *inventory) named(names []string) (*inventory, error) {
	some := *v
	some.Settings, some.Counters, some.Events = nil, nil, nil
	for _, name := range names {
		s := slices.IndexFunc(v.Settings, func(s setting) bool {
			return name == s.Name || name != "" && name == s.Alias
		})
		c := slices.IndexFunc(v.Counters, func(c counter) bool { return c.Name == name })
		e := slices.IndexFunc(v.Events, func(e event) bool { return e.Name == name })
		switch {
		case s >= 0:
			some.Settings = append(some.Settings, v.Settings[s])
		case c >= 0:
			some.Counters = append(some.Counters, v.Counters[c])
		case e >= 0:
			some.Events = append(some.Events, v.Events[e])
		default:
			return nil, fmt.Errorf("there is no setting, variable or event %q; gompi-info without a name lists all", name)
		}
	}
	return &some, nil
}
