package main

import (
	"fmt"
	"strings"

	"gompi/api"
)

// cxxMethod is one method of C++, or a function of the namespace, over a function of C.
type cxxMethod struct {
	class  string // "" for a function of the namespace
	name   string
	static bool
	later  bool   // defined behind all classes, as its body needs them
	as     string // class of the communicator that it makes; "" for that of the method

	f       api.Function
	writes  bool       // it changes its object's handle
	params  []string   // declarations
	args    []string   // of the function of C
	locals  []string   // declarations at its begin
	result  string     // type
	value   string     // what it returns
	status  *api.Param // that is left out in a second form
	statusA int        // index of the status among args
}

// returned chooses the parameter whose value the method returns, if any: a truth value, or the only result
// that is no array.
func (m *cxxMethod) returned() string {
	single, strs := []string{}, false
	for _, p := range m.f.Params {
		switch {
		case p.Dir != api.Out || p.Kind == "status" || p.Kind == "buf" || p.Kind == "cbuf" || p.Kind == "mem" || p.Kind == "ptr":
		case p.Kind == "str":
			strs = true
		case p.Array:
		case p.Kind == "flag":
			return p.Name
		default:
			single = append(single, p.Name)
		}
	}
	if len(single) == 1 && !strs {
		return single[0]
	}
	return ""
}

// plan finds out what the method looks like.
func (m *cxxMethod) plan() error {
	m.result = "void"
	returned := m.returned()
	object := m.static || m.class == "" // nothing else is the method's object
	for _, p := range m.f.Params {
		switch {
		case p.LargeOnly:
		case !object && m.owns(p):
			object = true
			m.own(p)
		case p.Name == returned:
			m.returns(p)
		case p.Kind == "status" && p.Dir == api.Out:
			m.status, m.statusA = &p, len(m.args)
			m.args = append(m.args, cxxPointer(p))
		default:
			if err := m.pass(p); err != nil {
				return err
			}
		}
	}
	if !object {
		return fmt.Errorf("MPI_%s takes no %s", m.f.Name, m.class)
	}
	return nil
}

// owns reports whether p is of the method's class.
func (m *cxxMethod) owns(p api.Param) bool {
	class := cxxClasses[p.Kind]
	if cxxPrefixes[m.class] == "Comm_" {
		return class == "Comm" && !p.Array
	}
	return !p.Array && class != "" && (class == m.class || class == "Request" && strings.HasSuffix(m.class, "request"))
}

// own passes the method's object.
func (m *cxxMethod) own(p api.Param) {
	m.writes = p.Dir != api.In
	switch {
	case p.Kind == "status":
		m.args = append(m.args, "&status_")
	case m.writes:
		m.args = append(m.args, "&handle_")
	default:
		m.args = append(m.args, "handle_")
	}
}

// returns makes p the result.
func (m *cxxMethod) returns(p api.Param) {
	t := cxxType(p)
	m.args = append(m.args, "&"+p.Name)
	switch {
	case p.Kind == "flag":
		m.result, m.value = "bool", p.Name+" != 0"
		m.locals = append(m.locals, "int "+p.Name+" = 0")
	case p.Kind == "comm":
		m.result = m.as
		if m.as == "" {
			m.result = m.class
		}
		m.value = m.result + "(detail::known, " + p.Name + ")"
		m.locals = append(m.locals, "MPI_Comm "+p.Name+" = MPI_COMM_NULL")
	case cxxClasses[p.Kind] != "":
		m.result = cxxClasses[p.Kind]
		if p.Kind == "request" && m.f.Persistent {
			m.result = "Prequest"
		}
		m.value = m.result + "(" + p.Name + ")"
		m.locals = append(m.locals, "MPI_"+api.Kinds[p.Kind].Small+" "+p.Name+" = "+cxxNull(p.Kind))
	default:
		m.result, m.value = t, p.Name
		m.locals = append(m.locals, t+" "+p.Name+" = 0")
	}
}

// cxxType is the type of one value in C++.
func cxxType(p api.Param) string {
	if class := cxxClasses[p.Kind]; class != "" {
		return class
	}
	if p.Kind == "flag" {
		return "bool"
	}
	return api.Kinds[p.Kind].Small
}

// cxxPointer is an object, or an array of objects, as C takes it.
func cxxPointer(p api.Param) string {
	constant, address := "", "&"
	if p.Dir == api.In {
		constant = "const "
	}
	if p.Array {
		address = ""
	}
	return "reinterpret_cast<" + constant + "MPI_" + api.Kinds[p.Kind].Small + " *>(" + address + p.Name + ")"
}

