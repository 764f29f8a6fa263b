package programs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Executable makes the executable out of a package of gompi. Of a package below gompi/cmd it is the one in
// the build tree that the variable BUILD names, where there is one, so that tests run what has been built;
// else it is compiled.
func Executable(out, pkg string) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	name, isCommand := strings.CutPrefix(pkg, "gompi/cmd/")
	if tree := os.Getenv("BUILD"); tree != "" && isCommand {
		executable, err := os.ReadFile(filepath.Join(tree, "bin", name))
		if err != nil {
			return err
		}
		return os.WriteFile(out, executable, 0o755)
	}
	text, err := exec.Command("go", "build", "-trimpath", "-o", out, pkg).CombinedOutput()
	if err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, text)
	}
	return nil
}
