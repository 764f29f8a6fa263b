package libfabric

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The declarations of abi.h are those of libfabric's headers, and a wrong one would be found.
func TestABI(t *testing.T) {
	if _, err := os.Stat("/usr/include/rdma/fabric.h"); err != nil {
		t.Skip("not here: libfabric-dev")
	}
	ours, err := os.ReadFile("abi.h")
	if err != nil {
		t.Fatal(err)
	}
	// A header that is included ahead of abi.h takes its place.
	compile := func(text string) (string, error) {
		header := filepath.Join(t.TempDir(), "abi.h")
		if err := os.WriteFile(header, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("gcc", "-fsyntax-only", "-include", header, "testdata/abi_check.c").CombinedOutput()
		return string(out), err
	}
	if out, err := compile(string(ours)); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, c := range []struct{ right, wrong, says string }{
		{"	char *prov_name;\n", "	char *more, *prov_name;\n", "fi_fabric_attr.prov_version has another place"},
		{"OFI_GETWAIT = 5", "OFI_GETWAIT = 4", "FI_GETWAIT"},
		{"	void (*unused_eq_open)(void);\n", "", "fi_ops_fabric.trywait has another place"},
		{"	uint64_t data;\n};", "};", "has another size"},
	} {
		if out, err := compile(strings.Replace(string(ours), c.right, c.wrong, 1)); err == nil ||
			!strings.Contains(out, c.says) {
			t.Errorf("%q in place of %q is not found: %s", c.wrong, c.right, out)
		}
	}
}
