package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"gompi/runtime/tool"
)

// choice is what the library decides by itself, with what pins it in this environment.
type choice struct {
	Name      string   `json:"name"`
	Ways      string   `json:"ways"`
	Measures  string   `json:"measures"`
	When      string   `json:"when"`
	Settings  []string `json:"settings,omitempty"`
	Pinned    []string `json:"pinned,omitempty"` // settings and their values here
	Variables []string `json:"variables,omitempty"`
	Shown     string   `json:"shown,omitempty"`
}

// choices lists them.
func choices(getenv func(string) string) []choice {
	var list []choice
	for _, c := range tool.Choices() {
		d := choice{c.Name, c.Ways, c.Measures, c.When, c.Settings, nil, c.Variables, c.Shown}
		for _, s := range tool.All() {
			for _, env := range c.Settings {
				if name, value := s.Value(getenv); s.Env == env && value != "" {
					d.Pinned = append(d.Pinned, name+"="+value)
				}
			}
		}
		list = append(list, d)
	}
	return list
}

// writeChoices writes them for people.
func writeChoices(list []choice, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "What the library decides by itself; results do not depend on it.")
	for _, d := range list {
		line := func(what string, text ...string) {
			if len(text) > 0 {
				fmt.Fprintf(w, "  %s\t%s\n", what, strings.Join(text, ", "))
			}
		}
		fmt.Fprintf(w, "\n%s\n", d.Name)
		line("ways", d.Ways)
		line("by", d.Measures)
		line("when", d.When)
		line("pinned here", d.Pinned...)
		if len(d.Pinned) == 0 {
			line("pinned by", d.Settings...)
		}
		line("MPI_T", d.Variables...)
		if d.Shown != "" {
			line("shown by", "gompi-info "+d.Shown)
		}
	}
	return w.Flush()
}
