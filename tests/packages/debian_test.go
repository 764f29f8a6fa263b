package packages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unpacked unpacks the packages of Debian into a folder that stands for the system.
func unpacked(t *testing.T) string {
	t.Helper()
	needs(t, "dpkg-deb")
	root := t.TempDir()
	for _, pattern := range []string{"gompi_*.deb", "gompi-dev_*.deb"} {
		must(t, nil, "dpkg-deb", "-x", only(t, pattern), root)
	}
	return root
}

func TestDeb(t *testing.T) {
	root := unpacked(t)
	use(t, root+"/usr/bin", ".gompi")
	lib := root + "/usr/lib/" + machine + "-linux-gnu"
	needs(t, "pkg-config")
	said := must(t, []string{"PKG_CONFIG_LIBDIR=" + lib + "/pkgconfig", "PKG_CONFIG_SYSROOT_DIR=" + root}, "pkg-config",
		"--cflags", "--libs-only-L", "gompi-c")
	for _, word := range strings.Fields(said) {
		if _, err := os.Stat(word[2:]); err != nil {
			t.Errorf("pkg-config says %s: %v", word, err)
		}
	}
}

// What the packages do to the system's alternatives: another MPI stays chosen, gompi is chosen where there is
// none, and nothing is left behind.
func TestAlternatives(t *testing.T) {
	needs(t, "update-alternatives")
	for _, other := range []string{"", "40"} {
		root := unpacked(t)
		for _, folder := range []string{"/etc/alternatives", "/var/lib/dpkg/alternatives", "/usr/include/" + machine + "-linux-gnu"} {
			if err := os.MkdirAll(root+folder, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		shims := t.TempDir()
		for name, text := range map[string]string{
			"update-alternatives": "#!/bin/sh\nexec " + must(t, nil, "sh", "-c", "command -v update-alternatives | tr -d '\\n'") +
				" --quiet --root '" + root + "' --log /dev/null \"$@\"\n",
			"ldconfig": "#!/bin/sh\n",
		} {
			if err := os.WriteFile(filepath.Join(shims, name), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		path := []string{"PATH=" + shims + ":" + os.Getenv("PATH")}
		want := "/usr/bin/mpicc.gompi"
		if other != "" {
			want = "/usr/bin/mpicc.other"
			if err := os.WriteFile(root+want, nil, 0o755); err != nil {
				t.Fatal(err)
			}
			must(t, nil, shims+"/update-alternatives", "--install", "/usr/bin/mpicc", "mpi", want, other)
		}
		before := must(t, nil, "find", root+"/etc", root+"/var", root+"/usr")
		for _, pattern := range []string{"gompi_*.deb", "gompi-dev_*.deb"} {
			script(t, path, pattern, "postinst", "configure")
		}
		if got, _ := os.Readlink(root + "/etc/alternatives/mpi"); got != want {
			t.Errorf("beside an MPI of priority %q mpicc is %s, want %s", other, got, want)
		}
		for _, link := range []string{"mpirun", "mpiexec", "mpi-" + machine + "-linux-gnu", "libmpi_abi.so.1-" + machine + "-linux-gnu",
			"mpi-c.pc-" + machine + "-linux-gnu"} {
			target, err := os.Readlink(root + "/etc/alternatives/" + link)
			if err == nil {
				_, err = os.Stat(root + target)
			}
			if err != nil {
				t.Errorf("the alternative %s leads to nothing: %v", link, err)
			}
		}
		for _, pattern := range []string{"gompi-dev_*.deb", "gompi_*.deb"} {
			script(t, path, pattern, "prerm", "remove")
		}
		if after := must(t, nil, "find", root+"/etc", root+"/var", root+"/usr"); after != before {
			t.Errorf("beside an MPI of priority %q the scripts leave\n%s\nof\n%s", other, after, before)
		}
	}
}

// script runs a script of a package.
func script(t *testing.T, env []string, pattern, name, argument string) {
	t.Helper()
	folder := t.TempDir()
	must(t, nil, "dpkg-deb", "-e", only(t, pattern), folder)
	must(t, env, "sh", filepath.Join(folder, name), argument)
}

// Every file lies in a folder of gompi's own, or has gompi in its name: so it stands beside other MPIs.
func TestNamesAreOwn(t *testing.T) {
	needs(t, "dpkg-deb")
	own := regexp.MustCompile(`/gompi|\.gompi|3gompi|/lib(gompi|mpi_abi)`)
	for _, pattern := range []string{"gompi_*.deb", "gompi-dev_*.deb", "gompi-doc_*.deb"} {
		for line := range strings.Lines(must(t, nil, "dpkg-deb", "-c", only(t, pattern))) {
			if fields := strings.Fields(line); fields[0][0] != 'd' && !own.MatchString(fields[5]) {
				t.Errorf("%s has %s", pattern, fields[5])
			}
		}
	}
}
