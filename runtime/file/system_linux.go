package file

import (
	"golang.org/x/sys/unix"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// system is an open file of the operating system.
type system struct {
	fd       int32
	path     string
	limited  bool // this process may only write files up to a certain size
	readable bool
	regular  bool // not a pipe or a device
	memory   bool // the file system keeps files in memory
}

// openSystem opens a file; flags are those of open(2), close-on-exec added.
func openSystem(path string, flags int, perm uint32) (*system, error) {
	for {
		fd, err := unix.Open(path, flags|unix.O_CLOEXEC|unix.O_NOCTTY, perm)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, failure("open", path, err)
		}
		var limit unix.Rlimit
		fd = shm.MoveUp(fd)
		s := &system{fd: int32(fd), path: path, readable: flags&unix.O_ACCMODE != unix.O_WRONLY}
		s.limited = unix.Getrlimit(unix.RLIMIT_FSIZE, &limit) == nil && limit.Cur != unix.RLIM_INFINITY
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
			s.close()
			return nil, failure("open", path, unix.EISDIR)
		}
		s.regular = st.Mode&unix.S_IFMT == unix.S_IFREG
		return s, nil
	}
}

// flags are those of open(2) for a mode. Writing asks for reading as well, which mapping needs.
func (m Mode) flags() int {
	if m&ReadOnly != 0 {
		return unix.O_RDONLY
	}
	return unix.O_RDWR
}

// openMode opens a file for a mode. A file that may be written but not read is opened all the same, when the
// mode is to write only.
func openMode(path string, m Mode, more int, perm uint32) (*system, error) {
	s, err := openSystem(path, m.flags()|more, perm)
	if mpierr.CodeOf(err) == int(mpierr.ErrAccess) && m&WriteOnly != 0 {
		if only, e := openSystem(path, unix.O_WRONLY|more, perm); e == nil {
			return only, nil
		}
	}
	return s, err
}

// creation are the further flags of open(2) with which the first rank opens.
func (m Mode) creation() int {
	flags := 0
	if m&Create != 0 {
		flags |= unix.O_CREAT
	}
	if m&Exclusive != 0 {
		flags |= unix.O_EXCL
	}
	return flags
}

func (s *system) close() error {
	if err := unix.Close(int(s.fd)); err != nil && err != unix.EINTR {
		return failure("close", s.path, err)
	}
	return nil
}

// unlink deletes a file.
func unlink(path string) error {
	if err := unix.Unlink(path); err != nil {
		return failure("delete", path, err)
	}
	return nil
}

// largest is how many bytes one system call may move: Linux takes a little less than 2^31.
const largest = 1 << 30

// read fills p from off on, and returns how much of it there was: less than all only at the end of the file.
func (s *system) read(p []byte, off int64) (int64, error) {
	done := int64(0)
	for done < int64(len(p)) {
		n, err := unix.Pread(int(s.fd), p[done:min(int64(len(p)), done+largest)], off+done)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return done, failure("read", s.path, err)
		case n == 0:
			return done, nil
		default:
			done += int64(n)
		}
	}
	return done, nil
}

// write writes p at off and returns how much of it has been written: all, or there is an error.
func (s *system) write(p []byte, off int64) (int64, error) {
	done := int64(0)
	for done < int64(len(p)) {
		if (done > 0 || s.limited) && s.full(off+done) {
			return done, failure("write", s.path, unix.EFBIG)
		}
		n, err := unix.Pwrite(int(s.fd), p[done:min(int64(len(p)), done+largest)], off+done)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return done, failure("write", s.path, err)
		case n == 0:
			return done, failure("write", s.path, unix.ENOSPC)
		default:
			done += int64(n)
		}
	}
	return done, nil
}

// full reports whether a write at off would be beyond the limit of this process, for which it would get a
// signal.
func (s *system) full(off int64) bool {
	var limit unix.Rlimit
	return unix.Getrlimit(unix.RLIMIT_FSIZE, &limit) == nil && uint64(off) >= limit.Cur
}

// size is the size of the file in bytes.
func (s *system) size() (int64, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(s.fd), &st); err != nil {
		return 0, failure("ask for the size of", s.path, err)
	}
	return st.Size, nil
}

// length is the size of a file that can be mapped, by the quickest way. It is negative when there is an
// error.
func (s *system) length() int64 { return fast.FileLength(s.fd) }

// settle waits until the writes are over that have made the file n bytes long. A write behind the end may
// tell the new length first and then clear the bytes between the old end and its place (ext4 does): what
// another process stores there meanwhile through mapped pages is lost. Asking where data is takes the lock
// that a write holds until it is over.
func (s *system) settle(n int64) {
	if n > 0 {
		_, _ = unix.Seek(int(s.fd), n-1, unix.SEEK_DATA)
	}
}

