package main

import (
	"fmt"
	"strings"

	"gompi/api"
)

// fortranEntries writes the C functions behind one routine: that of mpif.h and the module mpi, which is
// mpi_f08's too where no buffer is passed by descriptor, and those of mpi_f08 alone. Each that takes
// descriptors has a twin that takes addresses, for compilers that have none.
func (g *generator) fortranEntries(b *strings.Builder, f api.Function) {
	r := routine{f: f}
	lower := strings.ToLower(f.Name)
	r.entry(b, lower+"_", false)
	if cPointer(f) {
		fmt.Fprintf(b, "SAME(%s_, %s_cptr_)\n", lower, lower)
	}
	if !inF08(f) {
		return
	}
	if r.hasChoice() {
		r.entry(b, strings.ToLower(r.specific())+"_", true)
	}
	x, plain := extension(lower)
	fmt.Fprintf(b, "SAME%s(%s_, %s_f08_)\n", x, plain, plain)
	if f.Large {
		l := routine{f: f, large: true}
		l.entry(b, strings.ToLower(l.specific())+"_", true)
		if l.hasChoice() {
			l.entry(b, strings.ToLower(l.name())+"_f08_", false)
		}
	}
}

// extension splits the name of a routine of an extension into what the macros of entry.h that are for it end
// in, and the rest.
func extension(name string) (suffix, rest string) {
	if rest, ok := strings.CutPrefix(name, "x_"); ok {
		return "_X", rest
	}
	return "", name
}

// fortranCall is the text of one such function.
type fortranCall struct {
	params, hidden    []string // its parameters, lengths of strings at the end
	locals, pre, post []string
	args              []string          // of the C function
	sendbuf           string            // the address of the send buffer
	blocks            bool              // the numbers of blocks are known
	described         map[string]string // arguments that a section's place has instead of the program's
}

// entry writes the function of a symbol without prefix; f08 says that buffers are descriptors.
func (r routine) entry(b *strings.Builder, symbol string, f08 bool) {
	c := &fortranCall{described: map[string]string{}}
	ps := r.params()
	for i, p := range r.f.Params {
		if p.LargeOnly && !r.large || p.Kind == "varargs" {
			continue
		}
		if !contains(ps, p.Name) { // argc and argv
			c.args = append(c.args, "0")
			continue
		}
		r.pass(c, i, p, f08)
	}
	c.params = append(c.params, "int *ierror")
	strong := strings.ToLower(api.Symbol("PMPI_", strings.ToUpper(symbol)))
	fmt.Fprintf(b, "\nvoid %s(%s)\n{\n", strong, strings.Join(append(c.params, c.hidden...), ", "))
	for _, l := range c.locals {
		fmt.Fprintf(b, "\t%s\n", l)
	}
	b.WriteString("\tint rc = MPI_SUCCESS;\n\n")
	for _, l := range c.pre {
		fmt.Fprintf(b, "\t%s\n", l)
	}
	call := fmt.Sprintf("rc = %s(%s);", api.Symbol("MPI_", r.name()), strings.Join(c.args, ", "))
	if len(c.pre) > 0 {
		call = "if (rc == MPI_SUCCESS)\n\t\t" + call
	}
	if refusal := r.refusal(); refusal != "" && f08 && len(c.pre) > 0 {
		call += "\n\telse\n\t\trc = " + refusal + ";"
	}
	fmt.Fprintf(b, "\t%s\n", call)
	for _, l := range c.post {
		fmt.Fprintf(b, "\t%s\n", l)
	}
	x, plain := extension(symbol)
	fmt.Fprintf(b, "\tLEAVE(ierror, rc);\n}\nWEAK%s(%s)\n", x, plain)
}

func contains(ps []api.Param, name string) bool {
	for _, p := range ps {
		if p.Name == name {
			return true
		}
	}
	return false
}

// cast turns the integer of a handle into a handle.
func (r routine) cast(p api.Param, value string) string {
	return fmt.Sprintf("(%s)(intptr_t)%s", r.ctype(p), value)
}