// pass makes p a parameter of the method.
func (m *cxxMethod) pass(p api.Param) error {
	t := cxxType(p)
	constant := ""
	if p.Dir == api.In {
		constant = "const "
	}
	param, arg := "", p.Name
	switch _, object := cxxClasses[p.Kind]; {
	case p.Kind == "fn" && strings.HasSuffix(p.Func, "_errhandler_function"):
		param = "Errhandler_function *" + p.Name
		arg = "reinterpret_cast<MPI_" + p.Func + " *>(reinterpret_cast<void (*)()>(" + p.Name + "))"
	case p.Kind == "ptr" && p.Dir == api.In && p.Name == "attribute_val":
		param, arg = "const void *"+p.Name, "const_cast<void *>("+p.Name+")"
	case p.Kind == "ptr":
		param = "void *" + p.Name
	case p.Kind == "buf", p.Kind == "cbuf", p.Kind == "mem":
		param = constant + "void *" + p.Name
	case p.Kind == "str":
		param = constant + "char *" + p.Name
	case object && p.Array:
		class := t
		if t == "Request" && m.class == "Prequest" {
			class = "Prequest"
		}
		param, arg = constant+class+" "+p.Name+"[]", cxxPointer(p)
	case object && p.Dir == api.In:
		param, arg = "const "+t+" &"+p.Name, p.Name+".handle_" // compiled more quickly than the conversion
	case p.Kind == "fn", p.Kind == "range", p.Kind == "argv", p.Kind == "argvs", p.Kind == "argvp", p.Kind == "varargs",
		object, p.Kind == "flag" && (p.Array || p.Dir != api.In):
		return fmt.Errorf("parameter %s has to be written by hand", p.Name)
	case p.Array:
		param = constant + t + " " + p.Name + "[]"
	case p.Dir == api.In:
		param = t + " " + p.Name
	default:
		param, arg = t+" &"+p.Name, "&"+p.Name
	}
	m.params, m.args = append(m.params, param), append(m.args, arg)
	return nil
}

// write writes the method's definitions, behind the classes where they need them.
func (m *cxxMethod) write(b, later *strings.Builder) {
	if m.status == nil {
		m.define(b, later, m.params, m.args)
		return
	}
	ignored := append([]string(nil), m.args...)
	ignored[m.statusA] = "MPI_STATUS_IGNORE"
	given := m.params[:len(m.params):len(m.params)]
	if m.status.Array {
		ignored[m.statusA] = "MPI_STATUSES_IGNORE"
		given = append(given, "Status "+m.status.Name+"[]")
	} else {
		given = append(given, "Status &"+m.status.Name)
	}
	m.define(b, later, m.params, ignored)
	m.define(b, later, given, m.args)
}

// define writes one form of the method.
func (m *cxxMethod) define(b, later *strings.Builder, params, args []string) {
	indent, before, after := "\t", "", ""
	switch {
	case m.class == "":
		indent, before = "", "inline "
	case m.static:
		before = "static "
	case !m.writes:
		after = " const"
	}
	to := b
	if m.later {
		cxxLine(b, indent, before+m.result+" "+m.name+"(", params, ")"+after+";")
		to, indent, before = later, "", "inline "
		if later.Len() > 0 {
			later.WriteString("\n")
		}
		cxxLine(to, indent, before+m.result+" "+m.class+"::"+m.name+"(", params, ")"+after)
	} else {
		cxxLine(to, indent, before+m.result+" "+m.name+"(", params, ")"+after)
	}
	fmt.Fprintf(to, "%s{\n", indent)
	for _, l := range m.locals {
		fmt.Fprintf(to, "%s\t%s;\n", indent, l)
	}
	cxxLine(to, indent+"\t", "detail::check(MPI_"+m.f.Name+"(", args, "));")
	if m.value != "" {
		fmt.Fprintf(to, "%s\treturn %s;\n", indent, m.value)
	}
	fmt.Fprintf(to, "%s}\n", indent)
}

// cxxLine writes items between two texts, on several lines where one would be over 100 columns.
func cxxLine(b *strings.Builder, indent, before string, items []string, after string) {
	const most = 100
	line := indent + before
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		} else {
			item += after
		}
		space := " "
		if i == 0 {
			space = ""
		}
		if len(line)+len(space)+len(item)+7*strings.Count(line, "\t") > most {
			b.WriteString(line + "\n")
			line, space = indent+"\t\t", ""
		}
		line += space + item
	}
	if len(items) == 0 {
		line += after
	}
	b.WriteString(line + "\n")
}
