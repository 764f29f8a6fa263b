package packages

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A wheel is unpacked as pip does: what is data goes into the environment, scripts into its bin.
func TestWheel(t *testing.T) {
	wheel, err := zip.OpenReader(only(t, "gompi-*.whl"))
	if err != nil {
		t.Fatal(err)
	}
	defer wheel.Close()
	prefix, record, lines := t.TempDir(), "", map[string]string{}
	for _, f := range wheel.File {
		content := content(t, f)
		sum := sha256.Sum256(content)
		lines[f.Name] = fmt.Sprintf("%s,sha256=%s,%d", f.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
		name := "lib/python/" + f.Name
		if _, data, ok := strings.Cut(f.Name, ".data/"); ok {
			name = strings.Replace(strings.TrimPrefix(data, "data/"), "scripts/", "bin/", 1)
		}
		if strings.HasSuffix(f.Name, "/RECORD") {
			record = string(content)
			lines[f.Name] = f.Name + ",,"
		}
		path := filepath.Join(prefix, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, f.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(record) {
		name, _, _ := strings.Cut(line, ",")
		if lines[name] != strings.TrimSpace(line) {
			t.Errorf("RECORD has %q, the wheel %q", strings.TrimSpace(line), lines[name])
		}
		delete(lines, name)
	}
	if len(lines) > 0 {
		t.Errorf("RECORD has no lines for %v", lines)
	}
	// pip makes these of the entry points.
	for _, name := range []string{"mpicxx", "mpifort"} {
		if err := os.Symlink("mpicc", prefix+"/bin/"+name); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadFile(prefix + "/lib/python/gompi-" + version + ".dist-info/entry_points.txt")
	if err != nil || !strings.Contains(string(entries), "\nmpicxx = gompi.commands:compile\n") ||
		!strings.Contains(string(entries), "\nmpirun = gompi.commands:launch\n") {
		t.Errorf("entry points: %v\n%s", err, entries)
	}
	use(t, prefix+"/bin", "")
	needs(t, "python3")
	said := must(t, []string{"PYTHONPATH=" + prefix + "/lib/python"}, "python3", "-c", "import gompi; print(gompi.__version__)")
	if said != version+"\n" {
		t.Errorf("the module's version is %q", said)
	}
}

func content(t *testing.T, f *zip.File) []byte {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
