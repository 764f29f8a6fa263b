package cache

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Kept is how many entries of a kind a cache holds: that of an implementation and that of the one that it is
// compared with, for each of two suites.
const Kept = 4

// userFile is the file in an entry that its users have locked. Its time is that of the last use.
const userFile = ".used"

// waiting is the time between two looks at a lock that somebody else has.
const waiting = 50 * time.Millisecond

// Cache is a folder of entries.
type Cache struct{ dir string }

// At gives the cache in a folder, which need not be there yet.
func At(dir string) Cache { return Cache{dir} }

// Entry is an entry in use, until Close.
type Entry struct {
	Dir  string
	used *os.File
}

// Use gives the entry of a kind with a key, and makes an empty one where there is none.
func (c Cache) Use(ctx context.Context, kind, key string) (*Entry, error) {
	dir := filepath.Join(c.dir, kind)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lockFile(ctx, filepath.Join(c.dir, ".lock"))
	if err != nil {
		return nil, err
	}
	e, made, err := use(filepath.Join(dir, key))
	var old []string
	if err == nil && made {
		old = removable(dir)
	}
	unlock()
	for _, name := range old {
		os.RemoveAll(name)
	}
	return e, err
}

// use opens an entry and marks it as in use. The cache's lock is held.
func use(dir string) (e *Entry, made bool, err error) {
	if err := os.Mkdir(dir, 0o755); err == nil {
		made = true
	} else if !errors.Is(err, os.ErrExist) {
		return nil, false, err
	}
	f, err := os.OpenFile(filepath.Join(dir, userFile), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, false, err
	}
	if err := share(f); err != nil {
		f.Close()
		return nil, false, err
	}
	now := time.Now()
	os.Chtimes(f.Name(), now, now)
	return &Entry{Dir: dir, used: f}, made, nil
}

// removable renames the entries in a folder that are too many, so that nobody finds them any more, and
// returns their new names. What an earlier run has not come to remove is among them. The cache's lock is
// held.
func removable(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	last := func(name string) int64 {
		info, err := os.Stat(filepath.Join(name, userFile))
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	slices.SortFunc(names, func(a, b string) int { return int(min(max(last(b)-last(a), -1), 1)) })
	old, _ := filepath.Glob(filepath.Join(dir, ".old-*"))
	for _, name := range names[min(Kept, len(names)):] {
		if inUse(filepath.Join(name, userFile)) {
			continue
		}
		gone := filepath.Join(dir, ".old-"+filepath.Base(name))
		if os.Rename(name, gone) == nil {
			old = append(old, gone)
		}
	}
	return old
}

// Close says that the entry is not used any longer by this caller.
func (e *Entry) Close() error { return e.used.Close() }

// Folder gives a folder within the entry. Where there is none, fill is called to put into an empty folder
// what it is to hold; other processes wait for that. Nothing stays of a call that fails.
func (e *Entry) Folder(ctx context.Context, name string, fill func(dir string) error) (string, error) {
	folder := filepath.Join(e.Dir, name)
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	unlock, err := lockFile(ctx, filepath.Join(e.Dir, "."+name+".lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	// What is there under this name was left by a process that has ended: this one holds the lock.
	partial := folder + ".partial"
	if err := errors.Join(os.RemoveAll(partial), os.Mkdir(partial, 0o755)); err != nil {
		return "", err
	}
	if err := fill(partial); err != nil {
		return "", errors.Join(err, os.RemoveAll(partial))
	}
	return folder, os.Rename(partial, folder)
}
