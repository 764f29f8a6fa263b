package api

import "strings"

// cNative are the C types that mpi.h does not define itself.
var cNative = map[string]bool{"int": true, "void": true, "char": true, "double": true, "char *": true, "char **": true, "char ***": true, "...": true}

func cType(t string) string {
	if cNative[t] {
		return t
	}
	return "MPI_" + t
}

func cName(n string) string {
	if strings.HasPrefix(n, "MPIX_") {
		return n
	}
	return "MPI_" + n
}

// Symbol is the symbol of the function with a name of the description; prefix is "MPI_" or "PMPI_". Names
// that begin with X_ are those of extensions, MPIX_.
func Symbol(prefix, name string) string {
	if strings.HasPrefix(name, "X_") {
		return strings.TrimSuffix(prefix, "_") + name
	}
	return prefix + name
}

// CType is the C type of a function's result.
func (f Function) CType() string { return cType(f.Returns) }

// CType is the C type of a constant.
func (c Constant) CType() string {
	if c.Type == "class" {
		return "int"
	}
	base := strings.TrimRight(c.Type, "*")
	return cType(base) + c.Type[len(base):]
}

// CDecl is the parameter as it is declared in C, in the large-count twin if large.
func (p Param) CDecl(large bool) string {
	switch p.Kind {
	case "varargs":
		return "..."
	case "fn":
		t := p.Func
		if large && p.FuncLarge {
			t += "_c"
		}
		return "MPI_" + t + " *" + p.Name
	case "argv":
		return "char *" + p.Name + "[]"
	case "argvs":
		return "char **" + p.Name + "[]"
	case "argvp":
		return "char ***" + p.Name
	case "range":
		return "int " + p.Name + "[][3]"
	}
	k := Kinds[p.Kind]
	t := k.Small
	if large {
		t = k.Large
	}
	t = cType(t)
	constant := ""
	if p.Dir == In {
		constant = "const "
	}
	switch p.Kind {
	case "ptr":
		return "void *" + p.Name
	case "mem", "buf", "cbuf", "str":
		return constant + t + " *" + p.Name
	case "status":
		if p.Array {
			return constant + t + " " + p.Name + "[]"
		}
		return constant + t + " *" + p.Name
	}
	if p.Array {
		return constant + t + " " + p.Name + "[]"
	}
	if p.Dir == In {
		return t + " " + p.Name
	}
	return t + " *" + p.Name
}

// Declaration is Prototype as mpi.h has it. Arrays of no stated length are pointers there: what is passed may
// be a constant such as MPI_UNWEIGHTED, and compilers warn where they see that it is no array. To C the two
// are the same.
func (f Function) Declaration(prefix string, large bool) string {
	text := f.Prototype(prefix, large)
	for _, p := range f.Params {
		if p.Array && p.Len == "*" && Kinds[p.Kind].Small == "int" {
			text = strings.Replace(text, " "+p.Name+"[]", " *"+p.Name, 1)
		}
	}
	return text
}

// Prototype is the C declaration without a semicolon. prefix is "MPI_" or "PMPI_"; large selects the twin.
func (f Function) Prototype(prefix string, large bool) string {
	name := Symbol(prefix, f.Name)
	if large {
		name += "_c"
	}
	var ps []string
	for _, p := range f.Params {
		if p.LargeOnly && !large {
			continue
		}
		ps = append(ps, p.CDecl(large))
	}
	if len(ps) == 0 {
		ps = []string{"void"}
	}
	return f.CType() + " " + name + "(" + strings.Join(ps, ", ") + ")"
}
