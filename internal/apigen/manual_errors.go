package main

import (
	"regexp"
	"slices"
	"strings"

	"gompi/api"
	"gompi/internal/manual"
	"gompi/internal/raises"
)

// readErrors reads which errors the sources make.
func (w *manualWriter) readErrors(root string) error {
	classes := map[string]string{}
	for _, c := range w.Constants {
		if c.Type == "class" {
			classes[goClass(c.Name)] = c.CName()
		}
	}
	var err error
	if w.errors, err = raises.Read(root, classes); err != nil {
		return err
	}
	w.common = map[raises.Error]bool{}
	probed := w.errors.Operation("Probe")
	for _, e := range w.errors.Operation("Send") {
		if slices.Contains(probed, e) {
			w.common[e] = true
		}
	}
	return nil
}

// argumentCheck matches a check of an argument in an export: the method, and the names of the parameters.
var argumentCheck = regexp.MustCompile(`\ba\.(\w+)\((?:\w+, )?"([^"]+)"`)

// finding is one error as a page tells it: the class, and what was wrong.
type finding struct{ class, text string }

// failures adds which errors a function raises, and who hears of them.
func (w *manualWriter) failures(p *manual.Page, f api.Function) {
	if f.Returns != "int" {
		p.Add("Return value", manual.Text("The result. There are no errors."))
		return
	}
	if f.Native && f.Chapter != "env" {
		p.Add("Return value", manual.Text(nativeResult(f)))
		return
	}
	p.Add("Return value", manual.Text("MPI_SUCCESS, or an error code where the error handler lets the call return.", w.handler(f)))
	found := w.arguments(f)
	for _, e := range w.operation(f) {
		found = append(found, finding{e.Class, readable(e.Text)})
	}
	var items []manual.Item
	for _, c := range w.Constants {
		if texts := textsOf(c, found); texts != nil {
			items = append(items, manual.Item{Term: c.CName(), Text: strings.Join(texts, "\n")})
		}
	}
	if items != nil {
		p.Add("Errors", manual.Block{Items: items})
	}
}

// textsOf is what was found of a class, one text for each cause; that of the class where nothing more is
// known.
func textsOf(c api.Constant, found []finding) []string {
	var texts []string
	raised := false
	for _, x := range found {
		if c.Type == "class" && x.class == c.CName() {
			raised = true
			if x.text != "" && !slices.Contains(texts, x.text) {
				texts = append(texts, x.text)
			}
		}
	}
	if raised && texts == nil {
		texts = []string{c.Text}
	}
	return texts
}

// nativeResult tells of a function that is written in C and looks at no argument.
func nativeResult(f api.Function) string {
	if strings.HasSuffix(f.Name, "_toint") {
		return "The integer. There are no errors."
	}
	return "MPI_SUCCESS. A bad address is a fault of the program."
}

// handler says whose error handler hears of an error.
func (w *manualWriter) handler(f api.Function) string {
	if f.Chapter == "tool" {
		return "No error handler is called."
	}
	for _, p := range f.Params {
		if p.Dir == api.Out || p.Array || p.Root {
			continue
		}
		switch p.Kind {
		case "comm":
			return "That is the error handler of " + p.Name + "."
		case "win":
			return "That is the error handler of the window."
		case "file":
			return "That is the error handler of the file."
		case "session":
			return "That is the error handler of the session."
		}
	}
	for _, p := range f.Params {
		if p.Kind == "request" || p.Kind == "message" {
			return "That is the error handler of the communicator, window or file of the operation."
		}
	}
	return "That is the error handler of MPI_COMM_SELF."
}

// arguments are the errors that the checks of the arguments raise.
func (w *manualWriter) arguments(f api.Function) []finding {
	g := f
	if f.Like != "" {
		g, _ = w.Function(f.Like)
	}
	e := export{f: g, c: argSets{}}
	e.text()
	names := map[finding][]string{} // the parameters with the same error
	var order []finding
	for _, statement := range append(e.c.objects, e.c.checks...) {
		for _, m := range argumentCheck.FindAllStringSubmatch(statement, -1) {
			for _, x := range w.errors.Check(m[1]) {
				text, ok := strings.CutPrefix(x.Text, "%s")
				switch {
				case x.Class == "MPI_ERR_INTERN" || !ok && text != "":
					continue
				case text == "" || readable(text) == "":
					text = ": " + w.classText(x.Class)
				}
				key := finding{x.Class, text}
				if names[key] == nil {
					order = append(order, key)
				}
				if name := parameterOf(x.Class, m[2]); !slices.Contains(names[key], name) {
					names[key] = append(names[key], name)
				}
			}
		}
	}
	var all []finding
	for _, key := range order {
		all = append(all, finding{key.class, readable(strings.Join(names[key], " or ") + key.text)})
	}
	return all
}

