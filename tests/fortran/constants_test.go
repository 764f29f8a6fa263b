package fortran

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A constant of mpi.h, whose names and values a test of api compares with the table of the standard (MPI
// 5.0, A.1): the type as Fortran has it, "int", "offset", the type of a handle, "routine" or "address".
type constant struct{ name, typ string }

var (
	defined = regexp.MustCompile(`(?m)^#define (MPIX?_\w+) (.+)$`)
	cast    = regexp.MustCompile(`^\(\((\w+) ?(\**)\)`)
	// Of C alone are what belongs to the tool interface, its error classes apart, what C knows of Fortran,
	// and what the preprocessor asks for.
	ofC = regexp.MustCompile(`^MPI_(T|F)_|^MPIX_HAVE_`)
)

const toolError = "MPI_T_ERR_"

// constantsOfC are the constants of mpi.h that Fortran has to have.
func constantsOfC(t *testing.T) []constant {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(build, "include/mpi.h"))
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	var all []constant
	for _, m := range defined.FindAllStringSubmatch(string(text), -1) {
		name, value := m[1], m[2]
		typ := "int"
		switch c := cast.FindStringSubmatch(value); {
		case types[value] != "":
			typ = types[value] // another name
		case c == nil:
		case c[1] == "MPI_Offset":
			typ = "offset"
		case c[2] == "":
			typ = c[1]
		case strings.HasSuffix(c[1], "function"), strings.HasSuffix(c[1], "function_c"):
			typ = "routine"
		default:
			typ = "address"
		}
		types[name] = typ
		if ofC.MatchString(name) && !strings.HasPrefix(name, toolError) {
			continue
		}
		all = append(all, constant{name, typ})
	}
	if len(all) < 320 {
		t.Fatalf("found %d constants", len(all))
	}
	return all
}

// addresses are the constants that are variables in Fortran, by what shows their types.
var addresses = map[string]string{"MPI_BOTTOM": "buffer", "MPI_IN_PLACE": "buffer", "MPI_BUFFER_AUTOMATIC": "buffer",
	"MPI_STATUS_IGNORE": "status", "MPI_STATUSES_IGNORE": "statuses", "MPI_ERRCODES_IGNORE": "ints",
	"MPI_UNWEIGHTED": "ints", "MPI_WEIGHTS_EMPTY": "ints", "MPI_ARGV_NULL": "strings", "MPI_ARGVS_NULL": "strings_of_strings"}

// ofFortran are the constants that C does not have, with their values here.
var ofFortran = map[string]int{"MPI_ADDRESS_KIND": 8, "MPI_COUNT_KIND": 8, "MPI_OFFSET_KIND": 8, "MPI_INTEGER_KIND": 4,
	"MPI_STATUS_SIZE": 8, "MPI_SOURCE": 1, "MPI_TAG": 2, "MPI_ERROR": 3}

// showing are the routines that print a constant's type, name and value; the types are those of an interface.
const showing = `
  subroutine show_int(name, x)
    character(len=*), intent(in) :: name
    integer, intent(in) :: x
    write (*, '(3a, i0)') 'int ', name, ' ', x
  end subroutine
  subroutine show_offset(name, x)
    character(len=*), intent(in) :: name
    integer(kind=MPI_OFFSET_KIND), intent(in) :: x
    write (*, '(3a, i0)') 'offset ', name, ' ', x
  end subroutine
  subroutine show_flag(name, x)
    character(len=*), intent(in) :: name
    logical, intent(in) :: x
    write (*, '(3a, l1)') 'flag ', name, ' ', x
  end subroutine
  subroutine show_routine(name, f)
    character(len=*), intent(in) :: name
    external :: f
    write (*, '(2a)') 'routine ', name
  end subroutine
  subroutine show_buffer(name, x)
    character(len=*), intent(in) :: name
    integer :: x
    write (*, '(2a)') 'buffer ', name
  end subroutine
  subroutine show_ints(name, x)
    character(len=*), intent(in) :: name
    integer :: x(:)
    write (*, '(2a)') 'ints ', name
  end subroutine
  subroutine show_strings(name, x)
    character(len=*), intent(in) :: name
    character(len=*) :: x(:)
    write (*, '(2a)') 'strings ', name
  end subroutine
  subroutine show_strings_of_strings(name, x)
    character(len=*), intent(in) :: name
    character(len=*) :: x(:, :)
    write (*, '(2a)') 'strings_of_strings ', name
  end subroutine
`

// showingStatus are those of statuses, of a type and shapes.
const showingStatus = `
  subroutine show_status(name, x)
    character(len=*), intent(in) :: name
    %[1]s :: x%[2]s
    write (*, '(2a)') 'status ', name
  end subroutine
  subroutine show_statuses(name, x)
    character(len=*), intent(in) :: name
    %[1]s :: x(%[3]s:)
    write (*, '(2a)') 'statuses ', name
  end subroutine
`