// local, before, after, arg and param add a line or an argument.
func (c *fortranCall) local(format string, a ...any) {
	c.locals = append(c.locals, fmt.Sprintf(format, a...))
}
func (c *fortranCall) before(format string, a ...any) {
	c.pre = append(c.pre, fmt.Sprintf(format, a...))
}
func (c *fortranCall) after(format string, a ...any) {
	c.post = append(c.post, fmt.Sprintf(format, a...))
}
func (c *fortranCall) arg(format string, a ...any) {
	c.args = append(c.args, fmt.Sprintf(format, a...))
}
func (c *fortranCall) param(format string, a ...any) {
	c.params = append(c.params, fmt.Sprintf(format, a...))
}

// pass adds one parameter.
func (r routine) pass(c *fortranCall, i int, p api.Param, f08 bool) {
	passed := len(c.args)
	switch {
	case isChoice(p) && f08:
		r.passSection(c, i, p)
	case isChoice(p), p.Kind == "ptr", p.Kind == "fn":
		r.passAddress(c, p)
	case p.Kind == "str":
		r.passText(c, p, f08)
	case api.Handles[p.Kind] && p.Array:
		r.passHandles(c, p)
	case api.Handles[p.Kind]:
		r.passHandle(c, p)
	default:
		r.passValue(c, p)
	}
	if instead := c.described[p.Name]; instead != "" {
		c.args = append(c.args[:passed], instead)
	}
}

// passSection adds a buffer that is a section of an array (MPI 5.0, 19.1.12).
func (r routine) passSection(c *fortranCall, i int, p api.Param) {
	n := p.Name
	c.param("struct gompi_section *%s", n)
	c.local("struct place %s_at = NOWHERE;", n)
	how := r.passing(i)
	switch how {
	case "whole":
		c.before("%s_at.buf = %s(%s->base);", n, r.translation(), n)
	case "typed":
		count, dtype := r.describing(i)
		switch described := fmt.Sprintf("%s, *%s, (MPI_Datatype)(intptr_t)*%s", n, count, dtype); {
		case r.pending():
			c.before("PLACE(place_typed(&%s_at, %s));", n, described)
		case r.f.Chapter == "p2p":
			c.before("PLACE(place_sent(&%s_at, %s, %d));", n, described, int(p.Dir))
		default:
			c.before("PLACE(place_called(&%s_at, %s, %d));", n, described, int(p.Dir))
		}
		c.described[count] = fmt.Sprintf("(%s)%s_at.count", r.ctype(r.f.Params[i+1]), n)
		c.described[dtype] = n + "_at.type"
	case "copied":
		c.before("PLACE(place_copied(&%s_at, %s, %d));", n, n, int(p.Dir))
	case "followed":
		c.before("PLACE(place_followed(&%s_at, %s, %d));", n, n, int(p.Dir))
		c.after("place_follow(&%s_at, c_request, rc);", n)
	case "partitioned":
		c.before("PLACE(place_partitioned(&%s_at, %s, *partitions, *count, "+
			"(MPI_Datatype)(intptr_t)*datatype));", n, n)
		c.after("rc = place_lay_out(&%s_at, c_request, rc);", n)
	}
	if how != "whole" && how != "followed" {
		c.after("place_leave(&%s_at);", n)
	}
	c.arg("%s_at.buf", n)
	if n == "sendbuf" {
		c.sendbuf = n + "_at.buf"
	}
}

