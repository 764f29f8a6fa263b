package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"

	"gompi/tests/conformance/cache"
)

// Suite is MPICH's test suite on disk.
type Suite struct {
	Dir     string // the folder test/mpi
	Version string // of MPICH, such as "4.0.2"; "unknown" where the source does not say
}

// Open finds the suite in a folder: MPICH's source, or its test/mpi.
func Open(dir string) (Suite, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Suite{}, err
	}
	for _, d := range []string{filepath.Join(dir, "test", "mpi"), dir} {
		if _, err := os.Stat(filepath.Join(d, "util", "mtest.c")); err == nil {
			return Suite{Dir: d, Version: version(d)}, nil
		}
	}
	return Suite{}, fmt.Errorf("%s holds no MPICH test suite (no test/mpi/util/mtest.c in it)", dir)
}

var versionMacro = regexp.MustCompile(`MPICH_VERSION_m4\]?,\[([^\]]+)\]`)

// version reads MPICH's version from its source; dir is test/mpi.
func version(dir string) string {
	for _, name := range []string{"version.m4", "../../maint/version.m4"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if m := versionMacro.FindSubmatch(text); err == nil && m != nil {
			return string(m[1])
		}
	}
	return "unknown"
}

// ErrUnobtainable says that the suite is not there and cannot be fetched.
var ErrUnobtainable = errors.New("cannot obtain MPICH's test suite")

// Obtain returns the suite that is kept in an entry of a cache, and fetches it as Debian's source package
// before when it is not there. It tells say what takes time. The error is ErrUnobtainable where it can
// neither be found nor be fetched.
func Obtain(ctx context.Context, kept *cache.Entry, say func(string)) (Suite, error) {
	folder, err := kept.Folder(ctx, "mpich", func(dir string) error { return fetch(ctx, dir, say) })
	if ctx.Err() != nil {
		return Suite{}, ctx.Err()
	}
	if err != nil {
		return Suite{}, fmt.Errorf("%w: %w\nA copy of MPICH's source that is there already serves as well: MPICH_SUITE=folder", ErrUnobtainable, err)
	}
	return Open(folder)
}

// fetch downloads the source package and unpacks its test suite into an empty folder.
func fetch(ctx context.Context, dir string, say func(string)) error {
	for _, tool := range []string{"apt-get", "tar", "xz"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%s is not installed", tool)
		}
	}
	scratch, err := os.MkdirTemp(filepath.Dir(dir), "fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	a := apt{dir: filepath.Join(scratch, "apt"), settings: "/etc/apt"}
	if err := a.configure(); err != nil {
		return err
	}
	downloads := filepath.Join(scratch, "download")
	if err := os.MkdirAll(downloads, 0o755); err != nil {
		return err
	}
	say("fetching the list of source packages")
	if err := a.run(ctx, downloads, "update"); err != nil {
		return err
	}
	say("fetching the source package mpich")
	if err := a.run(ctx, downloads, "source", "--download-only", "mpich"); err != nil {
		return err
	}
	tarball, err := tarball(downloads)
	if err != nil {
		return err
	}
	say("unpacking " + filepath.Base(tarball))
	return unpack(ctx, tarball, dir)
}

// tarball finds the upstream source that was downloaded.
func tarball(downloads string) (string, error) {
	found, _ := filepath.Glob(filepath.Join(downloads, "mpich_*.orig.tar.*"))
	found = slices.DeleteFunc(found, func(name string) bool { return filepath.Ext(name) == ".asc" })
	if len(found) != 1 {
		return "", fmt.Errorf("%d files mpich_*.orig.tar.* after the download, want one", len(found))
	}
	return found[0], nil
}

// unpack takes the test suite and the version out of MPICH's source.
func unpack(ctx context.Context, tarball, dir string) error {
	out, err := exec.CommandContext(ctx, "tar", "-xf", tarball, "-C", dir, "--strip-components=1", "--no-same-owner",
		"--wildcards", "--no-wildcards-match-slash", "*/test/mpi", "*/maint/version.m4").CombinedOutput()
	if err != nil {
		return fmt.Errorf("tar: %w\n%s", err, lastLines(string(out), 5))
	}
	return nil
}
