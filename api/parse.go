package api

import (
	"bufio"
	"embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed *.txt
var texts embed.FS

// chapterFiles are the chapters in the order of the standard.
var chapterFiles = []string{"p2p", "partitioned", "datatype", "coll", "group", "comm", "attr", "topo", "env", "info",
	"process", "rma", "external", "io", "tool", "language", "fortran", "removed", "recovery"}

// Load parses the embedded text. An error names file and line.
func Load() (*Description, error) {
	d := &Description{}
	for _, name := range chapterFiles {
		if err := d.loadChapter(name); err != nil {
			return nil, err
		}
	}
	if err := d.loadConstants(); err != nil {
		return nil, err
	}
	if err := d.loadCallbacks(); err != nil {
		return nil, err
	}
	return d, d.check()
}

// lines calls f for each line of a file that is neither empty nor a comment.
func lines(file string, f func(line string) error) error {
	text, err := texts.Open(file)
	if err != nil {
		return err
	}
	defer text.Close()
	s := bufio.NewScanner(text)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := f(line); err != nil {
			return fmt.Errorf("api/%s:%d: %w", file, n, err)
		}
	}
	return s.Err()
}

func (d *Description) loadChapter(name string) error {
	c := Chapter{File: name}
	err := lines(name+".txt", func(line string) error {
		if title, ok := strings.CutPrefix(line, "chapter "); ok {
			c.Title = title
			return nil
		}
		if title, ok := strings.CutPrefix(line, "extra chapter "); ok {
			c.Title, c.Extra = title, true
			return nil
		}
		f, err := parseFunction(line)
		f.Chapter, f.Extra = name, c.Extra
		d.Functions = append(d.Functions, f)
		return err
	})
	d.Chapters = append(d.Chapters, c)
	return err
}

func parseFunction(line string) (Function, error) {
	words := strings.Fields(line)
	f := Function{Returns: "int"}
	f.Name, f.Large = strings.CutSuffix(words[0], "/c")
	plain := map[string]*bool{"any": &f.Any, "c": &f.COnly, "attrs": &f.Attrs, "keeps": &f.Keeps,
		"native": &f.Native, "asks": &f.Asks, "begun": &f.Begun, "wide": &f.Wide, "null": &f.Null,
		"persistent": &f.Persistent, "starts": &f.Starts, "frees": &f.Frees, "fortran": &f.FortranOwn,
		"integers": &f.Integers, "ends": &f.Ends}
	for _, w := range words[1:] {
		opt, isOpt := strings.CutPrefix(w, "!")
		key, value, _ := strings.Cut(opt, "=")
		switch {
		case isOpt && plain[key] != nil && value == "":
			*plain[key] = true
		case !isOpt:
			p, err := parseParam(w)
			if err != nil {
				return f, err
			}
			f.Params = append(f.Params, p)
		case key == "fast":
			f.Fast, f.FastLarge = true, value == "c"
		case key == "record":
			f.Record, f.RecordTwin, f.FastLarge = true, value == "c", value != ""
		case key == "engine":
			f.Engine, f.FastLarge = true, value == "c"
		case key == "trace":
			f.Trace = value
		case key == "returns":
			f.Returns = value
		case key == "deprecated":
			f.Deprecated = value
		case key == "like":
			f.Like, f.LikeLarge = strings.CutSuffix(value, "/c")
		default:
			return f, fmt.Errorf("%s: unknown option %q", f.Name, w)
		}
	}
	return f, nil
}

// name, direction, callback star, kind, /c of a callback, [length], attributes
var paramForm = regexp.MustCompile(`^(\w+|\.\.\.)(:|>|<>)(\*?)(\w+)(/c)?(\[[\w*]+\])?((?:@\w+)*)$`)

func parseParam(w string) (Param, error) {
	m := paramForm.FindStringSubmatch(w)
	if m == nil {
		return Param{}, fmt.Errorf("%q is no parameter: want name:kind, name>kind or name<>kind", w)
	}
	p := Param{Name: m[1], Kind: m[4], Dir: map[string]Direction{":": In, ">": Out, "<>": InOut}[m[2]]}
	if m[3] != "" {
		p.Kind, p.Func, p.FuncLarge = "fn", m[4], m[5] != ""
	} else if _, ok := Kinds[p.Kind]; !ok {
		return p, fmt.Errorf("%q: unknown kind %q", w, p.Kind)
	}
	if m[6] != "" {
		p.Array, p.Len = true, m[6][1:len(m[6])-1]
	}
	for _, a := range strings.Split(m[7], "@")[1:] {
		switch a {
		case "root":
			p.Root = true
		case "c":
			p.LargeOnly = true
		case "opt":
			p.Optional = true
		case "in":
			p.Kept = true
		default:
			return p, fmt.Errorf("%q: unknown attribute @%s", w, a)
		}
	}
	return p, nil
}

// section is the word that opens a section of constants.txt.
const section = "== "

func (d *Description) loadConstants() error {
	var c Constant
	return lines("constants.txt", func(line string) error {
		if title, ok := strings.CutPrefix(line, section); ok {
			c.Section, c.Extra = strings.CutPrefix(title, "extra ")
			return nil
		}
		w := strings.SplitN(line, " ", 4)
		if len(w) < 3 {
			return fmt.Errorf("%q is no constant: want type, name, value", line)
		}
		c.Type, c.Name, c.Value, c.Text = w[0], w[1], w[2], ""
		if len(w) == 4 {
			c.Text = w[3]
		}
		d.Constants = append(d.Constants, c)
		return nil
	})
}

var callbackForm = regexp.MustCompile(`^(void|int) (\w+)\((.*)\)$`)

func (d *Description) loadCallbacks() error {
	return lines("callbacks.txt", func(line string) error {
		line, extra := strings.CutPrefix(line, "extra ")
		if names, ok := strings.CutPrefix(line, "alias "); ok {
			name, of, _ := strings.Cut(names, " ")
			d.Callbacks = append(d.Callbacks, Callback{Name: name, Alias: of, Extra: extra})
			return nil
		}
		m := callbackForm.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("%q is no callback type", line)
		}
		d.Callbacks = append(d.Callbacks, Callback{Name: m[2], Returns: m[1], Params: m[3], Extra: extra})
		return nil
	})
}

// check finds what no single line shows: duplicates and names that lead nowhere.
func (d *Description) check() error {
	seen := map[string]bool{}
	for _, f := range d.Functions {
		for _, n := range f.CNames() {
			if seen[n] {
				return fmt.Errorf("api: %s is described twice", n)
			}
			seen[n] = true
		}
	}
	values := map[string]bool{}
	for _, c := range d.Constants {
		values[c.Name] = true
	}
	for _, f := range d.Functions {
		if f.Like != "" && !seen[f.Like] {
			return fmt.Errorf("api: %s is like %s, which is not described", f.Name, f.Like)
		}
		names := map[string]bool{}
		for _, p := range f.Params {
			names[p.Name] = true
		}
		for _, p := range f.Params {
			if p.Array && p.Len != "*" && !names[p.Len] && !values[p.Len] {
				return fmt.Errorf("api: %s: length %s of %s is neither a parameter nor a constant", f.Name, p.Len, p.Name)
			}
		}
	}
	return nil
}
