package main

import (
	"path/filepath"
	"testing"

	"gompi/api"
)

// Every function of the description does what the standard says: none has a stub that only reports
// MPI_ERR_UNSUPPORTED_OPERATION.
func TestNothingIsMissing(t *testing.T) {
	d, err := api.Load()
	if err != nil {
		t.Fatal(err)
	}
	done, err := implemented(d, filepath.Join(root, "mpi"))
	if err != nil {
		t.Fatal(err)
	}
	g := generator{Description: d, done: done}
	for _, f := range d.Functions {
		if !g.present(f) {
			t.Errorf("package mpi has no %s", operation(f.Name))
		}
	}
}