// passAddress adds a buffer by its address, a pointer or a procedure.
func (r routine) passAddress(c *fortranCall, p api.Param) {
	n := p.Name
	switch {
	case isChoice(p):
		c.param("void *%s", n)
		if n == "sendbuf" {
			c.sendbuf = "buffer_address(sendbuf)"
		}
		c.arg("%s(%s)", r.translation(), n)
	case p.Kind == "ptr" && n == "buffer_addr":
		c.param("void *%s", n) // of any type in mpif.h and the module mpi
		c.local("void *c_%s = NULL;", n)
		c.arg("&c_%s", n)
		c.after("if (rc == MPI_SUCCESS)\n\t\tdetached_to(%s, c_%s);", n, n)
	case p.Kind == "ptr":
		c.param("void **%s", n)
		c.arg("%s", n)
	default:
		fn := "MPI_" + p.Func
		if r.large && p.FuncLarge {
			fn += "_c"
		}
		c.param("%s *%s", fn, n)
		c.arg("%s", n)
	}
}

// passText adds a string, whose length Fortran passes behind all parameters.
func (r routine) passText(c *fortranCall, p api.Param, f08 bool) {
	n := p.Name
	if p.Dir != api.In {
		room := "MPI_" + p.Len
		if p.Len == "*" {
			room = "MPI_MAX_DATAREP_STRING"
		}
		c.param("char *%s", n)
		c.hidden = append(c.hidden, "size_t "+n+"_length")
		c.local("char c_%s[%s] = \"\";", n, room)
		c.arg("c_%s", n)
		c.after("if (rc == MPI_SUCCESS)\n\t\ttext_out(c_%s, %s, %s_length);", n, n, n)
		return
	}
	trim := "text_in"
	if n == "key" || n == "value" {
		trim = "trimmed_text_in" // leading blanks go too (MPI 5.0, chapter 10)
	}
	if f08 && r.hasChoice() { // both are descriptors
		c.param("struct gompi_section *%s", n)
		c.arg("%s(%s->base, %s->elem_len, __builtin_alloca(%s->elem_len + 1))", trim, n, n, n)
		return
	}
	c.param("const char *%s", n)
	c.hidden = append(c.hidden, "size_t "+n+"_length")
	c.arg("%s(%s, %s_length, __builtin_alloca(%s_length + 1))", trim, n, n, n)
}

// passHandle adds a handle, an integer in Fortran.
func (r routine) passHandle(c *fortranCall, p api.Param) {
	n := p.Name
	c.param("int *%s", n)
	if p.Dir == api.In {
		c.arg("%s", r.cast(p, "*"+n))
		return
	}
	c.local("%s c_%s = %s;", r.ctype(p), n, r.cast(p, "*"+n))
	c.arg("&c_%s", n)
	if !p.Kept {
		c.after("*%s = (int)(intptr_t)c_%s;", n, n)
	}
}

// passValue adds a number, a status, or an array of these.
func (r routine) passValue(c *fortranCall, p api.Param) {
	n, t := p.Name, r.ctype(p)
	switch {
	case p.Kind == "status":
		c.param("MPI_Status *%s", n)
		if p.Dir == api.In {
			c.arg("%s", n)
		} else {
			c.arg("status_address(%s)", n)
		}
	case p.Kind == "range":
		c.param("int (*%s)[3]", n)
		c.arg("%s", n)
	case p.Kind == "weights":
		c.param("int *%s", n)
		c.arg("weights_address(%s)", n)
	case p.Kind == "index" && !p.Array:
		c.param("int *%s", n)
		c.arg("%s", n)
		c.after("if (rc == MPI_SUCCESS && *%s != MPI_UNDEFINED%s)\n\t\t++*%s;", n, r.ifFlag(), n)
	case p.Kind == "index":
		c.param("int *%s", n)
		c.arg("%s", n)
		c.after("if ((rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS) && *outcount != MPI_UNDEFINED)\n"+
			"\t\tfor (int i = 0; i < *outcount; i++)\n\t\t\t%s[i]++;", n)
	case p.Array || p.Dir != api.In:
		c.param("%s *%s", t, n)
		c.arg("%s", n)
	default:
		c.param("%s *%s", t, n)
		c.arg("*%s", n)
	}
}

// translation is the function that turns the address of a buffer into what C takes.
func (r routine) translation() string {
	if r.f.Keeps && r.f.Native {
		return "location_address"
	}
	return "buffer_address"
}

