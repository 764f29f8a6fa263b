package main

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gompi/api"
)

//go:embed calls.txt
var callRecipes string

// defaults are the arguments by kind that are legal in most calls, as C expressions in the terms of
// tests/c/abi/calls_world.h. A kind that is missing needs an expression in calls.txt.
var defaults = map[string]string{
	"count": "4", "num": "4", "bytes": "16", "displ": "1", "adispl": "16", "aint": "0", "offset": "0", "mcount": "4",
	"int": "0", "len": "4", "flag": "1", "errcode": "MPI_ERR_ARG", "rank": "right", "dest": "right", "source": "left",
	"root": "0", "target": "right", "tag": "TAG", "anytag": "TAG", "comm": "the_comm", "group": "the_group",
	"type": "MPI_INT", "op": "MPI_SUM", "errh": "MPI_ERRORS_RETURN", "info": "MPI_INFO_NULL", "win": "the_win",
	"file": "the_file", "anyfile": "the_file", "session": "the_session", "status": "&done", "buf": "out", "cbuf": "out",
	"mem": "out", "ptr": "NULL",
}

// defaultArrays are the same for arrays that are read.
var defaultArrays = map[string]string{"count": "counts$c", "displ": "displs$c", "aint": "byte_displs_aint", "type": "types"}

// frees are the C statements that give back what a call has made, by kind; %s is the variable.
var frees = map[string]string{
	"comm": "free_comm(&%s);", "type": "free_type(&%s);", "group": "free_group(&%s);", "info": "free_info(&%s);",
	"op": "DO(MPI_Op_free(&%s));", "errh": "DO(MPI_Errhandler_free(&%s));", "win": "DO(MPI_Win_free(&%s));",
	"file": "DO(MPI_File_close(&%s));", "session": "DO(MPI_Session_finalize(&%s));",
}

// recipe is one line of calls.txt.
type recipe struct {
	patterns []string
	args     map[string]string
	parts    map[string][]string // by name
	fresh    map[string]bool     // parts that forget what former lines say
	used     map[string]bool
}

// recipeParts are the parts of a recipe that are no arguments.
var recipeParts = []string{"pre", "post", "var", "check"}

func parseRecipes(text string) []recipe {
	var rs []recipe
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, " | ")
		r := recipe{strings.Fields(fields[0]), map[string]string{}, map[string][]string{}, map[string]bool{},
			map[string]bool{}}
		for _, field := range fields[1:] {
			r.add(field)
		}
		rs = append(rs, r)
	}
	return rs
}

// add adds what one field says.
func (r recipe) add(field string) {
	for _, part := range recipeParts {
		if text, ok := strings.CutPrefix(field, part+":"); ok {
			r.parts[part] = append(r.parts[part], strings.TrimSpace(text))
			return
		}
		if field == part+"=" {
			r.fresh[part] = true
			return
		}
	}
	name, value, _ := strings.Cut(field, "=")
	r.args[name] = value
}

// matches reports whether the recipe is for the function, and notes which of its parts are of use.
func (r recipe) matches(f api.Function) bool {
	for _, pattern := range r.patterns {
		if ok, err := path.Match(pattern, f.Name); err == nil && ok {
			r.used[pattern] = true
			for _, p := range f.Params {
				r.used[p.Name] = true
			}
			return true
		}
	}
	return false
}

// combined is what the recipes for a function say together: its arguments by name, and the other parts.
func combined(recipes []recipe, f api.Function) (args map[string]string, parts map[string][]string) {
	args, parts = map[string]string{}, map[string][]string{}
	for _, r := range recipes {
		if !r.matches(f) {
			continue
		}
		for _, part := range recipeParts {
			if r.fresh[part] {
				parts[part] = nil
			}
			parts[part] = append(parts[part], r.parts[part]...)
		}
		maps.Copy(args, r.args)
	}
	return args, parts
}