// resize makes the file longer or shorter.
func (s *system) resize(n int64) error {
	if n > 0 && s.full(n-1) {
		return failure("resize", s.path, unix.EFBIG)
	}
	if err := again(func() error { return unix.Ftruncate(int(s.fd), n) }); err != nil {
		return failure("resize", s.path, err)
	}
	return nil
}

// reserve makes sure that there is space for the first n bytes, and that the file is not shorter.
func (s *system) reserve(n int64) error {
	if n > 0 && s.full(n-1) {
		return failure("preallocate", s.path, unix.EFBIG)
	}
	err := again(func() error { return unix.Fallocate(int(s.fd), 0, 0, n) })
	if err != unix.EOPNOTSUPP && err != unix.ENOSYS {
		if err != nil {
			return failure("preallocate", s.path, err)
		}
		return nil
	}
	// The file system has no call for it: what is missing is written.
	size, err := s.size()
	zeros := make([]byte, 1<<20)
	for err == nil && size < n {
		k := min(n-size, int64(len(zeros)))
		_, err = s.write(zeros[:k], size)
		size += k
	}
	return err
}

// sync brings what has been written to the device.
func (s *system) sync() error {
	err := again(func() error { return unix.Fsync(int(s.fd)) })
	// what is no file on a device cannot be synchronized
	if err != nil && err != unix.EINVAL && err != unix.EROFS {
		return failure("synchronize", s.path, err)
	}
	return nil
}

// lock takes a lock on bytes [lo, hi) against all who lock them through another opening of the file, in any
// process; it waits for it. exclusive locks exclude each other and shared ones.
func (s *system) lock(lo, hi int64, exclusive bool) error {
	l := unix.Flock_t{Type: unix.F_RDLCK, Start: lo, Len: hi - lo}
	if exclusive {
		l.Type = unix.F_WRLCK
	}
	if err := again(func() error {
		return unix.FcntlFlock(uintptr(s.fd), unix.F_OFD_SETLKW,
			&l)
	}); err != nil {
		return failure("lock", s.path, err)
	}
	return nil
}

// unlock gives a lock back.
func (s *system) unlock(lo, hi int64) {
	l := unix.Flock_t{Type: unix.F_UNLCK, Start: lo, Len: hi - lo}
	_ = unix.FcntlFlock(uintptr(s.fd), unix.F_OFD_SETLK, &l) // giving back what is held cannot fail
}

func again(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// mappable reports whether the file is one whose pages all processes of the node share: a regular file in a
// file system of this machine. Others may map as well, but keep no order with their own reads and writes.
func (s *system) mappable() bool {
	var fs unix.Statfs_t
	if !s.regular || unix.Fstatfs(int(s.fd), &fs) != nil {
		return false
	}
	switch uint32(fs.Type) {
	case unix.TMPFS_MAGIC, unix.RAMFS_MAGIC:
		s.memory = true
		return true
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.OVERLAYFS_SUPER_MAGIC:
		return true
	}
	return false
}

// mapPages maps bytes [lo, hi) of the file, both multiples of the page size; hi may be beyond its end.
func (s *system) mapPages(lo, hi int64, writable bool) (uintptr, error) {
	prot := uintptr(unix.PROT_READ)
	if writable {
		prot |= unix.PROT_WRITE
	}
	base, _, errno := unix.Syscall6(unix.SYS_MMAP, 0, uintptr(hi-lo), prot,
		unix.MAP_SHARED|unix.MAP_NORESERVE, uintptr(s.fd), uintptr(lo))
	if errno != 0 {
		return 0, errno
	}
	return base, nil
}

func unmapPages(base uintptr, n int64) { unix.Syscall(unix.SYS_MUNMAP, base, uintptr(n), 0) }

// fault brings n bytes of mapped pages in, from base on, a multiple of the page size. It fails when a page
// is not in the file, or none can be found for it; a kernel that does not know how leaves it to the
// accesses.
func fault(base uintptr, n int64, writing bool) error {
	how := unix.MADV_POPULATE_READ
	if writing {
		how = unix.MADV_POPULATE_WRITE
	}
	for {
		_, _, errno := unix.Syscall(unix.SYS_MADVISE, base, uintptr(n), uintptr(how))
		switch errno {
		case unix.EINTR, unix.EAGAIN:
		case 0, unix.EINVAL:
			return nil
		default:
			return errno
		}
	}
}

// memory is n bytes at an address.
func memory(addr uintptr, n int64) []byte { return shm.Bytes(addr, n) }

// addressOf is where p begins.
func addressOf(p []byte) uintptr { return shm.Address(p) }
