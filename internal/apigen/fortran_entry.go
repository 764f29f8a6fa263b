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

// pass adds one parameter.
func (r routine) pass(c *fortranCall, i int, p api.Param, f08 bool) {
	n, t := p.Name, r.ctype(p)
	local := func(format string, a ...any) { c.locals = append(c.locals, fmt.Sprintf(format, a...)) }
	pre := func(format string, a ...any) { c.pre = append(c.pre, fmt.Sprintf(format, a...)) }
	post := func(format string, a ...any) { c.post = append(c.post, fmt.Sprintf(format, a...)) }
	arg := func(format string, a ...any) { c.args = append(c.args, fmt.Sprintf(format, a...)) }
	param := func(format string, a ...any) { c.params = append(c.params, fmt.Sprintf(format, a...)) }
	if instead := c.described[n]; instead != "" {
		arg = func(string, ...any) { c.args = append(c.args, instead) }
	}
	switch {
	case isChoice(p) && f08:
		param("struct gompi_section *%s", n)
		local("struct place %s_at = NOWHERE;", n)
		how := r.passing(i)
		switch {
		case how == "whole":
			pre("%s_at.buf = %s(%s->base);", n, r.translation(), n)
		case how == "typed":
			count, dtype := r.describing(i)
			switch {
			case r.pending():
				pre("PLACE(place_typed(&%s_at, %s, *%s, (MPI_Datatype)(intptr_t)*%s));", n, n, count, dtype)
			case r.f.Chapter == "p2p":
				pre("PLACE(place_sent(&%s_at, %s, *%s, (MPI_Datatype)(intptr_t)*%s, %d));", n, n, count, dtype, int(p.Dir))
			default:
				pre("PLACE(place_called(&%s_at, %s, *%s, (MPI_Datatype)(intptr_t)*%s, %d));", n, n, count, dtype, int(p.Dir))
			}
			c.described[count] = fmt.Sprintf("(%s)%s_at.count", r.ctype(r.f.Params[i+1]), n)
			c.described[dtype] = n + "_at.type"
		case how == "copied":
			pre("PLACE(place_copied(&%s_at, %s, %d));", n, n, int(p.Dir))
		case how == "followed":
			pre("PLACE(place_followed(&%s_at, %s, %d));", n, n, int(p.Dir))
			post("place_follow(&%s_at, c_request, rc);", n)
		case how == "partitioned":
			pre("PLACE(place_partitioned(&%s_at, %s, *partitions, *count, (MPI_Datatype)(intptr_t)*datatype));", n, n)
			post("rc = place_lay_out(&%s_at, c_request, rc);", n)
		}
		if how != "whole" && how != "followed" {
			post("place_leave(&%s_at);", n)
		}
		arg("%s_at.buf", n)
		if n == "sendbuf" {
			c.sendbuf = n + "_at.buf"
		}
	case isChoice(p):
		param("void *%s", n)
		if n == "sendbuf" {
			c.sendbuf = "buffer_address(sendbuf)"
		}
		arg("%s(%s)", r.translation(), n)
	case p.Kind == "ptr" && p.Name == "buffer_addr":
		param("void *%s", n) // of any type in mpif.h and the module mpi
		local("void *c_%s = NULL;", n)
		arg("&c_%s", n)
		post("if (rc == MPI_SUCCESS)\n\t\tdetached_to(%s, c_%s);", n, n)
	case p.Kind == "ptr":
		param("void **%s", n)
		arg("%s", n)
	case p.Kind == "fn":
		fn := "MPI_" + p.Func
		if r.large && p.FuncLarge {
			fn += "_c"
		}
		param("%s *%s", fn, n)
		arg("%s", n)
	case p.Kind == "str" && p.Dir == api.In:
		param("const char *%s", n)
		c.hidden = append(c.hidden, "size_t "+n+"_length")
		trim := "text_in"
		if p.Name == "key" || p.Name == "value" {
			trim = "trimmed_text_in" // leading blanks go too (MPI 5.0, chapter 10)
		}
		if f08 && r.hasChoice() { // both are descriptors
			c.params[len(c.params)-1] = fmt.Sprintf("struct gompi_section *%s", n)
			c.hidden = c.hidden[:len(c.hidden)-1]
			arg("%s(%s->base, %s->elem_len, __builtin_alloca(%s->elem_len + 1))", trim, n, n, n)
			return
		}
		arg("%s(%s, %s_length, __builtin_alloca(%s_length + 1))", trim, n, n, n)
	case p.Kind == "str":
		room := "MPI_" + p.Len
		if p.Len == "*" {
			room = "MPI_MAX_DATAREP_STRING"
		}
		param("char *%s", n)
		c.hidden = append(c.hidden, "size_t "+n+"_length")
		local("char c_%s[%s] = \"\";", n, room)
		arg("c_%s", n)
		post("if (rc == MPI_SUCCESS)\n\t\ttext_out(c_%s, %s, %s_length);", n, n, n)
	case p.Kind == "status":
		param("MPI_Status *%s", n)
		if p.Dir == api.In {
			arg("%s", n)
		} else {
			arg("status_address(%s)", n)
		}
	case api.Handles[p.Kind] && p.Array:
		r.passHandles(c, p)
	case api.Handles[p.Kind] && p.Dir == api.In:
		param("int *%s", n)
		arg("%s", r.cast(p, "*"+n))
	case api.Handles[p.Kind]:
		param("int *%s", n)
		local("%s c_%s = %s;", t, n, r.cast(p, "*"+n))
		arg("&c_%s", n)
		if !p.Kept {
			post("*%s = (int)(intptr_t)c_%s;", n, n)
		}
	case p.Kind == "range":
		param("int (*%s)[3]", n)
		arg("%s", n)
	case p.Kind == "weights":
		param("int *%s", n)
		arg("weights_address(%s)", n)
	case p.Kind == "index" && !p.Array:
		param("int *%s", n)
		arg("%s", n)
		post("if (rc == MPI_SUCCESS && *%s != MPI_UNDEFINED%s)\n\t\t++*%s;", n, r.ifFlag(), n)
	case p.Kind == "index":
		param("int *%s", n)
		arg("%s", n)
		post("if ((rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS) && *outcount != MPI_UNDEFINED)\n\t\tfor (int i = 0; i < *outcount; i++)\n\t\t\t%s[i]++;", n)
	case p.Array || p.Dir != api.In:
		param("%s *%s", t, n)
		arg("%s", n)
	default:
		param("%s *%s", t, n)
		arg("*%s", n)
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
