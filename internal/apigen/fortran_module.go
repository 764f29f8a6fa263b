package main

import (
	"fmt"
	"strings"

	"gompi/api"
)

// handleTypesF08 are the types of handles in mpi_f08, by kind.
var handleTypesF08 = map[string]string{"comm": "MPI_Comm", "group": "MPI_Group", "type": "MPI_Datatype", "op": "MPI_Op",
	"errh": "MPI_Errhandler", "info": "MPI_Info", "request": "MPI_Request", "message": "MPI_Message", "win": "MPI_Win",
	"file": "MPI_File", "anyfile": "MPI_File", "session": "MPI_Session"}

// integerKinds are the kinds of Fortran's integers that C has as another type than int.
var integerKinds = map[string]string{"MPI_Aint": "MPI_ADDRESS_KIND", "MPI_Offset": "MPI_OFFSET_KIND", "MPI_Count": "MPI_COUNT_KIND"}

// integer is the Fortran type of a number.
func (r routine) integer(p api.Param) string {
	if kind := integerKinds[r.ctype(p)]; kind != "" && r.f.Chapter != "removed" {
		return "integer(kind=" + kind + ")"
	}
	return "integer"
}

// declare is the declaration of a parameter in an interface.
func (r routine) declare(p api.Param, f08 bool) string {
	n := fortranName(p)
	intent, array := r.intent(p, f08), ""
	if p.Array {
		array = "(*)"
	}
	if line := r.declareAddress(p, intent, f08); line != "" {
		return line
	}
	switch {
	case p.Kind == "str":
		return fmt.Sprintf("character(len=*)%s :: %s", intent, n)
	case p.Kind == "argv" || p.Kind == "argvs":
		shape := map[string]string{"argv": "(*)", "argvs": "(count, *)"}[p.Kind]
		return "character(len=*), intent(in) :: " + n + shape
	case p.Kind == "status":
		return declareStatus(p, intent, f08)
	case p.Kind == "range":
		return fmt.Sprintf("integer%s :: %s(3, *)", intent, n)
	case p.Kind == "weights" || p.Name == "array_of_errcodes":
		if p.Dir == api.Out {
			intent = ""
		}
		return fmt.Sprintf("integer%s :: %s(*)", intent, n)
	case p.Kind == "flag":
		return fmt.Sprintf("logical%s :: %s%s", intent, n, array)
	}
	t := r.integer(p)
	if handle := handleTypesF08[p.Kind]; handle != "" {
		t = "integer"
		if f08 {
			t = "type(" + handle + ")"
		}
	}
	if !f08 && (p.Len == "*" || p.Kind == "type" && r.blocks()) {
		// programs pass anything where MPI_IN_PLACE makes it meaningless
		return unchecked(t+", dimension(*)", n)
	}
	return fmt.Sprintf("%s%s :: %s%s", t, intent, n, array)
}

// intent is what a declaration says of the direction of a parameter.
func (r routine) intent(p api.Param, f08 bool) string {
	intent := map[api.Direction]string{api.In: ", intent(in)", api.Out: ", intent(out)", api.InOut: ", intent(inout)"}[p.Dir]
	if p.Kept {
		intent = ", intent(in)"
	}
	if f08 && r.makesRequest() && !isChoice(p) && (p.Array || p.Dir != api.In && p.Kind != "request" &&
		p.Kind != "message") {
		intent += ", asynchronous" // it is read or written until the operation ends
	}
	return intent
}

// declareAddress is declare for a buffer, a value of the size of an address, or a procedure; "" for others.
func (r routine) declareAddress(p api.Param, intent string, f08 bool) string {
	n := fortranName(p)
	switch {
	case isChoice(p) && f08:
		if p.Dir != api.In || r.f.Keeps { // MPI 5.0, A.4
			intent = ""
		}
		if r.pending() || strings.HasSuffix(r.f.Name, "_end") || p.Kind == "ptr" || p.Name == "location" {
			intent += ", asynchronous"
		}
		return fmt.Sprintf("type(*), dimension(..)%s :: %s", intent, n)
	case isChoice(p), p.Name == "buffer_addr" && !f08:
		return unchecked("type(*), dimension(*)", n)
	case p.Name == "extra_state" || p.Name == "attribute_val":
		if r.f.Integers {
			return fmt.Sprintf("integer%s :: %s", intent, n)
		}
		return fmt.Sprintf("integer(kind=MPI_ADDRESS_KIND)%s :: %s", intent, n)
	case p.Kind == "ptr" && f08:
		return "type(c_ptr), intent(out) :: " + n
	case p.Kind == "ptr":
		return "integer(kind=MPI_ADDRESS_KIND), intent(out) :: " + n
	case p.Kind == "fn" && f08 && !r.f.Integers:
		t := "MPI_" + p.Func
		if r.large && p.FuncLarge {
			t += "_c"
		}
		return fmt.Sprintf("procedure(%s) :: %s", t, n)
	case p.Kind == "fn": // with MPI_Keyval_create programs pass the predefined functions of MPI-2, too
		return "external :: " + n
	}
	return ""
}