// unused is an error for what no function needs of the recipes in a file.
func unused(file string, recipes []recipe) error {
	for _, r := range recipes {
		for _, pattern := range r.patterns {
			if !r.used[pattern] {
				return fmt.Errorf("%s: nothing that is not called by hand matches %s", file, pattern)
			}
		}
		for name := range r.args {
			if !r.used[name] {
				return fmt.Errorf("%s: no function of %v has a parameter %s", file, r.patterns, name)
			}
		}
	}
	return nil
}

var calledByHand = regexp.MustCompile(`\b(?:CALL|VALUE)\(\s*MPI_(\w+)\(`)

// byHand are the functions that the sources of a pattern call, as the expression finds them.
func byHand(root, pattern string, call *regexp.Regexp) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range call.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
	}
	return names, nil
}

// calls writes tests/c/abi/zz_calls.h, a C function for each function of the interface that calls it once
// with legal arguments, and zz_call_names.h, the names of all. It is an error when neither calls.txt nor a
// program by hand says how one is called.
func (g *generator) calls(root string) error {
	hand, err := byHand(root, "tests/c/abi/calls*.[ch]", calledByHand)
	if err != nil {
		return err
	}
	var body, table, names strings.Builder
	recipes := parseRecipes(callRecipes)
	for _, f := range g.Functions {
		for i, name := range f.CNames() {
			fmt.Fprintf(&names, "\t%q,\n", api.Symbol("MPI_", name))
			if hand[name] {
				delete(hand, name)
				continue
			}
			text, err := g.call(f, name, i == 1, recipes)
			if err != nil {
				return err
			}
			body.WriteString(text)
			fmt.Fprintf(&table, "\tcall_%s,\n", name)
		}
	}
	for name := range hand {
		return fmt.Errorf("tests/c/abi calls MPI_%s, which api/ does not know", name)
	}
	if err := unused("calls.txt", recipes); err != nil {
		return err
	}
	g.files["tests/c/abi/zz_calls.h"] = "/* A call of every function.\n * Generated by internal/apigen from api/ and calls.txt. Do not edit. */\n" + body.String() +
		"\nstatic void (*const generated_calls[])(void) = {\n" + table.String() + "};\n"
	g.files["tests/c/abi/zz_call_names.h"] = "/* The names of all functions.\n * Generated by internal/apigen from api/. Do not edit. */\n" +
		"static const char *const call_names[] = {\n" + names.String() + "};\n"
	return nil
}

// takesMatched reports whether a function receives a message that was matched before (MPI 5.0, 3.8.2).
func takesMatched(f api.Function) bool {
	return slices.ContainsFunc(f.Params, func(p api.Param) bool {
		return p.Kind == "message" && p.Dir == api.InOut
	})
}

// call is the C function that calls one function.
func (g *generator) call(f api.Function, name string, large bool, recipes []recipe) (string, error) {
	var vars, passed, frozen []string
	args, parts := combined(recipes, f)
	pre, post := parts["pre"], parts["post"]
	if strings.HasSuffix(f.Name, "_f2c") || strings.HasSuffix(f.Name, "_fromint") {
		if err := g.inverse(f, args); err != nil {
			return "", err
		}
	}
	to, from, finish := false, false, []string(nil)
	for _, p := range f.Params {
		if p.LargeOnly && !large || p.Kind == "varargs" {
			continue
		}
		to, from = to || p.Kind == "dest", from || p.Kind == "source"
		expr, variable, err := argument(p, large, args)
		if err != nil {
			return "", fmt.Errorf("%s: %v: say it in internal/apigen/calls.txt or call it in tests/c/abi/calls_*.h", api.Symbol("MPI_", name), err)
		}
		passed = append(passed, expr)
		if variable == "" {
			continue
		}
		vars = append(vars, variable)
		switch free := frees[p.Kind]; {
		case p.Dir != api.Out || p.Array:
		case p.Kind == "request" && f.Persistent:
			finish = append(finish, "run_persistent(&"+p.Name+");")
		case p.Kind == "request":
			finish = append(finish, "DO(MPI_Wait(&"+p.Name+", &done));")
		case free != "":
			frozen = append(frozen, fmt.Sprintf(free, p.Name))
		}
	}
	if to && !from {
		pre = append([]string{"MPI_Request other; receive_left(&other);"}, pre...)
		post = append(post, "DO(MPI_Wait(&other, &done));")
	}
	if from && !to || takesMatched(f) {
		pre = append([]string{"MPI_Request other; send_right(&other);"}, pre...)
		post = append(post, "DO(MPI_Wait(&other, &done));")
	}
	how := "CALL"
	if f.Returns != "int" || strings.HasSuffix(f.Name, "_toint") {
		how = "VALUE"
	}
	lines := append(vars, pre...)
	lines = append(lines, fmt.Sprintf("%s(%s(%s));", how, api.Symbol("MPI_", name), strings.Join(passed, ", ")))
	lines = append(append(append(lines, finish...), post...), frozen...)
	text := fmt.Sprintf("\nstatic void call_%s(void)\n{\n\t%s\n}\n", name, strings.Join(lines, "\n\t"))
	return expand(text, f.Name, large), nil
}

