package main

import (
	"path/filepath"

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
			// Folders that no other package has are removed with this one.
			c.add(files.TypeDir, "", s.home(), 0o755)
		}
		info.RPM.Group = "System Environment/Libraries"
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
