// Package scaling holds collective operations, windows and messages to how they may grow with the number of
// ranks (docs/internals/scaling.md).
//
// It counts the cache lines that pass between ranks. The tests run in a process of their own, whose package
// fast is built with an overlay: each access to shared memory tells package lines of itself first.
package scaling

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// counted says in the environment that package fast counts.
const counted = "GOMPI_TEST_COUNTED"

func TestMain(m *testing.M) {
	if os.Getenv(counted) != "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "gompi-scaling")
	if err == nil {
		err = runCounted(dir)
		os.RemoveAll(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runCounted runs the same tests with an overlay that it writes to a folder.
func runCounted(dir string) error {
	overlay, err := writeOverlay("../../runtime/fast", dir)
	if err != nil {
		return err
	}
	arguments := []string{"test", "-overlay", overlay, "-count=1"}
	if slices.Contains(os.Args[1:], "-test.v=true") {
		arguments = append(arguments, "-v")
	}
	for _, a := range os.Args[1:] {
		if strings.HasPrefix(a, "-test.run=") {
			arguments = append(arguments, strings.Replace(a, "-test.", "-", 1))
		}
	}
	c := exec.Command("go", append(arguments, ".")...)
	c.Env = append(os.Environ(), counted+"=1")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}

// writeOverlay writes the sources of a folder that count their accesses to another one, and the list of them.
func writeOverlay(from, to string) (string, error) {
	names, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err == nil {
			source, err = instrument(source)
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		original, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		replace[original] = filepath.Join(to, filepath.Base(name))
		if err := os.WriteFile(replace[original], source, 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(to, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// first is what functions do instead of what they do in package fast, or before that.
var first = map[string]string{
	"pause":   "counted.Pause(); return",
	"yield":   "counted.Pause(); return",
	"wake":    "counted.Wake(bell); return",
	"move":    "counted.Copied(to, from, uint64(n))",
	"copyAll": "counted.Copied(to, from, n)",
	"combine": "counted.Combined(out, a, b, uint64(elementSizes[kind]*n))",
}

// edit is text that takes the place of a part of a file.
type edit struct {
	from, to int
	text     string
}

// instrument makes a file count its accesses: functions of package lines take the place of those of package
// atomic and of release stores, and stores through a pointer tell of themselves.
func instrument(source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var edits []edit
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	replace := func(n ast.Node, text string) { edits = append(edits, edit{at(n.Pos()), at(n.End()), text}) }
	insert := func(p token.Pos, text string) { edits = append(edits, edit{at(p), at(p), text}) }
	const counter = `counted "gompi/tests/scaling/lines"; `
	imported := ""
	if len(file.Imports) == 0 {
		insert(file.Name.End(), "; import "+counter)
	} else {
		insert(file.Name.End(), "\nimport "+counter)
	}
	for _, i := range file.Imports {
		switch i.Path.Value {
		case `"sync/atomic"`:
			replace(i.Path, `atomic "gompi/tests/scaling/lines"`)
		case `"gompi/shm"`:
			imported = "var _ = shm.CacheLine\n"
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if text := first[n.Name.Name]; text != "" && n.Body != nil && n.Recv == nil {
				insert(n.Body.Lbrace+1, " "+text+"; ")
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "shm" && strings.HasPrefix(n.Sel.Name, "StoreRel") {
				replace(x, "counted")
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if star, ok := left.(*ast.StarExpr); ok {
					insert(star.X.Pos(), "counted.Wrote(")
					insert(star.X.End(), ")")
				}
			}
		}
		return true
	})
	insert(file.FileEnd, "\nvar _ = counted.Pause\n"+imported)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	end := 0
	for _, e := range edits {
		out.Write(source[end:e.from])
		out.WriteString(e.text)
		end = e.to
	}
	out.Write(source[end:])
	return out.Bytes(), nil
}
