package main

import (
	"strings"

	"gompi/api"
	"gompi/internal/manual"
)

// synopsis adds the declarations of a function in C and in Fortran.
func (w *manualWriter) synopsis(p *manual.Page, f api.Function) {
	code := append([]string{"#include <mpi.h>", ""}, cLines(f.Prototype("MPI_", false))...)
	if f.Large {
		code = append(code, cLines(f.Prototype("MPI_", true))...)
	}
	p.Add("Synopsis in C", manual.Block{Code: code})
	if inF08(f) {
		small := routine{f: f}
		code := append([]string{"use mpi_f08", ""}, small.lines(api.Symbol("MPI_", f.Name), true)...)
		if large := (routine{f: f, large: true}); f.Large {
			name := api.Symbol("MPI_", f.Name)
			if !small.differs(large) {
				name += "_c"
			}
			if small.differs(large) || small.has("fn") {
				code = append(append(code, ""), large.lines(name, true)...)
			}
		}
		p.Add("Synopsis in Fortran 2008", manual.Block{Code: code})
	}
	if inFortran(f) {
		code := append([]string{"use mpi        ! or: include 'mpif.h'", ""}, routine{f: f}.lines(api.Symbol("MPI_", f.Name), false)...)
		p.Add("Synopsis in older Fortran", manual.Block{Code: code})
	}
}

// codeWidth is how long lines of code are.
const codeWidth = 76

// cLines breaks a declaration behind commas.
func cLines(declaration string) []string {
	var all []string
	line := declaration + ";"
	for len(line) > codeWidth {
		comma := strings.LastIndex(line[:codeWidth], ", ")
		if comma < 0 {
			break
		}
		all = append(all, line[:comma+1])
		line = "    " + line[comma+2:]
	}
	return append(all, line)
}

// lines are the declaration of a routine as a programmer reads it: the call, and below it the arguments.
func (r routine) lines(name string, f08 bool) []string {
	body := r.body(name, "", f08)
	body = strings.ReplaceAll(body, "&\n", "") // lines are broken again
	var all []string
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case strings.HasPrefix(line, "!"), line == "import", strings.HasPrefix(line, "end "):
			continue
		case len(all) > 0:
			line = "  " + strings.Replace(line, "type(*), dimension(*) ::", "<type> ::", 1)
		}
		for len(line) > codeWidth {
			comma := strings.LastIndex(line[:codeWidth-1], ", ")
			if comma < 0 {
				break
			}
			all = append(all, line[:comma+1]+" &")
			line = "      " + line[comma+2:]
		}
		all = append(all, line)
	}
	return all
}