// declareStatus is declare for a status or several.
func declareStatus(p api.Param, intent string, f08 bool) string {
	n, array := fortranName(p), ""
	if p.Dir == api.Out {
		intent = "" // it may be MPI_STATUS_IGNORE
	}
	if p.Array {
		array = "(*)"
	}
	switch {
	case f08:
		return fmt.Sprintf("type(MPI_Status)%s :: %s%s", intent, n, array)
	case p.Array:
		return fmt.Sprintf("integer%s :: %s(MPI_STATUS_SIZE, *)", intent, n)
	}
	return fmt.Sprintf("integer%s :: %s(MPI_STATUS_SIZE)", intent, n)
}

// blocks reports whether the routine takes blocks that differ in size.
func (r routine) blocks() bool {
	for _, p := range r.params() {
		if p.Kind == "count" && p.Len == "*" {
			return true
		}
	}
	return false
}

// unchecked declares a dummy that takes an argument of any type and rank.
func unchecked(what, name string) string {
	return fmt.Sprintf("!GCC$ ATTRIBUTES NO_ARG_CHECK :: %s\n!DIR$ IGNORE_TKR %s\n!IBM* IGNORE_TKR %s\n%s :: %s", name, name, name, what, name)
}

// body is the interface body of one routine under a name; bind is its binding label, if it has one.
func (r routine) body(name, bind string, f08 bool) string {
	var names, lines []string
	for _, p := range r.params() {
		names = append(names, fortranName(p))
		lines = append(lines, strings.Split(r.declare(p, f08), "\n")...)
	}
	head := "subroutine " + name
	end := "end subroutine"
	switch t := result(r.f); {
	case t != "":
		head, end = t+" function "+name, "end function"
	case r.f.Name != "Pcontrol":
		names = append(names, "ierror")
		lines = append(lines, "integer"+map[bool]string{true: ", optional", false: ""}[f08]+", intent(out) :: ierror")
	}
	if bind != "" {
		bind = fmt.Sprintf(" bind(C, name=\"%s\")", bind)
	}
	return fortranLines("  ", head+"("+strings.Join(names, ", ")+")"+bind) + "    import\n" +
		fortranLines("    ", lines...) + "  " + end + "\n"
}

// result is the type of what a function returns, "" for a subroutine.
func result(f api.Function) string {
	switch f.Returns {
	case "int":
		return ""
	case "double":
		return "real(kind=8)"
	}
	return "integer(kind=MPI_ADDRESS_KIND)"
}

