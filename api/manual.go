package api

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed manual/*.txt
var manualTexts embed.FS

// Scope is how far a call depends on other processes (MPI 5.0, 2.4.2).
type Scope string

// Scopes of a function.
const (
	Local      Scope = "local"      // the call returns without other processes
	Nonlocal   Scope = "nonlocal"   // it may wait for what another process does
	Collective Scope = "collective" // all processes of a group have to call it
)

// Purpose is what one function is for.
type Purpose struct {
	Section string // of the chapter's standard, such as 3.2.1; "" where it is no section of it
	Scope   Scope
	Group   string // the parameter whose processes call it together, "" where its kind tells
	Text    string // sentences, the first of which begins with a verb
}

// Manual explains the functions and parameters of a description.
type Manual struct {
	Purposes   map[string]Purpose // by name of the function without MPI_
	parameters map[string]string
	used       map[string]bool
}

// LoadManual parses the embedded text, which has to explain all of d and nothing else.
func LoadManual(d *Description) (*Manual, error) {
	m := &Manual{Purposes: map[string]Purpose{}, parameters: map[string]string{}, used: map[string]bool{}}
	for _, c := range d.Chapters {
		if err := m.loadPurposes(d, c.File); err != nil {
			return nil, err
		}
	}
	err := manualLines("parameters", func(line string) error {
		key, text, ok := strings.Cut(line, ": ")
		if !ok || m.parameters[key] != "" {
			return fmt.Errorf("%q is no line of a parameter, or there are two for %s", line, key)
		}
		m.parameters[key] = text
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, m.check(d)
}

func manualLines(name string, f func(line string) error) error {
	text, err := manualTexts.ReadFile("manual/" + name + ".txt")
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimRight(line, " \n")
		if line == "" || line[0] == '#' {
			continue
		}
		if err := f(line); err != nil {
			return fmt.Errorf("api/manual/%s.txt:%d: %w", name, n, err)
		}
	}
	return nil
}

func (m *Manual) loadPurposes(d *Description, chapter string) error {
	section, name := "", ""
	return manualLines(chapter, func(line string) error {
		if text, ok := strings.CutPrefix(line, "\t"); ok {
			p := m.Purposes[name]
			p.Text = strings.TrimPrefix(p.Text+" "+text, " ")
			m.Purposes[name] = p
			return nil
		}
		first, rest, _ := strings.Cut(line, " ")
		scope, group, _ := strings.Cut(rest, " ")
		if first == "section" {
			section = rest
			return nil
		}
		f, ok := d.Function(first)
		switch {
		case !ok || f.Chapter != chapter:
			return fmt.Errorf("%s is no function of this chapter", first)
		case m.Purposes[first].Text != "":
			return fmt.Errorf("%s is explained twice", first)
		}
		switch s := Scope(scope); s {
		case Local, Nonlocal, Collective:
			name = first
			m.Purposes[name] = Purpose{Section: section, Scope: s, Group: group}
			return nil
		}
		return fmt.Errorf("%q: want a function and its scope", line)
	})
}

// check finds what is not explained, and what explains nothing.
func (m *Manual) check(d *Description) error {
	for _, f := range d.Functions {
		p := m.Purposes[f.Name]
		if p.Text == "" || !strings.HasSuffix(p.Text, ".") {
			return fmt.Errorf("api/manual/%s.txt: %s is not explained in sentences", f.Chapter, f.Name)
		}
		for _, q := range f.Params {
			if m.Parameter(f, q) == "" {
				return fmt.Errorf("api/manual/parameters.txt: %s of %s is not explained", q.Name, f.Name)
			}
		}
	}
	for key := range m.parameters {
		if !m.used[key] {
			return fmt.Errorf("api/manual/parameters.txt: no parameter wants %q", key)
		}
	}
	return nil
}

// Parameter is what a parameter of f means, "" if that is not said.
func (m *Manual) Parameter(f Function, p Param) string {
	direction := map[Direction]string{Out: ">", InOut: "<>"}[p.Dir]
	for _, key := range []string{f.Name + "." + p.Name, f.Family() + "." + p.Name, p.Name + direction, p.Name} {
		if text := m.parameters[key]; text != "" {
			m.used[key] = true
			return text
		}
	}
	return ""
}

// forms are the parts of names that make another form of a function.
var forms = strings.NewReplacer("_iread", "_read", "_iwrite", "_write", "_idup", "_dup", "_iflush", "_flush",
	"_ishrink", "_shrink", "_iagree", "_agree")

// Family is the name of the blocking function of which f is a form: Bcast for Ibcast and Bcast_init, its own
// name for others.
func (f Function) Family() string {
	name := f.Name
	for _, end := range []string{"_init", "_begin", "_end"} {
		name = strings.TrimSuffix(name, end)
	}
	name = forms.Replace(name)
	own := strings.HasPrefix(name, "In") || strings.HasPrefix(name, "Is_")
	if len(name) < 2 || name[0] != 'I' || own && !strings.HasPrefix(name, "Ineighbor") {
		return name
	}
	return strings.ToUpper(name[1:2]) + name[2:]
}