// classText is the text of an error class by its name in mpi.h.
func (w *manualWriter) classText(class string) string {
	for _, c := range w.Constants {
		if c.Type == "class" && c.CName() == class {
			return c.Text
		}
	}
	return ""
}

// parameterOf is the parameter that an error of a class concerns, of those of a buffer, its count and its
// datatype.
func parameterOf(class, names string) string {
	all := strings.Fields(names)
	at := map[string]int{"MPI_ERR_COUNT": 1, "MPI_ERR_TYPE": len(all) - 1}[class]
	if at >= len(all) {
		return all[0]
	}
	return all[at]
}

// ofParameter matches an error's text that begins with a parameter's name.
var ofParameter = regexp.MustCompile(`^([a-z]+(?:_[a-z]+)*)(\[%d\])? is `)

// operation are the errors that the operation itself raises.
func (w *manualWriter) operation(f api.Function) []raises.Error {
	name := f.Name
	if f.Like != "" {
		name = f.Like
	}
	if f.Native {
		return nil
	}
	own, all := map[string]bool{}, map[string]bool{}
	for _, g := range w.Functions {
		for _, p := range g.Params {
			all[p.Name] = true
			own[p.Name] = own[p.Name] || g.Name == f.Name
		}
	}
	var found []raises.Error
	raised := w.errors.Operation(operation(name))
	if completes(f) {
		for _, e := range w.errors.Operation("Recv") {
			if strings.HasPrefix(e.Text, "the message ") {
				found = append(found, e)
			}
		}
	}
	for _, e := range raised {
		m := ofParameter.FindStringSubmatch(e.Text)
		switch {
		case e.Class == "MPI_ERR_INTERN", strings.HasPrefix(e.Text, "%v: the program has closed descriptors"):
		case strings.HasPrefix(e.Text, "the message ") && !receives(f), w.common[e] && !failure[e.Class]:
		case concerns[e.Class] != nil && !hasKind(f, concerns[e.Class]...):
		case m != nil && all[m[1]] && !own[m[1]]: // of another function, which is called with other values
		default:
			found = append(found, e)
		}
	}
	return found
}

// failure are the classes of failed processes, of which all that communicates tells.
var failure = map[string]bool{"MPI_ERR_PROC_ABORTED": true, "MPIX_ERR_PROC_FAILED": true, "MPIX_ERR_REVOKED": true}

// concerns are the kinds of parameters that errors of a class concern. Where a function has none of them it
// is of an operation that the library carries out for itself.
var concerns = map[string][]string{
	"MPI_ERR_BUFFER":   {"buf", "cbuf", "ptr", "mem"},
	"MPI_ERR_COUNT":    {"count", "num", "bytes", "len", "mcount"},
	"MPI_ERR_TYPE":     {"type"},
	"MPI_ERR_TAG":      {"tag", "anytag"},
	"MPI_ERR_ROOT":     {"root"},
	"MPI_ERR_OP":       {"op"},
	"MPI_ERR_REQUEST":  {"request"},
	"MPI_ERR_KEYVAL":   {"keyval"},
	"MPI_ERR_TRUNCATE": {"buf", "cbuf"},
}

// hasKind reports whether a function has a parameter of one of some kinds.
func hasKind(f api.Function, kinds ...string) bool {
	return slices.ContainsFunc(f.Params, func(p api.Param) bool { return slices.Contains(kinds, p.Kind) })
}

// completes reports whether a function ends operations of point-to-point communication.
func completes(f api.Function) bool {
	return f.Chapter == "p2p" && hasKind(f, "status") && slices.ContainsFunc(f.Params, func(p api.Param) bool {
		return p.Kind == "request" && p.Dir == api.InOut
	})
}

// receives reports whether a function receives messages by itself.
func receives(f api.Function) bool {
	return f.Chapter == "p2p" && slices.ContainsFunc(f.Params, func(p api.Param) bool {
		return p.Kind == "buf" && p.Dir != api.In
	})
}

// verb matches a verb of package fmt.
var verb = regexp.MustCompile(`%[-+# 0]*(?:\[\d+\])?\d*[a-zA-Z]`)

// readable is the format of an error's text with dots for what is filled in; "" if nothing else is left.
func readable(format string) string {
	text := strings.ReplaceAll(verb.ReplaceAllString(format, "..."), "......", "...")
	if words := strings.Trim(text, ". ,:;"); !strings.Contains(words, " ") || words == "more than" {
		return "" // nothing, or the name of a parameter
	}
	return strings.ReplaceAll(text, "%%", "%")
}
