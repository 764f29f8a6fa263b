package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// page writes an inventory for people; whole says that it is all there is.
func (v *inventory) page(out io.Writer, whole bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if whole {
		fmt.Fprintf(w, "gompi %s, MPI %s, %s, up to %s, %s, %s\n", v.Version, v.Standard, v.ABI, v.Threads, v.Platform, v.Compiler)
		if v.Prefix != "" {
			fmt.Fprintf(w, "installed in %s\n", v.Prefix)
		}
	}
	title := func(text string) {
		if whole {
			fmt.Fprintf(w, "\n%s\n", text)
		}
	}
	if len(v.Settings) > 0 {
		title("Settings: environment variables, control variables of MPI_T; * set here")
	}
	for _, s := range v.Settings {
		mark := " "
		if s.Set {
			mark = "*"
		}
		fmt.Fprintf(w, "%s %s\t%s\t%s\n", mark, s.Name, s.Value, s.Help)
	}
	if len(v.Counters) > 0 {
		title("Performance variables of MPI_T")
	}
	for _, c := range v.Counters {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", c.Name, c.Category, c.Help)
	}
	if len(v.Events) > 0 {
		title("Events of MPI_T")
	}
	for _, e := range v.Events {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", e.Name, e.Category, e.Help)
	}
	return w.Flush()
}

// details writes all that is known of the few things in an inventory.
func (v *inventory) details(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(w, "  %s\t%s\n", what, text)
		}
	}
	for _, s := range v.Settings {
		fmt.Fprintln(w, s.Name)
		value := s.Value
		if s.Set {
			value += " (set here)"
		}
		line("value", value)
		line("alias", s.Alias)
		line("default", s.Default)
		line("unit", s.Unit)
		line("category", s.Category)
		if s.Writable {
			line("MPI_T", "can be written while the program runs")
		} else {
			line("MPI_T", "can be read; the environment alone sets it")
		}
		line("meaning", s.Help)
	}
	for _, c := range v.Counters {
		fmt.Fprintln(w, c.Name)
		line("class", c.Class)
		line("type", c.Type)
		line("belongs to", c.Object)
		line("category", c.Category)
		line("meaning", c.Help)
	}
	for _, e := range v.Events {
		fmt.Fprintln(w, e.Name)
		line("category", e.Category)
		var parts []string
		for _, x := range e.Elements {
			parts = append(parts, x.Name+" ("+x.Type+")")
		}
		line("data", strings.Join(parts, ", "))
		line("meaning", e.Help)
	}
	return w.Flush()
}
