package fortran

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// sameKinds are the routines whose large-count twin a compiler cannot tell from them (docs/fortran.md).
var sameKinds = []string{"File_get_type_extent", "Type_create_resized", "Type_get_extent", "Type_get_true_extent"}

// withoutError are the subroutines that have no ierror.
var withoutError = []string{"F_sync_reg", "Pcontrol"}

// A form is what a module makes of the list.
type form struct {
	source     string
	f08, large bool
}

// The module mpi_f08 declares the routines of A.4, name by name and intent by intent.
func TestAppendixF08(t *testing.T) {
	routines, _ := readList(t)
	have := proceduresOf(t, "mpi_f08.f90")
	for _, l := range routines {
		for _, prefix := range []string{"MPI_", "PMPI_"} {
			suffix := "_f08"
			if l.hasBuffer() {
				suffix += "ts"
			}
			form{"mpi_f08.f90", true, false}.check(t, have, l, prefix+l.name+suffix, prefix+l.name)
			if l.large && !slices.Contains(sameKinds, l.name) {
				generic := prefix + l.name
				if l.name == "Op_create" || l.name == "Register_datarep" {
					generic += "_c" // whose functions alone differ
				}
				form{"mpi_f08.f90", true, true}.check(t, have, l, prefix+l.name+"_c"+suffix, generic)
			}
		}
	}
	nothingElse(t, "mpi_f08.f90", have, nil)
}

// The module mpi declares those of A.5.
func TestAppendixMPI(t *testing.T) {
	routines, _ := readList(t)
	have := proceduresOf(t, "mpi.f90")
	for _, l := range routines {
		for _, prefix := range []string{"MPI_", "PMPI_"} {
			name, generic := prefix+l.name, ""
			switch {
			case l.name == "Sizeof":
				name, generic = name+"_f08ts", name
			case strings.HasPrefix(l.name, "Status_f"):
				name, generic = name+"_f08", name
			case slices.ContainsFunc(l.parameters, func(p parameter) bool { return p.typ == "memory" }):
				generic = name
				pointer := l
				pointer.parameters = slices.Clone(l.parameters)
				for i, p := range pointer.parameters {
					if p.typ == "memory" {
						pointer.parameters[i].typ = "pointer"
					}
				}
				form{"mpi.f90", false, false}.check(t, have, pointer, name+"_cptr", generic)
			}
			form{"mpi.f90", false, false}.check(t, have, l, name, generic)
		}
	}
	nothingElse(t, "mpi.f90", have, []string{"address", "errhandler_create", "errhandler_get", "errhandler_set",
		"type_extent", "type_hindexed", "type_hvector", "type_lb", "type_struct", "type_ub"})
}

// The module mpi_f08 has the types of callbacks of A.1.3.
func TestAppendixCallbacks(t *testing.T) {
	_, callbacks := readList(t)
	have := proceduresOf(t, "mpi_f08_callbacks.f90")
	for _, l := range callbacks {
		form{"mpi_f08_callbacks.f90", true, false}.check(t, have, l, "MPI_"+l.name, "")
		if l.large {
			form{"mpi_f08_callbacks.f90", true, true}.check(t, have, l, "MPI_"+l.name+"_c", "")
		}
	}
	nothingElse(t, "mpi_f08_callbacks.f90", have, nil)
}

// mpif.h declares the functions that are no subroutines.
func TestAppendixHeader(t *testing.T) {
	routines, _ := readList(t)
	text, err := os.ReadFile("../../fortran/mpif.h")
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for _, l := range routines {
		if l.result == "" {
			continue
		}
		functions++
		for _, prefix := range []string{"MPI_", "PMPI_"} {
			name := prefix + strings.ToUpper(l.name)
			typ := strings.ToUpper(plainTypes[l.result])
			for _, line := range []string{typ + " " + name, "EXTERNAL " + name} {
				if !strings.Contains(string(text), "\n      "+line+"\n") {
					t.Errorf("mpif.h lacks %s", line)
				}
			}
		}
	}
	if functions != 4 {
		t.Errorf("%d functions are listed", functions)
	}
}

// check compares a routine with the procedure of a name in an interface block of a generic name. It takes the
// procedure out of those that there are.
func (f form) check(t *testing.T, have map[string]*procedure, l listed, name, generic string) {
	t.Helper()
	p := have[strings.ToLower(name)]
	delete(have, strings.ToLower(name))
	if p == nil {
		t.Errorf("%s lacks %s", f.source, name)
		return
	}
	if p.generic != generic {
		t.Errorf("%s: %s has the generic name %q, want %q", f.source, name, p.generic, generic)
	}
	if want := plainTypes[l.result]; p.result != want {
		t.Errorf("%s: %s returns %q, want %q", f.source, name, p.result, want)
	}
	wanted := l.of(f.large)
	callback := strings.HasSuffix(f.source, "callbacks.f90") // its ierror is listed
	if l.result == "" && !callback && !slices.Contains(withoutError, l.name) {
		wanted = append(wanted, parameter{name: "ierror", intent: "out", typ: "int"})
	}
	var names []string
	for _, w := range wanted {
		names = append(names, w.name)
	}
	if got := strings.ToLower(strings.Join(p.names, " ")); got != strings.ToLower(strings.Join(names, " ")) {
		t.Errorf("%s: %s has the arguments %s, want %s", f.source, name, got, strings.Join(names, " "))
		return
	}
	// mpi has some of its routines from mpi_f08.
	optional := !callback && (f.f08 || l.name == "Sizeof" || strings.HasPrefix(l.name, "Status_f"))
	for _, w := range wanted {
		got := p.dummies[strings.ToLower(w.name)]
		want := dummy{typ: w.fortranType(f.f08, f.large), intent: w.intent, array: w.array,
			asynchronous: w.asynchronous, optional: optional && w.name == "ierror",
			value: callback && w.typ == "pointer"}
		if got = f.allowed(l, w, got, want); got != want {
			t.Errorf("%s: %s declares %s as %+v, want %+v", f.source, name, w.name, got, want)
		}
	}
}

// allowed is a declaration with what may differ from the list as it is there.
func (f form) allowed(l listed, w parameter, got, want dummy) dummy {
	switch {
	case f.f08 && l.name == "Keyval_create" && got.typ == "external":
		got.typ = want.typ // predefined functions of MPI-2 are passed, too
	case !f.f08:
		// A.5 has no intents: those that there are hinder nobody where they are true. Datatypes of
		// collectives may be anything where MPI_IN_PLACE makes them meaningless.
		if got.intent == "" {
			got.intent = want.intent
		}
		got.asynchronous = want.asynchronous
		if w.typ == "buffer" || w.typ == "detached" || w.typ == "status" || w.typ == "type" {
			got.array = want.array
		}
	}
	return got
}

// nothingElse looks at the procedures that no routine of the list has taken.
func nothingElse(t *testing.T, source string, have map[string]*procedure, removed []string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(have)) {
		plain := strings.TrimPrefix(strings.TrimPrefix(name, "p"), "mpi_")
		if !strings.HasPrefix(plain, "mpix_") && !slices.Contains(removed, plain) {
			t.Errorf("%s declares %s, which is not in the standard's list", source, name)
		}
	}
}
