package main

import "strings"

// wideReals are the types that MPI_REAL and its kin are where a REAL has 8 bytes, and a DOUBLE PRECISION too.
var wideReals = []struct{ name, as string }{
	{"MPI_REAL", "MPI_REAL8"}, {"MPI_COMPLEX", "MPI_COMPLEX16"}, {"MPI_2REAL", "MPI_2DOUBLE_PRECISION"},
}

// widened changes the values of constants in a source.
func widened(text string) string {
	for _, w := range wideReals {
		for _, form := range []struct{ before, after string }{
			{"integer, parameter :: $ = ", "\n"},
			{"type(MPI_Datatype), parameter :: $ = ", "\n"},
			{"PARAMETER ($=", "\n"},
		} {
			_, value, found := strings.Cut(text, strings.Replace(form.before, "$", w.as, 1))
			if !found {
				continue
			}
			value, _, _ = strings.Cut(value, form.after)
			before := strings.Replace(form.before, "$", w.name, 1)
			head, tail, found := strings.Cut(text, before)
			if _, tail, ok := strings.Cut(tail, form.after); found && ok {
				text = head + before + value + form.after + tail
			}
		}
	}
	return text
}