// inverse says that a function from integers to handles gets what its counterpart makes of the default
// handle.
func (g *generator) inverse(f api.Function, args map[string]string) error {
	other := strings.NewReplacer("_f2c", "_c2f", "_fromint", "_toint").Replace(f.Name)
	o, ok := g.Function(other)
	if !ok || len(f.Params) != 1 {
		return nil
	}
	handle := defaults[o.Params[0].Kind]
	if handle == "" {
		handle = "MPI_" + strings.ToUpper(strings.TrimSuffix(strings.TrimSuffix(f.Name, "_f2c"), "_fromint")) + "_NULL"
	}
	args[f.Params[0].Name] = fmt.Sprintf("MPI_%s(%s)", other, handle)
	return nil
}

// argument is what is passed for p, and the declaration of the variable that this needs.
func argument(p api.Param, large bool, args map[string]string) (expr, variable string, err error) {
	given, ok := args[p.Name]
	ctype := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.ReplaceAll(p.CDecl(large), "[]",
		"")), p.Name))
	ctype = strings.TrimSpace(strings.TrimSuffix(ctype, "*"))
	switch {
	case p.Kind == "fn":
		if large && p.FuncLarge {
			return "fn_" + p.Func + "_c", "", nil
		}
		return "fn_" + p.Func, "", nil
	case p.Dir == api.In && ok:
		return given, "", nil
	case p.Dir == api.In && p.Array && defaultArrays[p.Kind] != "":
		return defaultArrays[p.Kind], "", nil
	case p.Dir == api.In && !p.Array && defaults[p.Kind] != "":
		return defaults[p.Kind], "", nil
	case p.Dir == api.In:
		return "", "", fmt.Errorf("nothing is known for %s of kind %s", p.Name, p.Kind)
	case p.Array && ok:
		return given, "", nil
	case p.Kind == "buf" || p.Kind == "cbuf" || p.Kind == "mem":
		return "in", "", nil
	case p.Kind == "str":
		return "text", "", nil
	case p.Kind == "ptr":
		return "&" + p.Name, "void *" + p.Name + " = NULL;", nil
	case p.Array:
		return p.Name, ctype + " " + p.Name + "[64];", nil
	case p.Kind == "status":
		return "&" + p.Name, "MPI_Status " + p.Name + " = done;", nil
	case ok:
		return "&" + p.Name, ctype + " " + p.Name + " = " + given + ";", nil
	}
	return "&" + p.Name, ctype + " " + p.Name + " = 0;", nil
}

var placeholder = regexp.MustCompile(`\$([a-z]+)`)

// expand puts in what differs between the twins.
func expand(text, name string, large bool) string {
	return placeholder.ReplaceAllStringFunc(text, func(word string) string {
		word = word[1:]
		k, known := api.Kinds[word]
		switch {
		case word == "c" && large:
			return "_c"
		case word == "c":
			return ""
		case word == "stem":
			return strings.TrimSuffix(strings.TrimSuffix(name, "_begin"), "_end")
		case known && large && k.Large != "int":
			return "MPI_" + k.Large
		case known && k.Small == "int":
			return "int"
		case known:
			return "MPI_" + k.Small
		}
		return "$" + word
	})
}
