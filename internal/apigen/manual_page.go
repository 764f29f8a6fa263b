package main

import (
	"slices"
	"strings"

	"gompi/api"
	"gompi/internal/manual"
)

// names are the names of a function in mpi.h.
func names(f api.Function) []string {
	var all []string
	for _, n := range f.CNames() {
		all = append(all, api.Symbol("MPI_", n))
	}
	return all
}

// page is the page of one function.
func (w *manualWriter) page(c api.Chapter, f api.Function) manual.Page {
	purpose := w.texts.Purposes[f.Name]
	first, rest, _ := strings.Cut(purpose.Text, ". ")
	first = strings.TrimSuffix(first, ".")
	p := manual.Page{Name: api.Symbol("MPI_", f.Name), Section: 3, Names: names(f), Group: c.Title,
		Title: strings.ToLower(first[:1]) + first[1:]}
	w.synopsis(&p, f)
	p.Add("Description", manual.Text(first+".", rest), manual.Text(w.manner(f, purpose)...), manual.Text(w.status(f)...))
	var items []manual.Item
	for _, q := range f.Params {
		text := w.texts.Parameter(f, q) + restriction(q)
		items = append(items, manual.Item{Term: q.Name, Note: direction(q), Text: text})
	}
	if items != nil {
		p.Add("Parameters", manual.Block{Items: items})
	}
	w.failures(&p, f)
	p.Add("Standard", manual.Text(standard(c, purpose)))
	p.Add("See also", manual.Text(strings.Join(w.related(f, purpose), ", ")))
	return p
}

func direction(p api.Param) string {
	switch {
	case p.Kind == "varargs":
		return ""
	case p.Dir == api.Out:
		return "[OUT]"
	case p.Dir == api.InOut && !p.Kept:
		return "[INOUT]"
	}
	return "[IN]"
}

// restriction says where a parameter does not count, or need not be given.
func restriction(p api.Param) string {
	text := ""
	if p.Root {
		text += "; it counts at the root only"
	}
	if p.LargeOnly {
		text += "; in the large-count function only"
	}
	if p.Optional {
		text += "; may be NULL"
	}
	return text
}

// standard is the section of the standard.
func standard(c api.Chapter, purpose api.Purpose) string {
	title := strings.TrimSuffix(c.Title[strings.LastIndexByte(c.Title, '(')+1:], ")")
	if purpose.Section == "" {
		return "Not in the standard: " + title + "."
	}
	document, _, _ := strings.Cut(title, ",")
	chapter := strings.TrimSpace(c.Title[:strings.LastIndexByte(c.Title, '(')])
	return document + ", section " + purpose.Section + " (" + chapter + ")."
}

// makes is the name of the request that f makes, "" if it makes none.
func makes(f api.Function) string {
	for _, p := range f.Params {
		if p.Kind == "request" && p.Dir == api.Out && !p.Array {
			return p.Name
		}
	}
	return ""
}

// group is the name of the parameter whose processes have to call f together.
func group(f api.Function, purpose api.Purpose) string {
	if purpose.Group != "" {
		return purpose.Group
	}
	names := map[string]string{}
	for _, p := range f.Params {
		if names[p.Kind] == "" && p.Dir != api.Out {
			names[p.Kind] = p.Name
		}
	}
	for _, kind := range []string{"comm", "win", "file", "group"} {
		if names[kind] != "" {
			return names[kind]
		}
	}
	return ""
}

// manner says whether the call waits, and for whom.
func (w *manualWriter) manner(f api.Function, purpose api.Purpose) []string {
	var all []string
	if purpose.Scope == api.Collective {
		switch who := group(f, purpose); {
		case who == "":
			all = append(all, "The call is collective: all processes of the job have to call it.")
		default:
			all = append(all, "The call is collective: all processes of "+who+" have to call it, in the same order as other collective calls.")
		}
	}
	request := makes(f)
	switch {
	case f.Persistent && request != "":
		all = append(all, "It makes a request that is not active: MPI_Start begins the operation, MPI_Wait or MPI_Test completes it, as often as the program likes, and MPI_Request_free ends the request.",
			"The buffers must stay, and must not be touched while the operation is active.")
	case request != "" && hasKind(f, "fn"): // the program ends it
	case request != "":
		all = append(all, "The call returns at once: the operation is complete when MPI_Wait, MPI_Test or one of their kind says so of "+request+".",
			"Until then, data that is sent must not be changed, and results must not be read.")
	case purpose.Scope == api.Nonlocal:
		all = append(all, "The call may wait for another process.")
	case purpose.Scope == api.Local:
		all = append(all, "The call is local: it does not wait for another process.")
	case strings.HasSuffix(f.Name, "_begin"):
		all = append(all, "Until the end of the operation the buffer must not be touched.")
	}
	if f.Any && purpose.Scope != api.Collective {
		all = append(all, "It may be called before MPI is initialized and after it has been finalized.")
	}
	return all
}

// status says which of several functions to prefer.
func (w *manualWriter) status(f api.Function) []string {
	var all []string
	if f.Large {
		all = append(all, api.Symbol("MPI_", f.Name)+"_c is the same with large counts: of type MPI_Count where int is too small.")
		if inF08(f) {
			all = append(all, "The module mpi_f08 has both under one name where the arguments tell them apart.")
		}
	}
	switch {
	case f.Deprecated != "":
		all = append(all, "It is deprecated since "+strings.Replace(f.Deprecated, "-", " ", 1)+".")
	case f.Chapter == "removed":
		all = append(all, "It was removed in MPI 3.0 and is there for old programs.")
	}
	if f.COnly || f.Chapter == "tool" || f.Chapter == "fortran" {
		all = append(all, "Fortran has no such function.")
	}
	return all
}

// mostRelated bounds the list of other pages.
const mostRelated = 12

// related are other pages: those that the text names, other forms of the function, and what stands with it.
func (w *manualWriter) related(f api.Function, purpose api.Purpose) []string {
	var all []string
	add := func(name string) {
		if name != api.Symbol("MPI_", f.Name) && !slices.Contains(all, name) && len(all) < mostRelated {
			all = append(all, name)
		}
	}
	for _, g := range w.Functions {
		name := api.Symbol("MPI_", g.Name)
		if containsWord(purpose.Text, name) || g.Name != f.Name && g.Family() == f.Family() {
			add(name)
		}
	}
	for _, g := range w.Functions {
		if g.Chapter == f.Chapter && w.texts.Purposes[g.Name].Section == purpose.Section {
			add(api.Symbol("MPI_", g.Name))
		}
	}
	slices.Sort(all)
	return append(all, "gompi(7)")
}

// containsWord reports whether a text has a word.
func containsWord(text, word string) bool {
	for {
		_, behind, ok := strings.Cut(text, word)
		if !ok {
			return false
		}
		if behind == "" || !strings.ContainsAny(behind[:1], "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
			return true
		}
		text = behind
	}
}
