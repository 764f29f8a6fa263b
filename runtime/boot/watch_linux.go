package boot

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"gompi/shm"

	"golang.org/x/sys/unix"
)

// Who hears of a death. gompi's own launcher sees each rank end and tells the others. Other launchers do
// not, or not of each kind of end, so there the ranks of a node watch each other, in a ring: each has a
// descriptor of the process behind it (pidfd). When one ends that has not left MPI, the rank that watches it
// moves the failure epoch of the node, which ends every wait, and asks the launcher to end the job. Whose
// neighbour has left watches the one behind that. Where the job survives deaths (Job.Recovers) the watcher
// notes that the rank has failed, and does so, too.

// enter says which process this rank is, for those that watch it.
func (j *Job) enter() error {
	space, err := processSpace()
	if err != nil {
		return err
	}
	block := j.Segment.Base + shm.RankOffset(j.NodeRank)
	atomic.StoreUint32(shm.Word32(block+shm.RankSpace), space)
	atomic.StoreUint32(shm.Word32(block+shm.RankProcess), uint32(os.Getpid())) // pairs with neighbour.open
	return nil
}

// processSpace tells name spaces of process numbers apart.
func processSpace() (uint32, error) {
	var st unix.Stat_t
	if err := unix.Stat("/proc/self/ns/pid", &st); err != nil {
		return 0, fmt.Errorf("/proc/self/ns/pid: %w", err)
	}
	return uint32(st.Ino), nil
}

// Watch has another goroutine call lost, once, when this process is to end because nobody else would end it:
// its launcher is gone before this rank has left MPI, or has been asked to end the job and has not done so.
// It calls died, once, when a rank of this node has ended without leaving MPI and this process is the first
// to see it, ahead of everything that follows from it. A rank that the kernel kills along with gompi's own
// launcher needs no watch, and gets none.
func (j *Job) Watch(lost func(), died func(rank int)) {
	switch {
	case j.Kept || j.Singleton && j.client == nil:
	case j.ours:
		go func() {
			if j.client.waitHangup() && !j.finished.Load() {
				lost()
			}
		}()
	default:
		w := watcher{job: j, lost: lost, died: died, ranks: j.Neighbours(), next: j.NodeRank, process: -1}
		w.advance()
		go w.run()
	}
}

// watcher is what one rank watches under another launcher than gompi's.
type watcher struct {
	job   *Job
	lost  func()
	died  func(rank int)
	ranks []int // job ranks of the node
	// node rank of the neighbour; our own when there is nobody left
	next    int
	process int // descriptor of the neighbour, -1 before it is open
}

// How often, in milliseconds, a watcher looks for a neighbour that has not entered yet, and for a death that
// others have seen where no launcher would end this process.
const (
	entryNap = 10
	epochNap = 500
)

// forever is no bound for a wait.
const forever = -1

// killing is how long a launcher may take to kill the ranks of a node.
const killing = 100 * time.Millisecond

// launcherActs is how long a launcher may take to end a job.
const launcherActs = 2 * time.Second

// advance goes on to the next neighbour.
func (w *watcher) advance() {
	if w.process >= 0 {
		unix.Close(w.process)
	}
	w.process, w.next = -1, (w.next+1)%len(w.ranks)
}

// open opens the neighbour's descriptor if it has entered. One that cannot be watched, in another name space
// of processes or with a kernel that does not offer it, is passed over. gone is true when it has ended.
func (w *watcher) open() (gone bool) {
	block := w.job.Segment.Base + shm.RankOffset(w.next)
	pid := atomic.LoadUint32(shm.Word32(block + shm.RankProcess))
	if pid == 0 {
		return false
	}
	space, err := processSpace()
	if err != nil || space != atomic.LoadUint32(shm.Word32(block+shm.RankSpace)) {
		w.advance()
		return false
	}
	fd, err := unix.PidfdOpen(int(pid), 0)
	switch err {
	case nil:
		w.process = shm.MoveUp(fd)
	case unix.ESRCH:
		return true
	default:
		w.advance()
	}
	return false
}

// launcher is the descriptor that tells when the launcher is gone, and by which events.
func (w *watcher) launcher() unix.PollFd {
	switch {
	case w.job.finished.Load():
	case w.job.client != nil:
		return unix.PollFd{Fd: int32(w.job.client.fd), Events: unix.POLLRDHUP}
	case w.job.pmix != nil:
		return unix.PollFd{Fd: int32(w.job.pmix.Lost()), Events: unix.POLLIN}
	}
	return unix.PollFd{Fd: -1}
}

// helpless reports whether no launcher would end this process.
func (j *Job) helpless() bool { return j.client == nil && j.pmix == nil }

// run watches until the job is to end, or nobody is left to be watched.
func (w *watcher) run() {
	for {
		gone, nap := false, forever
		for w.next != w.job.NodeRank && w.process < 0 && !gone {
			before := w.next
			if gone = w.open(); w.next == before {
				break
			}
		}
		if w.job.helpless() {
			nap = epochNap
		}
		if w.next != w.job.NodeRank && w.process < 0 {
			nap = entryNap
		}
		fds := []unix.PollFd{w.launcher(), {Fd: int32(w.process), Events: unix.POLLIN}}
		if fds[0].Fd < 0 && fds[1].Fd < 0 && nap == forever {
			return
		}
		if !gone {
			if _, err := unix.Poll(fds, nap); err == unix.EINTR {
				continue
			} else if err != nil {
				return
			}
		}
		switch {
		case gone || fds[1].Revents != 0:
			if shm.Left(w.job.Segment, w.next) {
				w.advance()
				continue
			}
			if w.job.Recovers {
				if shm.MarkFailed(w.job.Segment, w.ranks[w.next]) {
					w.died(w.ranks[w.next])
				}
				w.advance()
				continue
			}
			w.noteDeath(w.ranks[w.next])
			return
		case fds[0].Revents != 0 && !w.job.finished.Load():
			w.lost()
			return
		case w.job.helpless() && shm.Broken(w.job.Segment) && !w.job.finished.Load():
			w.end()
			return
		}
	}
}

// noteDeath tells the job that a rank of this node has died. Where that was killed as the first of all, by a
// launcher that ends the job, this process is next and has nothing to tell.
func (w *watcher) noteDeath(rank int) {
	j := w.job
	time.Sleep(killing)
	if shm.NameDead(j.Segment, rank) {
		w.died(rank)
		j.askAbort(1, nil)
	}
	shm.MarkDead(j.Segment, rank)
	if j.finished.Load() {
		return
	}
	w.end()
}

// end ends this process if nobody else does.
func (w *watcher) end() {
	// One that goes meanwhile will not do it any more.
	for until := time.Now().Add(launcherActs); !w.job.helpless() && time.Now().Before(until); {
		ms := int(time.Until(until).Milliseconds()) + 1
		if _, err := unix.Poll([]unix.PollFd{w.launcher()}, ms); err != unix.EINTR {
			break
		}
	}
	w.lost()
}
