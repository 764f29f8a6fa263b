package main

import (
	"strings"
	"testing"

	"gompi/api"
)

// A function that nobody says how to call, by hand or by recipe, is an error; so is a line for none.
func TestEveryFunctionIsCalled(t *testing.T) {
	d, err := api.Load()
	if err != nil {
		t.Fatal(err)
	}
	g := generator{Description: d, files: map[string]string{}}
	if err := g.calls(root); err != nil {
		t.Fatal(err)
	}
	names, made := g.files["tests/c/abi/zz_call_names.h"], g.files["tests/c/abi/zz_calls.h"]
	hand, err := byHand(root, "tests/c/abi/calls*.[ch]", calledByHand)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range d.Functions {
		for _, name := range f.CNames() {
			if !strings.Contains(names, "\""+api.Symbol("MPI_", name)+"\",\n") {
				t.Errorf("no place to note calls of MPI_%s", name)
			}
			if generated := strings.Contains(made, "\tcall_"+name+",\n"); generated == hand[name] {
				t.Errorf("MPI_%s: called by hand %t, generated %t", name, hand[name], generated)
			}
		}
	}

	added := *d
	added.Functions = append(added.Functions[:len(added.Functions):len(added.Functions)],
		api.Function{Name: "New", Returns: "int", Params: []api.Param{{Name: "key", Kind: "str"}}})
	g.Description = &added
	if err := g.calls(root); err == nil || !strings.Contains(err.Error(), "MPI_New") {
		t.Errorf("a function without a recipe gives %v", err)
	}
	g.Description = &api.Description{}
	if err := g.calls(root); err == nil {
		t.Error("calls of functions that do not exist give no error")
	}
}

// The same for the routines of Fortran.
func TestEveryRoutineIsCalled(t *testing.T) {
	d, err := api.Load()
	if err != nil {
		t.Fatal(err)
	}
	added := *d
	added.Functions = append(added.Functions[:len(added.Functions):len(added.Functions)],
		api.Function{Name: "New", Returns: "int", Params: []api.Param{{Name: "key", Kind: "str"}}})
	g := generator{Description: &added, files: map[string]string{}}
	if err := g.fortranCalls(root); err == nil || !strings.Contains(err.Error(), "MPI_New") {
		t.Errorf("a routine without a recipe gives %v", err)
	}
	g.Description = &api.Description{}
	if err := g.fortranCalls(root); err == nil {
		t.Error("calls of routines that do not exist give no error")
	}
}
