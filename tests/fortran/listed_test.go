package fortran

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// listed is a routine or a type of callbacks as the standard lists it (appendix/routines.txt).
type listed struct {
	name       string // without MPI_
	large      bool   // there is one of large counts
	result     string // of a function, "" for a subroutine
	parameters []parameter
}

// parameter is one of its dummies, without ierror.
type parameter struct {
	name, intent, typ            string
	array, asynchronous, onlyBig bool
}

var (
	parameterForm = regexp.MustCompile(`^(\w+)(:|<>|>|~)([\w/=]+)(\*?)(!?)(@c)?$`)
	intents       = map[string]string{":": "in", ">": "out", "<>": "inout", "~": ""}
)

// readList reads the list: routines and callbacks.
func readList(t *testing.T) (routines, callbacks []listed) {
	t.Helper()
	text, err := os.ReadFile("appendix/routines.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		var l listed
		kind := words[0]
		if kind == "callback" || kind == "aint" || kind == "double" {
			words = words[1:]
		}
		if kind == "aint" || kind == "double" {
			l.result = kind
		}
		l.name, l.large = strings.CutSuffix(words[0], "/c")
		for _, w := range words[1:] {
			m := parameterForm.FindStringSubmatch(w)
			if m == nil {
				t.Fatalf("%s: %q is no parameter", l.name, w)
			}
			p := parameter{m[1], intents[m[2]], m[3], m[4] != "", m[5] != "", m[6] != ""}
			l.parameters = append(l.parameters, p)
		}
		if kind == "callback" {
			callbacks = append(callbacks, l)
		} else {
			routines = append(routines, l)
		}
	}
	if len(routines) < 400 || len(callbacks) < 15 {
		t.Fatalf("%d routines and %d callbacks are listed", len(routines), len(callbacks))
	}
	return routines, callbacks
}

// of are the parameters that the routine has, of large counts or not.
func (l listed) of(large bool) []parameter {
	var ps []parameter
	for _, p := range l.parameters {
		if large || !p.onlyBig {
			ps = append(ps, p)
		}
	}
	return ps
}

// hasBuffer reports whether the routine of mpi_f08 takes a descriptor.
func (l listed) hasBuffer() bool {
	for _, p := range l.parameters {
		if p.typ == "buffer" {
			return true
		}
	}
	return false
}

// plainTypes are the types that are the same in all interfaces.
var plainTypes = map[string]string{"int": "integer", "aint": "integer(kind=MPI_ADDRESS_KIND)",
	"count": "integer(kind=MPI_COUNT_KIND)", "offset": "integer(kind=MPI_OFFSET_KIND)", "logical": "logical",
	"char": "character(len=*)", "double": "real(kind=8)", "buffer": "type(*)", "f08status": "type(MPI_Status)",
	"f90status": "integer", "pointer": "type(c_ptr)"}

// handleTypes are the types of handles in mpi_f08.
var handleTypes = map[string]string{"comm": "MPI_Comm", "type": "MPI_Datatype", "errhandler": "MPI_Errhandler",
	"file": "MPI_File", "group": "MPI_Group", "info": "MPI_Info", "message": "MPI_Message", "op": "MPI_Op",
	"request": "MPI_Request", "session": "MPI_Session", "win": "MPI_Win"}

// fortranType is the type that the parameter has in an interface.
func (p parameter) fortranType(f08, large bool) string {
	typ := p.typ
	if name, ok := strings.CutPrefix(typ, "fn="); ok {
		if name, both := strings.CutSuffix(name, "/c"); both && large {
			return "procedure(MPI_" + name + "_c)"
		}
		if f08 {
			return "procedure(MPI_" + strings.TrimSuffix(name, "/c") + ")"
		}
		return "external"
	}
	if small, big, ok := strings.Cut(typ, "/"); ok {
		typ = small
		if large {
			typ = big
		}
	}
	if plain := plainTypes[typ]; plain != "" {
		return plain
	}
	switch handle := handleTypes[typ]; {
	case handle != "" && f08:
		return "type(" + handle + ")"
	case handle != "":
		return "integer"
	}
	switch {
	case typ == "status" && f08:
		return "type(MPI_Status)"
	case typ == "status":
		return "integer"
	case f08: // memory and detached
		return "type(c_ptr)"
	case typ == "memory":
		return plainTypes["aint"]
	}
	return plainTypes["buffer"]
}

// A dummy is the declaration of a dummy argument.
type dummy struct {
	typ, intent                          string
	array, asynchronous, optional, value bool
}

// A procedure is an interface body of a module.
type procedure struct {
	generic string // the name of its interface block
	result  string // of a function
	names   []string
	dummies map[string]dummy // by their names in small letters
}

var (
	interfaceHead = regexp.MustCompile(`^ *(?:abstract )?interface ?(\S*)$`)
	procedureHead = regexp.MustCompile(`^ *(?:(\S+) )?(?:subroutine|function) (\w+)\(([^)]*)\)`)
	declaredName  = regexp.MustCompile(`(\w+)(\([^)]*\))?`)
	attribute     = regexp.MustCompile(`[\w*]+(?:\([^)]*\))?`)
)

// proceduresOf are the interface bodies of the source of a module, by their names in small letters.
func proceduresOf(t *testing.T, source string) map[string]*procedure {
	t.Helper()
	text, err := os.ReadFile("../../fortran/" + source)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*procedure{}
	var now *procedure
	generic := ""
	for line := range strings.Lines(strings.ReplaceAll(string(text), "&\n", "")) {
		line = strings.TrimSpace(line)
		declaration, names, isDeclaration := strings.Cut(line, " :: ")
		switch {
		case strings.HasPrefix(line, "!"):
		case strings.HasPrefix(line, "end "):
			now = nil
		case isDeclaration && now != nil:
			d := dummyOf(declaration)
			for _, m := range declaredName.FindAllStringSubmatch(names, -1) {
				one := d
				one.array = d.array || m[2] != ""
				now.dummies[strings.ToLower(m[1])] = one
			}
		default:
			if m := interfaceHead.FindStringSubmatch(line); m != nil {
				generic = m[1]
			} else if m := procedureHead.FindStringSubmatch(line); m != nil {
				now = &procedure{generic, m[1], nil, map[string]dummy{}}
				for _, n := range strings.Split(m[3], ",") {
					if n = strings.TrimSpace(n); n != "" {
						now.names = append(now.names, n)
					}
				}
				all[strings.ToLower(m[2])] = now
			}
		}
	}
	return all
}

// dummyOf reads a declaration, the names left out.
func dummyOf(declaration string) dummy {
	var d dummy
	for i, a := range attribute.FindAllString(declaration, -1) {
		switch {
		case i == 0:
			d.typ = a
		case strings.HasPrefix(a, "intent("):
			d.intent = strings.TrimSuffix(strings.TrimPrefix(a, "intent("), ")")
		case a == "dimension(*)":
			d.array = true
		case a == "asynchronous":
			d.asynchronous = true
		case a == "optional":
			d.optional = true
		case a == "value":
			d.value = true
		}
	}
	return d
}
