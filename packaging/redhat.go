package main

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goreleaser/nfpm/v2/files"
)

// On systems with rpm an environment module chooses among MPIs, as for their packages of MPICH and Open MPI:
// `module load mpi/gompi-x86_64`. Without it, mpicc.gompi and mpiexec.gompi are there.

func redhat(arch string) system {
	return system{
		format:      "rpm",
		libraries:   "/usr/lib64",
		names:       map[part]string{runtime: "gompi", development: "gompi-devel", manual: "gompi-doc"},
		modules:     "/usr/share/modulefiles/mpi/gompi-" + machine(arch),
		libraryMode: 0o755,
	}
}

// own has the package own the folders that no other one has, so that they go when it goes.
func (c *contents) own() {
	folders := map[string]bool{}
	for _, entry := range c.list {
		for at := path.Dir(entry.Destination); at != "/"; at = path.Dir(at) {
			if strings.Contains(at, "/gompi") || strings.HasPrefix(at, "/usr/share/modulefiles/") {
				folders[at] = true
			}
		}
	}
	for _, at := range slices.Sorted(maps.Keys(folders)) {
		c.add(files.TypeDir, "", at, 0o755)
	}
}

func writeRPMs(p product, t tree) error {
	s := redhat(t.arch)
	for _, wanted := range []part{runtime, development, manual} {
		if wanted == manual && t.arch != architectures[0] {
			continue // one package serves all architectures
		}
		info, c := p.info(s, t, wanted), contents{product: p}
		if err := c.place(t, s, wanted); err != nil {
			return err
		}
		c.add(files.TypeRPMLicense, filepath.Join(p.sources, "LICENSE"), "/usr/share/licenses/"+info.Name+"/LICENSE", 0o644)
		if wanted != manual {
			if err := c.findable(t, s, wanted); err != nil {
				return err
			}
		}
		c.own()
		info.RPM.Group = "System Environment/Libraries"
		info.RPM.Summary, info.Description, _ = strings.Cut(info.Description, "\n")
		switch same := "gompi = " + p.version + "-1"; wanted {
		case runtime:
			info.Depends = []string{"glibc >= " + oldestGlibc}
			info.Recommends = []string{"openssh-clients"}
			info.Suggests = []string{"libfabric"}
		case development:
			info.Depends = []string{same}
			info.Recommends = []string{"gcc"}
		}
		if err := p.write(s, info, c); err != nil {
			return err
		}
	}
	return nil
}
