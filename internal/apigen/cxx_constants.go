package main

import (
	"fmt"
	"strings"

	"gompi/api"
)

// cxxNames are constants whose names in C++ are others than in C without MPI_: C++ has types of its own under
// names that Fortran's have in C.
var cxxNames = map[string]string{
	"CXX_BOOL": "BOOL", "CXX_FLOAT_COMPLEX": "COMPLEX", "CXX_DOUBLE_COMPLEX": "DOUBLE_COMPLEX",
	"CXX_LONG_DOUBLE_COMPLEX": "LONG_DOUBLE_COMPLEX",
	"COMPLEX":                 "F_COMPLEX", "DOUBLE_COMPLEX": "F_DOUBLE_COMPLEX",
	"COMPLEX4": "F_COMPLEX4", "COMPLEX8": "F_COMPLEX8", "COMPLEX16": "F_COMPLEX16", "COMPLEX32": "F_COMPLEX32",
	"2INT": "TWOINT", "2REAL": "TWOREAL", "2DOUBLE_PRECISION": "TWODOUBLE_PRECISION", "2INTEGER": "TWOINTEGER",
}

// cxxAlias is the name that programs know a type of Fortran by, too, where it says how large the type is and
// so cannot be taken for one of C++; "" for none.
func cxxAlias(c api.Constant) string {
	if digits := strings.TrimPrefix(c.Name, "COMPLEX"); c.Type == "Datatype" && digits != c.Name && digits != "" {
		return c.Name
	}
	return ""
}

// cxxVariable are predefined objects that may get an error handler, or be freed: they are no constants.
var cxxVariable = map[string]string{"COMM_WORLD": "Intracomm", "COMM_SELF": "Intracomm", "COMM_NULL": "Comm_Null", "FILE_NULL": "File"}

// cxxConstants writes the constants: numbers, addresses and predefined objects. Those of one type that follow
// each other are one declaration, which is compiled more quickly.
func (g *generator) cxxConstants(b *strings.Builder) {
	var members, values, lines strings.Builder
	section, last := "", ""
	add := func(of, t, declarator string) {
		switch {
		case t == "":
			return
		case of == section && t == last:
			lines.WriteString(",\n\t" + declarator)
			return
		case last != "":
			lines.WriteString(";\n")
		}
		if of != section {
			fmt.Fprintf(&lines, "\n/* %s */\n", of)
		}
		lines.WriteString("static " + t + "\n\t" + declarator)
		section, last = of, t
	}
	for _, c := range g.Constants {
		if class := cxxClassOf(c); class != "" {
			name := cxxName(c)
			fmt.Fprintf(&members, "\tMPI_%s %s;\n", c.Type, name)
			fmt.Fprintf(&values, "\t%s,\n", c.CName())
			add(c.Section, class, cxxReference(class, name, name))
			if alias := cxxAlias(c); alias != "" {
				add(c.Section, class, cxxReference(class, alias, name))
			}
		} else {
			t, declarator := cxxNumber(c)
			add(c.Section, t, declarator)
		}
	}
	add("Errors that become exceptions", "const Errhandler", cxxReference("const Errhandler", "ERRORS_THROW_EXCEPTIONS", "ERRORS_THROW_EXCEPTIONS"))
	fmt.Fprintf(b, cxxHandles, members.String(), values.String())
	b.WriteString(lines.String() + ";\n")
}

const cxxHandles = `namespace detail {

/* The handles of predefined objects: memory that is referred to as objects. */
struct handles {
%s	MPI_Errhandler ERRORS_THROW_EXCEPTIONS;
};
template <class Unused> struct predefined {
	static handles of;
};
template <class Unused> handles predefined<Unused>::of = {
%s	reinterpret_cast<MPI_Errhandler>(static_cast<MPI_Aint>(1)), /* no handle of C's */
};

typedef predefined<void> all;

} // namespace detail
`

// cxxReference declares a predefined object, over the member that is its handle.
func cxxReference(class, name, member string) string {
	return fmt.Sprintf("&%s = reinterpret_cast<%s &>(detail::all::of.%s)", name, class, member)
}

// cxxName is the constant's name in C++.
func cxxName(c api.Constant) string {
	if name, ok := cxxNames[c.Name]; ok {
		return name
	}
	return c.Name
}

// cxxClassOf is the type of a predefined object; "" for what is none.
func cxxClassOf(c api.Constant) string {
	switch c.Type {
	case "Op", "Group", "Win", "Info", "Errhandler", "Request", "Datatype":
		return "const " + c.Type
	}
	return cxxVariable[c.Name]
}

// cxxNumber is the type of a number or an address, and its declarator; "" for what is none, and for what
// MPI-2 had not.
func cxxNumber(c api.Constant) (t, declarator string) {
	for _, prefix := range []string{"T_", "F_", "MPIX_", "STATUS"} {
		if strings.HasPrefix(c.Name, prefix) {
			return "", ""
		}
	}
	switch c.Type {
	case "int", "class":
		return "const int", c.Name + " = " + c.CName()
	case "Offset":
		return "const Offset", c.Name + " = " + c.CName()
	case "void*":
		return "void", "*const " + c.Name + " = " + c.CName()
	case "int*":
		return "int", "*const " + c.Name + " = " + c.CName()
	case "char**", "char***":
		return "const char", c.Type[len("char"):] + "const " + c.Name + " = 0"
	}
	return "", ""
}
