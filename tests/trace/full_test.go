package trace

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A file system that is full leaves one line and no file, of the launcher as of gompi-info. What is no file
// stays.
func TestFullFileSystem(t *testing.T) {
	if exec.Command("unshare", "-rm", "true").Run() != nil {
		t.Skip("no mount name spaces here")
	}
	_, file, _ := traced(t, 2, 0, "./late")
	folder := t.TempDir()
	mount := "mount -t tmpfs -o size=4k tmpfs " + folder + " && head -c 4096 /dev/zero > " + folder + "/rest && "
	in := func(script string) string {
		t.Helper()
		cmd := exec.Command("unshare", "-rm", "sh", "-c", mount+script+" 2>&1; echo code $?; ls -I rest "+folder)
		cmd.Dir = programs
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	path := filepath.Join(folder, "run.json")
	mpiexec, info := filepath.Join(bin, "mpiexec"), filepath.Join(bin, "gompi-info")
	for want, script := range map[string]string{
		"mpiexec: option --trace: no trace is kept: write " + path + ": no space left on device\n": mpiexec + " -n 2 --trace " + path + " ./late",
		"gompi-info: write " + path + ": no space left on device\n":                                info + " --trace " + file + " --html " + path,
	} {
		said := in(script)
		if rest, ok := strings.CutPrefix(said, want); !ok || strings.Count(rest, "\n") != 1 ||
			strings.HasPrefix(rest, "code 0\n") {
			t.Errorf("%s says\n%swant\n%sa code that is not 0, and no file", script, said, want)
		}
	}
	link := filepath.Join(folder, "link")
	if said := in("ln -s /dev/full " + link + " && " + mpiexec + " -n 2 --trace " + link + " ./late"); !strings.HasSuffix(said, "\nlink\n") {
		t.Errorf("a device:\n%s", said)
	}
}
