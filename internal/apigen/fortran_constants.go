package main

import (
	"fmt"
	"strconv"
	"strings"

	"gompi/api"
)

// sentinel is a constant of Fortran that is an address: a variable of the library's (fortran/sentinel.c).
type sentinel struct{ name, typ, shape string }

// sentinels are all of them; the type of those whose type is "" is that of a status.
var sentinels = []sentinel{
	{"BOTTOM", "integer", ""}, {"IN_PLACE", "integer", ""}, {"BUFFER_AUTOMATIC", "integer", ""},
	{"STATUS_IGNORE", "", ""}, {"STATUSES_IGNORE", "", "1"}, {"ERRCODES_IGNORE", "integer", "1"},
	{"UNWEIGHTED", "integer", "1"}, {"WEIGHTS_EMPTY", "integer", "1"},
	{"ARGV_NULL", "character(len=1)", "1"}, {"ARGVS_NULL", "character(len=1)", "1,1"},
}

// declared is the sentinel's type and shape.
func (s sentinel) declared(f08 bool) (typ, shape string) {
	typ, shape = s.typ, s.shape
	switch {
	case typ == "" && f08:
		typ = "type(MPI_Status)"
	case typ == "" && shape == "":
		typ, shape = "integer", "MPI_STATUS_SIZE"
	case typ == "":
		typ, shape = "integer", "MPI_STATUS_SIZE,1"
	}
	if shape != "" {
		shape = "(" + shape + ")"
	}
	return typ, shape
}

// fortranConstant is one constant with its value as an integer.
type fortranConstant struct {
	name, typ string // typ is the handle's type without MPI_, "int" or "Offset"
	value     int64
}

// constantsOfFortran are those that Fortran has as values.
func (g *generator) constantsOfFortran() []fortranConstant {
	values := map[string]int64{}
	all := []fortranConstant{{"STATUS_SIZE", "int", 8}, {"SOURCE", "int", 1}, {"TAG", "int", 2}, {"ERROR", "int", 3},
		{"ADDRESS_KIND", "int", 8}, {"OFFSET_KIND", "int", 8}, {"COUNT_KIND", "int", 8}, {"INTEGER_KIND", "int", 4}}
	for _, c := range g.Constants {
		value, err := strconv.ParseInt(c.Value, 0, 64)
		if err != nil {
			value = values[c.Value]
		}
		values[c.Name] = value
		if ofCAlone(c) {
			continue
		}
		typ := c.Type
		if typ == "class" {
			typ = "int"
		}
		if strings.HasPrefix(c.Name, "MAX_") && c.Type == "int" {
			value-- // the final zero of C is not counted
		}
		all = append(all, fortranConstant{c.Name, typ, value})
	}
	return all
}

// ofCAlone reports whether Fortran has no such value. Of the tool interface it has the error classes.
func ofCAlone(c api.Constant) bool {
	tool := strings.HasPrefix(c.Type, "T_") || strings.HasPrefix(c.Name, "T_") && c.Type != "class"
	return tool || strings.Contains(c.Type, "*") || strings.HasPrefix(c.Name, "F_")
}

// cName is the constant's name.
func (c fortranConstant) cName() string { return api.Constant{Name: c.name}.CName() }

// fortranConstants declares constants and sentinels in a module.
func (g *generator) fortranConstants(f08 bool) string {
	var b strings.Builder
	for _, c := range g.constantsOfFortran() {
		switch {
		case c.typ == "int":
			fmt.Fprintf(&b, "  integer, parameter :: %s = %d\n", c.cName(), c.value)
		case c.typ == "Offset":
			fmt.Fprintf(&b, "  integer(kind=MPI_OFFSET_KIND), parameter :: %s = %d_MPI_OFFSET_KIND\n", c.cName(), c.value)
		case f08:
			fmt.Fprintf(&b, "  type(MPI_%s), parameter :: %s = MPI_%s(%d)\n", c.typ, c.cName(), c.typ, c.value)
		default:
			fmt.Fprintf(&b, "  integer, parameter :: %s = %d\n", c.cName(), c.value)
		}
	}
	fmt.Fprintf(&b, "  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .%t.\n", f08)
	fmt.Fprintf(&b, "  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .%t.\n", f08)
	for _, s := range sentinels {
		if s.typ == "" {
			b.WriteString(s.variable(f08))
		}
	}
	return b.String()
}