const showingHandle = `
  subroutine show_%[1]s(name, x)
    character(len=*), intent(in) :: name
    type(%[1]s), intent(in) :: x
    write (*, '(3a, i0)') '%[1]s ', name, ' ', x%%MPI_VAL
  end subroutine
`

// programOf is a program that shows all constants of an interface.
func programOf(define string, constants []constant) string {
	var b strings.Builder
	uses, include := "  use mpi\n", ""
	switch define {
	case "-DMPIFH":
		uses, include = "", "  include 'mpif.h'\n"
	case "-DF08":
		uses = "  use mpi_f08\n"
	}
	b.WriteString("module shows\n" + uses + "  implicit none\n" + include + "contains\n" + showing)
	if define == "-DF08" {
		fmt.Fprintf(&b, showingStatus, "type(MPI_Status)", "", "")
		for _, h := range handleTypes {
			fmt.Fprintf(&b, showingHandle, h)
		}
	} else {
		fmt.Fprintf(&b, showingStatus, "integer", "(:)", ":, ")
	}
	b.WriteString("end module\nprogram constants\n  use shows\n  implicit none\n")
	show := func(how, name string) { fmt.Fprintf(&b, "  call show_%s('%s', %s)\n", how, name, name) }
	for _, c := range constants {
		switch {
		case c.typ == "address":
			show(addresses[c.name], c.name)
		case define != "-DF08" && strings.HasPrefix(c.typ, "MPI_"):
			show("int", c.name)
		default:
			show(c.typ, c.name)
		}
	}
	for name := range ofFortran {
		show("int", name)
	}
	show("flag", "MPI_SUBARRAYS_SUPPORTED")
	show("flag", "MPI_ASYNC_PROTECTS_NONBLOCKING")
	b.WriteString("end program\n")
	return b.String()
}

// valuesInC are the values that a program in C prints, by name.
func valuesInC(t *testing.T, folder string, constants []constant) map[string]string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#include <mpi.h>\n#include <stdint.h>\n#include <stdio.h>\nint main(void)\n{\n")
	for _, c := range constants {
		if c.typ != "address" && c.typ != "routine" {
			less := 0
			if strings.HasPrefix(c.name, "MPI_MAX_") && c.typ == "int" {
				less = 1 // the final zero
			}
			fmt.Fprintf(&b, "\tprintf(\"%s %%lld\\n\", (long long)(intptr_t)%s - %d);\n", c.name, c.name, less)
		}
	}
	b.WriteString("\treturn 0;\n}\n")
	if err := os.WriteFile(filepath.Join(folder, "constants.c"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	must(t, folder, filepath.Join(build, "bin/mpicc"), "-o", "in_c", "constants.c")
	values := map[string]string{}
	for line := range strings.Lines(must(t, folder, "./in_c")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		values[name] = value
	}
	return values
}

// Each interface has the constants of A.1, with the types that they should have and the values that C has.
func TestAppendixConstants(t *testing.T) {
	needCompiler(t)
	folder := t.TempDir()
	constants := constantsOfC(t)
	values := valuesInC(t, folder, constants)
	for _, i := range interfaces {
		t.Run(i.name, func(t *testing.T) {
			text := []byte(programOf(i.define, constants))
			if err := os.WriteFile(filepath.Join(folder, "constants.f90"), text, 0o666); err != nil {
				t.Fatal(err)
			}
			must(t, folder, filepath.Join(build, "bin/mpifort"), "-O0", "-o", "in_fortran", "constants.f90")
			want := []string{}
			for _, c := range constants {
				switch {
				case c.typ == "routine":
					want = append(want, "routine "+c.name)
				case c.typ == "address":
					want = append(want, addresses[c.name]+" "+c.name)
				case i.define != "-DF08" && strings.HasPrefix(c.typ, "MPI_"):
					want = append(want, "int "+c.name+" "+values[c.name])
				default:
					want = append(want, c.typ+" "+c.name+" "+values[c.name])
				}
			}
			for _, name := range slices.Sorted(maps.Keys(ofFortran)) {
				want = append(want, fmt.Sprintf("int %s %d", name, ofFortran[name]))
			}
			yes := map[bool]string{true: "T", false: "F"}[i.define == "-DF08"]
			want = append(want, "flag MPI_SUBARRAYS_SUPPORTED "+yes, "flag MPI_ASYNC_PROTECTS_NONBLOCKING "+yes)
			slices.Sort(want)
			got := strings.Split(strings.TrimSpace(must(t, folder, "./in_fortran")), "\n")
			slices.Sort(got)
			for _, line := range got {
				if _, found := slices.BinarySearch(want, line); !found {
					t.Errorf("it has %s", line)
				}
			}
			for _, line := range want {
				if _, found := slices.BinarySearch(got, line); !found {
					t.Errorf("it should have %s", line)
				}
			}
		})
	}
}
