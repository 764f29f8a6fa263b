package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// module is the name of the module under test.
const module = "gompi"

// A listed package is what `go list -json` says about one, as far as it matters
// here.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
	CgoFiles   []string
	CFiles     []string
	CXXFiles   []string
	SysoFiles  []string
	Module     *struct{ Path string }
	Error      *struct{ Err string }
}

// folder is the package's folder below the root; false for other modules'.
func (p *listed) folder() (string, bool) {
	if p.ImportPath == module {
		return ".", true
	}
	return strings.CutPrefix(p.ImportPath, module+"/")
}

// packages lists all of gompi's packages with all that they are made of, by
// import path. cgo is on, as it is for the library.
var packages = sync.OnceValues(func() (map[string]*listed, error) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps,CgoFiles,CFiles,CXXFiles,SysoFiles,Module,Error", "./...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.New("go list: " + err.Error() + "\n" + stderr.String())
	}
	all := make(map[string]*listed)
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := decoder.Decode(p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
	}
})

func list(t *testing.T) map[string]*listed {
	t.Helper()
	all, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Who may import whom.
func TestImports(t *testing.T) {
	rooms := make(map[string][]string)
	for _, p := range list(t) {
		folder, ours := p.folder()
		if !ours {
			continue
		}
		room := roomOf(folder)
		if room == "" {
			t.Errorf("%s lies in no room: put it into one, or the room into the table", folder)
			continue
		}
		for _, path := range p.Imports {
			other, ours := (&listed{ImportPath: path}).folder()
			if !ours {
				continue
			}
			to := roomOf(other)
			if to == "" {
				continue // said above
			}
			if err := mayImport(room, to); err != nil {
				t.Errorf("%s imports %s: %v", folder, other, err)
			}
			if to != room && !slices.Contains(rooms[room], to) {
				rooms[room] = append(rooms[room], to)
			}
		}
	}
	if circle := findCircle(rooms); circle != nil {
		t.Errorf("rooms import each other in a circle: %s", strings.Join(circle, " -> "))
	}
}

// findCircle returns a way through the graph that ends where it began.
func findCircle(graph map[string][]string) []string {
	done := make(map[string]bool)
	var walk func(way []string) []string
	walk = func(way []string) []string {
		last := way[len(way)-1]
		if i := slices.Index(way[:len(way)-1], last); i >= 0 {
			return way[i:]
		}
		if done[last] {
			return nil
		}
		for _, next := range graph[last] {
			if circle := walk(append(slices.Clone(way), next)); circle != nil {
				return circle
			}
		}
		done[last] = true
		return nil
	}
	for room := range graph {
		if circle := walk([]string{room}); circle != nil {
			return circle
		}
	}
	return nil
}

func TestFindCircle(t *testing.T) {
	if circle := findCircle(map[string][]string{"a": {"b", "c"}, "b": {"c"}, "c": {"d"}}); circle != nil {
		t.Errorf("found %v where there is none", circle)
	}
	if circle := findCircle(map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"d", "b"}}); len(circle) != 3 {
		t.Errorf("found %v, want b and c", circle)
	}
}

// withC are the folders that contain C, each with the reason.
var withC = map[string]string{
	"fabric/libfabric": "calls of libfabric, which is loaded at run time",
	"pmix":             "calls of a library that is loaded at run time",
	"tests/sanitize":   "runs the engine in C",
}

// There is no C elsewhere but in capi.
func TestCgo(t *testing.T) {
	for _, p := range list(t) {
		folder, ours := p.folder()
		if !ours || roomOf(folder) == "capi" || withC[folder] != "" {
			continue
		}
		for _, files := range [][]string{p.CgoFiles, p.CFiles, p.CXXFiles, p.SysoFiles} {
			if len(files) > 0 {
				t.Errorf("%s contains C: %q", folder, files)
			}
		}
	}
}

// What becomes a part of the library stays small and quiet.
func TestWhatTheLibraryContains(t *testing.T) {
	all := list(t)
	capi, ok := all[module+"/capi"]
	if !ok {
		t.Fatal("there is no package capi")
	}
	for _, path := range capi.Deps {
		p := all[path]
		if p == nil {
			continue
		}
		if reason, ok := forbidden[path]; ok {
			t.Errorf("the library contains %s: %s", path, reason)
		}
		if p.Standard || p.Module == nil || p.Module.Path == module {
			continue
		}
		if !slices.Contains(modules, p.Module.Path) {
			t.Errorf("the library contains %s of %s, which is not in the list of modules", path, p.Module.Path)
		}
	}
}

// The packages that make up the library compile for every architecture it runs
// on; the launcher and the wrapper need no C compiler at all.
func TestCommandsNeedNoC(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if and .CgoFiles (not .Standard)}}{{.ImportPath}}{{end}}", "./cmd/mpicc/...", "./cmd/mpiexec/...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if found := strings.Fields(string(out)); len(found) > 0 {
		t.Errorf("the commands contain C in %q", found)
	}
}