// fortranLines breaks long lines at commas.
func fortranLines(indent string, lines ...string) string {
	const most = 110
	var b strings.Builder
	for _, line := range lines {
		if strings.HasPrefix(line, "!") {
			b.WriteString(line + "\n")
			continue
		}
		line = indent + line
		for len(line) > most {
			at := strings.LastIndex(line[:most], ", ") + 2
			b.WriteString(line[:at] + "&\n")
			line = indent + "    " + line[at:]
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

const fortranMark = "! Generated by internal/apigen from api/. Do not edit.\n"

// oldModule is the source of the module mpi.
func (g *generator) oldModule() string {
	var b strings.Builder
	b.WriteString("! The module mpi (MPI 5.0, 19.1.3).\n" + fortranMark + "module mpi\n  use, intrinsic :: iso_c_binding, only: c_ptr\n  use mpi_sentinels\n  use mpi_handle_types\n  implicit none\n  private :: c_ptr\n")
	b.WriteString(g.fortranConstants(false))
	b.WriteString("  external :: " + strings.Join(predefinedRoutines(g), ", &\n    ") + "\n")
	for _, prefix := range []string{"MPI_", "PMPI_"} {
		for _, f := range g.Functions {
			if !inFortran(f) {
				continue
			}
			r := routine{f: f}
			if cptr := cPointer(f); cptr {
				fmt.Fprintf(&b, "interface %s%s\n%s%send interface\n", prefix, f.Name, r.body(prefix+f.Name, "", false),
					strings.Replace(r.body(prefix+f.Name+"_cptr", "", false), "integer(kind=MPI_ADDRESS_KIND), intent(out) :: baseptr", "type(c_ptr), intent(out) :: baseptr", 1))
				continue
			}
			fmt.Fprintf(&b, "interface\n%send interface\n", r.body(api.Symbol(prefix, f.Name), "", false))
		}
		fmt.Fprintf(&b, onlyFortran+convertStatus, prefix, strings.ToLower(prefix))
		fmt.Fprintf(&b, "interface\n  subroutine %sF_sync_reg(buf)\n    import\n%s  end subroutine\nend interface\n", prefix,
			fortranLines("    ", strings.Split(unchecked("type(*), dimension(*)", "buf"), "\n")...))
	}
	b.WriteString("end module mpi\n")
	return b.String()
}

// cPointer reports whether the routine returns an address that mpi has as an integer or as a C pointer.
func cPointer(f api.Function) bool {
	for _, p := range f.Params {
		if p.Name == "baseptr" {
			return true
		}
	}
	return false
}

const onlyFortran = `interface %[1]sSizeof
  subroutine %[1]sSizeof_f08ts(x, size, ierror) bind(C, name="%[2]ssizeof_f08ts_")
    import
    type(*), dimension(..) :: x
    integer, intent(out) :: size
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
`

const onlyF08 = `interface %[1]sF_sync_reg
  subroutine %[1]sF_sync_reg_f08ts(buf) bind(C, name="%[2]sf_sync_reg_f08ts_")
    import
    type(*), dimension(..), asynchronous :: buf
  end subroutine
end interface
`

// convertStatus declares the conversions of statuses, which are in both modules (MPI 5.0, 19.3.5).
const convertStatus = `interface %[1]sStatus_f2f08
  subroutine %[1]sStatus_f2f08_f08(f_status, f08_status, ierror)
    import
    integer, intent(in) :: f_status(MPI_STATUS_SIZE)
    type(MPI_Status), intent(out) :: f08_status
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface %[1]sStatus_f082f
  subroutine %[1]sStatus_f082f_f08(f08_status, f_status, ierror)
    import
    type(MPI_Status), intent(in) :: f08_status
    integer, intent(out) :: f_status(MPI_STATUS_SIZE)
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
`

// predefinedRoutines are the predefined callbacks: routines in Fortran.
func predefinedRoutines(g *generator) []string {
	var names []string
	for _, c := range g.Constants {
		if strings.HasSuffix(c.Type, "function*") || strings.HasSuffix(c.Type, "function_c*") {
			names = append(names, "MPI_"+c.Name)
		}
	}
	return names
}

// newModule is the source of the module mpi_f08: generic names over the specific ones.
func (g *generator) newModule() string {
	var b strings.Builder
	b.WriteString("! The module mpi_f08 (MPI 5.0, 19.1.2).\n" + fortranMark + "module mpi_f08\n  use, intrinsic :: iso_c_binding, only: c_ptr\n" +
		"  use mpi_f08_types\n  use mpi_f08_callbacks\n  implicit none\n  private :: c_ptr\n")
	for _, prefix := range []string{"MPI_", "PMPI_"} {
		for _, f := range g.Functions {
			if !inF08(f) {
				continue
			}
			small := routine{f: f}
			fmt.Fprintf(&b, "interface %s\n%s", api.Symbol(prefix, f.Name), small.bodyF08(prefix))
			if large := (routine{f: f, large: true}); f.Large {
				switch {
				case small.differs(large):
					b.WriteString(large.bodyF08(prefix))
				case small.has("fn"):
					fmt.Fprintf(&b, "end interface\ninterface %s%s_c\n%s", prefix, f.Name, large.bodyF08(prefix))
				}
			}
			b.WriteString("end interface\n")
		}
		fmt.Fprintf(&b, onlyFortran+onlyF08+convertStatus, prefix, strings.ToLower(prefix))
	}
	b.WriteString("end module mpi_f08\n")
	return b.String()
}

func (r routine) bodyF08(prefix string) string {
	bind := ""
	if r.hasChoice() {
		bind = strings.ToLower(prefix+r.specific()) + "_"
	}
	return r.body(api.Symbol(prefix, r.specific()), bind, true)
}

// differs reports whether a compiler can tell the large-count twin by the kinds of its arguments. Where an
// address has become a count it cannot: both have 64 bits.
func (r routine) differs(large routine) bool {
	for _, p := range r.params() {
		if r.ctype(p) == "int" && large.ctype(p) != "int" && p.Kind != "fn" {
			return true
		}
	}
	return false
}