// ifFlag says that an index counts only when the operation has found something.
func (r routine) ifFlag() string {
	if r.has("flag") {
		return " && *flag"
	}
	return ""
}

// passHandles adds an array of handles, which have 4 bytes in Fortran.
func (r routine) passHandles(c *fortranCall, p api.Param) {
	n, t := p.Name, r.ctype(p)
	c.params = append(c.params, "int *"+n)
	length := "*" + p.Len
	if p.Len == "*" { // one for each neighbor, of the operation's group or topology
		side := map[bool]string{true: "sends", false: "receives"}[strings.HasPrefix(n, "send")]
		if !c.blocks {
			c.blocks = true
			neighbors := 0
			if r.f.Chapter == "topo" {
				neighbors = 1
			}
			c.locals = append(c.locals, "struct blocks blocks;")
			c.pre = append(c.pre, fmt.Sprintf("blocks = blocks_of((MPI_Comm)(intptr_t)*comm, %d);", neighbors))
		}
		length = "blocks." + side
		if side == "sends" && r.f.Chapter != "topo" {
			c.pre = append(c.pre, fmt.Sprintf("if (%s == MPI_IN_PLACE)\n\t\tblocks.sends = 0; /* the types are ignored */", c.sendbuf))
		}
	}
	c.locals = append(c.locals, fmt.Sprintf("%s room_%s[FEW], *c_%s;", t, n, n))
	in := 1
	if p.Dir == api.Out {
		in = 0
	}
	c.pre = append(c.pre, fmt.Sprintf("PLACE(handles_in((void **)room_%s, (void ***)&c_%s, %s, %s, %d));", n, n, n, length, in))
	out := 1
	if p.Dir == api.In {
		out = 0
	}
	c.post = append(c.post, fmt.Sprintf("handles_out((void **)room_%s, (void **)c_%s, %s, %s, %d);", n, n, n, length, out))
	c.args = append(c.args, "c_"+n)
}

// refusal is the call by which the error handler of the routine's object hears of a buffer that cannot be
// passed, "" where there is no such object.
func (r routine) refusal() string {
	for _, p := range r.params() {
		if p.Dir != api.In || p.Array {
			continue
		}
		switch p.Kind {
		case "comm", "win", "file":
			return fmt.Sprintf("refuse_%s(%s, rc)", p.Kind, r.cast(p, "*"+p.Name))
		}
	}
	return ""
}

// describing are the names of the count and the datatype of the buffer at i.
func (r routine) describing(i int) (count, dtype string) {
	ps := r.f.Params
	for i < len(ps) && isChoice(ps[i]) {
		i++
	}
	if i+1 < len(ps) && !ps[i].Array && (ps[i].Kind == "count" || ps[i].Kind == "num") && ps[i+1].Kind == "type" &&
		!ps[i+1].Array {
		return ps[i].Name, ps[i+1].Name
	}
	return "", ""
}

// passing is how a section of an array is passed as the buffer at i: "typed", as a datatype that
// describes it; "copied", as a copy during the call; "followed", as a copy until the operation has ended;
// "partitioned", as a layout; "whole", by its address, whatever lies behind.
func (r routine) passing(i int) string {
	p := r.f.Params[i]
	name := r.f.Name
	count, _ := r.describing(i)
	several := strings.Contains(name, "lltoall") ||
		strings.Contains(name, "ather") && p.Name == "recvbuf" ||
		strings.Contains(name, "catter") && p.Name == "sendbuf"
	switch {
	case p.Kind == "ptr", strings.HasSuffix(name, "_end"), r.f.Keeps,
		r.f.Chapter == "rma" && count == "":
		return "whole"
	case count != "" && !several && (!r.has("op") || r.f.Chapter == "rma"):
		return "typed"
	case r.pending() && (r.f.Chapter == "coll" || r.f.Chapter == "topo"):
		return "followed"
	case r.f.Chapter == "partitioned":
		return "partitioned"
	}
	return "copied"
}