// variable declares the sentinel in a module. Those that are statuses have a label of their own in mpi_f08,
// where they have another type: compilers let a program that uses both modules have one label once.
func (s sentinel) variable(f08 bool) string {
	typ, shape := s.declared(f08)
	prefix := "gompi_f_"
	if f08 && s.typ == "" {
		prefix = "gompi_f08_"
	}
	return fmt.Sprintf("  %s, bind(C, name=\"%s%s_\"), target :: MPI_%s%s\n", typ, prefix, strings.ToLower(s.name), s.name, shape)
}

// sentinelsModule is the source of what both modules have in common.
func sentinelsModule() string {
	var b strings.Builder
	b.WriteString("! Constants that are addresses.\n" + fortranMark + "module mpi_sentinels\n  implicit none\n")
	for _, s := range sentinels {
		if s.typ != "" {
			b.WriteString(s.variable(false))
		}
	}
	b.WriteString("end module mpi_sentinels\n")
	return b.String()
}

// handlesModule is the source of the types of handles and statuses, which the module mpi has too, for
// programs that turn its integers into them (MPI 5.0, 19.1.3).
func handlesModule() string {
	var b strings.Builder
	b.WriteString("! Handles and statuses of the modules mpi_f08 and mpi.\n" + fortranMark + "module mpi_handle_types\n  implicit none\n")
	types := []string{"Comm", "Datatype", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session", "Win"}
	for _, t := range types {
		fmt.Fprintf(&b, "  type, bind(C) :: MPI_%s\n    integer :: MPI_VAL\n  end type\n", t)
	}
	b.WriteString("  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n    integer :: MPI_internal(5)\n  end type\n")
	for _, o := range [][2]string{{"==", "eq"}, {"/=", "ne"}} {
		fmt.Fprintf(&b, "  interface operator(%s)\n", o[0])
		for _, t := range types {
			fmt.Fprintf(&b, "    logical function gompi_f_%s_%s(a, b)\n      import\n      type(MPI_%s), intent(in) :: a, b\n    end function\n", strings.ToLower(t), o[1], t)
		}
		b.WriteString("  end interface\n")
	}
	b.WriteString("end module mpi_handle_types\n")
	return b.String()
}

// typesModule is the source of the types and constants of mpi_f08.
func (g *generator) typesModule() string {
	return "! Constants of the module mpi_f08.\n" + fortranMark + "module mpi_f08_types\n  use mpi_sentinels\n  use mpi_handle_types\n  implicit none\n" +
		g.fortranConstants(true) + "end module mpi_f08_types\n"
}

// mpifHeader is mpif.h, whose lines are valid in fixed and in free form (MPI 5.0, 19.1.4).
func (g *generator) mpifHeader() string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, "      "+format+"\n", a...) }
	b.WriteString("! mpif.h (MPI 5.0, 19.1.4)\n" + fortranMark)
	for _, c := range g.constantsOfFortran() {
		if c.typ == "Offset" {
			line("INTEGER(KIND=MPI_OFFSET_KIND) %s", c.cName())
		} else {
			line("INTEGER %s", c.cName())
		}
		line("PARAMETER (%s=%d)", c.cName(), c.value)
	}
	for _, name := range []string{"MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"} {
		line("LOGICAL %s", name)
		line("PARAMETER (%s=.FALSE.)", name)
	}
	for _, s := range sentinels {
		typ, shape := s.declared(false)
		if strings.HasPrefix(typ, "character") {
			typ = "CHARACTER*1"
		}
		line("%s MPI_%s%s", strings.ToUpper(typ), s.name, shape)
		line("COMMON /gompi_f_%s/ MPI_%s", strings.ToLower(s.name), s.name)
	}
	for _, name := range predefinedRoutines(g) {
		line("EXTERNAL %s", name)
	}
	for _, prefix := range []string{"MPI_", "PMPI_"} {
		for _, f := range g.Functions {
			if t := result(f); t != "" && inFortran(f) {
				line("%s %s%s", strings.ToUpper(t), prefix, strings.ToUpper(f.Name))
				line("EXTERNAL %s%s", prefix, strings.ToUpper(f.Name))
			}
		}
	}
	return b.String()
}
