package toolchain

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// idleSource is a library that lets ranks of an MPI over UCX sleep for a moment when nothing happens.
//
//go:embed preload/idle.c
var idleSource string

// SleepWhenIdle has the programs of an MPI that always polls give the processor up while they wait, where
// there are more ranks than cores. Such a program needs some ten times the time otherwise, since ranks that
// wait keep those from running that they wait for. It changes no result, but every time: it is for learning
// what passes, not how fast. An MPI that is not built on UCX is not touched. The library is made in the
// folder dir.
func (m *MPI) SleepWhenIdle(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	library := filepath.Join(dir, "idle-"+m.Key+".so")
	partial := fmt.Sprintf("%s.%d.partial", library, os.Getpid())
	defer os.Remove(partial)
	if _, err := m.compile(ctx, idleSource, "-O2", "-shared", "-fPIC", "-x", "c", "-", "-o", partial, "-ldl"); err != nil {
		if refused, ok := errors.AsType[*BuildError](err); ok {
			return fmt.Errorf("library for idle ranks: %s", refused.Complaint)
		}
		return err
	}
	if err := os.Rename(partial, library); err != nil {
		return err
	}
	m.Crowded = append(m.Crowded, "LD_PRELOAD="+library)
	return nil
}
